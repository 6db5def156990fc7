// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { Scene, type LineSegments } from "three";
import { testCanvas, testFrame, testView } from "../test_view.ts";
import { detections } from "./detections.ts";

test("a line goes from the one that looks to the one it sees, and not to those it only hears", () => {
  const scene = new Scene();
  const layer = detections.create(scene);
  const { view } = testView();
  const frame = testFrame([[0, 0, 5], [3, 0, 5], [0, 4, 6]]);
  view.swarm = { tick: 1, roster: 1, tasks: [], links: { all: 1, of: [0, 2] }, detections: { all: 1, of: [1, 2] } };
  layer.show(true);
  layer.update(frame, view);
  const mesh = scene.children[0] as LineSegments;
  assert.equal(mesh.visible, true);
  assert.equal(mesh.geometry.drawRange.count, 2);
  assert.deepEqual([...mesh.geometry.getAttribute("position").array].slice(0, 6), [3, 0, 5, 0, 4, 6]);
  const { context, calls } = testCanvas();
  layer.draw2d!(context, frame, view);
  assert.equal(calls["setLineDash"], 2, "broken, and whole again for others");
  layer.show(false);
  layer.update(frame, view);
  assert.equal(mesh.visible, false);
});
