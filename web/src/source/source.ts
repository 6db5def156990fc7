// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Where snapshots come from. The scene and the panels see only this: a live server, a recorded file over HTTP ranges and a file
// embedded in the page all look the same, and say by `can` what they offer.

import type { BodiesMessage, ControlMessage, EstimatesMessage, SwarmMessage } from "../wire/wire.ts";

/** What people see of a swarm: tasks, radio, who knows of whom by place in the roster, and what one vehicle is about. */
export type Swarm = Omit<SwarmMessage, "type">;

type Vec = [number, number, number];
/** Hub in m (body frame: x forward, y left, z up), direction of turning; then, where told, the axis of its thrust and its radius in m. */
export type Rotor = [x: number, y: number, z: number, spin: number, ax?: number, ay?: number, az?: number, radius?: number];

/** What is drawn of something that is more than its rotors, in m; 0: not told. */
export interface Look {
  kind: "aeroplane" | "flying_wing" | "quadplane" | "car";
  tail: "conventional" | "v";
  span: number; // of the wing, tip to tip
  chord: number; // its mean
  length: number; // over all
  width: number; // of a car
  height: number; // of a car's reference point above the ground
  wheelbase: number;
  toFront: number; // from its reference point to the front axle
  wheels: Vec[]; // where those of an aircraft meet the ground
}

export interface FlockInfo {
  name: string;
  airframe: string;
  model: string;
  rotors: Rotor[];
  size: number; // m, tip to tip
  radius: number; // m, of the sphere that others touch
  controller: string;
  look: Look | null; // null: rotors on arms, or a plain body
  body?: unknown; // of more than one body, or with end effectors: as told, which joined/body.ts reads
}

/** A named part of space: an outline seen from above, between two heights. */
export interface RegionInfo {
  name: string;
  rule: "mark" | "keep_in" | "keep_out";
  centre: [number, number]; // m, east north
  radius: number; // m, 0 unless a cylinder
  corners: [number, number][]; // empty for a cylinder
  floor: number | null; // m, world up; null: no end
  ceiling: number | null;
}

/** Ground that is not flat, as the page draws it: coarser than what vehicles stand on where the map is large. */
export interface TerrainInfo {
  columns: number;
  rows: number;
  east: number; // m, the south-western node
  north: number;
  stepEast: number;
  stepNorth: number;
  up: Float32Array; // m, row by row from the south, each from west to east
}

/** Something that stands in the way: obstacles, and structures that vehicles push against. */
export interface ObstacleInfo {
  name: string;
  kind: "box" | "cylinder" | "sphere" | "mesh";
  centre: [number, number, number]; // m, east north up; of a cylinder its base
  size: number[]; // m: of a box three, of a cylinder radius and height, of a sphere its radius
  yaw: number; // rad, from east towards north
  vertices: Float32Array; // m, three each; of a mesh, in the world
  triangles: Uint32Array;
}

export interface WorldInfo {
  scenario: string;
  description: string;
  seed: string;
  tick: number; // s
  duration: number; // s, 0 when open-ended
  worlds: number;
  flocks: FlockInfo[];
  ground: number; // m, world up
  hasGround: boolean;
  scope: "all" | "view";
  run: string;
  /** Changes when time jumps within a run: nothing is interpolated over it. */
  epoch: number;
  nodes?: number | undefined; // of a federation
  autopilots?: boolean | undefined; // fly vehicles of it
  wind: [number, number, number]; // m/s, east north up, towards which the air moves
  gustSigma: number; // m/s
  hour: number | null; // of the day at the start; null: the scenario says none
  place: { latitude: number; longitude: number; year: number } | null; // of the origin, degrees; null: nowhere on the Earth
  regions: RegionInfo[];
  tasks: { name: string; required: boolean }[]; // in their order; empty also where nobody told them
  terrain: TerrainInfo | null;
  obstacles: ObstacleInfo[];
}

export interface Roster {
  version: number;
  ids: string[];
  names: string[];
  flock: Uint8Array;
  slotOf: Map<string, number>;
}

/** One moment, in the caller's arrays. Positions are relative to `origin`, so that floats stay exact 20 km from home. */
export interface Frame {
  time: number;
  tick: number;
  n: number;
  roster: Roster;
  origin: [number, number, number];
  position: Float32Array; // m, east north up
  attitude: Float32Array; // w x y z, body to world
  velocity: Float32Array; // m/s, world
  state: Uint16Array;
}

export type Coverage = "exact" | "between" | "missing";
export interface Extent {
  first: number;
  last: number; // s
  gaps: [number, number][];
  damage: [number, number][];
}
export interface SimEvent {
  tick: number;
  time: number;
  id: string;
  name: string;
  what: string;
  level: "info" | "warn" | "bad";
}
/** What an event says of a task, or of the mission as a whole; null: it is about something else. */
export function taskOf(what: string): { name: string; state: Swarm["tasks"][number]["state"] | "complete"; detail: string } | null {
  if (what === "mission complete") return { name: "", state: "complete", detail: "" };
  const m = /^task (done|holding|kept so far|failed|open again|open): (.*)$/s.exec(what);
  if (!m) return null;
  // "kept so far" is what recordings of earlier builds say
  const state = m[1] === "kept so far" ? "holding" : m[1] === "open again" ? "open" : (m[1] as "open" | "holding" | "done" | "failed");
  // what is done or holds is told without further words
  const at = state === "done" || state === "holding" ? -1 : m[2].indexOf(" (");
  return { name: at < 0 ? m[2] : m[2].slice(0, at), state, detail: at < 0 ? "" : m[2].slice(at + 2).replace(/\)$/, "") };
}
/** A line that a behaviour logged; null: the event is another one. */
export function logOf(what: string): { behaviour: string; text: string } | null {
  const m = /^log: ([^:]*): (.*)$/s.exec(what);
  return m && !/^\d+ line\(s\) dropped/.test(m[1]) ? { behaviour: m[1], text: m[2] } : null;
}
/** How grave an event is, from its words. */
export function levelOf(what: string): SimEvent["level"] {
  if (logOf(what)) return "info"; // its words are the author's
  if (what.startsWith("log: ")) return "warn"; // lines were dropped
  const task = taskOf(what);
  if (task) return task.state === "failed" ? "bad" : task.state === "open" ? "warn" : "info"; // whatever words its name has
  return /diverg|crash|lost|fail|emergency|^(tipped over|upside down)/i.test(what) ? "bad" : /^fault:|^stuck|warn|limit|low|timeout|refus|recording|(left|entered) region/i.test(what) ? "warn" : "info";
}
export interface Goal {
  id: string;
  position: [number, number, number];
}
export interface Status {
  tick: number;
  time: number;
  state: "running" | "paused" | "finished";
  speed: number;
  factor: number;
  vehicles: number;
  hash: string;
  profile: { stage: string; seconds: number }[];
  metrics: Record<string, number>;
}
/** `plot:` and a name: what behaviours plot under that name. */
export type Quantity = Measured | `plot:${string}`;
export type Measured = "altitude" | "speed" | "climb" | "east" | "north" | "roll" | "pitch" | "yaw";
export const isPlot = (q: Quantity): q is `plot:${string}` => q.startsWith("plot:");
export const plotName = (q: `plot:${string}`): string => q.slice(5);
export interface Series {
  time: Float64Array;
  values: Float64Array[]; // one per id, NaN where missing
}
export interface Command {
  name: string;
  args: Record<string, unknown>;
}
export interface Ack {
  ok: boolean;
  error: string;
}
export type SourceChange =
  | { kind: "world" }
  | { kind: "roster" }
  | { kind: "frames" }
  | { kind: "reset" }
  | { kind: "status"; status: Status }
  | { kind: "event"; event: SimEvent }
  | { kind: "goals"; goals: Goal[] }
  | { kind: "swarm"; swarm: Swarm }
  | { kind: "estimates"; estimates: EstimatesMessage }
  | { kind: "bodies"; bodies: BodiesMessage }
  | { kind: "lease"; id: string; holder: "you" | "other" | "none" }
  | { kind: "notice"; level: "info" | "warn" | "bad"; text: string }
  | { kind: "connection"; up: boolean; retryIn: number; why: string };

export interface SnapshotSource {
  readonly can: { seek: boolean; command: boolean; grow: boolean };
  readonly world: WorldInfo | null;
  readonly interval: number; // s of simulation between two snapshots at the newest end
  want(rateHz: number): void;
  /** What of the swarm is to be told beside its tasks. */
  watch?(wish: { links: boolean; decision: string | null; fields: boolean; stimuli: boolean; plots: string[]; estimates: string[]; bodies: string[]; view: string }): void;
  extent(): Extent;
  at(time: number, out: Frame): Coverage;
  /** The same for a figure beside the picture: it neither hurries the bytes of that moment nor drops those of the picture. */
  glance?(time: number, out: Frame): Coverage;
  /** True while a moment is missing only because its bytes are on their way. */
  loading?(time: number): boolean;
  /** Positions of some vehicles only, without decoding the rest; rows of missing vehicles become NaN. */
  positions(time: number, ids: readonly string[], origin: readonly number[], out: Float32Array, offset: number): boolean;
  series(quantity: Quantity, ids: readonly string[], from: number, to: number, points: number): Series;
  /** What the behaviours of these vehicles plot, by name. Asking may load it: "frames" tells when there is more. */
  plotNames?(ids: readonly string[]): string[];
  events(from: number, to: number): SimEvent[];
  send?(command: Command): Promise<Ack>;
  control?(id: string, velocity: readonly number[], yawRate: number, tilt?: Tilt): void;
  on(f: (change: SourceChange) => void): () => void;
  retry?(): void;
  close(): void;
}

/** How a platform in hand turns beside its yaw, in the words of the message. */
export type Tilt = Pick<ControlMessage, "roll_rate" | "pitch_rate" | "level">;
export const EMPTY_ROSTER: Roster = { version: -1, ids: [], names: [], flock: new Uint8Array(0), slotOf: new Map() };

export function newFrame(capacity: number): Frame {
  return {
    time: 0,
    tick: 0,
    n: 0,
    roster: EMPTY_ROSTER,
    origin: [0, 0, 0],
    position: new Float32Array(3 * capacity),
    attitude: new Float32Array(4 * capacity),
    velocity: new Float32Array(3 * capacity),
    state: new Uint16Array(capacity),
  };
}

export function reserve(frame: Frame, n: number): void {
  if (frame.state.length >= n) return;
  const capacity = Math.ceil(n * 1.25) + 16;
  frame.position = new Float32Array(3 * capacity);
  frame.attitude = new Float32Array(4 * capacity);
  frame.velocity = new Float32Array(3 * capacity);
  frame.state = new Uint16Array(capacity);
}

export function makeRoster(version: number, vehicles: { id: string; name: string; flock: number }[]): Roster {
  const roster: Roster = { version, ids: [], names: [], flock: new Uint8Array(vehicles.length), slotOf: new Map() };
  vehicles.forEach((v, slot) => {
    roster.ids.push(v.id);
    roster.names.push(v.name);
    roster.flock[slot] = v.flock;
    roster.slotOf.set(v.id, slot);
  });
  return roster;
}

const KINDS = ["aeroplane", "flying_wing", "quadplane", "car"] as const;
const metres = (x: unknown): number => (typeof x === "number" && x > 0 && x < 1000 ? x : 0);
/** What is told of a flock's shape, by a hello message, the head of a recording, a preview or the list of airframes. None of it is certain. */
export function readShape(x: unknown): Partial<Pick<FlockInfo, "rotors" | "size" | "radius" | "look" | "controller" | "body">> {
  if (typeof x !== "object" || x === null) return {};
  const { rotors, size_m: size, radius_m: radius, controller, look, body } = x as Record<string, unknown>;
  const out: ReturnType<typeof readShape> = {};
  const sound = (r: unknown): r is number[] => Array.isArray(r) && r.length >= 3 && r.every((c) => Number.isFinite(c) && Math.abs(c as number) < 100);
  if (Array.isArray(rotors) && rotors.length <= 64) out.rotors = rotors.filter(sound).map((r) => (r.length === 8 ? (r as Rotor) : [r[0], r[1], r[2], r[3] ?? 1]));
  if (metres(size)) out.size = size as number;
  if (metres(radius) || metres(size)) out.radius = metres(radius) || metres(size) / 2;
  if (typeof controller === "string") out.controller = controller;
  if (body) out.body = body;
  const l = (typeof look === "object" && look !== null ? look : {}) as Record<string, unknown>;
  const kind = KINDS.find((k) => k === l["kind"]);
  if (kind) out.look = { kind, tail: l["tail"] === "v" ? "v" : "conventional", span: metres(l["span"]), chord: metres(l["chord"]), length: metres(l["length"]), width: metres(l["width"]), height: metres(l["height"]), wheelbase: metres(l["wheelbase"]), toFront: metres(l["to_front"]), wheels: (Array.isArray(l["wheels"]) ? l["wheels"] : []).filter(sound).slice(0, 8).map((w): Vec => [w[0], w[1], w[2]]) };
  return out;
}

/** Wind and regions as a hello message or the head of a recording tells them. What is missing or malformed reads as calm air and no region. */
export function readSurroundings(m: object): Pick<WorldInfo, "wind" | "gustSigma" | "hour" | "place" | "regions" | "tasks" | "terrain" | "obstacles"> {
  const o = m as Record<string, unknown>;
  const finite = (x: unknown): x is number => typeof x === "number" && Number.isFinite(x);
  const list = (x: unknown): unknown[] => (Array.isArray(x) ? x : []);
  const pair = (x: unknown): x is [number, number] => Array.isArray(x) && finite(x[0]) && finite(x[1]);
  const wind = list(o["wind"]);
  const regions = list(o["regions"]).flatMap((x): RegionInfo[] => {
    const r = (typeof x === "object" && x !== null ? x : {}) as Record<string, unknown>;
    const corners = list(r["corners"]).filter(pair).map((c): [number, number] => [c[0], c[1]]);
    const radius = finite(r["radius"]) ? r["radius"] : 0;
    const centre: [number, number] = pair(r["centre"]) ? [r["centre"][0], r["centre"][1]] : [0, 1].map((i) => corners.reduce((sum, c) => sum + c[i], 0) / (corners.length || 1)) as [number, number];
    if (corners.length < 3 && radius <= 0) return [];
    const rule = r["rule"] === "keep_in" || r["rule"] === "keep_out" ? r["rule"] : "mark";
    return [{ name: String(r["name"] ?? "") || "region", rule, centre, radius, corners, floor: finite(r["floor"]) ? r["floor"] : null, ceiling: finite(r["ceiling"]) ? r["ceiling"] : null }];
  });
  const hour = o["time_of_day"];
  return { hour: finite(hour) && hour >= 0 && hour <= 24 ? hour : null, place: readPlace(o["origin"], o["year"]), wind: wind.length === 3 && wind.every(finite) ? (wind as [number, number, number]) : [0, 0, 0], gustSigma: finite(o["gust_sigma"]) ? Math.max(0, o["gust_sigma"]) : 0, regions, tasks: list(o["tasks"]).flatMap(readTask), terrain: readTerrain(o["terrain"]), obstacles: [...list(o["obstacles"]), ...list(o["structures"])].flatMap(readObstacle) };
}

function readTask(x: unknown): WorldInfo["tasks"] {
  const { name, required } = (typeof x === "object" && x !== null ? x : {}) as Record<string, unknown>;
  return typeof name === "string" && name ? [{ name, required: required !== false }] : [];
}

function readPlace(origin: unknown, year: unknown): WorldInfo["place"] {
  const { latitude, longitude } = (typeof origin === "object" && origin !== null ? origin : {}) as Record<string, unknown>;
  if (typeof latitude !== "number" || typeof longitude !== "number" || !(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 360)) return null;
  return { latitude, longitude, year: typeof year === "number" && Number.isFinite(year) ? year : 2026 };
}

const SIZES = { box: 3, cylinder: 2, sphere: 1, mesh: 0 } as const;
/** One obstacle, or none when its numbers do not fit together. */
export function readObstacle(x: unknown): ObstacleInfo[] {
  const o = (typeof x === "object" && x !== null ? x : {}) as Record<string, unknown>;
  const numbers = (v: unknown): number[] => (Array.isArray(v) && v.every((n) => typeof n === "number" && Number.isFinite(n)) ? (v as number[]) : []);
  const kind = o["kind"] as keyof typeof SIZES;
  const [centre, size, vertices, triangles] = ["centre", "size", "vertices", "triangles"].map((k) => numbers(o[k]));
  const yaw = typeof o["yaw"] === "number" && Number.isFinite(o["yaw"]) ? o["yaw"] : 0;
  if (!Object.hasOwn(SIZES, String(o["kind"])) || centre.length !== 3 || size.length !== SIZES[kind] || !size.every((s) => s > 0)) return [];
  const whole = vertices.length % 3 === 0 && triangles.length % 3 === 0 && triangles.every((i) => Number.isInteger(i) && i >= 0 && i < vertices.length / 3);
  if (kind === "mesh" && (!whole || triangles.length === 0)) return [];
  return [{ name: String(o["name"] ?? ""), kind, centre: [centre[0], centre[1], centre[2]], size, yaw, vertices: new Float32Array(kind === "mesh" ? vertices : []), triangles: new Uint32Array(kind === "mesh" ? triangles : []) }];
}

const MOST_NODES = 513 * 513;
/** Heights are four hexadecimal digits each, from low to high. Anything that does not fit together reads as no terrain. */
export function readTerrain(x: unknown): TerrainInfo | null {
  const t = (typeof x === "object" && x !== null ? x : {}) as Record<string, unknown>;
  const [columns, rows, east, north, stepEast, stepNorth, low, high] = ["columns", "rows", "east", "north", "step_east", "step_north", "low", "high"].map((k) => (typeof t[k] === "number" ? (t[k] as number) : NaN));
  const digits = typeof t["heights"] === "string" ? t["heights"] : "";
  const sound = [east, north, low, high].every(Number.isFinite) && Number.isInteger(columns) && Number.isInteger(rows) && columns >= 2 && rows >= 2 && columns * rows <= MOST_NODES && stepEast > 0 && stepNorth > 0;
  if (!sound || digits.length !== 4 * columns * rows || !/^[0-9a-f]*$/.test(digits)) return null;
  const up = new Float32Array(columns * rows);
  for (let k = 0; k < up.length; k++) up[k] = low + ((high - low) * parseInt(digits.slice(4 * k, 4 * k + 4), 16)) / 65535;
  return { columns, rows, east, north, stepEast, stepNorth, up };
}

/** Whether a place in the world lies inside a region; its edge counts. */
export function inRegion(r: RegionInfo, e: number, n: number, u: number): boolean {
  if ((r.floor !== null && u < r.floor) || (r.ceiling !== null && u > r.ceiling)) return false;
  if (r.radius > 0) return Math.hypot(e - r.centre[0], n - r.centre[1]) <= r.radius;
  let inside = false;
  for (let i = 0, j = r.corners.length - 1; i < r.corners.length; j = i++) {
    const [a, b] = [r.corners[i], r.corners[j]];
    if (a[1] > n !== b[1] > n && e < ((b[0] - a[0]) * (n - a[1])) / (b[1] - a[1]) + a[0]) inside = !inside;
  }
  return inside;
}
