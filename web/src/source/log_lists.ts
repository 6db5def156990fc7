// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the lists of a recording say: its head, its vehicles, events and metrics. Lists are numbered over the whole file, so a block that was
// lost leaves a gap and moves nothing.
import { Reader } from "./log_bytes.ts";

export interface RunHead {
  program: string;
  scenario: string;
  description: string;
  seed: string;
  tickNs: number;
  precision: string;
  startTick: number;
  duration: number; // s, planned
  worlds: number;
  vehicles: number;
  started: number; // s since 1970
  view: boolean;
  bounds: { position: number; velocity: number; angle: number };
  flocks: { name: string; airframe: string; model: string }[];
  bundle: { main: string; overrides: string[]; files: { name: string; text: string }[] };
  extra: Record<string, unknown>;
}
export const NEVER = Infinity;
const UNKNOWN_MODE = 15;
const MOST_MODES = 2 ** 22; // changes of one recording that are kept: a few bytes may name many
export interface RosterEntry {
  id: string;
  name: string;
  flock: number;
  world: number;
  spawnTick: number; // the first tick that has it
  removalTick: number; // the first that has it no more
  lost: boolean; // only its index is known
  modes: { tick: number; mode: number }[]; // flight modes, each from its tick on; none in a recording without a view
}
export interface RunEvent {
  tick: number;
  vehicle: string;
  name: string;
  what: string;
}
export interface RunMetric {
  tick: number;
  name: string;
  value: number;
  unit: string;
}

type Json = Record<string, unknown>;
const text = (x: unknown, otherwise = ""): string => (typeof x === "string" ? x : otherwise);
const number = (x: unknown, otherwise = 0): number => (typeof x === "number" && Number.isFinite(x) ? x : otherwise);
const object = (x: unknown): Json => (typeof x === "object" && x !== null && !Array.isArray(x) ? (x as Json) : {});
const list = (x: unknown): unknown[] => (Array.isArray(x) ? x : []);
const tickOf = (x: unknown): number => (Number.isSafeInteger(x) && (x as number) >= 0 ? (x as number) : -1);

function parse(payload: Uint8Array): Json | Error {
  try {
    return object(JSON.parse(new TextDecoder().decode(payload)));
  } catch {
    return new Error("cannot be understood");
  }
}

export function readHead(payload: Uint8Array): RunHead | Error {
  const j = parse(payload);
  if (j instanceof Error) return j;
  const tickNs = number(j["tick_ns"]);
  const startTick = tickOf(j["start_tick"] ?? 0);
  if (j["format"] !== "volary recording" || !(tickNs > 0 && tickNs <= 1e12) || startTick < 0) return new Error("cannot be understood");
  const bounds = object(j["bounds"]);
  const bundle = object(j["bundle"]);
  return {
    program: text(j["program"]), scenario: text(j["scenario"]), description: text(j["description"]), seed: text(j["seed"]), tickNs, precision: text(j["precision"], "float"), startTick,
    duration: number(j["duration_s"]), worlds: number(j["worlds"], 1), vehicles: number(j["vehicles"]), started: number(j["started"]), view: j["view"] === true,
    bounds: { position: number(bounds["position_m"]), velocity: number(bounds["velocity_m_s"]), angle: number(bounds["angle_rad"]) },
    flocks: list(j["flocks"]).map(object).map((f) => ({ name: text(f["name"]), airframe: text(f["airframe"]), model: text(f["model"]) })),
    bundle: { main: text(bundle["main"]), overrides: list(bundle["overrides"]).map((o) => text(o)), files: list(bundle["files"]).map(object).map((f) => ({ name: text(f["name"]), text: text(f["text"]) })) },
    extra: object(j["extra"]),
  };
}

/** Entries of a list that is numbered over the whole file, in their order, each once. */
export class Numbered<T> {
  private readonly found = new Map<number, T>();
  add(at: number, entry: T): void {
    if (!this.found.has(at)) this.found.set(at, entry);
  }
  get size(): number {
    return this.found.size;
  }
  sorted(): [number, T][] {
    return [...this.found].sort((a, b) => a[0] - b[0]);
  }
}

/** An id as people see it: the number of the vehicle, and which of them where several had the same one after each other. */
function plainId(id: bigint): string {
  const generation = id >> 40n;
  return `${id & 0xffffffffffn}${generation > 1n ? `.${generation}` : ""}`;
}
export type RosterChange = { index: number; tick: number; entry?: RosterEntry; modes?: { count: number; mode: number } }; // neither: the vehicle goes
export function readRoster(payload: Uint8Array, out: Numbered<RosterChange>): Error | null {
  const r = new Reader(payload);
  const first = r.u64();
  const n = r.count(13);
  for (let k = 0; k < n && r.good; k++) {
    const kind = r.u8();
    const [index, tick] = [r.u32(), r.u64()];
    if (kind === 1) {
      const [id, flock, world, name] = [r.id(), r.u32(), r.u32(), r.text(65535)];
      if (r.good) out.add(first + k, { index, tick, entry: { id: plainId(id), name, flock, world, spawnTick: tick, removalTick: NEVER, lost: false, modes: [] } });
    } else if (kind === 3) {
      const modes = { count: r.u32(), mode: r.u8() };
      if (modes.mode > UNKNOWN_MODE) return new Error("cannot be understood");
      if (r.good) out.add(first + k, { index, tick, modes });
    } else if (kind !== 2) return new Error("cannot be understood");
    else if (r.good) out.add(first + k, { index, tick });
  }
  return r.good && r.left === 0 ? null : new Error("cannot be understood");
}

export function readJsonList<T>(payload: Uint8Array, key: string, out: Numbered<T>, read: (j: Json) => T | null): Error | null {
  const j = parse(payload);
  if (j instanceof Error) return j;
  const first = tickOf(j["first"]);
  if (first < 0) return new Error("cannot be understood");
  let all = true;
  list(j[key]).forEach((x, k) => {
    const entry = read(object(x));
    if (entry) out.add(first + k, entry);
    else all = false;
  });
  return all ? null : new Error("has entries that cannot be understood");
}
export function readEvent(j: Json): RunEvent | null {
  const tick = tickOf(j["tick"]);
  const whose = text(j["vehicle"]);
  return tick < 0 ? null : { tick, vehicle: /^\d{1,20}$/.test(whose) ? plainId(BigInt(whose)) : whose, name: text(j["name"]), what: text(j["what"]) };
}
export function readMetric(j: Json): RunMetric | null {
  const tick = tickOf(j["tick"]);
  return tick < 0 ? null : { tick, name: text(j["name"]), value: number(j["value"], NaN), unit: text(j["unit"]) };
}

/** How many changes of the roster there were by a tick: what a block of hashes, or the end of the file, says. */
export interface RosterCount {
  lastTick: number;
  roster: number;
}
/** The ticks from which flight modes are unknown, ascending, each vehicle's until its next change: there, changes of the roster were lost. */
export function lostModes(changes: Numbered<RosterChange>, counts: RosterCount[], startTick: number): number[] {
  const ticks: number[] = [];
  const lostFrom = (number: number, before: number): void => {
    const from = counts.reduce((t, c) => (c.roster <= number ? Math.max(t, c.lastTick + 1) : t), startTick);
    ticks.push(Math.max(from, before));
    if (before >= from) ticks.push(before + 1); // who changed at that very tick is known then, and not afterwards
  };
  let [next, before] = [0, 0];
  for (const [at, c] of changes.sorted()) {
    if (at > next) lostFrom(next, before);
    next = at + 1;
    before = Math.max(before, c.tick);
  }
  if (counts.some((c) => c.roster > next)) lostFrom(next, before);
  return ticks.sort((a, b) => a - b);
}
export function readCount(payload: Uint8Array, lastTick: number): RosterCount {
  const r = new Reader(payload);
  r.u64(); // inputs
  return { lastTick, roster: r.u64() };
}
/** What became of the run, as its end says; empty where nothing is said. */
export function readVerdict(payload: Uint8Array): string {
  const j = parse(payload.subarray(8));
  return j instanceof Error ? "" : text(j["verdict"]);
}
export function readEnd(payload: Uint8Array): RosterCount | null {
  const j = parse(payload.subarray(8)); // after the place of the last index
  const [lastTick, roster] = j instanceof Error ? [-1, -1] : [tickOf(j["last_tick"]), tickOf(j["roster"])];
  return lastTick < 0 || roster < 0 ? null : { lastTick, roster };
}

/** What is not kept because there is too much of it is unknown from a tick on, which is added to `unknownFrom`. */
export function buildRoster(changes: Numbered<RosterChange>, unknownFrom: number[] = []): RosterEntry[] {
  const roster: RosterEntry[] = [];
  let modes = 0;
  let cut = false;
  for (const [at, c] of changes.sorted()) {
    if (c.index > at) continue; // the vehicle with index i is at least the i-th entry
    if (c.modes) {
      const end = Math.min(roster.length, c.index + c.modes.count);
      let k = c.index;
      for (; k < end && modes < MOST_MODES; k++, modes++) if (c.tick > (roster[k].modes.at(-1)?.tick ?? -1)) roster[k].modes.push({ tick: c.tick, mode: c.modes.mode });
      if (k < end && !cut) unknownFrom.push(c.tick, c.tick + 1);
      cut ||= k < end;
      continue;
    }
    while (roster.length <= c.index) roster.push({ id: `lost-${roster.length}`, name: "(lost)", flock: 0, world: 0, spawnTick: 0, removalTick: NEVER, lost: true, modes: [] });
    if (c.entry) roster[c.index] = c.entry;
    else roster[c.index].removalTick = c.tick;
  }
  return roster;
}

/** The flight mode of a vehicle at a tick; 15 where the recording does not say it. `unknownFrom` as lostModes() gives it. */
export function modeAt(entry: RosterEntry, tick: number, unknownFrom: number[] = []): number {
  const { modes } = entry;
  let [low, high] = [0, modes.length];
  while (low < high) {
    const mid = (low + high) >> 1;
    if (modes[mid].tick <= tick) low = mid + 1;
    else high = mid;
  }
  if (low === 0) return UNKNOWN_MODE;
  // the last change that is known says nothing once others were lost after it
  const last = modes[low - 1];
  return unknownFrom.some((from) => last.tick < from && from <= tick) ? UNKNOWN_MODE : last.mode;
}
