// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Flying by hand and films of the view, in real Chromium against the real program. The gamepad is a faked one; the vehicle is not.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openBuffer } from "../src/source/replay.ts";
import { complaints, look, meet, MINUTE, newFolder, OUT, PROGRAM, record, serve, skip, until, v } from "./support.mjs";

/** navigator.getGamepads with one pad that tests hold: window.pad.axes, window.pad.press(i), window.pad.plug(on). */
const fakePad = () => {
  const buttons = Array.from({ length: 17 }, () => ({ pressed: false, touched: false, value: 0 }));
  const pad = { id: "Pretend Pad (STANDARD GAMEPAD)", index: 0, connected: true, mapping: "standard", timestamp: 0, axes: [0, 0, 0, 0], buttons };
  let plugged = false;
  navigator.getGamepads = () => (plugged ? [null, pad] : [null, null]);
  window.pad = {
    plug: (on) => (plugged = on),
    axes: (...a) => (pad.axes = a),
    mapping: (m) => (pad.mapping = m),
    down: (i, on) => (buttons[i] = { pressed: on, touched: on, value: on ? 1 : 0 }),
    async press(i) { window.pad.down(i, true); await new Promise((d) => setTimeout(d, 150)); window.pad.down(i, false); },
  };
};
const where = (page, id) => v(page, (x) => volary.position(x), id);
const away = (a, b) => Math.hypot(...a.map((x, i) => x - b[i]));
/** The vehicle of a name, flying its mission. */
async function flying(page, name) {
  await until(page, () => window.volary?.ready && volary.clock().time > 7);
  const id = await v(page, () => volary.ids()[0]);
  await v(page, (x) => volary.select([x]), id);
  assert.match(await page.locator(".row.primary .name, .who b").first().innerText(), name);
  return id;
}
async function take(page) {
  await v(page, () => volary.perform("vehicle.take"));
  const button = page.getByRole("button", { name: "Hold to take" });
  await button.focus();
  await page.keyboard.down("Enter");
  await page.waitForSelector(".control-frame", MINUTE);
  await page.keyboard.up("Enter");
}
/** True once it has stood within 15 cm for a second of simulation. */
async function stands(page, id) {
  await meet(async () => {
    const [a, t] = [await where(page, id), await v(page, () => volary.clock().time)];
    await until(page, (x) => volary.clock().time > x + 1, t);
    return away(a, await where(page, id)) < 0.15;
  }, "it never stood still");
}

/** The sticks count; taken again where the server let go of the vehicle during the silence. */
async function inHand(page) {
  await meet(async () => {
    if (!(await page.locator(".control-frame").count())) await take(page);
    return v(page, () => document.querySelector(".hands") !== null && document.querySelector(".hands .why") === null);
  }, "the vehicle is not in hand again");
}

test("a gamepad flies a vehicle: dead zone, unplugging, blur and B hold it; the recording has the hand in it and flies again to the bit", { skip }, async () => {
  const server = await serve({ args: ["--set", "duration=120", "--set", "events=[{time: 5, what: mission}]", "--set", "environment.gust_sigma=0"] });
  const t = await look(server, { init: fakePad });
  const id = await flying(t.page, /inner\[0\]/);
  await v(t.page, () => { volary.set({ seenCard: true }); pad.plug(true); pad.axes(0, 0, 0, -1); });
  await take(t.page);
  await t.page.locator(".hands .why", { hasText: "Let go of the sticks" }).waitFor();
  await stands(t.page, id); // a stick that is pushed while taking does not count
  await v(t.page, () => pad.axes(0.1, -0.11, 0.08, -0.1));
  await until(t.page, () => !document.querySelector(".hands .why"));
  await stands(t.page, id); // nor does one within the dead zone

  const low = await where(t.page, id);
  await v(t.page, () => pad.axes(0, -1, 0, 0));
  await until(t.page, ([x, z]) => volary.position(x)[2] > z + 1.5, [id, low[2]]);
  assert.match(await t.page.locator(".hands").innerText(), /Left\s+↕ climb\s+↔ turn[\s\S]*Right\s+↕ forward\s+↔ sideways[\s\S]*B\s+release/);
  const knob = await v(t.page, () => document.querySelectorAll(".hand-stick .knob")[0].getAttribute("cy"));
  assert.ok(Number(knob) < -15, `the drawn stick is up: ${knob}`);
  for (const theme of ["light", "dark"]) {
    await v(t.page, (x) => { volary.set({ theme: x }); return volary.settle(); }, theme);
    await t.page.screenshot({ path: join(OUT, `hands-1440x900-${theme}.png`) });
  }
  await v(t.page, () => pad.axes(0, 0, 0, -1));
  const before = await where(t.page, id);
  await until(t.page, ([x, p]) => { const q = volary.position(x); return Math.hypot(q[0] - p[0], q[1] - p[1]) > 2; }, [id, before]);
  // Unplugged in full flight: it holds, and the keyboard may go on.
  await v(t.page, () => pad.plug(false));
  await t.page.locator(".notice.warn", { hasText: "unplugged" }).waitFor();
  await stands(t.page, id);
  await v(t.page, () => { pad.axes(0, 0, 0, 0); pad.plug(true); });
  await inHand(t.page);
  await v(t.page, () => pad.axes(0, 0, 1, 0));
  const side = await where(t.page, id);
  await until(t.page, ([x, p]) => { const q = volary.position(x); return Math.hypot(q[0] - p[0], q[1] - p[1]) > 1.5; }, [id, side]);
  // Out of focus: it holds, whatever the stick says.
  await v(t.page, () => window.dispatchEvent(new Event("blur")));
  await stands(t.page, id);
  await v(t.page, () => { pad.axes(0, 0, 0, 0); window.dispatchEvent(new Event("focus")); });
  await inHand(t.page);
  await v(t.page, () => pad.axes(0, 0, 0, -1));
  const last = await where(t.page, id);
  await until(t.page, ([x, p]) => { const q = volary.position(x); return Math.hypot(q[0] - p[0], q[1] - p[1]) > 1; }, [id, last]);
  // B lets go: the lease ends and the vehicle holds.
  await v(t.page, () => pad.press(1));
  await t.page.waitForSelector(".control-frame", { state: "detached", ...MINUTE });
  await stands(t.page, id);
  assert.deepEqual(complaints(t.said), []);
  await t.close();
  await server.end();

  const file = join(server.runs, readdirSync(server.runs).find((f) => f.endsWith(".vrec")));
  const log = await openBuffer(readFileSync(file));
  assert.ok(log.log.blocks.some((b) => b.type === "inputs"), "what the hand did is in the file");
  const again = spawnSync(PROGRAM, ["replay", file, "--verify", "--json"], { encoding: "utf8" });
  assert.equal(again.status, 0, again.stdout + again.stderr);
  // Without the inputs the same vehicle would still be on its circle, not where the hand left it.
  const { last: end } = log.extent();
  await log.ready(end);
  const out = new Float32Array(3);
  log.positions(end, [id], [0, 0, 0], out, 0);
  assert.ok(Math.hypot(out[0], out[1]) > 2.6 || out[2] > 2.5, `it ended at ${[...out]}, which is on its circle`);
});

test("the keyboard flies too, another client sees whose it is and may not take it, and Esc gives it back", { skip }, async () => {
  const server = await serve({ args: ["--set", "duration=120", "--set", "events=[{time: 5, what: mission}]"] });
  const t = await look(server);
  const id = await flying(t.page, /inner\[0\]/);
  await take(t.page);
  const from = await where(t.page, id);
  await t.page.keyboard.down("ArrowUp");
  await t.page.keyboard.down("w");
  await until(t.page, ([x, p]) => { const q = volary.position(x); return q[2] > p[2] + 1 && Math.hypot(q[0] - p[0], q[1] - p[1]) > 1; }, [id, from]);

  const second = await look(server);
  await until(second.page, () => window.volary?.ready);
  await v(second.page, (x) => volary.select([x]), id);
  await second.page.getByText("inner[0] is flown by another client.").waitFor(MINUTE);
  await v(second.page, () => volary.perform("vehicle.take"));
  await second.page.locator(".notice", { hasText: "another client flies it" }).waitFor();
  assert.equal(await second.page.locator("dialog").count(), 0);
  await second.page.screenshot({ path: join(OUT, "hands-second-client.png") });

  await t.page.keyboard.up("w");
  await t.page.keyboard.up("ArrowUp");
  await t.page.keyboard.press("Escape");
  await t.page.waitForSelector(".control-frame", { state: "detached", ...MINUTE });
  await stands(t.page, id);
  await until(second.page, () => !document.querySelector(".others"));
  // Gone without a word: the server lets go of what the lost client held.
  await take(t.page);
  await second.page.locator(".others").waitFor(MINUTE);
  await t.close();
  await until(second.page, () => !document.querySelector(".others"));
  assert.deepEqual(complaints(second.said), []);
  await second.close();
  await server.end();
});

test("a pad that does not say which stick is which is told of and not used", { skip }, async () => {
  const server = await serve({ args: ["--no-record"] });
  const t = await look(server, { init: fakePad });
  await until(t.page, () => window.volary?.ready);
  await v(t.page, () => { pad.mapping(""); pad.axes(1, 1); pad.plug(true); });
  await t.page.locator(".notice.warn", { hasText: "does not say which stick is which" }).waitFor();
  assert.deepEqual(complaints(t.said), []);
  await t.close();
  await server.end();
});

/** Loads a film in a page and says what a player sees. */
async function play(page, path) {
  const b64 = readFileSync(path).toString("base64");
  return v(page, async (text) => {
    const video = document.createElement("video");
    video.muted = true;
    video.style.cssText = "position:fixed;inset:0;inline-size:200px;z-index:99";
    document.body.append(video);
    video.src = URL.createObjectURL(new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], { type: "video/webm" }));
    await new Promise((done, fail) => { video.onloadeddata = done; video.onerror = () => fail(new Error(video.error.message)); });
    const { duration, videoWidth: width, videoHeight: height } = video;
    const look = async (time) => {
      video.currentTime = time;
      await new Promise((done) => (video.onseeked = done));
      await new Promise((done) => { video.requestVideoFrameCallback(done); setTimeout(done, 1500); }); // what was sought is on its way to the screen
      const c = document.createElement("canvas");
      [c.width, c.height] = [width, height];
      const x = c.getContext("2d");
      x.drawImage(video, 0, 0);
      const p = x.getImageData(0, 0, width, height).data;
      let [sum, squares] = [0, 0];
      for (let i = 0; i < p.length; i += 4) { const l = p[i] + p[i + 1] + p[i + 2]; sum += l; squares += l * l; }
      const n = p.length / 4;
      return { spread: Math.sqrt(squares / n - (sum / n) ** 2), picture: c.toDataURL() };
    };
    const [a, b] = [await look(duration * 0.2), await look(duration * 0.8)];
    video.remove();
    return { duration, width, height, spread: a.spread, moves: a.picture !== b.picture };
  }, b64);
}

test("two seconds of the view become a film that plays, with its length told", { skip }, async () => {
  const runs = newFolder();
  const a = record(runs, "--seed", "3");
  const server = await serve({ runs, args: ["--no-record", "--paused"] });
  const t = await look(server, { size: { width: 1000, height: 640 }, hash: `#/run/${a}?t=8.000` });
  await until(t.page, () => window.volary?.ready && volary.shown().coverage !== "loading");
  await t.page.locator("#scene").focus();
  await t.page.keyboard.press("Space");
  await t.page.keyboard.press("Shift+M");
  const chip = t.page.locator(".rec");
  await chip.waitFor();
  assert.match(await chip.innerText(), /^REC 0:0\d$/);
  await t.page.getByText("REC 0:02").waitFor();
  await t.page.screenshot({ path: join(OUT, "film-chip.png") });
  const [got] = await Promise.all([t.page.waitForEvent("download"), t.page.keyboard.press("Shift+M")]);
  assert.match(got.suggestedFilename(), new RegExp(`^${a}_\\d+\\.\\d\\ds\\.(webm|mp4)$`));
  const seen = await play(t.page, await got.path());
  assert.ok(seen.duration > 1.8 && seen.duration < 60, `it lasts ${seen.duration} s`);
  const scene = await t.page.locator("#scene").boundingBox();
  assert.ok(Math.abs(seen.width - scene.width) <= 2 && Math.abs(seen.height - scene.height) <= 2, JSON.stringify(seen));
  assert.ok(seen.spread > 8, `the picture is not uniform: ${seen.spread}`);
  assert.ok(seen.moves, "and it moves");
  assert.equal(await chip.count(), 0);
  assert.deepEqual(complaints(t.said), []);
  await t.close();
  await server.end();
});

test("the whole run is filmed at a constant frame rate however slow the machine is; two runs are filmed beside each other", { skip }, async () => {
  const runs = newFolder();
  const [a, b] = ["3", "4"].map((seed) => record(runs, "--seed", seed, "--set", "duration=6", "--set", "events=[{time: 3, what: mission}]"));
  const server = await serve({ runs, args: ["--no-record", "--paused"] });
  const t = await look(server, { size: { width: 1000, height: 600 }, hash: `#/run/${a}?t=2.000&vs=${b}` });
  await until(t.page, () => window.volary?.ready && document.querySelector(".figures"));
  await t.page.getByLabel("Speed of the view").selectOption("2");
  const coming = t.page.waitForEvent("download", { timeout: 240_000 });
  await v(t.page, () => volary.perform("page.filmAll"));
  await t.page.getByText(/REC 0:0\d \/ 0:03/).waitFor();
  const got = await coming;
  const seen = await play(t.page, await got.path());
  assert.ok(Math.abs(seen.duration - 91 / 30) < 0.05, `6 s at twice the speed, to the frame: ${seen.duration} s`);
  const boxes = await v(t.page, () => [...document.querySelectorAll(".scene-canvas")].map((c) => c.clientWidth));
  assert.ok(boxes.length === 2 && Math.abs(seen.width - boxes[0] - boxes[1]) <= 4, `${seen.width} of ${boxes}`);
  assert.ok(seen.spread > 8 && seen.moves, JSON.stringify(seen));
  assert.deepEqual(await v(t.page, () => [volary.clock().time, volary.clock().mode]), [2, "paused"], "the clock is back where it was");
  assert.deepEqual(complaints(t.said), []);
  await t.close();
  await server.end();
});

test("a browser that cannot film says so in words", { skip }, async () => {
  const runs = newFolder();
  const a = record(runs, "--seed", "3");
  const server = await serve({ runs, args: ["--no-record", "--paused"] });
  const t = await look(server, { hash: `#/run/${a}`, init: () => { delete window.MediaRecorder; delete window.VideoEncoder; } });
  await until(t.page, () => window.volary?.ready);
  await v(t.page, () => volary.perform("page.film"));
  await t.page.locator(".notice.bad", { hasText: "cannot record films" }).waitFor();
  await v(t.page, () => volary.perform("page.filmAll"));
  await t.page.locator(".notice.bad", { hasText: "frame by frame" }).waitFor();
  assert.equal(await t.page.locator(".rec").count(), 0);
  assert.deepEqual(complaints(t.said), []);
  await t.close();
  await server.end();
});
