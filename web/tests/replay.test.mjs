// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a recording shows follows its clock, and what went wrong in a run is marked: in real Chromium against the real program.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { becomes, complaints, look, newFolder, OUT, PROGRAM, reads, says, serve, skip, until, v } from "./support.mjs";

/** Two that fly at each other and one that waits, with a task of each kind. */
const COLLISION = `
name: two that collide
seed: 3
duration: 12
regions: [{name: west, rule: mark, box: {min: [-30, -30], max: [0, 30]}}]
flocks:
  - name: pair
    airframe: x500
    vehicles: {list: [{position: [-12, 0, 10], name: left}, {position: [12, 0, 10], name: right}]}
    start: hold
    mission: {hold: {height: 0}}
    node: {contact: {policy: crash}}
    behaviours: [{go_to: {points: [[0, 0, 10]], speed: 4}}]
  - name: watch
    airframe: x500
    vehicles: {list: [{position: [0, 20, 10], name: watcher}]}
    start: hold
    mission: {hold: {height: 0}}
tasks:
  - {name: nobody lost, no_event: crashed}
  - {name: near the middle, eventually: {reached: {flock: pair, count: 1, position: [0, 0, 10], within: 5}}}
`;
/** Flies it without a page; returns the folder of runs and the id. */
function collide() {
  const [folder, runs] = [newFolder(), newFolder()];
  const file = join(folder, "collision.yaml");
  writeFileSync(file, COLLISION);
  const done = spawnSync(PROGRAM, ["run", file, "--headless", "--quiet", "--set", "environment.gust_sigma=0.2"], { env: { ...process.env, VOLARY_RUNS: runs }, encoding: "utf8" });
  assert.equal(done.status, 1, `a task fails: ${done.stderr}`);
  return { runs, id: readdirSync(runs).find((f) => f.endsWith(".vrec")).replace(/\.vrec$/, "") };
}
const seek = (page, time) => v(page, (x) => volary.seek(x), time);
const row = (page, name) => page.locator("[role=option]", { hasText: name });
/** How many pixels of the timeline have a colour of the theme. */
const painted = (page, token) => v(page, (token) => {
  const canvas = document.querySelector(".timeline canvas");
  const probe = document.createElement("canvas").getContext("2d");
  probe.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(`--${token}`);
  probe.fillRect(0, 0, 1, 1);
  const wanted = probe.getImageData(0, 0, 1, 1).data;
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  let n = 0;
  for (let i = 0; i < data.length; i += 4) if ([0, 1, 2].every((k) => Math.abs(data[i + k] - wanted[k]) < 3) && data[i + 3] > 250) n++;
  return n;
}, token);

test("tasks, regions, flight modes and crashes follow the clock of a replay, forwards and backwards", { skip }, async () => {
  const { runs, id } = collide();
  const server = await serve({ runs });
  const t = await look(server, { hash: `#/run/${id}` });
  await until(t.page, () => window.volary?.ready && volary.shown().kind === "run");
  const early = async () => {
    await seek(t.page, 1);
    await says(t.page, ".tasks", /nobody lost\s+holding/, /near the middle\s+open/);
    await says(t.page, ".region", /west\s+marked\s+1 inside/);
    await becomes(() => row(t.page, "left").innerText(), /Mission/, "steered by its behaviours");
    await becomes(() => row(t.page, "watcher").innerText(), /Hold/);
  };
  await early();
  await seek(t.page, 12);
  await says(t.page, ".tasks", /nobody lost\s+failed 0:0\d\.\d/, /near the middle\s+done 0:0\d\.\d/);
  await becomes(() => row(t.page, "left").innerText(), /\u2715 Crashed/);
  await becomes(() => row(t.page, "watcher").innerText(), /Hold/);
  assert.ok((await painted(t.page, "bad")) > 80, "a square for the crash and a cross for the task");
  await t.page.getByRole("tab", { name: "Events" }).click();
  await says(t.page, ".events", /crashed: into right at \(.*\) m ENU, \d+\.\d\d m\/s/, /task failed: nobody lost/);
  await t.page.screenshot({ path: join(OUT, "replay-crash.png") });
  await t.page.getByRole("tab", { name: "State" }).click();
  await early();
  assert.deepEqual(complaints(t.said), []);
  await t.close();
  await server.end();
});

test("a typed number selects the vehicle that has it, and a range selects several", { skip }, async () => {
  const { runs, id } = collide();
  const server = await serve({ runs, args: ["--set", "duration=7200"] });
  const t = await look(server);
  await until(t.page, () => window.volary?.ready);
  await t.page.locator("#scene").focus();
  await t.page.keyboard.type("12");
  await becomes(() => v(t.page, () => volary.selection()), ["12"]);
  await t.page.keyboard.type("20-22");
  await becomes(() => v(t.page, () => volary.selection()), ["20", "21", "22"]);
  await t.page.goto(`${server.base}/?test=1&quality=lite#/run/${id}`);
  await t.page.reload();
  await until(t.page, () => window.volary?.ready && volary.shown().kind === "run");
  await t.page.locator("#scene").focus();
  await t.page.keyboard.type("2");
  await reads(t.page, ".inspector h2", /^right$/);
  await t.close();
  await server.end();
});

test("an emergency stop is marked in the list, among the events and on the timeline", { skip }, async () => {
  const server = await serve({ args: ["--set", "duration=7200"] });
  const t = await look(server);
  await until(t.page, () => window.volary?.ready);
  const before = await painted(t.page, "bad");
  await server.tell("emergency_stop");
  await becomes(() => t.page.locator("[role=option]").first().innerText(), /\u2715 E-stop/);
  await t.page.getByRole("tab", { name: "Events" }).click();
  await says(t.page, ".events", /emergency stop: every vehicle/);
  await becomes(() => painted(t.page, "bad"), (n) => assert.ok(n > before + 30, `${n} pixels of red, ${before} before`));
  assert.deepEqual(complaints(t.said), []);
  await t.close();
  await server.end();
});

test("the library tells verdicts, what was set, and where a run was stopped; the search finds them", { skip }, async () => {
  const { runs, id } = collide();
  const server = await serve({ runs, args: ["--set", "duration=240"] });
  await becomes(async () => (await server.get("/api/live")).time, (x) => assert.ok(x > 0.5));
  await server.tell("stop");
  const t = await look(server, { hash: "#/library", size: { width: 1440, height: 640 } });
  const line = await becomes(() => t.page.locator(".runs tbody tr", { hasText: id }).innerText(), /failed/);
  for (const part of [/nobody lost/, /gust standard deviation = 0\.2\s*m\/s/]) assert.match(line, part);
  await says(t.page, ".runs", /incomplete/, /stopped at \d+(\.\d)? of 240\s*s/, /duration = 240/);
  await t.page.screenshot({ path: join(OUT, "library-outcomes.png") });
  await t.page.getByLabel("Search runs").fill("gust failed");
  await becomes(() => t.page.locator(".runs tbody tr").count(), 1);
  assert.deepEqual(complaints(t.said), []);
  await t.close();
  await server.end();
});
