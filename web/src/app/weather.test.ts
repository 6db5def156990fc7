// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { EMPTY_WORLD } from "../scene/renderer.ts";
import * as s from "./state.ts";
import { changeOf, worldNow } from "./weather.ts";

test("events tell how the wind was changed", () => {
  assert.deepEqual(changeOf("set: environment.wind to [3, -4.5, 0]"), { wind: [3, -4.5, 0] });
  assert.deepEqual(changeOf("set: environment.gust_sigma to 1.5"), { gustSigma: 1.5 });
  for (const what of ["set: environment.wind to [3, 4]", "set: environment.wind to north", "set: environment.turbulence.form to dryden", "refused: environment.wind to [1, 2, 3]", "took off"]) assert.equal(changeOf(what), null, what);
});
test("the wind of a moment is the one that was set last before it, also looking back", () => {
  const event = (time: number, what: string) => ({ tick: 0, time, id: "", name: "", what, level: "info" as const });
  s.world.value = { ...EMPTY_WORLD, wind: [1, 0, 0] };
  s.events.value = [event(2, "took off"), event(5, "set: environment.wind to [2, 0, 0]"), event(9, "set: environment.wind to [3, 0, 0]"), event(9, "set: environment.gust_sigma to 2")];
  const at = (time: number): [number, number] => {
    s.hot.clock = { ...s.hot.clock, time };
    return [worldNow()!.wind[0], worldNow()!.gustSigma];
  };
  assert.deepEqual([0, 4.99, 5, 8, 9, 100, 6].map(at), [[1, 0], [1, 0], [2, 0], [2, 0], [3, 2], [3, 2], [2, 0]]);
  assert.equal(worldNow(), worldNow(), "the same object while nothing changes");
});
