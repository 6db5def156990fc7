// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Platforms in real Chromium: their bodies, the tilt of their aircraft, contacts, pushes, latches and the structures that they touch against tools/fake_server.mjs; poses,
// pressing and the release of a latch against the real program too.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { INPUTS } from "../src/joined/testing.ts";
import { becomes, complaints, open, OUT, poorControls, says, sideways, until, v } from "./page.mjs";
import { complaints as realComplaints, look, PROGRAM, serve, skip } from "./support.mjs";

const TILT = 0.4; // rad, of every aircraft about x
const CALM = [1, 0, 0, 0];
const LEANT = [Math.cos(TILT / 2), Math.sin(TILT / 2), 0, 0];
/** Platforms lean all their aircraft and press with their pole. */
const bodies = (lean = LEANT) => (id, [e, n, u], world, vehicle) => {
  if (Number(id) >= 2) return [{ id, wrench: [0, 0, 0, 0, 0, 0] }];
  const push = [-4.2, 0, 0, 0, 0.3, 0];
  return [{ id, parts: [...lean, ...lean, ...lean], wrench: push, felt: push.map((x) => 0.9 * x), estimated: push.map((x) => 1.1 * x), commanded: [...(vehicle.reaction?.force ?? [-4, 0, 0]), ...(vehicle.reaction?.torque ?? [0, 0, 0])], reaction: vehicle.reaction?.kind ?? "stiff", contacts: [e + 1.15, n, u, -4.2, 0, 0.5], ...(world.held ? { held_by: "1" } : {}) }];
};
const WALL = { name: "wall", kind: "mesh", centre: [0, 0, 0], size: [], yaw: 0, vertices: [30, -3, 0, 30, 3, 0, 30, 3, 6, 30, -3, 6], triangles: [0, 1, 2, 0, 2, 3] };
const platforms = (server = {}, options = {}) => open({ ...options, server: { vehicles: 6, fleet: "platforms", regions: [], bodies: bodies(), ...server } });
/** Why a command cannot be given now; true: it can. */
const may = (page, id) => v(page, (x) => volary.actions().find((a) => a.id === x).may, id);
const asked = (dialog, label) => dialog.getByRole("spinbutton", { name: new RegExp(`^${label} `) });
const fill = async (dialog, values) => { for (const [label, x] of Object.entries(values)) await asked(dialog, label).fill(String(x)); };
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
  await v(t.page, () => volary.perform("camera.follow")); // it flies on
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

test("a platform is given a pose in degrees and a reaction with units; other vehicles, several ones and recordings have a reason why not", async () => {
  const t = await platforms({ schema: { inputs: INPUTS }, paused: true });
  await v(t.page, () => { volary.set({ seenCard: true }); volary.select(["0"]); });
  await says(t.page, ".joined", /The platform\s+keeps its pose/);
  await t.page.getByRole("button", { name: "Pose of a platform\u2026" }).click();
  const pose = t.page.getByRole("dialog", { name: "Pose" });
  const place = await v(t.page, () => volary.position("0"));
  await becomes(() => asked(pose, "East").inputValue(), (x) => assert.ok(Math.abs(Number(x) - place[0]) < 0.006, x));
  await becomes(() => v(t.page, () => document.activeElement.closest("label")?.textContent), /East/, "the focus is in the dialog");
  await fill(pose, { East: 1.5, North: -2, Up: 4, Roll: 0, Pitch: 18, Yaw: 90 });
  await shot(t.page, "pose");
  await fill(pose, { Pitch: 120 });
  await pose.getByRole("button", { name: "Fly there" }).click();
  assert.equal(await pose.count(), 1, "beyond the bound of the server");
  await fill(pose, { Pitch: 18 });
  await pose.getByRole("button", { name: "Fly there" }).click();
  await becomes(() => t.server.log.at(-1)?.args, { kind: "pose", ids: ["0"], fields: { position: [1.5, -2, 4], roll: 0, pitch: Math.PI / 10, yaw: Math.PI / 2 } });
  await t.page.locator(".notice", { hasText: "uav-0 flies to its pose." }).waitFor();

  await t.page.keyboard.press("i");
  const reaction = t.page.getByRole("dialog", { name: "Reaction" });
  await reaction.getByRole("combobox").selectOption("press");
  await fill(reaction, { "Force x": -3, "Torque z": 0.5 });
  assert.match(await reaction.innerText(), /x forward, y left, z up/);
  await shot(t.page, "reaction");
  await reaction.getByRole("button", { name: "Set" }).click();
  await becomes(() => t.server.log.at(-1)?.args, { kind: "reaction", ids: ["0"], fields: { kind: "press", force: [-3, 0, 0], torque: [0, 0, 0.5] } });
  await t.server.command("step", { ticks: 1 });
  await says(t.page, ".joined", /The platform\s+presses/, /Wanted force\s+\u22123\.0\s+0\.0\s+0\.0/, /Wanted torque\s+0\.0\s+0\.0\s+0\.5/);
  await shot(t.page, "presses");

  assert.equal(await may(t.page, "vehicle.pose"), true);
  assert.equal(await may(t.page, "vehicle.unlatch"), "no latch holds it");
  await v(t.page, () => volary.select(["0", "1"]));
  assert.deepEqual([await may(t.page, "vehicle.pose"), await may(t.page, "vehicle.reaction")], ["select one platform only", true]);
  await v(t.page, () => volary.select(["0", "4"]));
  assert.deepEqual([await may(t.page, "vehicle.pose"), await may(t.page, "vehicle.reaction")], ["only for platforms", "only for platforms"]);
  t.server.vehicle("2").flags = t.server.vehicle("3").flags = 4096;
  await v(t.page, () => volary.select(["2"]));
  await t.server.command("step", { ticks: 1 });
  await becomes(() => may(t.page, "vehicle.unlatch"), true);
  await t.page.getByRole("button", { name: "Release the latch" }).click();
  await becomes(() => t.server.log.at(-1)?.args, { kind: "release", ids: ["2"] });
  assert.equal(await sideways(t.page), false);
  assert.deepEqual(await poorControls(t.page, 24), []);
  assert.deepEqual(complaints(t.said), []);
  await t.close();
});

test("a refusal is told in words, and the dialogs fit a phone in both themes", async () => {
  const t = await platforms({ schema: { inputs: INPUTS }, paused: true, refuses: "uav-0 is flown by hand by another client" }, { size: { width: 390, height: 844 }, touch: true });
  await v(t.page, () => { volary.set({ seenCard: true }); volary.select(["0"]); volary.perform("select.inspect"); });
  for (const theme of ["light", "dark"]) {
    await v(t.page, (theme) => volary.set({ theme }), theme);
    for (const name of ["pose", "reaction"]) {
      await v(t.page, (name) => volary.perform(`vehicle.${name}`), name);
      await t.page.locator("dialog .buttons .primary").waitFor();
      if (name === "reaction") await t.page.locator("dialog").getByRole("combobox").selectOption("press");
      await v(t.page, () => volary.settle());
      await shot(t.page, `phone_${name}_${theme}`);
      assert.equal(await sideways(t.page), false);
      assert.deepEqual(await poorControls(t.page, 44), []);
      await t.page.keyboard.press("Escape");
      await t.page.locator("dialog").waitFor({ state: "detached" });
    }
  }
  await v(t.page, () => volary.perform("vehicle.pose"));
  await t.page.getByRole("button", { name: "Fly there" }).click();
  await t.page.locator(".notice.bad", { hasText: "pose was refused: uav-0 is flown by hand by another client" }).waitFor();
  assert.deepEqual(complaints(t.said), []);
  await t.close();
});

test("a server that does not describe the inputs is told of, and nothing can be sent", async () => {
  const t = await platforms({ paused: true });
  await v(t.page, () => { volary.set({ seenCard: true }); volary.select(["0"]); volary.perform("vehicle.pose"); });
  await t.page.getByText("The server does not tell the fields of this input.").waitFor();
  await t.page.getByRole("button", { name: "Close" }).click();
  await t.page.locator("dialog").waitFor({ state: "detached" });
  await t.close();
});

/** The figures of a line of the inspector. */
const line = (page, name) => v(page, (name) => [...document.querySelectorAll(".joined .line")].find((l) => l.firstChild.textContent === name)?.querySelector("dd").textContent ?? "", name);
test("a platform of the real program flies to its pose, presses against a wall as hard as it was told, and the run replays", { skip }, async () => {
  const server = await serve({ scenario: "wall_press", args: ["--set", "duration=7200", "--set", "events=[]", "--set", "tasks=[]"] });
  const t = await look(server);
  await until(t.page, () => window.volary?.ready);
  const [id] = await v(t.page, () => volary.ids());
  await v(t.page, (id) => { volary.set({ seenCard: true }); volary.select([id]); }, id);
  await says(t.page, ".joined", /The platform\s+keeps its pose/);
  const fly = async (values) => {
    await t.page.getByRole("button", { name: "Pose of a platform\u2026" }).click();
    const dialog = t.page.getByRole("dialog", { name: "Pose" });
    await fill(dialog, values);
    await dialog.getByRole("button", { name: "Fly there" }).click();
    await dialog.waitFor({ state: "detached" });
  };
  const arrives = (place, tilt) => becomes(async () => [...(await v(t.page, (id) => volary.position(id), id)), (await v(t.page, () => [...document.querySelectorAll(".line")].find((l) => l.firstChild.textContent.startsWith("Pitch")).querySelector("dd").textContent))], (x) => {
    place.forEach((p, i) => assert.ok(Math.abs(x[i] - p) < 0.05, `${x}`));
    assert.ok(Math.abs(Number.parseFloat(x[3].replace("\u2212", "-")) - tilt) < 1.5, `${x}`);
  });
  await fly({ East: 0.4, North: 0.3, Up: 2.3, Pitch: 10 });
  await arrives([0.4, 0.3, 2.3], 10);
  await close(t.page, id, 5);
  await shot(t.page, "real_pose");
  await fly({ East: -0.26, North: 0, Up: 2, Roll: 0, Pitch: 0, Yaw: 0 });
  await becomes(() => line(t.page, "Contact points"), /^[1-9]/);
  await t.page.getByRole("button", { name: "Reaction to pushes\u2026" }).click();
  const dialog = t.page.getByRole("dialog", { name: "Reaction" });
  await dialog.getByRole("combobox").selectOption("press");
  await fill(dialog, { "Force x": 5 });
  await dialog.getByRole("button", { name: "Set" }).click();
  await says(t.page, ".joined", /The platform\s+presses/, /Wanted force\s+5\.0/);
  await becomes(() => line(t.page, "Contact force"), (x) => assert.ok(Math.abs(Number.parseFloat(x) - 5) < 0.5, x), "the wall pushes back with 5 N");
  await shot(t.page, "real_press");
  await t.page.keyboard.press("i");
  await dialog.getByRole("combobox").selectOption("stiff");
  await dialog.getByRole("button", { name: "Set" }).click();
  await says(t.page, ".joined", /The platform\s+keeps its pose/);
  assert.deepEqual(realComplaints(t.said), []);
  await t.close();
  await server.end();
  const file = join(server.runs, readdirSync(server.runs).find((f) => f.endsWith(".vrec")));
  const again = spawnSync(PROGRAM, ["replay", file, "--verify", "--json"], { encoding: "utf8" });
  assert.equal(again.status, 0, again.stdout + again.stderr);
});

test("a latch of the real program is opened from the page, once for the pair", { skip }, async () => {
  const server = await serve({ scenario: "docking_pair", args: ["--no-record", "--set", "duration=7200", "--set", "tasks=[]"] });
  await server.tell("speed", { factor: 4 });
  const t = await look(server);
  await until(t.page, () => window.volary?.ready);
  const ids = await v(t.page, () => volary.ids());
  await v(t.page, (ids) => { volary.set({ seenCard: true }); volary.select(ids); }, ids);
  await says(t.page, ".joined", /Joined by a latch with\s+cylinders\[0\]/);
  await t.page.getByRole("button", { name: "Release the latch" }).click();
  await t.page.locator(".notice", { hasText: "1 latch opened." }).waitFor();
  await t.page.getByRole("tab", { name: "Events" }).click();
  await says(t.page, ".events", /cylinders\[0\]\s+released/);
  assert.doesNotMatch(await t.page.locator(".events").innerText(), /refused/);
  assert.deepEqual(realComplaints(t.said), []);
  await t.close();
  await server.end();
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
