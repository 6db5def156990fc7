// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A recording (.vrec, docs/recording.md), opened from wherever its bytes are. A file at hand is read and checked whole, block after block;
// over the network the index at its end says where everything is, and trajectories come when they are looked at. Damage is no error as long
// as a head is left: it is noted with the ticks it may have taken, and what is sound around it is used.
import { decodeView, type ViewBlock } from "./view_decoder.ts";
import { inflate } from "./zstd.ts";

export const HEADER_BYTES = 64;
const MAGIC = 0x43455256;
const MAX_STORED = 512 * 2 ** 20;
const MAX_RAW = 2 ** 30;
const MAX_RATIO = 4096;
const MAX_UNPACKED = 2 ** 27; // of what a page reads: lists and hashes
const INDEX_ENTRY = 48;
const CHUNK = 1 << 20; // read at once when looking from block to block
const TAIL = 1 << 16; // where the end block is looked for
const MERGE = 1 << 16; // blocks this near to each other are read together
const MAX_READ = 8 << 20;
const MAX_BLOCKS = 4_000_000;

export type BlockType = "head" | "inputs" | "hashes" | "checkpoint" | "view" | "events" | "metrics" | "roster" | "index" | "end";
const TYPES: BlockType[] = ["head", "inputs", "hashes", "checkpoint", "view", "events", "metrics", "roster", "index", "end"];

// ---------------------------------------------------------------- bytes from somewhere

export interface ByteSource {
  readonly local?: boolean; // reading all of it costs nothing worth saving
  size(): Promise<number>;
  read(offset: number, length: number): Promise<Uint8Array>; // shorter at the end of the file
}

export class BufferSource implements ByteSource {
  readonly local = true;
  private readonly bytes: Uint8Array;
  constructor(bytes: ArrayBuffer | Uint8Array) {
    this.bytes = bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes);
  }
  async size(): Promise<number> {
    return this.bytes.length;
  }
  async read(offset: number, length: number): Promise<Uint8Array> {
    return this.bytes.subarray(offset, offset + length);
  }
}

/** A file that was dropped on the page or chosen. */
export class BlobSource implements ByteSource {
  readonly local = true;
  private readonly blob: Blob;
  constructor(blob: Blob) {
    this.blob = blob;
  }
  async size(): Promise<number> {
    return this.blob.size;
  }
  async read(offset: number, length: number): Promise<Uint8Array> {
    return new Uint8Array(await this.blob.slice(offset, offset + length).arrayBuffer());
  }
}

/** Ranges of a file on a server. A small file comes whole with the first question. */
export class HttpSource implements ByteSource {
  private readonly url: string;
  private readonly options: RequestInit;
  private readonly opening: number;
  private total = -1;
  private start: Uint8Array | null = null; // the first bytes, or all of them

  constructor(url: string, options: RequestInit = {}, opening = 4 << 20) {
    this.url = url;
    this.options = options;
    this.opening = opening;
  }
  get local(): boolean {
    return this.start !== null && this.start.length === this.total;
  }
  async size(): Promise<number> {
    if (this.total < 0) await this.open();
    return this.total;
  }
  async read(offset: number, length: number): Promise<Uint8Array> {
    if (this.total < 0) await this.open();
    const end = Math.min(offset + length, this.total);
    if (end <= offset) return new Uint8Array(0);
    if (this.start && end <= this.start.length) return this.start.subarray(offset, end);
    const { bytes, from } = await this.range(offset, end);
    return from === offset ? bytes : bytes.subarray(offset, end);
  }

  private async open(): Promise<void> {
    const { bytes, total } = await this.range(0, this.opening);
    this.total = total;
    this.start = bytes;
  }
  private async range(from: number, end: number): Promise<{ bytes: Uint8Array; from: number; total: number }> {
    const headers = new Headers(this.options.headers);
    headers.set("Range", `bytes=${from}-${end - 1}`);
    const answer = await fetch(this.url, { ...this.options, headers });
    if (answer.status === 416) return { bytes: new Uint8Array(0), from, total: Number(/\/(\d+)$/.exec(answer.headers.get("Content-Range") ?? "")?.[1] ?? 0) };
    if (!answer.ok) throw new Error(`${this.url}: the server answered ${answer.status}${answer.status === 404 ? ", there is no such recording" : ""}`);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    if (answer.status !== 206) {
      // A server without ranges sends everything: kept, so that it does so once.
      this.total = bytes.length;
      this.start = bytes;
      return { bytes, from: 0, total: bytes.length };
    }
    const said = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(answer.headers.get("Content-Range") ?? "");
    if (!said || Number(said[1]) !== from || Number(said[2]) - from + 1 !== bytes.length) throw new Error(`${this.url}: the server sent another range than was asked for`);
    return { bytes, from, total: Number(said[3]) };
  }
}

// ---------------------------------------------------------------- checksums and numbers

let tables: Uint32Array[] | null = null;
function crcTables(): Uint32Array[] {
  if (tables) return tables;
  tables = Array.from({ length: 8 }, () => new Uint32Array(256));
  for (let n = 0; n < 256; n++) {
    let c = n;
    for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0x82f63b78 : c >>> 1;
    tables[0][n] = c >>> 0;
  }
  for (let t = 1; t < 8; t++) for (let n = 0; n < 256; n++) tables[t][n] = (tables[t - 1][n] >>> 8) ^ tables[0][tables[t - 1][n] & 255];
  return tables;
}

/** CRC-32C (Castagnoli), eight bytes at a time. */
export function crc32c(bytes: Uint8Array): number {
  const [t0, t1, t2, t3, t4, t5, t6, t7] = crcTables();
  let crc = 0xffffffff;
  let i = 0;
  for (const end = bytes.length - 7; i < end; i += 8) {
    crc ^= bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24);
    crc = t7[crc & 255] ^ t6[(crc >>> 8) & 255] ^ t5[(crc >>> 16) & 255] ^ t4[crc >>> 24] ^ t3[bytes[i + 4]] ^ t2[bytes[i + 5]] ^ t1[bytes[i + 6]] ^ t0[bytes[i + 7]];
  }
  for (; i < bytes.length; i++) crc = t0[(crc ^ bytes[i]) & 255] ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

/** Reads little-endian records. Past the end everything is zero and `good` stays false: check once, after a record. */
class Reader {
  good = true;
  at = 0;
  private readonly bytes: Uint8Array;
  private readonly view: DataView;
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  get left(): number {
    return this.bytes.length - this.at;
  }
  u8(): number {
    return this.has(1) ? this.bytes[this.at++] : 0;
  }
  u32(): number {
    return this.has(4) ? this.view.getUint32((this.at += 4) - 4, true) : 0;
  }
  /** As a number: ticks, counts and offsets. What does not fit into one is a fault. */
  u64(): number {
    const x = this.u32() + 2 ** 32 * this.u32();
    if (x > Number.MAX_SAFE_INTEGER) this.good = false;
    return x;
  }
  id(): bigint {
    return this.has(8) ? this.view.getBigUint64((this.at += 8) - 8, true) : 0n;
  }
  /** A count of things that take at least so many bytes each. */
  count(least: number): number {
    const n = this.u64();
    if (n * least > this.left) this.good = false;
    return this.good ? n : 0;
  }
  text(most: number): string {
    const n = this.u32();
    if (n > most || !this.has(n)) {
      this.good = false;
      return "";
    }
    return new TextDecoder().decode(this.bytes.subarray(this.at, (this.at += n)));
  }
  private has(n: number): boolean {
    if (n > this.left) this.good = false;
    return this.good;
  }
}

// ---------------------------------------------------------------- blocks

export interface Block {
  offset: number;
  type: BlockType;
  zstd: boolean;
  stored: number;
  raw: number;
  firstTick: number;
  lastTick: number;
  sequence: number;
  /** Of a header that was read; an index does not hold them. */
  link?: { previous: bigint; own: bigint; recording: bigint; payloadCrc: number };
}

export function readHeader(bytes: Uint8Array, offset: number): Block | null {
  if (bytes.length < HEADER_BYTES) return null;
  const v = new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTES);
  if (v.getUint32(0, true) !== MAGIC || v.getUint16(4, true) !== 1) return null;
  const headerCrc = v.getUint32(60, true);
  if (crc32c(bytes.subarray(0, 60)) !== headerCrc) return null;
  const [type, flags, stored, raw] = [bytes[6], bytes[7], v.getUint32(8, true), v.getUint32(12, true)];
  const [firstTick, lastTick, sequence] = [16, 24, 32].map((at) => Number(v.getBigUint64(at, true)));
  const sizes = stored <= MAX_STORED && raw <= MAX_RAW && (flags === 1 ? Math.floor(raw / MAX_RATIO) <= stored : raw === stored);
  if (type < 1 || type > TYPES.length || flags > 1 || !sizes || firstTick > lastTick || !Number.isSafeInteger(lastTick) || !Number.isSafeInteger(sequence)) return null;
  const payloadCrc = v.getUint32(56, true);
  const own = (BigInt(payloadCrc) << 32n) | BigInt(headerCrc);
  return { offset, type: TYPES[type - 1], zstd: flags === 1, stored, raw, firstTick, lastTick, sequence, link: { previous: v.getBigUint64(40, true), own, recording: v.getBigUint64(48, true), payloadCrc } };
}

/** What could not be read. `view` tells whether trajectories may be among it. */
export interface Damage {
  offset: number;
  bytes: number;
  firstSequence: number;
  blocks: number; // lost; 0: nothing is missing, or nobody can tell
  firstTick: number;
  lastTick: number; // what they may have held
  what: string;
  named: boolean; // an index or a header told what was there; otherwise the ticks are a guess, and the view may reach ten seconds further back
  view: boolean;
  atEnd: boolean; // a torn last block: normal for a run that was killed
}

const endOf = (b: Block): number => b.offset + HEADER_BYTES + b.stored;

/** Goes from block to block; where none is, it looks for the next one. */
class Scanner {
  readonly blocks: Block[] = [];
  readonly damage: Damage[] = [];
  private readonly source: ByteSource;
  private readonly size: number;
  private chunk: Uint8Array = new Uint8Array(0);
  private chunkAt = 0;
  private budget: number; // bytes to look at before giving up: rubbish may not cost more than a few readings of the file

  constructor(source: ByteSource, size: number) {
    this.source = source;
    this.size = size;
    this.budget = 8 * size + (64 << 20);
  }

  async run(): Promise<void> {
    for (let offset = 0; offset < this.size && this.blocks.length < MAX_BLOCKS && this.budget > 0; ) {
      let found = await this.headerAt(offset);
      if (found && !(await this.leadsOn(found))) found = null;
      if (!found) {
        found = await this.search(offset + 1);
        this.note(offset, found ? found.offset : this.size, found, "");
        if (!found) break;
      } else this.noteBreak(found);
      this.blocks.push(found);
      offset = endOf(found);
    }
    await this.nameLost();
  }

  /** The bytes from somewhere on, at least so many of them unless the file ends. */
  private async at(offset: number, length: number): Promise<Uint8Array> {
    if (offset < this.chunkAt || offset + length > this.chunkAt + this.chunk.length) {
      this.chunk = await this.source.read(offset, CHUNK);
      this.chunkAt = offset;
      this.budget -= this.chunk.length;
    }
    return this.chunk.subarray(offset - this.chunkAt);
  }

  private fits(b: Block): boolean {
    const last = this.blocks.at(-1);
    return endOf(b) <= this.size && (!last || (b.link!.recording === last.link!.recording && b.sequence > last.sequence));
  }
  private async headerAt(offset: number): Promise<Block | null> {
    if (offset + HEADER_BYTES > this.size) return null;
    const b = readHeader(await this.at(offset, HEADER_BYTES), offset);
    return b && this.fits(b) ? b : null;
  }

  /** At hand, a payload is checked at once: a wrong length would lead into the middle of another block. Elsewhere the next header tells. */
  private async leadsOn(b: Block): Promise<boolean> {
    const next = endOf(b);
    const trusted = !this.source.local && (next + HEADER_BYTES > this.size || readHeader(await this.at(next, HEADER_BYTES), next) !== null);
    if (trusted || crc32c(await this.source.read(b.offset + HEADER_BYTES, b.stored)) === b.link!.payloadCrc) return true;
    this.budget -= HEADER_BYTES + b.stored;
    return false;
  }

  private async search(from: number): Promise<Block | null> {
    for (let offset = from; offset + HEADER_BYTES <= this.size && this.budget > 0; ) {
      const window = await this.at(offset, HEADER_BYTES);
      if (window.length < HEADER_BYTES) return null;
      for (let k = window.indexOf(0x56); k >= 0 && k + HEADER_BYTES <= window.length; k = window.indexOf(0x56, k + 1)) {
        if (window[k + 1] !== 0x52 || window[k + 2] !== 0x45 || window[k + 3] !== 0x43) continue;
        const b = readHeader(window.subarray(k, k + HEADER_BYTES), offset + k);
        if (!b || !this.fits(b)) continue;
        if (await this.leadsOn(b)) return b;
        if (this.budget <= 0) return null;
      }
      offset += window.length - HEADER_BYTES + 1;
    }
    return null;
  }

  private noteBreak(found: Block): void {
    const before = this.blocks.at(-1);
    if (found.sequence !== (before ? before.sequence + 1 : 0)) this.note(found.offset, found.offset, found, "");
    else if (before && found.link!.previous !== before.link!.own) this.note(found.offset, found.offset, found, `block ${found.sequence} was not written after the block before it`);
  }

  private note(offset: number, end: number, next: Block | null, what: string): void {
    const before = this.blocks.at(-1);
    const firstTick = before?.lastTick ?? 0;
    const firstSequence = before ? before.sequence + 1 : 0;
    const blocks = next ? next.sequence - firstSequence : 0;
    this.damage.push({ offset, bytes: end - offset, firstSequence, blocks, firstTick, lastTick: Math.max(firstTick, next?.lastTick ?? 0), what, named: false, view: blocks > 0, atEnd: !next });
  }

  /** An index after the damage knows what was there. */
  private async nameLost(): Promise<void> {
    if (!this.damage.some((d) => d.blocks > 0)) return;
    const known = new Map<number, Block>();
    for (const b of this.blocks) {
      if (b.type !== "index") continue;
      const payload = await loadPayload(this.source, b);
      const index = payload instanceof Error ? payload : readIndex(payload);
      if (!(index instanceof Error)) for (const e of index.entries) known.set(e.sequence, e);
    }
    for (const b of this.blocks) known.delete(b.sequence);
    const lost = [...known.values()].sort((a, b) => a.sequence - b.sequence);
    let k = 0; // damage comes in the order of sequence numbers
    for (const d of this.damage) {
      if (d.blocks === 0) continue;
      while (k < lost.length && lost[k].sequence < d.firstSequence) k++;
      const from = k;
      while (k < lost.length && lost[k].sequence < d.firstSequence + d.blocks) k++;
      describe(d, lost.slice(from, k));
    }
  }
}

function describe(d: Damage, named: Block[]): void {
  const all = (d.named = named.length === d.blocks);
  d.what = [...new Set(named.map((e) => e.type))].join(", ") + (all ? "" : named.length ? " and others" : "kind unknown");
  d.view = !all || named.some((e) => e.type === "view");
  d.firstTick = named.reduce((t, e) => Math.min(t, e.firstTick), all ? Infinity : d.firstTick);
  d.lastTick = named.reduce((t, e) => Math.max(t, e.lastTick), all ? 0 : d.lastTick);
}

interface Index {
  earlier: number[];
  entries: Block[];
}
function readIndex(payload: Uint8Array): Index | Error {
  const r = new Reader(payload);
  const earlier = Array.from({ length: r.count(8) }, () => r.u64());
  const entries: Block[] = [];
  for (let n = r.count(INDEX_ENTRY); n > 0; n--) {
    const [offset, firstTick, lastTick, sequence, stored, raw, type, flags] = [r.u64(), r.u64(), r.u64(), r.u64(), r.u32(), r.u32(), r.u8(), r.u8()];
    r.at += 6;
    if (type < 1 || type > TYPES.length || flags > 1 || firstTick > lastTick) return new Error("an index that is none");
    entries.push({ offset, type: TYPES[type - 1], zstd: flags === 1, stored, raw, firstTick, lastTick, sequence });
  }
  return r.good && r.left === 0 ? { earlier, entries } : new Error("an index that is none");
}

/** The blocks of a file that was closed in order, from its end; null when they have to be looked for one by one. */
async function blocksFromIndex(source: ByteSource, size: number): Promise<Block[] | null> {
  const tailAt = Math.max(0, size - TAIL);
  const tail = await source.read(tailAt, TAIL);
  for (let k = tail.length - HEADER_BYTES; k >= 0; k--) {
    if (tail[k] !== 0x56 || tail[k + 1] !== 0x52) continue;
    const end = readHeader(tail.subarray(k, k + HEADER_BYTES), tailAt + k);
    if (!end) continue;
    if (end.type !== "end" || endOf(end) !== size || crc32c(tail.subarray(k + HEADER_BYTES)) !== end.link!.payloadCrc) return null;
    return followIndex(source, size, end, new Reader(tail.subarray(k + HEADER_BYTES)).u64());
  }
  return null;
}

async function followIndex(source: ByteSource, size: number, end: Block, at: number): Promise<Block[] | null> {
  const last = await indexAt(source, at, end);
  if (!last) return null;
  const blocks: Block[] = [];
  for (const offset of last.index.earlier) {
    const found = await indexAt(source, offset, end);
    if (!found) return null;
    for (const e of found.index.entries) blocks.push(e);
  }
  for (const e of last.index.entries) blocks.push(e);
  blocks.push(last.block, end);
  // Every block once, without gaps, to the end of the file: otherwise the file is read the long way.
  let offset = 0;
  for (let k = 0; k < blocks.length; k++) {
    if (blocks[k].sequence !== k || blocks[k].offset !== offset) return null;
    offset = endOf(blocks[k]);
  }
  return offset === size ? blocks : null;
}

async function indexAt(source: ByteSource, offset: number, end: Block): Promise<{ block: Block; index: Index } | null> {
  const block = readHeader(await source.read(offset, HEADER_BYTES), offset);
  if (!block || block.type !== "index" || block.link!.recording !== end.link!.recording) return null;
  const payload = await loadPayload(source, block);
  const index = payload instanceof Error ? payload : readIndex(payload);
  return index instanceof Error ? null : { block, index };
}

function unpack(block: Block, stored: Uint8Array, crc: number): Uint8Array | Error {
  if (stored.length !== block.stored) return new Error("cannot be read");
  if (crc32c(stored) !== crc) return new Error("its checksum is wrong");
  if (!block.zstd) return stored;
  const raw = inflate(stored, MAX_UNPACKED, MAX_RATIO, block.raw);
  return raw instanceof Error || raw.length === block.raw ? raw : new Error("does not decompress to what it says");
}

/** Header and payload from the file, checked against what is known of the block. */
async function loadPayload(source: ByteSource, block: Block): Promise<Uint8Array | Error> {
  try {
    return payloadOf(block, await source.read(block.offset, HEADER_BYTES + block.stored));
  } catch (e) {
    return new Error(`cannot be read: ${(e as Error).message}`);
  }
}
function payloadOf(block: Block, bytes: Uint8Array): Uint8Array | Error {
  const h = readHeader(bytes, block.offset);
  if (!h || h.type !== block.type || h.stored !== block.stored || h.sequence !== block.sequence || h.firstTick !== block.firstTick || h.lastTick !== block.lastTick) return new Error("its header is damaged");
  return unpack(h, bytes.subarray(HEADER_BYTES), h.link!.payloadCrc);
}

// ---------------------------------------------------------------- what is in it

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
export interface RosterEntry {
  id: string;
  name: string;
  flock: number;
  world: number;
  spawnTick: number; // the first tick that has it
  removalTick: number; // the first that has it no more
  lost: boolean; // only its index is known
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

function readHead(payload: Uint8Array): RunHead | Error {
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
class Numbered<T> {
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

type RosterChange = { index: number; tick: number; entry: RosterEntry | null };
function readRoster(payload: Uint8Array, out: Numbered<RosterChange>): Error | null {
  const r = new Reader(payload);
  const first = r.u64();
  const n = r.count(13);
  for (let k = 0; k < n && r.good; k++) {
    const kind = r.u8();
    const [index, tick] = [r.u32(), r.u64()];
    if (kind === 1) {
      const [id, flock, world, name] = [r.id(), r.u32(), r.u32(), r.text(65535)];
      if (r.good) out.add(first + k, { index, tick, entry: { id: id.toString(), name, flock, world, spawnTick: tick, removalTick: NEVER, lost: false } });
    } else if (kind !== 2) return new Error("cannot be understood");
    else if (r.good) out.add(first + k, { index, tick, entry: null });
  }
  return r.good && r.left === 0 ? null : new Error("cannot be understood");
}

function readJsonList<T>(payload: Uint8Array, key: string, out: Numbered<T>, read: (j: Json) => T | null): Error | null {
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
function readEvent(j: Json): RunEvent | null {
  const tick = tickOf(j["tick"]);
  return tick < 0 ? null : { tick, vehicle: text(j["vehicle"]), name: text(j["name"]), what: text(j["what"]) };
}
function readMetric(j: Json): RunMetric | null {
  const tick = tickOf(j["tick"]);
  return tick < 0 ? null : { tick, name: text(j["name"]), value: number(j["value"], NaN), unit: text(j["unit"]) };
}

function buildRoster(changes: Numbered<RosterChange>): RosterEntry[] {
  const roster: RosterEntry[] = [];
  for (const [at, c] of changes.sorted()) {
    if (c.index > at) continue; // the vehicle with index i is at least the i-th entry
    while (roster.length <= c.index) roster.push({ id: `lost-${roster.length}`, name: "(lost)", flock: 0, world: 0, spawnTick: 0, removalTick: NEVER, lost: true });
    if (c.entry) roster[c.index] = c.entry;
    else roster[c.index].removalTick = c.tick;
  }
  return roster;
}

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
  events: RunEvent[] = [];
  metrics: RunMetric[] = [];
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
    return this.damage.map((d) => {
      if (d.atEnd) return `The last ${d.bytes} bytes, from byte ${d.offset}, are no whole block: the run was cut off there.`;
      if (d.blocks === 0) return `Bytes ${d.offset} to ${d.offset + d.bytes}: ${d.what || "not a block, nothing is missing"}.`;
      const when = `ticks ${d.firstTick} to ${d.lastTick} (${this.seconds(d.firstTick).toFixed(2)} s to ${this.seconds(d.lastTick).toFixed(2)} s)`;
      return `Bytes ${d.offset} to ${d.offset + d.bytes}: ${d.blocks} block(s) lost${d.what ? ` (${d.what})` : ""}, which may have held ${when}.`;
    });
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
      this.blocks.filter((b) => b.type === "roster" || b.type === "events" || b.type === "metrics"),
      (b, payload) => (b.type === "roster" ? readRoster(payload, changes) : b.type === "events" ? readJsonList(payload, "events", events, readEvent) : readJsonList(payload, "metrics", metrics, readMetric)),
    );
    this.roster = buildRoster(changes);
    this.events = events.sorted().map(([, e]) => e).sort((a, b) => a.tick - b.tick);
    this.metrics = metrics.sorted().map(([, m]) => m);
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

// ---------------------------------------------------------------- two runs

export type Comparison = { kind: "same"; ticks: number } | { kind: "differ"; tick: number } | { kind: "apart" };

/** "Identical until tick N": the first tick, of those that both have, whose hashes differ. */
export async function compareRuns(a: LogReader, b: LogReader): Promise<Comparison> {
  if (a.head.tickNs !== b.head.tickNs) return { kind: "apart" };
  const [x, y] = [await a.hashes(), await b.hashes()];
  let both = 0;
  for (let i = 0, j = 0; i < x.tick.length && j < y.tick.length; ) {
    if (x.tick[i] < y.tick[j]) i++;
    else if (x.tick[i] > y.tick[j]) j++;
    else {
      if (x.hash[i] !== y.hash[j]) return { kind: "differ", tick: x.tick[i] };
      both++;
      i++;
      j++;
    }
  }
  return both > 0 ? { kind: "same", ticks: both } : { kind: "apart" };
}
