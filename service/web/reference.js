// The description of the API for people, drawn from /openapi.json; works without any other host.

import { byId, el, fill } from "./dom.js";

const WORDS = { get: "GET", post: "POST", delete: "DELETE" };

const nameOf = (schema) => schema?.$ref?.split("/").pop();

function typeOf(schema) {
  if (!schema) return "";
  const name = nameOf(schema);
  if (name) return el("a", { href: "#" + name }, name);
  if (schema.anyOf) return schema.anyOf.map((part, index) => [index ? " or " : null, typeOf(part)]);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" or ");
  if (schema.type === "array") return ["list of ", typeOf(schema.items)];
  return schema.format === "binary" ? "file" : schema.type || "any";
}

const BOUNDS = { minimum: "at least", maximum: "at most", minLength: "at least … characters", maxLength: "at most … characters", maxItems: "at most … items" };

function bounds(schema) {
  const parts = [schema, ...(schema.anyOf || [])];
  const told = parts.flatMap((part) => Object.entries(BOUNDS).filter(([name]) => name in part).map(([name, words]) => (words.includes("…") ? words.replace("…", part[name].toLocaleString("en-GB")) : words + " " + part[name].toLocaleString("en-GB"))));
  if (schema.default !== undefined && schema.default !== null && schema.default !== "") told.push("default " + JSON.stringify(schema.default));
  return [...new Set(told)].join(", ");
}

function fields(schema) {
  const required = new Set(schema.required || []);
  return el("table", {}, el("tbody", {}, Object.entries(schema.properties || {}).map(([name, field]) => el("tr", {},
    el("th", { scope: "row" }, el("code", {}, name), required.has(name) ? null : el("span", { class: "optional" }, "optional")),
    el("td", { class: "type" }, typeOf(field)),
    el("td", {}, field.description || "", bounds(field) ? el("span", { class: "bounds" }, " " + bounds(field)) : null)))));
}

function takes(operation, schemas) {
  const content = Object.entries(operation.requestBody?.content || {});
  const parameters = operation.parameters || [];
  return [
    parameters.length ? fields({ properties: Object.fromEntries(parameters.map((item) => [item.name, { ...item.schema, description: item.description }])), required: parameters.filter((item) => item.required).map((item) => item.name) }) : null,
    content.map(([kind, { schema }]) => [el("p", { class: "kind" }, "Body: ", el("code", {}, kind)), fields(schemas[nameOf(schema)] || schema)]),
  ];
}

function gives(operation) {
  const replies = Object.entries(operation.responses).sort(([one], [two]) => one - two);
  return el("p", { class: "replies" }, replies.map(([status, { content }]) => el("span", { data: { bad: String(status >= 400) } }, el("strong", {}, status), " ", typeOf(content?.["application/json"]?.schema))));
}

function operation(path, method, item, schemas) {
  return el("section", { class: "operation", id: item.operationId },
    el("h3", {}, el("span", { class: "method", data: { method } }, WORDS[method]), el("code", {}, path)),
    el("p", { class: "does" }, item.summary), item.description ? el("p", {}, item.description.trim()) : null,
    takes(item, schemas), gives(item));
}

function draw(description) {
  const schemas = description.components.schemas;
  const operations = Object.entries(description.paths).flatMap(([path, item]) => Object.entries(item).map(([method, value]) => ({ path, method, value })));
  const tags = description.tags.map((tag) => ({ ...tag, operations: operations.filter((entry) => entry.value.tags.includes(tag.name)) }));
  fill(byId("reference"),
    el("header", {}, el("p", {}, el("a", { href: "./" }, "Sectionary")), el("h1", {}, "The API"), el("p", { class: "does" }, description.info.description), el("p", {}, "Version " + description.info.version + " · ", el("a", { href: "openapi.json" }, "openapi.json"))),
    el("nav", { "aria-label": "Operations" }, tags.map((tag) => tag.operations.map((entry) => el("a", { href: "#" + entry.value.operationId }, WORDS[entry.method] + " " + entry.path)))),
    tags.map((tag) => el("section", {}, el("h2", {}, tag.description || tag.name), tag.operations.map((entry) => operation(entry.path, entry.method, entry.value, schemas)))),
    el("section", {}, el("h2", {}, "Shapes"), Object.entries(schemas).filter(([, schema]) => schema.properties).map(([name, schema]) => el("section", { class: "shape", id: name }, el("h3", {}, name), el("p", {}, schema.description), fields(schema)))));
  if (location.hash) byId(location.hash.slice(1))?.scrollIntoView();
}

fetch("openapi.json").then((response) => response.json()).then(draw, () => fill(byId("reference"), el("p", {}, "The service does not answer.")));
