// How a summary looks: its text, its state, what went into it as a picture, what is missing, and how else it may be had.

import { el, fill, icon } from "./dom.js";
import { stretches } from "./answer.js";
import { go } from "./route.js";
import { get } from "./state.js";
import { format, language, languageOf, percent, since, t } from "./words.js";

const BANDS = 240; // a picture of at most about so many parts, however many sections there are
const POINTS_SHOWN = 8;
const LENGTHS = [["", "length_usual"], ["100", "length_short"], ["300", "length_middle"], ["1200", "length_long"]];
const LANGUAGES = [["", "language_own"], ["en", "language_en"], ["zh", "language_zh"]];
const parts = new WeakMap(); // panel -> the nodes of its parts

// Neighbouring sections together until they are wide enough to see; what is not included always stands alone.
export function bands(sections, most = BANDS) {
  const total = Math.max(1, sections.reduce((sum, row) => sum + row.tokens, 0));
  const found = [];
  for (const row of sections) {
    if (!row.tokens) continue;
    const last = found.at(-1);
    if (last && last.included && row.included && last.tokens + row.tokens <= total / most) {
      last.tokens += row.tokens;
      last.more += 1;
    } else found.push({ key: row.key, title: row.title, tokens: row.tokens, included: row.included, error: row.error, more: 0 });
  }
  return found.map((band) => ({ ...band, share: band.tokens / total }));
}

// The rows of a collection are documents.
const openRow = (panel, key) => (panel.isCollection ? go({ doc: key, key: null, passage: null, documents: [key], only: [], without: [], view: "" }) : go({ doc: key.split("/")[0], key, passage: null, view: "" }));

function picture(panel, reply) {
  const { share, sections } = reply.coverage;
  const out = sections.filter((row) => !row.included);
  const words = t(out.length ? "covers_not_all" : "covers_all", { share: percent(share), n: out.length });
  const blocks = bands(sections).map((band) => {
    const name = band.more ? t("band_more", { title: band.title, n: band.more }) : band.title;
    const title = band.included ? name : name + " – " + (band.error || t("not_included"));
    return el("button", { type: "button", class: "band", tabindex: band.included ? "-1" : null, title, "aria-label": title, data: { included: String(band.included) }, style: { "flex-grow": String(band.tokens) }, on: { click: () => openRow(panel, band.key) } });
  });
  return el("section", { class: "covered" },
    el("h3", { class: "label" }, words),
    blocks.length > 1 ? el("div", { class: "bands", role: "group", "aria-label": words }, blocks) : null,
    out.length ? el("ul", { class: "left-out" }, out.slice(0, POINTS_SHOWN).map((row) => el("li", {}, el("button", { type: "button", class: "link", on: { click: () => openRow(panel, row.key) } }, row.title), el("span", { class: "quiet" }, row.error)))) : null,
    out.length > POINTS_SHOWN ? el("p", { class: "quiet" }, t("and_more", { n: out.length - POINTS_SHOWN })) : null);
}

// The value within its sentence stands out.
function pointed(sentence, value) {
  const at = value ? sentence.toLowerCase().indexOf(value.toLowerCase()) : -1;
  return at < 0 ? [sentence] : [sentence.slice(0, at), el("strong", {}, sentence.slice(at, at + value.length)), sentence.slice(at + value.length)];
}

function checks(panel, reply) {
  const doubted = reply.faults.length ? el("details", { class: "check", open: true, data: { kind: "fault" } },
    el("summary", {}, t("unsupported_count", { n: reply.faults.length })),
    el("ul", {}, reply.faults.map((fault) => el("li", {}, el("p", { lang: languageOf(fault.sentence) }, pointed(fault.sentence, fault.value)), el("p", { class: "quiet" }, t("fault_" + fault.reason)))))) : null;
  const once = reply.missing.filter((point, index) => point.sentence !== reply.missing[index - 1]?.sentence); // a sentence may hold several
  const shown = once.slice(0, POINTS_SHOWN * 4);
  const lost = reply.missing_total ? el("details", { class: "check", data: { kind: "missing" } },
    el("summary", {}, t("missing_count", { n: reply.missing_total })),
    el("ul", {}, shown.map((point, index) => el("li", {}, point.key === shown[index - 1]?.key ? null : el("button", { type: "button", class: "link small", on: { click: () => openRow(panel, point.key) } }, point.title), el("p", { lang: languageOf(point.sentence) }, pointed(point.sentence, point.value))))),
    once.length > shown.length || reply.missing_total > reply.missing.length ? el("p", { class: "quiet" }, t("and_further")) : null) : null;
  return [doubted, lost];
}

function text(reply) {
  if (!reply.summary) return el("p", { class: "quiet" }, t("summary_none"));
  return el("div", { class: "summary-text", lang: languageOf(reply.summary) }, reply.summary.split(/\n+/).filter((line) => line.trim()).map((line) => el("p", {},
    stretches(line, reply.unsupported).map((part) => (part.supported ? part.words : el("span", { class: "unsupported", title: t("unsupported_source") }, part.words))))));
}

function facts(reply) {
  const model = get().status?.model || t("language_model");
  const how = { llm: t("made_llm", { model }), extractive: t("made_extractive"), verbatim: t("made_verbatim"), mixed: t("made_mixed") }[reply.mode];
  return [how, reply.from_parts ? t("made_from_parts") : null, reply.made_at ? t("made_on", { date: since(reply.made_at) }) : null].filter(Boolean).join(" · ");
}

function stateBadge(reply) {
  return el("span", { class: "state", data: { state: reply.state }, title: t("state_explain_" + reply.state) }, t("state_" + reply.state));
}

function waiting(panel) {
  const known = panel.job?.total > 0;
  const share = known ? panel.job.done / panel.job.total : 0;
  const words = !panel.job ? t(Object.keys(panel.wish).length ? "summary_writing" : "summary_loading") : panel.job.state === "queued" ? t("stage_queued") : t("stage_summarising") + (known ? " – " + t("of", { done: panel.job.done, total: panel.job.total }) : "");
  return el("div", { class: "summary-busy", role: "status" },
    el("p", { class: "quiet busy" }, words, el("span", { class: "elapsed" })),
    panel.job ? el("div", { class: "bar", role: "progressbar", "aria-label": t("stage_summarising"), "aria-valuemin": 0, "aria-valuemax": 100, "aria-valuenow": known ? Math.round(share * 100) : null, data: { known: String(known) } }, el("span", { style: { width: known ? Math.max(2, share * 100) + "%" : "30%" } })) : null);
}

// The seconds that a long call takes so far.
export function tick(panel) {
  const node = panel.node?.querySelector(".elapsed");
  const seconds = panel.since === null ? 0 : Math.round((performance.now() - panel.since) / 1000);
  if (node && seconds > 1) node.textContent = " " + t("elapsed", { n: seconds });
}

const options = (pairs, chosen) => pairs.map(([value, word]) => el("option", { value, selected: value === chosen }, t(word)));

function form(panel, acts) {
  const hasModel = Boolean(get().status?.model);
  const style = el("input", { type: "text", name: "style", class: "small-field", maxlength: "500", value: panel.wish.style || "", placeholder: t("style_hint"), "aria-label": t("style_label"), disabled: !hasModel });
  const length = el("select", { name: "length", class: "small-field", "aria-label": t("length_label") }, options(LENGTHS, panel.wish.length || ""));
  const tongue = el("select", { name: "language", class: "small-field", "aria-label": t("language_label"), disabled: !hasModel }, options(LANGUAGES, panel.wish.language || ""));
  const submit = (event) => {
    event.preventDefault();
    const wish = Object.fromEntries([["style", style.value.trim()], ["length", length.value], ["language", tongue.value]].filter(([, value]) => value));
    acts.wish(panel, wish);
  };
  return el("form", { class: "wish", on: { submit } },
    el("label", { class: "wish-style" }, el("span", { class: "label" }, t("style_label")), style),
    el("label", {}, el("span", { class: "label" }, t("length_label")), length),
    el("label", {}, el("span", { class: "label" }, t("language_label")), tongue),
    el("button", { class: "button", type: "submit" }, t("wish_go")),
    hasModel ? null : el("p", { class: "quiet wish-note" }, t("wish_no_model")));
}

function tools(panel, acts) {
  const { reply } = panel;
  const busy = panel.since !== null || panel.job;
  const makeable = reply && reply.state !== "fresh" && get().status?.may_write && !busy;
  const styled = Object.keys(panel.wish).length > 0;
  const button = (word, act, primary = false) => el("button", { type: "button", class: "button small" + (primary ? " primary" : ""), on: { click: () => act(panel) } }, t(word));
  return [
    makeable ? button("summary_make", acts.make, true) : null,
    panel.since !== null && reply ? button("stop", acts.stop) : null,
    panel.job?.job ? button("stop", acts.cancel) : null,
    styled && !busy ? button("summary_plain", (one) => acts.wish(one, {})) : null,
  ];
}

export function drawPanel(panel, acts, { anew = false } = {}) {
  if (!panel.node) panel.node = el("section", { class: "summary", "aria-label": t("summary") });
  if (!parts.has(panel) || anew) {
    const opened = panel.node.querySelector(".wish-frame")?.open ?? false;
    const made = { head: el("header", { class: "summary-head" }), body: el("div", { class: "summary-body" }) };
    const frame = panel.isCollection ? null : el("details", { class: "wish-frame", open: opened }, el("summary", {}, t("wish")), form(panel, acts));
    fill(panel.node, made.head, made.body, frame);
    panel.node.setAttribute("aria-label", t("summary"));
    parts.set(panel, made);
  }
  const { head, body } = parts.get(panel);
  const { reply, error } = panel;
  const busy = panel.since !== null || panel.job;
  panel.node.setAttribute("aria-busy", String(Boolean(busy)));
  fill(head, el("h2", { class: "label" }, t(panel.isCollection ? "summary_collection" : "summary")), reply ? stateBadge(reply) : null, reply ? el("span", { class: "summary-facts" }, facts(reply)) : null, el("span", { class: "summary-tools" }, tools(panel, acts)));
  fill(body,
    error ? el("div", { class: "notice bad" }, el("p", {}, error), el("button", { type: "button", class: "link", on: { click: () => acts.again(panel) } }, t("try_again"))) : null,
    busy ? waiting(panel) : null,
    reply ? [text(reply), reply.notes.map((note) => el("p", { class: "quiet" }, note)), picture(panel, reply), checks(panel, reply)] : null);
}
