// A conversation: the questions before the one that is answered, and the field for the next one. The address holds them all.

import { el } from "./dom.js";
import { go } from "./route.js";
import { languageOf, t } from "./words.js";

const LONGEST = 8000; // of an answer that is sent along
const SHOWN = 160;
const answers = new Map(); // of this visit: the questions up to one -> its answer

const keyOf = (questions) => JSON.stringify(questions);

export function remember(route, reply) {
  answers.set(keyOf([...route.after, route.query]), reply.answer);
}

const answerTo = (after, index) => answers.get(keyOf(after.slice(0, index + 1)));

// What the service is told of the conversation: every question, and the answers that this visit saw.
export function historyOf({ after }) {
  return after.flatMap((question, index) => {
    const answer = answerTo(after, index);
    return [{ role: "user", content: question }, answer ? { role: "assistant", content: answer.slice(0, LONGEST) } : null].filter(Boolean);
  });
}

export function earlier({ after }) {
  if (!after.length) return null;
  return el("ol", { class: "thread", "aria-label": t("thread") }, after.map((question, index) => {
    const answer = (answerTo(after, index) || "").replace(/\s?\[\d+\]/g, "");
    return el("li", {},
      el("button", { type: "button", class: "link", lang: languageOf(question), on: { click: () => go({ query: question, after: after.slice(0, index), mode: "ask" }) } }, question),
      answer ? el("p", { class: "quiet", lang: languageOf(answer) }, answer.length > SHOWN ? answer.slice(0, SHOWN) + " …" : answer) : null);
  }));
}

let kept = { key: "", form: null };

// The same form as long as the conversation stands where it is: the page is drawn anew while somebody types.
export function followUp(route) {
  const key = keyOf([...route.after, route.query, t("follow_go")]);
  if (kept.key !== key) kept = { key, form: followForm(route) };
  const field = kept.form.querySelector("input");
  if (field === document.activeElement) queueMicrotask(() => field.focus({ preventScroll: true }));
  return kept.form;
}

function followForm(route) {
  const field = el("input", { type: "text", class: "follow-field", maxlength: 2000, "aria-label": t("follow_label"), placeholder: t("follow_hint"), enterkeyhint: "send" });
  const submit = (event) => {
    event.preventDefault();
    const query = field.value.trim();
    if (query) go({ query, after: [...route.after, route.query], mode: "ask" });
  };
  return el("form", { class: "follow", on: { submit } }, field, el("button", { type: "submit", class: "button" }, t("follow_go")));
}
