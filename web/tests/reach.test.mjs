// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Everything is within reach: by the palette, by keys alone, by an address, in other colours and in longer words; layers and the world's
// own figures; and nothing grows while frames go by.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { becomes, complaints, meet, open, OUT, pass, poorControls, says, sideways, v } from "./page.mjs";

const focused = (page) => v(page, () => { const e = document.activeElement; return e?.id || e?.getAttribute("role") || e?.className || e?.tagName; });
/** Pixels that differ between two states of the layers. */
const differing = (page, a, b) => v(page, ([a, b]) => { const take = (l) => { volary.set({ layers: l }); return volary.pixels().data; }; const [x, y] = [take(a), take(b)]; let n = 0; for (let i = 0; i < x.length; i += 4) if (x[i] !== y[i] || x[i + 1] !== y[i + 1] || x[i + 2] !== y[i + 2]) n++; return n; }, [a, b]);

test("every command runs from the palette", async () => {
  const t = await open();
  await v(t.page, () => { window.showSaveFilePicker = undefined; HTMLInputElement.prototype.click = () => {}; HTMLAnchorElement.prototype.click = () => {}; });
  const all = (await v(t.page, () => volary.actions())).filter((a) => a.id !== "page.palette" && !a.id.startsWith("edit."));
  for (const a of all) {
    await v(t.page, () => { volary.perform("page.view"); volary.select(["3"]); volary.perform("page.palette"); });
    await t.page.waitForSelector(".palette-input");
    await t.page.fill(".palette-input", a.title);
    await meet(() => v(t.page, (title) => { const o = [...document.querySelectorAll(".option")].find((e) => e.firstElementChild.textContent === title); o?.click(); return Boolean(o); }, a.title), `the palette does not find ${a.title}`);
    await t.page.waitForFunction(() => !document.querySelector(".palette-input"));
    await pass(t.page, 20);
    for (let k = 0; k < 3 && (await t.page.locator("dialog").count()); k++) await t.page.keyboard.press("Escape");
  }
  assert.deepEqual(complaints(t.said), []);
  await t.close();
});

test("F6 walks fleet, scene, inspector and timeline and back; the skip link leads to the scene; Tab leaves it", async () => {
  const t = await open();
  await t.page.keyboard.press("Tab");
  await becomes(() => v(t.page, () => document.activeElement.className), "skip");
  await t.page.keyboard.press("Enter");
  await becomes(() => focused(t.page), "scene");
  await t.page.keyboard.press("Tab");
  await becomes(() => focused(t.page), (x) => assert.notEqual(x, "scene", "the scene is no trap"));
  await v(t.page, () => document.querySelector(".list").focus());
  for (const next of ["scene", "tabpanel", "slider", "listbox"]) {
    await t.page.keyboard.press("F6");
    await becomes(() => focused(t.page), next);
  }
  await t.page.keyboard.press("Shift+F6");
  await becomes(() => focused(t.page), "slider");
  await becomes(() => t.page.locator(".timeline").getAttribute("aria-valuetext"), (x) => assert.match(x, /^\d+:\d\d\.\d\d of \d+:\d\d/));
  // A ring is to be seen where the keyboard is.
  await becomes(() => v(t.page, () => getComputedStyle(document.activeElement).outlineStyle), (x) => assert.notEqual(x, "none"));
  await t.close();
});

test("by keys alone: choose in the list, follow, widen a panel, and dialogs give the focus back", async () => {
  const t = await open();
  await v(t.page, () => document.querySelector(".list").focus());
  await t.page.keyboard.press("ArrowDown");
  await t.page.keyboard.press("ArrowDown");
  await becomes(() => v(t.page, () => volary.selection()), ["1"]);
  await t.page.keyboard.press("f");
  await becomes(() => v(t.page, () => volary.camera().mode), "follow");
  for (const [key, what] of [["?", "dialog"], ["Control+k", "dialog"]]) {
    await t.page.keyboard.press(key);
    await t.page.waitForSelector(what);
    await t.page.keyboard.press("Escape");
    await t.page.waitForSelector(what, { state: "detached" });
    await becomes(() => focused(t.page), "listbox", `the focus comes back after ${key}`);
  }
  await t.page.locator("#scene").focus();
  await t.page.keyboard.press("ContextMenu");
  await t.page.waitForSelector(".menu button:focus");
  await t.page.keyboard.press("Escape");
  await t.page.waitForSelector(".menu", { state: "detached" });
  await becomes(() => focused(t.page), "scene", "the focus comes back after the menu");
  const width = () => t.page.locator(".fleet-side").evaluate((e) => e.getBoundingClientRect().width);
  const before = await width();
  await t.page.locator(".border.fleet").focus();
  await t.page.keyboard.press("ArrowRight");
  await becomes(width, before + 16);
  await t.page.keyboard.press("Enter");
  await becomes(width, before);
  assert.deepEqual(complaints(t.said), []);
  await t.close();
});

test("the live region says one sentence in two seconds, the last one", async () => {
  const t = await open();
  // Four wishes at a time, and the next four as soon as the last of them was heard.
  await v(t.page, () => {
    const place = document.querySelector(".sr[aria-live]");
    const four = [["1", "2", "3", "4"], ["5", "6", "7", "8"], ["9", "10", "11", "12"]];
    const ask = () => four.shift()?.forEach((id) => volary.select([id]));
    window.heard = [];
    new MutationObserver(() => { heard.push([performance.now() - asked, place.textContent]); if (place.textContent.includes("selected")) ask(); }).observe(place, { childList: true, characterData: true, subtree: true });
    window.asked = performance.now();
    ask();
  });
  await t.page.waitForFunction(() => heard.some((h) => h[1].startsWith("uav-12 selected, altitude")));
  const heard = await v(t.page, () => heard);
  assert.deepEqual(heard.map((h) => h[1].split(" ")[0]), ["uav-4", "uav-8", "uav-12"], JSON.stringify(heard));
  // From the first wish on: the first sentence came later than that, and each of the others two seconds after the one before, also on a slow page.
  heard.forEach((h, k) => assert.ok(h[0] > 1900 * k, `sentence ${k} after ${h[0]} ms`));
  await t.close();
});

test("regions, wind and formations are drawn, switched by key, and kept in the address", async () => {
  const t = await open({ server: { paused: true, at: 12 } });
  await v(t.page, () => { volary.pin(1); return volary.settle(); });
  await becomes(() => differing(t.page, { regions: false }, { regions: true }), (n) => assert.ok(n > 3000, `${n} pixels of regions`));
  await becomes(() => differing(t.page, { wind: false }, { wind: true }), (n) => assert.ok(n > 300, `${n} pixels of wind`));
  await v(t.page, () => volary.set({ layers: {} }));
  for (const [key, name, on] of [["Shift+A", "Regions", true], ["Shift+W", "Wind", false], ["Shift+F", "Formations", false]]) {
    const pressed = () => t.page.getByRole("button", { name, exact: true }).getAttribute("aria-pressed");
    await becomes(pressed, String(on), name);
    await t.page.keyboard.press(key);
    await becomes(pressed, String(!on), key);
  }
  await t.page.waitForFunction(() => /layers=[^&]*wind[^&]*formations/.test(location.hash) && !/layers=[^&]*regions/.test(location.hash));
  const texts = () => v(t.page, () => volary.labels().map((b) => b.text));
  await t.page.keyboard.press("Shift+A");
  await becomes(texts, (said) => assert.ok(said.some((x) => /^Wind \d\.\d.m\/s from 24\d.*above ground/.test(x)) && said.some((x) => /^(inner|outer|crown) \u00b7 8$/.test(x)) && said.includes("field \u00b7 keep in"), said.join("; ")));
  assert.deepEqual(complaints(t.said), []);
  await t.close();
});

test("calm air says so, and a world without regions too", async () => {
  const t = await open({ server: { paused: true, wind: [0, 0, 0], gusts: 0, regions: [] }, hash: "#/live?layers=vehicles,wind,regions" });
  await becomes(() => v(t.page, () => volary.labels().map((b) => b.text)), (said) => assert.ok(said.some((x) => x.startsWith("Calm")), said.join("; ")));
  await says(t.page, ".tab-body", /Wind\s+calm/, /no regions/);
  await t.close();
});

test("the world's figures: wind, who is inside which region, and the hour of the sun", async () => {
  const t = await open({ server: { paused: true, at: 8 } });
  await says(t.page, ".tab-body", /Wind\s+3\.7\s*m\/s/, /Wind from\s+241/, /Gusts\s+0\.8/, /Ground\s+0\.0/, /field\s+keep in\s+24 inside/, /tower\s+keep out/, /Seed\s+1/, /Tick\s+10/);
  await t.page.locator(".region", { hasText: "field" }).click();
  await becomes(() => v(t.page, () => volary.selection().length), 24);
  await v(t.page, () => volary.select([]));
  const noon = await v(t.page, () => volary.ground());
  await t.page.locator("#hour").focus();
  await t.page.keyboard.press("Home");
  await becomes(() => v(t.page, () => volary.ground()), (x) => assert.notDeepEqual(x, noon, "midnight is darker"));
  await becomes(() => t.page.locator("#hour").getAttribute("aria-valuetext"), "00:00");
  await t.page.locator(".hour .link").click();
  await becomes(() => v(t.page, () => volary.ground()), noon);
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
    const holds = (now) => { for (const x of parts) assert.ok(now.split(/[?&]/).includes(x), `${x} of ${hash} in ${now}`); };
    await becomes(() => v(t.page, () => location.hash), holds);
    await pass(t.page, 1100); // the page writes its address twice a second
    holds(await v(t.page, () => location.hash));
    await v(t.page, () => localStorage.clear());
  }
  assert.deepEqual(complaints(t.said), []);
  await t.close();
});

test("300 frames leave the heap and the graphics' buffers as they were", async () => {
  const t = await open({ size: { width: 480, height: 400 }, server: { paused: true, vehicles: 60 }, hash: "#/live?layers=grid,regions,shadows,wind,trails,vehicles,goals,formations,labels" });
  const c = await t.page.context().newCDPSession(t.page);
  const used = async () => { await c.send("HeapProfiler.collectGarbage"); return (await c.send("Runtime.getHeapUsage")).usedSize; };
  await v(t.page, () => { volary.pin(1); volary.select(["3"]); });
  await v(t.page, async () => { await volary.settle(); volary.bench(60); });
  const [heap, was] = [await used(), await v(t.page, () => volary.stats())];
  await v(t.page, () => volary.bench(300));
  const is = await v(t.page, () => volary.stats());
  await becomes(used, (now) => assert.ok(now - heap < 1e6, `${now - heap} bytes more`));
  for (const x of ["geometries", "textures", "calls"]) assert.equal(is[x], was[x], x);
  assert.ok(Math.abs(is.nodes - was.nodes) < 40, `${is.nodes - was.nodes} elements more`);
  await t.close();
});

test("nothing moves sideways at 1440 and 1920, nor with words two fifths longer", async () => {
  for (const [width, height, query] of [[1440, 900, ""], [1920, 1080, ""], [1440, 900, "&lang=pseudo"]]) {
    const t = await open({ size: { width, height }, query });
    await t.page.waitForSelector(".list .row");
    if (query) await says(t.page, ".fleet h2", /^Fl\u00eb\u00ebt/);
    await v(t.page, () => volary.settle());
    await becomes(() => sideways(t.page), false, `${width}${query}`);
    await becomes(() => poorControls(t.page, 24), []);
    await v(t.page, () => volary.perform("page.help"));
    await t.page.waitForSelector("dialog");
    await becomes(() => sideways(t.page), false, `help at ${width}${query}`);
    await t.close();
  }
});

test("however many layers there are, their buttons lie inside the picture and on no other button", async () => {
  for (const size of [{ width: 1290, height: 640 }, { width: 390, height: 844 }]) {
    const t = await open({ size, touch: size.width < 500 });
    if (size.width < 500) await t.page.getByRole("button", { name: "Layers" }).tap();
    const covered = () => v(t.page, () => {
      const scene = document.getElementById("scene").getBoundingClientRect();
      const top = (e) => { const r = e.getBoundingClientRect(); return r.right <= scene.right && r.bottom <= scene.bottom && e.contains(document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2)); };
      return [...document.querySelectorAll(".tools button")].filter((e) => !top(e)).map((e) => e.getAttribute("aria-label"));
    });
    await becomes(() => t.page.locator(".tools.left button").count(), (n) => n >= 14);
    await becomes(covered, []);
    await t.page.screenshot({ path: join(OUT, `layers_${size.width}.png`) });
    await t.close();
  }
});

test("in forced colours the chosen row and the pressed switches are outlined; without motion the camera is there at once", async () => {
  const t = await open({ context: { forcedColors: "active" } });
  await v(t.page, () => volary.select(["2"]));
  await t.page.waitForSelector(".row.on");
  const outlined = (selector) => t.page.locator(selector).first().evaluate((e) => getComputedStyle(e).outlineStyle);
  await becomes(() => outlined(".row.on"), "solid");
  await becomes(() => outlined(".tools .button[aria-pressed=true]"), "solid");
  const before = await v(t.page, () => volary.camera().distance);
  await v(t.page, () => volary.perform("camera.zoom"));
  assert.ok((await v(t.page, () => volary.camera().distance)) < before / 2);
  await t.close();
});
