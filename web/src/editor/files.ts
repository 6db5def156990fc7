// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Opening, saving, running. Shipped scenarios stay as they are: what is changed goes to a name of the user's own. A file that changed on the
// server meanwhile is never overwritten unasked.
import { backToLive } from "../app/sources.ts";
import * as s from "../app/state.ts";
import * as api from "./api.ts";
import { loadText } from "./code.ts";
import { keepDraft, readDraft, rememberEdited } from "./drafts.ts";
import * as m from "./model.ts";
import { plainName } from "./names.ts";

export const BLANK = `name: new scenario
description: what it shows
duration: 30        # s
flocks:
  - name: alpha
    airframe: crazyflie
    vehicles: {grid: {count: 9, spacing: 2}}
    mission: {hold: {height: 5}}
`;
const unix = (text: string): string => text.replaceAll("\r\n", "\n");
const asSaved = (text: string): string => (m.file.value?.crlf ? text.replaceAll("\n", "\r\n") : text);
let list: api.Entry[] = [];
let asked = 0;

export async function scenarios(): Promise<api.Entry[] | Error> {
  const found = await api.listScenarios();
  if (!(found instanceof Error)) list = found;
  return found;
}
/** A name that neither a shipped nor an own scenario has. */
export function freeName(like: string): string {
  const taken = new Set(list.map((e) => e.name));
  const stem = plainName(like).slice(0, 56) || "scenario";
  for (let k = 1; ; k++) {
    const name = k === 1 ? stem : `${stem}-${k}`;
    if (!taken.has(name)) return name;
  }
}

// ---------------------------------------------------------------- opening
export async function open(name: string): Promise<void> {
  if (!name) {
    m.phase.value = "empty";
    m.file.value = null;
    m.modal.value = "open";
    return;
  }
  if (m.file.value?.name === name && m.phase.value === "open") return;
  const mine = ++asked;
  m.phase.value = "loading";
  m.failure.value = "";
  const [known, , found] = await Promise.all([m.learn(), scenarios(), api.readScenario(name)]);
  if (mine !== asked) return;
  const draft = readDraft(name);
  const gone = found instanceof Error;
  if (!known || (gone && !(draft && draft.base === null))) {
    m.phase.value = "failed";
    if (gone) m.failure.value = found.message;
    return;
  }
  take(name, gone ? null : found);
  if (draft) restore(draft.text, draft.base);
}
function take(name: string, found: string | null): void {
  const base = found === null ? null : unix(found);
  begin({ name, base, saved: list.find((e) => e.name === name)?.saved ?? base === null, crlf: found?.includes("\r\n") ?? false }, base ?? "");
}
function begin(file: m.File, text: string): void {
  m.forget();
  m.verdict.value = null;
  m.preview.value = null;
  m.theirs.value = null;
  m.selected.value = [];
  m.at.value = -1;
  m.tool.value = "select";
  m.modal.value = "";
  m.file.value = file;
  m.phase.value = "open";
  rememberEdited(file.name);
  loadText(text);
}
function restore(draft: string, base: string | null): void {
  const f = m.file.value!;
  if (draft === f.base) return void keepDraft(f.name, null);
  loadText(draft);
  if (base !== f.base) {
    m.theirs.value = f.base;
    m.file.value = { ...f, base };
  } else s.notify("info", "Your unsaved changes are back.", [{ title: "Discard them", run: () => (m.modal.value = "discard") }], 12);
}
export async function openNew(name: string, text: string): Promise<void> {
  const mine = ++asked;
  if (!(await m.learn()) || mine !== asked) return;
  begin({ name, base: null, saved: true, crlf: false }, unix(text));
  keepDraft(name, { text: m.text.value, base: null });
}
/** Kept whenever the text changes; gone when it is what the server has. */
export function keep(): void {
  const f = m.file.value;
  if (!f || m.phase.value !== "open") return;
  if (!keepDraft(f.name, f.base === m.text.value ? null : { text: m.text.value, base: f.base })) s.notify("warn", "This draft is too large to survive a reload: save it.", [], 6);
}
let keepTimer = 0;
export function keepSoon(): void {
  clearTimeout(keepTimer);
  keepTimer = window.setTimeout(keep, 250);
}
window.addEventListener("pagehide", keep);
export function discard(): void {
  const f = m.file.value;
  if (!f) return;
  m.modal.value = "";
  if (f.base !== null) return loadText(f.base);
  keepDraft(f.name, null);
  m.file.value = null;
  void open("");
}

// ---------------------------------------------------------------- what changed on the server
export async function lookAgain(): Promise<void> {
  const f = m.file.value;
  if (!f || f.base === null || m.phase.value !== "open" || m.theirs.value !== null) return;
  const found = await api.readScenario(f.name);
  if (found instanceof Error || m.file.value !== f || unix(found) === f.base) return;
  if (unix(found) === m.text.value) m.file.value = { ...f, base: m.text.value };
  else if (f.base === m.text.value) {
    m.file.value = { ...f, base: unix(found) };
    loadText(unix(found));
    s.notify("info", `${f.name} changed on the server; this is its text now.`);
  } else m.theirs.value = unix(found);
}
export function keepMine(): void {
  const f = m.file.value;
  if (!f || m.theirs.value === null) return;
  m.file.value = { ...f, base: m.theirs.value };
  m.theirs.value = null;
  m.modal.value = "";
  keep();
}
export function takeTheirs(): void {
  const f = m.file.value;
  const text = m.theirs.value;
  if (!f || text === null) return;
  m.file.value = { ...f, base: text };
  m.theirs.value = null;
  m.modal.value = "";
  loadText(text);
}

// ---------------------------------------------------------------- saving
/** Saves under a name of the user's own; says why not. */
export async function saveAs(name: string): Promise<boolean> {
  const may = m.mayWrite();
  const f = m.file.value;
  if (!f || may !== true) return (s.notify("warn", `Not saved: ${may === true ? "nothing is open" : may}.`), false);
  if (name === f.name && f.base !== null) {
    const now = await api.readScenario(name);
    if (!(now instanceof Error) && unix(now) !== f.base && unix(now) !== m.text.value) {
      m.theirs.value = unix(now);
      m.modal.value = "conflict";
      return false;
    }
  }
  const text = m.text.value;
  const done = await api.saveScenario(name, asSaved(text));
  if (done instanceof Error) return (s.notify("bad", `${name} was not saved: ${done.message}.`), false);
  keepDraft(f.name, null);
  m.file.value = { ...f, name, base: text, saved: true };
  m.modal.value = "";
  rememberEdited(name);
  if (m.text.value !== text) keep();
  void scenarios();
  s.notify("info", `Saved as ${name} in your own folder.`, [], 4);
  return true;
}
/** A shipped scenario asks for a name first. */
export async function save(): Promise<boolean> {
  const f = m.file.value;
  if (!f) return false;
  if (!f.saved) return ((m.modal.value = "save"), false);
  if (!m.dirty.value) return (s.notify("info", "Nothing has changed.", [], 3), true);
  return saveAs(f.name);
}

// ---------------------------------------------------------------- running
export const running = { busy: false };
export async function run(): Promise<void> {
  const f = m.file.value;
  if (!f || running.busy) return;
  running.busy = true;
  try {
    const word = await m.checkNow();
    if (m.errors.value.length) return s.notify("bad", `Not started: ${m.errors.value[0].message} (line ${m.errors.value[0].line}).`, [{ title: "Show it", run: () => s.editor.value?.nextProblem(1) }]);
    if (!word?.ok) return s.notify("bad", `Not started: ${m.unreachable.value || "the server has not answered"}.`);
    if (m.dirty.value && !(await saveAs(f.saved ? f.name : freeName(`${f.name}-mine`)))) return;
    const started = await api.startScenario(m.file.value!.name);
    if (started instanceof Error) return s.notify("bad", `Not started: ${started.message}.`);
    s.hot.keepFitting = false; // the same camera
    s.page.value = "view";
    backToLive();
    s.said.value = `Running ${m.file.value!.name}`;
  } finally {
    running.busy = false;
  }
}
