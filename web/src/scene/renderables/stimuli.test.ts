// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { Scene, type Mesh } from "three";
import { readTerrain, type Swarm } from "../../source/source.ts";
import type { StimulusField } from "../../wire/wire.ts";
import { testCanvas, testFrame, testView } from "../test_view.ts";
import { levelsOf, stimuli } from "./stimuli.ts";

const plume: StimulusField = { kind: "plume", unit: "kg/m3", sources: [1], up: 2, columns: 3, rows: 2, east: -10, north: 0, step_east: 10, step_north: 5, low: 1e-12, high: 1e-6, levels: "0080ff000102" };
const swarm = (stimuli?: StimulusField[]): Swarm => ({ tick: 1, roster: 1, tasks: [], ...(stimuli ? { stimuli } : {}) });

test("levels are two digits each, from nothing to the strongest", () => {
  assert.deepEqual([...levelsOf(plume)!].map((x) => Math.round(255 * x)), [0, 128, 255, 0, 1, 2]);
});
test("what does not fit together is no field", () => {
  for (const bad of [{ levels: "00" }, { levels: "xx80ff000102" }, { columns: 1, rows: 6 }, { step_east: 0 }, { columns: 1e5, rows: 1e5 }]) assert.equal(levelsOf({ ...plume, ...bad }), null);
});
test("a field lies on the ground, is drawn when its layer is on and told, and says what it is beside its source", () => {
  const scene = new Scene();
  const layer = stimuli.create(scene);
  const told = { columns: 2, rows: 2, east: -100, north: -100, step_east: 200, step_north: 200, low: 7, high: 7, heights: "0000000000000000" };
  const { view, texts } = testView({ terrain: readTerrain(told) });
  const frame = testFrame([[0, 0, 5], [3, 4, 5]]);
  view.swarm = swarm([plume]);
  layer.update(frame, view);
  assert.equal(scene.children.length, 0); // off
  layer.show(true);
  layer.update(frame, view);
  const mesh = scene.children[0] as Mesh;
  assert.equal(mesh.geometry.getAttribute("position").count, 6);
  assert.ok(Math.abs(mesh.geometry.getAttribute("position").getZ(0) - 7) < 0.1);
  assert.equal(mesh.geometry.index!.count, 12);
  layer.overlay!(testCanvas().context, frame, view);
  assert.match(texts.join(), /plume up to 1\.0e\u22126 kg\/m3, 2\u2009m above the ground/);
  layer.update(frame, view);
  assert.equal(scene.children[0], mesh); // built once
  view.swarm = swarm();
  layer.update(frame, view);
  assert.equal(scene.children.length, 0);
});
test("where nothing can be known it says why", () => {
  const layer = stimuli.create(new Scene());
  const { view, texts } = testView();
  view.noSwarm = "not in a recording";
  layer.show(true);
  layer.overlay!(testCanvas().context, testFrame([[0, 0, 5]]), view);
  assert.match(texts.join(), /Stimuli: not in a recording/);
});
