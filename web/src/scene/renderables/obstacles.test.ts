// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { Scene, type Mesh } from "three";
import { readObstacle, type ObstacleInfo } from "../../source/source.ts";
import { footprint, hull, solid } from "../solids.ts";
import { testCanvas, testFrame, testView } from "../test_view.ts";
import { obstacles } from "./obstacles.ts";

const house = { name: "house", kind: "box", centre: [10, 20, 3], size: [4, 8, 6], yaw: 0 };
const mast = { name: "mast", kind: "cylinder", centre: [0, 0, 1], size: [2, 9], yaw: 0 };
const ball = { name: "ball", kind: "sphere", centre: [0, 0, 50], size: [5], yaw: 0 };
const wall = { name: "wall", kind: "mesh", centre: [0, 0, 0], size: [], yaw: 0, vertices: [0, 0, 0, 4, 0, 0, 4, 0, 3, 0, 0, 3], triangles: [0, 1, 2, 0, 2, 3] };
const read = (...list: object[]): ObstacleInfo[] => list.flatMap(readObstacle);

/** Volume inside triangles that turn left seen from outside (divergence theorem), and how well their normals agree with that. */
function measure(o: ObstacleInfo): { volume: number; agrees: boolean } {
  const { position: p, normal: n } = solid([o]);
  let [volume, agrees] = [0, true];
  for (let k = 0; k < p.length; k += 9) {
    const [a, b, c] = [0, 3, 6].map((i) => [p[k + i] - o.centre[0], p[k + i + 1] - o.centre[1], p[k + i + 2] - o.centre[2]]);
    const cross = [b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]];
    volume += (a[0] * cross[0] + a[1] * cross[1] + a[2] * cross[2]) / 6;
    const [u, v] = [b, c].map((q) => q.map((x, i) => x - a[i]));
    const face = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    agrees &&= face[0] * n[k] + face[1] * n[k + 1] + face[2] * n[k + 2] > 0;
  }
  return { volume, agrees };
}

test("every solid is closed, turns left seen from outside and has its volume", () => {
  const near = (o: object, expected: number, part: number): void => {
    const { volume, agrees } = measure(read(o)[0]);
    assert.ok(Math.abs(volume - expected) <= part * expected, `${volume} ${expected}`);
    assert.ok(agrees);
  };
  near(house, 4 * 8 * 6, 1e-12);
  near({ ...house, yaw: 1.1 }, 4 * 8 * 6, 1e-12);
  near(mast, Math.PI * 4 * 9, 0.01); // 32 corners
  near(ball, (4 / 3) * Math.PI * 125, 0.04); // and 12 bands
});
test("yaw turns a box from east towards north, seen from above and in space", () => {
  const turned = read({ ...house, yaw: Math.PI / 2 })[0];
  assert.deepEqual(footprint(turned).map((p) => p.map(Math.round)), [[14, 18], [14, 22], [6, 22], [6, 18]]);
  const { position } = solid([turned]);
  assert.equal(Math.round(Math.max(...position.filter((_, i) => i % 3 === 0))), 14);
});
test("a box has twelve edges; a mesh has those where it bends or ends, not the diagonals of its faces", () => {
  assert.equal(solid(read(house)).edges.length, 12 * 6);
  assert.equal(solid(read(wall)).edges.length, 4 * 6);
});
test("the outline of a mesh from above is its hull", () => {
  assert.deepEqual(hull([[0, 0], [2, 0], [1, 0.5], [2, 2], [0, 2], [1, 1]]), [[0, 0], [2, 0], [2, 2], [0, 2]]);
});
test("what does not fit together is no obstacle", () => {
  for (const bad of [null, 3, {}, { ...house, kind: "cone" }, { ...house, kind: "toString" }, { ...house, size: [4, 8] }, { ...house, size: [4, 8, -1] }, { ...house, centre: [0, "x", 0] }, { ...wall, triangles: [0, 1, 4] }, { ...wall, triangles: [] }, { ...wall, vertices: [0, 0] }, { ...mast, size: [NaN, 2] }])
    assert.deepEqual(readObstacle(bad), []);
});
test("obstacles are built once, drawn in both views, and gone without any or when switched off", () => {
  const scene = new Scene();
  const layer = obstacles.create(scene);
  const { view } = testView({ obstacles: read(house, mast, ball, wall) });
  const draw = (): void => layer.update(testFrame([]), view);
  draw();
  const built = (scene.children[0] as Mesh).geometry;
  draw();
  assert.equal((scene.children[0] as Mesh).geometry, built);
  assert.deepEqual(scene.children.map((o) => o.visible), [true, true]);
  const { context, calls } = testCanvas();
  layer.draw2d!(context, testFrame([]), view);
  assert.equal(calls["fill"], 4);
  layer.show(false);
  draw();
  assert.deepEqual(scene.children.map((o) => o.visible), [false, false]);
  layer.show(true);
  view.world = { ...view.world, obstacles: [] };
  draw();
  assert.deepEqual(scene.children.map((o) => o.visible), [false, false]);
  layer.dispose();
  assert.equal(scene.children.length, 0);
});
