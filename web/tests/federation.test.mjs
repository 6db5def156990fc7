// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A real federation of four processes over a lossy network, in the page: its nodes, a command, and what each view shows of the same flight.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { skip } from "../../tests/federation_up_support.mjs";
import { becomes, complaints, look, meet, newFolder, OUT, start, until, v } from "./support.mjs";

const LOSSY = ["--loss", "0.3", "--delay", "0.03", "--jitter", "0.01", "--set", "coupling.horizon=0.1", "--set", "duration=7200"];

test("nodes, a command to the world, and views of one flight", { skip }, async () => {
  const env = { VOLARY_RUNS: newFolder(), VOLARY_DATA: newFolder() };
  const server = await start(["federation", "up", "default", "--nodes", "4", "--watch", ...LOSSY], { env });
  const t = await look(server, { size: { width: 1440, height: 900 }, hash: "#/nodes" });
  await t.page.waitForSelector(".node-table tbody tr");
  await becomes(() => t.page.locator(".node-table tbody tr", { hasText: "running" }).count(), 4);
  await until(t.page, () => document.querySelectorAll(".node-panel .plot canvas").length === 5);
  const view = async (name) => (await server.get("/api/live/nodes")).views.find((x) => x.view === name);
  // what is aligned is of one tick and whole; the newest states of the nodes are of several ticks
  await meet(async () => (await view("newest")).skew > 0, "messages are lost and late");
  const aligned = await view("aligned");
  assert.deepEqual([aligned.skew, aligned.nodes], [0, 4]);
  for (const name of ["Aligned", "Unaligned", "Paper", "Committed"]) {
    await t.page.getByRole("radio", { name, exact: true }).click();
    await t.page.waitForTimeout(700);
    await t.page.screenshot({ path: join(OUT, `federation_${name.toLowerCase()}.png`) });
  }
  // the world that four processes compute obeys the page
  await t.page.getByRole("button", { name: "Back to the view" }).click();
  await until(t.page, () => window.volary?.ready && volary.ids().length === 61);
  await t.page.keyboard.press("Space");
  const { tick } = await meet(async () => { const s = await server.get("/api/live"); return s.state === "paused" && s; }, "it never paused");
  await until(t.page, (x) => volary.clock().tick === x, tick);
  await t.page.keyboard.press(".");
  await meet(async () => (await server.get("/api/live")).tick === tick + 1, "one step is one tick");
  assert.deepEqual(complaints(t.said), []);
  await t.close();
  await server.end();
});
