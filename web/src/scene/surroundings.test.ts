// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { readObstacle, type TerrainInfo } from "../source/source.ts";
import { groundAt } from "./relief.ts";
import { surroundings } from "./surroundings.ts";

const slope: TerrainInfo = { columns: 3, rows: 2, east: 100, north: 0, stepEast: 10, stepNorth: 20, up: Float32Array.from([0, 5, 10, 0, 5, 30]) };
const bounds = (list: number[]): number[][] => [0, 1, 2].map((i) => { const x = list.filter((_, k) => k % 3 === i); return [Math.min(...x), Math.max(...x)]; });

test("a first look holds the whole ground between its lowest and highest place, counted from the frame's origin", () => {
  assert.deepEqual(bounds(surroundings({ terrain: slope, obstacles: [] }, [0, 0, 0], 1, [100, 0, 0])), [[0, 20], [0, 20], [0, 30]]);
});
test("obstacles count with their height", () => {
  const obstacles = [{ name: "mast", kind: "cylinder", centre: [10, 0, 1], size: [2, 9], yaw: 0 }, { name: "house", kind: "box", centre: [0, 0, 3], size: [4, 8, 6], yaw: 0 }].flatMap(readObstacle);
  assert.deepEqual(bounds(surroundings({ terrain: null, obstacles }, [0, 0, 0], 1, [0, 0, 0])), [[-2, 12], [-4, 4], [0, 10]]);
});
test("a map as wide as a country does not make the swarm vanish", () => {
  const wide: TerrainInfo = { ...slope, east: -50_000, north: -50_000, stepEast: 50_000, stepNorth: 100_000 };
  assert.deepEqual(bounds(surroundings({ terrain: wide, obstacles: [] }, [0, 0, 5, 100, 0, 5], 2, [0, 0, 0])).slice(0, 2), [[-1000, 1100], [-1000, 1000]]);
  const far = readObstacle({ name: "far", kind: "sphere", centre: [9000, 0, 0], size: [5], yaw: 0 });
  assert.deepEqual(surroundings({ terrain: null, obstacles: far }, [0, 0, 0], 1, [0, 0, 0]), []);
});
test("in an empty world, and without vehicles, there is nothing to hold", () => {
  assert.deepEqual(surroundings({ terrain: null, obstacles: [] }, [0, 0, 0], 1, [0, 0, 0]), []);
  assert.deepEqual(surroundings({ terrain: slope, obstacles: [] }, [], 0, [0, 0, 0]), []);
});
test("the ground under a place is bilinear between the nodes and goes on beyond the edges", () => {
  assert.equal(groundAt(slope, 110, 0), 5);
  assert.equal(groundAt(slope, 115, 0), 7.5);
  assert.equal(groundAt(slope, 115, 10), (7.5 + 17.5) / 2);
  assert.equal(groundAt(slope, 999, 999), 30);
});
