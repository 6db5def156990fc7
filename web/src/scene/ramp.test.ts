// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { colourAt, colourOf, rampOn, rangeOf } from "./ramp.ts";
import type { Rgb } from "./theme.ts";

const bright = (c: Rgb): number => 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];

test("a range ends in round figures and holds everything", () => {
  assert.deepEqual(rangeOf(16.2, 22.1, null), [16, 24]);
  assert.deepEqual(rangeOf(0, 0, null), [0, 1]);
  for (const [a, b] of [[0.3, 0.31], [5, 5], [-12, 340], [999, 1001], [1e-9, 2e-9]]) {
    const [low, high] = rangeOf(a, b, null);
    assert.ok(low <= a && high >= b && high > low && high - low <= 2 * Math.max(1, b - a) + 0.04 * b, `${a} to ${b}: ${low} to ${high}`);
  }
});
test("a range stays while it holds everything and fits, and moves when it does not", () => {
  assert.deepEqual(rangeOf(16.5, 22, [16, 24]), [16, 24]);
  assert.deepEqual(rangeOf(15.9, 22, [16, 24]), [14, 22]);
  assert.deepEqual(rangeOf(20, 22, [0, 100]), [20, 22]);
  assert.deepEqual(rangeOf(Infinity, -Infinity, [3, 4]), [3, 4]);
});
test("colours become brighter from low to high, and stand out from their ground", () => {
  for (const dark of [false, true]) {
    const all = rampOn(dark).map(bright);
    assert.ok(all.every((x, k) => k === 0 || x > all[k - 1]), `${all}`);
    assert.ok(dark ? all[0] > 0.2 : all[all.length - 1] < 0.7);
  }
  assert.deepEqual(colourAt(rampOn(false), -1), rampOn(false)[0]);
  assert.deepEqual(colourAt(rampOn(false), 2), rampOn(false)[5]);
});
test("neighbours in a crowd have colours far apart", () => {
  const away = (a: Rgb, b: Rgb): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  for (let k = 0; k < 200; k++) for (const d of [1, 2, 3]) assert.ok(away(colourOf(k, false), colourOf(k + d, false)) > 0.25, `${k} and ${k + d}`);
  assert.ok(colourOf(7, true).every((x) => x >= 0 && x <= 1));
});
