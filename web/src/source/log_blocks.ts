// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The blocks of a recording: headers, the way from block to block past damage, the index that saves it, and payloads with their checksums.
import { crc32c, Reader, type ByteSource } from "./log_bytes.ts";
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
const MAX_BLOCKS = 4_000_000;

export type BlockType = "head" | "inputs" | "hashes" | "checkpoint" | "view" | "events" | "metrics" | "roster" | "index" | "end" | "plots";
const TYPES: BlockType[] = ["head", "inputs", "hashes", "checkpoint", "view", "events", "metrics", "roster", "index", "end", "plots"];

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

export const endOf = (b: Block): number => b.offset + HEADER_BYTES + b.stored;

/** Goes from block to block; where none is, it looks for the next one. */
export class Scanner {
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
export async function blocksFromIndex(source: ByteSource, size: number): Promise<Block[] | null> {
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
export async function loadPayload(source: ByteSource, block: Block): Promise<Uint8Array | Error> {
  try {
    return payloadOf(block, await source.read(block.offset, HEADER_BYTES + block.stored));
  } catch (e) {
    return new Error(`cannot be read: ${(e as Error).message}`);
  }
}
export function payloadOf(block: Block, bytes: Uint8Array): Uint8Array | Error {
  const h = readHeader(bytes, block.offset);
  if (!h || h.type !== block.type || h.stored !== block.stored || h.sequence !== block.sequence || h.firstTick !== block.firstTick || h.lastTick !== block.lastTick) return new Error("its header is damaged");
  return unpack(h, bytes.subarray(HEADER_BYTES), h.link!.payloadCrc);
}
