// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Platforms in real Chromium against tools/fake_server.mjs: their bodies, the tilt of their aircraft, contacts, pushes, latches, and the structures that they touch.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { becomes, complaints, open, OUT, poorControls, says, sideways, v } from "./page.mjs";

const TILT = 0.4; // rad, of every aircraft about x
const CALM = [1, 0, 0, 0];
const LEANT = [Math.cos(TILT / 2), Math.sin(TILT / 2), 0, 0];
/** Platforms lean all their aircraft and press with their pole. */
const bodies = (lean = LEANT) => (id, [e, n, u], world) => {
  if (Number(id) >= 2) return [{ id, wrench: [0, 0, 0, 0, 0, 0] }];
  const push = [-4.2, 0, 0, 0, 0.3, 0];
  return [{ id, parts: [...lean, ...lean, ...lean], wrench: push, felt: push.map((x) => 0.9 * x), estimated: push.map((x) => 1.1 * x), commanded: [-4, 0, 0, 0, 0, 0], contacts: [e + 1.15, n, u, -4.2, 0, 0.5], ...(world.held ? { held_by: "1" } : {}) }];
};
const WALL = { name: "wall", kind: "mesh", centre: [0, 0, 0], size: [], yaw: 0, vertices: [30, -3, 0, 30, 3, 0, 30, 3, 6, 30, -3, 6], triangles: [0, 1, 2, 0, 2, 3] };
const platforms = (server = {}, options = {}) => open({ ...options, server: { vehicles: 6, fleet: "platforms", regions: [], bodies: bodies(), ...server } });
const shot = (page, name) => page.screenshot({ path: join(OUT, `platforms_${name}.png`) });
const plates = (page) => v(page, () => volary.labels().map((b) => b.text).join("\n"));
const close = (page, id, distance = 4) =>
  v(page, ([id, distance]) => { volary.setCamera({ mode: "orbit", target: volary.position(id), azimuth: 0.9, elevation: 0.4, distance }); return volary.settle(); }, [id, distance]);
const triangles = (page) => v(page, () => { volary.bench(1); return volary.stats().triangles; });

test("a platform is a central body with each aircraft by itself, and the server is asked about those that are near", async () => {
  const t = await platforms({ paused: true, at: 8, hello: { structures: [WALL] } });
  await v(t.page, () => { volary.pin(1); volary.set({ seenCard: true, layers: { trails: false, labels: false } }); });
  assert.deepEqual(await v(t.page, () => volary.world().obstacles.map((o) => o.name)), ["wall"]);
  await close(t.page, "0");
  await becomes(() => t.server.wants.at(-1).bodies ?? [], (x) => x.includes("0"));
  await becomes(() => triangles(t.page), (n) => assert.ok(n > 2000, `${n} triangles: the centre and three aircraft`));
  await shot(t.page, "leant");
  await close(t.page, "4", 2);
  await becomes(() => t.server.wants.at(-1).bodies ?? [], (x) => !x.includes("4"));
  assert.deepEqual(complaints(t.said), []);
  await t.close();
});

test("aircraft are drawn at the attitudes that the server told, and upright where it tells none", async () => {
  const drawn = async (server) => {
    const t = await platforms({ paused: true, ...server });
    await v(t.page, () => volary.set({ seenCard: true }));
    await close(t.page, "0");
    await becomes(() => t.server.wants.at(-1).bodies ?? [], (x) => x.includes("0"));
    const found = await becomes(() => v(t.page, () => volary.aircraft("0")), (x) => assert.equal(x.length, 3));
    return { t, found };
  };
  const told = await drawn();
  await becomes(() => v(told.t.page, () => volary.aircraft("0")), (all) => all.forEach((q) => q.forEach((x, i) => assert.ok(Math.abs(x - LEANT[i]) < 0.01, `${q}`))));
  const untold = await drawn({ bodies: () => [] });
  for (const q of untold.found) assert.ok(Math.hypot(q[1], q[2]) < 0.01, `${q}`);
  for (const { t } of [told, untold]) {
    assert.deepEqual(complaints(t.said), []);
    await t.close();
  }
});

test("a selected platform shows its contacts, their forces, its aircraft, and the pushes on it", async () => {
  const t = await platforms();
  await v(t.page, () => volary.set({ seenCard: true }));
  await v(t.page, () => volary.select(["0"]));
  await close(t.page, "0");
  await becomes(() => plates(t.page), /4\.2\u2009N/);
  await says(t.page, ".joined", /Tilt of aircraft 1\s+22\.9/, /Tilt of aircraft 3\s+22\.9/, /Contact points\s+1/, /Contact force\s+4\.23/, /Joined by a latch with\s+none/);
  await shot(t.page, "contact");
  await t.page.getByRole("tab", { name: "Plots" }).click();
  await says(t.page, ".plots", /Pushes on uav-0/, /Force x/, /Torque z/, /measured/, /felt/, /estimated/, /commanded/);
  await becomes(() => t.page.locator(".plots figure", { hasText: "Force x" }).locator(".legend .num").allInnerTexts(), (x) => assert.deepEqual(x.map((n) => Number(n.replace("\u2212", "-"))), [-4.2, -3.78, -4.62, -4]));
  await shot(t.page, "pushes");
  // another kind of vehicle has fewer lines
  await v(t.page, () => volary.select(["2"]));
  await says(t.page, ".plots", /Pushes on uav-2/);
  await becomes(() => t.page.locator(".plots figure", { hasText: "Force x" }).locator(".legend").count(), 1);
  await v(t.page, () => volary.select(["4"]));
  await t.page.waitForFunction(() => !/Pushes/.test(document.querySelector(".plots").textContent));
  assert.equal(await sideways(t.page), false);
  assert.deepEqual(await poorControls(t.page, 24), []);
  assert.deepEqual(complaints(t.said), []);
  await t.close();
});

test("looking back, aircraft are as they were then", async () => {
  let lean = CALM;
  const t = await platforms({ bodies: (...a) => bodies(lean)(...a) });
  await v(t.page, () => volary.set({ seenCard: true }));
  await v(t.page, () => volary.select(["0"]));
  await says(t.page, ".joined", /Tilt of aircraft 1\s+0\.0/);
  const then = (await v(t.page, () => volary.clock())).time;
  await t.page.waitForTimeout(1000);
  lean = LEANT;
  await says(t.page, ".joined", /Tilt of aircraft 1\s+22\.9/);
  await v(t.page, (time) => volary.seek(time), then + 0.3);
  await says(t.page, ".joined", /Tilt of aircraft 1\s+0\.0/);
  await t.close();
});

test("a latch is a mark on both vehicles, a bar on the timeline, and a name in the inspector", async () => {
  const t = await platforms();
  await v(t.page, () => volary.set({ seenCard: true }));
  await v(t.page, () => volary.select(["0"]));
  for (const id of ["0", "1"]) t.server.vehicle(id).flags = 4096;
  t.server.world.held = true;
  const { tick, t: time } = t.server.world;
  t.server.tell({ type: "event", tick, time, vehicle: "0", name: "uav-0", what: "latched: held by uav-1" });
  await becomes(() => plates(t.page), (x) => assert.equal(x.split("\n").filter((l) => l === "held").length, 2));
  await says(t.page, ".joined", /Joined by a latch with\s+uav-1/);
  await t.page.waitForTimeout(1000);
  await shot(t.page, "held");
  const colour = await v(t.page, () => getComputedStyle(document.documentElement).getPropertyValue("--accent").trim());
  const bar = () => v(t.page, (colour) => {
    const canvas = document.querySelector(".timeline canvas");
    const ratio = canvas.width / canvas.clientWidth;
    const row = canvas.getContext("2d").getImageData(0, Math.round((canvas.clientHeight - 20) * ratio), canvas.width, 1).data;
    const wanted = [1, 3, 5].map((k) => parseInt(colour.slice(k, k + 2), 16));
    let n = 0;
    for (let k = 0; k < row.length; k += 4) if (wanted.every((x, i) => Math.abs(x - row[k + i]) < 40) && row[k + 3] > 60) n++;
    return n;
  }, colour);
  await becomes(bar, (n) => assert.ok(n > 3, `${n} pixels`));
  await v(t.page, () => volary.select(["2"]));
  await becomes(bar, 0);
  for (const id of ["0", "1"]) t.server.vehicle(id).flags = 0;
  t.server.world.held = false;
  t.server.tell({ type: "event", tick: t.server.world.tick, time: t.server.world.t, vehicle: "0", name: "uav-0", what: "released: from uav-1" });
  await becomes(() => plates(t.page), (x) => assert.doesNotMatch(x, /held/));
  await v(t.page, () => volary.select(["0"]));
  await says(t.page, ".joined", /Joined by a latch with\s+none/);
  assert.deepEqual(complaints(t.said), []);
  await t.close();
});

test("nothing is asked or loaded where no vehicle has more than one body, and a recording does not make anything up", async () => {
  const asked = [];
  const t = await open({ server: { paused: true } });
  t.page.on("request", (r) => asked.push(r.url()));
  await v(t.page, () => { volary.set({ seenCard: true }); volary.select(["3"]); return volary.settle(); });
  const bytes = readFileSync(join(import.meta.dirname, "..", "fixtures", "crowd.vrec")).toString("base64");
  const data = await t.page.evaluateHandle((b64) => { const d = new DataTransfer(); d.items.add(new File([Uint8Array.from(atob(b64), (c) => c.charCodeAt(0))], "crowd.vrec")); return d; }, bytes);
  await t.page.dispatchEvent("body", "drop", { dataTransfer: data });
  await t.page.waitForFunction(() => volary.shown().kind === "file" && volary.ready);
  assert.deepEqual(asked.filter((u) => /joined-|section-/.test(u)), []);
  assert.ok(t.server.wants.every((m) => !m.bodies?.length));
  assert.deepEqual(complaints(t.said), []);
  await t.close();
});
