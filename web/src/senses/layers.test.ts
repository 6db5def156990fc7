// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { Scene } from "three";
import { late } from "../scene/late.ts";
import { conditions } from "../scene/renderables/conditions.ts";
import { vehicles } from "../scene/renderables/vehicles.ts";
import { testCanvas, testFrame, testView } from "../scene/test_view.ts";
import type { Layer } from "../scene/view.ts";
import type { EstimatesMessage } from "../wire/wire.ts";
import { STATE } from "../wire/wire.ts";
import { estimateLayer } from "./estimates.ts";
import { markLayer, markOf } from "./marks.ts";

const frameOf = (n = 2) => {
  const frame = testFrame(Array.from({ length: n }, (_, k): [number, number, number] => [4 * k, 0, 5]));
  frame.time = 1;
  return frame;
};
const seen = (n: number): ReturnType<typeof testView> => {
  const t = testView();
  t.view.screen = Float32Array.from({ length: 3 * n }, (_, k) => [400 + 40 * Math.floor(k / 3), 300, 10][k % 3]);
  t.view.selected = new Uint8Array(n);
  return t;
};
const believed = { velocity: [0, 0, 0] as [number, number, number], attitude: [1, 0, 0, 0], covariance: [0.25, 0, 0, 0.25, 0, 1], sensors: [] };
const told: EstimatesMessage[] = [{ type: "estimates", tick: 100, vehicles: [0, 1].map((k) => ({ id: String(k), position: [4 * k + 3, 4, 5], ...believed })) }];
const draw = (layer: Layer, frame: ReturnType<typeof frameOf>, view: ReturnType<typeof testView>["view"]) => {
  const { context, calls } = testCanvas();
  layer.update(frame, view);
  return { drawn: layer.overlay!(context, frame, view), calls };
};

test("estimates are drawn for selected vehicles while the layer is on, with the distance to the truth", () => {
  const layer = estimateLayer(new Scene());
  const frame = frameOf();
  const { view, texts } = seen(2);
  view.world = { ...view.world, tick: 0.01 };
  view.estimates = told;
  view.selected[0] = 2;
  assert.equal(draw(layer, frame, view).drawn, false);
  layer.show(true);
  const one = draw(layer, frame, view);
  assert.equal(one.drawn, true);
  assert.match(texts.join(), /estimate 5\.00\u2009m off, 3\u03c3 1\.50\u2009m/);
  view.selected[1] = 1;
  const two = draw(layer, frame, view);
  assert.equal(two.calls["stroke"], 2 * one.calls["stroke"]);
  view.selected.fill(0);
  assert.equal(draw(layer, frame, view).drawn, false);
});
test("where no estimate can be known the layer says why", () => {
  const layer = estimateLayer(new Scene());
  const { view, texts } = seen(2);
  view.noEstimates = "not in a recording";
  layer.show(true);
  draw(layer, frameOf(), view);
  assert.match(texts.join(), /Estimates: not in a recording/);
});
test("every flag has its words, and a crash outweighs what came before it", () => {
  assert.equal(markOf(3 | STATE.manual), null);
  assert.deepEqual(markOf(STATE.crashed | STATE.failsafe | 6), { text: "crashed", grave: true });
  assert.deepEqual(markOf(STATE.upsideDown | STATE.fault), { text: "upside down, fault", grave: true });
  assert.deepEqual(markOf(STATE.tippedOver), { text: "tipped over", grave: true });
  assert.deepEqual(markOf(STATE.stuck), { text: "stuck", grave: true });
  assert.deepEqual(markOf(STATE.fault | STATE.failsafe), { text: "fault, failsafe", grave: false });
  assert.deepEqual(markOf(3 | STATE.held), { text: "held", grave: false, calm: true });
  assert.deepEqual(markOf(STATE.held | STATE.fault), { text: "fault, held", grave: false });
});
test("vehicles with a condition or a fault are marked, and no others", () => {
  const layer = markLayer(new Scene());
  const frame = frameOf(3);
  frame.state.set([4, 4 | STATE.fault, 6 | STATE.crashed]);
  const { view, texts } = seen(3);
  const { drawn, calls } = draw(layer, frame, view);
  assert.equal(drawn, true);
  assert.deepEqual(texts, ["fault", "crashed"]);
  assert.equal(calls["fill"], 2);
  frame.state.fill(4);
  assert.equal(draw(layer, frame, view).drawn, false);
});
test("a vehicle that a latch holds has a mark of its own, which is no warning", () => {
  const frame = frameOf(2);
  frame.state.set([3 | STATE.held, 3]);
  const { view, texts } = seen(2);
  const { drawn, calls } = draw(markLayer(new Scene()), frame, view);
  assert.equal(drawn, true);
  assert.deepEqual(texts, ["held"]);
  assert.deepEqual([calls["arc"], calls["rect"]], [1, undefined]);
});
test("what draws marks comes with the first of them, and the picture is then drawn again", async () => {
  const layer = conditions.create(new Scene());
  const frame = frameOf();
  const { view, texts } = seen(2);
  assert.equal(draw(layer, frame, view).drawn, false);
  frame.state[1] = STATE.stuck;
  const loaded = new Promise<void>((done) => (late.loaded = done));
  draw(layer, frame, view);
  await loaded;
  assert.equal(draw(layer, frame, view).drawn, true);
  assert.deepEqual(texts, ["stuck"]);
});
test("a crashed vehicle is a cross, as one that diverged", () => {
  const scene = new Scene();
  const layer = vehicles.create(scene);
  const frame = frameOf(3);
  frame.state.set([STATE.crashed, STATE.diverged, STATE.stuck]);
  const { view } = seen(3);
  view.level = new Uint8Array(4);
  layer.update(frame, view);
  const colour = (scene.children[0] as unknown as { geometry: { getAttribute(name: string): { array: Uint8Array } } }).geometry.getAttribute("colour").array;
  assert.deepEqual([colour[3], colour[7], colour[11]], [1, 1, 2]);
});
