// What the page knows. The address (route.js) says where we are; this holds what was fetched. One state, changed by `set`, told to watchers.

const state = {
  status: null, // of the service
  documents: null, // the shelf, null until fetched
  outlines: new Map(), // doc_id -> outline
  uploads: [], // see uploads.js
  route: null, // see route.js
  run: null, // the search or question under way or done, see running.js
  streamed: "", // the answer so far
  section: null, // what the reader shows, see reader.js
};

const watchers = [];

export const get = () => state;

export function set(changes) {
  Object.assign(state, changes);
  const names = Object.keys(changes);
  for (const { wanted, listener } of watchers) if (names.some((name) => wanted.includes(name))) listener(state);
}

export function watch(wanted, listener) {
  watchers.push({ wanted, listener });
}

export const documentOf = (key) => (key ? key.split("/")[0] : null);

export const findDocument = (id) => (state.documents || []).find((document) => document.doc_id === id) || null;

// A section's row in its outline, or null while the outline is not here. A document's own key is its id.
export function findSection(key) {
  const outline = state.outlines.get(documentOf(key));
  return outline?.sections.find((row) => row.key === key) || null;
}

export function nameOf(key) {
  const row = findSection(key);
  if (row) return heading(row);
  return findDocument(documentOf(key))?.title || key;
}

export function heading(row) {
  const { number, title } = row;
  return number && !isTyped(number.replace(/^§+\s*/, "") || number, title.replace(/^§+\s*/, "")) ? number + " " + title : title;
}

// "3" is typed in "3. Rules", but not in "30 rules", and "C" not in "Copper".
function isTyped(number, title) {
  return title.startsWith(number) && !(/[\p{L}\p{N}]$/u.test(number) && /^[A-Za-z0-9]/.test(title.slice(number.length)));
}

// The rows from the top level down to this section.
export function trail(key) {
  const parts = key.split("/");
  return parts.slice(1).map((_, index) => findSection(parts.slice(0, index + 2).join("/"))).filter(Boolean);
}
