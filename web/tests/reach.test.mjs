// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Everything is within reach: by the palette, by keys alone, by an address, in other colours and in longer words; layers and the world's
// own figures; and nothing grows while frames go by.
import assert from "node:assert/strict";
import { test } from "node:test";
import { complaints, meet, open, poorControls, sideways, v } from "./page.mjs";

const focused = (page) => v(page, () => { const e = document.activeElement; return e?.id || e?.getAttribute("role") || e?.className || e?.tagName; });
/** Pixels that differ between two states of the layers. */
const differing = (page, a, b) => v(page, ([a, b]) => { const take = (l) => { volary.set({ layers: l }); return volary.pixels().data; }; const [x, y] = [take(a), take(b)]; let n = 0; for (let i = 0; i < x.length; i += 4) if (x[i] !== y[i] || x[i + 1] !== y[i + 1] || x[i + 2] !== y[i + 2]) n++; return n; }, [a, b]);

test("every command runs from the palette", async () => {
  const t = await open();
  await v(t.page, () => { window.showSaveFilePicker = undefined; HTMLInputElement.prototype.click = () => {}; HTMLAnchorElement.prototype.click = () => {}; });
  const all = (await v(t.page, () => volary.actions())).filter((a) => a.id !== "page.palette" && !a.id.startsWith("edit."));
  const missing = [];
  for (const a of all) {
    await v(t.page, () => { volary.perform("page.view"); volary.select(["3"]); volary.perform("page.palette"); });
    await t.page.waitForSelector(".palette-input");
    await t.page.fill(".palette-input", a.title);
    const found = await v(t.page, (title) => { const o = [...document.querySelectorAll(".option")].find((e) => e.firstElementChild.textContent === title); o?.click(); return Boolean(o); }, a.title);
    if (!found) missing.push(a.title);
    await t.page.waitForFunction(() => !document.querySelector(".palette-input"));
    await v(t.page, () => new Promise((done) => setTimeout(done, 20)));
    for (let k = 0; k < 3 && (await t.page.locator("dialog").count()); k++) await t.page.keyboard.press("Escape");
  }
  assert.deepEqual(missing, []);
  assert.deepEqual(complaints(t.said), []);
  await t.close();
});

test("F6 walks fleet, scene, inspector and timeline and back; the skip link leads to the scene; Tab leaves it", async () => {
  const t = await open();
  await t.page.keyboard.press("Tab");
  assert.equal(await v(t.page, () => document.activeElement.className), "skip");
  await t.page.keyboard.press("Enter");
  assert.equal(await focused(t.page), "scene");
  await t.page.keyboard.press("Tab");
  assert.notEqual(await focused(t.page), "scene", "the scene is no trap");
  await v(t.page, () => document.querySelector(".list").focus());
  const walk = [];
  for (let k = 0; k < 4; k++) {
    await t.page.keyboard.press("F6");
    walk.push(await focused(t.page));
  }
  assert.deepEqual(walk, ["scene", "tabpanel", "slider", "listbox"]);
  await t.page.keyboard.press("Shift+F6");
  assert.equal(await focused(t.page), "slider");
  assert.match(await t.page.locator(".timeline").getAttribute("aria-valuetext"), /^\d+:\d\d\.\d\d of \d+:\d\d/);
  // A ring is to be seen where the keyboard is.
  assert.notEqual(await v(t.page, () => getComputedStyle(document.activeElement).outlineStyle), "none");
  await t.close();
});

test("by keys alone: choose in the list, follow, widen a panel, and dialogs give the focus back", async () => {
  const t = await open();
  await v(t.page, () => document.querySelector(".list").focus());
  await t.page.keyboard.press("ArrowDown");
  await t.page.keyboard.press("ArrowDown");
  assert.deepEqual(await v(t.page, () => volary.selection()), ["1"]);
  await t.page.keyboard.press("f");
  assert.equal(await v(t.page, () => volary.camera().mode), "follow");
  for (const [key, what] of [["?", "dialog"], ["Control+k", "dialog"]]) {
    await t.page.keyboard.press(key);
    await t.page.waitForSelector(what);
    await t.page.keyboard.press("Escape");
    await t.page.waitForSelector(what, { state: "detached" });
    await meet(async () => (await focused(t.page)) === "listbox", `the focus comes back after ${key}`);
  }
  await t.page.locator("#scene").focus();
  await t.page.keyboard.press("ContextMenu");
  await t.page.waitForSelector(".menu button:focus");
  await t.page.keyboard.press("Escape");
  await t.page.waitForSelector(".menu", { state: "detached" });
  await meet(async () => (await focused(t.page)) === "scene", "the focus comes back after the menu");
  const width = () => t.page.locator(".fleet-side").evaluate((e) => e.getBoundingClientRect().width);
  const before = await width();
  await t.page.locator(".border.fleet").focus();
  await t.page.keyboard.press("ArrowRight");
  assert.equal(await width(), before + 16);
  await t.page.keyboard.press("Enter");
  assert.equal(await width(), before);
  assert.deepEqual(complaints(t.said), []);
  await t.close();
});

test("the live region says one sentence in two seconds, the last one", async () => {
  const t = await open();
  await v(t.page, () => { window.heard = []; new MutationObserver(() => heard.push([performance.now(), document.querySelector(".sr[aria-live]").textContent])).observe(document.querySelector(".sr[aria-live]"), { childList: true, characterData: true, subtree: true }); });
  for (const id of ["1", "2", "3", "4"]) await v(t.page, (x) => volary.select([x]), id);
  await t.page.waitForFunction(() => heard.some((h) => h[1].startsWith("uav-4 selected, altitude")));
  const heard = await v(t.page, () => heard);
  for (let k = 1; k < heard.length; k++) assert.ok(heard[k][0] - heard[k - 1][0] > 1900, `${heard[k][0] - heard[k - 1][0]} ms between two`);
  assert.ok(heard.length <= 2, JSON.stringify(heard));
  await t.close();
});

test("regions, wind and formations are drawn, switched by key, and kept in the address", async () => {
  const t = await open({ server: { paused: true, at: 12 } });
  await v(t.page, () => volary.settle());
  assert.ok((await differing(t.page, { regions: false }, { regions: true })) > 3000);
  assert.ok((await differing(t.page, { wind: false }, { wind: true })) > 300);
  await v(t.page, () => volary.set({ layers: {} }));
  for (const [key, id] of [["Shift+A", "regions"], ["Shift+W", "wind"], ["Shift+F", "formations"]]) {
    const name = id[0].toUpperCase() + id.slice(1);
    const before = await t.page.getByRole("button", { name, exact: true }).getAttribute("aria-pressed");
    await t.page.keyboard.press(key);
    assert.notEqual(await t.page.getByRole("button", { name, exact: true }).getAttribute("aria-pressed"), before, key);
  }
  await t.page.waitForFunction(() => /layers=[^&]*wind[^&]*formations/.test(location.hash) && !/layers=[^&]*regions/.test(location.hash));
  const texts = () => v(t.page, () => volary.labels().map((b) => b.text));
  await t.page.keyboard.press("Shift+A");
  await v(t.page, () => volary.settle());
  const said = await texts();
  assert.ok(said.some((x) => /^Wind 3\.7.m\/s from 241/.test(x)) && said.some((x) => /^(inner|outer|crown) \u00b7 8$/.test(x)) && said.includes("field \u00b7 keep in"), said.join("; "));
  assert.deepEqual(complaints(t.said), []);
  await t.close();
});

test("calm air says so, and a world without regions too", async () => {
  const t = await open({ server: { paused: true, wind: [0, 0, 0], gusts: 0, regions: [] }, hash: "#/live?layers=vehicles,wind,regions" });
  await v(t.page, () => volary.settle());
  assert.ok((await v(t.page, () => volary.labels().map((b) => b.text))).some((x) => x.startsWith("Calm")));
  const world = await t.page.locator(".tab-body").innerText();
  assert.match(world, /Wind\s+calm/);
  assert.match(world, /no regions/);
  await t.close();
});

test("the world's figures: wind, who is inside which region, and the hour of the sun", async () => {
  const t = await open({ server: { paused: true, at: 8 } });
  const world = await t.page.locator(".tab-body").innerText();
  for (const x of [/Wind\s+3\.7\s*m\/s/, /Wind from\s+241/, /Gusts\s+0\.8/, /Ground\s+0\.0/, /field\s+keep in\s+24 inside/, /tower\s+keep out/, /Seed\s+1/, /Tick\s+10/]) assert.match(world, x);
  await t.page.locator(".region", { hasText: "field" }).click();
  assert.equal((await v(t.page, () => volary.selection())).length, 24);
  await v(t.page, () => volary.select([]));
  const noon = await v(t.page, () => volary.ground());
  await t.page.locator("#hour").focus();
  await t.page.keyboard.press("Home");
  await v(t.page, () => volary.settle());
  assert.notDeepEqual(await v(t.page, () => volary.ground()), noon, "midnight is darker");
  assert.equal(await t.page.locator("#hour").getAttribute("aria-valuetext"), "00:00");
  await t.page.locator(".hour .link").click();
  await v(t.page, () => volary.settle());
  assert.deepEqual(await v(t.page, () => volary.ground()), noon);
  await t.close();
});

test("each address comes back as it was given", async () => {
  const t = await open({ server: { paused: true } });
  for (const hash of ["#/live?t=live&sel=3,7&eye=30.5,20,44,1,2,3", "#/live?t=live&sel=5&cam=follow&eye=10,25,9,0,0,5", "#/live?t=live&cam=top&eye=0,20,60,1,2,3", "#/live?t=live&eye=12,34,56,0,0,5&layers=grid,wind,vehicles", "#/library"]) {
    await t.page.goto("about:blank");
    await v(t.page, () => 0);
    await t.page.goto(t.url.replace(/#.*/, "") + hash);
    await t.page.waitForFunction(() => window.volary?.ready || location.hash === "#/library");
    // What is followed moves the eye's target, and the rest stays to the digit.
    const parts = hash.split(/[?&]/).filter((x) => !(hash.includes("follow") && x.startsWith("eye")));
    await meet(async () => { const now = await v(t.page, () => location.hash); return parts.every((x) => now.split(/[?&]/).includes(x)); }, `${hash} became ${t.page.url()}`);
    await t.page.waitForTimeout(700);
    const now = await v(t.page, () => location.hash);
    for (const x of parts) assert.ok(now.split(/[?&]/).includes(x), `${x} of ${hash} in ${now}`);
    await v(t.page, () => localStorage.clear());
  }
  assert.deepEqual(complaints(t.said), []);
  await t.close();
});

test("300 frames leave the heap and the graphics' buffers as they were", async () => {
  const t = await open({ size: { width: 480, height: 400 }, server: { paused: true, vehicles: 60 }, hash: "#/live?layers=grid,regions,shadows,wind,trails,vehicles,goals,formations,labels" });
  const c = await t.page.context().newCDPSession(t.page);
  const used = async () => { await c.send("HeapProfiler.collectGarbage"); return (await c.send("Runtime.getHeapUsage")).usedSize; };
  await v(t.page, () => { volary.select(["3"]); volary.bench(60); });
  const [heap, was] = [await used(), await v(t.page, () => volary.stats())];
  await v(t.page, () => volary.bench(300));
  const [grown, is] = [(await used()) - heap, await v(t.page, () => volary.stats())];
  assert.ok(grown < 1e6, `${grown} bytes more`);
  for (const x of ["geometries", "textures", "calls"]) assert.equal(is[x], was[x], x);
  assert.ok(Math.abs(is.nodes - was.nodes) < 40, `${is.nodes - was.nodes} elements more`);
  await t.close();
});

test("nothing moves sideways at 1440 and 1920, nor with words two fifths longer", async () => {
  for (const [width, height, query] of [[1440, 900, ""], [1920, 1080, ""], [1440, 900, "&lang=pseudo"]]) {
    const t = await open({ size: { width, height }, query });
    if (query) assert.match(await t.page.locator(".fleet h2").innerText(), /^Fl\u00eb\u00ebt/);
    assert.equal(await sideways(t.page), false, `${width}${query}`);
    assert.deepEqual(await poorControls(t.page, 24), []);
    await v(t.page, () => volary.perform("page.help"));
    await t.page.waitForSelector("dialog");
    assert.equal(await sideways(t.page), false, `help at ${width}${query}`);
    await t.close();
  }
});

test("in forced colours the chosen row and the pressed switches are outlined; without motion the camera is there at once", async () => {
  const t = await open({ context: { forcedColors: "active" } });
  await v(t.page, () => volary.select(["2"]));
  await t.page.waitForSelector(".row.on");
  const outlined = (selector) => t.page.locator(selector).first().evaluate((e) => getComputedStyle(e).outlineStyle);
  assert.equal(await outlined(".row.on"), "solid");
  assert.equal(await outlined(".tools .button[aria-pressed=true]"), "solid");
  const before = await v(t.page, () => volary.camera().distance);
  await v(t.page, () => volary.perform("camera.zoom"));
  assert.ok((await v(t.page, () => volary.camera().distance)) < before / 2);
  await t.close();
});
