// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { Scene } from "three";
import { bodies } from "../scene/renderables/bodies.ts";
import { DISC, type Shape } from "../scene/shape.ts";
import { testFrame, testView } from "../scene/test_view.ts";
import { readShape, readSurroundings, type FlockInfo } from "../source/source.ts";
import { bodyOf, shapesOf } from "./body.ts";
import { posesOf } from "./pose.ts";
import { EFFECTORS, STAR } from "./testing.ts";

const flock = (body: unknown, rotors: FlockInfo["rotors"] = []): FlockInfo => ({ name: "a", airframe: "star", model: "platform", rotors, size: 1.6, radius: 0.8, controller: "", look: null, body });
const range = (s: Shape, i: number): [number, number] => {
  const all = s.position.filter((_, k) => k % 3 === i);
  return [Math.min(...all), Math.max(...all)];
};
const discs = (s: Shape): number => s.part.filter((kind, k) => k % 4 === 0 && kind === DISC).length / 4;

test("what is told of bodies is read once, and what is not sound is left out", () => {
  const f = flock(STAR);
  const b = bodyOf(f)!;
  assert.equal(bodyOf(f), b);
  assert.deepEqual(b.centre, [0.3, 0.3, 0.06]);
  assert.deepEqual(b.parts.map((p) => p.link), ["spherical", "spherical", "hinge"]);
  assert.deepEqual(b.parts[2].axis, [0, 1, 0], "made a unit vector");
  assert.equal(b.parts[0].rotors.length, 4);
  const spoilt = bodyOf(flock({ centre: "wide", parts: [{ joint: [0, 0] }, { joint: [0, 0, NaN] }, { joint: [0.4, 0, 0], link: "glue" }, 7], effectors: [{ kind: "sword", position: [0, 0, 0], length: 1, radius: 1 }, { kind: "pole", position: [0, 0, 0], length: -1, radius: 0.1 }] }))!;
  assert.deepEqual([spoilt.parts.length, spoilt.parts[0].link, spoilt.effectors.length, spoilt.centre?.length], [1, "spherical", 0, 3]);
  for (const nothing of [undefined, null, 7, {}, { parts: [] }, { parts: "x" }]) assert.equal(bodyOf(flock(nothing)), null);
  assert.equal(readShape({ size_m: 1, body: STAR }).body, STAR);
  assert.ok(!("body" in readShape({ size_m: 1 })));
});

for (const detailed of [false, true])
  test(`${detailed ? "detailed" : "plain"} bodies are whole and cheap enough: the centre without rotors, each aircraft with its own`, () => {
    const all = shapesOf(flock({ ...STAR, effectors: EFFECTORS }), detailed)!;
    assert.equal(all.length, 4);
    assert.deepEqual(all.map(discs), [0, 4, 4, 4]);
    for (const s of all) {
      assert.ok(s.index.length / 3 <= (detailed ? 1500 : 400), `${s.index.length / 3} triangles`);
      assert.ok(s.position.every(Number.isFinite) && s.index.every((i) => i < s.position.length / 3));
      for (let k = 0; k < s.normal.length; k += 3) assert.ok(Math.abs(Math.hypot(s.normal[k], s.normal[k + 1], s.normal[k + 2]) - 1) < 1e-9, `corner ${k / 3}`);
    }
    // the arms reach every joint, and aircraft are drawn about theirs
    assert.ok(range(all[0], 1)[1] >= 0.41 && range(all[0], 1)[0] <= -0.41);
    assert.ok(Math.abs(range(all[1], 0)[0] + range(all[1], 0)[1]) < 0.1);
  });

test("end effectors are where they are told: as long, as wide, in their direction", () => {
  const only = (e: object): Shape => shapesOf(flock({ effectors: [e] }), true)![0];
  const bare = shapesOf(flock({ effectors: [{ kind: "plate", position: [0, 0, 0], direction: [0, 0, 1], length: 0.001, radius: 0.001 }] }), true)![0];
  const reach = (e: object, i: number): number => range(only(e), i)[1];
  assert.ok(range(bare, 0)[1] < 1, "the multirotor itself is not that long");
  assert.ok(Math.abs(reach({ kind: "pole", position: [0.2, 0, 0], direction: [3, 0, 0], length: 1, radius: 0.02 }, 0) - 1.2) < 1e-9);
  assert.ok(Math.abs(reach({ kind: "cylinder", position: [0, 0, 0], direction: [0, 0, 2], length: 2, radius: 0.02 }, 2) - 2) < 1e-9);
  assert.ok(Math.abs(reach({ kind: "plate", position: [1, 0, 0], direction: [1, 0, 0], length: 0.05, radius: 1.5 }, 1) - 1.5) < 1e-9);
  const cone = only({ kind: "cone", position: [2, 0, 0], direction: [1, 0, 0], length: 0.5, radius: 0.1, mouth: 3 });
  assert.ok(Math.abs(range(cone, 0)[1] - 2.5) < 1e-9);
  const mouth = cone.position.filter((_, k) => k % 3 === 0 && Math.abs(cone.position[k] - 2.5) < 1e-9).length;
  assert.ok(mouth > 0 && Math.abs(range(cone, 1)[1]) < 3.01 && range(cone, 1)[1] > 2.8, "its mouth is wide open");
});

test("an aircraft has end effectors of its own", () => {
  const parts = STAR.parts.map((p, k) => (k === 1 ? { ...p, effectors: [{ kind: "pole", position: [0, 0, 0], direction: [0, 0, -1], length: 2, radius: 0.01 }] } : p));
  const all = shapesOf(flock({ ...STAR, parts }), true)!;
  assert.deepEqual(all.map((s) => range(s, 2)[0] < -1.9), [false, false, true, false]);
});

test("a platform is one instance of the centre and one of each aircraft, each with its own attitude", () => {
  const scene = new Scene();
  const layer = bodies.create(scene);
  const { view } = testView({ flocks: [flock(STAR)] });
  const frame = testFrame([[10, 0, 5], [20, 0, 5]]);
  frame.attitude.set([1, 0, 0, 0, 1, 0, 0, 0]);
  view.level = new Uint8Array([1, 0]);
  const shown = (): { place: number[]; attitude: number[] }[] =>
    scene.children.flatMap((m) => {
      const g = (m as unknown as { visible: boolean; geometry: { instanceCount: number; getAttribute(name: string): { array: Float32Array } } }).geometry;
      return m.visible && g.instanceCount ? [{ place: [...g.getAttribute("place").array.slice(0, 3)], attitude: [...g.getAttribute("attitude").array.slice(0, 4)] }] : [];
    });
  layer.update(frame, view);
  assert.equal(shown().length, 1, "one body until what draws the others is loaded");
  const q = Math.SQRT1_2;
  const told = [1, 0, 0, 0, q, q, 0, 0, 1, 0, 0, 0];
  view.joined = { shapes: shapesOf, poses: (_f, _k, f) => posesOf(bodyOf(f)!, [1, 0, 0, 0], told, new Float32Array(56)) };
  layer.update(frame, view);
  const all = shown();
  assert.equal(all.length, 4);
  assert.deepEqual(all[0].place, [10, 0, 5]);
  assert.ok(Math.abs(all[1].place[0] - 10.48) < 1e-5 && Math.abs(all[1].place[2] - 5.07) < 1e-5);
  assert.ok(Math.abs(all[2].attitude[1] - q) < 1e-6, "the second aircraft is tilted");
  assert.deepEqual(all[3].attitude, [1, 0, 0, 0]);
});

test("structures of a world stand among its obstacles", () => {
  const mesh = { name: "wall", kind: "mesh", centre: [0, 0, 0], size: [], yaw: 0, vertices: [0, 0, 0, 1, 0, 0, 0, 0, 1], triangles: [0, 1, 2] };
  const w = readSurroundings({ obstacles: [{ name: "post", kind: "sphere", centre: [0, 0, 0], size: [1] }], structures: [mesh] });
  assert.deepEqual(w.obstacles.map((o) => o.name), ["post", "wall"]);
  assert.deepEqual(readSurroundings({ structures: "none" }).obstacles, []);
});
