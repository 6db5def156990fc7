// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { readShape, type FlockInfo, type Look } from "../source/source.ts";
import { shapeOf } from "./airframes.ts";
import { DISC, Shape, type Vec } from "./shape.ts";

const LOOK: Look = { kind: "aeroplane", tail: "conventional", span: 2, chord: 0.25, length: 1.3, width: 0, height: 0, wheelbase: 0, toFront: 0, wheels: [] };
const flock = (look: Look | null, rotors: FlockInfo["rotors"] = [], size = 2): FlockInfo => ({ name: "a", airframe: "a", model: "aircraft", rotors, size, radius: size / 2, controller: "", look });
const LIFT: FlockInfo["rotors"] = [[0.4, -0.4, 0.05, 1, 0, 0, 1, 0.2], [-0.4, 0.4, 0.05, 1, 0, 0, 1, 0.2], [0.4, 0.4, 0.05, -1, 0, 0, 1, 0.2], [-0.4, -0.4, 0.05, -1, 0, 0, 1, 0.2]];
const KINDS: [string, FlockInfo][] = [
  ["aeroplane that is pulled", flock(LOOK, [[0.5, 0, 0, 1, 1, 0, 0, 0.15]])],
  ["aeroplane that is pushed, with a V tail", flock({ ...LOOK, tail: "v" }, [[-0.8, 0, 0, 1, 1, 0, 0, 0.15]])],
  ["aeroplane with booms round its propeller", flock(LOOK, [[-0.3, 0, 0, 1, 1, 0, 0, 0.15]])],
  ["aeroplane with booms and an inverted V", flock({ ...LOOK, tail: "v" }, [[-0.3, 0, 0, 1, 1, 0, 0, 0.15]])],
  ["aeroplane with two engines", flock(LOOK, [[0.2, 0.4, 0.1, 1, 1, 0, 0, 0.12], [0.2, -0.4, 0.1, -1, 1, 0, 0, 0.12]])],
  ["aeroplane of which the span alone is known", flock({ ...LOOK, chord: 0, length: 0 })],
  ["flying wing", flock({ ...LOOK, kind: "flying_wing", chord: 0.35, length: 0 }, [[-0.3, 0, 0, 1, 1, 0, 0, 0.1]])],
  ["quadplane that is pushed", flock({ ...LOOK, kind: "quadplane" }, [...LIFT, [-0.3, 0, 0, 1, 1, 0, 0, 0.15]])],
  ["quadplane that is pulled", flock({ ...LOOK, kind: "quadplane" }, [...LIFT, [0.5, 0, 0, 1, 1, 0, 0, 0.15]])],
  ["car", flock({ ...LOOK, kind: "car", span: 0, length: 0, wheelbase: 1.5, width: 1.1, toFront: 0.9, height: 0.2 }, [], 2.4)],
  ["quadrotor", flock(null, LIFT.map((r) => [r[0], r[1], r[2], r[3]]))],
];
const corners = (s: Shape): Vec[] => Array.from({ length: s.position.length / 3 }, (_, k) => [s.position[3 * k], s.position[3 * k + 1], s.position[3 * k + 2]]);
const range = (s: Shape, i: number, but = -1): [number, number] => {
  const all = corners(s).filter((_, k) => s.part[4 * k] !== but).map((p) => p[i]);
  return [Math.min(...all), Math.max(...all)];
};

for (const [name, f] of KINDS)
  for (const detailed of [false, true])
    test(`${detailed ? "a detailed" : "a plain"} ${name} is whole, even on both sides, and cheap enough`, () => {
      const s = shapeOf(f, detailed);
      assert.ok(s.index.length / 3 <= (detailed ? 1500 : 140), `${s.index.length / 3} triangles`);
      assert.ok(s.position.every(Number.isFinite) && s.index.every((i) => i < s.position.length / 3));
      for (let k = 0; k < s.normal.length; k += 3) assert.ok(Math.abs(Math.hypot(s.normal[k], s.normal[k + 1], s.normal[k + 2]) - 1) < 1e-9, `corner ${k / 3}`);
      const [right, left] = range(s, 1);
      assert.ok(Math.abs(left + right) < 1e-9, `${left} left, ${-right} right`);
    });

test("a wing is as wide as its airframe says, and ahead of its tail", () => {
  for (const [name, f] of KINDS.filter(([, f]) => f.look && f.look.kind !== "car")) {
    const [right, left] = range(shapeOf(f, true), 1);
    assert.ok(Math.abs(left - right - 2) < 0.03, `${name}: ${left - right} m`);
  }
  const [tail, nose] = range(shapeOf(KINDS[0][1], true), 0, DISC);
  assert.ok(nose > 0.45 && nose < 0.6 && tail < -0.7 && tail > -0.95, `${tail} to ${nose}`);
});
test("every rotor sweeps where it is mounted, across its axis", () => {
  const s = shapeOf(KINDS[7][1], false);
  const discs = Array.from({ length: s.part.length / 4 }, (_, k) => k).filter((k) => s.part[4 * k] === DISC);
  assert.equal(discs.length, 4 * 5);
  const push = discs.slice(-4).map((k) => corners(s)[k]);
  assert.ok(push.every((p) => Math.abs(p[0] + 0.3) < 1e-9), "it turns in a plane across the flight");
  const lift = discs.slice(0, 4).map((k) => corners(s)[k]);
  assert.ok(lift.every((p) => Math.abs(p[2] - 0.05) < 1e-9 && Math.abs(p[0] - 0.4) <= 0.2 + 1e-9 && Math.abs(p[1] + 0.4) <= 0.2 + 1e-9));
});
test("solids turn their faces outwards", () => {
  const outwards = (s: Shape, middle: Vec): void =>
    corners(s).forEach((p, k) => assert.ok([0, 1, 2].reduce((sum, i) => sum + s.normal[3 * k + i] * (p[i] - middle[i]), 0) > -1e-9, `corner ${k} at ${p}`));
  for (const side of [-1, 1]) {
    const wing = new Shape();
    wing.panel([0, 0, 0], [0, side, 0], 0.3, 0.3, 0.12, 0);
    outwards(wing, [-0.1, side / 2, 0]);
  }
  const fin = new Shape();
  fin.panel([0, 0, 0], [-0.1, 0, 0.5], 0.3, 0.2, 0.1, 0);
  outwards(fin, [-0.14, 0, 0.25]);
  const wheel = new Shape();
  wheel.wheel([1, 2, 3], 0.5, 0.2, 9);
  outwards(wheel, [1, 2, 3]);
  const body = new Shape();
  body.loft([[1, 0, 0.1, 0.1], [0, 0, 0.3, 0.2], [-1, 0, 0.1, 0.1]], 7, 0);
  outwards(body, [0, 0, 0]);
});
test("a car stands on its wheels", () => {
  const [foot] = range(shapeOf(KINDS[9][1], true), 2);
  assert.ok(Math.abs(foot + 0.2) < 1e-9, `${foot}`);
});
test("what is told of a shape is read, and what is not sound is left out", () => {
  const told = readShape({ rotors: [[1, 2, 3], [1, 2, 3, -1], [1, 2, 3, 1, 0, 0, 1, 0.2], [1, NaN, 3], "x"], size_m: 1.5, look: { kind: "quadplane", tail: "v", span: 2, chord: -1, length: "long" } });
  assert.deepEqual(told, { rotors: [[1, 2, 3, 1], [1, 2, 3, -1], [1, 2, 3, 1, 0, 0, 1, 0.2]], size: 1.5, radius: 0.75, look: { kind: "quadplane", tail: "v", span: 2, chord: 0, length: 0, width: 0, height: 0, wheelbase: 0, toFront: 0, wheels: [] } });
  assert.deepEqual(readShape({ size_m: -1, look: { kind: "blimp" } }), {});
  assert.equal(readShape({ size_m: 1.5, radius_m: 0.4 }).radius, 0.4);
  assert.deepEqual(readShape(null), {});
});
