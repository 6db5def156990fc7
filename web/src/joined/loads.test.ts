// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { Scene } from "three";
import { testCanvas, testFrame, testView } from "../scene/test_view.ts";
import { cornersOf, loadLayer } from "./loads.ts";
import { JoinedBook, sampleOf } from "./told.ts";

const level = [0, 0, 3, 1, 0, 0, 0];
const cable = (tension: number): number[] => [0, 0, 5, 0, 0, 3.1, tension];
const seen = (numbers: number[] | null, selected = 0) => {
  const layer = loadLayer((k) => (k === 0 && numbers ? { size: [0.4, 0.2, 0.2], told: Float32Array.from(numbers) } : null)).create(new Scene());
  const { view, texts } = testView();
  view.selected = Uint8Array.from([selected, 0]);
  const { context, calls } = testCanvas();
  return { drawn: layer.overlay!(context, testFrame([[0, 0, 5], [10, 0, 5]]), view), calls, texts };
};

test("a load is a box of six faces, with a line for each cable", () => {
  const one = seen([...level, ...cable(4.9), ...cable(12)]);
  assert.equal(one.drawn, true);
  assert.equal(one.calls["fill"], 6);
  assert.equal(one.calls["stroke"], 8);
  assert.deepEqual(one.texts, []);
  assert.equal(seen(null).drawn, false);
});
test("cables of selected vehicles have their tension", () => {
  assert.deepEqual(seen([...level, ...cable(4.91), ...cable(12)], 1).texts, ["4.9\u2009N", "12\u2009N"]);
});
test("the corners of a box turn with it", () => {
  const turned = cornersOf([2, 1, 1], [5, 0, 0, Math.SQRT1_2, 0, 0, Math.SQRT1_2]); // a quarter turn to the left
  assert.ok(turned.every((p) => Math.abs(Math.abs(p[0] - 5) - 0.5) < 1e-9 && Math.abs(Math.abs(p[1]) - 1) < 1e-9));
});
test("between two samples a load moves evenly, and after the last one it stays a little", () => {
  const book = new JoinedBook();
  const put = (time: number, x: number): void => book.add("1", sampleOf({ id: "1", load: [x, 0, 3, 1, 0, 0, 0], cables: [x, 0, 5, x, 0, 3.1, 4] }, time));
  put(1, 0);
  put(1.2, 2);
  const middle = book.loadAt("1", 1.05)!;
  assert.ok(Math.abs(middle[0] - 0.5) < 1e-6 && Math.abs(middle[7] - 0.5) < 1e-6 && middle[3] === 1);
  assert.ok(Math.abs(book.loadAt("1", 1.5)![0] - 2) < 1e-6);
  assert.equal(book.loadAt("1", 3), null);
  assert.equal(book.loadAt("2", 1), null);
  assert.equal(sampleOf({ id: "1", load: [1, 2] }, 0).load.length, 0, "what does not fit together is left out");
});
