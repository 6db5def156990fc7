// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import type { FlockPreview, Preview } from "./api.ts";
import { crowded } from "./crowding.ts";

const flock = (size_m: number, ...places: [number, number][]): FlockPreview => ({ name: "a", airframe: "", model: "", controller: "", rotors: [], size_m, count: places.length, starts: places.map(([e, n]) => [e, n, 0, 0]), centres: [], curve: [] });
const world = (...flocks: FlockPreview[]): Preview => ({ name: "", seed: "1", duration: 1, ground: 0, has_ground: true, flocks });

test("vehicles inside each other are warned of, once for each flock", () => {
  assert.deepEqual(crowded(world(flock(0.5, [0, 0], [1, 0], [2, 0]))), []);
  assert.match(crowded(world(flock(0.5, [0, 0], [0.2, 0], [0.3, 0])))[0].message, /0\.10 m apart/);
  assert.deepEqual(crowded(world(flock(0.5, [0, 0]), flock(0.5, [5, 0]), flock(2, [0, 0], [9, 9]))).map((c) => [c.path[1], c.message]), [[2, "two vehicles start in the same place"]]);
  assert.deepEqual(crowded(world()), []);
});
