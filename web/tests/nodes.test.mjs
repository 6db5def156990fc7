// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The page of the nodes of a federation, in real Chromium: states in words, figures, plots, and what each view shows.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { becomes, complaints, open, OUT, poorControls, says, sideways, until, v } from "./page.mjs";

const NODES = ["0", "1", "2", "3"];
const federated = (more = {}) => open({ ...more, server: { nodes: NODES, ...more.server }, hash: more.hash ?? "#/nodes" });
const shown = async (t) => { await t.page.waitForSelector(".node-table tbody tr"); await until(t.page, () => document.querySelectorAll(".node-panel .plot canvas").length === 5); };

test("every node has its state in words, its figures and a line in every plot", async () => {
  const t = await federated({ server: { states: ["running", "running", "silent", "missing"] } });
  await shown(t);
  await becomes(() => t.page.locator(".node-table tbody tr").count(), 4);
  const row = (k) => t.page.locator(".node-table tbody tr").nth(k).innerText();
  await becomes(() => row(0), /running/);
  await becomes(() => row(1), /process 2 in this place/);
  await becomes(() => row(2), /silent\s+not heard for 1\.4\s?s/);
  await becomes(() => row(3), /missing\s+no process has this place yet/);
  await says(t.page, ".node-head", /federation local \u00b7 4 nodes \u00b7 tick [\d,]+ committed/);
  assert.deepEqual(await t.page.locator(".node-panel .plot figcaption b").allInnerTexts(), ["Rate", "Latency", "Age", "Skew", "Memory"]);
  // the lines are drawn: of every node the pixels of its own colour, in the plot of latencies, which are apart
  const colours = () => v(t.page, () => {
    const canvas = document.querySelectorAll(".node-panel .plot canvas")[1];
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    const wanted = [0, 1, 2, 3].map((k) => getComputedStyle(document.documentElement).getPropertyValue(`--flock-${k}`).trim().match(/\w\w/g).map((h) => parseInt(h, 16)));
    return wanted.map((c) => { let n = 0; for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 200 && c.every((x, j) => Math.abs(x - data[i + j]) < 24)) n++; return n; });
  });
  await becomes(colours, (n) => assert.ok(n.every((x) => x > 20), String(n)));
  await becomes(() => t.page.locator(".pages button", { hasText: "Nodes" }).getAttribute("aria-current"), "page");
  await says(t.page, ".readouts", /not measured/);
  await t.page.screenshot({ path: join(OUT, "nodes_1440.png") });
  assert.deepEqual(complaints(t.said), []);
  await t.close();
});

test("a view is asked of the server, its figures are told, and leaving the page leaves it", async () => {
  const t = await federated();
  await shown(t);
  const asked = () => [...t.server.clients][0]?.view;
  assert.equal(asked(), undefined);
  await t.page.getByRole("radio", { name: "Unaligned" }).click();
  await becomes(asked, "newest");
  await says(t.page, ".readouts", /3 ticks\s+up to 0\.\d\d\s?m apart/);
  await t.page.screenshot({ path: join(OUT, "nodes_unaligned.png") });
  await t.page.keyboard.press("ArrowRight");
  await becomes(asked, "paper");
  await says(t.page, ".readouts", /3 of 4\s+incomplete/);
  const kept = await v(t.page, () => volary.clock().extent.first);
  await t.page.getByRole("radio", { name: "Committed" }).click();
  await becomes(asked, undefined);
  assert.equal(await v(t.page, () => volary.clock().extent.first), kept, "what was seen before is kept");
  await t.page.getByRole("radio", { name: "Aligned", exact: true }).click();
  await becomes(asked, "aligned");
  await t.page.getByRole("button", { name: "Back to the view" }).click();
  await becomes(asked, undefined);
  await becomes(() => v(t.page, () => location.hash), /^#\/live/);
  assert.deepEqual(complaints(t.said), []);
  await t.close();
});

test("states that are not aligned make vehicles jump, and aligned ones do not", async () => {
  const t = await federated();
  await shown(t);
  // by how much the pose of a vehicle of node 1 leaves its own path from one moment to the next, in metres
  const roughness = (view) => v(t.page, async (view) => {
    document.getElementById(`view-${view}`).click();
    await new Promise((done) => setTimeout(done, 600));
    const past = [];
    for (let k = 0; k < 40; k++) { await new Promise((done) => setTimeout(done, 40)); const c = volary.clock(); const p = volary.position("5"); if (!past.length || past.at(-1).t !== c.time) past.push({ t: c.time, p }); }
    let worst = 0;
    for (let k = 2; k < past.length; k++) {
      const [a, b, c] = past.slice(k - 2, k + 1);
      const u = (b.t - a.t) / (c.t - a.t);
      worst = Math.max(worst, Math.hypot(...[0, 1, 2].map((i) => b.p[i] - (a.p[i] + u * (c.p[i] - a.p[i])))));
    }
    return worst;
  }, view);
  const [smooth, rough] = [await roughness("aligned"), await roughness("newest")];
  assert.ok(rough > 3 * smooth, `${rough} m against ${smooth} m`);
  await t.close();
});

test("a page without a federation has no nodes, and says so where the address asks for them", async () => {
  const t = await open({ hash: "#/nodes" });
  await says(t.page, ".node-wrong", /no \/api\/live\/nodes/);
  await becomes(() => t.page.locator(".pages button", { hasText: "Nodes" }).count(), 0);
  await t.close();
});

test("nothing moves sideways, everything has a name and a size, in both themes and on a phone", async () => {
  for (const [width, height, theme, touch] of [[1440, 900, "dark", false], [1920, 1080, "light", false], [390, 844, "light", true]]) {
    const t = await federated({ size: { width, height }, theme, touch });
    await shown(t);
    await becomes(() => sideways(t.page), false, `${width}`);
    // every figure of the table and every word of the switch is seen whole; a phone scrolls the table
    const cut = () => v(t.page, (selector) => [...document.querySelectorAll(selector)].filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.className || e.textContent), `.segments button, .node-panel .readouts div${touch ? "" : ", .node-scroll"}`);
    await becomes(cut, []);
    await becomes(() => poorControls(t.page, touch ? 44 : 24), []);
    await t.page.screenshot({ path: join(OUT, `nodes_${width}_${theme}.png`) });
    await t.close();
  }
});

test("nine nodes are drawn as the lowest, the median and the highest", async () => {
  const t = await open({ server: { nodes: Array.from({ length: 9 }, (_, k) => `host${k}`) }, hash: "#/nodes" });
  await shown(t);
  assert.deepEqual(await t.page.locator(".node-panel .plot").first().locator(".legend .name").allInnerTexts(), ["lowest", "median", "highest"]);
  await becomes(() => t.page.locator(".node-table tbody tr").count(), 9);
  await t.page.screenshot({ path: join(OUT, "nodes_nine.png") });
  await t.close();
});
