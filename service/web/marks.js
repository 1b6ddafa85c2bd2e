// Which words of a text answer to the query, so that they can be marked; and which stretch of a long text to show first.

const COMMON = new Set("a an and are as at be by can do does for from how i if in is it its of on or that the there this to was what when where which who why will with may must shall should would could have has had been not".split(" "));
const HAN = /[\u3040-\u30ff\u3400-\u9fff]+/g;
const LATIN = /[\p{L}\p{N}]+/gu;
const HAN_COMMON = /[的了和是在有吗呢什么怎么如何哪些哪个为何与及或请问]/g;
const WINDOW = 340;

// Words are compared by their stems, Chinese by pairs of characters, as the index does.
export function terms(query) {
  const plain = query.normalize("NFKC").toLocaleLowerCase();
  const han = (plain.match(HAN) || []).flatMap((run) => run.replace(HAN_COMMON, " ").split(" ")).flatMap(pairs);
  const words = (plain.replace(HAN, " ").match(LATIN) || []).filter((word) => !COMMON.has(word) && (word.length > 1 || /\d/.test(word)));
  return { han: [...new Set(han)], words: [...new Set(words.map(stem))] };
}

function pairs(run) {
  const characters = [...run];
  if (characters.length < 2) return [];
  return characters.slice(1).map((character, index) => characters[index] + character);
}

export function stem(word) {
  return word.length > 4 ? word.replace(/(ations?|ings?|ies|ied|ed|es|s|ly|e|y)$/, "") : word.length > 3 ? word.replace(/s$/, "") : word;
}

// Spans [start, end) of the text that match, in order and merged.
export function spans(text, { han, words }) {
  const found = [];
  const lower = text.toLocaleLowerCase();
  if (lower.length !== text.length) return [];
  if (words.length) for (const match of lower.matchAll(LATIN)) {
    if (words.includes(stem(match[0]))) found.push([match.index, match.index + match[0].length]);
  }
  for (const pair of han) {
    for (let at = lower.indexOf(pair); at !== -1; at = lower.indexOf(pair, at + 1)) found.push([at, at + pair.length]);
  }
  found.sort((one, two) => one[0] - two[0]);
  const merged = [];
  for (const [start, end] of found) {
    const last = merged[merged.length - 1];
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([start, end]);
  }
  return merged;
}

// Text nodes and <mark> elements for a text.
export function marked(text, query) {
  const nodes = [];
  let at = 0;
  for (const [start, end] of spans(text, query)) {
    if (start > at) nodes.push(document.createTextNode(text.slice(at, start)));
    const mark = document.createElement("mark");
    mark.textContent = text.slice(start, end);
    nodes.push(mark);
    at = end;
  }
  if (at < text.length) nodes.push(document.createTextNode(text.slice(at)));
  return nodes;
}

// The same, with a quotation underlined; spaces and line breaks in it may differ from the text's.
export function quoted(text, query, quote) {
  const words = quote.trim().split(/\s+/).filter(Boolean).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const found = words.length ? text.match(new RegExp(words.join("\\s+"))) : null;
  if (!found) return marked(text, query);
  const line = document.createElement("mark");
  line.className = "quote";
  line.append(...marked(found[0], query));
  return [...marked(text.slice(0, found.index), query), line, ...marked(text.slice(found.index + found[0].length), query)];
}

// A row of a table as running text; its rules vanish.
function unruled(line) {
  if (!/^\s*\|.*\|\s*$/.test(line)) return line;
  const cells = line.split("|").map((cell) => cell.trim()).filter((cell) => cell && !/^:?-+:?$/.test(cell));
  return cells.length ? cells.join(" · ") + " ;" : "";
}

// The stretch of a text with the most matches, cut at word borders; {text, before, after} tell whether something was left off.
export function excerpt(text, query, length = WINDOW) {
  const plain = text.split("\n").map(unruled).join(" ").replace(/\s+/g, " ").trim();
  const wide = (plain.match(HAN) || []).join("").length * 2 > plain.length ? Math.round(length / 2) : length;
  if (plain.length <= wide * 1.25) return { text: plain, before: false, after: false };
  const found = spans(plain, query);
  let best = 0;
  let most = -1;
  for (const [start] of found) {
    const inside = found.filter(([from, to]) => from >= start && to <= start + wide - 60).length;
    if (inside > most) { most = inside; best = start; }
  }
  let from = Math.max(0, best - 60);
  if (from > 0) from = Math.max(plain.lastIndexOf(" ", from + 20), from);
  let to = Math.min(plain.length, from + wide);
  const border = plain.indexOf(" ", to);
  if (to < plain.length && border !== -1 && border - to < 20) to = border;
  return { text: plain.slice(from, to).trim(), before: from > 0, after: to < plain.length };
}
