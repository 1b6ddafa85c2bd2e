// Puts the page together and takes the first look at the service. Modules that only watch the state are loaded for that.

import { fetchStatus, showHelp, showStatus } from "./dialogs.js";
import { byId } from "./dom.js";
import "./dropping.js";
import "./find.js";
import "./keys.js";
import { fetchShelf } from "./library.js";
import "./outline.js";
import "./panes.js";
import "./reader.js";
import "./results.js";
import { arrive } from "./route.js";
import "./running.js";
import "./scope.js";
import "./shelf.js";
import { get, watch } from "./state.js";
import { speak } from "./theme.js";
import { adoptJobs } from "./uploads.js";

watch(["route", "documents"], () => {
  const { route, documents } = get();
  const name = route?.doc && documents?.find((document) => document.doc_id === route.doc)?.title;
  document.title = [route?.query, name, "Sectionary"].filter(Boolean).join(" – ");
});
watch(["status"], ({ status }) => { byId("status").dataset.ready = String(Boolean(status?.ready)); });

byId("help-button").addEventListener("click", showHelp);
byId("status").addEventListener("click", async () => { await fetchStatus(); showStatus(); });

speak();
arrive();
fetchStatus();
fetchShelf();
adoptJobs().catch(() => null);
