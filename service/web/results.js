// The middle column: welcome, a document at a glance, or what a search or question found.

import { byId, el, fill, icon, show } from "./dom.js";
import { answerBlock } from "./answer.js";
import { badge, shares } from "./badges.js";
import { hitCard } from "./hits.js";
import { terms } from "./marks.js";
import { go } from "./route.js";
import { again } from "./running.js";
import { fetchOutline } from "./library.js";
import { degradedNote, nearestList, understood } from "./intent.js";
import { facts } from "./shelf.js";
import { findDocument, heading, watch } from "./state.js";
import { strip } from "./strip.js";
import { collectionKey, summaryPanel } from "./summary.js";
import { pickFiles } from "./uploads.js";
import { askForKey } from "./dialogs.js";
import { bytes, format, percent, t } from "./words.js";

const STRIPS = 5;

const FAMILIES = { docx: "Word", docm: "Word", dotx: "Word", dotm: "Word", pdf: "PDF", md: "Markdown", markdown: "Markdown", mdown: "Markdown", mkd: "Markdown", html: "HTML", htm: "HTML", xhtml: "HTML", epub: "EPUB", rst: "reStructuredText", rest: "reStructuredText", txt: "text", text: "text", log: "text" };

// Suffixes as kinds of files; a kind that is not known here is called by its suffix.
function families(suffixes) {
  return [...new Set(suffixes.map((suffix) => suffix.slice(1)).map((suffix) => FAMILIES[suffix] || suffix))].join(", ");
}

function welcome({ status, documents }) {
  const empty = documents !== null && !documents.length;
  const formats = families(status?.formats || []);
  const adding = status?.may_write
    ? [
      el("button", { type: "button", class: "drop-zone", on: { click: pickFiles } }, icon("upload"), el("strong", {}, t("choose_files")), el("span", {}, t("drop_hint")),
        formats ? el("span", { class: "quiet" }, t("formats_line", { formats, size: bytes(status.upload_max_bytes) })) : null),
    ]
    : status ? [el("p", { class: "quiet" }, t("welcome_readonly")), el("button", { type: "button", class: "button", on: { click: askForKey } }, t("owner_key"))] : [];
  return el("div", { class: "welcome" }, el("h1", {}, t("welcome_title")), el("p", { class: "lead" }, t("welcome_text")), adding, empty ? null : el("p", { class: "quiet" }, t("ask_first")), shelves(documents || []));
}

// The overview of each collection that has several documents, made or fetched when it is unfolded.
const unfolded = new Set();
function shelves(documents) {
  const counts = new Map();
  for (const { collection } of documents) counts.set(collection, (counts.get(collection) || 0) + 1);
  return [...counts].filter(([, count]) => count > 1).map(([name, count]) => {
    const holder = el("div", {}, unfolded.has(name) ? summaryPanel(collectionKey(name)) : null);
    const toggle = (event) => {
      if (!event.target.open) unfolded.delete(name);
      else if (!unfolded.has(name)) { unfolded.add(name); fill(holder, summaryPanel(collectionKey(name))); }
    };
    return el("details", { class: "collection-overview", open: unfolded.has(name), on: { toggle } }, el("summary", {}, t("overview_of", { name, n: count })), holder);
  });
}

function glance(document, outline) {
  const rows = outline?.sections || [];
  const tops = rows.filter((row) => row.level === 1);
  const only = tops.length === 1 ? rows.filter((row) => row.level === 2) : tops;
  return el("div", { class: "glance" },
    el("h1", {}, document.title),
    el("p", { class: "lead-facts" }, [facts(document), t("chunks", { n: document.chunks })].join(" · ")),
    summaryPanel(document.doc_id),
    outline && rows.length ? [
      strip(outline, []),
      el("div", { class: "provenance" }, el("span", { class: "label" }, t("structure")), el("ul", {}, shares(rows).map(({ source, share }) => el("li", { title: t("explain_" + source) }, el("strong", {}, percent(share)), " ", t("source_" + source))))),
      el("ol", { class: "chapters" }, only.slice(0, 60).map((row) => el("li", {},
        el("button", { type: "button", class: "link", on: { click: () => go({ key: row.key, doc: document.doc_id, passage: null }) } }, heading(row)),
        row.page ? el("span", { class: "dots", "aria-hidden": "true" }) : null, row.page ? el("span", { class: "chapter-page" }, String(row.page)) : null))),
    ] : badge(document.structure_source, document.structure_confidence ?? 0),
    el("p", {}, el("button", { type: "button", class: "button", on: { click: () => go({ key: document.doc_id, doc: document.doc_id, passage: null }) } }, t("read_from_start"))),
  );
}

function overview(run, outlines, route) {
  const order = new Map(run.hits.map((hit, index) => [hit.id, hit.n ?? index + 1]));
  const cited = new Set((run.reply?.citations || []).map((citation) => citation.n));
  const strength = cited.size ? (hit) => (cited.has(hit.n) ? 1 : 0.28) : null; // of an answer, what it stands on stands out
  const ids = [...new Set(run.hits.map((hit) => hit.doc_id))];
  const rows = ids.slice(0, STRIPS).map((id) => {
    const outline = outlines.get(id);
    if (!outline) { fetchOutline(id).catch(() => null); return null; }
    if (!outline.sections.length) return null;
    const toHit = (hit) => { const node = document.querySelector(`.hit[data-id="${CSS.escape(hit.id)}"]`); if (node) { node.closest("details")?.setAttribute("open", ""); show(node); node.focus({ preventScroll: true }); } };
    return el("li", {}, el("span", { class: "strip-name" }, findDocument(id)?.title || outline.title), strip(outline, run.hits.filter((hit) => hit.doc_id === id), { onHit: toHit, only: route.only, order: (hit) => order.get(hit.id), strength }));
  }).filter(Boolean);
  const rest = ids.length - STRIPS;
  return rows.length ? el("section", { class: "overview" }, el("h2", { class: "label" }, t("where_hits_fall")), el("ul", {}, rows), rest > 0 ? el("p", { class: "quiet" }, t("more_documents", { n: rest })) : null) : null;
}

function found(run, query, route) {
  const { reply } = run;
  if (!reply) return el("p", { class: "quiet busy" }, t("searching"));
  if (!reply.hits.length) {
    return el("section", { class: "nothing" }, el("h1", {}, t("no_hits")), reply.reason ? el("p", {}, t("reason_" + reply.reason)) : null, el("p", { class: "quiet" }, t("advice_" + (reply.reason || "no_match"))), nearestList(reply.nearest));
  }
  return [
    el("h1", { class: "unseen" }, t("results")),
    el("p", { class: "summary-line" }, el("strong", {}, t("hits", { n: reply.hits.length })), el("span", { class: "quiet" }, t("took", { ms: format(Math.round(reply.took_ms.total)) }))),
    understood(reply.intent, route),
    degradedNote(reply.degraded),
    el("ol", { class: "hits", role: "list" }, reply.hits.map((hit, index) => hitCard(hit, index + 1, query))),
  ];
}

function render({ route, run, outlines, documents, status }) {
  if (!route) return;
  const body = byId("results-body");
  if (!run) {
    const opened = route.doc && findDocument(route.doc);
    fill(body, opened ? glance(opened, outlines.get(route.doc)) : welcome({ status, documents }));
    return;
  }
  const query = terms(run.query);
  const failed = run.error ? el("div", { class: "notice bad" }, el("p", {}, run.error), el("button", { type: "button", class: "link", on: { click: again } }, t("try_again"))) : null;
  fill(body, failed, run.mode === "ask" ? answerBlock(run, query, route, () => overview(run, outlines, route)) : [run.hits.length ? overview(run, outlines, route) : null, failed ? null : found(run, query, route)]);
}

watch(["route", "run", "outlines", "documents", "status", "language"], render);
