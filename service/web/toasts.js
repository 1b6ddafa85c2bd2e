// Short messages that go away by themselves; errors stay until they are dismissed.

import { byId, el, icon } from "./dom.js";
import { t } from "./words.js";

const STAYS_MS = 5000;

export function toast(text, kind = "plain") {
  const node = el("div", { class: "toast", data: { kind } }, el("p", {}, text),
    el("button", { type: "button", class: "tool icon", "aria-label": t("dismiss"), on: { click: () => node.remove() } }, icon("close")));
  byId("toasts").append(node);
  if (kind !== "bad") setTimeout(() => node.remove(), STAYS_MS);
}
