// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { BlobSource, BufferSource, compareRuns, crc32c, HEADER_BYTES, HttpSource, LogReader, readHeader, type Block, type ByteSource } from "./log_reader.ts";

const fixture = (name: string): Uint8Array => new Uint8Array(readFileSync(new URL(`../../fixtures/${name}`, import.meta.url)));

/** The same bytes, but far away: the reader must go by the index. */
class Remote implements ByteSource {
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
async function open(source: ByteSource | Uint8Array): Promise<LogReader> {
  const log = await LogReader.open(source instanceof Uint8Array ? new BufferSource(source) : source);
  assert.ok(log instanceof LogReader, String(log));
  return log;
}
/** Everything a page may ask of a recording. */
async function readAll(log: LogReader): Promise<number> {
  await log.hashes();
  let tracks = 0;
  for (const b of log.views) tracks += (await log.load(b))?.tracks ?? 0;
  return tracks;
}

// ---------------------------------------------------------------- a file written here

interface Piece {
  type: number;
  payload: Uint8Array;
  first?: number;
  last?: number;
  sequence?: number;
  claimed?: number; // length that the header says
}
/** Sound headers and checksums around whatever is given. */
function writeFile(pieces: Piece[]): Uint8Array {
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
const json = (x: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(x));
const HEAD: Piece = { type: 1, payload: json({ format: "volary recording", version: 1, tick_ns: 10_000_000, start_tick: 0, seed: "18446744073709551615" }) };
function u64s(...values: number[]): Uint8Array {
  return new Uint8Array(BigUint64Array.from(values, (x) => BigInt(x)).buffer);
}

test("CRC-32C is Castagnoli's", () => {
  assert.equal(crc32c(new TextEncoder().encode("123456789")), 0xe3069283);
  assert.equal(crc32c(new Uint8Array(0)), 0);
});

test("head, roster, events, metrics and hashes are those of the run", async () => {
  const log = await open(fixture("removal.vrec"));
  assert.equal(log.head.scenario, "removal");
  assert.equal(log.head.seed, "5");
  assert.equal(log.tick, 0.01);
  assert.deepEqual([log.head.startTick, log.lastTick, log.closed, log.indexed], [0, 1200, true, false]);
  assert.deepEqual(log.head.flocks.map((f) => f.name), ["holders", "circlers"]);
  assert.equal(log.roster.length, 15);
  assert.deepEqual(log.roster.filter((v) => v.removalTick < Infinity).map((v) => v.flock), [0, 1, 1, 1, 1, 1, 1]);
  assert.equal(log.roster[3].spawnTick, 0);
  assert.ok(Math.abs(log.roster[3].removalTick - 400) <= 1);
  assert.equal(log.events.filter((e) => e.what === "removed").length, 7);
  assert.equal(log.events[0].vehicle, log.roster[3].id);
  assert.ok(log.metrics.some((m) => m.name.includes("rms") && m.value > 0));
  const { tick, hash } = await log.hashes();
  assert.equal(tick.length, 1201);
  assert.deepEqual([tick[0], tick[1200]], [0, 1200]);
  assert.equal(hash[1200].toString(16).padStart(16, "0"), "07b93bf950791bb0"); // as the program printed it
  assert.deepEqual([log.damage, log.problems()], [[], []]);
});

test("from afar the index is used, and gives the same without reading the trajectories", async () => {
  const bytes = fixture("crowd.vrec");
  const near = await open(bytes);
  const remote = new Remote(bytes);
  const far = await open(remote);
  assert.ok(far.indexed);
  assert.ok(remote.bytes < bytes.length + 70_000 && remote.reads < 12, `${remote.reads} readings of ${remote.bytes} bytes`);
  const plain = (b: Block): Block => ({ ...b, link: undefined });
  assert.deepEqual(far.blocks.map(plain), near.blocks.map(plain));
  assert.deepEqual(far.roster, near.roster);
  assert.equal(await readAll(far), 1000);
  assert.equal(await readAll(near), 1000);
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

test("a dropped file and a server with ranges give the same run", async (t) => {
  const bytes = fixture("removal.vrec");
  let asked = 0;
  const server = createServer((q, a) => {
    asked++;
    const range = /bytes=(\d+)-(\d+)/.exec(q.headers.range ?? "");
    if (q.url === "/missing") return a.writeHead(404).end();
    if (q.url === "/whole" || !range) return a.writeHead(200).end(bytes);
    const [from, to] = [Number(range[1]), Math.min(Number(range[2]), bytes.length - 1)];
    if (from >= bytes.length) return a.writeHead(416, { "Content-Range": `bytes */${bytes.length}` }).end();
    return a.writeHead(206, { "Content-Range": `bytes ${from}-${to}/${bytes.length}` }).end(bytes.subarray(from, to + 1));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const near = await open(bytes);
  for (const source of [new BlobSource(new Blob([bytes as Uint8Array<ArrayBuffer>])), new HttpSource(`${url}/run`), new HttpSource(`${url}/run`, {}, 1024), new HttpSource(`${url}/whole`)]) {
    asked = 0;
    const log = await open(source);
    assert.deepEqual(log.roster, near.roster);
    assert.equal(await readAll(log), await readAll(near));
    assert.ok(asked < 15, `${asked} requests`);
  }
  assert.match(String(await LogReader.open(new HttpSource(`${url}/missing`))), /no such recording/);
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

test("two runs are identical until a tick, or throughout", async () => {
  const [run, again, branch] = [await open(fixture("removal.vrec")), await open(fixture("removal.vrec")), await open(fixture("branch.vrec"))];
  assert.deepEqual(await compareRuns(run, again), { kind: "same", ticks: 1201 });
  assert.equal(branch.head.startTick, 600);
  const c = await compareRuns(run, branch);
  assert.ok(c.kind === "differ" && c.tick > 600 && c.tick < 610, JSON.stringify(c));
  assert.deepEqual(await compareRuns(run, await open(writeFile([HEAD]))), { kind: "apart" });
});

test("hostile blocks with sound checksums are refused one by one", async () => {
  const many = new Uint8Array([...u64s(0, 2 ** 40), 1]);
  const spawn = (index: number): Uint8Array => new Uint8Array([...u64s(0, 1), 1, ...new Uint8Array(Uint32Array.from([index]).buffer), ...u64s(0, 7), 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 65]);
  const log = await open(
    writeFile([
      HEAD,
      { type: 8, payload: many },
      { type: 8, payload: spawn(4_000_000_000) },
      { type: 8, payload: spawn(0).subarray(0, 30) },
      { type: 6, payload: json({ first: -1, events: [] }) },
      { type: 6, payload: json({ first: 0, events: [{ tick: -4 }, { tick: "x" }, 7, null] }) },
      { type: 6, payload: json([1, 2]) },
      { type: 7, payload: new TextEncoder().encode("[[[[".repeat(10_000)) },
      { type: 3, first: 0, last: 2 ** 50, payload: u64s(0, 0, 0, 0, 1) },
      { type: 5, first: 0, last: 2 ** 50, payload: u64s(1) },
      { type: 5, first: 0, last: 10, payload: u64s(1, 2, 3) },
      { type: 9, payload: u64s(2 ** 50, 1) },
    ]),
  );
  await readAll(log);
  assert.equal(log.roster.length, 0);
  assert.equal(log.events.length, 0);
  assert.equal(log.head.seed, "18446744073709551615");
  assert.equal(log.lastTick, 10);
  assert.ok(log.damage.length >= 7, log.problems().join("\n"));
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

test("a header says what it holds or is none", () => {
  const bytes = fixture("removal.vrec");
  const h = readHeader(bytes.subarray(0, HEADER_BYTES), 0);
  assert.ok(h && h.type === "head" && h.sequence === 0);
  for (let k = 0; k < HEADER_BYTES; k++) assert.equal(readHeader(bytes.slice(0, HEADER_BYTES).map((b, i) => (i === k ? b ^ 4 : b)), 0), null);
});
