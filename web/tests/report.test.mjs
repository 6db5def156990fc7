// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The report of `volary run --report` in a real browser: light, dark, narrow and on paper, without a network. VOLARY_PROGRAM names the binary.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, newPage, OUT } from "./chromium.mjs";

const PROGRAM = process.env["VOLARY_PROGRAM"] ?? "";
const skip = PROGRAM ? false : "VOLARY_PROGRAM is not set: it names the volary binary these tests run against";
let browser, folder;
const at = (name) => join(folder, name);

before(async () => {
  if (skip) return;
  folder = mkdtempSync(join(tmpdir(), "volary-report-"));
  writeFileSync(at("late.yaml"), "name: late <i>\nduration: 5\nradio: {model: disc, range: 30, loss: 0.2}\nflocks:\n  - name: a\n    airframe: crazyflie\n    vehicles: {grid: {count: 6, spacing: 2}}\n    start: take_off\n    mission: {circle: {radius: 3, period: 6, height: 2}}\n    node: {state_rate: 10}\nevents:\n  - {time: 2, what: mission}\ntasks:\n  - {name: wait for ever, time_after: 100}\n  - {name: all live, alive: {flock: a}}\n");
  const ran = spawnSync(PROGRAM, ["run", at("late.yaml"), "--headless", "--quiet", "--no-record", "--report", at("late.html")], { encoding: "utf8" });
  assert.equal(ran.status, 1, "a run whose task is open at the end fails: " + ran.stdout + ran.stderr);
  const swarm = spawnSync(PROGRAM, ["run", "default", "--headless", "--quiet", "--no-record", "--report", at("swarm.html")], { encoding: "utf8" });
  assert.equal(swarm.status, 0, swarm.stderr);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

async function look(name, options) {
  const t = await newPage(browser, options);
  const asked = [];
  t.page.on("request", (r) => asked.push(r.url()));
  await t.page.goto(`file://${at(name)}`);
  return { ...t, asked };
}
/** Lightness of a colour as CSS gives it, 0 to 1. */
const lightness = (colour) => { const [r, g, b] = colour.match(/[\d.]+/g).map(Number); return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255; };

test("a report asks for nothing, says the verdict first and shows six plots", { skip }, async () => {
  const t = await look("late.html");
  assert.deepEqual(t.asked, [`file://${at("late.html")}`]);
  assert.deepEqual(t.said, []);
  const text = await t.page.evaluate(() => document.body.innerText);
  assert.match(text, /^\s*failed: wait for ever is still open/);
  assert.equal(await t.page.locator("h1").innerText(), "late <i>");
  assert.equal(await t.page.locator("figure svg").count(), 6);
  for (const figure of await t.page.locator("figure svg").all()) {
    const box = await figure.boundingBox();
    assert.ok(box.width > 400 && box.height > 100, JSON.stringify(box));
  }
  // nothing is drawn outside its picture
  const outside = await t.page.evaluate(() => [...document.querySelectorAll("figure svg")].flatMap((svg) => {
    const frame = svg.getBoundingClientRect();
    return [...svg.querySelectorAll("path,rect,circle,line,text")].filter((e) => { const b = e.getBoundingClientRect(); return b.left < frame.left - 2 || b.right > frame.right + 2 || b.top < frame.top - 2 || b.bottom > frame.bottom + 2; }).map((e) => e.outerHTML.slice(0, 120));
  }));
  assert.deepEqual(outside, []);
  await t.page.screenshot({ path: join(OUT, "report-light.png"), fullPage: true });
  await t.close();
});

test("text and curves stand out in light and in dark", { skip }, async () => {
  for (const theme of ["light", "dark"]) {
    const t = await look("swarm.html", { theme });
    const colours = await t.page.evaluate(() => {
      const of = (selector, property) => getComputedStyle(document.querySelector(selector))[property];
      return { page: of("body", "backgroundColor"), seen: [of("body", "color"), of("svg text", "fill"), of(".curve", "stroke"), of("figcaption", "color"), of("th", "color")] };
    });
    assert.equal(lightness(colours.page) > 0.5, theme === "light");
    for (const c of colours.seen) assert.ok(Math.abs(lightness(c) - lightness(colours.page)) > 0.3, `${theme}: ${c} on ${colours.page}`);
    assert.ok((await t.page.locator(".band").count()) === 2, "61 vehicles are a band");
    await t.page.screenshot({ path: join(OUT, `report-swarm-${theme}.png`), fullPage: true });
    await t.close();
  }
});

test("a narrow screen scrolls in one direction only, and paper gets pages", { skip }, async () => {
  const t = await look("swarm.html", { size: { width: 390, height: 800 }, theme: "dark" });
  assert.ok(await t.page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth + 1));
  const pdf = await t.page.pdf({ format: "A4", printBackground: true });
  assert.ok(pdf.length > 20_000);
  await t.page.emulateMedia({ media: "print" });
  assert.ok(lightness(await t.page.evaluate(() => getComputedStyle(document.body).backgroundColor)) > 0.9, "paper is white also where the screen is dark");
  await t.close();
});
