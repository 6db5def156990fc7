// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A recording exported as one HTML file, opened from the disk as whoever gets it by mail does: without a server and without a network.
import assert from "node:assert/strict";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { before, test } from "node:test";
import { openBuffer } from "../src/source/replay.ts";
import { newFrame } from "../src/source/source.ts";
import { complaints, newPage } from "./chromium.mjs";
import { becomes, browser, newFolder, OUT, skip, until, v, volary as run } from "./support.mjs";

const volary = (...args) => run(args);
let folder, recording;
before(() => {
  if (skip) return;
  folder = newFolder();
  recording = join(folder, "flight.vrec");
  volary("run", "default", "--headless", "--quiet", "--record", recording);
});
/** The page from the disk, what its console said and whatever it asked of a network. */
async function look(path, { size, theme } = {}) {
  const t = await newPage(browser, { size, theme, touch: (size?.width ?? 1440) < 500 });
  const url = pathToFileURL(path).href;
  const asked = [];
  t.page.on("request", (r) => !/^(data|blob):/.test(r.url()) && r.url().split(/[?#]/)[0] !== url && asked.push(r.url()));
  t.page.on("websocket", (w) => asked.push(w.url()));
  await t.page.goto(`${url}?test=1&quality=lite&paint=flat`);
  return { ...t, asked };
}

test("one file shows the flight: vehicles are drawn where the recording has them, whatever the moment", { skip }, async () => {
  const html = join(folder, "flight.html");
  volary("replay", recording, "--quiet", "--export", "html", html);
  console.log(`  ${(statSync(html).size / 1e6).toFixed(2)} MB, of which ${(statSync(recording).size / 1e6).toFixed(2)} MB are the recording`);
  const file = await openBuffer(readFileSync(recording));
  const frame = newFrame(64);
  const t = await look(html);
  await until(t.page, () => window.volary?.ready && volary.shown().coverage !== "loading");
  await becomes(() => v(t.page, () => volary.ids().length), 61);
  await v(t.page, () => { if (volary.clock().mode === "playing") volary.perform("time.play"); volary.set({ seenCard: true, layers: { trails: false } }); });
  for (const time of [0, 29.99, 3.21, 17.005]) {
    await v(t.page, (x) => volary.seek(x), time);
    await until(t.page, (x) => Math.abs(volary.clock().time - x) < 1e-9 && volary.shown().coverage !== "loading", time);
    await v(t.page, () => volary.settle());
    await file.ready(time);
    file.at(time, frame);
    const places = await v(t.page, (ids) => ids.map((id) => volary.position(id)), frame.roster.ids);
    places.forEach((p, k) => assert.ok(p && Math.hypot(...p.map((x, i) => x - frame.position[3 * k + i] - frame.origin[i])) < 1e-4, `${frame.roster.ids[k]} at ${time} s: ${p}`));
  }
  const { counts, flocks } = await v(t.page, () => ({ counts: volary.count(volary.palette()), flocks: volary.flocks() }));
  for (const flock of new Set(flocks)) {
    const each = counts[flock].n / flocks.filter((f) => f === flock).length;
    assert.ok(each > 5, `flock ${flock}: ${each.toFixed(1)} px per vehicle`);
  }
  await t.page.screenshot({ path: join(OUT, "export-1440x900-light.png") });
  // Time runs, and the keyboard moves it.
  await t.page.locator("#scene").focus();
  await v(t.page, () => volary.seek(10));
  await t.page.keyboard.press(".");
  await until(t.page, () => volary.clock().tick === 1001);
  await t.page.keyboard.press("Space");
  await until(t.page, () => volary.clock().time > 10.2);
  assert.deepEqual(t.asked, [], "it asks nobody for anything");
  assert.deepEqual(complaints(t.said), []);
  await t.close();
});

test("on a phone and in the dark it is the same page", { skip }, async () => {
  const html = join(folder, "phone.html");
  volary("replay", recording, "--quiet", "--export", "html", html);
  const t = await look(html, { size: { width: 390, height: 844 }, theme: "dark" });
  await until(t.page, () => window.volary?.ready && volary.shown().coverage !== "loading");
  await v(t.page, () => { volary.set({ seenCard: true }); volary.perform("camera.fit"); return volary.settle(); });
  await t.page.screenshot({ path: join(OUT, "export-390x844-dark.png") });
  assert.equal(await v(t.page, () => document.documentElement.scrollWidth > innerWidth), false);
  assert.ok(!(await t.page.locator("body").innerText()).match(/undefined|NaN|null/));
  assert.deepEqual([t.asked, complaints(t.said)], [[], []]);
  await t.close();
});

test("a name that looks like HTML is text, and a damaged recording is shown with its gap", { skip }, async () => {
  const yaml = join(folder, "odd.yaml");
  writeFileSync(yaml, 'name: "</script><img src=x onerror=alert(1)>"\nduration: 1\nflocks:\n  - name: "<b>birds</b>"\n    airframe: crazyflie\n    vehicles: {grid: {count: 3}}\n    mission: {hold: {height: 2}}\n');
  const odd = join(folder, "odd.vrec");
  volary("run", yaml, "--headless", "--quiet", "--record", odd);
  volary("replay", odd, "--quiet", "--export", "html", join(folder, "odd.html"));
  const t = await look(join(folder, "odd.html"));
  await until(t.page, () => window.volary?.ready);
  assert.equal(await t.page.locator("img[src=x]").count(), 0);
  assert.deepEqual([t.asked, complaints(t.said)], [[], []]);
  await t.close();

  const bytes = readFileSync(recording);
  const { log } = await openBuffer(bytes);
  const torn = log.views[Math.floor(log.views.length / 2)];
  bytes.fill(0x5a, torn.offset + 70, torn.offset + 90);
  const damaged = join(folder, "damaged.vrec");
  writeFileSync(damaged, bytes);
  volary("replay", damaged, "--quiet", "--export", "html", join(folder, "damaged.html"));
  const d = await look(join(folder, "damaged.html"));
  await until(d.page, () => window.volary?.ready);
  await becomes(() => v(d.page, () => volary.clock().extent.damage), (parts) => parts.length > 0, "what is lost");
  assert.deepEqual([d.asked, complaints(d.said)], [[], []]);
  await d.close();
});
