// Files may be dropped anywhere on the page; a veil says so while they hover.

import { byId } from "./dom.js";
import { get } from "./state.js";
import { addFiles } from "./uploads.js";

let depth = 0; // dragenter and dragleave come for every element that is crossed

const hasFiles = (event) => [...(event.dataTransfer?.types || [])].includes("Files");
const mayAdd = () => get().status?.may_write !== false; // not known yet: the service decides
const mayDrop = (event) => hasFiles(event) && mayAdd();

function veil(change) {
  depth = Math.max(0, depth + change);
  byId("drop-veil").hidden = depth === 0;
}

addEventListener("dragenter", (event) => { if (mayDrop(event)) veil(1); });
addEventListener("dragleave", (event) => { if (mayDrop(event)) veil(-1); });
addEventListener("dragover", (event) => { if (hasFiles(event)) event.preventDefault(); });
addEventListener("drop", (event) => {
  if (!hasFiles(event)) return;
  event.preventDefault();
  veil(-depth);
  if (mayAdd()) addFiles(event.dataTransfer.files);
});
