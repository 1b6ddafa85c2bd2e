// Files on their way in: sent with a progress bar, then followed as jobs until each is on the shelf or failed, in words.

import { byId, el, fill, icon } from "./dom.js";
import { call, inWords, path, upload, ApiError } from "./api.js";
import { fetchShelf, forgetOutline } from "./library.js";
import { go } from "./route.js";
import { get, set, watch } from "./state.js";
import { bytes, t } from "./words.js";

const POLL_MS = 600;
const DONE_STAYS_MS = 6000;
let polling = null;

export function pickFiles() {
  const input = el("input", { type: "file", multiple: true, accept: (get().status?.formats || []).join(",") });
  input.addEventListener("change", () => addFiles(input.files));
  input.click();
}

export function addFiles(files) {
  for (const file of files) send(file);
}

function change(id, changes) {
  set({ uploads: get().uploads.map((item) => (item.id === id ? { ...item, ...changes } : item)) });
}

const drop = (id) => set({ uploads: get().uploads.filter((item) => item.id !== id) });

async function send(file) {
  const id = crypto.randomUUID();
  const most = get().status?.upload_max_bytes ?? Infinity;
  const item = { id, name: file.name, state: "uploading", done: 0, total: file.size, stage: "", at: performance.now(), from: 0 };
  set({ uploads: [item, ...get().uploads] });
  if (file.size > most) return change(id, { state: "failed", message: t("too_large_here", { size: bytes(file.size), most: bytes(most) }) });
  const { answer, abort } = upload(file, {}, (done, total) => change(id, { done, total }));
  change(id, { abort });
  try {
    const { job } = await answer;
    change(id, { job, state: "queued", done: 0, total: 0, abort: null });
    poll();
  } catch (error) {
    if (error.code === "aborted") drop(id);
    else change(id, { state: "failed", message: inWords(error), abort: null });
  }
  return null;
}

// Jobs of an earlier visit that are still under way are shown as well.
export async function adoptJobs() {
  const { jobs } = await call("GET", path("jobs"));
  const known = new Set(get().uploads.map((item) => item.job));
  const adopted = jobs.filter((job) => ["queued", "running"].includes(job.state) && !known.has(job.job)).map((job) => fromJob({ id: job.job, job: job.job, name: job.name, at: performance.now(), from: 0 }, job));
  if (adopted.length) {
    set({ uploads: [...get().uploads, ...adopted] });
    poll();
  }
}

// The item after a look at its job. The rate is measured within a stage, from the first count that was seen of it.
export function fromJob(item, job) {
  const sameStage = item.stage === job.stage && item.state === "running";
  const start = sameStage ? {} : { at: performance.now(), from: job.done };
  return { ...item, ...start, state: job.state, stage: job.stage, done: job.done, total: job.total, attempt: job.attempt, result: job.result, error: job.error, doc: job.doc_id };
}

function poll() {
  if (polling === null) polling = setTimeout(look, POLL_MS);
}

async function look() {
  polling = null;
  const active = get().uploads.filter((item) => item.job && ["queued", "running"].includes(item.state));
  if (!active.length) return;
  let jobs = [];
  try {
    ({ jobs } = await call("GET", path("jobs")));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
  for (const item of active) {
    const job = jobs.find((candidate) => candidate.job === item.job);
    if (job) change(item.id, fromJob(item, job));
    if (job?.state === "done") await arrived(item.id, job);
  }
  poll();
}

async function arrived(id, job) {
  forgetOutline(job.doc_id);
  await fetchShelf();
  setTimeout(() => drop(id), DONE_STAYS_MS);
}

async function stop(item) {
  if (item.abort) return item.abort();
  change(item.id, { stopping: true });
  try {
    await call("DELETE", path("jobs", item.job));
  } catch (error) {
    change(item.id, { stopping: false, message: inWords(error) });
  }
  return poll();
}

export function remaining({ done, total, from, at }, now) {
  const seconds = (now - at) / 1000;
  const rate = seconds > 0.5 ? (done - from) / seconds : 0;
  return rate > 0 && total > done ? { rate, seconds: (total - done) / rate } : { rate: 0, seconds: null };
}

function detail(item) {
  if (item.state === "uploading") return t("of", { done: bytes(item.done), total: bytes(item.total) });
  if (!item.total || item.total === 1) return item.attempt > 1 ? t("attempt", { n: item.attempt }) : "";
  const { rate, seconds } = remaining(item, performance.now());
  const left = seconds === null ? null : seconds < 90 ? t("remaining_s", { n: Math.ceil(seconds) }) : t("remaining_min", { n: Math.ceil(seconds / 60) });
  return [t("of", { done: item.done, total: item.total }), rate ? t("rate", { rate: Math.round(rate) }) : null, left].filter(Boolean).join(" · ");
}

function stageOf(item) {
  if (item.stopping) return t("stage_cancelling");
  if (item.state === "uploading") return t("uploading");
  if (item.state === "queued") return t("stage_queued");
  return t("stage_" + (item.stage || "starting"));
}

function working(item) {
  const share = item.total > 1 ? item.done / item.total : null;
  return [
    el("p", { class: "upload-stage" }, stageOf(item), el("span", { class: "upload-detail" }, detail(item))),
    el("div", { class: "bar", role: "progressbar", "aria-label": item.name, "aria-valuemin": 0, "aria-valuemax": 100, "aria-valuenow": share === null ? null : Math.round(share * 100), data: { known: String(share !== null) } },
      el("span", { style: { width: share === null ? "30%" : Math.max(2, share * 100) + "%" } })),
  ];
}

function outcome(item) {
  if (item.state === "done") {
    const open = () => { drop(item.id); go({ doc: item.doc, key: null, passage: null, documents: [item.doc], only: [], without: [] }); };
    const text = t({ unchanged: "unchanged", summarised: "summary_made" }[item.result?.status] || "ready_now");
    return el("p", { class: "upload-done" }, el("button", { type: "button", class: "link", on: { click: open } }, item.result?.title || item.name), " ", text);
  }
  if (item.state === "cancelled") return el("p", { class: "quiet" }, t("cancelled"));
  return [el("p", { class: "upload-failed" }, t("upload_failed")), el("p", { class: "upload-why" }, item.message || (item.error ? inWords(item.error) : ""))];
}

function one(item) {
  const ended = ["done", "failed", "cancelled"].includes(item.state);
  const button = ended
    ? el("button", { type: "button", class: "tool icon", "aria-label": t("dismiss"), title: t("dismiss"), on: { click: () => drop(item.id) } }, icon("close"))
    : el("button", { type: "button", class: "link small", disabled: item.stopping, on: { click: () => stop(item) } }, t("stop"));
  return el("li", { class: "upload", data: { state: item.state, id: item.id } },
    el("div", { class: "upload-head" }, el("span", { class: "upload-name", title: item.name }, item.name), button),
    ended ? outcome(item) : working(item));
}

function render({ uploads }) {
  fill(byId("uploads"), uploads.length ? el("ul", { class: "uploads", "aria-label": t("uploading") }, uploads.map(one)) : null);
}

watch(["uploads", "language"], render);
