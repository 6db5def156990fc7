// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { Scene, type LineSegments } from "three";
import type { Swarm } from "../../source/source.ts";
import { fillLines, gradeOf } from "../pair_lines.ts";
import { testCanvas, testFrame, testView } from "../test_view.ts";
import { links } from "./links.ts";

const places: [number, number, number][] = [[0, 0, 5], [3, 0, 5], [0, 4, 6]];
const swarm = (part: Partial<Swarm> = {}): Swarm => ({ tick: 100, roster: 1, tasks: [], links: { all: 3, of: [0, 1, 1, 0, 2, 0] }, ...part });
function drawn(told: Swarm | null, on = true): { lines: number; at: number[]; ink: number[]; scene: Scene } {
  const scene = new Scene();
  const layer = links.create(scene);
  const { view } = testView();
  view.swarm = told;
  layer.show(on);
  layer.update(testFrame(places), view);
  const mesh = scene.children[0] as LineSegments;
  const lines = mesh.visible ? mesh.geometry.drawRange.count / 2 : 0;
  const list = (name: string, n: number): number[] => (lines ? [...mesh.geometry.getAttribute(name).array].slice(0, n * lines) : []);
  return { lines, at: list("position", 6), ink: list("ink", 4), scene };
}

test("a line goes from the one that hears to the one that is heard, one for each direction", () => {
  const { lines, at } = drawn(swarm());
  assert.equal(lines, 3);
  assert.deepEqual(at.slice(0, 6), [0, 0, 5, 3, 0, 5]);
  assert.deepEqual(at.slice(6, 12), [3, 0, 5, 0, 0, 5]);
  assert.deepEqual(at.slice(12), [0, 4, 6, 0, 0, 5]);
});
test("lines of the selected vehicle are marked, drawn once, and drawn although the server thinned the rest out", () => {
  const decision = { id: "2", behaviours: [], hears: [0, 1], sees: [] };
  const { lines, ink } = drawn(swarm({ decision, links: { all: 9000, of: [0, 1, 2, 0] } }));
  assert.equal(lines, 3); // 0-1, then 2-0 and 2-1
  assert.deepEqual([0, 1, 2].map((n) => ink[4 * n] > 1), [false, true, true]);
});
test("nothing is drawn when it is off, when nothing is known, or when it is told of another list of vehicles", () => {
  assert.equal(drawn(swarm(), false).lines, 0);
  assert.equal(drawn(null).lines, 0);
  assert.equal(drawn(swarm({ links: undefined })).lines, 0);
  assert.equal(drawn(swarm({ roster: 2 })).lines, 0);
});
test("a place that the frame does not have is left out instead of drawn to nowhere", () => {
  const frame = testFrame(places);
  const n = fillLines({ all: 2, of: [0, 7, 1, 2], own: [], who: -1 }, frame, 0.5, new Float32Array(12), new Float32Array(8));
  assert.equal(n, 1);
});
test("a crowd of lines is fainter than a few", () => {
  const ink = (all: number): number => {
    const out = new Float32Array(4);
    fillLines({ all, of: [0, 1], own: [], who: -1 }, testFrame(places), 0.5, new Float32Array(6), out);
    return out[0];
  };
  assert.ok(ink(2000) < ink(20));
});
test("how good a link is comes with it: 80 % is good, 50 % fair, less is poor, and none is not known", () => {
  assert.deepEqual([undefined, -1, 0, 49, 50, 79, 80, 100].map(gradeOf), [0, 0, 3, 3, 2, 2, 1, 1]);
  const grade = new Float32Array(8);
  const n = fillLines({ all: 3, of: [0, 1, 1, 0, 2, 0], quality: [100, 60, -1], own: [1], ownQuality: [10], who: 2 }, testFrame(places), 0.5, new Float32Array(24), new Float32Array(16), grade);
  assert.equal(n, 3); // the pair of the selected vehicle is drawn as its own
  assert.deepEqual([...grade.slice(0, 6)], [1, 1, 2, 2, 3, 3]);
});
test("without WebGL the same lines are drawn from above", () => {
  const layer = links.create(new Scene());
  const { view } = testView();
  view.swarm = swarm();
  layer.show(true);
  layer.update(testFrame(places), view);
  const { context, calls } = testCanvas();
  layer.draw2d!(context, testFrame(places), view);
  assert.equal(calls["stroke"], 3);
});
test("where nothing can be known a plate says why, and only to whoever switched it on", () => {
  const layer = links.create(new Scene());
  const { view, texts } = testView();
  view.noSwarm = "not in a recording";
  layer.overlay!(testCanvas().context, testFrame(places), view);
  assert.deepEqual(texts, []);
  layer.show(true);
  layer.overlay!(testCanvas().context, testFrame(places), view);
  assert.deepEqual(texts, ["Radio links: not in a recording"]);
});
