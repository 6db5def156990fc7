// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { Scene } from "three";
import type { FlockInfo } from "../../source/source.ts";
import { testCanvas, testFrame, testView } from "../test_view.ts";
import { formations, measureFlocks, type Formation } from "./formations.ts";

const flock = (name: string): FlockInfo => ({ name, airframe: "x500", model: "multirotor", rotors: [], size: 0.5, radius: 0.25, controller: "", look: null });
const square: [number, number, number][] = [[-5, -5, 4], [5, -5, 6], [5, 5, 4], [-5, 5, 6], [0, 0, 5], [1, 1, 5]];

test("the outline joins the outermost members and leaves the inner ones out", () => {
  const out: Formation[] = [];
  measureFlocks(testFrame(square), 1, out);
  assert.equal(out[0].count, 6);
  assert.deepEqual(out[0].centre.map((x) => Math.round(x * 100) / 100), [0.17, 0.17, 5]);
  assert.deepEqual([...new Set(out[0].who)].sort(), [0, 1, 2, 3]);
});
test("flocks are measured apart, a lost vehicle counts for none", () => {
  const frame = testFrame(square, (k) => (k < 4 ? 0 : 1));
  frame.state[0] = 16;
  const out: Formation[] = [];
  measureFlocks(frame, 3, out);
  assert.deepEqual(out.map((f) => f.count), [3, 2, 0]);
});
test("each flock is drawn with its name and count, empty ones are not, one vehicle is enough", () => {
  const layer = formations.create(new Scene());
  const { view, texts } = testView({ flocks: [flock("inner"), flock("outer"), flock("none")] });
  layer.show(true);
  const frame = testFrame(square, (k) => (k < 5 ? 0 : 1));
  layer.update(frame, view);
  const { context, calls } = testCanvas();
  layer.overlay!(context, frame, view);
  assert.deepEqual(texts, ["inner \u00b7 5", "outer \u00b7 1"]);
  assert.equal(calls["closePath"], 2);
});
test("off by default: nothing is measured or drawn", () => {
  const layer = formations.create(new Scene());
  const { view, texts } = testView({ flocks: [flock("inner")] });
  layer.update(testFrame(square), view);
  layer.overlay!(testCanvas().context, testFrame(square), view);
  assert.deepEqual(texts, []);
});
