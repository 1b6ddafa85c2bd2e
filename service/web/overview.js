// What an overview or a comparison was made from: the state of its summaries, every section with whether it is in, the sides.

import { el } from "./dom.js";
import { go } from "./route.js";
import { documentOf, heading } from "./state.js";
import { t } from "./words.js";

export function made(reply) {
  if (!reply || reply.abstained) return null;
  const parts = [summaryStates(reply.summaries || []), coverage(reply.coverage || []), sides(reply.sides || [], reply.intent.sides || [])].filter(Boolean);
  return parts.length ? el("div", { class: "made" }, parts) : null;
}

// Summaries that say what their section says now are not worth a word.
function summaryStates(summaries) {
  const old = summaries.filter((summary) => summary.state !== "fresh");
  if (!old.length) return null;
  return el("ul", { class: "made-states" }, old.map((summary) => el("li", { class: "notice warn", data: { state: summary.state } }, t("used_" + summary.state, { title: summary.title }))));
}

function coverage(sections) {
  const missing = sections.filter((section) => !section.included);
  if (!sections.length) return null;
  const name = t("coverage", { n: sections.length - missing.length, all: sections.length });
  const row = (section) => el("li", { data: { included: String(section.included) } },
    el("button", { type: "button", class: "link", on: { click: () => go({ key: section.key, doc: documentOf(section.key), passage: null }) } }, section.title),
    section.included ? null : el("span", { class: "quiet" }, " " + t("coverage_without")));
  return el("details", { class: "coverage" }, el("summary", {}, name), el("ul", {}, sections.map(row)));
}

function sides(compared, named) {
  if (!compared.length) return null;
  const name = (index) => (named[index]?.sections.length === 1 ? heading(named[index].sections[0]) : compared[index].asked);
  return el("ul", { class: "made-sides" }, compared.map((side, index) => el("li", { data: { cited: String(side.is_cited) } },
    el("strong", {}, name(index)), " ", el("span", { class: "quiet" }, side.passages.length ? t(side.is_cited ? "side_cited" : "side_uncited", { n: side.passages.length }) : t("side_empty")))));
}
