// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What people see of aircraft and air, in real Chromium against tools/fake_server.mjs: shapes, trails, wind, weather, the sun, instruments.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { becomes, complaints, meet, open, OUT, says, seen, v } from "./page.mjs";

const aircraft = (server = {}, options = {}) => open({ ...options, server: { vehicles: 10, fleet: "aircraft", regions: [], wind: [6, 3, 0], ...server } });
const shot = (page, name) => page.screenshot({ path: join(OUT, `aircraft_${name}.png`) });
const counts = (page) => v(page, () => { volary.bench(1); return volary.stats(); });
const plates = (page) => v(page, () => volary.labels().map((b) => b.text).join("\n"));
const ground = (page) => v(page, () => volary.ground().reduce((a, b) => a + b, 0) / 3);

test("each kind is drawn as what it is: a glyph from afar, a body with wings, rotors or wheels from near", async () => {
  const t = await aircraft({ paused: true }, { query: "&paint=flat" });
  await v(t.page, () => { volary.pin(1); volary.set({ seenCard: true, layers: { trails: false } }); return volary.settle(); });
  // The plan of a wing covers less than a dart does, and every kind something else.
  const ink = (await v(t.page, () => volary.count(volary.palette()))).slice(0, 5).map((c) => c.n);
  assert.ok(ink.every((n) => n > 60) && new Set(ink).size === 5, `${ink} pixels`);
  const near = await aircraft({ paused: true });
  await v(near.page, () => { volary.pin(1); volary.set({ seenCard: true, layers: { trails: false, labels: false } }); });
  const bare = (await counts(near.page)).triangles;
  const bodies = [];
  for (const k of [0, 2, 4, 6, 8]) {
    await v(near.page, (k) => { const id = volary.ids()[k]; const size = volary.world().flocks[volary.flocks()[k]].size; volary.setCamera({ mode: "orbit", target: volary.position(id), azimuth: 0.9, elevation: 0.4, distance: 2.2 * size }); return volary.settle(); }, k);
    bodies.push((await counts(near.page)).triangles - bare);
    await shot(near.page, `near_${k / 2}`);
  }
  assert.ok(bodies.every((n) => n > 100 && n <= 1500) && new Set(bodies).size === 5, `${bodies} triangles`);
  assert.deepEqual([...complaints(t.said), ...complaints(near.said)], []);
  await t.close();
  await near.close();
});

test("trails are as long as a circle, and their colours are chosen and explained", async () => {
  const t = await aircraft();
  await seen(t.page, 2);
  const long = (await counts(t.page)).lines;
  await t.page.getByLabel("Length of trails").selectOption("5");
  const short = await becomes(() => counts(t.page), (s) => assert.ok(s.lines < long / 2, `${s.lines} of ${long} lines`));
  assert.equal(await t.page.locator(".legend").count(), 0);
  await t.page.getByLabel("Trails", { exact: true }).last().selectOption("speed");
  await says(t.page, ".legend", /Speed/, /m\/s/);
  await shot(t.page, "speed");
  await v(t.page, () => volary.perform("trails.height"));
  await says(t.page, ".legend", /Height/, /\d\u2009m$/m);
  assert.ok(Math.abs((await counts(t.page)).lines - short.lines) < 60, "as many; lines of the grid come and go with the camera");
  await v(t.page, () => volary.perform("trails.vehicle"));
  await t.page.waitForSelector(".legend", { state: "detached" });
  await t.page.reload();
  await t.page.waitForFunction(() => window.volary?.ready);
  await becomes(() => t.page.locator("#trail-by").inputValue(), "vehicle");
  assert.deepEqual(complaints(t.said), []);
  await t.close();
});

test("wind arrows show the air about the view while their layer is on, and say what is not known", async () => {
  const t = await aircraft();
  assert.equal(t.server.asks.length, 0, "nobody looks at the air");
  const bare = (await counts(t.page)).triangles;
  await t.page.keyboard.press("Shift+W");
  await says(t.page, ".legend", /Wind/, /m\/s/);
  await becomes(() => counts(t.page), (s) => assert.ok(s.triangles > bare + 3 * 60, `${s.triangles - bare} triangles`));
  await becomes(() => plates(t.page), /Wind \d+\.\d\u2009m\/s from \d+\u00b0, \d+\u2009m above ground/);
  await says(t.page, ".weather", /Temperature\s+18\.0/, /Pressure\s+1,008\.0/, /Density\s+1\.190/);
  await v(t.page, () => volary.settle());
  await shot(t.page, "wind");
  const asked = t.server.asks.length;
  await meet(() => t.server.asks.length > asked, "and again while it runs");
  await v(t.page, () => volary.setCamera({ ...volary.camera(), mode: "orbit", target: [500, 0, 20] }));
  await meet(() => t.server.asks.some((a) => Number(/box=([-\d.]+)/.exec(a)[1]) > 200), "where the camera looks");
  // Behind the present the mean wind is all there is.
  await t.page.keyboard.press("ArrowLeft");
  await becomes(() => plates(t.page), /Wind 6\.7.*known only while the view/);
  await t.page.waitForSelector(".legend", { state: "detached" });
  await t.page.keyboard.press("End");
  await says(t.page, ".legend", /Wind/);
  await t.page.keyboard.press("Shift+W");
  await t.page.waitForSelector(".legend", { state: "detached" });
  assert.deepEqual(complaints(t.said), []);
  await t.close();
});

test("in a recording the wind is that of the scenario, and the layer says so", async () => {
  const t = await aircraft();
  const bytes = readFileSync(join(import.meta.dirname, "..", "fixtures", "crowd.vrec")).toString("base64");
  const data = await t.page.evaluateHandle((b64) => { const d = new DataTransfer(); d.items.add(new File([Uint8Array.from(atob(b64), (c) => c.charCodeAt(0))], "crowd.vrec")); return d; }, bytes);
  await t.page.dispatchEvent("body", "drop", { dataTransfer: data });
  await t.page.waitForFunction(() => volary.shown().kind === "file" && volary.ready);
  const asked = t.server.asks.length;
  await t.page.keyboard.press("Shift+W");
  await becomes(() => plates(t.page), /not in a recording/);
  assert.equal(t.server.asks.length, asked);
  assert.deepEqual(complaints(t.said), []);
  await t.close();
});

test("the weather is changed in flight, and everybody sees it", async () => {
  const t = await aircraft();
  await t.page.getByRole("button", { name: "Parameters of Air" }).click();
  await says(t.page, ".weather", /gust standard deviation/, /Turbulence/i, /intensity/);
  await shot(t.page, "weather");
  const wind = t.page.getByLabel("environment.wind", { exact: true });
  await wind.fill("[0, -10, 0]");
  await wind.press("Enter");
  await meet(() => t.server.log.some((m) => m.name === "field" && m.args.path === "environment.wind" && m.args.value === "[0, -10, 0]"), "the command");
  await says(t.page, ".weather", /Wind\s+10\.0/, /Wind from\s+000/);
  // Before the change it blew as before.
  await t.page.locator("#scene").focus();
  await t.page.keyboard.press("Home");
  await says(t.page, ".weather", /Wind\s+6\.7/);
  assert.deepEqual(complaints(t.said), []);
  await t.close();
});

test("the sun follows the scenario's hour and place, or the slider", async () => {
  const plain = await aircraft({ paused: true });
  const day = await ground(plain.page);
  await plain.close();
  const t = await aircraft({ paused: true, hello: { time_of_day: 21.5, origin: { latitude: 47, longitude: 8, height: 0 }, year: 2026.47 } });
  await says(t.page, ".hour", /21:30/);
  const night = await becomes(() => ground(t.page), (x) => assert.ok(x < day - 60, `${x} at night, ${day} by day`));
  await shot(t.page, "night");
  await t.page.getByLabel("Time of day").fill("12");
  await becomes(() => ground(t.page), (x) => assert.ok(x > night + 60));
  await t.page.getByRole("button", { name: "auto" }).click();
  await becomes(() => ground(t.page), night);
  assert.deepEqual(complaints(t.said), []);
  await t.close();
});

test("the instruments of a selected aircraft are those of a pilot; a car has none", async () => {
  const t = await aircraft({ paused: true, vehicles: 10 });
  await v(t.page, () => { volary.select([volary.ids()[0]]); volary.perform("camera.follow"); });
  await says(t.page, ".instruments", /Airspeed\s+\d/, /Climb/, /Bank\s+\d+\s*\u00b0 (left|right)/, /Nose\s+\d+\s*\u00b0 (up|down)/);
  // It flies circles to the left or right at about 16 m/s in a wind of some 9 m/s.
  const air = () => t.page.locator(".instruments dd").first().innerText().then((x) => parseFloat(x));
  const speed = await v(t.page, () => volary.speed(volary.ids()[0]));
  await becomes(air, (x) => assert.ok(Math.abs(x - speed) > 0.5 && Math.abs(x - speed) < 12, `${x} through the air, ${speed} over ground`));
  assert.match(await t.page.locator(".horizon-dial").getAttribute("aria-label"), /^Bank \d+ degrees (left|right), nose \d+ degrees (up|down)$/);
  await v(t.page, () => volary.settle());
  await shot(t.page, "instruments");
  await v(t.page, () => volary.select([volary.ids()[8]]));
  await t.page.waitForSelector(".instruments", { state: "detached" });
  assert.deepEqual(complaints(t.said), []);
  await t.close();
});

test("a thousand aircraft on circles with coloured trails stay within the counts", async () => {
  const t = await aircraft({ vehicles: 1000 });
  await v(t.page, () => { volary.pin(1); volary.perform("trails.vehicle"); });
  await seen(t.page, 20);
  const s = await counts(t.page);
  const bench = (await v(t.page, () => volary.bench(15))).sort((a, b) => a - b);
  console.log("figures", JSON.stringify({ aircraft_1000: { draw_ms_best: Number(bench[0].toFixed(1)), draw_ms_median: Number(bench[7].toFixed(1)), lines: s.lines, points: s.points } }));
  assert.ok(s.calls <= 25 && s.triangles <= 10_000 && s.lines <= 45_000 && s.nodes < 1500, JSON.stringify(s));
  assert.ok(s.lines > 35_000 && s.points >= 1000);
  assert.deepEqual(complaints(t.said), []);
  await shot(t.page, "thousand");
  await t.close();
});
