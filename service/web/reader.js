// The reading pane: a section with all below it, the passage that was followed marked, and its place in the document.

import { byId, el, fill, icon, show } from "./dom.js";
import { call, inWords, path } from "./api.js";
import { badge, pageOf } from "./badges.js";
import { terms } from "./marks.js";
import { prose } from "./prose.js";
import { go } from "./route.js";
import { toggleOnly, toggleWithout } from "./scope.js";
import { fetchOutline } from "./library.js";
import { findDocument, get, heading, set, trail, watch } from "./state.js";
import { strip } from "./strip.js";
import { summaryPanel } from "./summary.js";
import { languageOf, t } from "./words.js";

const PAGES_TO_A_PASSAGE = 20;
let wanted = null;

const placeOf = (route) => (route?.key ? route.key + " " + (route.passage || "") : null);
const addressOf = (key, after) => path("documents", key.split("/")[0], "sections", key) + (after === null ? "" : "?after=" + after);

async function fetchSection(route) {
  const place = placeOf(route);
  wanted = place;
  const { section } = get();
  if (section?.key === route.key && section.reply) return set({ section: { ...section, passage: route.passage, arrived: false } });
  set({ section: { key: route.key, passage: route.passage, reply: null, error: null, arrived: false } });
  try {
    const outline = fetchOutline(route.doc).catch(() => null); // crumbs and strip need it, the text does not
    let reply = await call("GET", addressOf(route.key, null));
    for (let page = 0; page < PAGES_TO_A_PASSAGE && reply.more !== null && route.passage && !holds(reply, route.passage); page += 1) {
      reply = joined(reply, await call("GET", addressOf(route.key, reply.more)));
    }
    await outline;
    if (wanted === place) set({ section: { key: route.key, passage: route.passage, reply, error: null, arrived: false } });
  } catch (error) {
    if (wanted === place) set({ section: { key: route.key, passage: route.passage, reply: null, error: inWords(error), arrived: false } });
  }
  return null;
}

const holds = (reply, id) => reply.sections.some((section) => section.passages.some((passage) => passage.id === id));

// Two pages of one branch as one; the section that was cut between them is whole again.
export function joined(first, second) {
  const sections = first.sections.map((section) => ({ ...section, passages: [...section.passages] }));
  for (const section of second.sections) {
    const last = sections[sections.length - 1];
    if (last?.key === section.key) last.passages.push(...section.passages);
    else sections.push(section);
  }
  return { ...first, sections, more: second.more };
}

async function readOn() {
  const { section } = get();
  try {
    const next = await call("GET", addressOf(section.key, section.reply.more));
    if (get().section.key === section.key) set({ section: { ...get().section, reply: joined(section.reply, next), arrived: true } });
  } catch (error) {
    set({ section: { ...section, error: inWords(error) } });
  }
}

export function toggleSummary() {
  const { route, section } = get();
  if (section?.reply) go({ view: route.view ? "" : "summary", passage: null });
}

export function step(direction) {
  const reply = get().section?.reply;
  const key = direction < 0 ? reply?.previous : reply?.next;
  if (key) go({ doc: key.split("/")[0], key, passage: null });
}

function crumbs(reply, key) {
  const parts = trail(key);
  const link = (name, target) => el("li", {}, el("button", { type: "button", class: "link", on: { click: () => go({ key: target, doc: target.split("/")[0], passage: null }) } }, name));
  return el("ol", { class: "crumbs" }, link(reply.doc_title, reply.doc_id), parts.slice(0, -1).map((row) => link(heading(row), row.key)));
}

function bar(reply, route) {
  const on = route.only.includes(route.key);
  const off = route.without.includes(route.key);
  const isRoot = route.key === reply.doc_id;
  const scopeButton = isRoot ? null : el("button", { type: "button", class: "button small", "aria-pressed": String(on), on: { click: () => go(toggleOnly(route.key)) } }, t("only_here"));
  const withoutButton = isRoot ? null : el("button", { type: "button", class: "button small without", "aria-pressed": String(off), title: t("exclude"), on: { click: () => go(toggleWithout(route.key)) } }, t("leave_out"));
  const arrow = (name, target, direction) => el("button", { type: "button", class: "tool icon", disabled: !target, title: t(name), "aria-label": t(name), on: { click: () => step(direction) } }, icon(direction < 0 ? "back" : "forward"));
  const summaryButton = el("button", { type: "button", class: "button small summary-toggle", "aria-pressed": String(route.view === "summary"), title: "s", on: { click: toggleSummary } }, t("summary"));
  return el("div", { class: "reader-bar" }, summaryButton, scopeButton, withoutButton, el("span", { class: "spacer" }), arrow("previous_section", reply.previous, -1), arrow("next_section", reply.next, 1),
    el("button", { type: "button", class: "tool icon", "aria-label": t("close"), title: t("close"), on: { click: () => go({ key: null, passage: null }) } }, icon("close")));
}

function passageNode(passage, section, query, passageId) {
  const isTarget = passage.id === passageId;
  return el("div", { class: "passage", id: "passage-" + passage.id, lang: languageOf(passage.content), tabindex: isTarget ? "-1" : null, data: { target: String(isTarget) }, "aria-label": isTarget ? t("the_passage") : null, role: isTarget ? "region" : null },
    passage.is_fallback ? el("p", { class: "tag warn", title: t("fallback_explain") }, t("fallback")) : null,
    passage.page_start && passage.page_start !== section.page ? el("span", { class: "folio", title: pageOf(passage) }, String(passage.page_start)) : null,
    prose(passage.content, query, isTarget ? quoteOf(passage.id) : ""));
}

// The words that an answer cites from this passage, when one does.
function quoteOf(id) {
  return get().run?.reply?.citations?.find((citation) => citation.id === id)?.quote || "";
}

function sectionNode(section, top, query, passageId) {
  const depth = Math.min(4, Math.max(0, section.level - top) + 1);
  const level = Math.min(6, depth + 1);
  const name = heading(section);
  return el("section", { class: "read-section", data: { depth } },
    el("h" + level, { class: "read-heading", lang: languageOf(name) }, name),
    el("p", { class: "read-facts" }, section.page ? el("span", { class: "tag plain" }, t("page_short", { page: String(section.page) })) : null, badge(section.source, section.confidence, { short: depth > 1 })),
    section.passages.map((passage) => passageNode(passage, section, query, passageId)));
}

function head(section, route, run, outlines) {
  const { reply } = section;
  const outline = outlines.get(reply.doc_id);
  const hits = (run?.hits || []).filter((hit) => hit.doc_id === reply.doc_id);
  const toHit = (hit) => go({ key: hit.section_key, passage: hit.id });
  return el("header", { class: "reader-head" }, bar(reply, route), crumbs(reply, route.key), outline?.sections.length ? strip(outline, hits, { currentKey: route.key, only: route.only, onHit: toHit }) : null);
}

function text(section, query, view) {
  const { reply } = section;
  if (view === "summary") return el("article", { class: "read" }, el("h1", { class: "read-heading", lang: languageOf(reply.sections[0].title) }, heading(reply.sections[0])), summaryPanel(section.key));
  const nothing = reply.sections.every((part) => !part.passages.length);
  const top = reply.sections[0]?.level ?? 1;
  return [
    el("article", { class: "read" }, reply.sections.map((part) => sectionNode(part, top, query, section.passage)), nothing ? el("p", { class: "quiet" }, t("no_text_here")) : null,
      reply.more !== null ? el("button", { type: "button", class: "button read-on", on: { click: readOn } }, t("read_on")) : null),
    el("nav", { class: "reader-foot", "aria-label": t("reading") }, [[reply.previous, "previous", -1], [reply.next, "next", 1]].map(([key, word, direction]) => (key ? el("button", { type: "button", class: "turn", data: { direction }, on: { click: () => step(direction) } }, el("span", { class: "label" }, t(word)), el("span", {}, turnName(key))) : el("span")))),
  ];
}

let drawn = []; // what the text was drawn for; while it is the same only the head is drawn anew, so that reading is not disturbed

function render({ section, route, run, outlines }) {
  const region = byId("reader");
  const columns = byId("columns");
  columns.toggleAttribute("data-reading", Boolean(route?.key));
  columns.toggleAttribute("data-found", Boolean(run));
  const note = !route?.key ? el("p", { class: "reader-empty quiet" }, t("reader_hint"))
    : section?.error ? el("div", { class: "notice bad reader-note" }, el("p", {}, section.error))
      : section?.key !== route.key || !section.reply ? el("p", { class: "quiet busy reader-note" }, t("loading")) : null;
  if (note) {
    drawn = [];
    fill(region, note);
    return;
  }
  const wordsNow = [section.reply, section.passage, route.view, run?.query || "", quoteOf(section.passage), document.documentElement.lang];
  if (wordsNow.every((value, index) => value === drawn[index])) {
    region.querySelector(".reader-head").replaceWith(head(section, route, run, outlines));
  } else {
    drawn = wordsNow;
    const at = region.scrollTop;
    fill(region, head(section, route, run, outlines), text(section, terms(run?.query || ""), route.view));
    region.scrollTop = at;
  }
  if (!section.arrived) arrive(section, region);
}

function turnName(key) {
  const row = trail(key).at(-1);
  return row ? heading(row) : findDocument(key)?.title || "";
}

function arrive(section, region) {
  section.arrived = true;
  const target = section.passage && document.getElementById("passage-" + section.passage);
  if (target) {
    const quote = target.querySelector("mark.quote");
    const tall = target.offsetHeight > region.clientHeight / 2;
    show(quote || target, tall && !quote ? "start" : "center");
    target.focus({ preventScroll: true });
  }
  else region.scrollTop = 0;
}

let lastPlace = null;
watch(["route"], ({ route }) => {
  const place = placeOf(route);
  if (place && place !== lastPlace) fetchSection(route);
  if (!place) set({ section: null });
  lastPlace = place;
});
watch(["section", "route", "outlines", "run", "language"], render);
