// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { Scene, type LineSegments } from "three";
import type { FlockInfo, Frame, SnapshotSource } from "../../source/source.ts";
import { testFrame, testView } from "../test_view.ts";
import type { View } from "../view.ts";
import { lengthFor, pointsFor, trails } from "./trails.ts";

/** Vehicle k flies east at 10 + k m/s, 5 k m high. */
const place = (k: number, time: number): [number, number, number] => [(10 + k) * time, 3 * k, 5 * k];
const source = { extent: () => ({ first: 0, last: 1e9, gaps: [], damage: [] }), positions: (time: number, ids: readonly string[], _o: readonly number[], out: Float32Array, at: number) => (ids.forEach((id, r) => out.set(place(Number(id), time), at + 3 * r)), true) } as unknown as SnapshotSource;
const wings: FlockInfo = { name: "w", airframe: "w", model: "aircraft", rotors: [], size: 2, radius: 1, controller: "", look: { kind: "aeroplane", tail: "v", span: 2, chord: 0, length: 0, width: 0, height: 0, wheelbase: 0, toFront: 0, wheels: [] } };
function at(time: number): Frame {
  const f = testFrame([0, 1, 2, 3].map((k) => place(k, time)));
  for (let k = 0; k < 4; k++) f.velocity[3 * k] = 10 + k;
  return f;
}
function drawn(part: Partial<View>, times: number[]): { lines: LineSegments; layer: ReturnType<typeof trails.create>; view: View } {
  const scene = new Scene();
  const layer = trails.create(scene);
  const { view } = testView();
  Object.assign(view, { source, ...part });
  for (const time of times) {
    view.time = time;
    layer.update(at(time), view);
  }
  return { lines: scene.children[0] as LineSegments, layer, view };
}
const column = (lines: LineSegments, name: string): Float32Array => lines.geometry.getAttribute(name).array as Float32Array;

test("trails of wings are long enough for a circle, those of others short", () => {
  assert.equal(lengthFor({ flocks: [] }), 5);
  assert.equal(lengthFor({ flocks: [{ ...wings, look: null }] }), 5);
  assert.equal(lengthFor({ flocks: [{ ...wings, look: { ...wings.look!, kind: "car" } }] }), 5);
  assert.ok(lengthFor({ flocks: [wings] }) > (2 * Math.PI * 100) / 20, "a circle of 100 m at 20 m/s");
  assert.ok(pointsFor(40, 1000) > pointsFor(5, 1000) && pointsFor(40, 30) > pointsFor(40, 1000));
  assert.ok([5, 40, 600].every((s) => [1, 200, 1000, 9999].every((n) => pointsFor(s, n) < 255)), "a byte numbers them");
});
test("a seek gives the same points and speeds as having waited", () => {
  const times = Array.from({ length: 600 }, (_, k) => k * 0.1);
  const waited = drawn({ trailBy: "speed", trailSeconds: 20 }, times).lines;
  const sought = drawn({ trailBy: "speed", trailSeconds: 20 }, [times.at(-1)!]).lines;
  assert.deepEqual(column(waited, "position"), column(sought, "position"));
  const [a, b] = [column(waited, "value"), column(sought, "value")];
  a.forEach((x, k) => assert.ok(Math.abs(x - b[k]) < 1e-3, `${k}: ${x} and ${b[k]}`));
});
test("colours say how fast or how high each place was flown, and the legend in which range", () => {
  const fast = drawn({ trailBy: "speed" }, [30]);
  column(fast.lines, "value").forEach((x, k) => assert.ok(Math.abs(x - 10 - (k % 4)) < 1e-3, `${k}: ${x} m/s`));
  assert.deepEqual({ ...fast.layer.legend!()!, colours: 0 }, { title: "Speed", unit: "m/s", low: 10, high: 13, colours: 0 });
  const high = drawn({ trailBy: "height", ground: -2 }, [30]);
  column(high.lines, "value").forEach((x, k) => assert.ok(Math.abs(x - 2 - 5 * (k % 4)) < 1e-3, `${k}: ${x} m`));
  assert.equal(high.layer.legend!()!.unit, "m");
});
test("trails in colours that are no figures have no legend", () => {
  for (const trailBy of ["flock", "vehicle"] as const) assert.equal(drawn({ trailBy }, [30]).layer.legend!(), null);
  const { lines, layer, view } = drawn({ trailBy: "speed" }, [30]);
  view.trailBy = "vehicle";
  layer.update(at(30), view);
  const hues = new Set(Array.from({ length: 4 }, (_, k) => [...lines.geometry.getAttribute("colour").array.slice(4 * k, 4 * k + 3)].join()));
  assert.equal(hues.size, 4, "four vehicles of one flock");
  assert.equal(layer.legend!(), null);
});
