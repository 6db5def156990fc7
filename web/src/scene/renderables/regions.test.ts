// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { Scene, type Mesh } from "three";
import { inRegion, readSurroundings, type RegionInfo } from "../../source/source.ts";
import { testCanvas, testFrame, testView } from "../test_view.ts";
import { hatch, outline, regions, span } from "./regions.ts";

const box = (part: Partial<RegionInfo> = {}): RegionInfo => ({ name: "field", rule: "keep_in", centre: [0, 0], radius: 0, corners: [[-5, -5], [5, -5], [5, 5], [-5, 5]], floor: 0, ceiling: 30, ...part });
const count = (scene: Scene, k: number): number => (scene.children[k] as Mesh).geometry.getAttribute("position")?.count ?? 0;

test("no region, nothing drawn and no label", () => {
  const scene = new Scene();
  const layer = regions.create(scene);
  const { view, texts } = testView();
  layer.update(testFrame([]), view);
  layer.overlay!(testCanvas().context, testFrame([]), view);
  assert.ok(scene.children.every((o) => !o.visible));
  assert.deepEqual(texts, []);
});
test("walls and outline are built once, and anew when the regions change", () => {
  const scene = new Scene();
  const layer = regions.create(scene);
  const { view } = testView({ regions: [box()] });
  layer.update(testFrame([]), view);
  const [walls, before] = [count(scene, 0), (scene.children[1] as Mesh).geometry];
  assert.equal(walls, 4 * 6);
  layer.update(testFrame([]), view);
  assert.equal((scene.children[1] as Mesh).geometry, before);
  view.world = { ...view.world, regions: [box(), box({ rule: "keep_out", radius: 3, corners: [] })] };
  layer.update(testFrame([]), view);
  assert.equal(count(scene, 0), (4 + 48) * 6);
  layer.dispose();
  assert.equal(scene.children.length, 0);
});
test("every wall runs from floor to ceiling, and without a ceiling fades away", () => {
  assert.deepEqual(span(box({ floor: 2, ceiling: 9 }), { ground: 0, hasGround: true }), { low: 2, high: 9, open: false });
  const open = span(box({ floor: null, ceiling: null }), { ground: 1, hasGround: true });
  assert.ok(open.low === 1 && open.high > 5 && open.open);
  assert.equal(span(box({ floor: 9, ceiling: 2 }), { ground: 0, hasGround: true }).high, 9);
});
test("the rule is a word and a pattern, not a colour alone", () => {
  const { view, texts } = testView({ regions: [box(), box({ name: "tower", rule: "keep_out" }), box({ name: "depot", rule: "mark" })] });
  regions.create(new Scene()).overlay!(testCanvas().context, testFrame([]), view);
  assert.deepEqual(texts, ["field \u00b7 keep in", "tower \u00b7 keep out", "depot"]);
  const { context, calls } = testCanvas();
  regions.create(new Scene()).draw2d!(context, testFrame([]), view);
  assert.ok(calls["setLineDash"] >= 3);
  assert.equal(calls["fill"], 2, "inside a keep-in region nothing is tinted");
});
test("hatching stays inside a bent outline", () => {
  const bent: RegionInfo = box({ corners: [[0, 0], [10, 0], [10, 10], [8, 10], [8, 2], [0, 2]] });
  const strokes = hatch(bent.corners, 0.5);
  assert.ok(strokes.length > 20);
  for (const [a, b] of strokes) assert.ok(inRegion(bent, (a[0] + b[0]) / 2, (a[1] + b[1]) / 2, 5), `${a} to ${b}`);
});
test("a hundred regions name no more than two dozen, and switching off leaves nothing", () => {
  const { view, texts } = testView({ regions: Array.from({ length: 100 }, () => box()) });
  const layer = regions.create(new Scene());
  layer.overlay!(testCanvas().context, testFrame([]), view);
  assert.equal(texts.length, 24);
  layer.show(false);
  layer.overlay!(testCanvas().context, testFrame([]), view);
  assert.equal(texts.length, 24);
});
const NONE = { wind: [0, 0, 0], gustSigma: 0, hour: null, place: null, regions: [], tasks: [], terrain: null, obstacles: [] };
test("surroundings are read from what is told, and malformed ones read as none", () => {
  assert.deepEqual(readSurroundings({}), NONE);
  assert.deepEqual(readSurroundings({ wind: [1, "x", 0], gust_sigma: -1, time_of_day: 25, origin: { latitude: 91, longitude: 0 }, regions: [null, 3, { name: "line", corners: [[0, 0], [1, 1]] }] }), NONE);
  const read = readSurroundings({ wind: [3, -4, 0], gust_sigma: 1.5, time_of_day: 6.5, origin: { latitude: 47, longitude: 8, height: 400 }, year: 2027.5, regions: [{ name: "pad", rule: "other", centre: [1, 2], radius: 4, corners: [], floor: null, ceiling: 10 }] });
  assert.deepEqual(read, { ...NONE, wind: [3, -4, 0], gustSigma: 1.5, hour: 6.5, place: { latitude: 47, longitude: 8, year: 2027.5 }, regions: [{ name: "pad", rule: "mark", centre: [1, 2], radius: 4, corners: [], floor: null, ceiling: 10 }] });
});
test("inside and outside: a cylinder, a polygon, and above the ceiling", () => {
  assert.ok(inRegion(box(), 4, -4, 10) && !inRegion(box(), 6, 0, 10) && !inRegion(box(), 0, 0, 31));
  const round = box({ radius: 2, corners: [], ceiling: null });
  assert.ok(inRegion(round, 1, 1, 500) && !inRegion(round, 2, 1, 5) && !inRegion(round, 0, 0, -1));
  assert.equal(outline(round).length, 48);
});
