// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What people read on the page can be read: nothing lies on something else, everything can be scrolled to, lines have names, and colours agree.
// In real Chromium against tools/fake_server.mjs.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { becomes, complaints, open, OUT, says, v } from "./page.mjs";

test("in the cockpit no reading lies on a button or on another reading", async () => {
  const t = await open({ server: { paused: true } });
  await v(t.page, () => { volary.select(["3"]); volary.perform("camera.cockpit"); });
  await t.page.waitForSelector(".cockpit .heading");
  const over = await v(t.page, () => {
    const box = (e) => e.getBoundingClientRect();
    const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    const plates = [...document.querySelectorAll(".cockpit .plate")];
    const others = [...document.querySelectorAll(".scene button, .scene .gizmo"), ...plates];
    return plates.flatMap((p) => others.filter((o) => o !== p && meet(box(p), box(o))).map((o) => `${p.textContent} on ${o.getAttribute("aria-label") ?? o.textContent}`));
  });
  assert.deepEqual(over, []);
  assert.deepEqual(complaints(t.said), []);
  await t.close();
});

test("in a low window the keys scroll, by the wheel and by the keyboard, and Close stays in sight", async () => {
  const t = await open({ server: { paused: true }, size: { width: 1000, height: 480 } });
  await t.page.keyboard.press("?");
  await t.page.waitForSelector("dialog .scroll");
  const low = () => v(t.page, () => { const e = document.querySelector("dialog .scroll"); const r = document.querySelector("dialog .primary").getBoundingClientRect(); return { rest: e.scrollHeight - e.clientHeight - e.scrollTop, close: r.bottom <= innerHeight && r.top > 0 }; });
  const before = await low();
  assert.ok(before.rest > 50 && before.close, JSON.stringify(before));
  await t.page.keyboard.press("End");
  await becomes(low, (x) => assert.ok(x.rest < 2 && x.close, JSON.stringify(x)));
  await t.page.keyboard.press("Escape");
  await t.page.waitForSelector("dialog", { state: "detached" });
  await t.close();
});

test("every line of a plot has a stroke of its own, a name and its value; angles name their sign", async () => {
  const t = await open({ server: { paused: true } });
  await t.page.getByRole("tab", { name: "Plots" }).click();
  await says(t.page, ".plot figcaption", /Altitude\s+\[m, U\]/, /lowest\s+\d/, /median\s+\d/, /highest\s+\d/, /Closest two\s+\[m\]/);
  const strokes = await v(t.page, () => [...document.querySelector(".plot").querySelectorAll(".legend line")].map((e) => `${getComputedStyle(e).stroke} ${getComputedStyle(e).strokeDasharray}`));
  assert.equal(new Set(strokes).size, 3, strokes.join("; "));
  await v(t.page, () => volary.select(volary.ids().slice(0, 6)));
  await says(t.page, ".plot figcaption", /Pitch, nose down \+/, /Roll, right side down \+/);
  assert.ok(await v(t.page, () => [...document.querySelectorAll(".plot")].every((e) => e.scrollWidth <= e.clientWidth)), "legends fit");
  await t.page.screenshot({ path: join(OUT, "plots-legends.png") });
  await t.close();
});

test("panels and scene have one palette: dark at night with the theme of the system, and as chosen otherwise", async () => {
  const t = await open({ server: { paused: true } });
  const look = () => v(t.page, () => {
    const probe = document.createElement("i");
    probe.style.color = "var(--flock-0)";
    document.body.append(probe);
    const panel = getComputedStyle(probe).color.match(/\d+/g).map(Number);
    probe.remove();
    return { theme: document.documentElement.dataset.theme, same: panel.join() === volary.palette()[0].join(), ground: volary.ground()[0] };
  });
  await becomes(look, (x) => assert.ok(x.theme === "light" && x.same && x.ground > 180, JSON.stringify(x)));
  await v(t.page, () => volary.set({ hour: 0 }));
  await becomes(look, (x) => assert.ok(x.theme === "dark" && x.same && x.ground < 80, JSON.stringify(x)));
  await v(t.page, () => volary.set({ theme: "light" }));
  await becomes(look, (x) => assert.ok(x.theme === "light" && x.same && x.ground > 180, JSON.stringify(x)));
  await v(t.page, () => volary.set({ theme: "dark", hour: 12 }));
  await becomes(look, (x) => assert.ok(x.theme === "dark" && x.same && x.ground < 80, JSON.stringify(x)));
  await t.close();
});

test("the closest distance is red where two vehicles touch, and is a dash without a unit where there is none", async () => {
  const closest = (page) => page.locator(".readouts > div", { hasText: "Closest" });
  const apart = await open({ server: { paused: true } });
  await becomes(() => closest(apart.page).innerText(), /\d+\.\d\d\s+m apart/);
  assert.equal(await closest(apart.page).locator(".bad").count(), 0);
  await apart.close();
  const near = await open({ server: { paused: true, radius: 50 } });
  await becomes(() => closest(near.page).innerText(), /\d+\.\d\d\s+m: in contact/);
  assert.equal(await closest(near.page).locator("b.bad").count(), 1);
  await near.close();
  const one = await open({ server: { paused: true, vehicles: 1 } });
  await becomes(() => closest(one.page).innerText(), /^Closest\s+\u2014\s*$/);
  await one.close();
});
