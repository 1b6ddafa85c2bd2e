// What the service understood of the words, and the sections nearest to one that does not exist.

import { el } from "./dom.js";
import { go } from "./route.js";
import { nameOf } from "./state.js";
import { t } from "./words.js";

const nameIn = (item) => (typeof item === "string" ? nameOf(item) : item.title || item.section_path || item.label || item.key || item.section_key || "");

export function understood(intent, route) {
  if (!intent) return null;
  const names = (items) => items.map(nameIn).filter(Boolean).join(", ");
  const parts = [];
  if (intent.documents.length && !route.documents.length && !route.only.length) parts.push(t("understood_documents", { names: names(intent.documents) }));
  if (intent.sections.length && !route.only.length) parts.push(t("understood_sections", { names: names(intent.sections) }));
  if (intent.excluded.length && !route.without.length) parts.push(t("understood_excluded", { names: names(intent.excluded) }));
  if (intent.kind === "overview" || intent.kind === "comparison") parts.push(t("understood_" + intent.kind));
  return parts.length ? el("p", { class: "understood" }, el("span", { class: "label" }, t("understood")), " ", parts.join(" · ")) : null;
}

export function nearestList(nearest) {
  if (!nearest?.length) return null;
  return el("section", { class: "nearest" }, el("h3", { class: "label" }, t("nearest_sections")), el("ul", {}, nearest.map((item) => {
    const key = typeof item === "string" ? item : item.section_key || item.key;
    return el("li", {}, el("button", { type: "button", class: "link", on: { click: () => go({ only: [key], documents: [], doc: key.split("/")[0], key, passage: null }) } }, nameIn(item)));
  })));
}
