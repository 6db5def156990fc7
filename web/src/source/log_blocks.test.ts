// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { HEADER_BYTES, readHeader } from "./log_blocks.ts";
import { BufferSource, type ByteSource } from "./log_bytes.ts";
import { LogReader } from "./log_reader.ts";
import { fixture, HEAD, json, open, readAll, Remote, u64s, writeFile, type Piece } from "./log_test_support.ts";

test("a header says what it holds or is none", () => {
  const bytes = fixture("removal.vrec");
  const h = readHeader(bytes.subarray(0, HEADER_BYTES), 0);
  assert.ok(h && h.type === "head" && h.sequence === 0);
  for (let k = 0; k < HEADER_BYTES; k++) assert.equal(readHeader(bytes.slice(0, HEADER_BYTES).map((b, i) => (i === k ? b ^ 4 : b)), 0), null);
});

test("a chain of several indexes is followed, and a wrong one falls back to looking", async () => {
  const pieces: Piece[] = [HEAD, HEAD];
  const offsets: number[] = [];
  let at = 2 * (HEADER_BYTES + HEAD.payload.length);
  const put = (p: Piece): void => {
    pieces.push(p);
    offsets.push(at);
    at += HEADER_BYTES + p.payload.length;
  };
  const index = (earlier: number[], from: number): Uint8Array => {
    const entries = pieces.slice(from).map((p, k) => {
      const b = new Uint8Array(48);
      const v = new DataView(b.buffer);
      let offset = 0;
      for (let i = 0; i < from + k; i++) offset += HEADER_BYTES + pieces[i].payload.length;
      v.setBigUint64(0, BigInt(offset), true);
      v.setBigUint64(8, BigInt(p.first ?? 0), true);
      v.setBigUint64(16, BigInt(p.last ?? p.first ?? 0), true);
      v.setBigUint64(24, BigInt(from + k), true);
      v.setUint32(32, p.payload.length, true);
      v.setUint32(36, p.payload.length, true);
      b[40] = p.type;
      return b;
    });
    return new Uint8Array(Buffer.concat([u64s(earlier.length, ...earlier, entries.length), ...entries]));
  };
  put({ type: 3, first: 0, last: 1, payload: u64s(0, 0, 0, 0, 10, 11) });
  const first = at;
  put({ type: 9, first: 1, payload: index([], 0) });
  put({ type: 3, first: 2, last: 3, payload: u64s(0, 0, 0, 0, 12, 13) });
  const second = at;
  put({ type: 9, first: 3, payload: index([first], 3) });
  put({ type: 10, first: 3, payload: new Uint8Array([...u64s(second), ...json({ last_tick: 3 })]) });
  const log = await open(new Remote(writeFile(pieces)));
  assert.ok(log.indexed && log.closed);
  assert.deepEqual([...(await log.hashes()).hash], [10n, 11n, 12n, 13n]);
  pieces.at(-1)!.payload = new Uint8Array([...u64s(first + 8), ...json({})]);
  const other = await open(new Remote(writeFile(pieces)));
  assert.ok(!other.indexed);
  assert.deepEqual([...(await other.hashes()).hash], [10n, 11n, 12n, 13n]);
});

test("a file cut anywhere opens to its last whole block", async () => {
  const bytes = fixture("removal.vrec");
  const whole = await open(bytes);
  const ends = whole.blocks.map((b) => b.offset + HEADER_BYTES + b.stored);
  for (let cut = 0; cut < bytes.length; cut += 97) {
    const kept = ends.filter((e) => e <= cut).length;
    for (const source of [new BufferSource(bytes.slice(0, cut)), new Remote(bytes.slice(0, cut))]) {
      const log = await LogReader.open(source);
      if (kept === 0) assert.ok(log instanceof Error);
      else {
        assert.ok(log instanceof LogReader, `cut at ${cut}: ${log}`);
        assert.equal(log.blocks.length, kept);
        assert.equal(log.closed, false);
        assert.equal(log.damage.length, cut === ends[kept - 1] ? 0 : 1);
        assert.ok(log.damage.every((d) => d.atEnd));
        await readAll(log);
      }
    }
  }
});

test("300 random corruptions are noticed, named and passed over", async () => {
  const bytes = fixture("removal.vrec");
  let seed = 7;
  const random = (n: number): number => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) % n;
  const counts = { opened: 0, refused: 0, slowest: 0 };
  for (let k = 0; k < 300; k++) {
    const broken = corrupt(bytes, random, k % 4);
    for (const source of [new BufferSource(broken), new Remote(broken)] as ByteSource[]) {
      const begin = performance.now();
      const log = await LogReader.open(source);
      if (log instanceof Error) {
        counts.refused++;
        continue;
      }
      counts.opened++;
      await readAll(log);
      counts.slowest = Math.max(counts.slowest, performance.now() - begin);
      if (source.local) assert.ok(log.damage.length > 0, `corruption ${k}`);
      for (const d of log.damage) assert.ok(d.firstTick >= 0 && d.lastTick >= d.firstTick && d.lastTick <= 1200 && log.problems().length > 0);
    }
  }
  console.log(`  ${counts.opened} opened, ${counts.refused} refused (both heads gone), slowest ${counts.slowest.toFixed(1)} ms`);
  assert.ok(counts.opened > 500);
});

function corrupt(bytes: Uint8Array, random: (n: number) => number, kind: number): Uint8Array {
  const at = random(bytes.length - 300);
  if (kind === 0) return bytes.map((b, k) => (k === at ? b ^ (1 + random(255)) : b));
  if (kind === 1) return bytes.map((b, k) => (k >= at && k < at + 256 ? (b + 1 + random(254)) & 255 : b));
  if (kind === 2) return new Uint8Array([...bytes.subarray(0, at), ...bytes.subarray(at + 1 + random(200))]);
  return new Uint8Array([...bytes.subarray(0, at), ...Uint8Array.from({ length: 1 + random(500) }, () => random(256)), ...bytes.subarray(at)]);
}

test("a lost block is named by the index, with its ticks", async () => {
  const bytes = fixture("removal.vrec").slice();
  const whole = await open(bytes);
  const view = whole.views[1];
  bytes[view.offset + 30] ^= 1; // its header
  const log = await open(bytes);
  assert.equal(log.views.length, whole.views.length - 1);
  assert.equal(log.damage.length, 1);
  const d = log.damage[0];
  assert.deepEqual([d.blocks, d.firstTick, d.lastTick, d.what, d.view], [1, view.firstTick, view.lastTick, "view", true]);
  // from afar it shows when the block is wanted
  const told: string[] = [];
  const far = await open(new Remote(bytes));
  far.onDamage = (x) => told.push(x.what);
  assert.equal(far.damage.length, 0);
  assert.equal(await far.load(far.views[1]), null);
  assert.equal(await far.load(far.views[1]), null);
  assert.deepEqual([told.length, far.damage.length, far.damage[0].firstTick], [1, 1, view.firstTick]);
});

test("thousands of false headers do not make the reader slow", async () => {
  const rubbish: Piece[] = [HEAD];
  for (let k = 0; k < 8000; k++) rubbish.push({ type: 5, sequence: 1 + 2 * k, payload: u64s(k), claimed: k % 2 ? 8 : 500_000 });
  const begin = performance.now();
  for (const source of [new BufferSource(writeFile(rubbish)), new Remote(writeFile(rubbish))]) await LogReader.open(source);
  const took = performance.now() - begin;
  console.log(`  ${took.toFixed(0)} ms`);
  assert.ok(took < 5000);
});
