// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The first picture of the scenarios, in real Chromium against the real program: every vehicle is in it from the first frame on, and stays in it for
// as long as the camera frames all, also when the world runs faster than real time. With VOLARY_LONG over all scenarios, otherwise over those that tell most:
// a runway, on which one vehicle leaves at 25 m/s; a swarm; a quadplane; hills.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { complaints, look, MINUTE, OUT, pass, serve, skip, until, v } from "./support.mjs";

const FOLDER = join(import.meta.dirname, "../../scenarios");
// a scenario whose vehicles an autopilot flies needs its program
const ALL = readdirSync(FOLDER).filter((f) => f.endsWith(".yaml") && !/^ +autopilot:/m.test(readFileSync(join(FOLDER, f), "utf8"))).map((f) => f.replace(/\.yaml$/, ""));
const scenarios = process.env["VOLARY_LONG"] ? ALL : ["runway", "default", "quadplane_post", "hill_relay"];

/** Every vehicle inside the picture in every frame that was drawn since the last look. */
async function allInView(page, what) {
  const { frames, outside } = await v(page, () => volary.strays());
  assert.ok(frames > 0, `${what}: no frame was drawn`);
  assert.deepEqual(outside.slice(0, 5), [], `${what}: outside the picture in ${frames} frames`);
}

for (const scenario of scenarios)
  for (const reducedMotion of ["no-preference", "reduce"])
    test(`${scenario}, ${reducedMotion === "reduce" ? "with a still camera" : "with a moving camera"}: every vehicle is in view from the first frame on`, { skip }, async () => {
      const server = await serve({ scenario });
      const t = await look(server, { reducedMotion });
      await until(t.page, () => window.volary?.ready);
      const from = await v(t.page, () => volary.clock().time);
      await t.page.waitForFunction((from) => volary.clock().time > from + 2, from, MINUTE);
      await allInView(t.page, "the first 2 s");
      if (reducedMotion === "reduce") await t.page.screenshot({ path: join(OUT, `view-${scenario}.png`) });
      await server.tell("speed", { factor: 8 });
      await pass(t.page, 4000);
      await allInView(t.page, "at eight times the speed");
      assert.deepEqual(complaints(t.said), []);
      await t.close();
      await server.end();
    });
