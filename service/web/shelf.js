// The shelf: every document with its format, size, and how its structure was found.

import { byId, el, fill, icon } from "./dom.js";
import { badge } from "./badges.js";
import { confirmDelete } from "./dialogs.js";
import { fetchShelf, forgetOutline } from "./library.js";
import { go } from "./route.js";
import { get, watch } from "./state.js";
import { pickFiles } from "./uploads.js";
import { since, t } from "./words.js";

const SHORT = { markdown: "md", text: "txt", restructuredtext: "rst" };

export function facts(document) {
  return [
    document.pages ? t("pages", { n: document.pages }) : null,
    document.sections ? t("sections", { n: document.sections }) : t("no_sections"),
  ].filter(Boolean).join(" · ");
}

function card(document, single) {
  const open = () => go({ doc: document.doc_id, key: null, passage: null, documents: [document.doc_id], only: [], without: [] });
  return el("li", {},
    el("button", { type: "button", class: "card", data: { doc: document.doc_id }, on: { click: open } },
      el("span", { class: "format", "aria-hidden": "true" }, SHORT[document.format] || document.format),
      el("span", { class: "card-title", title: document.source }, document.title),
      el("span", { class: "card-facts" }, facts(document)),
      badge(document.structure_source, document.structure_confidence ?? 0),
      !single ? el("span", { class: "card-collection" }, t("collection", { name: document.collection })) : null,
    ),
  );
}

function render() {
  const { documents, route, status, shelfError } = get();
  const region = byId("shelf");
  if (route?.doc) return fill(region);
  if (documents === null) return fill(region, el("p", { class: "quiet" }, t("shelf_loading")));
  const single = new Set(documents.map((document) => document.collection)).size <= 1;
  const addButton = status?.may_write && documents.length
    ? el("button", { type: "button", class: "button small", on: { click: pickFiles } }, icon("plus"), t("add"))
    : null;
  return fill(region,
    el("div", { class: "pane-head" }, el("h2", {}, t("shelf")), documents.length ? el("span", { class: "count" }, String(documents.length)) : null, addButton),
    shelfError ? el("div", { class: "notice bad" }, el("p", {}, shelfError), el("button", { type: "button", class: "link", on: { click: fetchShelf } }, t("try_again"))) : null,
    documents.length ? el("ul", { class: "shelf" }, documents.map((document) => card(document, single))) : !shelfError ? el("p", { class: "quiet" }, t("shelf_empty")) : null,
  );
}

// The head of an open document: back to the shelf, what it is, delete.
export function documentHead(document) {
  const back = el("button", { type: "button", class: "link back", on: { click: () => go({ doc: null, key: null, passage: null, documents: [], only: [], without: [] }) } }, icon("back"), t("all_documents"));
  const remove = get().status?.may_write
    ? el("button", { type: "button", class: "link small danger-link", on: { click: () => confirmDelete(document, () => removed(document)) } }, t("delete_document"))
    : null;
  return el("header", { class: "open-document" },
    back,
    el("h2", { class: "open-title" }, document.title),
    el("p", { class: "card-facts" }, [document.format.toUpperCase(), facts(document), document.ingested_at ? t("added_on", { date: since(document.ingested_at) }) : null].filter(Boolean).join(" · ")),
    el("div", { class: "open-tools" }, badge(document.structure_source, document.structure_confidence ?? 0), remove),
    document.warnings?.length ? el("ul", { class: "warnings" }, document.warnings.map((warning) => el("li", {}, warning))) : null,
  );
}

async function removed(document) {
  forgetOutline(document.doc_id);
  go({ doc: null, key: null, passage: null, documents: [], only: [], without: [] });
  await fetchShelf();
}

watch(["documents", "route", "status", "shelfError", "language"], render);
