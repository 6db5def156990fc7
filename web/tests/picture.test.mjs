// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A world from a picture, in real Chromium against the real program: dropped, seen, saved, checked, flown; and what is no picture.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { writePng } from "../src/picture/png.ts";
import { becomes, complaints, look, newFolder, OUT, says, serve, skip, until, v, volary } from "./support.mjs";

const shot = (page, name) => page.screenshot({ path: join(OUT, `${name}.png`) });
/** A round hill in the middle of a plain, brightest at its top: 65 x 49 pixels. */
const hill = (x, y) => Math.round(65535 * Math.exp(-((x - 32) ** 2 + (y - 24) ** 2) / 160));
const hillPng = async (bits = 16) => Buffer.from(await writePng({ width: 65, height: 49, grey: Uint16Array.from({ length: 65 * 49 }, (_, k) => hill(k % 65, Math.floor(k / 65))) }, bits));
/** Drops a file on the page as people do. */
const drop = (page, name, type, bytes) => page.evaluate(([name, type, text]) => {
  const data = new DataTransfer();
  data.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name, { type }));
  for (const kind of ["dragover", "drop"]) document.getElementById("scene").dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
}, [name, type, Buffer.from(bytes).toString("base64")]);
const fill = async (page, label, value) => { const field = page.locator(".pic-field", { has: page.locator(`span:text-is("${label}")`) }).locator("input"); await field.fill(String(value)); await field.press("Tab"); };
const made = (page) => v(page, () => volary.picture());
const heights = (page, at) => v(page, (x) => volary.pictureHeights(x), at);
async function begin(options = {}) {
  const data = newFolder();
  const server = await serve({ scenario: "default", args: ["--paused"], env: { VOLARY_DATA: data }, ...options.server });
  const t = await look(server, options);
  await until(t.page, () => window.volary?.ready || window.volary?.picture);
  return { data, server, ...t };
}
const near = (a, b, most) => assert.ok(Math.abs(a - b) <= most, `${a} is not within ${most} of ${b}`);
/** Where the program keeps what people save. */
const mine = (data, file) => [join(data, "scenarios", file), join(data, file)].find(existsSync);

test("a dropped picture becomes ground, is saved beside its scenario, checked and flown", { skip }, async () => {
  const { data, server, page, said, close } = await begin();
  await page.getByRole("button", { name: "New world" }).click();
  await says(page, ".pic-panel", /Drop a picture here/);
  await drop(page, "My Hill.png", "image/png", await hillPng());
  await until(page, () => volary.picture?.().bits === 16);
  await fill(page, "Width", 64);
  await fill(page, "White is at", 12);
  assert.deepEqual((await made(page)).size, { width: 64, depth: 48, low: 0, high: 12 });
  // the upper left corner is the origin: the top of the hill is in the middle, the corners are low
  const [top, corner, side] = await heights(page, [[32, -24], [0, 0], [32 + 8, -24]]);
  near(top, 12, 1e-3);
  near(corner, 0, 0.01);
  near(side, 12 * Math.exp(-64 / 160), 1e-3);
  const world = await v(page, () => volary.world());
  near(Math.max(...world.terrain.up), 12, 0.01);
  await v(page, () => volary.settle());
  await shot(page, "picture_solid");
  await page.getByRole("button", { name: "Mesh", exact: true }).click();
  await until(page, () => { volary.bench(1); return volary.stats().lines > 2000; });
  await shot(page, "picture_mesh");
  await page.getByRole("button", { name: "Both" }).click();

  // the flock goes where the ground is clicked: on the western slope
  const spot = await v(page, () => volary.projectPoint(20, -24, volary.pictureHeights([[20, -24]])[0]));
  await v(page, () => volary.settle());
  const box = await page.locator("#scene").boundingBox();
  await page.mouse.click(box.x + spot[0], box.y + spot[1]);
  await becomes(async () => (await made(page)).crew.east, (e) => near(e, 20, 1));
  await fill(page, "How many", 4);
  await until(page, () => volary.ids().length === 4);

  await fill(page, "Name", "hill-of-mine");
  await page.locator(".pic-save").click();
  await until(page, () => volary.picture().saved);
  const file = mine(data, "hill-of-mine.yaml");
  assert.ok(file, `nothing was saved under ${data}`);
  assert.ok(existsSync(file.replace(/yaml$/, "png")));
  assert.equal(readFileSync(file, "utf8"), (await made(page)).text);
  volary(["check", file]);

  const expected = (await made(page)).crew;
  await page.locator(".pic-fly").click();
  await becomes(() => server.get("/api/live"), (s) => s.state !== "finished" && s.vehicles === 4);
  await until(page, () => volary.shown().page === "view" && volary.shown().kind === "live" && volary.ids().length === 4 && volary.world().scenario === "hill-of-mine");
  // told by the simulator now: the same ground under them, and they took off from it
  const flown = await v(page, () => volary.world().terrain);
  near(Math.max(...flown.up), 12, 0.01);
  near(flown.east, 0, 1e-9);
  near(flown.north, -48, 1e-9);
  // after the landing, which its last second is, each is on the slope, not in it and not above it
  await server.tell("pause");
  await server.tell("step", { ticks: 2900 - (await server.get("/api/live")).tick });
  await becomes(() => server.get("/api/live"), (s) => s.tick === 2900);
  await until(page, () => volary.clock().time > 28.99);
  for (const id of await v(page, () => volary.ids())) {
    const [e, n, u] = await v(page, (x) => volary.position(x), id);
    near(u, 12 * Math.exp(-((e - 32) ** 2 + (n + 24) ** 2) / 160), 0.15);
    assert.ok(Math.hypot(e - expected.east, n - expected.north) < 12); // it is steep enough to slide a little
  }
  await v(page, () => volary.settle());
  await shot(page, "picture_flown");
  // and the recording, which holds the picture, flies again to the same bit
  await server.tell("resume");
  await becomes(() => server.get("/api/live"), (s) => s.state === "finished");
  const [run] = await becomes(() => server.get("/api/runs"), (list) => list.length > 0 && list[0].state !== "running");
  volary(["replay", join(server.runs, `${run.id}.vrec`), "--verify", "--quiet"]);
  assert.deepEqual(complaints(said), []);
  await close();
  await server.end();
});

test("what is no picture, an empty one and a huge one get a message, and nothing is lost", { skip }, async () => {
  const { page, said, server, close } = await begin({ hash: "#/picture" });
  await says(page, ".pic-panel", /Drop a picture here/);
  await drop(page, "notes.txt", "text/plain", "hello");
  await says(page, ".pic-wrong", /notes\.txt is no picture that this browser can read/);
  await drop(page, "empty.png", "image/png", "");
  await says(page, ".pic-wrong", /empty\.png is empty/);
  // a PNG that claims to be larger than any that is read
  const huge = await hillPng();
  huge.writeUInt32BE(20000, 16);
  await drop(page, "huge.png", "image/png", huge);
  await says(page, ".pic-wrong", /huge\.png is 20000 \u00d7 49 pixels: at most 8192 a side/);
  const good = await hillPng(8);
  await drop(page, "half.png", "image/png", good.subarray(0, 40));
  await says(page, ".pic-wrong", /half\.png/);
  await drop(page, "hill.png", "image/png", good);
  await until(page, () => volary.picture().bits === 8);
  await becomes(() => page.locator(".pic-wrong").count(), 0);
  near((await heights(page, [[50, -37.5]]))[0], 20, 0.1);
  await drop(page, "notes.txt", "text/plain", "hello");
  await says(page, ".pic-wrong", /notes\.txt/);
  assert.equal((await made(page)).bits, 8); // the picture that was there stays
  // a name that is taken is not overwritten unasked
  await fill(page, "Name", "default");
  await page.locator(".pic-save").click();
  await says(page, ".pic-wrong", /default comes with Volary/);
  await fill(page, "Name", "Not a name");
  await says(page, ".pic-wrong", /a name has small letters/);
  assert.deepEqual(complaints(said), []);
  await close();
  await server.end();
});

test("any picture of the browser: a JPEG, a WebP that the simulator cannot read, a GIF; pasted and chosen", { skip }, async () => {
  const { data, page, said, server, close } = await begin();
  // made by the browser itself: a white half in the east
  const painted = (type) => page.evaluate(async (type) => {
    const c = new OffscreenCanvas(40, 20);
    const x = c.getContext("2d");
    x.fillStyle = "#000";
    x.fillRect(0, 0, 40, 20);
    x.fillStyle = "#fff";
    x.fillRect(20, 0, 20, 20);
    const bytes = new Uint8Array(await (await c.convertToBlob({ type, quality: 1 })).arrayBuffer());
    return btoa(String.fromCharCode(...bytes));
  }, type);
  const webp = Buffer.from(await painted("image/webp"), "base64");
  assert.equal(webp.subarray(8, 12).toString(), "WEBP");
  // pasted where the world is looked at: the tool opens with it
  await page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], "pasted.webp", { type: "image/webp" }));
    window.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
  }, webp.toString("base64"));
  await until(page, () => volary.picture?.().bits === 8 && location.hash === "#/picture");
  assert.equal((await made(page)).name, "pasted");
  assert.equal((await made(page)).size.depth, Math.round((100 * 19) / 39 * 1000) / 1000);
  const [west, east] = await heights(page, [[10, -20], [90, -20]]);
  near(west, 0, 0.2);
  near(east, 20, 0.2);
  await page.locator(".pic-save").click();
  await until(page, () => volary.picture().saved);
  volary(["check", mine(data, "pasted.yaml")]); // a PNG by now
  assert.equal(readFileSync(mine(data, "pasted.png")).subarray(1, 4).toString(), "PNG");

  const gif = Buffer.from("R0lGODlhAgACAIAAAAAAAP///yH5BAAAAAAALAAAAAACAAIAAAIDRBIFADs=", "base64");
  for (const [name, type, bytes] of [["photo.jpg", "image/jpeg", Buffer.from(await painted("image/jpeg"), "base64")], ["tiny.gif", "image/gif", gif]]) {
    await page.locator(".pic-drop input[type=file]").setInputFiles({ name, mimeType: type, buffer: bytes });
    await says(page, ".pic-drop", new RegExp(name.replace(".", "\\.")));
  }
  // saved again under the name that it was saved under here: nobody else's work is lost
  await page.locator(".pic-save").click();
  await until(page, () => volary.picture().saved);
  volary(["check", mine(data, "pasted.yaml")]);
  assert.deepEqual(complaints(said), []);
  await close();
  await server.end();
});

test("somebody else's scenario is replaced only when it is said so, and a page that may only look offers a download", { skip }, async () => {
  const { data, page, said, server, close } = await begin({ hash: "#/picture" });
  await drop(page, "hill.png", "image/png", await hillPng());
  await until(page, () => volary.picture?.().bits === 16);
  await page.locator(".pic-save").click();
  await until(page, () => volary.picture().saved);
  const file = mine(data, "hill.yaml");
  await close();
  writeFileSync(file, "name: precious\n");
  const second = await look(server, { hash: "#/picture" });
  await until(second.page, () => window.volary?.picture);
  await drop(second.page, "hill.png", "image/png", await hillPng());
  await until(second.page, () => volary.picture?.().bits === 16);
  await fill(second.page, "Name", "hill");
  await second.page.locator(".pic-save").click();
  await says(second.page, ".pic-wrong", /you have a scenario called hill/);
  assert.equal(readFileSync(file, "utf8"), "name: precious\n");
  await second.page.getByRole("button", { name: "Replace it" }).click();
  await until(second.page, () => volary.picture().saved);
  assert.match(readFileSync(file, "utf8"), /terrain/);
  const [, down] = await Promise.all([second.page.locator(".pic-download").click(), second.page.waitForEvent("download")]);
  assert.match(down.suggestedFilename(), /^hill\.(yaml|png)$/);
  assert.deepEqual(complaints([...said, ...second.said]), []);
  await second.close();
  await server.end();
});

test("on a phone the panel lies under the scene, and in the dark it is dark", { skip }, async () => {
  for (const [name, size, theme] of [["phone", { width: 390, height: 844 }, "light"], ["dark", { width: 1440, height: 900 }, "dark"]]) {
    const { page, server, close } = await begin({ hash: "#/picture", size, theme });
    await drop(page, "hill.png", "image/png", await hillPng());
    await until(page, () => volary.picture?.().bits === 16);
    await v(page, () => volary.settle());
    assert.equal(await v(page, () => document.documentElement.scrollWidth > innerWidth || [...document.querySelectorAll(".pic-panel")].some((e) => e.scrollWidth > e.clientWidth + 1)), false);
    await shot(page, `picture_${name}`);
    await close();
    await server.end();
  }
});
