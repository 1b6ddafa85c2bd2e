// A small picture of a document: its sections side by side, as wide as they are long, with the hits where they fall.

import { el } from "./dom.js";
import { go } from "./route.js";
import { toggleOnly } from "./scope.js";
import { heading } from "./state.js";
import { t } from "./words.js";

const SHARE_TO_NAME = 0.02;

// Start and length of every section's own text in tokens, in reading order; the text before the first heading comes first.
export function measure(outline) {
  const spans = new Map();
  let at = outline.tokens || 0;
  for (const row of outline.sections) {
    const length = Math.max(row.tokens ?? 100, 1);
    spans.set(row.key, { start: at, length });
    at += length;
  }
  return { spans, total: Math.max(at, 1), before: outline.tokens || 0 };
}

// The sections that the strip is cut into: the top level, or the one below where the top level is a single heading.
export function segments(outline) {
  const { spans, total, before } = measure(outline);
  const rows = outline.sections;
  const tops = rows.filter((row) => row.level === 1);
  const level = tops.length === 1 && rows.some((row) => row.level === 2) ? 2 : 1;
  const cuts = rows.filter((row) => row.level === level);
  const first = cuts.length ? spans.get(cuts[0].key).start : total;
  const parts = cuts.map((row, index) => {
    const { start } = spans.get(row.key);
    const end = index + 1 < cuts.length ? spans.get(cuts[index + 1].key).start : total;
    return { row, start: start / total, share: (end - start) / total };
  });
  if (first > 0 && (before || level === 2)) parts.unshift({ row: null, start: 0, share: first / total });
  return parts;
}

// Where in 0..1 each hit stands: hits of one section are spread over its own text.
export function positions(outline, hits) {
  const { spans, total, before } = measure(outline);
  const counts = new Map();
  for (const hit of hits) counts.set(hit.section_key, (counts.get(hit.section_key) || 0) + 1);
  const seen = new Map();
  return hits.map((hit) => {
    const span = spans.get(hit.section_key) || { start: 0, length: before || total * 0.01 };
    const nth = seen.get(hit.section_key) || 0;
    seen.set(hit.section_key, nth + 1);
    return (span.start + (span.length * (nth + 1)) / (counts.get(hit.section_key) + 1)) / total;
  });
}

// "Chapter 4" is "4" here: the strip has no room for the word.
const shortName = (row) => (row.number ? row.number.split(/\s+/).pop() : heading(row));

const part = (share) => (share * 100).toFixed(3) + "%";

export function strip(outline, hits, { currentKey = null, onHit = () => {}, only = [], order = null, strength = null } = {}) {
  const blocks = segments(outline).map(({ row, start, share }) => {
    const name = row ? heading(row) : t("untitled_start");
    const inScope = row && only.some((key) => key === row.key || key.startsWith(row.key + "/"));
    return el("button", {
      type: "button", class: "segment", tabindex: "-1", disabled: !row, title: name, "aria-label": t("segment_at", { title: name }),
      data: { current: String(Boolean(row && currentKey && (currentKey === row.key || currentKey.startsWith(row.key + "/")))), scope: String(Boolean(inScope)) },
      style: { left: part(start), width: part(share) },
      on: { click: () => row && go({ ...toggleOnly(row.key) }) },
    }, share > SHARE_TO_NAME && row ? el("span", {}, shortName(row)) : null);
  });
  const places = positions(outline, hits);
  const ticks = hits.map((hit, index) => {
    const number = order ? order(hit) : index + 1;
    const title = t("hit_at", { n: number, title: hit.title });
    return el("button", { type: "button", class: "tick", tabindex: "-1", title, "aria-label": title, style: { left: part(places[index]), "--strength": String(strength ? strength(hit) : Math.max(0.35, 1 - (number - 1) * 0.06)) }, on: { click: () => onHit(hit) } });
  });
  const span = currentKey ? measure(outline) : null;
  const own = span?.spans.get(currentKey);
  const cursor = own ? el("span", { class: "cursor", "aria-hidden": "true", style: { left: part(own.start / span.total), width: part(Math.max(own.length / span.total, 0.004)) } }) : null;
  return el("div", { class: "strip", role: "group", "aria-label": t("where_hits_fall") }, el("div", { class: "segments" }, blocks), cursor, ticks);
}
