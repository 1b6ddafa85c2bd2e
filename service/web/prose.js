// The text of a passage as paragraphs, lists, tables and code. Everything is built from text nodes; links and HTML in a document stay text.

import { el } from "./dom.js";
import { marked, quoted } from "./marks.js";

const ROW = /^\s*\|.*\|\s*$/;
const RULE = /^\s*\|[\s:|-]+\|\s*$/;
const ITEM = /^(\s*)([-*•◦▪‣]|\(?[0-9]{1,3}[.)]|\(?[a-z][.)]|[①-⑳]|[一二三四五六七八九十]+、)\s+/;
const FENCE = /^\s*(```|~~~)/;

// [{kind: "text"|"table"|"list"|"code", lines}]
export function blocks(content) {
  const found = [];
  let fence = false;
  let open = null;
  const push = (kind, line) => {
    if (open?.kind !== kind) { open = { kind, lines: [] }; found.push(open); }
    open.lines.push(line);
  };
  for (const line of content.split("\n")) {
    if (FENCE.test(line)) { fence = !fence; open = null; continue; }
    if (fence) push("code", line);
    else if (!line.trim()) open = null;
    else if (ROW.test(line)) push("table", line);
    else if (ITEM.test(line)) push("list", line);
    else if (open?.kind === "list" && /^\s+/.test(line)) open.lines[open.lines.length - 1] += " " + line.trim();
    else push("text", line);
  }
  return found;
}

export const cells = (row) => row.trim().replace(/^\||\|$/g, "").split(/(?<!\\)\|/).map((cell) => cell.replace(/\\\|/g, "|").trim());

// A table of Markdown rows; `write` makes the nodes of a cell.
export function table(lines, write) {
  const hasHead = lines.length > 1 && RULE.test(lines[1]);
  const rows = lines.filter((line) => !RULE.test(line)).map(cells);
  const head = hasHead ? rows.shift() : null;
  const line = (tag) => (row) => el("tr", {}, row.map((cell) => el(tag, tag === "th" ? { scope: "col" } : {}, write(cell))));
  return el("div", { class: "table-frame", tabindex: "0", role: "group" }, el("table", {}, head ? el("thead", {}, line("th")(head)) : null, el("tbody", {}, rows.map(line("td")))));
}

function list(lines, query) {
  return el("ul", { class: "plain-list" }, lines.map((line) => {
    const [whole, indent, marker] = line.match(ITEM);
    return el("li", { style: { "--depth": String(Math.min(4, Math.floor(indent.length / 2))) } }, el("span", { class: "marker", "aria-hidden": "true" }, /[-*]/.test(marker) ? "–" : marker), el("span", {}, marked(line.slice(whole.length), query)));
  }));
}

// `quote` is underlined where it stands in a paragraph.
export function prose(content, query, quote = "") {
  return blocks(content).map(({ kind, lines }) => {
    if (kind === "table") return table(lines, (cell) => marked(cell, query));
    if (kind === "list") return list(lines, query);
    if (kind === "code") return el("pre", { tabindex: "0" }, el("code", {}, lines.join("\n")));
    return el("p", {}, quoted(lines.join("\n"), query, quote));
  });
}
