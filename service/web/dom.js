// Elements are made here. Text only ever becomes text nodes: nothing in this page parses HTML.

const SVG = "http://www.w3.org/2000/svg";

export const byId = (id) => document.getElementById(id);

// el("a", {class: "x", href: "#/", on: {click: f}, data: {key: "k"}}, "text", child, [more], null)
export function el(tag, attributes = {}, ...children) {
  return furnish(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return furnish(document.createElementNS(SVG, tag), attributes, children);
}

function furnish(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") for (const [event, listener] of Object.entries(value)) node.addEventListener(event, listener);
    else if (name === "data") Object.assign(node.dataset, value);
    else if (name === "style") for (const [property, setting] of Object.entries(value)) node.style.setProperty(property, setting);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  add(node, children);
  return node;
}

function add(node, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : String(child));
  }
}

export function fill(node, ...children) {
  node.replaceChildren();
  add(node, children);
  return node;
}

const ICONS = {
  sun: "M10 3v1.5M10 15.500V17M3 10h1.500M15.500 10H17M5 5l1 1M14 14l1 1M15 5l-1 1M6 14l-1 1M10 6.700a3.300 3.300 0 1 0 0 6.600 3.300 3.300 0 0 0 0-6.600",
  moon: "M16 12.200A6.500 6.500 0 0 1 7.800 4a6.500 6.500 0 1 0 8.200 8.200",
  auto: "M10 3.500a6.500 6.500 0 1 0 0 13zM10 3.500a6.500 6.500 0 0 1 0 13",
  close: "m5.500 5.500 9 9m0-9-9 9",
  back: "M12.500 4.500 7 10l5.500 5.500",
  forward: "M7.500 4.500 13 10l-5.500 5.500",
  minus: "M4.500 10h11",
  plus: "M10 4.500v11M4.500 10h11",
  upload: "M10 13.500V4.500m0 0L6.500 8M10 4.500 13.500 8M4 13v2.500h12V13",
  chevron: "m7.500 5.500 4.500 4.500-4.500 4.500",
  copy: "M7.500 7.500v-3h8v8h-3M4.500 7.500h8v8h-8z",
};

export function icon(name) {
  return svg("svg", { viewBox: "0 0 20 20", "aria-hidden": "true", class: "icon" }, svg("path", { d: ICONS[name] }));
}

export const prefersStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export function show(node, block = "center") {
  node.scrollIntoView({ block, behavior: prefersStill() ? "auto" : "smooth" });
}

export function announce(text) {
  byId("announcer").textContent = text;
}
