// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A recording as a source. Any moment is computed from the knots around it, so seeking costs the same in both directions and gives the same
// numbers however one came there. Blocks that are not at hand are asked for, and "frames" tells when they came.
import { pitch, roll, yaw } from "./history.ts";
import type { Block } from "./log_blocks.ts";
import { BlobSource, BufferSource, HttpSource, type ByteSource } from "./log_bytes.ts";
import { flagsAt, flagsOf, type Flagged } from "./conditions.ts";
import { modeAt } from "./log_lists.ts";
import { LogReader, type LogOptions } from "./log_reader.ts";
import { PlotBook } from "./plotted.ts";
import { EMPTY_ROSTER, isPlot, levelOf, makeRoster, plotName, readShape, readSurroundings, reserve, type Coverage, type Extent, type FlockInfo, type Frame, type Measured, type Quantity, type Roster, type Series, type SimEvent, type SnapshotSource, type SourceChange, type WorldInfo } from "./source.ts";
import { newPose, sampleAt, type ViewBlock } from "./view_decoder.ts";

const DIVERGED = 16;
const WHOLE_TICK = 1e-6; // a time this near to a tick is that tick
let versions = 1_000_000; // of vehicle lists, over all recordings: no two lists of the page share one
const ROSTERS = 64; // lists of present vehicles that are kept

/** What a recording does not say of an airframe: a page that knows a server asks it. */
export type Geometry = ReturnType<typeof readShape>;
export interface ReplayOptions extends LogOptions {
  run?: string; // id in the library
  geometry?: (airframe: string) => Geometry | undefined;
}

/** Where the tracks of each vehicle are in a block. */
interface Loaded {
  block: Block;
  view: ViewBlock;
  track: Map<number, number>; // of a vehicle, its first
  next: Int32Array; // the same vehicle's next track, -1 for none
}

export class ReplaySource implements SnapshotSource {
  readonly can = { seek: true, command: false, grow: false };
  readonly world: WorldInfo;
  readonly log: LogReader;
  origin: [number, number, number] = [0, 0, 0];
  private readonly listeners = new Set<(change: SourceChange) => void>();
  private readonly reach: Float64Array; // the last tick of any block up to this one, in the order of log.views
  private readonly indexOf = new Map<string, number>();
  private readonly flags: Map<string, Flagged[]>;
  private readonly divergedAt: Float64Array; // by roster index
  private readonly loaded = new WeakMap<ViewBlock, Loaded>();
  private readonly rosters = new Map<number, { roster: Roster; members: Uint32Array }>();
  private readonly ahead: Block[] = []; // what playing on will need: decoded one by one, so that no picture waits
  private readonly queue: Block[] = []; // for plots, after that
  private readonly queued = new Set<Block>();
  private readonly plotted = new PlotBook();
  private plotting: Promise<void> | null = null;
  private readonly pose = newPose();
  private readonly kept: SimEvent[];
  private members = new Uint32Array(0);
  private seen: Uint8Array;
  private lastTime = 0;
  private forwards = true;
  private working = false;
  private told = false;
  private closed = false;

  constructor(log: LogReader, options: ReplayOptions = {}) {
    this.log = log;
    this.world = worldOf(log, options);
    this.reach = new Float64Array(log.views.length);
    log.views.forEach((b, k) => (this.reach[k] = Math.max(k > 0 ? this.reach[k - 1] : 0, b.lastTick)));
    log.roster.forEach((v, k) => this.indexOf.set(v.id, k));
    this.seen = new Uint8Array(log.roster.length);
    this.divergedAt = new Float64Array(log.roster.length).fill(Infinity);
    for (const e of log.events) {
      const k = this.indexOf.get(e.vehicle);
      if (k !== undefined && e.what.startsWith("diverged")) this.divergedAt[k] = Math.min(this.divergedAt[k], e.tick);
    }
    this.flags = flagsOf(log.events, (name, of) => log.roster.find((v) => v.name === name && v.world === log.roster[this.indexOf.get(of) ?? -1]?.world)?.id);
    this.kept = log.events.map((e) => ({ tick: e.tick, time: log.seconds(e.tick), id: e.vehicle, name: e.name, what: e.what, level: levelOf(e.what) }));
    log.onDamage = (d) => this.emit({ kind: "notice", level: "warn", text: `The recording is damaged from ${log.seconds(d.firstTick).toFixed(2)} s to ${log.seconds(d.lastTick).toFixed(2)} s (${d.what}).` });
  }

  /** Loads what the first frame needs, so that it is there when the page shows the run. */
  async prepare(): Promise<void> {
    const first = this.extent().first;
    await this.ready(first);
    const frame = { time: 0, tick: 0, n: 0, roster: EMPTY_ROSTER, origin: this.origin, position: new Float32Array(0), attitude: new Float32Array(0), velocity: new Float32Array(0), state: new Uint16Array(0) };
    this.at(first, frame);
    if (frame.n === 0) return;
    const mean = [0, 0, 0];
    for (let k = 0; k < frame.n; k++) for (let i = 0; i < 3; i++) mean[i] += frame.position[3 * k + i] / frame.n;
    this.origin = [Math.round(mean[0]), Math.round(mean[1]), Math.round(mean[2])];
  }

  get interval(): number {
    return this.log.tick;
  }
  want(): void {
    // Every tick is there.
  }

  extent(): Extent {
    const { head, lastTick, damage, views } = this.log;
    const s = (tick: number): number => this.log.seconds(tick);
    const gaps: [number, number][] = [];
    let until = head.startTick;
    for (const b of views) {
      if (b.firstTick > until) gaps.push([s(until), s(b.firstTick)]);
      until = Math.max(until, b.lastTick);
    }
    if (until < lastTick || views.length === 0) gaps.push([s(until), s(lastTick)]);
    const torn = damage.filter((d) => d.view && d.blocks > 0);
    const clamp = (tick: number): number => s(Math.min(lastTick, Math.max(head.startTick, tick)));
    const ranges = torn.map((d): [number, number] => [clamp(d.firstTick), clamp(d.lastTick)]);
    // Where nobody could say what was lost, what is missing before it is its doing.
    const guessed = torn.filter((d) => !d.named).reduce((last, d) => Math.max(last, clamp(d.lastTick)), -1);
    return { first: s(head.startTick), last: s(lastTick), gaps, damage: [...ranges, ...gaps.filter(([from]) => from <= guessed)] };
  }

  // ---------------------------------------------------------------- moments

  private tickAt(time: number): number {
    const tick = time / this.log.tick;
    const near = Math.round(tick);
    return Math.abs(tick - near) < WHOLE_TICK ? near : tick;
  }

  /** Blocks that hold a tick, in the order of the file: [from, to) of log.views, some of which may end before. */
  private around(tick: number): [number, number] {
    const { views } = this.log;
    const to = bisect(views.length, (k) => views[k].firstTick <= tick);
    const from = bisect(to, (k) => this.reach[k] < tick);
    return [from, to];
  }

  private open(block: Block): Loaded | null | undefined {
    const view = this.log.view(block);
    if (!view) return view;
    let found = this.loaded.get(view);
    if (!found) this.loaded.set(view, (found = indexTracks(block, view, this.log.roster.length)));
    return found;
  }

  /** Whether everything that is known of a moment is at hand. Asks for what is not. */
  private have(tick: number): boolean {
    const { views } = this.log;
    const [from, to] = this.around(tick);
    this.log.pin(from, to);
    let all = true;
    for (let k = from; k < to; k++) {
      if (views[k].lastTick < tick || this.log.view(views[k]) !== undefined) continue;
      all = false;
      this.fetch(views[k]);
    }
    return all;
  }

  private prefetch(tick: number): void {
    const { views } = this.log;
    const [from, to] = this.around(tick);
    const goal = this.forwards ? views[to]?.firstTick : from > 0 ? views[from].firstTick - 0.5 : undefined;
    if (goal === undefined) return;
    const [a, b] = this.around(goal);
    this.ahead.length = 0;
    for (let k = a; k < b; k++) if (views[k].lastTick >= goal && this.log.view(views[k]) === undefined) this.ahead.push(views[k]);
    if (!this.working && this.ahead.length > 0) void this.work();
  }

  private fetch(block: Block): void {
    void this.log.load(block).then(() => this.tell());
  }
  private tell(): void {
    if (this.told || this.closed) return;
    this.told = true;
    setTimeout(() => {
      this.told = false;
      this.emit({ kind: "frames" });
    }, 0);
  }

  /** Resolves when a moment can be shown, or is known to be lost. */
  async ready(time: number): Promise<void> {
    const { views } = this.log;
    const tick = this.tickAt(time);
    const [from, to] = this.around(tick);
    this.log.pin(from, to);
    await Promise.all(views.slice(from, to).filter((b) => b.lastTick >= tick).map((b) => this.log.load(b)));
  }
  /** True while a moment is "missing" only because its bytes are on their way. */
  loading(time: number): boolean {
    return !this.have(this.tickAt(time));
  }

  at(time: number, out: Frame): Coverage {
    const tick = this.tickAt(time);
    if (time !== this.lastTime) this.forwards = time > this.lastTime;
    this.lastTime = time;
    const known = this.within(tick) && this.have(tick);
    if (known) this.prefetch(tick);
    return this.sample(time, tick, known, out);
  }
  glance(time: number, out: Frame): Coverage {
    const tick = this.tickAt(time);
    const [from, to] = this.around(tick);
    this.wish(tick, from, to);
    const known = this.within(tick) && this.atHand(tick, from, to);
    return this.sample(time, tick, known, out);
  }
  private atHand(tick: number, from: number, to: number): boolean {
    return this.log.views.slice(from, to).every((b) => b.lastTick < tick || this.log.view(b) !== undefined);
  }
  private within(tick: number): boolean {
    return tick >= this.log.head.startTick && tick <= this.log.lastTick;
  }

  private sample(time: number, tick: number, known: boolean, out: Frame): Coverage {
    out.n = 0;
    out.time = time;
    out.tick = Math.floor(tick);
    if (!known) return "missing";
    const { views } = this.log;
    const [from, to] = this.around(tick);
    reserve(out, this.log.roster.length);
    if (this.members.length < this.log.roster.length) this.members = new Uint32Array(this.log.roster.length);
    for (let k = from; k < to; k++) {
      const found = views[k].lastTick >= tick ? this.open(views[k]) : null;
      if (found) this.fill(found, tick, out);
    }
    for (let k = 0; k < out.n; k++) this.seen[this.members[k]] = 0;
    out.origin = this.origin;
    out.roster = this.rosterOf(out.n);
    return out.n === 0 ? "missing" : Number.isInteger(tick) ? "exact" : "between";
  }

  /** A vehicle may have several tracks in a block, and be in two blocks at the tick where they meet: the first counts. */
  private fill(found: Loaded, tick: number, out: Frame): void {
    const { view, block } = found;
    const { pose, members, seen, origin } = this;
    const within = tick - block.firstTick;
    for (let t = 0; t < view.tracks; t++) {
      const vehicle = view.vehicle[t];
      if (vehicle >= seen.length || seen[vehicle] === 1 || !sampleAt(view, t, within, pose)) continue;
      const k = out.n++;
      seen[vehicle] = 1;
      members[k] = vehicle;
      out.position[3 * k] = pose[0] - origin[0];
      out.position[3 * k + 1] = pose[1] - origin[1];
      out.position[3 * k + 2] = pose[2] - origin[2];
      out.velocity[3 * k] = pose[3];
      out.velocity[3 * k + 1] = pose[4];
      out.velocity[3 * k + 2] = pose[5];
      out.attitude[4 * k] = pose[6];
      out.attitude[4 * k + 1] = pose[7];
      out.attitude[4 * k + 2] = pose[8];
      out.attitude[4 * k + 3] = pose[9];
      out.state[k] = modeAt(this.log.roster[vehicle], tick, this.log.modesUnknownFrom) | (tick >= this.divergedAt[vehicle] ? DIVERGED : 0) | flagsAt(this.flags.get(this.log.roster[vehicle].id), tick);
    }
  }

  /** The list of those present. It only changes when somebody comes, goes or is cut by damage, so it is looked up by what is in it. */
  private rosterOf(n: number): Roster {
    let hash = n;
    for (let k = 0; k < n; k++) hash = (Math.imul(hash, 0x01000193) ^ this.members[k]) | 0;
    const known = this.rosters.get(hash);
    if (known && known.members.length === n && known.members.every((m, k) => m === this.members[k])) return known.roster;
    const members = this.members.slice(0, n);
    const roster = makeRoster(++versions, Array.from(members, (m) => this.log.roster[m]));
    if (this.rosters.size >= ROSTERS) this.rosters.delete(this.rosters.keys().next().value!);
    this.rosters.set(hash, { roster, members });
    return roster;
  }

  /** The pose of one vehicle from blocks that are at hand. */
  private poseOf(vehicle: number, tick: number, from: number, to: number): boolean {
    const { views } = this.log;
    for (let k = from; k < to; k++) {
      const found = views[k].lastTick >= tick ? this.open(views[k]) : null;
      for (let t = found?.track.get(vehicle) ?? -1; found && t >= 0; t = found.next[t]) if (sampleAt(found.view, t, tick - found.block.firstTick, this.pose)) return true;
    }
    return false;
  }

  positions(time: number, ids: readonly string[], origin: readonly number[], out: Float32Array, offset: number): boolean {
    const tick = this.tickAt(time);
    const [from, to] = this.around(tick);
    this.wish(tick, from, to);
    let any = false;
    for (let r = 0; r < ids.length; r++) {
      const vehicle = this.indexOf.get(ids[r]);
      const found = vehicle !== undefined && this.poseOf(vehicle, tick, from, to);
      for (let i = 0; i < 3; i++) out[offset + 3 * r + i] = found ? this.pose[i] - origin[i] : NaN;
      any ||= found;
    }
    return any && this.atHand(tick, from, to);
  }

  // ---------------------------------------------------------------- plots and lists

  /** NaN where nothing is known, and where blocks are still coming: "frames" tells when there is more. */
  series(quantity: Quantity, ids: readonly string[], from: number, to: number, points: number): Series {
    if (isPlot(quantity)) {
      void this.plotsReady();
      return this.plotted.series(plotName(quantity), ids, from, to, points);
    }
    const { head, lastTick } = this.log;
    const a = Math.max(head.startTick, Math.floor(this.tickAt(from)));
    const b = Math.min(lastTick, Math.ceil(this.tickAt(to)));
    const stride = Math.max(1, Math.ceil((b - a + 1) / Math.max(1, points)));
    const start = Math.max(head.startTick, a - (a % stride)); // on a fixed lattice, so that a moving window does not make the line shiver
    const count = b >= start ? Math.floor((b - start) / stride) + 1 : 0;
    const vehicles = ids.map((id) => this.indexOf.get(id) ?? -1);
    const time = new Float64Array(count);
    const values = ids.map(() => new Float64Array(count).fill(NaN));
    for (let c = 0; c < count; c++) {
      const tick = start + c * stride;
      time[c] = this.log.seconds(tick);
      const [low, high] = this.around(tick);
      this.wish(tick, low, high);
      vehicles.forEach((v, r) => {
        if (v >= 0 && this.poseOf(v, tick, low, high)) values[r][c] = read(this.pose, quantity);
      });
    }
    return { time, values };
  }

  /** Resolves when all that behaviours plotted is at hand. */
  plotsReady(): Promise<void> {
    const { log } = this;
    this.plotting ??= log.plots(({ vehicle, name, tick, value }) => log.roster[vehicle] && this.plotted.add(log.roster[vehicle].id, name, log.seconds(tick), value)).then(() => this.tell());
    return this.plotting;
  }
  plotNames(ids: readonly string[]): string[] {
    void this.plotsReady();
    return this.plotted.names(ids);
  }

  /** Plots ask for blocks politely: one at a time, and never in the place of others. */
  private wish(tick: number, from: number, to: number): void {
    for (let k = from; k < to; k++) {
      const b = this.log.views[k];
      if (b.lastTick < tick || this.queued.has(b) || this.log.view(b) !== undefined) continue;
      this.queued.add(b);
      this.queue.push(b);
    }
    if (!this.working && this.queue.length > 0) void this.work();
  }
  private async work(): Promise<void> {
    this.working = true;
    while (!this.closed && this.ahead.length + this.queue.length > 0) {
      const soon = this.ahead.shift();
      const b = soon ?? this.queue.shift()!;
      if (soon || this.log.hasRoom()) {
        await this.log.load(b);
        this.tell();
      }
      this.queued.delete(b);
      await new Promise((resolve) => setTimeout(resolve, 0)); // the picture comes first
    }
    this.working = false;
  }

  events(from: number, to: number): SimEvent[] {
    const low = bisect(this.kept.length, (k) => this.kept[k].time < from);
    const high = bisect(this.kept.length, (k) => this.kept[k].time <= to);
    return this.kept.slice(low, high);
  }

  /** What is known at once comes right after: the world, the frames, and what damage took. */
  on(f: (change: SourceChange) => void): () => void {
    this.listeners.add(f);
    queueMicrotask(() => {
      if (!this.listeners.has(f)) return;
      f({ kind: "world" });
      f({ kind: "frames" });
      for (const text of this.log.problems().slice(0, 5)) f({ kind: "notice", level: "warn", text });
    });
    return () => this.listeners.delete(f);
  }
  private emit(change: SourceChange): void {
    if (!this.closed) for (const f of this.listeners) f(change);
  }
  close(): void {
    this.closed = true;
    this.queue.length = this.ahead.length = 0;
    this.listeners.clear();
  }
}

/** How many of 0 .. n - 1 hold, when those that hold come first. */
function bisect(n: number, holds: (k: number) => boolean): number {
  let low = 0;
  let high = n;
  while (low < high) {
    const mid = (low + high) >>> 1;
    if (holds(mid)) low = mid + 1;
    else high = mid;
  }
  return low;
}

function indexTracks(block: Block, view: ViewBlock, vehicles: number): Loaded {
  const track = new Map<number, number>();
  const next = new Int32Array(view.tracks).fill(-1);
  for (let t = view.tracks - 1; t >= 0; t--) {
    if (view.vehicle[t] >= vehicles) continue;
    next[t] = track.get(view.vehicle[t]) ?? -1;
    track.set(view.vehicle[t], t);
  }
  return { block, view, track, next };
}

const DEGREES = 180 / Math.PI;
function read(p: Float64Array, quantity: Measured): number {
  switch (quantity) {
    case "altitude":
      return p[2];
    case "east":
      return p[0];
    case "north":
      return p[1];
    case "climb":
      return p[5];
    case "speed":
      return Math.hypot(p[3], p[4], p[5]);
    case "roll":
      return roll(p, 6) * DEGREES;
    case "pitch":
      return pitch(p, 6) * DEGREES;
    case "yaw":
      return yaw(p, 6) * DEGREES;
  }
}

function worldOf(log: LogReader, options: ReplayOptions): WorldInfo {
  const { head } = log;
  const drawn = Array.isArray(head.extra["flocks"]) ? (head.extra["flocks"] as unknown[]) : [];
  const flocks = head.flocks.map((f, k): FlockInfo => {
    const known = { ...options.geometry?.(f.airframe), ...readShape(drawn[k]) };
    return { name: f.name || "flock", airframe: f.airframe, model: f.model, rotors: known.rotors ?? [], size: known.size ?? 0.5, radius: known.radius ?? (known.size ?? 0.5) / 2, controller: known.controller ?? "", look: known.look ?? null, body: known.body };
  });
  const ground = head.extra["ground"];
  return {
    scenario: head.scenario || "unnamed",
    description: head.description,
    seed: head.seed,
    tick: log.tick,
    duration: head.duration,
    worlds: head.worlds,
    flocks,
    ground: typeof ground === "number" ? ground : 0,
    hasGround: head.extra["has_ground"] !== false,
    scope: "view",
    run: options.run ?? "",
    epoch: 0,
    ...readSurroundings(head.extra),
  };
}

// ---------------------------------------------------------------- opening

/** A recording from wherever its bytes are, with its first frame ready; or why it cannot be shown. */
export async function openBytes(bytes: ByteSource, options: ReplayOptions = {}): Promise<ReplaySource | Error> {
  const log = await LogReader.open(bytes, options);
  if (log instanceof Error) return log;
  const source = new ReplaySource(log, options);
  await source.prepare();
  return source;
}
/** A run of the server's library. */
export const openRun = (id: string, options: ReplayOptions & { base?: string; request?: RequestInit } = {}): Promise<ReplaySource | Error> =>
  openBytes(new HttpSource(`${options.base ?? ""}/api/runs/${encodeURIComponent(id)}/file`, options.request), { ...options, run: id });
/** A file that was dropped on the page. */
export const openFile = (file: Blob, options: ReplayOptions = {}): Promise<ReplaySource | Error> => openBytes(new BlobSource(file), options);
/** Bytes that a mailed page carries in itself. */
export const openBuffer = (bytes: ArrayBuffer | Uint8Array, options: ReplayOptions = {}): Promise<ReplaySource | Error> => openBytes(new BufferSource(bytes), options);
