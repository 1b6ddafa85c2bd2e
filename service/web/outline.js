// The outline of the open document as a tree that is used with the mouse or the arrow keys (WAI-ARIA tree pattern).

import { byId, el, fill, icon, show } from "./dom.js";
import { levelOf } from "./badges.js";
import { go } from "./route.js";
import { toggleOnly, toggleWithout } from "./scope.js";
import { documentHead } from "./shelf.js";
import { fetchOutline } from "./library.js";
import { findDocument, get, heading, watch } from "./state.js";
import { t } from "./words.js";

let opened = new Set(); // keys of unfolded rows
let shownDocument = null;
let active = null; // key of the row that the arrow keys are at
let words = "";

const parentOf = (key) => key.slice(0, key.lastIndexOf("/"));
const foldable = new WeakMap(); // rows of an outline -> keys of those that have rows below

function hasChildren(rows, key) {
  if (!foldable.has(rows)) foldable.set(rows, new Set(rows.map((entry) => parentOf(entry.key))));
  return foldable.get(rows).has(key);
}

// Rows that can be seen: all matches while heading words are typed, else those whose ancestors are unfolded.
export function visibleRows(rows, unfolded, filter) {
  const needle = filter.trim().toLocaleLowerCase();
  if (needle) return rows.filter((row) => heading(row).toLocaleLowerCase().includes(needle));
  const seen = new Set();
  return rows.filter((row) => {
    const above = parentOf(row.key);
    const visible = row.level === 1 || (seen.has(above) && unfolded.has(above));
    if (visible) seen.add(row.key);
    return visible;
  });
}

// Hits under each key, its subsections' included.
export function hitCounts(hits) {
  const counts = new Map();
  for (const { section_key: key } of hits || []) {
    const parts = key.split("/");
    for (let length = 2; length <= parts.length; length += 1) {
      const above = parts.slice(0, length).join("/");
      counts.set(above, (counts.get(above) || 0) + 1);
    }
  }
  return counts;
}

function unfoldTo(key) {
  for (let above = parentOf(key); above.includes("/"); above = parentOf(above)) opened.add(above);
}

function row(entry, rows, counts, route) {
  const folds = hasChildren(rows, entry.key) && !words;
  const hits = counts.get(entry.key) || 0;
  const name = heading(entry);
  const level = levelOf(entry.source, entry.confidence);
  return el("li", {
    role: "treeitem", id: "row-" + entry.key, class: "row", tabindex: entry.key === active ? "0" : "-1",
    "aria-level": words ? 1 : entry.level, "aria-expanded": folds ? String(opened.has(entry.key)) : null,
    "aria-selected": String(route.only.includes(entry.key)),
    title: t("explain_" + entry.source),
    data: { key: entry.key, here: String(route.key === entry.key), excluded: String(route.without.includes(entry.key)), level },
    style: { "--depth": String(words ? 0 : entry.level - 1) },
  },
    folds ? el("span", { class: "twist", "aria-hidden": "true", data: { twist: "" } }, icon("chevron")) : el("span", { class: "twist" }),
    el("span", { class: "row-name" }, name),
    hits ? el("span", { class: "row-hits", title: t("outline_hits", { n: hits }) }, String(hits)) : null,
    entry.page ? el("span", { class: "row-page" }, String(entry.page)) : null,
    el("button", { type: "button", class: "row-not", tabindex: "-1", title: t("exclude"), "aria-label": t("exclude"), data: { not: "" } }, icon("minus")),
  );
}

function choose(key, more) {
  go({ ...toggleOnly(key, more), doc: key.split("/")[0], key, passage: null });
}

function fold(key, unfold) {
  if (unfold) opened.add(key);
  else opened.delete(key);
  renderTree();
}

function onClick(event) {
  const item = event.target.closest("[role=treeitem]");
  if (!item) return;
  const { key } = item.dataset;
  active = key;
  if (event.target.closest("[data-twist]")) fold(key, !opened.has(key));
  else if (event.target.closest("[data-not]")) go(toggleWithout(key));
  else choose(key, event.ctrlKey || event.metaKey);
}

function onKey(event) {
  const item = event.target.closest("[role=treeitem]");
  if (!item || event.altKey || event.ctrlKey || event.metaKey) return;
  const items = [...item.parentElement.children];
  const at = items.indexOf(item);
  const { key } = item.dataset;
  const expanded = item.getAttribute("aria-expanded");
  const moves = {
    ArrowDown: () => focusRow(items[at + 1]?.dataset.key),
    ArrowUp: () => focusRow(items[at - 1]?.dataset.key),
    Home: () => focusRow(items[0].dataset.key),
    End: () => focusRow(items[items.length - 1].dataset.key),
    ArrowRight: () => (expanded === "false" ? fold(key, true) : expanded === "true" ? focusRow(items[at + 1]?.dataset.key) : null),
    ArrowLeft: () => (expanded === "true" ? fold(key, false) : focusRow(parentOf(key))),
    Enter: () => choose(key, event.shiftKey),
    " ": () => choose(key, event.shiftKey),
    "-": () => go(toggleWithout(key)),
    Delete: () => go(toggleWithout(key)),
  };
  if (!(event.key in moves)) return;
  event.preventDefault();
  event.stopPropagation();
  active = key;
  moves[event.key]();
}

function focusRow(key) {
  const next = key && document.getElementById("row-" + key);
  if (!next) return;
  document.getElementById("row-" + active)?.setAttribute("tabindex", "-1");
  active = key;
  next.setAttribute("tabindex", "0");
  next.focus();
}

function renderTree() {
  const { route, outlines, run } = get();
  const tree = byId("tree");
  const outline = outlines.get(shownDocument);
  if (!tree || !outline) return;
  const focused = document.activeElement?.closest?.("[role=treeitem]") !== null && tree.contains(document.activeElement);
  const rows = outline.sections;
  const visible = visibleRows(rows, opened, words);
  if (!visible.some((entry) => entry.key === active)) active = visible[0]?.key || null;
  const counts = hitCounts(run?.hits);
  fill(tree, visible.map((entry) => row(entry, rows, counts, route)));
  byId("tree-empty").hidden = visible.length > 0;
  if (focused && active) document.getElementById("row-" + active)?.focus();
}

function foldButtons(rows) {
  const all = () => { opened = new Set(rows.map((entry) => entry.key)); renderTree(); };
  const none = () => { opened = new Set(); renderTree(); };
  return [
    el("button", { type: "button", class: "link small", on: { click: all } }, t("expand_all")),
    el("button", { type: "button", class: "link small", on: { click: none } }, t("collapse_all")),
  ];
}

function renderFrame(openDocument, outline) {
  const region = byId("outline");
  const rows = outline?.sections || [];
  const filter = el("input", { type: "search", class: "small-field", placeholder: t("outline_find"), "aria-label": t("outline_find"), on: { input: (event) => { words = event.target.value; renderTree(); } } });
  const deep = rows.some((entry) => entry.level > 1);
  fill(region,
    documentHead(openDocument),
    !outline ? el("p", { class: "quiet" }, t("loading")) : !rows.length ? el("p", { class: "quiet" }, t("outline_none")) : [
      el("div", { class: "tree-tools" }, rows.length > 8 ? filter : null, deep ? el("div", { class: "tree-folds" }, foldButtons(rows)) : null),
      el("ul", { id: "tree", class: "tree", role: "tree", "aria-multiselectable": "true", "aria-label": t("outline_label", { title: openDocument.title }), on: { click: onClick, keydown: onKey } }),
      el("p", { id: "tree-empty", class: "quiet", hidden: true }, t("outline_no_match")),
      el("p", { class: "quiet tip" }, t("outline_tip")),
    ],
  );
}

function firstUnfolded(rows) {
  const tops = rows.filter((entry) => entry.level === 1);
  return rows.length <= 24 ? rows.map((entry) => entry.key) : tops.length === 1 ? [tops[0].key] : [];
}

let drawn = ""; // what the frame was drawn for; the tree inside changes more often

function render({ route, outlines, documents }) {
  const id = route?.doc;
  const openDocument = id && findDocument(id);
  if (!openDocument) {
    shownDocument = null;
    drawn = "";
    fill(byId("outline"), id && documents ? el("p", { class: "quiet" }, t("error_not_found")) : null);
    return;
  }
  const outline = outlines.get(id);
  if (id !== shownDocument) {
    shownDocument = id;
    words = "";
    active = null;
    opened = new Set();
  }
  const frame = [id, openDocument.revision, Boolean(outline), document.documentElement.lang, get().status?.may_write].join(" ");
  if (frame !== drawn) {
    if (outline && opened.size === 0) opened = new Set(firstUnfolded(outline.sections));
    renderFrame(openDocument, outline);
    drawn = frame;
  }
  if (route.key && route.key !== id) unfoldTo(route.key);
  renderTree();
  const place = document.querySelector('.row[data-here="true"]');
  if (place && !byId("tree").contains(document.activeElement)) show(place, "nearest");
  if (!outline) fetchOutline(id).catch(() => null);
}

watch(["route", "outlines", "documents", "language", "status", "run"], render);
