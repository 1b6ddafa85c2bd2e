// The search or question that the address names: run once, cancelled when another takes its place.
//   run = {key, mode, query, busy, stopped, hits, reply, text, error}   hits: what outline and strip show, whichever the mode
//   streamed = the text of an answer as far as it has come; it changes often, so it is not a part of run

import { call, events, inWords, path } from "./api.js";
import { announce } from "./dom.js";
import { get, set, watch } from "./state.js";
import { historyOf, remember } from "./thread.js";
import { t } from "./words.js";

const NEAREST = 5;
let controller = null;

export const runKey = (route) => JSON.stringify([route.query, route.mode, route.documents, route.only, route.without, route.by, route.after]);

export function bodyOf(route) {
  const body = { query: route.query };
  if (route.documents.length) body.document = route.documents;
  if (route.only.length) body.section = route.only;
  if (route.without.length) body.exclude_section = route.without;
  if (route.by) body.strategy = route.by;
  return body;
}

export const isRunning = () => Boolean(get().run?.busy);

export function stopRun() {
  controller?.abort();
  const { run } = get();
  if (run?.busy) set({ run: { ...run, busy: false, stopped: true } });
}

function followRoute({ route, run }) {
  if (!route?.query) {
    controller?.abort();
    if (run) set({ run: null });
    return;
  }
  if (run?.key !== runKey(route)) start(route);
}

export function again() {
  start(get().route);
}

async function start(route) {
  controller?.abort();
  controller = new AbortController();
  const { signal } = controller;
  const key = runKey(route);
  set({ streamed: "" });
  set({ run: { key, mode: route.mode, query: route.query, busy: true, hits: [], reply: null, text: "", error: null } });
  const update = (changes) => { if (!signal.aborted) set({ run: { ...get().run, ...changes } }); };
  try {
    if (route.mode === "ask") await ask(route, signal, update);
    else {
      const reply = await call("POST", path("search"), { body: { ...bodyOf(route), size: 20 }, signal });
      update({ busy: false, reply, hits: reply.hits });
      announce(t("hits", { n: reply.hits.length }));
    }
  } catch (error) {
    if (error.name !== "AbortError") update({ busy: false, error: inWords(error) });
  }
}

async function ask(route, signal, update) {
  announce(t("writing_answer"));
  for await (const { event, data } of events(path("answers"), { ...bodyOf(route), history: historyOf(route) }, signal)) {
    if (signal.aborted) return;
    if (event === "delta") set({ streamed: get().streamed + data });
    else if (event === "passages") update({ hits: JSON.parse(data).passages });
    else if (event === "done") await finish(JSON.parse(data), route, signal, update);
    else if (event === "error") update({ busy: false, error: inWords(JSON.parse(data).error) });
  }
  if (get().run?.busy && !signal.aborted) update({ busy: false, error: t("upload_broken") });
}

// Where the evidence was too weak nothing was packed; what came nearest is then fetched as a search, so that one can judge.
async function finish(reply, route, signal, update) {
  remember(route, reply);
  update({ busy: false, reply, hits: reply.passages, text: reply.answer });
  if (reply.abstained && !reply.passages.length && reply.reason === "below_threshold") {
    const { hits } = await call("POST", path("search"), { body: { ...bodyOf(route), size: NEAREST }, signal });
    update({ hits });
  }
  announce(reply.abstained ? t("not_there") : t("answer_ready"));
}

watch(["route"], followRoute);
