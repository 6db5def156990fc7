// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What GET /api/live/autopilots tells, read with care: nothing of it is certain.
export const SEVERITIES = ["emergency", "alert", "critical", "error", "warning", "notice", "info", "debug"] as const;
export type Severity = (typeof SEVERITIES)[number];

export interface Message {
  time: number; // s, simulated
  severity: Severity;
  text: string;
}
export interface Autopilot {
  id: string;
  kind: string;
  system: number;
  mode: string; // as ground stations call it; empty: not known
  armed: boolean;
  trouble: string; // why it does not fly its vehicle, or why nobody knows; empty: it flies
  companion: string; // what the run does as its companion; empty: it is none
  messages: Message[]; // the oldest first
}
export interface Link {
  address: string;
  state: string;
  peers: string[];
  receivedRate: number; // frames per second
  sentRate: number;
  lost: number;
  bad: number;
  refused: number;
  dropped: number;
  signed: boolean;
}
export interface Lockstep {
  kind: string;
  vehicles: number;
  gone: number;
  rate: number; // exchanges per second
  factor: number; // simulated seconds per second
  wait: number; // s
  slowest: string; // empty: not known yet
  slowestWait: number; // s
  waitingFor: string[];
}
export interface Told {
  total: number;
  vehicles: Autopilot[];
  links: Link[];
  lockstep: Lockstep[];
}

type Loose = Record<string, unknown>;
const isObject = (x: unknown): x is Loose => typeof x === "object" && x !== null && !Array.isArray(x);
const num = (x: unknown): number => (typeof x === "number" && Number.isFinite(x) ? x : 0);
const text = (x: unknown): string => (typeof x === "string" ? x : "");
const objects = (x: unknown): Loose[] => (Array.isArray(x) ? x.filter(isObject) : []);
const texts = (x: unknown): string[] => (Array.isArray(x) ? x.filter((y) => typeof y === "string") : []);

const readMessage = (m: Loose): Message => ({ time: num(m["time"]), severity: SEVERITIES.find((s) => s === m["severity"]) ?? "info", text: text(m["text"]) });

export function readTold(x: unknown): Told | null {
  if (!isObject(x) || !Array.isArray(x["vehicles"])) return null;
  return {
    total: num(x["total"]),
    vehicles: objects(x["vehicles"]).map((v) => ({ id: String(num(v["id"])), kind: text(v["autopilot"]), system: num(v["system"]), mode: text(v["mode"]), armed: v["armed"] === true, trouble: text(v["trouble"]), companion: text(v["companion"]), messages: objects(v["messages"]).map(readMessage) })),
    links: objects(x["links"]).map((l) => ({ address: text(l["address"]), state: text(l["state"]), peers: texts(l["peers"]), receivedRate: num(l["received_rate"]), sentRate: num(l["sent_rate"]), lost: num(l["lost"]), bad: num(l["bad"]), refused: num(l["refused"]), dropped: num(l["dropped"]), signed: l["signed"] === true })),
    lockstep: objects(x["lockstep"]).map((l) => ({ kind: text(l["autopilot"]), vehicles: num(l["vehicles"]), gone: num(l["gone"]), rate: num(l["rate"]), factor: num(l["factor"]), wait: num(l["wait"]), slowest: text(l["slowest"]), slowestWait: num(l["slowest_wait"]), waitingFor: texts(l["waiting_for"]) })),
  };
}

/** How a severity is shown: a shape and a colour of its own for each of three grades. */
export function gradeOf(severity: Severity): "bad" | "warn" | "info" {
  const n = SEVERITIES.indexOf(severity);
  return n <= 3 ? "bad" : n === 4 ? "warn" : "info";
}

/** Messages that were not there before, the newest last. A list that begins anew is new as a whole. */
export function newMessages(before: readonly Message[], now: readonly Message[]): Message[] {
  const same = (a: Message, b: Message): boolean => a.time === b.time && a.text === b.text;
  const last = before.at(-1);
  if (!last) return [...now];
  const at = now.findLastIndex((m) => same(m, last));
  return now.slice(at + 1);
}

/** At most so many names, and how many more. */
export const named = (names: readonly string[], most = 3): string => names.slice(0, most).join(", ") + (names.length > most ? ` and ${names.length - most} more` : "");
