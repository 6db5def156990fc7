// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A recording (.vrec, docs/recording.md), opened from wherever its bytes are. A file at hand is read and checked whole, block after block;
// over the network the index at its end says where everything is, and trajectories come when they are looked at. Damage is no error as long
// as a head is left: it is noted with the ticks it may have taken, and what is sound around it is used.
import { blocksFromIndex, endOf, HEADER_BYTES, loadPayload, payloadOf, Scanner, type Block, type Damage } from "./log_blocks.ts";
import type { ByteSource } from "./log_bytes.ts";
import { buildRoster, lostModes, Numbered, readCount, readEnd, readEvent, readHead, readJsonList, readMetric, readRoster, readVerdict, type RosterChange, type RosterCount, type RosterEntry, type RunEvent, type RunHead, type RunMetric } from "./log_lists.ts";
import { readPlots, type PlotSample } from "./plotted.ts";
import { decodeView, type ViewBlock } from "./view_decoder.ts";

const MERGE = 1 << 16; // blocks this near to each other are read together
const MAX_READ = 8 << 20;

export interface LogOptions {
  memory?: number; // bytes of decoded trajectories that are kept
}

export class LogReader {
  readonly head: RunHead;
  readonly tick: number; // s
  readonly size: number; // bytes
  readonly closed: boolean; // the run ended in order
  readonly indexed: boolean; // opened by its index: trajectories are checked when they are read
  readonly blocks: Block[];
  readonly damage: Damage[];
  readonly lastTick: number;
  readonly views: Block[]; // by first tick
  roster: RosterEntry[] = [];
  modesUnknownFrom: number[] = []; // ticks, ascending: changes of modes were lost there
  events: RunEvent[] = [];
  metrics: RunMetric[] = [];
  verdict = ""; // of the run; empty: the file does not say
  /** Called when a block turned out to be damaged after opening. */
  onDamage: ((damage: Damage) => void) | null = null;
  private readonly source: ByteSource;
  private readonly decoded: ViewCache;
  private readonly lost = new Set<Block>();

  private constructor(source: ByteSource, size: number, head: RunHead, blocks: Block[], damage: Damage[], indexed: boolean, options: LogOptions) {
    this.source = source;
    this.size = size;
    this.head = head;
    this.tick = head.tickNs * 1e-9;
    this.blocks = blocks;
    this.damage = damage;
    this.indexed = indexed;
    this.closed = blocks.at(-1)?.type === "end";
    this.views = blocks.filter((b) => b.type === "view" && b.lastTick - b.firstTick <= 2 ** 20).sort((a, b) => a.firstTick - b.firstTick || a.sequence - b.sequence);
    const told = blocks.filter((b) => b.type === "hashes" && b.raw === 32 + 8 * (b.lastTick - b.firstTick + 1));
    this.lastTick = [...told, ...this.views].reduce((last, b) => Math.max(last, b.lastTick), head.startTick);
    this.decoded = new ViewCache(options.memory ?? 256e6);
  }

  /** The recording, or why there is none. Never throws because of what the bytes say. */
  static async open(source: ByteSource, options: LogOptions = {}): Promise<LogReader | Error> {
    try {
      const size = await source.size();
      if (size === 0) return new Error("The recording is empty: the run ended before its first commit.");
      const fromIndex = source.local ? null : await blocksFromIndex(source, size);
      const scanner = new Scanner(source, size);
      if (!fromIndex) await scanner.run();
      const blocks = fromIndex ?? scanner.blocks;
      if (blocks.length === 0) return new Error("This is no recording, or nothing of it is left. Recordings are .vrec files written by volary run.");
      let head: RunHead | Error = new Error("");
      for (const b of blocks) {
        if (b.type !== "head" || !(head instanceof Error)) continue;
        const payload = await loadPayload(source, b);
        head = payload instanceof Error ? payload : readHead(payload);
      }
      if (head instanceof Error) return new Error("Both heads of the recording are damaged: nothing can be made of the rest.");
      const reader = new LogReader(source, size, head, blocks, scanner.damage, fromIndex !== null, options);
      await reader.readLists();
      return reader;
    } catch (e) {
      return new Error(`The recording cannot be read: ${(e as Error).message}`);
    }
  }

  seconds(tick: number): number {
    return tick * this.tick;
  }
  hasView(): boolean {
    return this.views.length > 0;
  }

  /** One sentence for each thing that is missing. */
  problems(): string[] {
    const modes = this.modesUnknownFrom.slice(0, 1).map((t) => `Flight modes are unknown from tick ${t} (${this.seconds(t).toFixed(2)} s) on, each vehicle's until its next change that is left.`);
    return [...modes, ...this.damage.map((d) => {
      if (d.atEnd) return `The last ${d.bytes} bytes, from byte ${d.offset}, are no whole block: the run was cut off there.`;
      if (d.blocks === 0) return `Bytes ${d.offset} to ${d.offset + d.bytes}: ${d.what || "not a block, nothing is missing"}.`;
      const when = `ticks ${d.firstTick} to ${d.lastTick} (${this.seconds(d.firstTick).toFixed(2)} s to ${this.seconds(d.lastTick).toFixed(2)} s)`;
      return `Bytes ${d.offset} to ${d.offset + d.bytes}: ${d.blocks} block(s) lost${d.what ? ` (${d.what})` : ""}, which may have held ${when}.`;
    })];
  }

  private lose(block: Block, why: string): void {
    if (this.lost.has(block)) return;
    this.lost.add(block);
    const d: Damage = { offset: block.offset, bytes: HEADER_BYTES + block.stored, firstSequence: block.sequence, blocks: 1, firstTick: block.firstTick, lastTick: block.lastTick, what: `${block.type}: ${why}`, named: true, view: block.type === "view", atEnd: false };
    this.damage.push(d);
    this.onDamage?.(d);
  }

  /** Payloads of many blocks in few readings; what is not sound is noted and left out. */
  private async payloads(blocks: Block[], use: (block: Block, payload: Uint8Array) => Error | null): Promise<void> {
    for (let k = 0; k < blocks.length; ) {
      const from = blocks[k].offset;
      let end = k + 1;
      while (end < blocks.length && blocks[end].offset - endOf(blocks[end - 1]) <= MERGE && endOf(blocks[end]) - from <= MAX_READ) end++;
      const bytes = await this.source.read(from, endOf(blocks[end - 1]) - from);
      for (; k < end; k++) {
        const b = blocks[k];
        const payload = payloadOf(b, bytes.subarray(b.offset - from, endOf(b) - from));
        const wrong = payload instanceof Error ? payload : use(b, payload);
        if (wrong) this.lose(b, wrong.message);
      }
    }
  }

  private async readLists(): Promise<void> {
    const changes = new Numbered<RosterChange>();
    const events = new Numbered<RunEvent>();
    const metrics = new Numbered<RunMetric>();
    await this.payloads(
      this.blocks.filter((b) => b.type === "roster" || b.type === "events" || b.type === "metrics" || b.type === "end"),
      (b, payload) => (b.type === "end" ? ((this.verdict = readVerdict(payload)), null) : b.type === "roster" ? readRoster(payload, changes) : b.type === "events" ? readJsonList(payload, "events", events, readEvent) : readJsonList(payload, "metrics", metrics, readMetric)),
    );
    // a whole file has all its changes: only after damage are they counted
    this.modesUnknownFrom = this.damage.length > 0 ? lostModes(changes, await this.rosterCounts(), this.head.startTick) : [];
    this.roster = buildRoster(changes, this.modesUnknownFrom);
    this.modesUnknownFrom.sort((a, b) => a - b);
    this.events = events.sorted().map(([, e]) => e).sort((a, b) => a.tick - b.tick);
    this.metrics = metrics.sorted().map(([, m]) => m);
  }

  private async rosterCounts(): Promise<RosterCount[]> {
    const counts: RosterCount[] = [];
    await this.payloads(this.blocks.filter((b) => b.type === "hashes" || b.type === "end"), (b, payload) => {
      if (b.type === "hashes" && payload.length < 32) return new Error("cannot be understood");
      const count = b.type === "hashes" ? readCount(payload, b.lastTick) : readEnd(payload);
      if (count) counts.push(count);
      return null;
    });
    return counts;
  }

  /** The hash of every tick that has one. Read when asked for: a long run has many. */
  async hashes(): Promise<{ tick: Float64Array; hash: BigUint64Array }> {
    const blocks = this.blocks.filter((b) => b.type === "hashes");
    const runs: { first: number; hash: BigUint64Array }[] = [];
    await this.payloads(blocks, (b, payload) => {
      const n = b.lastTick - b.firstTick + 1;
      if (payload.length !== 32 + 8 * n) return new Error("cannot be understood");
      const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
      runs.push({ first: b.firstTick, hash: BigUint64Array.from({ length: n }, (_, k) => view.getBigUint64(32 + 8 * k, true)) });
      return null;
    });
    runs.sort((a, b) => a.first - b.first);
    const n = runs.reduce((sum, r) => sum + r.hash.length, 0);
    const [tick, hash] = [new Float64Array(n), new BigUint64Array(n)];
    let at = 0;
    for (const r of runs) {
      hash.set(r.hash, at);
      for (let k = 0; k < r.hash.length; k++) tick[at++] = r.first + k;
    }
    return { tick, hash };
  }

  /** The numbers that behaviours plotted, in the order of the file. Read when asked for: most runs have none, some have many. */
  async plots(use: (sample: PlotSample) => void): Promise<void> {
    await this.payloads(this.blocks.filter((b) => b.type === "plots"), (b, payload) => {
      const samples = readPlots(payload, b.firstTick);
      if (samples instanceof Error) return samples;
      samples.forEach(use);
      return null;
    });
  }

  // ---------------------------------------------------------------- trajectories

  /** The knots of a block when they are at hand: null when it was lost, undefined when it has to be loaded. */
  view(block: Block): ViewBlock | null | undefined {
    return this.decoded.get(block);
  }
  /** Loads and decodes a block of the view; null when it is lost, which is noted. */
  load(block: Block): Promise<ViewBlock | null> {
    const known = this.decoded.get(block);
    if (known !== undefined) return Promise.resolve(known);
    return this.decoded.join(block, async () => {
      const payload = await loadPayload(this.source, block);
      const view = payload instanceof Error ? payload : decodeView(payload);
      if (!(view instanceof Error)) return view;
      this.lose(block, view.message);
      return null;
    });
  }
  /** What the moment on show needs: kept whatever the budget says. */
  pin(from: number, to: number): void {
    this.decoded.pinned.clear();
    for (let k = from; k < to; k++) this.decoded.pinned.add(this.views[k]);
  }
  /** Whether another block of about this size finds room without another being dropped. */
  hasRoom(): boolean {
    return this.decoded.hasRoom();
  }
}

/** Decoded blocks, the most recently used ones within a budget of memory, and those on their way. */
class ViewCache {
  readonly pinned = new Set<Block>();
  private readonly kept = new Map<Block, ViewBlock | null>(); // oldest first
  private readonly coming = new Map<Block, Promise<ViewBlock | null>>();
  private readonly budget: number;
  private bytes = 0;

  constructor(budget: number) {
    this.budget = budget;
  }
  get(block: Block): ViewBlock | null | undefined {
    const view = this.kept.get(block);
    if (view === undefined) return undefined;
    this.kept.delete(block);
    this.kept.set(block, view);
    return view;
  }
  hasRoom(): boolean {
    return this.bytes < 0.75 * this.budget;
  }
  join(block: Block, load: () => Promise<ViewBlock | null>): Promise<ViewBlock | null> {
    const known = this.coming.get(block);
    if (known) return known;
    const promise = load().then((view) => {
      this.coming.delete(block);
      this.put(block, view);
      return view;
    });
    this.coming.set(block, promise);
    return promise;
  }
  private put(block: Block, view: ViewBlock | null): void {
    this.kept.set(block, view);
    this.bytes += view?.bytes ?? 0;
    for (const [old, v] of this.kept) {
      if (this.bytes <= this.budget) break;
      if (old === block || this.pinned.has(old)) continue;
      this.kept.delete(old);
      this.bytes -= v?.bytes ?? 0;
    }
  }
}
