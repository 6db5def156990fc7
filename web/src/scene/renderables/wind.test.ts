// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { Scene, type Mesh } from "three";
import { testCanvas, testFrame, testView } from "../test_view.ts";
import type { Air } from "../../source/air.ts";
import type { Layer, View } from "../view.ts";
import { arrowGrid, comesFrom, legend, lengthOf, wind } from "./wind.ts";

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
const field = (scene: Scene): { n: number; foot(k: number): number[]; tip(k: number): number[]; hue(k: number): number[] } => {
  const { geometry } = scene.children[0] as Mesh;
  const [p, c] = [geometry.getAttribute("position"), geometry.getAttribute("colour")];
  const at = (v: number): number[] => [p.getX(v), p.getY(v), p.getZ(v)];
  // an arrow has four corners of its shaft, then the head with the tip in the middle
  return { n: geometry.drawRange.count / 9, foot: (k) => at(7 * k).map((x, i) => (x + at(7 * k + 1)[i]) / 2), tip: (k) => at(7 * k + 5), hue: (k) => [c.getX(7 * k), c.getY(7 * k), c.getZ(7 * k)] };
};
const along = (f: ReturnType<typeof field>, k: number): number[] => f.tip(k).map((x, i) => x - f.foot(k)[i]);
function drawn(view: View): ReturnType<typeof field> & { layer: Layer } {
  const scene = new Scene();
  const layer = wind.create(scene);
  layer.show(true);
  layer.update(testFrame([]), view);
  return { ...field(scene), layer };
}

test("every arrow points where the air goes, longer when it blows harder", () => {
  const f = drawn(testView({ wind: [3, 4, 0] }).view);
  assert.ok(f.n > 60, `${f.n} arrows`);
  for (let k = 0; k < f.n; k++) {
    const d = along(f, k);
    const long = Math.hypot(...d);
    assert.ok(Math.abs(d[0] / long - 0.6) < 1e-3 && Math.abs(d[1] / long - 0.8) < 1e-3 && Math.abs(d[2]) < 1e-3);
  }
  assert.ok(lengthOf(8) > lengthOf(4) && lengthOf(400) === lengthOf(50));
});
test("the arrows drift with simulation time, and stand still where motion is not wanted", () => {
  const scene = new Scene();
  const layer = wind.create(scene);
  const { view } = testView({ wind: [3, 0, 0] });
  layer.show(true);
  const middle = (time: number): number => {
    view.time = time;
    layer.update(testFrame([]), view);
    const f = field(scene);
    return f.foot(Math.floor(f.n / 2))[0];
  };
  assert.equal(middle(0), middle(0.5));
  view.still = false;
  assert.ok(Math.abs(middle(0.5) - middle(0.4) - 0.3) < 1e-4);
  assert.equal(middle(7.25), middle(7.25));
});

const told = (): Air => ({ time: 0, height: 30, places: 3, wind: Float64Array.from([[5, 0, 30, 10, 0, 0], [0, 5, 30, 0, -2, 0], [0, 0, 30, 0, 0, 0]].flat()), middle: { wind: [1, 0, 0], density: 1.2, temperature: 288, pressure: 101325 } });
test("where the server tells the air, every arrow is the wind at its foot in the colour of its speed", () => {
  const { view, texts } = testView();
  view.air = told();
  const f = drawn(view);
  assert.equal(f.n, 2, "calm air has no arrow");
  assert.ok(Math.hypot(...f.foot(0).map((x, i) => x - [5, 0, 30][i])) < 1e-3);
  assert.ok(along(f, 0)[0] > 0 && Math.abs(along(f, 0)[1]) < 1e-4, "to the east");
  assert.ok(along(f, 1)[1] < 0 && Math.abs(along(f, 1)[0]) < 1e-4, "to the south");
  assert.ok(Math.hypot(...along(f, 0)) > 3 * Math.hypot(...along(f, 1)));
  assert.notDeepEqual(f.hue(0), f.hue(1));
  assert.deepEqual({ ...f.layer.legend!()!, colours: 0 }, { title: "Wind", unit: "m/s", low: 0, high: 10, colours: 0 });
  f.layer.overlay!(testCanvas().context, testFrame([]), view);
  assert.deepEqual(texts, ["Wind 3.4\u2009m/s from 281\u00b0, 30\u2009m above ground"]);
});
test("without it the mean wind is drawn, and words say why", () => {
  const { view, texts } = testView({ wind: [0, 5, 0] });
  view.noAir = "not in a recording";
  const f = drawn(view);
  assert.equal(f.layer.legend!(), null);
  f.layer.overlay!(testCanvas().context, testFrame([]), view);
  assert.deepEqual(texts, ["Wind 5.0\u2009m/s from 180\u00b0 \u00b7 not in a recording"]);
});
test("arrows stand at fixed places of the world, about what the camera looks at", () => {
  const { view } = testView();
  const world = { terrain: null, ground: 2 };
  const a = arrowGrid({ ...view.camera, target: [0.1, 0, 40] }, view, [100, 200, 10], world);
  assert.deepEqual(arrowGrid({ ...view.camera, target: [0.4, 0.2, 40.5] }, view, [100, 200, 10], world), a, "a small step moves nothing");
  assert.deepEqual(arrowGrid({ ...view.camera, target: [0.1 + 100, 200, 50] }, view, [0, 0, 0], world), a, "whatever the origin of the frame");
  assert.ok(a.box[0] < 100 && a.box[2] > 100 && a.box[1] < 200 && a.box[3] > 200 && a.side === 12);
  assert.equal(a.height, 48);
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
  assert.ok(calls["fill"] > 60 && calls["lineTo"] === 6 * calls["fill"]);
});
