// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldsOf, onOneLine, reactionFields, readAsked } from "./inputs.ts";
import { INPUTS, STAR } from "./testing.ts";

test("a pose is asked for in metres and degrees, within the bounds that the server tells", () => {
  const asked = readAsked({ inputs: INPUTS }, "pose")!;
  assert.deepEqual(asked.map((a) => `${a.title} ${a.unit}`), ["East m", "North m", "Up m", "Roll \u00b0", "Pitch \u00b0", "Yaw \u00b0"]);
  assert.deepEqual(asked.slice(0, 3).map((a) => [a.min, a.max]), [[-1e8, 1e8], [-1e8, 1e8], [-1e8, 1e8]]);
  assert.equal(asked[3].max, 180);
  assert.ok(Math.abs(asked[4].max - 91.67) < 0.01);
  assert.deepEqual([asked[5].min, asked[5].max], [-180, 180]);
});
test("degrees become radians, and three numbers one field", () => {
  const asked = readAsked({ inputs: INPUTS }, "pose")!;
  assert.deepEqual(fieldsOf(asked, [1, -2, 3.5, 0, 18, -90]), { position: [1, -2, 3.5], roll: 0, pitch: Math.PI / 10, yaw: -Math.PI / 2 });
});
test("only pressing sends a force and a torque", () => {
  const asked = readAsked({ inputs: INPUTS }, "reaction")!;
  assert.deepEqual(asked.map((a) => a.unit), ["N", "N", "N", "N m", "N m", "N m"]);
  const wrench = fieldsOf(asked, [1.5, 4, 0, 0, 0, -4]);
  assert.deepEqual(reactionFields("press", wrench), { kind: "press", force: [1.5, 4, 0], torque: [0, 0, -4] });
  for (const kind of ["stiff", "yield"] as const) assert.deepEqual(reactionFields(kind, wrench), { kind });
});
test("what is not a schema asks for nothing", () => {
  const { pitch, ...rest } = INPUTS.pose.properties;
  for (const bad of [null, 3, {}, { inputs: {} }, { inputs: { pose: { properties: rest } } }, { inputs: { pose: { properties: { ...rest, pitch: { ...pitch, maximum: "far" } } } } }]) assert.equal(readAsked(bad, "pose"), null);
});
test("joints on one line are known, a star is none", () => {
  assert.ok(onOneLine([[0.5, 0, 0], [-0.5, 0, 0]]));
  assert.ok(onOneLine([[0, 0.6, 0.1], [0, 0, 0.1], [0, -0.6, 0.1]]));
  assert.ok(!onOneLine(STAR.parts.map((p) => p.joint)));
  assert.ok(!onOneLine([]));
});
