// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// generated from schema/wire.json, do not edit

export const ENDPOINT = "/ws";
export const MAGIC = 0x46594C56;
export const VERSION = 1;
export const KIND_FRAME = 1;
export const HEADER_BYTES = 64;
export const CHECKSUM_FROM = 16;
export const BYTES_PER_VEHICLE = 24;
/** Header fields, in bytes from the start of the message. */
export const AT = {
  /** u32: the characters VLYF */
  magic: 0,
  /** u16: of this layout */
  version: 4,
  /** u16: 1: a frame */
  kind: 6,
  /** u32: bytes of the whole message */
  length: 8,
  /** u32: CRC-32 (the polynomial of zlib and PNG) of everything from byte 16 on */
  checksum: 12,
  /** u32: low half of the tick */
  tickLow: 16,
  /** u32: high half of the tick */
  tickHigh: 20,
  /** f64: simulated seconds */
  time: 24,
  /** f64 x 3: m, east north up: positions are relative to it */
  origin: 32,
  /** u32: vehicles */
  n: 56,
  /** u32: version of the roster: place k of the columns is entry k of that roster */
  roster: 60,
} as const;
export const LIMITS = {
  frameBytes: 268435456,
  messageBytes: 65536,
  rateMin: 1,
  rateMax: 60,
  rateDefault: 30,
  commandsPerSecond: 100,
  idsPerCommand: 2000,
  controlHoldMs: 500,
  controlReleaseMs: 5000,
  swarmPairs: 4000,
  plottedVehicles: 16,
  estimatedVehicles: 200,
  bodyVehicles: 32,
} as const;
export const STATE = { modeMask: 15, diverged: 16, manual: 32, tippedOver: 64, upsideDown: 128, stuck: 256, crashed: 512, fault: 1024, failsafe: 2048, held: 4096 } as const;
export const MODES = ["disarmed","armed","take_off","hold","mission","land","emergency_stop"] as const;
export type Mode = (typeof MODES)[number];
export const MODE = { disarmed: 0, armed: 1, takeOff: 2, hold: 3, mission: 4, land: 5, emergencyStop: 6 } as const;

// ---------------------------------------------------------------- frames

/** One moment of every vehicle; the columns are views of the received buffer. */
export interface Frame {
  tick: number;
  time: number;
  origin: [number, number, number];
  n: number;
  roster: number;
  /** f32: m from the origin */
  east: Float32Array;
  /** f32: m from the origin */
  north: Float32Array;
  /** f32: m from the origin */
  up: Float32Array;
  /** u32: smallest three. Bits 30-31 are the largest component (w x y z = 0 1 2 3, made positive). The others follow in order, 10 bits each, -1/sqrt2 .. 1/sqrt2 as 0 .. 1023 */
  attitude: Uint32Array;
  /** f16: m/s */
  velocityEast: Uint16Array;
  /** f16: m/s */
  velocityNorth: Uint16Array;
  /** f16: m/s */
  velocityUp: Uint16Array;
  /** u16: bits 0-3 mode, then flags */
  state: Uint16Array;
}

const padded = (bytes: number): number => (bytes + 3) & ~3;

/** Bytes of a frame with n vehicles. */
export function frameBytes(n: number): number {
  return HEADER_BYTES + 4 * n + 4 * n + 4 * n + 4 * n + padded(2 * n) + padded(2 * n) + padded(2 * n) + padded(2 * n);
}

const CRC_TABLE = /* @__PURE__ */ (() => {
  const table = new Uint32Array(4 * 256);
  for (let k = 0; k < 256; ++k) {
    let c = k;
    for (let bit = 0; bit < 8; ++bit) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
    table[k] = c >>> 0;
  }
  for (let k = 0; k < 256; ++k) for (let t = 1; t < 4; ++t) table[t * 256 + k] = (table[(t - 1) * 256 + k]! >>> 8) ^ table[table[(t - 1) * 256 + k]! & 255]!;
  return table;
})();

/** CRC-32 of zlib and PNG, four bytes at a time. */
export function crc32(bytes: Uint8Array): number {
  const t = CRC_TABLE;
  let c = 0xffffffff;
  let k = 0;
  for (const whole = bytes.length & ~3; k < whole; k += 4) {
    c ^= bytes[k]! | (bytes[k + 1]! << 8) | (bytes[k + 2]! << 16) | (bytes[k + 3]! << 24);
    c = t[768 + (c & 255)]! ^ t[512 + ((c >>> 8) & 255)]! ^ t[256 + ((c >>> 16) & 255)]! ^ t[c >>> 24]!;
  }
  for (; k < bytes.length; ++k) c = (c >>> 8) ^ t[(c ^ bytes[k]!) & 255]!;
  return (c ^ 0xffffffff) >>> 0;
}

/** The frame in a message, or what is wrong with it; every length is checked before it is used. */
export function decodeFrame(buffer: ArrayBuffer): Frame | string {
  if (buffer.byteLength < HEADER_BYTES) return `a frame of ${buffer.byteLength} bytes is shorter than its header`;
  if (buffer.byteLength > LIMITS.frameBytes) return `a frame of ${buffer.byteLength} bytes is longer than the limit`;
  const view = new DataView(buffer);
  if (view.getUint32(AT.magic, true) !== MAGIC) return "not a frame: wrong magic";
  const version = view.getUint16(AT.version, true);
  if (version !== VERSION) return `frame version ${version}, this page reads ${VERSION}: reload it`;
  const kind = view.getUint16(AT.kind, true);
  if (kind !== KIND_FRAME) return `unknown kind of message ${kind}`;
  const length = view.getUint32(AT.length, true);
  if (length !== buffer.byteLength) return `the frame says ${length} bytes, ${buffer.byteLength} came`;
  const n = view.getUint32(AT.n, true);
  if (frameBytes(n) !== length) return `${n} vehicles do not make ${length} bytes`;
  if (crc32(new Uint8Array(buffer, CHECKSUM_FROM)) !== view.getUint32(AT.checksum, true)) return "wrong checksum";
  const tick = view.getUint32(AT.tickLow, true) + view.getUint32(AT.tickHigh, true) * 4294967296;
  const time = view.getFloat64(AT.time, true);
  const origin: [number, number, number] = [view.getFloat64(AT.origin, true), view.getFloat64(AT.origin + 8, true), view.getFloat64(AT.origin + 16, true)];
  if (!Number.isSafeInteger(tick) || !Number.isFinite(time) || !origin.every(Number.isFinite)) return "tick, time or origin is not a number";
  let at = HEADER_BYTES;
  const east = new Float32Array(buffer, at, n);
  at += 4 * n;
  const north = new Float32Array(buffer, at, n);
  at += 4 * n;
  const up = new Float32Array(buffer, at, n);
  at += 4 * n;
  const attitude = new Uint32Array(buffer, at, n);
  at += 4 * n;
  const velocityEast = new Uint16Array(buffer, at, n);
  at += padded(2 * n);
  const velocityNorth = new Uint16Array(buffer, at, n);
  at += padded(2 * n);
  const velocityUp = new Uint16Array(buffer, at, n);
  at += padded(2 * n);
  const state = new Uint16Array(buffer, at, n);
  return { tick, time, origin, n, roster: view.getUint32(AT.roster, true), east, north, up, attitude, velocityEast, velocityNorth, velocityUp, state };
}

/** Writes the quaternion w x y z (body to world) of one packed attitude to out[at ..]. */
export function unpackAttitude(packed: number, out: Float32Array | number[], at = 0): void {
  const largest = packed >>> 30;
  let sum = 0;
  let shift = 20;
  for (let k = 0; k < 4; ++k) {
    if (k === largest) continue;
    const value = ((((packed >>> shift) & 1023) / 1023) * 2 - 1) * Math.SQRT1_2;
    out[at + k] = value;
    sum += value * value;
    shift -= 10;
  }
  out[at + largest] = Math.sqrt(Math.max(0, 1 - sum));
}

/** An IEEE half float. */
export function halfToNumber(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >>> 10) & 31;
  const fraction = half & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

// ---------------------------------------------------------------- text messages

export type CommandName = "pause" | "resume" | "step" | "speed" | "reset" | "stop" | "start" | "goto" | "mode" | "spawn" | "remove" | "parameter" | "behaviour" | "field" | "emergency_stop" | "fault" | "input" | "take" | "release";
export interface Look { kind: "aeroplane" | "flying_wing" | "quadplane" | "car"; tail?: "conventional" | "v"; span?: number; chord?: number; length?: number; width?: number; height?: number; wheelbase?: number; to_front?: number; wheels?: number[][]; }
export interface Effector { kind: "pole" | "plate" | "cylinder" | "cone"; position: [number, number, number]; direction: [number, number, number]; length: number; radius: number; mouth?: number; }
export interface Part { joint: [number, number, number]; yaw: number; link: "spherical" | "hinge" | "fixed"; axis?: [number, number, number]; size_m: number; rotors: number[][]; effectors?: Effector[]; }
export interface Body { centre?: [number, number, number]; parts?: Part[]; effectors?: Effector[]; load?: [number, number, number]; }
export interface Flock { name: string; airframe: string; model: string; rotors: number[][]; size_m: number; radius_m?: number; controller: string; look?: Look; body?: Body; }
export interface Region { name: string; rule: "mark" | "keep_in" | "keep_out"; centre: number[]; radius: number; corners: number[][]; floor?: number; ceiling?: number; }
export interface Terrain { columns: number; rows: number; east: number; north: number; step_east: number; step_north: number; low: number; high: number; heights: string; }
export interface Obstacle { name: string; kind: "box" | "cylinder" | "sphere" | "mesh"; centre: number[]; size: number[]; yaw: number; vertices?: number[]; triangles?: number[]; }
export interface Origin { latitude: number; longitude: number; height: number; }
export interface RosterEntry { id: string; name: string; flock: number; }
export interface StageTime { stage: string; seconds: number; }
export interface Metrics { tracking_max?: number; tracking_rms?: number; }
export interface Goal { id: string; position: [number, number, number]; }
export interface Task { name: string; required: boolean; state: "open" | "holding" | "done" | "failed"; since: number; detail: string; }
export interface TaskName { name: string; required: boolean; }
export interface Outcome { name: string; count: number; }
export interface Radio { sent: number; outcomes: Outcome[]; }
export interface Behaviour { kind: string; weight: number; trigger?: number; active?: boolean; chosen?: boolean; }
export interface Field { path: string; value: string; unit: string; doc: string; min?: number; max?: number; choices?: string[]; }
export interface LoggedMessage { tick: number; sent: boolean; other: number; topic: string; outcome: string; sinr?: number; }
export interface DecisionState { id: string; behaviours: Behaviour[]; hears: number[]; sees: number[]; quality?: number[]; messages?: LoggedMessage[]; }
export interface PlotSeries { id: string; name: string; ticks: number[]; values: number[]; }
export interface SensorState { name: string; tick?: number; age?: number; valid: boolean; nis?: number; refused?: number; }
export interface Estimate { id: string; position?: [number, number, number]; velocity?: [number, number, number]; attitude?: number[]; covariance?: number[]; health?: number; sensors: SensorState[]; }
export interface BodyState { id: string; parts?: number[]; wrench?: number[]; felt?: number[]; estimated?: number[]; commanded?: number[]; contacts?: number[]; held_by?: string; reaction?: "stiff" | "yield" | "press"; load?: number[]; cables?: number[]; }
export interface Pairs { all: number; of: number[]; quality?: number[]; }
export interface StimulusField { kind: string; unit: string; sources: number[]; up: number; columns: number; rows: number; east: number; north: number; step_east: number; step_north: number; low: number; high: number; levels: string; }

export interface HelloMessage { type: "hello"; version: string; scenario: string; description: string; seed: string; tick_s: number; duration_s: number; worlds: number; flocks: Flock[]; state: "running" | "paused" | "finished"; speed: number; token_scope: "all" | "view"; run: string; epoch: number; ground: number; has_ground: boolean; wind: [number, number, number]; gust_sigma: number; year?: number; time_of_day?: number; origin?: Origin; regions: Region[]; tasks?: TaskName[]; terrain?: Terrain; obstacles?: Obstacle[]; structures?: Obstacle[]; nodes?: number; autopilots?: boolean; }
export interface RosterMessage { type: "roster"; version: number; vehicles: RosterEntry[]; }
export interface StatusMessage { type: "status"; tick: number; time: number; state: "running" | "paused" | "finished"; speed: number; factor: number; vehicles: number; hash: string; profile: StageTime[]; metrics: Metrics; }
export interface EventMessage { type: "event"; tick: number; time: number; vehicle: string; name: string; what: string; }
export interface GoalsMessage { type: "goals"; goals: Goal[]; }
export interface NoticeMessage { type: "notice"; level: "info" | "warn" | "bad"; text: string; }
export interface AckMessage { type: "ack"; seq: number; ok: boolean; error?: string; }
export interface PlotsMessage { type: "plots"; series: PlotSeries[]; }
export interface EstimatesMessage { type: "estimates"; tick: number; vehicles: Estimate[]; }
export interface BodiesMessage { type: "bodies"; tick: number; vehicles: BodyState[]; }
export interface LeaseMessage { type: "lease"; id: string; holder: "you" | "other" | "none"; }
export interface SwarmMessage { type: "swarm"; tick: number; roster: number; tasks: Task[]; radio?: Radio; links?: Pairs; detections?: Pairs; decision?: DecisionState; fields?: Field[]; stimuli?: StimulusField[]; }
export type ServerMessage = HelloMessage | RosterMessage | StatusMessage | EventMessage | GoalsMessage | NoticeMessage | AckMessage | PlotsMessage | EstimatesMessage | BodiesMessage | LeaseMessage | SwarmMessage;

export interface CommandArgs {
  pause: {  };
  resume: {  };
  step: { ticks?: number; };
  speed: { factor: number; };
  reset: {  };
  stop: {  };
  start: { scenario: string; overrides?: string[]; paused?: boolean; };
  goto: { ids: string[]; position: [number, number, number]; keep_offsets?: boolean; };
  mode: { ids: string[]; mode: "hold" | "land" | "take_off" | "mission" | "emergency_stop" | "arm" | "disarm" | "return"; };
  spawn: { flock: string; position: [number, number, number]; name?: string; };
  remove: { ids: string[]; };
  parameter: { ids: string[]; name: string; component?: number; value: number; };
  behaviour: { ids: string[]; kind: string; weight: number; };
  field: { ids?: string[]; path: string; value: string; };
  emergency_stop: { ids?: string[]; };
  fault: { ids: string[]; component: string; kind: "none" | "off" | "stuck" | "bias" | "drift" | "scale" | "noise" | "delay" | "drop_out" | "intermittent"; amount?: number[]; probability?: number; mean_on?: number; mean_off?: number; duration?: number; };
  input: { kind: string; ids?: string[]; fields?: Record<string, unknown>; series?: Record<string, unknown>[]; tick?: number; };
  take: { id: string; };
  release: { id: string; };
}
export interface WantMessage { type: "want"; rate: number; links?: boolean; decision?: string; fields?: boolean; stimuli?: boolean; plots?: string[]; estimates?: string[]; bodies?: string[]; view?: "committed" | "aligned" | "newest" | "paper"; }
export interface ControlMessage { type: "control"; id: string; seq: number; velocity: [number, number, number]; yaw_rate: number; roll_rate?: number; pitch_rate?: number; level?: boolean; }
export interface CommandMessage<C extends CommandName = CommandName> { type: "command"; seq: number; name: C; args?: CommandArgs[C]; }
export type ClientMessage = WantMessage | CommandMessage | ControlMessage;

/* eslint-disable @typescript-eslint/no-explicit-any */
const isNumber = (x: any): boolean => typeof x === "number" && Number.isFinite(x);
const isObject = (x: any): boolean => typeof x === "object" && x !== null && !Array.isArray(x);
const isList = (x: any, good: (item: any) => boolean): boolean => Array.isArray(x) && x.every(good);
const isLook = (x: any): boolean => isObject(x) && (x.kind === "aeroplane" || x.kind === "flying_wing" || x.kind === "quadplane" || x.kind === "car") && (x.tail === undefined || (x.tail === "conventional" || x.tail === "v")) && (x.span === undefined || isNumber(x.span)) && (x.chord === undefined || isNumber(x.chord)) && (x.length === undefined || isNumber(x.length)) && (x.width === undefined || isNumber(x.width)) && (x.height === undefined || isNumber(x.height)) && (x.wheelbase === undefined || isNumber(x.wheelbase)) && (x.to_front === undefined || isNumber(x.to_front)) && (x.wheels === undefined || isList(x.wheels, (x) => isList(x, (x) => isNumber(x))));
const isEffector = (x: any): boolean => isObject(x) && (x.kind === "pole" || x.kind === "plate" || x.kind === "cylinder" || x.kind === "cone") && (isList(x.position, isNumber) && x.position.length === 3) && (isList(x.direction, isNumber) && x.direction.length === 3) && isNumber(x.length) && isNumber(x.radius) && (x.mouth === undefined || isNumber(x.mouth));
const isPart = (x: any): boolean => isObject(x) && (isList(x.joint, isNumber) && x.joint.length === 3) && isNumber(x.yaw) && (x.link === "spherical" || x.link === "hinge" || x.link === "fixed") && (x.axis === undefined || (isList(x.axis, isNumber) && x.axis.length === 3)) && isNumber(x.size_m) && isList(x.rotors, (x) => isList(x, (x) => isNumber(x))) && (x.effectors === undefined || isList(x.effectors, (x) => isEffector(x)));
const isBody = (x: any): boolean => isObject(x) && (x.centre === undefined || (isList(x.centre, isNumber) && x.centre.length === 3)) && (x.parts === undefined || isList(x.parts, (x) => isPart(x))) && (x.effectors === undefined || isList(x.effectors, (x) => isEffector(x))) && (x.load === undefined || (isList(x.load, isNumber) && x.load.length === 3));
const isFlock = (x: any): boolean => isObject(x) && typeof x.name === "string" && typeof x.airframe === "string" && typeof x.model === "string" && isList(x.rotors, (x) => isList(x, (x) => isNumber(x))) && isNumber(x.size_m) && (x.radius_m === undefined || isNumber(x.radius_m)) && typeof x.controller === "string" && (x.look === undefined || isLook(x.look)) && (x.body === undefined || isBody(x.body));
const isRegion = (x: any): boolean => isObject(x) && typeof x.name === "string" && (x.rule === "mark" || x.rule === "keep_in" || x.rule === "keep_out") && isList(x.centre, (x) => isNumber(x)) && isNumber(x.radius) && isList(x.corners, (x) => isList(x, (x) => isNumber(x))) && (x.floor === undefined || isNumber(x.floor)) && (x.ceiling === undefined || isNumber(x.ceiling));
const isTerrain = (x: any): boolean => isObject(x) && Number.isSafeInteger(x.columns) && Number.isSafeInteger(x.rows) && isNumber(x.east) && isNumber(x.north) && isNumber(x.step_east) && isNumber(x.step_north) && isNumber(x.low) && isNumber(x.high) && typeof x.heights === "string";
const isObstacle = (x: any): boolean => isObject(x) && typeof x.name === "string" && (x.kind === "box" || x.kind === "cylinder" || x.kind === "sphere" || x.kind === "mesh") && isList(x.centre, (x) => isNumber(x)) && isList(x.size, (x) => isNumber(x)) && isNumber(x.yaw) && (x.vertices === undefined || isList(x.vertices, (x) => isNumber(x))) && (x.triangles === undefined || isList(x.triangles, (x) => Number.isSafeInteger(x)));
const isOrigin = (x: any): boolean => isObject(x) && isNumber(x.latitude) && isNumber(x.longitude) && isNumber(x.height);
const isRosterEntry = (x: any): boolean => isObject(x) && typeof x.id === "string" && typeof x.name === "string" && Number.isSafeInteger(x.flock);
const isStageTime = (x: any): boolean => isObject(x) && typeof x.stage === "string" && isNumber(x.seconds);
const isMetrics = (x: any): boolean => isObject(x) && (x.tracking_max === undefined || isNumber(x.tracking_max)) && (x.tracking_rms === undefined || isNumber(x.tracking_rms));
const isGoal = (x: any): boolean => isObject(x) && typeof x.id === "string" && (isList(x.position, isNumber) && x.position.length === 3);
const isTask = (x: any): boolean => isObject(x) && typeof x.name === "string" && typeof x.required === "boolean" && (x.state === "open" || x.state === "holding" || x.state === "done" || x.state === "failed") && Number.isSafeInteger(x.since) && typeof x.detail === "string";
const isTaskName = (x: any): boolean => isObject(x) && typeof x.name === "string" && typeof x.required === "boolean";
const isOutcome = (x: any): boolean => isObject(x) && typeof x.name === "string" && Number.isSafeInteger(x.count);
const isRadio = (x: any): boolean => isObject(x) && Number.isSafeInteger(x.sent) && isList(x.outcomes, (x) => isOutcome(x));
const isBehaviour = (x: any): boolean => isObject(x) && typeof x.kind === "string" && isNumber(x.weight) && (x.trigger === undefined || isNumber(x.trigger)) && (x.active === undefined || typeof x.active === "boolean") && (x.chosen === undefined || typeof x.chosen === "boolean");
const isField = (x: any): boolean => isObject(x) && typeof x.path === "string" && typeof x.value === "string" && typeof x.unit === "string" && typeof x.doc === "string" && (x.min === undefined || isNumber(x.min)) && (x.max === undefined || isNumber(x.max)) && (x.choices === undefined || isList(x.choices, (x) => typeof x === "string"));
const isLoggedMessage = (x: any): boolean => isObject(x) && Number.isSafeInteger(x.tick) && typeof x.sent === "boolean" && Number.isSafeInteger(x.other) && typeof x.topic === "string" && typeof x.outcome === "string" && (x.sinr === undefined || isNumber(x.sinr));
const isDecisionState = (x: any): boolean => isObject(x) && typeof x.id === "string" && isList(x.behaviours, (x) => isBehaviour(x)) && isList(x.hears, (x) => Number.isSafeInteger(x)) && isList(x.sees, (x) => Number.isSafeInteger(x)) && (x.quality === undefined || isList(x.quality, (x) => Number.isSafeInteger(x))) && (x.messages === undefined || isList(x.messages, (x) => isLoggedMessage(x)));
const isPlotSeries = (x: any): boolean => isObject(x) && typeof x.id === "string" && typeof x.name === "string" && isList(x.ticks, (x) => Number.isSafeInteger(x)) && isList(x.values, (x) => isNumber(x));
const isSensorState = (x: any): boolean => isObject(x) && typeof x.name === "string" && (x.tick === undefined || Number.isSafeInteger(x.tick)) && (x.age === undefined || isNumber(x.age)) && typeof x.valid === "boolean" && (x.nis === undefined || isNumber(x.nis)) && (x.refused === undefined || isNumber(x.refused));
const isEstimate = (x: any): boolean => isObject(x) && typeof x.id === "string" && (x.position === undefined || (isList(x.position, isNumber) && x.position.length === 3)) && (x.velocity === undefined || (isList(x.velocity, isNumber) && x.velocity.length === 3)) && (x.attitude === undefined || isList(x.attitude, (x) => isNumber(x))) && (x.covariance === undefined || isList(x.covariance, (x) => isNumber(x))) && (x.health === undefined || Number.isSafeInteger(x.health)) && isList(x.sensors, (x) => isSensorState(x));
const isBodyState = (x: any): boolean => isObject(x) && typeof x.id === "string" && (x.parts === undefined || isList(x.parts, (x) => isNumber(x))) && (x.wrench === undefined || isList(x.wrench, (x) => isNumber(x))) && (x.felt === undefined || isList(x.felt, (x) => isNumber(x))) && (x.estimated === undefined || isList(x.estimated, (x) => isNumber(x))) && (x.commanded === undefined || isList(x.commanded, (x) => isNumber(x))) && (x.contacts === undefined || isList(x.contacts, (x) => isNumber(x))) && (x.held_by === undefined || typeof x.held_by === "string") && (x.reaction === undefined || (x.reaction === "stiff" || x.reaction === "yield" || x.reaction === "press")) && (x.load === undefined || isList(x.load, (x) => isNumber(x))) && (x.cables === undefined || isList(x.cables, (x) => isNumber(x)));
const isPairs = (x: any): boolean => isObject(x) && Number.isSafeInteger(x.all) && isList(x.of, (x) => Number.isSafeInteger(x)) && (x.quality === undefined || isList(x.quality, (x) => Number.isSafeInteger(x)));
const isStimulusField = (x: any): boolean => isObject(x) && typeof x.kind === "string" && typeof x.unit === "string" && isList(x.sources, (x) => Number.isSafeInteger(x)) && isNumber(x.up) && Number.isSafeInteger(x.columns) && Number.isSafeInteger(x.rows) && isNumber(x.east) && isNumber(x.north) && isNumber(x.step_east) && isNumber(x.step_north) && isNumber(x.low) && isNumber(x.high) && typeof x.levels === "string";
const CHECKS: Record<string, (m: any) => boolean> = {
  hello: (m) => typeof m.version === "string" && typeof m.scenario === "string" && typeof m.description === "string" && typeof m.seed === "string" && isNumber(m.tick_s) && isNumber(m.duration_s) && Number.isSafeInteger(m.worlds) && isList(m.flocks, (x) => isFlock(x)) && (m.state === "running" || m.state === "paused" || m.state === "finished") && isNumber(m.speed) && (m.token_scope === "all" || m.token_scope === "view") && typeof m.run === "string" && Number.isSafeInteger(m.epoch) && isNumber(m.ground) && typeof m.has_ground === "boolean" && (isList(m.wind, isNumber) && m.wind.length === 3) && isNumber(m.gust_sigma) && (m.year === undefined || isNumber(m.year)) && (m.time_of_day === undefined || isNumber(m.time_of_day)) && (m.origin === undefined || isOrigin(m.origin)) && isList(m.regions, (x) => isRegion(x)) && (m.tasks === undefined || isList(m.tasks, (x) => isTaskName(x))) && (m.terrain === undefined || isTerrain(m.terrain)) && (m.obstacles === undefined || isList(m.obstacles, (x) => isObstacle(x))) && (m.structures === undefined || isList(m.structures, (x) => isObstacle(x))) && (m.nodes === undefined || Number.isSafeInteger(m.nodes)) && (m.autopilots === undefined || typeof m.autopilots === "boolean"),
  roster: (m) => Number.isSafeInteger(m.version) && isList(m.vehicles, (x) => isRosterEntry(x)),
  status: (m) => Number.isSafeInteger(m.tick) && isNumber(m.time) && (m.state === "running" || m.state === "paused" || m.state === "finished") && isNumber(m.speed) && isNumber(m.factor) && Number.isSafeInteger(m.vehicles) && typeof m.hash === "string" && isList(m.profile, (x) => isStageTime(x)) && isMetrics(m.metrics),
  event: (m) => Number.isSafeInteger(m.tick) && isNumber(m.time) && typeof m.vehicle === "string" && typeof m.name === "string" && typeof m.what === "string",
  goals: (m) => isList(m.goals, (x) => isGoal(x)),
  notice: (m) => (m.level === "info" || m.level === "warn" || m.level === "bad") && typeof m.text === "string",
  ack: (m) => Number.isSafeInteger(m.seq) && typeof m.ok === "boolean" && (m.error === undefined || typeof m.error === "string"),
  plots: (m) => isList(m.series, (x) => isPlotSeries(x)),
  estimates: (m) => Number.isSafeInteger(m.tick) && isList(m.vehicles, (x) => isEstimate(x)),
  bodies: (m) => Number.isSafeInteger(m.tick) && isList(m.vehicles, (x) => isBodyState(x)),
  lease: (m) => typeof m.id === "string" && (m.holder === "you" || m.holder === "other" || m.holder === "none"),
  swarm: (m) => Number.isSafeInteger(m.tick) && Number.isSafeInteger(m.roster) && isList(m.tasks, (x) => isTask(x)) && (m.radio === undefined || isRadio(m.radio)) && (m.links === undefined || isPairs(m.links)) && (m.detections === undefined || isPairs(m.detections)) && (m.decision === undefined || isDecisionState(m.decision)) && (m.fields === undefined || isList(m.fields, (x) => isField(x))) && (m.stimuli === undefined || isList(m.stimuli, (x) => isStimulusField(x))),
};

/** A text message of the server, or what is wrong with it. */
export function parseServerMessage(text: string): ServerMessage | string {
  let message: any;
  try {
    message = JSON.parse(text);
  } catch {
    return "a message that is not JSON";
  }
  if (!isObject(message) || typeof message.type !== "string") return "a message without a type";
  const check = Object.prototype.hasOwnProperty.call(CHECKS, message.type) ? CHECKS[message.type] : undefined;
  if (check === undefined) return `a message of the unknown type '${String(message.type).slice(0, 40)}'`;
  return check(message) ? (message as ServerMessage) : `a '${message.type}' message with a field missing or of the wrong kind`;
}
