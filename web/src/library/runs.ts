// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The list of recorded runs as the server tells it: read with care, searched, sorted and compared as plain values.
import { number, quantity } from "../app/units.ts";
import { capital, pathWords, settingWords, words } from "../app/words.ts";

export interface Run {
  id: string;
  scenario: string;
  seed: string;
  hash: string;
  duration: number; // s, simulated
  planned: number; // s, 0: open
  ticks: number;
  vehicles: number;
  started: number; // ms since 1970, NaN when not told
  bytes: number;
  state: string;
  verdict: string; // passed, failed, incomplete, no tasks; empty: not told
  reason: string;
  overrides: string[]; // path=value: what was set for this run
  tags: string[];
  metrics: Record<string, number>;
}
export type Column = "scenario" | "started" | "duration" | "vehicles" | "seed" | "hash" | "bytes" | "verdict";
export interface Order {
  by: Column;
  down: boolean;
}

const text = (x: unknown): string => (typeof x === "string" ? x : typeof x === "number" ? String(x) : "");
const finite = (x: unknown): number => (typeof x === "number" && Number.isFinite(x) ? x : 0);
export function readRuns(json: unknown): Run[] {
  if (!Array.isArray(json)) return [];
  return json
    .filter((r): r is Record<string, unknown> => typeof r === "object" && r !== null && typeof (r as { id?: unknown }).id === "string")
    .map((r) => ({
      id: text(r["id"]),
      scenario: text(r["scenario"]) || "unnamed",
      seed: text(r["seed"]),
      hash: text(r["hash"]),
      duration: finite(r["duration"]),
      planned: finite(r["planned"]),
      ticks: finite(r["ticks"]),
      vehicles: finite(r["vehicles"]),
      started: typeof r["started"] === "number" ? r["started"] * 1000 : Date.parse(text(r["started"])),
      bytes: finite(r["bytes"]),
      state: text(r["state"]),
      verdict: text(r["verdict"]),
      reason: text(r["reason"]),
      overrides: Array.isArray(r["overrides"]) ? r["overrides"].map(text).filter(Boolean) : [],
      tags: Array.isArray(r["tags"]) ? r["tags"].map(text).filter(Boolean) : [],
      metrics: Object.fromEntries(Object.entries((r["metrics"] as Record<string, unknown> | undefined) ?? {}).filter((m): m is [string, number] => typeof m[1] === "number")),
    }));
}

export interface Outcome {
  word: string;
  bad: boolean;
  detail: string;
}
/** How a run ended and what became of it: its verdict, and where it ended early when that was. */
export function outcomeOf(r: Run): Outcome {
  const early = r.planned > 0 && r.duration < r.planned - 1e-6 && r.state !== "recording";
  const stopped = early ? `stopped at ${number(r.duration, r.duration < 10 ? 1 : 0)} of ${quantity(r.planned, 0, "s")}` : "";
  const state = r.state === "finished" ? "" : r.state;
  const word = state || r.verdict || r.state || "unknown";
  // the reason of a run that was stopped says that it was
  const reason = r.reason.replace(/^(?:the run )?ended before its planned time(; )?/, "");
  return { word, bad: /crash|cut|damag|diverg|fail/.test(word), detail: [stopped, reason].filter(Boolean).join("; ") };
}

/** Tags as people type them: parted by commas or spaces, each once. */
export const readTags = (text: string): string[] => [...new Set(text.split(/[\s,;]+/).filter(Boolean))];

/** Every word has to be somewhere in what the row shows. */
export function matching(runs: Run[], words: string): Run[] {
  const all = words.toLowerCase().split(/\s+/).filter(Boolean);
  return runs.filter((r) => {
    const where = [r.id, r.scenario, r.seed, r.hash, r.state, r.verdict, r.reason, ...r.overrides, ...r.overrides.map(settingWords), ...r.tags].join(" ").toLowerCase();
    return all.every((w) => where.includes(w));
  });
}
export function sorted(runs: Run[], { by, down }: Order): Run[] {
  const sign = down ? -1 : 1;
  const compare = (a: Run, b: Run): number => {
    const [x, y] = [a[by], b[by]];
    if (typeof x === "number" && typeof y === "number") return sign * ((Number.isNaN(x) ? -Infinity : x) - (Number.isNaN(y) ? -Infinity : y) || 0);
    return sign * String(x).localeCompare(String(y), undefined, { numeric: true });
  };
  return [...runs].sort((a, b) => compare(a, b) || (a.id < b.id ? 1 : -1)); // the newest first among equals
}

export interface Difference {
  name: string;
  a: string;
  b: string;
  difference: string; // empty: the same
}
/** Figures of two runs side by side; those that only one has are shown with a dash. */
export function differences(a: Run, b: Run): Difference[] {
  const plain = (name: string, x: string, y: string): Difference => ({ name, a: x || "\u2013", b: y || "\u2013", difference: x === y ? "" : "differs" });
  const measured = (name: string, x: number | undefined, y: number | undefined, show: (v: number) => string): Difference => {
    const both = x !== undefined && y !== undefined;
    const d = both ? y - x : NaN;
    return { name, a: x === undefined ? "\u2013" : show(x), b: y === undefined ? "\u2013" : show(y), difference: !both ? "differs" : d === 0 ? "" : `${d > 0 ? "+" : ""}${show(d)}` };
  };
  const names = [...new Set([...Object.keys(a.metrics), ...Object.keys(b.metrics)])].sort();
  return [
    plain("Scenario", a.scenario, b.scenario),
    plain("Seed", a.seed, b.seed),
    ...parameters(a, b),
    plain("Verdict", a.verdict, b.verdict),
    plain("State hash at the end", a.hash, b.hash),
    measured("Simulated", a.duration, b.duration, (v) => quantity(v, 2, "s")),
    measured("Vehicles", a.vehicles, b.vehicles, (v) => number(v, 0)),
    ...names.map((n) => measured(metricName(n), a.metrics[n], b.metrics[n], (v) => (n.startsWith("tracking") ? quantity(v, 4, "m") : number(v, 4)))),
    measured("Size", a.bytes, b.bytes, size),
  ];
}
/** What was set for one of the two runs and not for the other, or to another value. */
function parameters(a: Run, b: Run): Difference[] {
  const read = (r: Run): Map<string, string> => new Map(r.overrides.map((o) => [o.slice(0, o.indexOf("=")), o.slice(o.indexOf("=") + 1)]));
  const [x, y] = [read(a), read(b)];
  const unset = "as in the file";
  return [...new Set([...x.keys(), ...y.keys()])].sort().filter((path) => x.get(path) !== y.get(path)).map((path) => ({ name: capital(pathWords(path)), a: x.get(path) ?? unset, b: y.get(path) ?? unset, difference: "differs" }));
}
const metricName = (n: string): string => ({ "tracking error/max": "Tracking error, largest", "tracking error/rms": "Tracking error, RMS" })[n] ?? capital(words(n.replace(/^events\//, "events: ")));
export const size = (n: number): string => (Math.abs(n) < 999.5 ? quantity(n, 0, "B") : Math.abs(n) < 1e6 ? quantity(n / 1e3, 1, "kB") : Math.abs(n) < 1e9 ? quantity(n / 1e6, 1, "MB") : quantity(n / 1e9, 2, "GB"));
