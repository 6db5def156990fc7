// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The page in real Chromium against the real program. VOLARY_PROGRAM names its binary; without it these tests are skipped.
// Nothing here depends on how fast a machine is: tests wait for conditions, for a minute at most.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { newFrame } from "../src/source/source.ts";
import { openBuffer } from "../src/source/replay.ts";

const OUT = join(import.meta.dirname, "..", "test-output");
const BROWSER = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
const FLAGS = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--force-color-profile=srgb", "--font-render-hinting=none", "--no-sandbox"];
const PROGRAM = process.env["VOLARY_PROGRAM"] ?? "";
const skip = PROGRAM ? false : "VOLARY_PROGRAM is not set: it names the volary binary these tests run against";
const MINUTE = { timeout: 60_000 };
let browser;
const folders = [];
const running = new Set();

before(async () => {
  if (skip) return;
  assert.ok(existsSync(PROGRAM), `VOLARY_PROGRAM=${PROGRAM} is not there`);
  mkdirSync(OUT, { recursive: true });
  browser = await chromium.launch({ executablePath: BROWSER, args: FLAGS });
});
after(async () => {
  await browser?.close();
  for (const child of running) child.kill("SIGKILL");
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), "volary-runs-"));
  folders.push(folder);
  return folder;
}
async function freePort() {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address();
  probe.close();
  await once(probe, "close");
  return port;
}
/** The program with its page, once it says where it is. */
async function fly({ runs = newFolder(), port, args = [] } = {}) {
  port ??= await freePort();
  const child = spawn(PROGRAM, ["run", "default", "--watch", "--port", String(port), ...args], { env: { ...process.env, VOLARY_RUNS: runs } });
  running.add(child);
  let said = "";
  await new Promise((resolve, reject) => {
    const hear = (d) => { said += d; if (said.includes(`http://127.0.0.1:${port}/`)) resolve(); };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.on("exit", (code) => reject(new Error(`volary ended with ${code}: ${said}`)));
    child.on("error", reject);
  });
  const base = `http://127.0.0.1:${port}`;
  const end = async (signal = "SIGINT") => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, "exit");
    running.delete(child);
  };
  const get = async (path) => (await fetch(base + path)).json();
  const tell = async (name, args = {}) => (await fetch(`${base}/api/live/${name}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(args) })).json();
  return { base, port, runs, end, get, tell };
}
/** A world that stands still until a page is there, so that the page sees it fly however slow the machine is. */
async function flyPaused(options = {}) {
  const server = await fly(options);
  await server.tell("pause");
  return server;
}
async function finish(server) {
  await server.tell("speed", { factor: 16 });
  await server.tell("resume");
}
function flyHeadless(runs, ...args) {
  const done = spawnSync(PROGRAM, ["run", "default", "--headless", "--quiet", ...args], { env: { ...process.env, VOLARY_RUNS: runs }, encoding: "utf8" });
  assert.equal(done.status, 0, done.stderr);
}
async function look(server, { size = { width: 1300, height: 640 }, theme = "light", hash = "", touch = false, path = "" } = {}) {
  const context = await browser.newContext({ viewport: size, deviceScaleFactor: 1, locale: "en-GB", timezoneId: "UTC", reducedMotion: "reduce", colorScheme: theme, hasTouch: touch });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const said = [];
  page.on("console", (m) => ["error", "warning"].includes(m.type()) && said.push(m.text()));
  page.on("pageerror", (e) => said.push(String(e.stack)));
  if (path) await page.route(path, (r) => r.fulfill({ status: 500, body: "{}" }));
  await page.goto(`${server.base}/?test=1&quality=lite${hash}`);
  return { page, said, close: () => context.close() };
}
const v = (page, f, argument) => page.evaluate(f, argument);
const until = (page, f, argument) => page.waitForFunction(f, argument, MINUTE);
const complaints = (said) => said.filter((t) => !/WebSocket connection|ERR_CONNECTION|Failed to load resource|GPU stall|GL Driver Message/.test(t));
/** Waits for the server's own word. */
async function live(server, holds) {
  for (const end = Date.now() + 60_000; ; ) {
    const status = await server.get("/api/live");
    if (holds(status)) return status;
    assert.ok(Date.now() < end, `the server never came to it: ${JSON.stringify(status)}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}
/** What the comparison of two runs says, word for word; spaces in figures do not break. */
const verdict = (page, text) => until(page, (x) => document.querySelector(".verdict")?.textContent.replace(/\s/g, " ").startsWith(x), text);
const replaying = (page) => until(page, () => window.volary?.ready && volary.shown().kind === "ended");

test("the default swarm is there, and pause, step and speed act on the world", { skip }, async () => {
  const server = await fly();
  const t = await look(server);
  await until(t.page, () => window.volary?.ready);
  assert.equal(await v(t.page, () => volary.ids().length), 61);
  assert.match(await t.page.locator(".chip").innerText(), /LIVE/);
  await t.page.keyboard.press("Space");
  const a = await live(server, (s) => s.state === "paused");
  await until(t.page, (tick) => volary.status().state === "paused" && volary.clock().tick === tick, a.tick);
  await t.page.keyboard.press(".");
  const b = await live(server, (s) => s.tick !== a.tick);
  assert.equal(b.tick, a.tick + 1);
  await until(t.page, (tick) => volary.clock().tick === tick, b.tick);
  await t.page.getByLabel("Speed of the world").selectOption("4");
  await live(server, (s) => s.speed === 4);
  await t.page.keyboard.press("Space");
  await live(server, (s) => s.state === "running" && s.tick > b.tick + 10);
  assert.deepEqual(complaints(t.said), []);
  await t.close();
  await server.end();
});

test("a run that ends is replayed from its recording; seeking shows what the file says; another run brings the page back to live", { skip }, async () => {
  const server = await flyPaused();
  const t = await look(server);
  await until(t.page, () => window.volary?.ready);
  await v(t.page, () => { volary.select(["12", "40"]); volary.setCamera({ ...volary.camera(), azimuth: 1.1, distance: 21 }); });
  await finish(server);
  await replaying(t.page);
  assert.match(await t.page.locator(".chip").innerText(), /REPLAY/);
  assert.match(await t.page.locator(".notice", { hasText: "Finished at" }).innerText(), /30\.00\ss: replaying/);
  assert.deepEqual(await v(t.page, () => volary.selection()), ["12", "40"]);
  const camera = await v(t.page, () => volary.camera());
  assert.ok(Math.abs(camera.azimuth - 1.1) < 1e-9 && Math.abs(camera.distance - 21) < 1e-9);
  assert.ok(await v(t.page, () => volary.clock().loop && volary.clock().mode === "playing"), "it goes round");
  await t.page.getByRole("button", { name: "Stop", exact: true }).click();
  await until(t.page, () => volary.clock().mode === "paused" && !volary.clock().loop);

  const { name } = await v(t.page, () => volary.shown());
  assert.equal((await server.get("/api/runs"))[0].id, name);
  const bytes = new Uint8Array(await (await fetch(`${server.base}/api/runs/${name}/file`)).arrayBuffer());
  const file = await openBuffer(bytes);
  assert.ok(!(file instanceof Error), String(file));
  const frame = newFrame(64);
  for (const time of [29.99, 3.21, 17, 0, 17.005]) {
    await v(t.page, (x) => volary.seek(x), time);
    await until(t.page, (x) => Math.abs(volary.clock().time - x) < 1e-9 && volary.shown().coverage !== "loading", time);
    await v(t.page, () => volary.settle());
    await file.ready(time);
    file.at(time, frame);
    const written = frame.roster.ids.map((id, k) => [id, [0, 1, 2].map((i) => frame.position[3 * k + i] + frame.origin[i])]);
    const found = await v(t.page, (list) => list.map(([id, p]) => [id, volary.position(id), volary.project(id), volary.projectPoint(...p)]), written);
    assert.equal(await v(t.page, () => volary.ids().length), frame.n);
    found.forEach(([id, at, drawn, there], k) => {
      const p = written[k][1];
      assert.ok(at && Math.hypot(...p.map((x, i) => x - at[i])) < 1e-4, `${id} at ${time} s: ${at} against ${p}`);
      if (there) assert.ok(Math.hypot(there[0] - drawn[0], there[1] - drawn[1]) < 0.5, `${id} is drawn at ${drawn}, not at ${there}`);
    });
  }
  // One tick on, one tick back, and backwards at speed.
  await t.page.locator("#scene").focus();
  await v(t.page, () => volary.seek(10));
  await t.page.keyboard.press(".");
  await until(t.page, () => volary.clock().tick === 1001);
  await t.page.keyboard.press(",");
  await until(t.page, () => volary.clock().tick === 1000);
  await t.page.getByLabel("Speed of the view").selectOption("-4");
  await t.page.locator("#scene").focus();
  await t.page.keyboard.press("Space");
  await until(t.page, () => volary.clock().time < 9);
  await t.page.keyboard.press("Space");

  await server.tell("reset");
  await until(t.page, () => volary.shown().kind === "live" && volary.live().state === "running");
  assert.match(await t.page.locator(".chip").innerText(), /LIVE/);
  assert.deepEqual(await v(t.page, () => volary.selection()), ["12", "40"]);
  await until(t.page, (first) => volary.shown().kind === "ended" && volary.shown().name !== first, name);
  assert.deepEqual(complaints(t.said), []);
  await t.close();
  await server.end();
});

test("a recording that cannot be opened is said, and what the page has seen goes round", { skip }, async () => {
  const server = await flyPaused();
  const t = await look(server, { path: "**/api/runs/*/file" });
  await until(t.page, () => window.volary?.ready);
  await finish(server);
  await t.page.locator(".notice.warn", { hasText: "cannot be shown" }).waitFor(MINUTE);
  assert.equal(await v(t.page, () => volary.shown().kind), "live");
  assert.match(await t.page.locator(".chip").innerText(), /REPLAY/);
  const { time } = await v(t.page, () => volary.clock());
  await until(t.page, (x) => volary.clock().time !== x, time);
  assert.deepEqual(complaints(t.said), []);
  await t.close();
  await server.end();
});

test("the library lists, finds, sorts, compares, opens and deletes", { skip }, async () => {
  const runs = newFolder();
  flyHeadless(runs, "--seed", "11");
  flyHeadless(runs, "--seed", "12");
  const server = await fly({ runs, args: ["--speed", "16"] });
  const t = await look(server);
  await replaying(t.page);
  await t.page.getByRole("button", { name: "Library", exact: true }).first().click();
  const rows = t.page.locator(".runs tbody tr");
  await until(t.page, () => document.querySelectorAll(".runs tbody tr").length === 3);
  assert.match(t.page.url(), /#\/library$/);
  assert.equal(await rows.locator(".seed").first().innerText(), "7", "the newest first");
  await t.page.getByRole("button", { name: "Seed" }).click();
  await until(t.page, () => document.querySelector(".runs tbody .seed").textContent === "7");
  await t.page.getByRole("button", { name: "Seed" }).click();
  await until(t.page, () => document.querySelector(".runs tbody .seed").textContent === "12");
  await t.page.getByLabel("Search runs").fill("nothing like it");
  await t.page.getByText("0 of 3 match").waitFor();
  await t.page.getByRole("button", { name: "Clear search" }).click();
  await rows.nth(0).getByRole("checkbox").check();
  await rows.nth(1).getByRole("checkbox").check();
  await t.page.getByRole("button", { name: "Compare", exact: true }).click();
  await verdict(t.page, "Different from the first tick.");
  await t.page.getByRole("button", { name: "Close the comparison" }).click();
  await v(t.page, () => volary.perform("page.library"));
  await until(t.page, () => document.querySelectorAll(".runs tbody tr").length === 3);
  await t.page.getByRole("button", { name: "Seed" }).click();
  if ((await rows.locator(".seed").first().innerText()) !== "12") await t.page.getByRole("button", { name: "Seed" }).click();

  const id = await rows.nth(0).locator(".id").innerText();
  await rows.nth(0).getByRole("button", { name: /^Open/ }).last().click();
  await until(t.page, (x) => volary.shown().kind === "run" && volary.shown().name === x && volary.shown().page === "view", id);
  await until(t.page, (x) => location.hash.startsWith(`#/run/${x}`), id);
  assert.deepEqual(await v(t.page, () => [volary.clock().mode, volary.clock().time]), ["paused", 0]);
  // The address opens the same run and moment again, and Back leads to the library.
  await v(t.page, () => volary.seek(12.34));
  await until(t.page, () => location.hash.includes("t=12.340"));
  const second = await look(server, { hash: new URL(t.page.url()).hash });
  await until(second.page, (x) => window.volary?.ready && volary.shown().name === x && Math.abs(volary.clock().time - 12.34) < 1e-6, id);
  await second.close();
  await t.page.goBack();
  await until(t.page, () => volary.shown().page === "library");

  await until(t.page, () => document.querySelectorAll(".runs tbody tr").length === 3);
  const doomed = t.page.locator(".runs tbody tr", { hasText: id });
  await doomed.getByRole("button", { name: /^Delete/ }).click();
  await t.page.locator("dialog").getByRole("button", { name: "Keep", exact: true }).click();
  assert.equal((await server.get("/api/runs")).length, 3, "without a yes nothing is deleted");
  await doomed.getByRole("button", { name: /^Delete/ }).click();
  await t.page.locator("dialog").getByRole("button", { name: "Delete", exact: true }).click();
  await until(t.page, () => document.querySelectorAll(".runs tbody tr").length === 2);
  assert.ok(!(await server.get("/api/runs")).some((r) => r.id === id));
  assert.ok(!readdirSync(runs).includes(`${id}.vrec`));
  assert.ok(!(await t.page.locator("body").innerText()).match(/undefined|NaN|null/));
  assert.deepEqual(complaints(t.said), []);
  await t.close();
  await server.end();
});

test("a branch is identical with its run until the moment it left, and from the next tick on it is another flight", { skip }, async () => {
  const runs = newFolder();
  flyHeadless(runs);
  const whole = join(runs, readdirSync(runs).find((f) => f.endsWith(".vrec")));
  const branched = spawnSync(PROGRAM, ["replay", whole, "--quiet", "--at", "12", "--branch", "--set", "environment.wind=[3,0,0]", "--record", join(runs, "branch.vrec")], { encoding: "utf8" });
  assert.equal(branched.status, 0, branched.stderr);
  const [a, b] = [await openBuffer(readFileSync(whole)), await openBuffer(readFileSync(join(runs, "branch.vrec")))];
  const { tick, hash } = await a.log.hashes();
  const other = await b.log.hashes();
  assert.deepEqual([b.log.head.startTick, tick.indexOf(1200) >= 0, hash[tick.indexOf(1200)]], [1200, true, other.hash[0]], "the same state where it left");
  assert.equal(other.tick.find((x, k) => hash[tick.indexOf(x)] !== other.hash[k]), 1201);

  const server = await fly({ runs, args: ["--no-record"] });
  const t = await look(server, { hash: "#/library" });
  await until(t.page, () => document.querySelectorAll(".runs tbody tr").length === 2);
  for (const row of [0, 1]) await t.page.locator(".runs tbody tr").nth(row).getByRole("checkbox").check();
  await t.page.getByRole("button", { name: "Compare", exact: true }).click();
  await verdict(t.page, "Identical until tick 1,201 (12.01 s).");
  assert.deepEqual(complaints(t.said), []);
  await t.close();
  await server.end();
});

test("a damaged file that is dropped opens, its lost part is hatched, and an empty library explains itself", { skip }, async () => {
  const runs = newFolder();
  flyHeadless(runs);
  const bytes = readFileSync(join(runs, readdirSync(runs).find((f) => f.endsWith(".vrec"))));
  const whole = await openBuffer(bytes);
  const torn = whole.log.views[Math.floor(whole.log.views.length / 2)];
  bytes.fill(0x5a, torn.offset + 70, torn.offset + 90);
  const server = await fly({ args: ["--no-record"] });
  const t = await look(server, { hash: "#/library" });
  await t.page.getByText("No runs yet").waitFor();
  assert.match(await t.page.locator(".lib-empty").innerText(), /volary run/);
  const data = await t.page.evaluateHandle((b64) => { const d = new DataTransfer(); d.items.add(new File([Uint8Array.from(atob(b64), (c) => c.charCodeAt(0))], "torn.vrec")); return d; }, bytes.toString("base64"));
  await t.page.dispatchEvent("body", "drop", { dataTransfer: data });
  await until(t.page, () => window.volary?.ready && volary.shown().kind === "file" && volary.shown().page === "view");
  const damage = await v(t.page, () => volary.clock().extent.damage);
  assert.ok(damage.length > 0, "the file says what is lost");
  const middle = (damage[0][0] + damage[0][1]) / 2;
  await v(t.page, (x) => volary.seek(x), middle);
  await t.page.getByText("could not be read. The rest is intact.").waitFor();
  assert.equal(await v(t.page, () => volary.ids().length), 0, "hidden, not guessed");
  // Red ink over the lost part of the timeline, none beside it.
  const red = (time) => v(t.page, (x) => { const c = document.querySelector(".timeline canvas"); const { first, last } = volary.clock().extent; const at = 12 + ((x - first) / (last - first)) * (c.clientWidth - 24); const p = c.getContext("2d").getImageData(Math.max(0, at - 5), 20, 10, 36).data; let n = 0; for (let i = 0; i < p.length; i += 4) if (p[i] > 150 && p[i + 1] < 90 && p[i + 2] < 90 && p[i + 3] > 100) n++; return n; }, time);
  await until(t.page, (x) => volary.clock().time === x, middle);
  await v(t.page, () => volary.settle());
  await t.page.screenshot({ path: join(OUT, "replay-damaged.png") });
  assert.ok((await red(damage[0][0] + 0.25 * (damage[0][1] - damage[0][0]))) > 10);
  assert.equal(await red(damage[0][0] > 15 ? 8 : 22), 0);
  await t.page.getByRole("button", { name: "Back to live" }).click();
  await until(t.page, () => volary.shown().kind === "live" && volary.ids().length === 61);
  assert.deepEqual(complaints(t.said), []);
  await t.close();
  await server.end();
});

test("a server that is killed brings a banner, and one on the same port is found again", { skip }, async () => {
  const server = await fly();
  const t = await look(server);
  await until(t.page, () => window.volary?.ready);
  await v(t.page, () => { volary.select(["7"]); volary.setCamera({ ...volary.camera(), azimuth: 1.25 }); });
  await server.end("SIGKILL");
  await t.page.waitForSelector(".banner.bad", MINUTE);
  assert.match(await t.page.locator(".banner.bad").innerText(), /not reachable/);
  assert.match(await t.page.locator(".chip").innerText(), /OFFLINE/);
  const again = await fly({ port: server.port, runs: server.runs });
  await t.page.waitForSelector(".banner.bad", { state: "detached", ...MINUTE });
  await until(t.page, () => volary.shown().kind === "live" && volary.live().state === "running");
  const tick = await v(t.page, () => volary.clock().tick);
  await until(t.page, (x) => volary.clock().tick !== x && volary.ids().length === 61, tick);
  assert.deepEqual(await v(t.page, () => volary.selection()), ["7"]);
  assert.ok(Math.abs((await v(t.page, () => volary.camera().azimuth)) - 1.25) < 1e-6);
  assert.deepEqual(complaints(t.said), []);
  await t.close();
  await again.end();
});

test("screenshots of replay and library", { skip }, async () => {
  const runs = newFolder();
  for (const seed of ["3", "4", "5"]) flyHeadless(runs, "--seed", seed);
  const server = await fly({ runs, args: ["--speed", "16"] });
  for (const [width, height] of [[1440, 900], [390, 844]]) {
    const t = await look(server, { size: { width, height }, touch: width < 500 });
    await replaying(t.page);
    await v(t.page, () => { volary.set({ seenCard: true }); volary.perform("time.play"); });
    await v(t.page, () => volary.seek(18));
    await until(t.page, () => volary.shown().coverage !== "loading");
    for (const theme of ["light", "dark"]) {
      await v(t.page, (x) => { volary.set({ theme: x }); volary.perform("page.view"); volary.perform("camera.fit"); return volary.settle(); }, theme);
      await t.page.screenshot({ path: join(OUT, `replay-${width}x${height}-${theme}.png`) });
      await v(t.page, () => volary.perform("page.library"));
      await until(t.page, () => document.querySelectorAll(".runs tbody tr").length === 4);
      await t.page.screenshot({ path: join(OUT, `library-${width}x${height}-${theme}.png`) });
    }
    assert.equal(await v(t.page, () => document.documentElement.scrollWidth > innerWidth), false);
    const bad = await v(t.page, () => [...document.querySelectorAll(".library button, .library input")].filter((e) => e.offsetParent !== null).filter((e) => { const r = e.getBoundingClientRect(); return (!(e.getAttribute("aria-label") ?? e.textContent.trim()) && !e.labels?.length && !e.title) || r.height < 23.5; }).map((e) => e.outerHTML.slice(0, 120)));
    assert.deepEqual(bad, []);
    assert.deepEqual(complaints(t.said), []);
    await t.close();
  }
  await server.end();
});
