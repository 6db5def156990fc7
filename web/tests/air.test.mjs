// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Aircraft, cars and weather in real Chromium against the real program: what it tells of them is what the page shows.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { becomes, complaints, look, OUT, says, serve, skip, until, v } from "./support.mjs";

const scenario = (name) => join(import.meta.dirname, "..", "..", "scenarios", `${name}.yaml`);
async function stand(name, seconds, options = {}) {
  const server = await serve({ scenario: scenario(name), args: ["--paused"] });
  await server.tell("step", { ticks: Math.round(seconds * 100) });
  const t = await look(server, options);
  await until(t.page, () => window.volary?.ready);
  return { server, ...t };
}
const plates = (page) => v(page, () => volary.labels().map((b) => b.text).join("\n"));

test("the wind of a valley is seen where it blows, and turns when it is changed in flight", { skip }, async () => {
  const { server, page, said, close } = await stand("windy_valley", 10);
  await v(page, () => volary.set({ seenCard: true }));
  await says(page, ".hour", /15:30/); // as the scenario has it
  await page.keyboard.press("Shift+W");
  await says(page, ".legend", /Wind/, /m\/s/);
  await becomes(() => plates(page), /Wind \d.*above ground/);
  await says(page, ".weather", /Wind\s+4\.1/, /Wind from\s+256/, /Temperature\s+\d/, /Density\s+1\.0/); // at 1,440 m and warm
  await page.getByRole("button", { name: "Parameters of Air" }).click();
  await says(page, ".weather", /Turbulence/i, /intensity/, /Atmosphere/i, /Shear/i);
  const wind = page.getByLabel("environment.wind", { exact: true });
  await wind.fill("[0, 12, 0]");
  await wind.press("Enter");
  await becomes(() => v(page, () => volary.swarm()?.fields?.find((f) => f.path === "environment.wind")?.value), /\[0, 12, 0\]/);
  await server.tell("step", { ticks: 10 });
  await says(page, ".weather", /Wind\s+12\.0/, /Wind from\s+180/);
  const { wind: told } = await server.get("/api/air");
  const mean = told.reduce((sum, w) => [sum[0] + w[3] / told.length, sum[1] + w[4] / told.length], [0, 0]);
  assert.ok(mean[1] > 2 * Math.abs(mean[0]), `${mean} m/s: to the north`);
  await page.screenshot({ path: join(OUT, "air_valley.png") });
  assert.deepEqual(complaints(said), []);
  await close();
  await server.end();
});

test("shipped airframes tell what they look like, and a car of a scenario is one", { skip }, async () => {
  const { server, page, said, close } = await stand("farm_track", 2);
  const looks = Object.fromEntries((await server.get("/api/airframes")).map((a) => [a.name, a.look]));
  assert.deepEqual(["aerosonde", "talon", "flying_wing", "quadplane", "car", "x500"].map((n) => looks[n]?.kind), ["aeroplane", "aeroplane", "flying_wing", "quadplane", "car", undefined]);
  assert.equal(looks["talon"].tail, "v");
  const cars = await v(page, () => volary.world().flocks.find((f) => f.look?.kind === "car"));
  assert.ok(cars.look.wheelbase > 1 && cars.size >= cars.look.wheelbase);
  await v(page, (name) => { const k = volary.flocks().findIndex((f) => volary.world().flocks[f].name === name); volary.select([volary.ids()[k]]); volary.perform("camera.follow"); return volary.settle(); }, cars.name);
  await becomes(() => v(page, () => volary.levels()[2]), (n) => n >= 1, "a body from near");
  // On a hill its height is that above the ground under it: less than it is tall.
  await becomes(() => page.locator(".readouts b").first().innerText().then(parseFloat), (h) => h < 1.5);
  await page.screenshot({ path: join(OUT, "air_car.png") });
  assert.deepEqual(complaints(said), []);
  await close();
  await server.end();
});
