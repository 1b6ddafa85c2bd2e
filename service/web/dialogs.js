// The few dialogs: help, the state of the service, deleting, the owner's key. The browser keeps focus inside and closes them on Esc.

import { byId, el, fill, icon } from "./dom.js";
import { call, inWords, ownerKey, path } from "./api.js";
import { fetchShelf } from "./library.js";
import { toast } from "./toasts.js";
import { get, set } from "./state.js";
import { t } from "./words.js";

function open(title, ...content) {
  const dialog = byId("dialog");
  const close = el("button", { type: "button", class: "tool icon dialog-close", "aria-label": t("close"), on: { click: () => dialog.close() } }, icon("close"));
  fill(dialog, el("header", { class: "dialog-head" }, el("h2", { id: "dialog-title" }, title), close), content);
  dialog.setAttribute("aria-labelledby", "dialog-title");
  dialog.onclick = (event) => { if (event.target === dialog) dialog.close(); };
  if (!dialog.open) dialog.showModal();
  return dialog;
}

const keys = (names) => names.map((name, index) => [index ? " " : null, el("kbd", {}, name)]);

export function showHelp() {
  const rows = [
    [["/"], "key_find"], [["?"], "key_help"], [["Esc"], "key_escape"], [["j", "k"], "key_hits"], [["Enter"], "key_open"],
    [["[", "]"], "key_sections"], [["s"], "key_summary"], [["m"], "key_mode"], [["↑", "↓", "←", "→"], "key_tree"], [["-"], "key_exclude"],
  ];
  open(t("help"),
    el("p", { class: "quiet" }, t("help_intro")),
    el("dl", { class: "shortcuts" }, rows.map(([names, word]) => el("div", {}, el("dt", {}, keys(names)), el("dd", {}, t(word))))),
    el("p", {}, t("help_more")),
    el("p", {}, el("a", { href: "docs" }, t("api_docs"))),
  );
}

// When summaries are made, when next, and how many documents wait.
function summaryPlan({ policy, next_run: next, documents }) {
  const minutes = policy.startsWith("every:") ? Number(policy.slice(6)) : null;
  const when = minutes ? t("policy_every", { n: minutes }) : t(policy === "at-once" ? "policy_at_once" : "policy_by_hand");
  const waits = documents.partial + documents.stale + documents.pending;
  const clock = next ? new Date(next).toLocaleTimeString([], { timeStyle: "short" }) : null;
  return [when, clock ? t("policy_next", { time: clock }) : null, waits ? t("policy_waiting", { n: waits }) : t("policy_all_fresh")].filter(Boolean).join(" · ");
}

export function showStatus() {
  const { status } = get();
  if (!status) return open(t("status_title"), el("p", { class: "notice bad" }, t("error_network")));
  const rows = [
    ["status_embedder", status.embedder],
    ["status_model", status.model || t("status_no_model")],
    ["status_index", status.elasticsearch || "–"],
    status.summaries ? ["status_summaries", summaryPlan(status.summaries)] : null,
    ["status_rights", t(status.may_write ? "rights_write" : "rights_read")],
    ["status_version", "Sectionary " + status.version],
  ].filter(Boolean);
  return open(t("status_title"),
    el("p", { class: status.ready ? "notice good" : "notice bad" }, status.ready ? t("status_ready") : t("status_not_ready") + ": " + status.reason),
    el("dl", { class: "facts" }, rows.map(([word, value]) => el("div", {}, el("dt", {}, t(word)), el("dd", {}, value)))),
    status.may_write ? null : el("button", { type: "button", class: "button", on: { click: askForKey } }, t("owner_key")),
  );
}

export function confirmDelete(document, done) {
  const remove = async () => {
    dialog.close();
    try {
      await call("DELETE", path("documents", document.doc_id));
      toast(t("deleted", { title: document.title }));
      await done();
    } catch (error) {
      toast(inWords(error), "bad");
    }
  };
  const dialog = open(t("delete_question", { title: document.title }),
    el("p", {}, t("delete_text")),
    el("div", { class: "dialog-buttons" },
      el("button", { type: "button", class: "button", autofocus: true, on: { click: () => dialog.close() } }, t("cancel")),
      el("button", { type: "button", class: "button danger", on: { click: remove } }, t("delete_document")),
    ),
  );
}

export function askForKey() {
  const field = el("input", { type: "password", class: "small-field", autocomplete: "current-password", "aria-label": t("owner_key"), value: ownerKey.get() });
  const use = async (event) => {
    event.preventDefault();
    ownerKey.set(field.value.trim());
    byId("dialog").close();
    await Promise.all([fetchStatus(), fetchShelf()]);
  };
  open(t("owner_key"), el("form", { class: "key-form", on: { submit: use } }, el("p", {}, t("owner_key_text")), field, el("button", { class: "button primary" }, t("use_key"))));
  field.focus();
}

export async function fetchStatus() {
  try {
    set({ status: await call("GET", path("status")) });
  } catch (error) {
    if (error.code === "unauthenticated" && ownerKey.get()) ownerKey.set("");
    set({ status: null });
    toast(inWords(error), "bad");
  }
}
