// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { Scene, type Mesh } from "three";
import { readTerrain } from "../../source/source.ts";
import { contour, edges, normals, places, skirt, triangles } from "../relief.ts";
import { testFrame, testView } from "../test_view.ts";
import { terrain } from "./terrain.ts";
import { terrain_mesh } from "./terrain_mesh.ts";

const told = { columns: 3, rows: 2, east: -10, north: 5, step_east: 10, step_north: 20, low: 0, high: 50, heights: "00003333ffffffff66660000" };

test("heights come as four digits each, from low to high, the southern row first", () => {
  const t = readTerrain(told)!;
  assert.deepEqual([...t.up].map((u) => Math.round(u)), [0, 10, 50, 50, 20, 0]);
  assert.deepEqual([...places(t).slice(12, 15)].map((x) => Math.round(x)), [0, 25, 20]);
});
test("what does not fit together is no terrain", () => {
  for (const bad of [null, 3, {}, { ...told, heights: "0000" }, { ...told, heights: told.heights.replace("3", "x") }, { ...told, columns: 1e9 }, { ...told, step_east: 0 }, { ...told, low: "0" }])
    assert.equal(readTerrain(bad), null);
});
test("every cell is two triangles that turn left, every normal points up and has length one", () => {
  const t = readTerrain(told)!;
  const [p, index, n] = [places(t), triangles(t), normals(t)];
  assert.equal(index.length, 2 * 6);
  for (let k = 0; k < index.length; k += 3) {
    const [a, b, c] = [0, 1, 2].map((i) => [p[3 * index[k + i]], p[3 * index[k + i] + 1]]);
    assert.ok((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0);
  }
  for (let k = 0; k < t.up.length; k++) assert.ok(n[3 * k + 2] > 0 && Math.abs(Math.hypot(n[3 * k], n[3 * k + 1], n[3 * k + 2]) - 1) < 1e-6);
  assert.equal(edges(t).length, 2 * (2 * 2 + 3));
  assert.equal(contour(t), 5);
});
test("walls go round the edge from the lowest place up to the ground, and their normals point outwards", () => {
  const t = readTerrain(told)!;
  const { position: p, normal: n } = skirt(t, 0);
  assert.equal(p.length / 3, 6 * 2 * (2 + 1)); // six vertices for each of the steps along the edge
  const middle = [0, 15]; // of the map
  for (let k = 0; k < p.length; k += 3) {
    assert.ok(p[k + 2] >= 0 && p[k + 2] <= 50);
    assert.ok((p[k] - middle[0]) * n[k] + (p[k + 1] - middle[1]) * n[k + 1] > 0);
  }
  // and each turns left seen from outside
  for (let k = 0; k < p.length; k += 9) {
    const [u, v] = [3, 6].map((i) => [0, 1, 2].map((j) => p[k + i + j] - p[k + j]));
    const face = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    assert.ok(face[0] * n[k] + face[1] * n[k + 1] + face[2] * n[k + 2] >= 0);
  }
});
test("the solid ground is built once for a terrain and is gone without one; the mesh waits for its switch", () => {
  const scene = new Scene();
  const [solid, mesh] = [terrain.create(scene), terrain_mesh.create(scene)];
  const { view } = testView({ terrain: readTerrain(told) });
  const draw = (): void => [solid, mesh].forEach((l) => l.update(testFrame([]), view));
  draw();
  const built = (scene.children[0] as Mesh).geometry;
  draw();
  assert.equal((scene.children[0] as Mesh).geometry, built);
  assert.deepEqual(scene.children.map((o) => o.visible), [true, false]);
  mesh.show(true);
  view.world = { ...view.world, terrain: null };
  draw();
  assert.deepEqual(scene.children.map((o) => o.visible), [false, false]);
  [solid, mesh].forEach((l) => l.dispose());
  assert.equal(scene.children.length, 0);
});
