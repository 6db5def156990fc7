// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { newFrame } from "../source/source.ts";
import type { FlockPreview, Preview } from "./api.ts";
import { PreviewSource } from "./preview.ts";

const flock = (name: string, ...starts: [number, number, number, number][]): FlockPreview => ({ name, airframe: "x", model: "multirotor", controller: "cascade", rotors: [], size_m: 0.5, count: starts.length, starts, centres: starts.map(([e, n, u]) => [e, n, u]), curve: [] });
const world = (...flocks: FlockPreview[]): Preview => ({ name: "demo", seed: "1", duration: 10, ground: 0, has_ground: true, flocks });
const two = world(flock("a", [0, 0, 0, 0], [2, 0, 0, 0]), flock("b", [0, 5, 1, Math.PI / 2]));

test("a scenario is a source that stands still", () => {
  const source = new PreviewSource();
  source.show(two, "all");
  const frame = newFrame(1);
  assert.equal(source.at(0, frame), "exact");
  assert.deepEqual([...frame.position.subarray(0, 9)], [0, 0, 0, 2, 0, 0, 0, 5, 1]);
  assert.deepEqual(frame.roster.names.slice(0, 3), ["a-0", "a-1", "b"]);
  assert.ok(Math.abs(frame.attitude[11] - Math.SQRT1_2) < 1e-6);
  assert.deepEqual(source.whose("2"), { flock: 0, index: 1 });
  assert.deepEqual(source.whose("3"), { flock: 1, index: 0 });
  assert.equal(source.whose("9"), null);
  assert.equal(source.idOf(1, 0), "3");
  assert.equal(source.idOf(1, 1), null);
});

test("a drag moves, spreads and turns what it holds and nothing else", () => {
  const source = new PreviewSource();
  source.show(two, "all");
  const at = (): number[] => {
    const f = newFrame(4);
    source.at(0, f);
    return [...f.position.subarray(0, 9)].map((x) => Math.round(x * 1e4) / 1e4 + 0);
  };
  const none = { flock: 0, index: -1, shift: [0, 0, 0] as const, scale: 1, about: [0, 0, 0] as const, turn: 0 };
  source.ghost = { ...none, index: 1, shift: [1, -1, 3] };
  assert.deepEqual(at(), [0, 0, 0, 3, -1, 3, 0, 5, 1]);
  source.ghost = { ...none, scale: 3, about: [1, 0, 0] };
  assert.deepEqual(at(), [-2, 0, 0, 4, 0, 0, 0, 5, 1]);
  source.ghost = { ...none, turn: Math.PI / 2 };
  assert.deepEqual(at(), [0, 0, 0, 0, 2, 0, 0, 5, 1]);
  source.ghost = null;
  assert.deepEqual(at(), [0, 0, 0, 2, 0, 0, 0, 5, 1]);
});

test("the same crew keeps its roster; another one gets a version that no run has", () => {
  const source = new PreviewSource();
  const frame = newFrame(1);
  source.show(two, "all");
  source.at(0, frame);
  const first = frame.roster.version;
  source.show(world(flock("a", [9, 0, 0, 0], [2, 0, 0, 0]), flock("b", [0, 5, 1, 0])), "all");
  source.at(0, frame);
  assert.equal(frame.roster.version, first);
  source.show(world(flock("a", [9, 0, 0, 0])), "all");
  source.at(0, frame);
  assert.ok(frame.roster.version < 0 && frame.roster.version !== first && frame.n === 1);
});
