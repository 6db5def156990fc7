// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Recordings for tests: the fixtures, the same from afar, and files written here block by block.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { HEADER_BYTES } from "./log_blocks.ts";
import { BufferSource, crc32c, type ByteSource } from "./log_bytes.ts";
import { LogReader } from "./log_reader.ts";

export const fixture = (name: string): Uint8Array => new Uint8Array(readFileSync(new URL(`../../fixtures/${name}`, import.meta.url)));

/** The same bytes, but far away: the reader must go by the index. */
export class Remote implements ByteSource {
  reads = 0;
  bytes = 0;
  private readonly data: Uint8Array;
  constructor(data: Uint8Array) {
    this.data = data;
  }
  async size(): Promise<number> {
    return this.data.length;
  }
  async read(offset: number, length: number): Promise<Uint8Array> {
    this.reads++;
    const got = this.data.slice(offset, offset + length);
    this.bytes += got.length;
    return got;
  }
}
export async function open(source: ByteSource | Uint8Array): Promise<LogReader> {
  const log = await LogReader.open(source instanceof Uint8Array ? new BufferSource(source) : source);
  assert.ok(log instanceof LogReader, String(log));
  return log;
}
/** Everything a page may ask of a recording. */
export async function readAll(log: LogReader): Promise<number> {
  await log.hashes();
  let tracks = 0;
  for (const b of log.views) tracks += (await log.load(b))?.tracks ?? 0;
  return tracks;
}

// ---------------------------------------------------------------- a file written here

export interface Piece {
  type: number;
  payload: Uint8Array;
  first?: number;
  last?: number;
  sequence?: number;
  claimed?: number; // length that the header says
}
/** Sound headers and checksums around whatever is given. */
export function writeFile(pieces: Piece[]): Uint8Array {
  const parts: Uint8Array[] = [];
  let previous = 0n;
  pieces.forEach((p, k) => {
    const h = new Uint8Array(HEADER_BYTES);
    const v = new DataView(h.buffer);
    v.setUint32(0, 0x43455256, true);
    v.setUint16(4, 1, true);
    h[6] = p.type;
    v.setUint32(8, p.claimed ?? p.payload.length, true);
    v.setUint32(12, p.claimed ?? p.payload.length, true);
    v.setBigUint64(16, BigInt(p.first ?? 0), true);
    v.setBigUint64(24, BigInt(p.last ?? p.first ?? 0), true);
    v.setBigUint64(32, BigInt(p.sequence ?? k), true);
    v.setBigUint64(40, previous, true);
    v.setBigUint64(48, 99n, true);
    v.setUint32(56, crc32c(p.payload), true);
    v.setUint32(60, crc32c(h.subarray(0, 60)), true);
    previous = (BigInt(v.getUint32(56, true)) << 32n) | BigInt(v.getUint32(60, true));
    parts.push(h, p.payload);
  });
  return new Uint8Array(Buffer.concat(parts));
}
export const json = (x: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(x));
export const HEAD: Piece = { type: 1, payload: json({ format: "volary recording", version: 1, tick_ns: 10_000_000, start_tick: 0, seed: "18446744073709551615" }) };
export function u64s(...values: number[]): Uint8Array {
  return new Uint8Array(BigUint64Array.from(values, (x) => BigInt(x)).buffer);
}
