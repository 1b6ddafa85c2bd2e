// Every word of the page, in both languages, and how numbers are written. A test holds the two tables to the same names.
// "{n}" is filled in; "one|other" is chosen by the plural rules of the language.

import { en as answersEn } from "./words-answers-en.js";
import { zh as answersZh } from "./words-answers-zh.js";
import { en as pageEn } from "./words-en.js";
import { zh as pageZh } from "./words-zh.js";

const tables = { en: { ...pageEn, ...answersEn }, zh: { ...pageZh, ...answersZh } };

export const language = () => (document.documentElement.lang.startsWith("zh") ? "zh" : "en");

export function t(name, values = {}) {
  const pattern = tables[language()][name] ?? tables.en[name] ?? name;
  return fill(plural(pattern, values.n), values);
}

export const known = (name) => name in tables.en;

function plural(pattern, n) {
  const forms = pattern.split("|");
  if (forms.length === 1 || typeof n !== "number") return forms[forms.length - 1];
  return forms[new Intl.PluralRules(language()).select(n) === "one" ? 0 : 1];
}

function fill(pattern, values) {
  return pattern.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? format(values[name]) : whole));
}

export const format = (value) => (typeof value === "number" ? value.toLocaleString(language() === "zh" ? "zh-CN" : "en-GB") : value);

export function percent(share) {
  return Math.round(share * 100) + " %";
}

export function bytes(size) {
  const step = size < 1e6 ? ["kB", 1e3] : ["MB", 1e6];
  return format(Math.max(1, Math.round(size / step[1]))) + " " + step[0];
}

export function since(iso) {
  const day = new Date(iso);
  return Number.isNaN(day.getTime()) ? "" : day.toLocaleDateString(language() === "zh" ? "zh-CN" : "en-GB", { dateStyle: "medium" });
}

// Words in the HTML itself: data-word is the text, data-label the accessible name, data-title the tooltip.
export function translate(root = document) {
  for (const node of root.querySelectorAll("[data-word]")) node.textContent = t(node.dataset.word);
  for (const node of root.querySelectorAll("[data-label]")) node.setAttribute("aria-label", t(node.dataset.label));
  for (const node of root.querySelectorAll("[data-title]")) node.title = t(node.dataset.title);
}

// The language a text is written in, so that fonts and screen readers treat it rightly.
export function languageOf(text) {
  const han = (text.match(/[\u3400-\u9fff]/g) || []).length;
  return han * 4 > text.length ? "zh-CN" : "en";
}
