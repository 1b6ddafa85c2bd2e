// The search box: words, and whether they are searched or asked.

import { byId } from "./dom.js";
import { go, here } from "./route.js";
import { again, runKey } from "./running.js";
import { scopeName } from "./scope.js";
import { get, watch } from "./state.js";
import { t } from "./words.js";

const box = byId("find-box");
let mode = "search";

export function setMode(next) {
  mode = next;
  if (here().query) go({ mode });
  else go({ mode }, { replace: true });
  paint();
}

function paint() {
  for (const button of document.querySelectorAll("[data-mode]")) {
    const on = button.dataset.mode === mode;
    button.setAttribute("aria-checked", String(on));
    button.tabIndex = on ? 0 : -1;
  }
  const route = get().route;
  const name = route && scopeName(route);
  box.placeholder = t("hint_" + mode + (name ? "_in" : ""), { name });
}

function submit(event) {
  event.preventDefault();
  const query = box.value.trim();
  const before = get().run?.key;
  go({ query, mode, after: [] });
  if (query && before === runKey(here())) again();
}

for (const button of document.querySelectorAll("[data-mode]")) button.addEventListener("click", () => setMode(button.dataset.mode));
document.querySelector(".find-modes").addEventListener("keydown", (event) => {
  if (!event.key.startsWith("Arrow")) return;
  event.preventDefault();
  setMode(mode === "ask" ? "search" : "ask");
  document.querySelector(`[data-mode="${mode}"]`).focus();
});
byId("find").addEventListener("submit", submit);

watch(["route", "documents", "outlines", "language"], ({ route }) => {
  if (!route) return;
  mode = route.mode;
  if (document.activeElement !== box || box.value.trim() === "") box.value = route.query;
  paint();
});
