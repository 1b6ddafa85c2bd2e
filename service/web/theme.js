// Language and theme: remembered, shown on their buttons, changed by them. early.js has set both before the first paint.

import { byId, fill, icon } from "./dom.js";
import { set } from "./state.js";
import { t, translate } from "./words.js";

const root = document.documentElement;
const NEXT = { auto: "light", light: "dark", dark: "auto" };
const ICONS = { auto: "auto", light: "sun", dark: "moon" };

function remember(name, value) {
  try { localStorage.setItem(name, value); } catch { /* a private window forgets */ }
}

function paintTheme() {
  const theme = root.dataset.theme || "auto";
  fill(byId("theme"), icon(ICONS[theme]));
  byId("theme").title = t("theme_title") + " – " + t("theme_" + theme);
}

export function speak() {
  translate();
  byId("language").textContent = t("language_name");
  paintTheme();
  set({ language: root.lang });
}

byId("language").addEventListener("click", () => {
  root.lang = root.lang.startsWith("zh") ? "en" : "zh-CN";
  remember("language", root.lang);
  speak();
});

byId("theme").addEventListener("click", () => {
  const next = NEXT[root.dataset.theme || "auto"];
  if (next === "auto") delete root.dataset.theme;
  else root.dataset.theme = next;
  remember("theme", next);
  paintTheme();
});
