// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { BufferSource, type ByteSource } from "./log_bytes.ts";
import { LogReader } from "./log_reader.ts";
import { openBuffer, openBytes, ReplaySource, type ReplayOptions } from "./replay.ts";
import { newFrame, type Frame } from "./source.ts";

const fixture = (name: string): Uint8Array => new Uint8Array(readFileSync(new URL(`../../fixtures/${name}`, import.meta.url)));
async function open(name: string, options: ReplayOptions = {}): Promise<ReplaySource> {
  const source = await openBuffer(fixture(name), options);
  assert.ok(source instanceof ReplaySource, String(source));
  return source;
}
/** Bytes that come late, as over a network. */
class Slow implements ByteSource {
  private readonly inner: BufferSource;
  constructor(bytes: Uint8Array) {
    this.inner = new BufferSource(bytes);
  }
  size(): Promise<number> {
    return this.inner.size();
  }
  async read(offset: number, length: number): Promise<Uint8Array> {
    await new Promise((resolve) => setTimeout(resolve, 2));
    return this.inner.read(offset, length);
  }
}
const copy = (f: Frame): unknown => ({ time: f.time, tick: f.tick, n: f.n, ids: f.roster.ids, p: f.position.slice(0, 3 * f.n), v: f.velocity.slice(0, 3 * f.n), q: f.attitude.slice(0, 4 * f.n), s: f.state.slice(0, f.n) });

test("opening shows the first frame, exactly, and only what can be done", async () => {
  const source = await open("removal.vrec", { run: "r1", geometry: (a) => (a.includes("X500") ? { size: 0.6 } : undefined) });
  assert.deepEqual(source.can, { seek: true, command: false, grow: false });
  const out = newFrame(1);
  assert.equal(source.at(0, out), "exact");
  assert.deepEqual([out.n, out.tick, out.time, out.roster.ids.length], [15, 0, 0, 15]);
  assert.ok(Math.abs(out.position[0] + out.origin[0] - 15000) < 20 && Math.abs(out.origin[1] + 12000) < 20);
  assert.equal(source.world.run, "r1");
  assert.deepEqual(source.world.flocks.map((f) => [f.name, f.size]), [["holders", 0.6], ["circlers", 0.5]]);
  assert.deepEqual(source.extent(), { first: 0, last: 12, gaps: [], damage: [] });
});

test("frames agree with the program's poses, in floats near their origin", async () => {
  const rows = fixture("reference.bin");
  const view = new DataView(rows.buffer, rows.byteOffset);
  const sources = [await open("removal.vrec"), await open("crowd.vrec")];
  const out = newFrame(1);
  for (let r = 0; r < 500; r++) {
    const source = sources[r < 250 ? 0 : 1];
    const time = view.getFloat64(72 * r, true) * 0.01;
    await source.ready(time);
    assert.notEqual(source.at(time, out), "missing");
    assert.equal(out.n, view.getUint32(72 * r + 12, true), `vehicles at ${time}`);
    const slot = out.roster.slotOf.get(source.log.roster[view.getUint32(72 * r + 8, true)].id)!;
    for (let i = 0; i < 3; i++) assert.ok(Math.abs(out.position[3 * slot + i] + out.origin[i] - view.getFloat64(72 * r + 16 + 8 * i, true)) < 1e-5);
  }
});

test("seeking forwards and backwards gives the same bytes", async () => {
  const source = await open("removal.vrec");
  const times = Array.from({ length: 241 }, (_, k) => k * 0.05); // ticks, the seam of two blocks at 10 s among them
  times.push(3.9999, 4.0001, 9.9951, 10.0049, 11.111);
  const out = newFrame(1);
  const shot = async (time: number): Promise<unknown> => {
    await source.ready(time);
    source.at(time, out);
    return copy(out);
  };
  const forwards = new Map<number, unknown>();
  for (const t of times) forwards.set(t, await shot(t));
  for (const t of times.toReversed()) assert.deepEqual(await shot(t), forwards.get(t));
  const fresh = await open("removal.vrec");
  await fresh.ready(10);
  fresh.at(10, out);
  assert.deepEqual(copy(out), forwards.get(10));
});

test("who was removed is gone, and the roster says who is left", async () => {
  const source = await open("removal.vrec");
  const out = newFrame(1);
  const at = async (time: number): Promise<number> => {
    await source.ready(time);
    source.at(time, out);
    return out.n;
  };
  const gone = source.log.roster[3];
  const before = (gone.removalTick - 1) * 0.01;
  assert.equal(await at(before), 15);
  assert.ok(out.roster.slotOf.has(gone.id));
  const version = out.roster.version;
  assert.equal(await at(gone.removalTick * 0.01), 14);
  assert.ok(!out.roster.slotOf.has(gone.id) && out.roster.version !== version);
  assert.equal(await at(11), 8);
  assert.equal(await at(before), 15);
  assert.equal(out.roster.version, version); // the same list, not another one
  assert.equal(await at(-1), 0);
  assert.equal(await at(12.5), 0);
});

test("events, series and positions", async () => {
  const source = await open("removal.vrec");
  await source.ready(11);
  assert.equal(source.events(0, 12).length, 7);
  assert.equal(source.events(7, 12).length, 6);
  assert.deepEqual(source.events(0, 5).map((e) => [e.what, e.level]), [["removed", "info"]]);
  const ids = [source.log.roster[0].id, source.log.roster[3].id, "nobody"];
  const s = source.series("altitude", ids, 0, 12, 100);
  assert.ok(s.time.length <= 101 && s.time.length > 80);
  assert.equal(s.time[0], 0);
  assert.ok(s.values[0].every((x) => x > 5 && x < 15));
  assert.ok(s.values[1][0] > 5 && Number.isNaN(s.values[1].at(-1)!));
  assert.ok(s.values[2].every(Number.isNaN));
  const out = new Float32Array(9);
  assert.ok(source.positions(1, ids, source.origin, out, 0));
  const frame = newFrame(1);
  source.at(1, frame);
  assert.deepEqual([...out.subarray(0, 3)], [...frame.position.subarray(0, 3)]);
  assert.ok(Number.isNaN(out[6]));
  assert.ok(!source.positions(50, ids, source.origin, out, 0));
});

test("from afar, a moment is missing until its block came; playing finds the next one there", async () => {
  const source = await openBytes(new Slow(fixture("removal.vrec")));
  assert.ok(source instanceof ReplaySource);
  const seen: string[] = [];
  source.on((c) => seen.push(c.kind));
  const out = newFrame(1);
  assert.equal(source.at(0, out), "exact"); // prepared
  await Promise.resolve();
  assert.deepEqual(seen, ["world", "frames"]);
  assert.equal(source.loading(0), false);
  assert.equal(source.at(11, out), "missing");
  assert.ok(source.loading(11));
  await source.ready(11);
  await new Promise((resolve) => setTimeout(resolve, 10));
  assert.ok(seen.length > 2);
  assert.equal(source.at(11, out), "exact");
  // played, not jumped to: the next block is there before it is needed, in either direction
  for (const [start, step, other] of [[0, 0.01, 1], [11, -0.01, 0]]) {
    const played = await openBytes(new Slow(fixture("removal.vrec")));
    assert.ok(played instanceof ReplaySource);
    await played.ready(start);
    played.at(start, out);
    played.at(start + step, out);
    await new Promise((resolve) => setTimeout(resolve, 30));
    assert.ok(played.log.view(played.log.views[other]));
    played.close();
  }
  // the series of a fresh one fills itself
  const fresh = await openBytes(new Slow(fixture("removal.vrec")));
  assert.ok(fresh instanceof ReplaySource);
  const id = fresh.log.roster[0].id;
  assert.ok(Number.isNaN(fresh.series("speed", [id], 0, 12, 50).values[0].at(-1)!));
  await new Promise((resolve) => setTimeout(resolve, 60));
  assert.ok(fresh.series("speed", [id], 0, 12, 50).values[0].every((x) => x >= 0));
  fresh.close();
});

test("damage shows as a gap of its true width, and vehicles are hidden in it", async () => {
  const bytes = fixture("removal.vrec").slice();
  const log = await LogReader.open(new BufferSource(bytes));
  assert.ok(log instanceof LogReader);
  bytes[log.views[0].offset + 64 + 100] ^= 255;
  const source = await openBuffer(bytes);
  assert.ok(source instanceof ReplaySource);
  const [from, to] = [log.views[0].firstTick * 0.01, log.views[0].lastTick * 0.01];
  assert.deepEqual(source.extent(), { first: 0, last: 12, gaps: [[from, to]], damage: [[from, to]] });
  const out = newFrame(1);
  assert.equal(source.at(3, out), "missing");
  assert.equal(source.loading(3), false);
  await source.ready(11);
  assert.equal(source.at(11, out), "exact");
  const notices: string[] = [];
  source.on((c) => c.kind === "notice" && notices.push(c.text));
  await Promise.resolve();
  assert.equal(notices.length, 1);
});

test("damage that no index names is as wide as what is missing", async () => {
  const bytes = fixture("removal.vrec").slice();
  const log = await LogReader.open(new BufferSource(bytes));
  assert.ok(log instanceof LogReader);
  bytes[log.views[0].offset + 64 + 100] ^= 255;
  for (const b of log.blocks) if (b.type === "index") bytes[b.offset + 5] ^= 255;
  const source = await openBuffer(bytes);
  assert.ok(source instanceof ReplaySource);
  const { gaps, damage } = source.extent();
  assert.equal(gaps.length, 1);
  assert.ok(damage.some(([a, b]) => a === gaps[0][0] && b === gaps[0][1]));
});

test("a run that was cut off ends with a gap, not with guesses", async () => {
  const bytes = fixture("removal.vrec");
  const log = await LogReader.open(new BufferSource(bytes));
  assert.ok(log instanceof LogReader);
  const source = await openBuffer(bytes.slice(0, log.views[1].offset + 10));
  assert.ok(source instanceof ReplaySource);
  const e = source.extent();
  assert.equal(e.damage.length, 0);
  assert.ok(e.last >= 10 && e.last <= 12);
  if (e.last > 10) assert.deepEqual(e.gaps, [[10, e.last]]);
});

test("little memory: blocks come and go, the picture stays the same", async () => {
  const [large, small] = [await open("removal.vrec"), await open("removal.vrec", { memory: 1 })];
  const [a, b] = [newFrame(1), newFrame(1)];
  for (const t of [0, 11, 5, 10.5, 9.99, 10]) {
    await large.ready(t);
    large.at(t, a);
    for (let tries = 0; small.at(t, b) === "missing" && tries < 20; tries++) await small.ready(t);
    assert.deepEqual(copy(b), copy(a));
  }
});

test("a thousand vehicles at any moment in a few milliseconds", async () => {
  const source = await open("crowd.vrec");
  const out = newFrame(1000);
  const times: number[] = [];
  let seed = 3;
  for (let k = 0; k < 300; k++) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    const begin = performance.now();
    source.at((4 * seed) / 2 ** 32, out);
    times.push(performance.now() - begin);
    assert.equal(out.n, 1000);
  }
  times.sort((x, y) => x - y);
  const fresh = await LogReader.open(new BufferSource(fixture("crowd.vrec")));
  assert.ok(fresh instanceof LogReader);
  const begin = performance.now();
  for (const b of fresh.views) await fresh.load(b);
  console.log(`  1,000 vehicles: median ${times[150].toFixed(2)} ms, slowest of 300 ${times[299].toFixed(2)} ms; decoding 4 s of them ${(performance.now() - begin).toFixed(1)} ms`);
  assert.ok(times[150] < 5);
});
