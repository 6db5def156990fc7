// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { inflateSync } from "node:zlib";
import { heightAt, scenarioText, standing, strike, terrainOf, type Crew, type Size } from "./ground.ts";
import { sizeFault } from "./pixels.ts";
import { headOf, luma, readDeepPng, writePng, type Grey } from "./png.ts";

/** A ramp from black in the west to white in the east, and one step down in the last row. */
const ramp: Grey = { width: 5, height: 3, grey: Uint16Array.from([0, 16384, 32768, 49151, 65535, 0, 16384, 32768, 49151, 65535, 0, 0, 0, 0, 0]) };
const size: Size = { width: 8, depth: 4, low: 0, high: 10 };
const crew: Crew = { airframe: "crazyflie", count: 4, spacing: 1, east: 4, north: -1, takeOff: 2 };
const near = (a: number, b: number): void => assert.ok(Math.abs(a - b) < 1e-3, `${a} ${b}`);

test("a picture of 16 bits is written and read without loss", async () => {
  const noise: Grey = { width: 31, height: 17, grey: Uint16Array.from({ length: 31 * 17 }, (_, k) => (k * 40503) & 65535) };
  const png = await writePng(noise, 16);
  assert.deepEqual(headOf(png), { width: 31, height: 17, bits: 16, colour: 0, interlaced: false });
  assert.deepEqual((await readDeepPng(png))!.grey, noise.grey);
});
test("a picture of 8 bits is a whole PNG: sums that fit, rows as differences to the one above", async () => {
  const png = Buffer.from(await writePng(ramp, 8));
  assert.deepEqual([...png.subarray(0, 8)], [137, 80, 78, 71, 13, 10, 26, 10]);
  // the check sums of IHDR and IEND; the latter is the same in every PNG
  assert.equal(png.subarray(-12).toString("hex"), "0000000049454e44ae426082");
  const at = png.indexOf("IDAT");
  const rows = inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)));
  assert.deepEqual([...rows], [2, 0, 64, 128, 191, 255, 2, 0, 0, 0, 0, 0, 2, 0, 192, 128, 65, 1]);
  assert.equal(await readDeepPng(png), null); // the browser reads those
});
test("what is cut off or twisted is not read as heights", async () => {
  const png = await writePng(ramp, 16);
  assert.equal(await readDeepPng(png.subarray(0, png.length - 20)), null);
  assert.equal(headOf(new TextEncoder().encode("hello, I am a text and no picture at all")), null);
  for (let k = 33; k < png.length; k++) {
    const bad = png.slice();
    bad[k] ^= 0x55;
    const read = await readDeepPng(bad);
    assert.ok(read === null || read.grey.length === 15);
  }
});
test("brightness has the weights of the simulator's reader", () => {
  assert.deepEqual([luma(255, 255, 255), luma(0, 0, 0), luma(255, 0, 0), luma(0, 255, 0), luma(0, 0, 255)], [255, 0, 76, 149, 28]);
  assert.equal(luma(65535, 65535, 65535), 65535);
});
test("too large and too small pictures are refused in words", () => {
  assert.equal(sizeFault("a", 8192, 2), null);
  assert.match(sizeFault("map.png", 8193, 10)!.message, /map\.png is 8193 \u00d7 10 pixels: at most 8192/);
  assert.match(sizeFault("dot.png", 1, 10)!.message, /two a side/);
});
test("the upper left corner is the origin, east to the right, south downwards, white at the top", () => {
  near(heightAt(ramp, size, 0, 0), 0);
  near(heightAt(ramp, size, 8, 0), 10);
  near(heightAt(ramp, size, 8, -2), 10); // the middle row
  near(heightAt(ramp, size, 8, -3), 5); // half way to the last one
  near(heightAt(ramp, size, 8, -4), 0);
  near(heightAt(ramp, { ...size, low: -10 }, 0, 0), -10);
  near(heightAt(ramp, size, 99, 99), 10); // beyond the edges it goes on
});
test("the ground that is drawn has its southern row first", () => {
  const t = terrainOf(ramp, size);
  assert.deepEqual([t.columns, t.rows, t.east, t.north, t.stepEast, t.stepNorth], [5, 3, 0, -4, 2, 2]);
  assert.deepEqual([...t.up.slice(0, 5)], [0, 0, 0, 0, 0]);
  near(t.up[14], 10);
  const large = terrainOf({ width: 1000, height: 700, grey: new Uint16Array(700_000) }, size);
  assert.deepEqual([large.columns, large.rows], [129, 129]);
});
test("a flock stands in a grid on the ground", () => {
  const places = standing(ramp, size, crew);
  assert.deepEqual(places.map(([e, n]) => [e, n]), [[3.5, -1.5], [4.5, -1.5], [3.5, -0.5], [4.5, -0.5]]);
  for (const [e, n, u] of places) near(u, heightAt(ramp, size, e, n));
});
test("a line of sight meets the ground where it first touches it", () => {
  const at = strike(ramp, size, [8, -1, 11], [0, -1, -1])!;
  near(at[2], heightAt(ramp, size, at[0], -1));
  near(at[2], 11 - (12 * (8 - at[0])) / 8);
  assert.equal(strike(ramp, size, [20, 9, 11], [20, 9, -1]), null); // beside the picture
});
test("the scenario says what is seen", () => {
  const text = scenarioText("my-hill", 'a "hill".jpg', { ...size, low: -2 }, crew);
  assert.match(text, /^name: my-hill\n/);
  assert.match(text, /file: my-hill\.png, width: 8, depth: 4, min_height: -2, max_height: 10/);
  assert.match(text, /grid: \{count: 4, spacing: 1, origin: \[4, -1, -2\]\}/);
  assert.match(text, /description: "a world made from the picture a \\"hill\\"\.jpg/);
});
