// An answer as it is written, its citations as links to their passages, and the honest "not in the documents".

import { el, fill, icon } from "./dom.js";
import { hitCard, openHit } from "./hits.js";
import { degradedNote, nearestList, understood } from "./intent.js";
import { made } from "./overview.js";
import { blocks, table } from "./prose.js";
import { get, watch } from "./state.js";
import { earlier, followUp } from "./thread.js";
import { toast } from "./toasts.js";
import { languageOf, t } from "./words.js";

const MARKER = /\[(\d+(?:\s*[,，、]\s*\d+)*)\]/g;

// Text with its markers [1] or [1, 2] taken apart: strings and {n}.
export function pieces(text) {
  const found = [];
  let at = 0;
  for (const match of text.matchAll(MARKER)) {
    if (match.index > at) found.push(text.slice(at, match.index));
    for (const number of match[1].split(/\s*[,，、]\s*/)) found.push({ n: Number(number) });
    at = match.index + match[0].length;
  }
  if (at < text.length) found.push(text.slice(at));
  return found;
}

// A line cut where sentences stand for which no passage speaks.
export function stretches(line, unsupported) {
  let parts = [{ words: line, supported: true }];
  for (const sentence of unsupported) {
    parts = parts.flatMap((part) => {
      const at = part.supported && sentence ? part.words.indexOf(sentence) : -1;
      if (at < 0) return [part];
      return [{ words: part.words.slice(0, at), supported: true }, { words: sentence, supported: false }, { words: part.words.slice(at + sentence.length), supported: true }];
    });
  }
  return parts.filter((part) => part.words);
}

// A marker never begins a line: it is held together with the word (or the two Chinese characters) before it.
export function held(parts) {
  const found = [];
  for (const part of parts) {
    const last = found.at(-1);
    if (typeof part === "string") found.push(part);
    else if (last?.numbers) last.numbers.push(part.n);
    else {
      const before = typeof last === "string" ? found.pop() : "";
      const [words] = before.match(/(?:[^\s\u2e80-\uffef]{1,24}|[\u2e80-\uffef]{1,2})?\s*$/);
      found.push(before.slice(0, before.length - words.length), { words: words.trimEnd(), numbers: [part.n] });
    }
  }
  return found;
}

function cite(n, run) {
  const passage = run.hits.find((hit) => hit.n === n);
  const citation = run.reply?.citations.find((item) => item.n === n);
  if (!passage && !citation) return "";
  const title = t("citation", { n, title: (passage || citation).title || (citation || passage).doc_title });
  const follow = () => { if (passage) openHit({ ...passage, id: citation?.id || passage.id }); };
  return el("button", { type: "button", class: "cite", title: citation?.quote ? title + "\n“" + citation.quote + "”" : title, "aria-label": title, data: { n }, on: { click: follow } }, String(n));
}

const TABLE_END = /^(\s*\|.*\|)\s*((?:\[\d+\]\s*)+)$/gm; // a quoted table with its marker behind the last row

function paragraphs(run, whole) {
  const written = (words) => held(pieces(words)).map((part) => (part.numbers ? el("span", { class: "held" }, part.words, part.numbers.map((n) => cite(n, run))) : part));
  const inside = (line) => stretches(line, run.reply?.unsupported || []).map(({ words, supported }) => (supported ? written(words) : el("span", { class: "unsupported", title: t("unsupported") }, written(words))));
  return blocks(whole.replace(TABLE_END, "$1\n$2")).map(({ kind, lines }) => {
    const lang = languageOf(lines.join(" "));
    if (kind === "table") return table(lines, inside);
    if (kind === "code") return el("pre", { lang }, lines.join("\n"));
    if (kind === "list") return el("ul", { lang }, lines.map((line) => el("li", {}, inside(line.replace(/^\s*[-*•]\s+/, "")))));
    return el("p", { lang }, lines.map((line, index) => [index ? el("br") : null, inside(line)]));
  });
}

function words(run, text) {
  if (!text) return run.busy ? el("p", { class: "quiet busy" }, t("thinking")) : null;
  const written = paragraphs(run, text);
  if (run.busy) written.at(-1)?.append(el("span", { class: "caret", "aria-hidden": "true" }));
  return written;
}

function how(reply) {
  if (!reply) return null;
  const words = reply.mode === "llm" ? t("mode_llm", { model: get().status?.model || t("language_model") }) : t("mode_" + reply.mode);
  return el("p", { class: "answer-how", title: reply.mode === "extractive" ? t("extractive_explain") : null }, words);
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    toast(t("copied"));
  } catch { /* the browser forbids it; the text can be selected */ }
}

function abstention(reply) {
  return el("section", { class: "abstained" },
    el("h1", {}, t("not_there")),
    el("p", {}, reply.reason ? t("reason_" + reply.reason) : null),
    el("p", { class: "quiet" }, t("advice_" + (reply.reason || "no_match"))),
    nearestList(reply.nearest),
  );
}

function passages(run, query) {
  const { reply, hits } = run;
  if (!hits.length) return null;
  const cited = new Set((reply?.citations || []).map((citation) => citation.n));
  const list = (chosen) => el("ol", { class: "hits numbered", role: "list" }, chosen.map((hit) => {
    const number = hit.n ?? hits.indexOf(hit) + 1;
    const card = hitCard(hit, number, query, { number });
    card.dataset.cited = String(cited.has(hit.n));
    return card;
  }));
  // What the answer stands on comes first; what was read besides is folded away.
  const first = cited.size ? hits.filter((hit) => cited.has(hit.n)) : hits;
  const rest = hits.filter((hit) => !first.includes(hit));
  const head = reply?.abstained ? t("nearest") : t("passages");
  return el("section", { class: "passages" },
    el("h2", { class: "label" }, head, reply && !reply.abstained ? el("span", { class: "quiet" }, t("passages_used", { n: hits.length, used: reply.tokens.used, budget: reply.tokens.budget })) : null),
    list(first),
    rest.length ? el("details", { class: "more-passages" }, el("summary", {}, t("passages_uncited", { n: rest.length })), list(rest)) : null,
    reply?.left_out.length ? el("p", { class: "quiet" }, t("left_out", { n: reply.left_out.length })) : null,
  );
}

export function answerBlock(run, query, route, overview) {
  const { reply, busy } = run;
  const text = run.text || get().streamed;
  if (reply?.abstained) return [earlier(route), route.after.length ? el("p", { class: "answer-question asked" }, run.query) : null, abstention(reply), understood(reply.intent, route), overview(), passages(run, query), followUp(route)];
  const body = el("div", { class: "answer-text", id: "answer-text", "aria-busy": String(busy) }, words(run, text));
  return [
    earlier(route),
    run.error && !text ? null : el("section", { class: "answer", "aria-label": t("answer_for", { query: run.query }) },
      el("h1", { class: "answer-question" }, run.query), understood(reply?.intent, route), degradedNote(reply?.degraded), body, made(reply),
      el("footer", { class: "answer-foot" }, how(reply), run.stopped ? el("p", { class: "quiet" }, t("answer_stopped")) : null, reply ? el("button", { type: "button", class: "link small", on: { click: () => copy(text) } }, icon("copy"), t("copy")) : null)),
    reply ? followUp(route) : null,
    run.hits.length ? overview() : null,
    passages(run, query),
  ];
}

// While an answer streams only its text is drawn anew.
watch(["streamed"], ({ run, streamed }) => {
  const body = document.getElementById("answer-text");
  if (body && run?.busy) fill(body, words(run, streamed));
});
