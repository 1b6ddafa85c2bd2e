// Where to search: documents, sections, sections left out. Shown as chips that can be taken away.

import { byId, el, fill, icon } from "./dom.js";
import { go, here } from "./route.js";
import { documentOf, findDocument, get, nameOf, watch } from "./state.js";
import { t } from "./words.js";

// Clicking a section makes it the only one; with `more` it is added; clicking the only one again gives the whole document back.
export function toggleOnly(key, more = false) {
  const { only, without } = here();
  const isOn = only.includes(key);
  const next = isOn ? only.filter((other) => other !== key) : more ? [...only, key] : [key];
  return { only: next, without: without.filter((other) => other !== key), documents: next.length ? [] : [documentOf(key)] };
}

export function toggleWithout(key) {
  const { only, without, documents } = here();
  const isOn = without.includes(key);
  const nowhere = !documents.length && !only.length;
  return {
    without: isOn ? without.filter((other) => other !== key) : [...without, key],
    only: only.filter((other) => other !== key),
    documents: !isOn && nowhere ? [documentOf(key)] : documents,
  };
}

export function dropLast() {
  const { documents, only, without } = here();
  if (without.length) return { without: without.slice(0, -1) };
  if (only.length) return { only: only.slice(0, -1) };
  if (documents.length) return { documents: documents.slice(0, -1) };
  return null;
}

export function scopeName(route) {
  if (route.only.length === 1) return nameOf(route.only[0]);
  if (route.documents.length === 1 && !route.only.length) return findDocument(route.documents[0])?.title || null;
  return null;
}

function chip(kind, word, name, drop) {
  return el("li", { class: "chip", data: { kind } },
    el("span", { class: "chip-word" }, word),
    el("span", { class: "chip-name", title: name }, name),
    el("button", { type: "button", class: "chip-drop", "aria-label": t("scope_remove", { name }), on: { click: () => go(drop) } }, icon("close")),
  );
}

function render() {
  const route = get().route;
  if (!route) return;
  const chips = [
    ...route.documents.map((id) => chip("document", t("scope_in"), findDocument(id)?.title || id, { documents: route.documents.filter((other) => other !== id) })),
    ...route.only.map((key) => chip("only", t("scope_in"), nameOf(key), { only: route.only.filter((other) => other !== key) })),
    ...route.without.map((key) => chip("without", t("scope_not"), nameOf(key), { without: route.without.filter((other) => other !== key) })),
  ];
  const clear = el("button", { type: "button", class: "link small", on: { click: () => go({ documents: [], only: [], without: [] }) } }, t("scope_clear"));
  fill(byId("scope"), chips.length ? el("div", { class: "scope" }, el("ul", { class: "chips", "aria-label": t("scope_label") }, chips), clear) : null);
}

watch(["route", "documents", "outlines", "language"], render);
