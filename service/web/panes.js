// One pane at a time on a phone: the one in which something just happened. On wider windows the same mark does no harm.

import { byId } from "./dom.js";
import { watch } from "./state.js";

const buttons = [...byId("tabs").querySelectorAll("button")];
let before = null;

function showPane(name) {
  byId("columns").dataset.pane = name;
  for (const button of buttons) button.setAttribute("aria-current", String(button.dataset.pane === name));
}

for (const button of buttons) button.addEventListener("click", () => { showPane(button.dataset.pane); scrollTo(0, 0); });

watch(["route"], ({ route }) => {
  if (!before) showPane(route.key ? "reader" : route.query || !route.doc ? "results" : "library");
  else if (route.query && (route.query !== before.query || route.mode !== before.mode)) showPane("results");
  else if (route.key && (route.key !== before.key || route.passage !== before.passage)) showPane("reader");
  else if (!route.key && before.key) showPane(route.query ? "results" : "library");
  before = route;
});
