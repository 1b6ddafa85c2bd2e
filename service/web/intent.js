// What the service understood of the words, and the sections nearest to one that does not exist.

import { el } from "./dom.js";
import { go } from "./route.js";
import { findDocument, heading, nameOf } from "./state.js";
import { known, t } from "./words.js";

const nameIn = (item) => (typeof item === "string" ? nameOf(item) : heading(item));

export function understood(intent, route) {
  if (!intent) return null;
  const names = (items) => items.map(nameIn).filter(Boolean).join(", ");
  const parts = [];
  if (intent.documents.length && !route.documents.length && !route.only.length) parts.push(t("understood_documents", { names: names(intent.documents) }));
  if (intent.sections.length && !route.only.length && !intent.sides?.length) parts.push(t("understood_sections", { names: names(intent.sections) }));
  if (intent.excluded.length && !route.without.length) parts.push(t("understood_excluded", { names: names(intent.excluded) }));
  const sides = (intent.sides || []).map((side) => (side.sections.length === 1 ? heading(side.sections[0]) : side.asked));
  if (sides.length) parts.push(t("understood_sides", { names: sides.join(" ↔ ") }));
  else if (["overview", "comparison", "reference"].includes(intent.kind)) parts.push(t("understood_" + intent.kind));
  if (intent.rewritten) parts.push(t("understood_rewritten", { question: intent.rewritten }));
  return el("p", { class: "understood" }, parts.length ? [el("span", { class: "label" }, t("understood")), " ", parts.join(" · "), " "] : null, strategyChoice(intent, route));
}

// How the tree was searched, and the choice to search it otherwise.
function strategyChoice(intent, route) {
  const option = (value, words) => el("option", { value, selected: route.by === value }, words);
  return el("select", { class: "strategy", "aria-label": t("strategy"), title: t("strategy_explain"), on: { change: (event) => go({ by: event.target.value }) } },
    option("", t("strategy_auto", { chosen: t("strategy_" + (intent.strategy || "collapsed")) })),
    option("collapsed", t("strategy_collapsed")),
    option("traversal", t("strategy_traversal")));
}

export function nearestList(nearest) {
  if (!nearest?.length) return null;
  return el("section", { class: "nearest" }, el("h3", { class: "label" }, t("nearest_sections")), el("ul", {}, nearest.map((item) => {
    const { section_key: key, doc_id: doc } = item;
    const title = findDocument(doc)?.title;
    return el("li", {}, el("button", { type: "button", class: "link", on: { click: () => go({ only: [key], documents: [], doc, key, passage: null }) } }, nameIn(item)), title ? el("span", { class: "quiet" }, " " + title) : null);
  })));
}

// A part that was down: said, because what was found without it may be less.
export function degradedNote(parts) {
  if (!parts?.length) return null;
  return el("p", { class: "notice warn" }, parts.map((part) => t(known("degraded_" + part) ? "degraded_" + part : "degraded_other", { part })).join(" "));
}
