// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { Scene, type Mesh } from "three";
import { testCanvas, testFrame, testView } from "../test_view.ts";
import { comesFrom, legend, lengthOf, wind } from "./wind.ts";

test("calm air draws nothing and says so", () => {
  const scene = new Scene();
  const layer = wind.create(scene);
  const { view, texts } = testView();
  layer.show(true);
  layer.update(testFrame([]), view);
  const { context, calls } = testCanvas();
  layer.overlay!(context, testFrame([]), view);
  assert.equal(scene.children[0].visible, false);
  assert.deepEqual(texts, ["Calm: no wind in this world"]);
  assert.equal(calls["stroke"], undefined);
});
test("every arrow points where the air goes, longer when it blows harder", () => {
  const scene = new Scene();
  const layer = wind.create(scene);
  const { view } = testView({ wind: [3, 4, 0] });
  layer.show(true);
  layer.update(testFrame([]), view);
  const p = (scene.children[0] as Mesh).geometry.getAttribute("position");
  assert.equal(p.count, 6 * 96);
  for (let k = 0; k < 96; k++) {
    const [dx, dy] = [p.getX(6 * k + 1) - p.getX(6 * k), p.getY(6 * k + 1) - p.getY(6 * k)];
    assert.ok(Math.abs(dx / Math.hypot(dx, dy) - 0.6) < 1e-3 && Math.abs(dy / Math.hypot(dx, dy) - 0.8) < 1e-3);
  }
  assert.ok(lengthOf(8) > lengthOf(4) && lengthOf(400) === lengthOf(50));
});
test("the arrows drift with simulation time, and stand still where motion is not wanted", () => {
  const scene = new Scene();
  const layer = wind.create(scene);
  const { view } = testView({ wind: [3, 0, 0] });
  layer.show(true);
  const first = (time: number): number => {
    view.time = time;
    layer.update(testFrame([]), view);
    return (scene.children[0] as Mesh).geometry.getAttribute("position").getX(0);
  };
  assert.equal(first(0), first(0.5));
  view.still = false;
  assert.ok(Math.abs(first(0.5) - first(0) - 1.5) < 1e-4);
  assert.equal(first(7.25), first(7.25));
});
test("the legend names speed, where it comes from, and gusts", () => {
  assert.equal(comesFrom([0, -5, 0]), 0);
  assert.equal(comesFrom([-5, 0, 0]), 90);
  assert.equal(legend([3, 4, 0], 1.2), "Wind 5.0\u2009m/s from 217\u00b0 \u00b7 gusts \u03c3 1.2\u2009m/s");
  assert.equal(legend([0, 0, 0], 0.5), "No mean wind \u00b7 gusts \u03c3 0.5\u2009m/s");
  assert.equal(legend([0, 0, -2], 0), "Wind 2.0\u2009m/s downwards");
});
test("the flat view has the same field", () => {
  const layer = wind.create(new Scene());
  const { view } = testView({ wind: [3, 0, 0] });
  layer.show(true);
  layer.update(testFrame([]), view);
  const { context, calls } = testCanvas();
  layer.draw2d!(context, testFrame([]), view);
  assert.equal(calls["lineTo"], 3 * 96);
});
