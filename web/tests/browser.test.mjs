// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The page in real Chromium with software graphics, against tools/fake_server.mjs. Counts may fail a test, times are only reported.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { newPage } from "./chromium.mjs";
import { becomes, browser, complaints, fake, meet, open, OUT, pass, poorControls, says, seen, sideways, v } from "./page.mjs";

const report = {};
after(() => {
  writeFileSync(join(OUT, "figures.json"), JSON.stringify(report, null, 2));
  console.log("figures", JSON.stringify(report));
});

test("the swarm is really drawn: pixels of each flock, none when the layer is off", async () => {
  const t = await open({ server: { paused: true }, query: "&paint=flat" });
  await v(t.page, () => { volary.pin(1); volary.set({ seenCard: true, layers: { trails: false } }); return volary.settle(); });
  const { colours, counts, flocks } = await v(t.page, () => ({ colours: volary.palette(), counts: volary.count(volary.palette()), flocks: volary.flocks() }));
  for (const flock of [0, 1, 2]) {
    const n = flocks.filter((f) => f === flock).length;
    const each = counts[flock].n / n;
    // A dart of 19 px covers some 35 to 170 pixels, by how much it is foreshortened.
    assert.ok(each > 30 && each < 200, `flock ${flock}: ${each.toFixed(0)} px per vehicle of colour ${colours[flock]}`);
  }
  assert.equal(counts[4].n, 0, "no colour of a flock that is not there");
  await v(t.page, () => volary.set({ layers: { trails: false, vehicles: false } }));
  const off = await v(t.page, () => volary.count(volary.palette()));
  assert.deepEqual(off.map((c) => c.n), [0, 0, 0, 0, 0, 0]);
  assert.deepEqual(complaints(t.said), []);
  await t.close();
});

test("trails, shadows and grid add pixels when on and take them away when off", async () => {
  const t = await open({ server: { at: 20, paused: false } });
  await seen(t.page, 2.5);
  t.server.command("pause");
  t.server.status();
  await t.page.waitForFunction(() => volary.status().state === "paused" && Math.abs(volary.clock().time - volary.clock().extent.last) < 1e-6);
  await v(t.page, () => volary.pin(1));
  const inked = (layers) => v(t.page, (l) => { volary.set({ layers: l }); const p = volary.pixels(); const other = new Map(); for (let i = 0; i < p.data.length; i += 4) { const key = (p.data[i] << 16) | (p.data[i + 1] << 8) | p.data[i + 2]; other.set(key, (other.get(key) ?? 0) + 1); } let least = 0; for (const n of other.values()) if (n < 500) least += n; return least; }, layers);
  const off = { trails: false, grid: false, shadows: false, vehicles: false };
  const none = await inked(off);
  for (const layer of ["trails", "grid", "shadows", "vehicles"]) await becomes(() => inked({ ...off, [layer]: true }), (one) => assert.ok(one > none + 150, `${layer}: ${one} against ${none}`));
  await t.close();
});

test("every vehicle is where it should be, and picking there gives it", async () => {
  const t = await open({ server: { paused: true } });
  await v(t.page, () => volary.settle());
  const wrong = () => v(t.page, () => volary.ids().filter((id) => {
    const [a, b] = [volary.project(id), volary.projectPoint(...volary.position(id))];
    const near = volary.ids().some((o) => o !== id && Math.hypot(volary.project(o)[0] - a[0], volary.project(o)[1] - a[1]) < 3);
    return Math.hypot(a[0] - b[0], a[1] - b[1]) > 1 || (!near && volary.pick(a[0], a[1]) !== id);
  }));
  await becomes(wrong, []);
  // A real click on the canvas selects, a click on nothing clears.
  const [x, y] = await v(t.page, () => volary.project("12"));
  const box = await t.page.locator("#scene").boundingBox();
  await t.page.mouse.click(box.x + x, box.y + y);
  await becomes(() => v(t.page, () => volary.selection()), ["12"]);
  await t.page.mouse.click(box.x + 608, box.y + 20); // between the layers and the cameras
  await becomes(() => v(t.page, () => volary.selection()), []);
  await t.close();
});

test("from above, east is right, north is up, and the dart points along the flight", async () => {
  const t = await open({ server: { paused: true }, query: "&paint=flat" });
  await v(t.page, () => { volary.pin(1); volary.set({ seenCard: true, layers: { trails: false, grid: false } }); volary.perform("camera.top"); return volary.settle(); });
  const axes = await v(t.page, () => { const c = volary.camera().target; const at = (e, n) => volary.projectPoint(c[0] + e, c[1] + n, 5); const o = at(0, 0); return { e: at(5, 0).map((q, i) => q - o[i]), n: at(0, 5).map((q, i) => q - o[i]) }; });
  assert.ok(axes.e[0] > 5 && Math.abs(axes.e[1]) < 1e-3, `east: ${axes.e}`);
  assert.ok(axes.n[1] < -5 && Math.abs(axes.n[0]) < 1e-3, `north: ${axes.n}`);
  const before = await v(t.page, () => volary.project("0"));
  // uav-0 flies due east: the ink about its centre reaches farther to the right (the nose) than the tail is wide.
  const shape = await v(t.page, () => { const [x, y] = volary.project("0"); const p = volary.pixels(); const c = volary.palette()[0]; const s = p.width / document.querySelector(".scene-canvas").clientWidth; let [right, left] = [0, 0]; const rows = new Map(); for (let dy = -14; dy <= 14; dy++) for (let dx = -14; dx <= 14; dx++) { const i = 4 * (Math.round((y + dy) * s) * p.width + Math.round((x + dx) * s)); if (Math.abs(p.data[i] - c[0]) + Math.abs(p.data[i + 1] - c[1]) + Math.abs(p.data[i + 2] - c[2]) > 3) continue; right = Math.max(right, dx); left = Math.max(left, -dx); rows.set(dx, (rows.get(dx) ?? 0) + 1); } const wide = (a, b) => { let m = 0; for (let k = a; k <= b; k++) m = Math.max(m, rows.get(k) ?? 0); return m; }; return { right, left, nose: wide(right - 1, right), tail: wide(-left, -left + 4) }; });
  assert.ok(shape.nose < shape.tail, `the nose is narrower than the tail: ${JSON.stringify(shape)}`);
  t.server.command("step", { ticks: 100 });
  t.server.status();
  await t.page.waitForFunction((x) => volary.project("0")[0] > x + 3, before[0]);
  const after = await v(t.page, () => volary.project("0"));
  assert.ok(Math.abs(after[1] - before[1]) < 1, "due east stays on its row");
  await t.close();
});

test("pause, step and speed reach the world; the clock moves by one tick", async () => {
  const t = await open();
  await t.page.keyboard.press("Space");
  await t.page.waitForFunction(() => volary.status().state === "paused");
  await t.page.waitForFunction(() => volary.clock().tick === volary.status().tick && Math.abs(volary.clock().time - volary.clock().extent.last) < 1e-9);
  const a = await v(t.page, () => ({ clock: volary.clock(), p: volary.position("5") }));
  await t.page.keyboard.press(".");
  await becomes(() => v(t.page, () => ({ clock: volary.clock(), p: volary.position("5") })), (b) => {
    assert.equal(b.clock.tick, a.clock.tick + 1);
    assert.ok(Math.abs(b.clock.time - a.clock.time - 0.01) < 1e-6, `${b.clock.time} after ${a.clock.time}`);
    assert.notDeepEqual(b.p, a.p);
  });
  await t.page.keyboard.press("=");
  await t.page.waitForFunction(() => volary.status().speed === 2);
  assert.deepEqual(t.server.log.map((m) => m.name), ["pause", "step", "speed"]);
  assert.deepEqual(complaints(t.said), []);
  await t.close();
});

test("seeking back leaves the world running, is repeatable, and End returns", async () => {
  const t = await open();
  await seen(t.page, 1.8);
  const first = await v(t.page, () => volary.clock().extent.first);
  await v(t.page, (x) => volary.seek(x + 0.737), first);
  const a = await v(t.page, () => ["3", "9", "20"].map((id) => volary.position(id)));
  await says(t.page, ".chip", /VIEW PAUSED/);
  await v(t.page, (x) => volary.seek(x + 1.5), first);
  await v(t.page, (x) => volary.seek(x + 0.737), first);
  await becomes(() => v(t.page, () => ["3", "9", "20"].map((id) => volary.position(id))), a);
  assert.equal(t.server.world.state, "running");
  await t.page.keyboard.press("End");
  await t.page.waitForFunction(() => volary.clock().mode === "live");
  await t.close();
});

test("when the server dies a banner says so; the new one is found and selection and camera stay", async () => {
  const t = await open();
  await v(t.page, () => { volary.select(["7"]); volary.setCamera({ ...volary.camera(), azimuth: 1.25 }); });
  const port = t.server.port;
  const killed = Date.now();
  await t.server.close();
  await t.page.waitForSelector(".banner.bad");
  report.banner_ms = Date.now() - killed;
  await says(t.page, ".banner.bad", /not reachable/);
  const again = await fake({ port, vehicles: 24, duration: 600, at: 9 });
  await t.page.waitForSelector(".banner.bad", { state: "detached" });
  await becomes(() => v(t.page, () => volary.selection()), ["7"]);
  assert.ok(Math.abs((await v(t.page, () => volary.camera().azimuth)) - 1.25) < 1e-6);
  const tick = await v(t.page, () => volary.clock().tick);
  await t.page.waitForFunction((x) => volary.clock().tick !== x, tick);
  assert.deepEqual(complaints(t.said), []);
  await t.page.close();
  await again.close();
});

test("malformed frames bring a notice and the next frame is fine", async () => {
  const t = await open();
  for (const bad of [Buffer.alloc(3), Buffer.alloc(200), Buffer.from("VLYF".padEnd(64, "x"))]) t.server.raw(bad);
  t.server.raw("{not json");
  await says(t.page, ".notice.warn", /Dropped a message/);
  const tick = await v(t.page, () => volary.clock().tick);
  await t.page.waitForFunction((x) => volary.clock().tick > x + 10, tick);
  assert.deepEqual(complaints(t.said), []);
  await t.close();
});

test("goto without confirmation sends nothing; with it the vehicle flies there", async () => {
  const t = await open();
  await v(t.page, () => volary.select(["4"]));
  await t.page.keyboard.press("g");
  await t.page.waitForSelector(".goto");
  await t.page.keyboard.press("Escape");
  await t.page.waitForSelector(".goto", { state: "detached" });
  assert.equal(t.server.log.filter((m) => m.name === "goto").length, 0);
  await t.page.keyboard.press("g");
  await t.page.waitForSelector(".goto");
  const box = await t.page.locator("#scene").boundingBox();
  await t.page.mouse.click(box.x + 480, box.y + 520);
  await t.page.getByRole("button", { name: "Go (1)" }).click();
  await says(t.page, ".notice", /sent/);
  const [sent, ...more] = t.server.log.filter((m) => m.name === "goto");
  assert.equal(more.length, 0);
  assert.deepEqual(sent.args.ids, ["4"]);
  assert.ok(sent.args.position.every(Number.isFinite));
  await t.close();
});

test("take control by keyboard, blur holds, Escape releases", async () => {
  const t = await open();
  await v(t.page, () => { volary.select(["6"]); volary.perform("vehicle.take"); });
  await t.page.getByRole("button", { name: "Hold to take" }).hover({ position: { x: 10, y: 10 } });
  await t.page.mouse.down();
  await t.page.waitForSelector(".control-frame");
  await t.page.mouse.up();
  await t.page.keyboard.down("w");
  const last = () => t.server.log.filter((m) => m.type === "control").at(-1)?.velocity ?? [0, 0, 0];
  await meet(() => Math.hypot(...last()) > 1, "it moves");
  await v(t.page, () => window.dispatchEvent(new Event("blur")));
  await meet(() => Math.hypot(...last()) === 0, "it stands still");
  await t.page.keyboard.up("w");
  await v(t.page, () => window.dispatchEvent(new Event("focus")));
  await t.page.keyboard.press("Escape");
  await t.page.waitForSelector(".control-frame", { state: "detached" });
  assert.ok(t.server.log.some((m) => m.name === "release"));
  await t.close();
});

test("spawn, remove and the held emergency stop", async () => {
  const t = await open();
  await v(t.page, () => volary.perform("vehicle.spawn"));
  await t.page.getByRole("dialog").getByRole("button", { name: "Spawn", exact: true }).click();
  await t.page.waitForFunction(() => volary.ids().length === 25);
  await v(t.page, () => { volary.select(["24"]); volary.perform("vehicle.remove"); });
  await t.page.getByRole("button", { name: "Remove", exact: true }).click();
  await t.page.waitForFunction(() => volary.ids().length === 24);
  await t.page.locator("#scene").focus();
  const stops = () => t.server.log.filter((m) => m.name === "emergency_stop").length;
  // Both from within the page: short on any machine.
  await v(t.page, () => { for (const what of ["keydown", "keyup"]) document.getElementById("scene").dispatchEvent(new KeyboardEvent(what, { key: "Backspace", bubbles: true })); });
  await pass(t.page, 700);
  assert.equal(stops(), 0, "a short press does nothing");
  await t.page.keyboard.down("Backspace");
  await meet(() => stops() === 1, "a long one stops");
  await t.page.keyboard.up("Backspace");
  assert.deepEqual(complaints(t.said), []);
  await t.close();
});

test("a token that may only look is refused in words", async () => {
  const t = await open({ server: { scope: "view", token: "secret" }, hash: "#token=secret" });
  assert.ok(!(await v(t.page, () => location.href)).includes("secret"), "the token left the address");
  await t.page.keyboard.press("Space");
  await says(t.page, ".notice", /may only look/);
  assert.equal(t.server.log.length, 0);
  await t.close();
});

test("a wrong token and none at all are refused with words", async () => {
  const server = await fake({ token: "secret" });
  const { page, close } = await newPage(browser);
  await page.goto(`http://127.0.0.1:${server.port}/?test=1#token=tampered`);
  await says(page, ".notice.bad", /refused/);
  await says(page, ".banner.bad", /a token is needed/);
  assert.ok(!(await v(page, () => location.href)).includes("tampered"));
  await close();
  await server.close();
});

test("the palette finds every command, and each runs without a complaint", async () => {
  const t = await open();
  await t.page.keyboard.press("Control+k");
  await t.page.waitForSelector(".palette-input:focus");
  await t.page.keyboard.type("top view");
  await says(t.page, ".option.on", /^Top view/);
  await t.page.keyboard.press("Enter");
  await t.page.waitForFunction(() => volary.camera().mode === "top");
  await v(t.page, () => volary.select(["3"]));
  const ids = await v(t.page, () => volary.actions().map((a) => a.id));
  for (const id of ids) {
    await v(t.page, (x) => volary.perform(x), id);
    await t.page.keyboard.press("Escape");
    await v(t.page, () => { volary.select(["3"]); });
  }
  const keys = await v(t.page, () => volary.actions().filter((a) => !a.id.startsWith("edit.")).flatMap((a) => a.keys)); // the editor's lie on top of them
  assert.equal(new Set(keys).size, keys.length, "no key means two things");
  assert.deepEqual(complaints(t.said), []);
  await t.close();
});

test("every control has a name and is large enough, and no text is cut off sideways", async () => {
  const t = await open();
  await says(t.page, ".tab-body", /24 inside/);
  await v(t.page, () => volary.settle());
  await becomes(() => poorControls(t.page, 24), []);
  await becomes(() => sideways(t.page), false);
  assert.ok(!(await t.page.locator("body").innerText()).match(/undefined|NaN|null/));
  await t.close();
});

test("the address holds the view: selection, camera and layers come back", async () => {
  const t = await open({ server: { paused: true } });
  await v(t.page, () => { volary.select(["2", "5"]); volary.set({ layers: { trails: false } }); volary.setCamera({ ...volary.camera(), azimuth: 1, distance: 33 }); });
  await t.page.waitForFunction(() => location.hash.includes("sel=2,5") && location.hash.includes("eye=57.3,") && location.hash.includes(",33,") && location.hash.includes("layers="));
  const url = await v(t.page, () => location.href);
  await t.page.evaluate(() => localStorage.clear());
  await t.page.goto("about:blank");
  await t.page.goto(url);
  await t.page.waitForFunction(() => window.volary?.ready);
  await becomes(() => v(t.page, () => volary.selection()), ["2", "5"]);
  await becomes(() => v(t.page, () => volary.camera()), (c) => assert.ok(Math.abs(c.distance - 33) < 0.01 && Math.abs(c.azimuth - 1) < 0.01, JSON.stringify(c)));
  await becomes(() => t.page.getByRole("button", { name: "Trails", exact: true }).getAttribute("aria-pressed"), "false");
  await t.close();
});

test("graphics that are lost come back", async () => {
  const t = await open({ server: { paused: true }, query: "&paint=flat" });
  await v(t.page, () => { volary.pin(1); volary.set({ layers: { trails: false } }); return volary.settle(); });
  const before = await v(t.page, () => volary.count(volary.palette())[0].n);
  assert.ok(before > 0);
  await v(t.page, () => volary.loseContext());
  await t.page.waitForFunction(() => [...document.querySelectorAll(".notice")].some((n) => n.textContent.includes("restarted")));
  await becomes(() => v(t.page, () => volary.count(volary.palette())[0].n), before);
  await t.close();
});

test("without WebGL the flat view draws the swarm", async () => {
  const server = await fake({ vehicles: 24, at: 8, paused: true });
  const { page, close } = await newPage(browser);
  await page.goto(`http://127.0.0.1:${server.port}/?test=1&quality=flat&theme=light`);
  await page.waitForFunction(() => window.volary?.ready);
  await v(page, () => volary.settle());
  await becomes(() => v(page, () => volary.count(volary.palette())), (counts) => { for (const flock of [0, 1, 2]) assert.ok(counts[flock].n > 100, `flock ${flock}: ${counts[flock].n}`); });
  await page.screenshot({ path: join(OUT, "flat-1440x900.png") });
  await close();
  await server.close();
});

for (const n of [1000, 10_000])
  test(`${n} vehicles: within the counts, times reported`, async () => {
    const t = await open({ server: { vehicles: n } });
    const drawn = () => v(t.page, () => ({ n: volary.ids().length, at: performance.now(), ...volary.stats() }));
    await seen(t.page, 3); // trails have grown
    const f0 = await becomes(drawn, (s) => assert.equal(s.n, n));
    const s = await becomes(drawn, (s) => assert.ok(s.frames >= f0.frames + 5, `${s.frames - f0.frames} frames`));
    const fps = (s.frames - f0.frames) / ((s.at - f0.at) / 1000);
    const bench = (await v(t.page, () => volary.bench(15))).sort((a, b) => a - b);
    report[`vehicles_${n}`] = { fps_live: Number(fps.toFixed(1)), draw_ms_best: Number(bench[0].toFixed(1)), draw_ms_median: Number(bench[7].toFixed(1)), script_ms: Number(s.script.toFixed(1)), calls: s.calls, triangles: s.triangles, lines: s.lines, points: s.points, nodes: s.nodes, resolution: s.scale };
    assert.ok(s.calls <= 25, `${s.calls} draw calls`);
    assert.ok(s.triangles <= 10_000, `${s.triangles} triangles`);
    assert.ok(s.nodes < 1500, `${s.nodes} nodes`);
    assert.deepEqual(complaints(t.said), []);
    await t.page.screenshot({ path: join(OUT, `swarm-${n}.png`) });
    await t.close();
  });

for (const [width, height] of [[1440, 900], [1920, 1080], [390, 844]])
  test(`screenshots ${width}x${height}, light and dark`, async () => {
    const t = await open({ size: { width, height }, touch: width < 500 });
    await seen(t.page, 5);
    const both = async (name) => {
      for (const theme of ["light", "dark"]) {
        await v(t.page, (x) => { volary.set({ theme: x }); return volary.settle(); }, theme);
        await t.page.screenshot({ path: join(OUT, `${name}-${width}x${height}-${theme}.png`) });
      }
    };
    await both("view");
    const id = await v(t.page, () => volary.ids()[10]);
    await v(t.page, (x) => { volary.set({ seenCard: true }); volary.select([x]); volary.perform("camera.follow"); }, id);
    await t.page.getByRole("tab", { name: width > 500 ? "Plots" : "Inspector" }).click();
    await both("follow");
    assert.deepEqual(complaints(t.said), []);
    await becomes(() => sideways(t.page), false);
    await t.close();
  });
