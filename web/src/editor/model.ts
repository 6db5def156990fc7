// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What is edited: one text, what it parses to, what is wrong with it, what of it is selected. Form, scene and outline read these and
// change the text; nothing else keeps a copy of the scenario.
import { computed, signal } from "@preact/signals";
import * as s from "../app/state.ts";
import * as api from "./api.ts";
import { schemaProblems, syntaxProblems, type Problem } from "./check.ts";
import { crowded } from "./crowding.ts";
import { changedLines, diffLines } from "./diff.ts";
import { fieldAt, type Schema } from "./schema.ts";
import { fieldOf, isUnder, parse, pathOf, spotOf, type Parsed, type Path } from "./yaml_text.ts";

export interface File {
  name: string;
  base: string | null; // the text as the server has it; null: it has none under this name
  saved: boolean; // in the user's own folder; shipped ones are never overwritten
  crlf: boolean; // how its lines end, kept when it is saved
}
export type Tool = "select" | "vehicle" | "waypoint" | `region:${string}`;
export type Modal = "" | "open" | "diff" | "save" | "conflict" | "discard";

export const file = signal<File | null>(null);
export const phase = signal<"empty" | "loading" | "open" | "failed">("empty");
export const failure = signal("");
export const schema = signal<Schema | null>(null);
export const airframes = signal<api.AirframeEntry[]>([]);
export const text = signal("");
export const parsed = signal<Parsed>(parse("")); // of the text, a little late while somebody types
export const good = signal<Parsed>(parsed.value); // the last one without errors
export const verdict = signal<(api.Verdict & { text: string }) | null>(null);
export const preview = signal<api.Preview | null>(null);
export const unreachable = signal("");
export const theirs = signal<string | null>(null); // what the file became on the server meanwhile
export const selected = signal<Path>([]);
export const tool = signal<Tool>("select");
export const panel = signal<"form" | "yaml" | "outline">("form");
export const modal = signal<Modal>("");
export const at = signal(-1); // which problem F8 went to

export const broken = computed(() => parsed.value.doc.errors.length > 0);
/** The picture is older than the text. */
export const stale = computed(() => broken.value || (verdict.value !== null && !verdict.value.ok) || unreachable.value !== "");
export const changes = computed(() => {
  const f = file.value;
  if (!f) return 0;
  if (f.base === text.value) return 0;
  return changedLines(diffLines(f.base ?? "", text.value));
});
export const dirty = computed(() => file.value !== null && file.value.base !== text.value);

export const problems = computed<Problem[]>(() => {
  const p = parsed.value;
  const found = syntaxProblems(p);
  if (broken.value) return found;
  const word = verdict.value?.text === p.text ? verdict.value : null;
  const doubtful = preview.value && word?.ok ? crowded(preview.value).map((c): Problem => ({ level: "warning", ...spotOf(p, c.path), field: fieldOf(c.path), message: c.message, suggestion: c.suggestion })) : [];
  // The server's word counts: what it takes is good, whatever the page thought.
  const local = schema.value && !word?.ok ? schemaProblems(p, schema.value) : [];
  const told = (word?.problems ?? []).map((x) => placed(p, x)).filter((x) => !local.some((l) => l.line === x.line && (l.field === x.field || !x.field || !l.field)));
  return [...found, ...local, ...told, ...doubtful].sort((a, b) => (a.level === b.level ? a.from - b.from : a.level === "error" ? -1 : 1));
});
export const errors = computed(() => problems.value.filter((x) => x.level === "error"));
function placed(p: Parsed, x: api.Verdict["problems"][number]): Problem {
  const path = pathOf(x.field ?? "");
  const spot = spotOf(p, path);
  const lines = p.text.split("\n");
  if (!x.line || x.line === spot.line || x.line > lines.length) return { level: "error", ...spot, field: x.field, message: x.message, suggestion: x.suggestion };
  const start = lines.slice(0, x.line - 1).reduce((n, l) => n + l.length + 1, 0);
  const from = start + Math.min(Math.max(0, x.column - 1), lines[x.line - 1].length);
  return { level: "error", line: x.line, column: Math.max(1, x.column), from, to: start + lines[x.line - 1].length, field: x.field, message: x.message, suggestion: x.suggestion };
}
export const problemsUnder = (path: Path): Problem[] => problems.value.filter((x) => x.field && isUnder(pathOf(x.field), path));
/** Those of a field itself, or of what has no field of its own below it. */
export const problemsAt = (path: Path): Problem[] => problems.value.filter((x) => x.field === fieldOf(path));
export const order = (map: Path): string[] => Object.keys((schema.value && fieldAt(schema.value, map)?.schema.properties) ?? {});

// ---------------------------------------------------------------- parsing and checking, each in its time
const SYNTAX = 150; // ms after the last key
const MEANING = 500;
const LARGE = 30_000; // characters: such a text is parsed when nothing moves
let parseTimer = 0;
let checkTimer = 0;
let asking: AbortController | null = null;

export const hand = { busy: false }; // something is being dragged
export function textChanged(next: string, typed: boolean): void {
  text.value = next;
  clearTimeout(parseTimer);
  if (hand.busy && next.length > LARGE) return; // when it is let go
  if (typed || next.length > LARGE) parseTimer = window.setTimeout(parseNow, SYNTAX);
  else parseNow();
  checkSoon(typed ? MEANING : 60);
}
export function parseNow(): void {
  clearTimeout(parseTimer);
  if (parsed.value.text === text.value) return;
  const p = parse(text.value);
  if (!p.doc.errors.length && p.value !== undefined) good.value = p;
  parsed.value = p;
}
export function checkSoon(ms: number): void {
  clearTimeout(checkTimer);
  checkTimer = window.setTimeout(() => void checkNow(), ms);
}
export async function checkNow(): Promise<api.Verdict | null> {
  clearTimeout(checkTimer);
  parseNow();
  asking?.abort();
  asking = new AbortController();
  const mine = asking;
  const asked = text.value;
  const word = await api.checkScenario(asked, mine.signal);
  if (mine !== asking) return null;
  if (word instanceof Error) {
    unreachable.value = word.message;
    checkSoon(3000);
    return null;
  }
  unreachable.value = "";
  verdict.value = { ...word, text: asked };
  if (word.preview) preview.value = word.preview;
  return word;
}
export function forget(): void {
  clearTimeout(parseTimer);
  clearTimeout(checkTimer);
  asking?.abort();
  asking = null;
}

/** The schema and the airframes are asked for once. */
export async function learn(): Promise<boolean> {
  if (!schema.value) {
    const [a, b] = await Promise.all([api.readSchema(), api.listAirframes()]);
    if (a instanceof Error) {
      failure.value = a.message;
      return false;
    }
    schema.value = a;
    airframes.value = b instanceof Error || !Array.isArray(b) ? [] : b;
  }
  return true;
}
export const mayWrite = (): true | string => (s.viewOnly.value ? "this token may only look" : true);
