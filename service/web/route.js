// The address is the truth about where we are, so that every view can be linked to and the back button works.
//   #/                         the shelf
//   #/DOC                      a document with its outline
//   #/DOC/00003/00002?p=NODE   reading a section, at a passage; #/DOC/0 is the document from its start
//   ?view=summary             of a section its summary instead of its text
//   ?q=words&mode=ask&doc=DOC&in=KEY&not=KEY&by=STRATEGY   what is searched or asked, where and how
//   &after=QUESTION            the questions of the conversation before it, oldest first

import { set } from "./state.js";

export const EMPTY = { doc: null, key: null, passage: null, query: "", mode: "search", documents: [], only: [], without: [], view: "", after: [], by: "" };

export function parse(hash) {
  const whole = hash.replace(/^#\/?/, "");
  const border = whole.indexOf("?"); // the words may hold further ones
  const [where, search] = border < 0 ? [whole, ""] : [whole.slice(0, border), whole.slice(border + 1)];
  const parts = where.split("/").filter(Boolean).map(decoded);
  const words = new URLSearchParams(search);
  const doc = parts[0] || null;
  const key = parts.length > 1 ? (parts[1] === "0" ? doc : parts.join("/")) : null;
  return {
    doc,
    key,
    passage: words.get("p"),
    query: words.get("q") || "",
    mode: words.get("mode") === "ask" ? "ask" : "search",
    documents: words.getAll("doc"),
    only: words.getAll("in"),
    without: words.getAll("not"),
    after: words.getAll("after"),
    by: ["collapsed", "traversal"].includes(words.get("by")) ? words.get("by") : "",
    view: words.get("view") === "summary" ? "summary" : "",
  };
}

function decoded(part) {
  try { return decodeURIComponent(part); } catch { return part; }
}

export function address(route) {
  const place = route.key ? (route.key === route.doc ? route.doc + "/0" : route.key) : route.doc || "";
  const words = new URLSearchParams();
  if (route.passage) words.set("p", route.passage);
  if (route.view && route.key) words.set("view", route.view);
  if (route.query) words.set("q", route.query);
  if (route.mode === "ask") words.set("mode", "ask");
  if (route.by) words.set("by", route.by);
  for (const question of route.after) words.append("after", question);
  for (const id of route.documents) words.append("doc", id);
  for (const key of route.only) words.append("in", key);
  for (const key of route.without) words.append("not", key);
  const search = words.toString().replace(/%2F/g, "/");
  return "#/" + place.split("/").map(encodeURIComponent).join("/") + (search ? "?" + search : "");
}

let current = { ...EMPTY };

export const here = () => current;

export function go(changes, { replace = false } = {}) {
  const next = address({ ...current, ...changes });
  if (next === location.hash) return;
  if (replace) history.replaceState(null, "", next);
  else history.pushState(null, "", next);
  arrive();
}

export function arrive() {
  current = parse(location.hash);
  set({ route: current });
}

addEventListener("popstate", arrive);
addEventListener("hashchange", () => { if (address(current) !== location.hash) arrive(); });
