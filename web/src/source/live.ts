// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A running server as a source: the worker holds the socket, this keeps what came, and commands wait here for their answers.
import type { HelloMessage, EventMessage, ServerMessage, StatusMessage, WantMessage } from "../wire/wire.ts";
import { LIMITS } from "../wire/wire.ts";
import type { RawFrame } from "./decode.ts";
import { History } from "./history.ts";
import { PlotBook } from "./plotted.ts";
import { isPlot, levelOf, makeRoster, plotName, readShape, readSurroundings, type Ack, type Command, type Coverage, type Extent, type FlockInfo, type Frame, type Quantity, type Series, type SimEvent, type SnapshotSource, type SourceChange, type Status, type Tilt, type WorldInfo } from "./source.ts";

type FromWorker =
  | { kind: "frame"; frame: RawFrame }
  | { kind: "message"; message: ServerMessage }
  | { kind: "open" | "connecting" }
  | { kind: "lost"; retryIn: number; why: string }
  | { kind: "malformed"; why: string };

export class LiveSource implements SnapshotSource {
  readonly can = { seek: true, command: true, grow: true };
  world: WorldInfo | null = null;
  readonly history = new History();
  private readonly plotted = new PlotBook();
  private readonly worker: Worker;
  private readonly listeners = new Set<(change: SourceChange) => void>();
  private readonly waiting = new Map<number, (ack: Ack) => void>();
  private readonly kept: SimEvent[] = [];
  private sequence = 0;
  private rate = 30;
  private wish: Omit<WantMessage, "type" | "rate"> = {};
  private unknownRoster = -1;

  constructor(url: string) {
    this.worker = new Worker(new URL("./socket.worker.ts", import.meta.url), { type: "module" });
    this.worker.onmessage = (e: MessageEvent<FromWorker>) => this.fromWorker(e.data);
    this.worker.postMessage({ kind: "connect", url });
  }

  get interval(): number {
    return this.history.interval;
  }
  want(rateHz: number): void {
    this.rate = rateHz;
    this.post({ type: "want", rate: rateHz, ...this.wish });
  }
  watch(all: Parameters<NonNullable<SnapshotSource["watch"]>>[0]): void {
    const wish = Object.fromEntries(Object.entries(all).filter(([, x]) => x && String(x) && x !== "committed"));
    if (JSON.stringify(wish) === JSON.stringify(this.wish)) return;
    this.wish = wish;
    this.want(this.rate);
  }
  extent(): Extent {
    return this.history.extent();
  }
  at(time: number, out: Frame): Coverage {
    return this.history.at(time, out);
  }
  positions(time: number, ids: readonly string[], origin: readonly number[], out: Float32Array, offset: number): boolean {
    return this.history.positions(time, ids, origin, out, offset);
  }
  series(quantity: Quantity, ids: readonly string[], from: number, to: number, points: number): Series {
    return isPlot(quantity) ? this.plotted.series(plotName(quantity), ids, from, to, points) : this.history.series(quantity, ids, from, to, points);
  }
  plotNames(ids: readonly string[]): string[] {
    return this.plotted.names(ids);
  }
  events(from: number, to: number): SimEvent[] {
    return this.kept.filter((e) => e.time >= from && e.time <= to);
  }
  on(f: (change: SourceChange) => void): () => void {
    this.listeners.add(f);
    return () => this.listeners.delete(f);
  }
  retry(): void {
    this.worker.postMessage({ kind: "retry" });
  }
  close(): void {
    this.worker.postMessage({ kind: "close" });
    setTimeout(() => this.worker.terminate(), 200);
  }

  /** Long lists of vehicles go in parts, since the server bounds what one message may name. */
  async send(command: Command): Promise<Ack> {
    const ids = command.args["ids"];
    if (!Array.isArray(ids) || ids.length <= LIMITS.idsPerCommand) return this.sendOne(command);
    for (let at = 0; at < ids.length; at += LIMITS.idsPerCommand) {
      const ack = await this.sendOne({ name: command.name, args: { ...command.args, ids: ids.slice(at, at + LIMITS.idsPerCommand) } });
      if (!ack.ok) return ack;
    }
    return { ok: true, error: "" };
  }

  private sendOne(command: Command): Promise<Ack> {
    const seq = ++this.sequence;
    this.post({ type: "command", seq, name: command.name, args: command.args });
    return new Promise((resolve) => {
      this.waiting.set(seq, resolve);
      setTimeout(() => this.settle(seq, { ok: false, error: "the server did not answer within 5 s" }), 5000);
    });
  }

  control(id: string, velocity: readonly number[], yawRate: number, tilt: Tilt = {}): void {
    this.post({ type: "control", id, seq: ++this.sequence, velocity, yaw_rate: yawRate, ...tilt });
  }

  private post(message: object): void {
    this.worker.postMessage({ kind: "send", text: JSON.stringify(message) });
  }
  private emit(change: SourceChange): void {
    for (const f of this.listeners) f(change);
  }
  private settle(seq: number, ack: Ack): void {
    this.waiting.get(seq)?.(ack);
    this.waiting.delete(seq);
  }

  private fromWorker(m: FromWorker): void {
    switch (m.kind) {
      case "frame":
        return this.frame(m.frame);
      case "message":
        return this.message(m.message);
      case "open":
        this.want(this.rate);
        return this.emit({ kind: "connection", up: true, retryIn: 0, why: "" });
      case "lost":
        for (const seq of [...this.waiting.keys()]) this.settle(seq, { ok: false, error: "the connection was lost" });
        return this.emit({ kind: "connection", up: false, retryIn: m.retryIn, why: m.why });
      case "malformed":
        return this.emit({ kind: "notice", level: "warn", text: `Dropped a message from the server: ${m.why}.` });
    }
  }

  private frame(raw: RawFrame): void {
    const roster = this.history.rosters.get(raw.roster);
    if (!roster || roster.ids.length < raw.n) {
      if (this.unknownRoster !== raw.roster) this.emit({ kind: "notice", level: "warn", text: `Dropped frames: vehicle list ${raw.roster} never came.` });
      this.unknownRoster = raw.roster;
      return;
    }
    if (!this.history.push(raw)) {
      // Another view of a federation shows an earlier tick; a run that began anew is told by its hello.
      if (this.world?.nodes && raw.tick > this.history.frames.at(-1)!.tick - 300) this.history.forgetFrom(raw.tick);
      else this.restart();
      this.history.push(raw);
    }
    this.emit({ kind: "frames" });
  }

  private restart(): void {
    this.history.clear();
    this.plotted.clear();
    this.kept.length = 0;
    this.emit({ kind: "reset" });
  }

  private message(m: ServerMessage): void {
    switch (m.type) {
      case "hello":
        return this.hello(m);
      case "roster":
        this.history.rosters.set(m.version, makeRoster(m.version, m.vehicles));
        return this.emit({ kind: "roster" });
      case "status":
        return this.emit({ kind: "status", status: readStatus(m) });
      case "event":
        return this.event(m);
      case "goals":
        return this.emit({ kind: "goals", goals: m.goals });
      case "plots":
        for (const p of m.series) p.ticks.forEach((tick, k) => this.plotted.add(p.id, p.name, tick * (this.world?.tick ?? 0.01), p.values[k]));
        return this.emit({ kind: "frames" });
      case "estimates":
        return this.emit({ kind: "estimates", estimates: m });
      case "bodies":
        return this.emit({ kind: "bodies", bodies: m });
      case "swarm":
        return this.emit({ kind: "swarm", swarm: m });
      case "notice":
        return this.emit({ kind: "notice", level: m.level, text: m.text });
      case "ack":
        return this.settle(m.seq, { ok: m.ok, error: m.error ?? "" });
      case "lease":
        return this.emit({ kind: "lease", id: m.id, holder: m.holder });
    }
  }

  private hello(m: HelloMessage): void {
    const before = this.world;
    this.world = readWorld(m);
    // Another run behind the same address: what was kept belongs to the old one.
    const changed = before && (before.scenario !== this.world.scenario || before.seed !== this.world.seed || before.run !== this.world.run || before.epoch !== this.world.epoch);
    if (changed) this.restart();
    this.emit({ kind: "world" });
    const last = this.history.frames.at(-1);
    this.emit({ kind: "status", status: { tick: last?.tick ?? 0, time: last?.time ?? 0, state: m.state, speed: m.speed, factor: 0, vehicles: 0, hash: "", profile: [], metrics: {} } });
  }

  private event(m: EventMessage): void {
    const event: SimEvent = { tick: m.tick, time: m.time, id: m.vehicle, name: m.name, what: m.what, level: levelOf(m.what) };
    if (this.kept.some((e) => e.tick === event.tick && e.id === event.id && e.what === event.what)) return; // told again after a reconnect
    this.kept.push(event);
    if (this.kept.length > 20_000) this.kept.splice(0, 1000);
    this.emit({ kind: "event", event });
  }
}

function readWorld(m: HelloMessage): WorldInfo {
  const flocks: FlockInfo[] = m.flocks.map((f) => ({
    name: f.name || "flock",
    airframe: f.airframe,
    model: f.model,
    rotors: [],
    size: 0.5,
    radius: 0.25,
    controller: "",
    look: null,
    ...readShape(f),
  }));
  return {
    scenario: m.scenario || "unnamed",
    description: m.description,
    seed: m.seed,
    tick: m.tick_s > 0 ? m.tick_s : 0.01,
    duration: m.duration_s,
    worlds: m.worlds,
    flocks,
    ground: m.ground,
    hasGround: m.has_ground,
    scope: m.token_scope,
    run: m.run,
    epoch: m.epoch,
    nodes: m.nodes,
    autopilots: m.autopilots,
    ...readSurroundings(m),
  };
}

function readStatus(m: StatusMessage): Status {
  return { tick: m.tick, time: m.time, state: m.state, speed: m.speed, factor: m.factor, vehicles: m.vehicles, hash: m.hash, profile: m.profile, metrics: { ...m.metrics } };
}
