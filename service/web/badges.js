// How a heading was found and how sure that is, in words and as a small meter.

import { el } from "./dom.js";
import { percent, t } from "./words.js";

export function badge(source, confidence, { short = false } = {}) {
  const found = source && source !== "none";
  const words = t("source_" + (source || "none"));
  const sure = found ? t("sure", { percent: percent(confidence) }) : "";
  const title = t("explain_" + (source || "none")) + (sure ? " " + sure : "");
  return el("span", { class: "badge", title, data: { level: levelOf(source, confidence) } },
    el("span", { class: "badge-meter", "aria-hidden": "true" }, el("span", { style: { width: percent(found ? confidence : 0).replace(" ", "") } })),
    el("span", {}, words),
    found && !short ? el("span", { class: "badge-sure" }, percent(confidence)) : null,
  );
}

export function levelOf(source, confidence) {
  if (!source || source === "none") return "none";
  return confidence >= 0.9 ? "high" : confidence >= 0.7 ? "middle" : "low";
}

// The share of headings that each kind of evidence found, largest first.
export function shares(sections) {
  const counts = new Map();
  for (const { source } of sections) counts.set(source, (counts.get(source) || 0) + 1);
  return [...counts].map(([source, count]) => ({ source, share: count / sections.length })).sort((a, b) => b.share - a.share);
}

export function pageOf({ page_start: start, page_end: end }) {
  if (!start) return "";
  return end && end !== start ? t("page_range", { page: String(start), end: String(end) }) : t("page_short", { page: String(start) });
}
