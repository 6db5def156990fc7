// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { airAddress, meanOf, readAir } from "./air.ts";

const SOUND = { time: 3, wind: [[0, 0, 10, 4, 0, 0], [9, 0, 10, 2, -2, 1]], middle: { wind: [3, -1, 0.5], density: 1.2, temperature: 288.15, pressure: 101325, magnetic: [0, 0, 0] } };

test("what the server tells of the air is read", () => {
  const air = readAir(SOUND, 10)!;
  assert.deepEqual([air.places, air.height], [2, 10]);
  assert.deepEqual([...air.wind.subarray(6)], [9, 0, 10, 2, -2, 1]);
  assert.deepEqual(meanOf(air), [3, -1, 0.5]);
  assert.equal(air.middle.temperature, 288.15);
});
test("what does not fit together is not taken", () => {
  for (const bad of [null, 3, {}, { ...SOUND, wind: [] }, { ...SOUND, wind: [[1, 2, 3]] }, { ...SOUND, wind: [[1, 2, 3, 4, 5, "6"]] }, { ...SOUND, middle: {} }, { ...SOUND, time: null }, { ...SOUND, middle: { ...SOUND.middle, wind: [1, 2] } }, { ...SOUND, wind: Array(2001).fill(SOUND.wind[0]) }])
    assert.equal(readAir(bad, 10), null, JSON.stringify(bad)?.slice(0, 80));
});
test("a question names its box, height and number of places", () => {
  assert.equal(airAddress({ box: [-10, 0.25, 1e3, 20], height: 30.04, side: 12 }), "api/air?box=-10,0.3,1000,20&heights=30&side=12");
});
