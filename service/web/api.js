// The service, as the page uses it. Every failure is an ApiError with the service's code and message.

import { known, language, t } from "./words.js";

export class ApiError extends Error {
  constructor(code, message, status = 0) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

// What to show: the service's own sentence in English, ours by its code in Chinese.
export function inWords(error) {
  const name = "error_" + error.code;
  if (language() === "zh" || !error.message) {
    if (known(name) || t(name) !== name) return t(name);
  }
  return error.message || t("error_network");
}

export const ownerKey = {
  get: () => sessionStorage.getItem("owner-key") || "",
  set: (key) => sessionStorage.setItem("owner-key", key),
};

function headers(more = {}) {
  const key = ownerKey.get();
  return key ? { ...more, Authorization: "Bearer " + key } : more;
}

export const path = (...parts) => "/api/" + parts.map((part) => part.split("/").map(encodeURIComponent).join("/")).join("/");

export async function call(method, address, { body, signal } = {}) {
  const response = await send(address, {
    method,
    signal,
    headers: headers(body ? { "Content-Type": "application/json" } : {}),
    body: body ? JSON.stringify(body) : undefined,
  });
  return response.json();
}

async function send(address, options) {
  let response;
  try {
    response = await fetch(address, { ...options, cache: "no-store" });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError("network", t("error_network"));
  }
  if (!response.ok) throw await failure(response);
  return response;
}

async function failure(response) {
  try {
    const { error } = await response.json();
    return new ApiError(error.code, error.message, response.status);
  } catch {
    return new ApiError("network", t("error_network"), response.status);
  }
}

// Server-sent events of a POST: yields {event, data}; data lines are joined by line breaks as the standard says.
export async function* events(address, body, signal) {
  const response = await send(address, {
    method: "POST",
    signal,
    headers: headers({ "Content-Type": "application/json", Accept: "text/event-stream" }),
    body: JSON.stringify(body),
  });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let pending = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    pending += value;
    const blocks = pending.split("\n\n");
    pending = blocks.pop();
    for (const block of blocks) yield parseEvent(block);
  }
}

export function parseEvent(block) {
  let event = "message";
  const data = [];
  for (const line of block.split("\n")) {
    if (line.startsWith("event: ")) event = line.slice(7);
    else if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
  }
  return { event, data: data.join("\n") };
}

// fetch cannot tell how much was sent, so uploads go by XMLHttpRequest.
export function upload(file, fields, onSent) {
  const request = new XMLHttpRequest();
  const answer = new Promise((resolve, reject) => {
    request.upload.addEventListener("progress", (event) => onSent(event.loaded, event.total));
    request.addEventListener("load", () => {
      let reply = {};
      try { reply = JSON.parse(request.responseText); } catch { /* told below */ }
      if (request.status === 202) resolve(reply);
      else reject(new ApiError(reply.error?.code || "network", reply.error?.message || t("upload_broken"), request.status));
    });
    request.addEventListener("error", () => reject(new ApiError("network", t("upload_broken"))));
    request.addEventListener("abort", () => reject(new ApiError("aborted", "")));
  });
  request.open("POST", "/api/documents");
  for (const [name, value] of Object.entries(headers())) request.setRequestHeader(name, value);
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append("file", file, file.name);
  request.send(form);
  return { answer, abort: () => request.abort() };
}
