// Keyboard shortcuts of the whole page; none acts while somebody types.

import { byId, show } from "./dom.js";
import { showHelp } from "./dialogs.js";
import { go, here } from "./route.js";
import { isRunning, stopRun } from "./running.js";
import { dropLast } from "./scope.js";
import { step, toggleSummary } from "./reader.js";
import { setMode } from "./find.js";

const types = (node) => node?.matches?.("input, textarea, select, [contenteditable]");

function moveHit(direction) {
  const hits = [...document.querySelectorAll(".hit")];
  if (!hits.length) return;
  const at = hits.findIndex((hit) => hit.contains(document.activeElement));
  const next = hits[Math.min(hits.length - 1, Math.max(0, at + direction))];
  next.focus({ preventScroll: true });
  show(next, "nearest");
}

function escape() {
  if (types(document.activeElement)) { document.activeElement.blur(); return; }
  if (isRunning()) { stopRun(); return; }
  if (here().key) { go({ key: null, passage: null }); return; }
  const fewer = dropLast();
  if (fewer) go(fewer);
  else if (here().query) go({ query: "" });
}

const actions = {
  "/": () => { byId("find-box").focus(); byId("find-box").select(); },
  "?": showHelp,
  j: () => moveHit(1),
  k: () => moveHit(-1),
  "[": () => step(-1),
  "]": () => step(1),
  s: toggleSummary,
  m: () => setMode(here().mode === "ask" ? "search" : "ask"),
};

addEventListener("keydown", (event) => {
  if (byId("dialog").open || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.key === "Escape") { event.preventDefault(); escape(); return; }
  if (types(event.target) || !(event.key in actions)) return;
  event.preventDefault();
  actions[event.key]();
});
