// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The page in real Chromium against the real program: a run from its first moment to its replay, and the library.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { newFrame } from "../src/source/source.ts";
import { openBuffer } from "../src/source/replay.ts";
import { becomes, complaints, look as lookAt, meet, MINUTE, newFolder, OUT, reads, record, skip, start, until, v, volary } from "./support.mjs";

/** A run with its page. */
async function fly({ runs = newFolder(), port, args = [] } = {}) {
  return { runs, ...(await start(["run", "default", "--watch", ...args], { port, env: { VOLARY_RUNS: runs } })) };
}
/** For a world that must not end while a slow page looks at it. */
const LONG = ["--set", "duration=7200"];
const look = (server, options = {}) => lookAt(server, { size: { width: 1300, height: 640 }, ...options });
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
/** Waits for the server's own word. */
const live = (server, holds) => meet(async () => { const status = await server.get("/api/live"); return holds(status) && status; }, "the server never came to it");
/** What the comparison of two runs says, word for word; spaces in figures do not break. */
const verdict = (page, text) => until(page, (x) => document.querySelector(".verdict")?.textContent.replace(/\s/g, " ").startsWith(x), text);
/** What is told for 20 s stays, so that its button can be pressed on a slow page too. */
const stay = () => { const real = window.setTimeout; window.setTimeout = (f, ms, ...rest) => real(f, ms === 20_000 ? 2 ** 31 - 1 : ms, ...rest); };
const replaying = (page) => until(page, () => window.volary?.ready && volary.shown().kind === "ended");

test("the default swarm is there, and pause, step and speed act on the world", { skip }, async () => {
  const server = await fly({ args: LONG });
  const t = await look(server);
  await until(t.page, () => window.volary?.ready);
  await becomes(() => v(t.page, () => volary.ids().length), 61);
  await reads(t.page, ".chip", /LIVE/);
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
  const t = await look(server, { init: stay });
  await until(t.page, () => window.volary?.ready);
  await v(t.page, () => { volary.select(["12", "40"]); volary.setCamera({ ...volary.camera(), azimuth: 1.1, distance: 21 }); });
  await finish(server);
  assert.match(await t.page.locator(".notice", { hasText: "Finished at" }).innerText(), /30\.00\ss: replaying/);
  await replaying(t.page);
  await reads(t.page, ".chip", /REPLAY/);
  assert.deepEqual(await v(t.page, () => volary.selection()), ["12", "40"]);
  const camera = await v(t.page, () => volary.camera());
  assert.ok(Math.abs(camera.azimuth - 1.1) < 1e-9 && Math.abs(camera.distance - 21) < 1e-9);
  assert.ok(await v(t.page, () => volary.clock().loop && volary.clock().mode === "playing"), "it goes round");
  await t.page.getByRole("button", { name: "Stop", exact: true }).click();
  await until(t.page, () => volary.clock().mode === "paused" && !volary.clock().loop);

  const { name } = await v(t.page, () => volary.shown());
  await becomes(async () => (await server.get("/api/runs"))[0].id, name);
  const file = await meet(async () => {
    const found = await openBuffer(new Uint8Array(await (await fetch(`${server.base}/api/runs/${name}/file`)).arrayBuffer()));
    assert.ok(!(found instanceof Error), String(found));
    return found.log.closed && found;
  }, "the recording was never closed");
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

  await server.tell("speed", { factor: 0.02 }); // nobody is to miss it
  await server.tell("reset");
  await until(t.page, () => volary.shown().kind === "live" && volary.live().state === "running");
  await reads(t.page, ".chip", /LIVE/);
  assert.deepEqual(await v(t.page, () => volary.selection()), ["12", "40"]);
  await finish(server);
  await until(t.page, (first) => volary.shown().kind === "ended" && volary.shown().name !== first, name);
  assert.deepEqual(complaints(t.said), []);
  await t.close();
  await server.end();
});

test("a recording that cannot be opened is said, and what the page has seen goes round", { skip }, async () => {
  const server = await flyPaused();
  const t = await look(server, { broken: "**/api/runs/*/file" });
  await until(t.page, () => window.volary?.ready);
  await finish(server);
  await t.page.locator(".notice.warn", { hasText: "cannot be shown" }).waitFor(MINUTE);
  assert.equal(await v(t.page, () => volary.shown().kind), "live");
  await reads(t.page, ".chip", /REPLAY/);
  const { time } = await v(t.page, () => volary.clock());
  await until(t.page, (x) => volary.clock().time !== x, time);
  assert.deepEqual(complaints(t.said), []);
  await t.close();
  await server.end();
});

test("the library lists, finds, sorts, compares, opens and deletes", { skip }, async () => {
  const runs = newFolder();
  record(runs, "--seed", "11");
  record(runs, "--seed", "12");
  const server = await fly({ runs, args: ["--speed", "16"] });
  const t = await look(server);
  await replaying(t.page);
  await t.page.getByRole("button", { name: "Library", exact: true }).first().click();
  const rows = t.page.locator(".runs tbody tr");
  await until(t.page, () => document.querySelectorAll(".runs tbody tr").length === 3);
  await becomes(() => t.page.url(), /#\/library$/);
  const seeds = () => rows.locator(".seed").allInnerTexts();
  await becomes(async () => (await seeds())[0], "7", "the newest first");
  const bySeed = async (order, wanted) => {
    await t.page.getByRole("button", { name: "Seed" }).click();
    await t.page.locator(`th.seed[aria-sort=${order}]`).waitFor();
    await becomes(seeds, wanted);
  };
  await bySeed("ascending", ["7", "11", "12"]);
  await bySeed("descending", ["12", "11", "7"]);
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
  await bySeed("ascending", ["7", "11", "12"]);
  await bySeed("descending", ["12", "11", "7"]);

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
  await becomes(() => server.get("/api/runs"), (all) => !all.some((r) => r.id === id));
  await becomes(() => readdirSync(runs), (all) => !all.includes(`${id}.vrec`));
  assert.ok(!(await t.page.locator("body").innerText()).match(/undefined|NaN|null/));
  assert.deepEqual(complaints(t.said), []);
  await t.close();
  await server.end();
});

test("a branch is identical with its run until the moment it left, and from the next tick on it is another flight", { skip }, async () => {
  const runs = newFolder();
  const whole = join(runs, `${record(runs)}.vrec`);
  volary(["replay", whole, "--quiet", "--at", "12", "--branch", "--set", "environment.wind=[3,0,0]", "--record", join(runs, "branch.vrec")]);
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
  record(runs);
  const bytes = readFileSync(join(runs, readdirSync(runs).find((f) => f.endsWith(".vrec"))));
  const whole = await openBuffer(bytes);
  const torn = whole.log.views[Math.floor(whole.log.views.length / 2)];
  bytes.fill(0x5a, torn.offset + 70, torn.offset + 90);
  const server = await fly({ args: ["--no-record"] });
  const t = await look(server, { hash: "#/library" });
  await t.page.getByText("No runs yet").waitFor();
  await reads(t.page, ".lib-empty", /volary run/);
  const data = await t.page.evaluateHandle((b64) => { const d = new DataTransfer(); d.items.add(new File([Uint8Array.from(atob(b64), (c) => c.charCodeAt(0))], "torn.vrec")); return d; }, bytes.toString("base64"));
  await t.page.dispatchEvent("body", "drop", { dataTransfer: data });
  await until(t.page, () => window.volary?.ready && volary.shown().kind === "file" && volary.shown().page === "view");
  const damage = await becomes(() => v(t.page, () => volary.clock().extent.damage), (parts) => parts.length > 0, "what the file says is lost");
  const middle = (damage[0][0] + damage[0][1]) / 2;
  await v(t.page, (x) => volary.seek(x), middle);
  await t.page.getByText("could not be read. The rest is intact.").waitFor();
  await becomes(() => v(t.page, () => volary.ids().length), 0, "hidden, not guessed");
  // Red ink over the lost part of the timeline, none beside it.
  const red = (time) => v(t.page, (x) => { const c = document.querySelector(".timeline canvas"); const { first, last } = volary.clock().extent; const at = 12 + ((x - first) / (last - first)) * (c.clientWidth - 24); const p = c.getContext("2d").getImageData(Math.max(0, at - 5), 20, 10, 36).data; let n = 0; for (let i = 0; i < p.length; i += 4) if (p[i] > 150 && p[i + 1] < 90 && p[i + 2] < 90 && p[i + 3] > 100) n++; return n; }, time);
  await until(t.page, (x) => volary.clock().time === x, middle);
  await v(t.page, () => volary.settle());
  await t.page.screenshot({ path: join(OUT, "replay-damaged.png") });
  await becomes(() => red(damage[0][0] + 0.25 * (damage[0][1] - damage[0][0])), (n) => n > 10, "red in the lost part");
  assert.equal(await red(damage[0][0] > 15 ? 8 : 22), 0);
  await t.page.getByRole("button", { name: "Back to live" }).click();
  await until(t.page, () => volary.shown().kind === "live" && volary.ids().length === 61);
  assert.deepEqual(complaints(t.said), []);
  await t.close();
  await server.end();
});

test("a server that is killed brings a banner, and one on the same port is found again", { skip }, async () => {
  const server = await fly({ args: LONG });
  const t = await look(server);
  await until(t.page, () => window.volary?.ready);
  await v(t.page, () => { volary.select(["7"]); volary.setCamera({ ...volary.camera(), azimuth: 1.25 }); });
  await server.end("SIGKILL");
  await t.page.waitForSelector(".banner.bad", MINUTE);
  await reads(t.page, ".banner.bad", /not reachable/);
  await reads(t.page, ".chip", /OFFLINE/);
  const again = await fly({ port: server.port, runs: server.runs, args: LONG });
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
  for (const seed of ["3", "4", "5"]) record(runs, "--seed", seed);
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
