// One hit or passage: where it stands, what it says with the words marked, how its heading was found.

import { el } from "./dom.js";
import { badge, pageOf } from "./badges.js";
import { excerpt, marked } from "./marks.js";
import { go } from "./route.js";
import { languageOf, t } from "./words.js";

// "slug/3 Experiments/3.1 Data" without the slug: what stands above the hit's own heading.
export function above(hit) {
  return hit.section_path.split("/").slice(1).map((part) => part.replace(/\u2215/g, "/"));
}

export function openHit(hit) {
  go({ doc: hit.doc_id, key: hit.section_key, passage: hit.id });
}

function place(hit) {
  const parts = above(hit);
  return el("p", { class: "hit-place" },
    el("span", { class: "hit-document" }, hit.doc_title),
    parts.slice(0, -1).map((part) => [el("span", { class: "sep", "aria-hidden": "true" }, "›"), el("span", {}, part)]),
  );
}

export function hitCard(hit, position, query, { number = null } = {}) {
  const open = () => openHit(hit);
  const title = above(hit).at(-1) || hit.title || hit.doc_title;
  const text = el("p", { class: "hit-text", lang: languageOf(hit.content) });
  let whole = false;
  const write = () => {
    const part = whole ? { text: hit.content, before: false, after: false } : excerpt(hit.content, query);
    text.replaceChildren(part.before ? "… " : "", ...marked(part.text, query), part.after ? " …" : "");
    text.classList.toggle("whole", whole);
    return part.before || part.after;
  };
  const isCut = write();
  const more = el("button", { type: "button", class: "link small", on: { click: (event) => { event.stopPropagation(); whole = !whole; write(); more.textContent = t(whole ? "show_less" : "show_more"); } } }, t("show_more"));
  const state = hit.state && ["pending", "stale"].includes(hit.state) ? t("summary_" + hit.state) : null;
  return el("li", { class: "hit", id: "hit-" + position, tabindex: "-1", data: { id: hit.id, position }, on: { keydown: (event) => { if (event.key === "Enter" && event.target.id === "hit-" + position) open(); } } },
    number !== null ? el("span", { class: "hit-number", "aria-hidden": "true" }, String(number)) : null,
    place(hit),
    el(number === null ? "h2" : "h3", { class: "hit-title" }, el("button", { type: "button", class: "link", lang: languageOf(title), on: { click: open } }, marked(title, query))),
    text,
    el("p", { class: "hit-facts" },
      hit.kind !== "chunk" ? el("span", { class: "tag" }, t("kind_" + hit.kind)) : null,
      pageOf(hit) ? el("span", { class: "tag plain" }, pageOf(hit)) : null,
      hit.is_fallback ? el("span", { class: "tag warn", title: t("fallback_explain") }, t("fallback")) : badge(hit.structure_source, hit.structure_confidence, { short: true }),
      state ? el("span", { class: "tag warn" }, state) : null,
      isCut ? more : null,
    ),
  );
}
