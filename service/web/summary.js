// Summaries of a document, a section or a collection: fetched when they are looked at, wished for in other words, ordered from the worker.
//   panel = {key, address, wish, reply, error, since, job, node}   since: when the request under way began, null when none is
// A panel keeps its node, so that what somebody types in it survives when the page around it is drawn anew.

import { announce } from "./dom.js";
import { call, inWords, path } from "./api.js";
import { fetchShelf } from "./library.js";
import { findDocument, documentOf, watch } from "./state.js";
import { drawPanel, tick } from "./summary-view.js";
import { t } from "./words.js";

const POLL_MS = 700;
const TICK_MS = 1000;
const COLLECTION = "collection:";
const panels = new Map();

export const collectionKey = (name) => COLLECTION + name;

const isCollection = (key) => key.startsWith(COLLECTION);
const baseOf = (key) => (isCollection(key) ? path("collections", key.slice(COLLECTION.length), "overview") : path("documents", documentOf(key), "summary"));

function addressOf(key, wish) {
  const words = new URLSearchParams();
  if (!isCollection(key) && key.includes("/")) words.set("section", key);
  for (const [name, value] of Object.entries(wish)) if (value) words.set(name, value);
  const query = words.toString();
  return baseOf(key) + (query ? "?" + query : "");
}

// What a stored summary depends on: when it changes, the panel fetches again.
function stampOf(key) {
  if (isCollection(key)) return "";
  const document = findDocument(documentOf(key));
  return document ? document.revision + document.summary_state : "";
}

export function summaryPanel(key) {
  let panel = panels.get(key);
  if (!panel) {
    panel = { key, isCollection: isCollection(key), wish: {}, reply: null, error: null, since: null, controller: null, job: null, stamp: stampOf(key) };
    panels.set(key, panel);
    drawPanel(panel, acts);
    read(panel);
  } else if (panel.stamp !== stampOf(key) && panel.since === null) {
    panel.stamp = stampOf(key);
    read(panel);
  }
  return panel.node;
}

async function read(panel, wish = {}) {
  panel.controller?.abort();
  const controller = new AbortController();
  Object.assign(panel, { controller, wish, error: null, since: performance.now() });
  drawPanel(panel, acts);
  const timer = setInterval(() => tick(panel), TICK_MS);
  try {
    panel.reply = await call("GET", addressOf(panel.key, wish), { signal: controller.signal });
    if (Object.keys(wish).length) announce(t("summary_ready"));
  } catch (error) {
    if (error.name === "AbortError") { if (panel.controller !== controller) return; }
    else panel.error = inWords(error);
  } finally {
    clearInterval(timer);
    if (panel.controller === controller) {
      Object.assign(panel, { since: null, controller: null });
      drawPanel(panel, acts);
    }
  }
}

async function make(panel) {
  panel.error = null;
  panel.job = { state: "queued", done: 0, total: 0, stage: "" };
  drawPanel(panel, acts);
  try {
    const { job } = await call("POST", baseOf(panel.key));
    await follow(panel, job);
  } catch (error) {
    panel.error = inWords(error);
  }
  panel.job = null;
  drawPanel(panel, acts);
}

async function follow(panel, id) {
  for (;;) {
    panel.job = await call("GET", path("jobs", id));
    drawPanel(panel, acts);
    if (panel.job.state === "failed") { panel.error = inWords(panel.job.error); return; }
    if (["done", "cancelled"].includes(panel.job.state)) break;
    await new Promise((go) => { setTimeout(go, POLL_MS); });
  }
  announce(t("summary_ready"));
  await Promise.all([read(panel), fetchShelf()]);
  panel.stamp = stampOf(panel.key);
}

const acts = {
  wish: (panel, wish) => read(panel, wish),
  again: (panel) => read(panel, panel.wish),
  stop: (panel) => panel.controller?.abort(),
  make,
  cancel: (panel) => (panel.job?.job ? call("DELETE", path("jobs", panel.job.job)).catch(() => null) : null),
};

watch(["language", "status"], () => { for (const panel of panels.values()) drawPanel(panel, acts, { anew: true }); });
