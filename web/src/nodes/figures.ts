// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What GET /api/live/nodes tells, read with care, and what is kept of it: the newest figures of every node and their past.
export const QUANTITIES = ["rate", "latency", "age", "skew", "memory"] as const;
export type Quantity = (typeof QUANTITIES)[number];
export const VIEWS = ["committed", "aligned", "newest", "paper"] as const;
export type View = (typeof VIEWS)[number];

export interface Node {
  member: number;
  name: string;
  host: string;
  state: string;
  incarnation: number;
  tick: number;
  silence: number; // s since it was last heard
  load: number; // share of the period
  rollbacks: number;
}
export interface ShownView {
  view: View;
  tick: number;
  skew: number; // ticks between the nodes that are shown
  nodes: number; // that are in the frame
  age: number | null; // s, of the oldest state in it; null: not measured
}
export interface Federation {
  name: string;
  live: boolean; // every node goes by the clock: no tick is settled by all
  committed: number;
  aligned: number;
  rate: number; // ticks per second
  period: number; // s on the wall; 0: none
  overloaded: boolean;
  nodes: Node[];
  views: ShownView[];
}
/** By sample: times on the wall, and of each quantity a list for every node. */
export interface Past {
  last: number; // number of the newest sample
  time: number[];
  values: Record<Quantity, (number | null)[][]>;
}

const MOST = 1200; // samples, ten minutes
type Loose = Record<string, unknown>;
const isObject = (x: unknown): x is Loose => typeof x === "object" && x !== null && !Array.isArray(x);
const num = (x: unknown): number => (typeof x === "number" && Number.isFinite(x) ? x : 0);
const list = (x: unknown): unknown[] => (Array.isArray(x) ? x : []);
const text = (x: unknown): string => (typeof x === "string" ? x : "");

export function readFederation(x: unknown): Federation | null {
  if (!isObject(x) || !Array.isArray(x["nodes"])) return null;
  const nodes = x["nodes"].filter(isObject).map((n): Node => ({ member: num(n["member"]), name: text(n["name"]) || String(num(n["member"])), host: text(n["host"]), state: text(n["state"]), incarnation: num(n["incarnation"]), tick: num(n["tick"]), silence: num(n["silence"]), load: num(n["load"]), rollbacks: num(n["rollbacks"]) }));
  const views = list(x["views"]).filter(isObject).flatMap((v): ShownView[] => {
    const view = VIEWS.find((name) => name === v["view"]);
    return view ? [{ view, tick: num(v["tick"]), skew: num(v["skew"]), nodes: num(v["nodes"]), age: typeof v["age"] === "number" ? num(v["age"]) : null }] : [];
  });
  return { name: text(x["federation"]), live: x["mode"] === "live", committed: num(x["committed"]), aligned: num(x["aligned"]), rate: num(x["rate"]), period: num(x["period"]), overloaded: x["overloaded"] === true, nodes, views };
}

export const emptyPast = (): Past => ({ last: 0, time: [], values: { rate: [], latency: [], age: [], skew: [], memory: [] } });

/** The past with what an answer adds. Samples that are known already, and those that do not fit together, add nothing. */
export function addSamples(past: Past, x: unknown): Past {
  const samples = isObject(x) && isObject(x["samples"]) ? x["samples"] : {};
  const numbers = list(samples["number"]).map(num);
  const times = list(samples["time"]).map(num);
  const fresh = numbers.flatMap((n, k) => (n > past.last && k < times.length ? [k] : []));
  if (!fresh.length) return past;
  const before = past.time.length;
  const keep = (all: readonly (number | null)[]): (number | null)[] => all.slice(-MOST);
  const column = (q: Quantity): (number | null)[][] => {
    const told = list(samples[q]).map(list);
    const old = past.values[q];
    return Array.from({ length: Math.max(old.length, told.length) }, (_, node) => {
      const head: (number | null)[] = old[node] ?? new Array<null>(before).fill(null);
      return keep([...head, ...fresh.map((k) => { const v = told[node]?.[k]; return typeof v === "number" && Number.isFinite(v) ? v : null; })]);
    });
  };
  return { last: numbers[fresh.at(-1)!], time: keep([...past.time, ...fresh.map((k) => times[k])]) as number[], values: { rate: column("rate"), latency: column("latency"), age: column("age"), skew: column("skew"), memory: column("memory") } };
}

/** Of so many nodes each has a line; of more, the lowest, the middle and the highest have one. */
export const MOST_LINES = 6;
export function linesOf(values: readonly (readonly (number | null)[])[], length: number): (number | null)[][] {
  if (values.length <= MOST_LINES) return values.map((v) => [...v]);
  const lines: (number | null)[][] = [[], [], []];
  for (let k = 0; k < length; k++) {
    const here = values.flatMap((v) => (typeof v[k] === "number" ? [v[k] as number] : [])).sort((a, b) => a - b);
    lines.forEach((line, i) => line.push(here.length ? here[i === 0 ? 0 : i === 1 ? here.length >> 1 : here.length - 1] : null));
  }
  return lines;
}
