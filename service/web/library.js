// Fetches the shelf and the outlines, and keeps them.

import { ApiError, call, inWords, path } from "./api.js";
import { get, set } from "./state.js";

export async function fetchShelf() {
  try {
    const { documents } = await call("GET", path("documents"));
    set({ documents, shelfError: null });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    set({ documents: get().documents || [], shelfError: inWords(error) });
  }
}

const underWay = new Map(); // doc_id -> promise, so that two askers cause one request

export function fetchOutline(id) {
  const { outlines } = get();
  if (outlines.has(id)) return Promise.resolve(outlines.get(id));
  if (!underWay.has(id)) underWay.set(id, keepOutline(id).finally(() => underWay.delete(id)));
  return underWay.get(id);
}

async function keepOutline(id) {
  const outline = await call("GET", path("documents", id, "outline"));
  get().outlines.set(id, outline);
  set({ outlines: get().outlines });
  return outline;
}

export function forgetOutline(id) {
  get().outlines.delete(id);
}
