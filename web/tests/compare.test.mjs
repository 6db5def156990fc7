// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Two runs on one page, bookmarks and tags, in real Chromium against the real program.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openBuffer } from "../src/source/replay.ts";
import { complaints, look, MINUTE, newFolder, OUT, record, serve, skip, until, v } from "./support.mjs";
import { becomes, says } from "./wait.mjs";

const LAND_EARLY = ["--set", "events=[{time: 5, what: mission}, {time: 20, what: land}]"];
const verdict = (page, words) => says(page, ".versus-bar .verdict", words);
/** How many columns of the plot of distances have ink of its line: none until distances are known. */
const drawn = (page) => v(page, () => { const c = document.querySelector(".compare .plot canvas"); const s = getComputedStyle(document.documentElement).getPropertyValue("--accent").trim(); const want = [1, 3, 5].map((i) => parseInt(s.slice(i, i + 2), 16)); const copy = Object.assign(document.createElement("canvas"), { width: c.width, height: c.height }).getContext("2d", { willReadFrequently: true }); copy.drawImage(c, 0, 0); const p = copy.getImageData(0, 0, c.width, c.height).data; const found = new Set(); for (let i = 0; i < p.length; i += 4) if (p[i + 3] > 100 && want.every((w, k) => Math.abs(p[i + k] - w) < 40)) found.add((i / 4) % c.width); return found.size / c.width; });
const compared = (page) => until(page, () => window.volary?.ready && document.querySelector(".figures"));
/** Where a vehicle of a recording is at a moment. */
async function positionIn(runs, id, name, time) {
  const file = await openBuffer(readFileSync(join(runs, `${id}.vrec`)));
  await file.ready(time);
  const out = new Float32Array(3);
  const { id: vehicle } = file.log.roster.find((r) => r.name === name);
  file.positions(time, [vehicle], [0, 0, 0], out, 0);
  return { vehicle, position: [...out] };
}
const drop = async (page, files) => {
  const data = await page.evaluateHandle((list) => { const d = new DataTransfer(); for (const [name, b64] of list) d.items.add(new File([Uint8Array.from(atob(b64), (c) => c.charCodeAt(0))], name)); return d; }, files.map(([name, bytes]) => [name, bytes.toString("base64")]));
  await page.dispatchEvent("body", "drop", { dataTransfer: data });
};

test("two runs of the library side by side: where they part is told, marked and one key away; both scenes share camera, clock and selection", { skip }, async () => {
  const runs = newFolder();
  const a = record(runs, "--seed", "11");
  const b = record(runs, "--seed", "11", ...LAND_EARLY);
  const server = await serve({ runs, args: ["--no-record", "--paused"] });
  const t = await look(server, { hash: "#/library" });
  await t.page.getByLabel(`Compare ${a}`).check();
  await t.page.getByLabel(`Compare ${b}`).check();
  await t.page.getByRole("button", { name: "Compare", exact: true }).click();
  await compared(t.page);
  await v(t.page, () => volary.set({ seenCard: true }));
  await verdict(t.page, /Identical until tick 2,001 \(20\.01\ss\)/);
  await until(t.page, (x) => location.hash.startsWith(`#/run/${x}?`), a);
  await until(t.page, (x) => location.hash.includes(`vs=${x}`), b);
  // The mark: ink of the text colour at that place of the timeline, none beside it.
  const ink = (time) => v(t.page, (x) => { const c = document.querySelector(".timeline canvas"); const { last } = volary.clock().extent; const at = 12 + (x / last) * (c.clientWidth - 24); const p = c.getContext("2d").getImageData(at - 2, 20, 4, 24).data; let n = 0; for (let i = 0; i < p.length; i += 4) if (p[i] < 80 && p[i + 3] > 150) n++; return n; }, time);
  await becomes(() => ink(20.01), (n) => assert.ok(n > 8, `the parting is marked: ${n}`));
  await becomes(() => ink(18.5), 0);
  await t.page.locator("#scene").focus();
  await t.page.keyboard.press("x");
  await until(t.page, () => Math.abs(volary.clock().time - 20.01) < 1e-6);
  await t.page.keyboard.press("[");
  await v(t.page, () => volary.seek(24));
  await t.page.keyboard.press("[");
  await until(t.page, () => Math.abs(volary.clock().time - 20.01) < 1e-6);

  // Two canvases of the same size; a vehicle is drawn where each file says it is.
  await v(t.page, () => volary.seek(24));
  const id = await v(t.page, () => volary.ids()[3]);
  await v(t.page, (x) => volary.select([x]), id);
  await t.page.locator(".scene-b .which", { hasText: "0:24.0" }).filter({ hasText: "61 vehicles" }).waitFor(); // once its bytes are there
  await v(t.page, () => { volary.setCamera(volary.camera()); return volary.settle(); }); // and where it is now it stays
  const boxes = () => v(t.page, () => [...document.querySelectorAll(".scene-canvas")].map((c) => { const r = c.getBoundingClientRect(); return [Math.round(r.width), Math.round(r.height)]; }));
  await becomes(boxes, (b) => assert.ok(b.length === 2 && Math.abs(b[0][0] - b[1][0]) <= 2 && b[0][1] === b[1][1], String(b)));
  const { position: where } = await positionIn(runs, b, "inner[3]", 24);
  const ring = () => v(t.page, (where) => { const [x, y] = volary.projectPoint(...where); const c = document.querySelector(".scene-b .scene-over"); const p = c.getContext("2d").getImageData(Math.round(x) - 16, Math.round(y) - 16, 32, 32).data; const s = getComputedStyle(document.documentElement).getPropertyValue("--select").trim(); const want = [1, 3, 5].map((i) => parseInt(s.slice(i, i + 2), 16)); let n = 0; for (let i = 0; i < p.length; i += 4) if (want.every((w, k) => Math.abs(p[i + k] - w) < 12) && p[i + 3] > 200) n++; return n; }, where);
  await becomes(ring, (n) => assert.ok(n > 20, `the partner has a ring in the second scene: ${n} px`));
  // A click on a vehicle of B selects its partner in A.
  const other = await positionIn(runs, b, "crown[5]", 24);
  const spot = await v(t.page, (p) => volary.projectPoint(...p), other.position);
  const scene = await t.page.locator(".scene-b").boundingBox();
  await t.page.mouse.click(scene.x + spot[0], scene.y + spot[1]);
  await until(t.page, (x) => volary.selection().join() === x, other.vehicle);
  // Dragging in B turns the one camera.
  const { azimuth } = await v(t.page, () => volary.camera());
  await t.page.mouse.move(scene.x + 200, scene.y + 300);
  await t.page.mouse.down();
  await t.page.mouse.move(scene.x + 280, scene.y + 300, { steps: 4 });
  await t.page.mouse.up();
  await becomes(() => v(t.page, () => volary.camera().azimuth), (now) => assert.ok(Math.abs(now - azimuth) > 0.2, `${now} after ${azimuth}`));

  // Figures with differences, and the ghost.
  await says(t.page, ".compare", /Tracking error, RMS/);
  for (const theme of ["light", "dark"]) {
    await v(t.page, (x) => { volary.set({ theme: x }); volary.perform("camera.fit"); return volary.settle(); }, theme);
    await t.page.waitForTimeout(600);
    await t.page.screenshot({ path: join(OUT, `compare-side-1440x900-${theme}.png`) });
    await t.page.keyboard.press("y");
    await until(t.page, () => document.querySelectorAll(".scene-canvas").length === 1 && location.hash.includes("as=ghost"));
    await v(t.page, () => { volary.perform("camera.fit"); return volary.settle(); });
    await t.page.screenshot({ path: join(OUT, `compare-ghost-1440x900-${theme}.png`) });
    await t.page.keyboard.press("y");
    await until(t.page, () => document.querySelectorAll(".scene-canvas").length === 2);
  }
  await becomes(() => v(t.page, () => document.documentElement.scrollWidth > innerWidth), false);
  assert.ok(!(await t.page.locator("body").innerText()).match(/undefined|NaN|null/));
  // The end of it leads back to the library, where it came from.
  await t.page.getByRole("button", { name: "Close the comparison" }).click();
  await until(t.page, () => volary.shown().page === "library" && document.querySelectorAll(".scene-canvas").length === 1);
  assert.deepEqual(complaints(t.said), []);
  await t.close();
  await server.end();
});

test("an address opens two runs with mode and offset; equal runs are identical throughout, other seeds differ from the first tick", { skip }, async () => {
  const runs = newFolder();
  const a = record(runs, "--seed", "3");
  const same = record(runs, "--seed", "3");
  const other = record(runs, "--seed", "4");
  const server = await serve({ runs, args: ["--no-record", "--paused"] });
  const t = await look(server, { hash: `#/run/${a}?t=9.000&vs=${same}&as=ghost&shift=1.5` });
  await compared(t.page);
  await verdict(t.page, /Identical throughout, 3,00[01] ticks/);
  await becomes(() => v(t.page, () => [volary.clock().time, document.querySelectorAll(".scene-canvas").length]), [9, 1]);
  await becomes(() => t.page.getByLabel("Seconds that the clock of B is ahead").inputValue(), "1.5");
  // With an offset the ghost is elsewhere; without it every partner lies on its own.
  const apart = () => v(t.page, () => document.querySelector(".compare .panel-title .link")?.textContent ?? "");
  await becomes(apart, (x) => assert.match(x, /[1-9]\.\d\d/));
  await t.page.getByLabel("Align the two runs at").selectOption("time");
  await until(t.page, () => Number(document.querySelector(".versus-bar input").value) === 0);
  await becomes(() => drawn(t.page), (part) => assert.ok(part > 0.7, `${part} of the plot`)); // the distances are known
  await becomes(apart, "");
  await until(t.page, () => !location.hash.includes("shift="));
  // From the palette: another run instead.
  await t.page.locator("#scene").focus();
  await t.page.keyboard.press("Shift+V");
  await t.page.getByLabel("Search runs").fill("seed 4 nothing");
  await t.page.getByText("match.").waitFor();
  await t.page.getByLabel("Search runs").fill(other.slice(-8));
  await says(t.page, "#versus-list .option.on", new RegExp(other));
  await t.page.keyboard.press("Enter");
  await until(t.page, () => /Different from the first tick/.test(document.querySelector(".versus-bar .verdict")?.textContent ?? ""));
  await until(t.page, () => location.hash.includes("run/"));
  // B becomes A, at the same moment.
  await v(t.page, () => volary.seek(12));
  await t.page.getByRole("button", { name: "Swap" }).click();
  await until(t.page, (x) => volary.shown().name === x && document.querySelector(".figures"), other);
  await becomes(() => v(t.page, () => volary.clock().time), 12);
  // No key of the page means two things.
  const keys = await v(t.page, () => volary.actions().filter((x) => !x.id.startsWith("edit")).flatMap((x) => x.keys.map((k) => [k, x.id])));
  assert.deepEqual(keys.filter(([k], i) => keys.findIndex(([other]) => other === k) !== i), []);
  // A run that is not there: words, and the first one stays.
  await t.page.goto(`${server.base}/?test=1&quality=lite#/run/${a}?vs=nobody`);
  await t.page.reload();
  await t.page.locator(".notice.bad", { hasText: "nobody cannot be compared" }).waitFor(MINUTE);
  await until(t.page, () => volary.ids().length === 61 && !document.querySelector(".versus-bar"));
  assert.deepEqual(complaints(t.said), []);
  await t.close();
  await server.end();
});

test("runs of other lengths, ticks and vehicles, and torn ones, are compared as far as they go", { skip }, async () => {
  const runs = newFolder();
  const a = record(runs, "--seed", "3");
  const fewer = record(runs, "--seed", "3", "--set", "duration=12", "--set", "events=[{time: 5, what: mission}]", "--set", "flocks[0].vehicles.ring.count=10", "--set", "tick=0.005");
  const torn = readFileSync(join(runs, `${a}.vrec`));
  const whole = await openBuffer(torn);
  const block = whole.log.views[Math.floor(whole.log.views.length / 2)];
  torn.fill(0x5a, block.offset + 70, block.offset + 90);
  const server = await serve({ runs, args: ["--no-record", "--paused"] });
  const t = await look(server, { hash: `#/run/${a}?t=8.000&vs=${fewer}` });
  await compared(t.page);
  await verdict(t.page, /Ticks of 10\.0\sms and 5\.0\sms/);
  await says(t.page, ".compare", /Only in A: 2 vehicles \(inner\[10\], inner\[11\]\)/);
  await t.page.locator(".scene-b .which", { hasText: "59 vehicles" }).waitFor(MINUTE); // once its bytes are there
  await v(t.page, () => volary.seek(20));
  await t.page.getByText("B ended at 0:12.000.").or(t.page.getByText("B ended at 0:12.00.")).waitFor();
  await says(t.page, ".scene-b .which", /\b0 vehicles/);
  await t.page.keyboard.press("x"); // nowhere to go: words, not an error
  await t.page.getByText("they do not part").waitFor();
  // A torn file dropped on the comparison takes the place of B.
  await drop(t.page, [["torn.vrec", torn]]);
  await until(t.page, () => /torn\.vrec/.test(document.querySelector(".names")?.textContent ?? ""));
  await verdict(t.page, /Identical throughout/);
  const [from, to] = [whole.log.seconds(block.firstTick), whole.log.seconds(block.lastTick)];
  await v(t.page, (x) => volary.seek(x), (from + to) / 2);
  await t.page.locator(".scene-b .middle", { hasText: "could not be read" }).waitFor();
  await t.page.screenshot({ path: join(OUT, "compare-torn.png") });
  // Playing goes on through it, and nothing is invented for B.
  await t.page.locator("#scene").focus();
  await t.page.keyboard.press("Space");
  const { time } = await v(t.page, () => volary.clock());
  await until(t.page, (x) => volary.clock().time > x + 1 || volary.clock().time < x, time);
  await t.page.keyboard.press("Space");
  // A file that is no recording is refused in words and the comparison ends in order.
  await drop(t.page, [["junk.vrec", Buffer.from("junk")]]);
  await t.page.locator(".notice.bad", { hasText: "junk.vrec cannot be compared" }).waitFor(MINUTE);
  await until(t.page, () => !document.querySelector(".versus-bar") && document.querySelectorAll(".scene-canvas").length === 1);
  // Two files at once are compared.
  await drop(t.page, [["one.vrec", readFileSync(join(runs, `${a}.vrec`))], ["two.vrec", readFileSync(join(runs, `${fewer}.vrec`))]]);
  await until(t.page, () => /one\.vrec.*two\.vrec/s.test(document.querySelector(".names")?.textContent ?? ""));
  assert.deepEqual(complaints(t.said), []);
  await t.close();
  await server.end();
});

test("bookmarks stay with their run, are found in the palette, and a copied link holds the moment", { skip }, async () => {
  const runs = newFolder();
  const [a, b] = [record(runs, "--seed", "3"), record(runs, "--seed", "4")];
  const server = await serve({ runs, args: ["--no-record", "--paused"] });
  const t = await look(server, { hash: `#/run/${a}?t=4.000` });
  await until(t.page, () => window.volary?.ready && volary.shown().coverage !== "loading");
  await t.page.locator("#scene").focus();
  await t.page.keyboard.press("b");
  await t.page.keyboard.press("b");
  await v(t.page, () => volary.seek(17.25));
  await t.page.keyboard.press("b");
  await v(t.page, () => volary.seek(30));
  await t.page.keyboard.press("[");
  await until(t.page, () => volary.clock().time === 17.25);
  await t.page.keyboard.press("[");
  await until(t.page, () => volary.clock().time === 4);
  await v(t.page, (x) => { location.hash = `#/run/${x}?t=1.000`; }, b);
  await until(t.page, (x) => volary.shown().name === x, b);
  await t.page.keyboard.press("]");
  await v(t.page, () => volary.settle());
  assert.equal(await v(t.page, () => volary.clock().time), 1, "the other run has none");
  await t.page.goto(`${server.base}/?test=1&quality=lite#/run/${a}`);
  await t.page.reload();
  await until(t.page, () => window.volary?.ready && volary.shown().coverage !== "loading");
  await t.page.keyboard.press("Control+k");
  await t.page.locator(".palette-input").fill("bookmark 0:17");
  await says(t.page, ".option.on", /Bookmark 0:17/i);
  await t.page.keyboard.press("Enter");
  await until(t.page, () => volary.clock().time === 17.25);
  // While it plays the link has the moment all the same.
  await t.page.keyboard.press("Space");
  const played = await until(t.page, () => { const c = volary.clock(); if (c.mode !== "playing" || c.time <= 17.25) return null; volary.perform("page.link"); return c.time.toFixed(3); });
  await t.page.locator(".notice", { hasText: "Link copied" }).waitFor();
  const link = await v(t.page, () => navigator.clipboard.readText());
  assert.ok(link.includes(`#/run/${a}?t=${await played.jsonValue()}`), `${await played.jsonValue()} in ${link}`);
  await t.page.keyboard.press("Space");
  await v(t.page, () => volary.seek(17));
  await t.page.keyboard.press("Shift+B");
  await t.page.reload();
  await until(t.page, () => window.volary?.ready);
  await becomes(() => v(t.page, (x) => JSON.parse(localStorage.getItem("volary.bookmarks")).runs[x].map((m) => m.time), a), [4]);
  assert.deepEqual(complaints(t.said), []);
  await t.close();
  await server.end();
});

test("tags are changed in the library, and a refusal is told", { skip }, async () => {
  const runs = newFolder();
  const a = record(runs, "--seed", "3");
  const server = await serve({ runs, args: ["--no-record", "--paused"] });
  const t = await look(server, { hash: "#/library" });
  const cell = t.page.getByRole("button", { name: `Tags of ${a}` });
  await cell.click();
  await t.page.getByLabel(`Tags of ${a}`).fill("night, windy night");
  await t.page.keyboard.press("Enter");
  await until(t.page, () => [...document.querySelectorAll(".runs .tags .badge")].map((e) => e.textContent).join() === "night,windy");
  assert.deepEqual((await server.get("/api/runs"))[0].tags, ["night", "windy"]);
  await t.page.getByLabel("Search runs").fill("windy");
  await until(t.page, () => document.querySelectorAll(".runs tbody tr").length === 1);
  await cell.click();
  await t.page.getByLabel(`Tags of ${a}`).fill("no");
  await t.page.keyboard.press("Escape");
  await becomes(() => cell.innerText(), (x) => assert.match(x, /night/, "Esc keeps what was"));
  await t.page.screenshot({ path: join(OUT, "library-tags.png") });
  await t.page.route("**/api/runs/*", (r) => (r.request().method() === "PATCH" ? r.fulfill({ status: 400, contentType: "application/json", body: '{"error":"a tag is too long"}' }) : r.continue()));
  await cell.click();
  await t.page.getByLabel(`Tags of ${a}`).fill("x".repeat(500));
  await t.page.keyboard.press("Enter");
  await t.page.locator(".notice.bad", { hasText: "a tag is too long" }).waitFor();
  await becomes(() => t.page.getByLabel(`Tags of ${a}`).inputValue(), "x".repeat(500), "what was typed is still there");
  assert.deepEqual(complaints(t.said), []);
  await t.close();
  await server.end();
});
