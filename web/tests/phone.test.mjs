// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The page on a phone: 390 by 844 and a finger.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { becomes, complaints, open, OUT, poorControls, sideways, v } from "./page.mjs";

const PHONE = { size: { width: 390, height: 844 }, touch: true };
const height = (t, is) => becomes(() => t.page.locator(".sheet").evaluate((e) => Math.round(e.getBoundingClientRect().height)), is);
/** A finger that goes straight from one place to another. */
async function swipe(page, x, from, to) {
  const c = await page.context().newCDPSession(page);
  const at = (y) => ({ touchPoints: [{ x, y }] });
  await c.send("Input.dispatchTouchEvent", { type: "touchStart", ...at(from) });
  for (let k = 1; k <= 5; k++) await c.send("Input.dispatchTouchEvent", { type: "touchMove", ...at(from + ((to - from) * k) / 5) });
  await c.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
}
/** Two taps a tenth of a second apart by their own time stamps, however long the page takes for each. */
async function doubleTap(page, x, y) {
  const c = await page.context().newCDPSession(page);
  const now = Date.now() / 1000;
  await Promise.all([0, 0.02, 0.1, 0.12].map((later, k) => c.send("Input.dispatchTouchEvent", { type: k % 2 ? "touchEnd" : "touchStart", touchPoints: k % 2 ? [] : [{ x, y }], timestamp: now + later })));
}
/** Where a vehicle is on the screen. */
async function spot(t, id) {
  const box = await t.page.locator("#scene").boundingBox();
  const [x, y] = await v(t.page, (k) => volary.project(k), id);
  return [box.x + x, box.y + y];
}
/** A vehicle that no other, no button and no panel lies on. */
const clear = (t) => v(t.page, () => volary.ids().find((id) => { const [x, y] = volary.project(id); const b = document.getElementById("scene").getBoundingClientRect(); return volary.ids().every((o) => o === id || Math.hypot(volary.project(o)[0] - x, volary.project(o)[1] - y) > 30) && document.elementFromPoint(b.x + x, b.y + y)?.closest("#scene, button") === document.getElementById("scene"); }));

test("the sheet peeks, opens half and full, by button and by finger", async () => {
  const t = await open(PHONE);
  await height(t, 64);
  await t.page.getByRole("button", { name: "Larger panels" }).tap();
  await height(t, 380);
  await t.page.getByRole("button", { name: "Larger panels" }).tap();
  await height(t, 844 - 48);
  await t.page.getByRole("button", { name: "Close the panels" }).tap();
  await height(t, 64);
  const edge = await t.page.locator(".sheet-head").boundingBox();
  await swipe(t.page, 195, edge.y + 8, edge.y - 120);
  await t.page.waitForFunction(() => document.querySelector(".sheet.half"));
  const half = await t.page.locator(".sheet-head").boundingBox();
  await swipe(t.page, 195, half.y + 8, half.y + 120);
  await t.page.waitForFunction(() => document.querySelector(".sheet.peek"));
  assert.deepEqual(complaints(t.said), []);
  await t.close();
});

test("Fleet, Inspector and Timeline are in the sheet; nothing moves sideways and every control is a finger wide", async () => {
  const t = await open(PHONE);
  const whole = async (name) => {
    await v(t.page, () => volary.settle());
    await becomes(() => sideways(t.page), false, `${name} moves sideways`);
    await becomes(() => poorControls(t.page, 44), [], name);
  };
  await whole("peek");
  await v(t.page, () => volary.set({ seenCard: true }));
  for (const [tab, holds] of [["Fleet", ".list .row"], ["Inspector", ".readouts"], ["Timeline", ".timeline canvas"]]) {
    await t.page.getByRole("tab", { name: tab, exact: true }).tap();
    await t.page.waitForSelector(`.sheet ${holds}`);
    await whole(tab);
  }
  await t.page.getByRole("button", { name: "Layers" }).tap();
  await t.page.getByRole("button", { name: "Regions" }).tap();
  await t.page.waitForFunction(() => document.querySelector("[aria-label=Regions]").getAttribute("aria-pressed") === "false");
  await whole("layers");
  await v(t.page, () => volary.perform("page.palette"));
  await t.page.waitForSelector(".palette-input");
  await whole("palette");
  assert.ok(!(await t.page.locator("body").innerText()).match(/undefined|NaN|null/));
  assert.deepEqual(complaints(t.said), []);
  await t.close();
});

test("a tap selects, two taps follow, a long press opens the menu, a pinch zooms", async () => {
  const t = await open({ ...PHONE, server: { paused: true } });
  await v(t.page, () => { volary.set({ seenCard: true }); return volary.settle(); });
  const id = await clear(t);
  const [x, y] = await spot(t, id);
  await t.page.touchscreen.tap(x, y);
  await becomes(() => v(t.page, () => volary.selection()), [id]);
  const far = await v(t.page, () => volary.camera());
  await doubleTap(t.page, x, y);
  await t.page.waitForFunction(() => volary.camera().mode === "follow");
  await v(t.page, (c) => { volary.setCamera(c); return volary.settle(); }, far);
  const c = await t.page.context().newCDPSession(t.page);
  await c.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x, y }] });
  await t.page.waitForSelector(".menu");
  await c.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await becomes(() => poorControls(t.page, 44), []);
  await t.page.keyboard.press("Escape");
  await t.page.waitForSelector(".menu", { state: "detached" });
  const before = await v(t.page, () => volary.camera().distance);
  const two = (d) => ({ touchPoints: [{ x: 195 - d, y: 420, id: 0 }, { x: 195 + d, y: 420, id: 1 }] });
  await c.send("Input.dispatchTouchEvent", { type: "touchStart", ...two(40) });
  for (const d of [60, 80, 100]) await c.send("Input.dispatchTouchEvent", { type: "touchMove", ...two(d) });
  await c.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await t.page.waitForFunction((d) => volary.camera().distance < d * 0.7, before);
  assert.deepEqual(complaints(t.said), []);
  await t.close();
});

test("from the sheet: the list selects, the inspector shows, the timeline seeks and the world pauses", async () => {
  const t = await open(PHONE);
  await t.page.waitForFunction(() => volary.clock().extent.last - volary.clock().extent.first > 2);
  await t.page.getByRole("tab", { name: "Fleet", exact: true }).tap();
  await t.page.locator(".sheet .row[role=option]").nth(1).tap();
  await becomes(() => v(t.page, () => volary.selection().length), 1);
  await t.page.getByRole("tab", { name: "Inspector", exact: true }).tap();
  await t.page.waitForFunction(() => document.querySelector(".sheet .readouts")?.textContent.includes("Heading"));
  await t.page.getByRole("tab", { name: "Timeline", exact: true }).tap();
  await t.page.locator(".sheet .timeline").tap({ position: { x: 14, y: 60 } });
  await t.page.waitForFunction(() => volary.clock().mode === "paused");
  await t.page.screenshot({ path: join(OUT, "phone-timeline.png") });
  await t.page.locator(".sheet .go-live").tap();
  await t.page.waitForFunction(() => volary.clock().mode === "live");
  await t.page.locator(".sheet .play").tap();
  await t.page.waitForFunction(() => volary.status().state === "paused");
  assert.deepEqual(complaints(t.said), []);
  await t.close();
});

test("at twice the size, half of a desk's window has the phone's page and loses nothing", async () => {
  for (const size of [{ width: 720, height: 450 }, { width: 960, height: 540 }]) {
    const t = await open({ size });
    await becomes(() => t.page.locator(".sheet").count(), size.width <= 720 ? 1 : 0);
    await v(t.page, () => volary.settle());
    await becomes(() => sideways(t.page), false, `${size.width}`);
    await t.page.keyboard.press("Control+k");
    await t.page.waitForSelector(".palette-input:focus");
    await becomes(() => sideways(t.page), false, `palette at ${size.width}`);
    await t.close();
  }
});
