// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// MAVLink vehicles of the real program, in real Chromium: a ground station (pymavlink, in mavlink_client.py) and the page fly the same vehicles and see the same. VOLARY_PYTHON names a
// Python that has pymavlink, by default that of the tests of the Python package.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { becomes, complaints, look, newFolder, OUT, PROGRAM, says, serve, skip, until, v } from "./support.mjs";

const VENV = join(import.meta.dirname, "../../build/python/venv/bin/python");
const PYTHON = process.env["VOLARY_PYTHON"] ?? (existsSync(VENV) ? VENV : "python3");
const noClient = skip || (spawnSync(PYTHON, ["-c", "import pymavlink"]).status === 0 ? false : `${PYTHON} has no pymavlink`);

async function freePort() {
  const socket = createSocket("udp4");
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  const { port } = socket.address();
  await new Promise((done) => socket.close(done));
  return port;
}
/** A ground station and all that it has heard. */
function ground(port) {
  const child = spawn(PYTHON, [join(import.meta.dirname, "mavlink_client.py"), String(port)], { stdio: ["pipe", "pipe", "inherit"] });
  const heard = [];
  createInterface({ input: child.stdout }).on("line", (line) => heard.push(JSON.parse(line)));
  const last = (system, key) => heard.findLast((m) => m.system === system && key in m);
  return {
    heard,
    command: (system, command, ...params) => child.stdin.write(`${JSON.stringify({ system, command, params })}\n`),
    mode: (system) => last(system, "mode"),
    end: async () => { child.stdin.end(); await once(child, "exit"); },
    last,
  };
}
const [ARM, TAKEOFF] = [400, 22];

test("pymavlink and the page fly the same vehicles, see the same modes and texts, and the run replays without them", { skip: noClient }, async () => {
  const port = await freePort();
  const runs = newFolder();
  const server = await serve({ runs, scenario: "ground_station", args: ["--mavlink", `udpout:127.0.0.1:${port}`, "--speed", "2"] });
  const client = ground(port);
  const t = await look(server);
  await until(t.page, () => window.volary?.ready);
  await v(t.page, () => volary.set({ seenCard: true }));
  const [first, second] = await v(t.page, () => volary.ids());
  const choose = (id) => v(t.page, (x) => volary.select(x === null ? [] : [x]), id);
  const press = (name) => t.page.locator(".inspector").getByRole("button", { name, exact: true }).click();

  // the client flies the first one, and the page shows it
  await choose(first);
  await says(t.page, ".autopilot", /Autopilot Volary \u00b7 MAVLink system 1/i, /Mode\s+Hold/, /Armed\s+no/);
  await becomes(() => client.mode(1)?.mode, "LOITER");
  client.command(1, ARM, 1);
  await becomes(() => client.last(1, "result"), { system: 1, command: ARM, result: 0 });
  await says(t.page, ".autopilot", /Armed\s+yes/);
  await says(t.page, ".said", /Armed/);
  client.command(1, TAKEOFF, 0, 0, 0, 0, 0, 0, 494);
  await says(t.page, ".autopilot", /Mode\s+Takeoff/);
  await t.page.screenshot({ path: join(OUT, "autopilot-client-flies.png") });
  await says(t.page, ".autopilot", /Mode\s+Hold/);
  client.command(1, ARM, 0);
  await says(t.page, ".said li:first-child", /Critical: Disarming denied: not landed/);
  await becomes(() => client.last(1, "text")?.text, "Disarming denied: not landed");

  // the page flies the second one, and the client sees it
  await choose(second);
  await says(t.page, ".autopilot", /MAVLink system 2/, /Armed\s+no/);
  await press("Take off");
  await becomes(() => client.heard.some((m) => m.system === 2 && m.mode === "TAKEOFF" && m.armed), true);
  await says(t.page, ".autopilot", /Armed\s+yes/);
  await becomes(() => client.mode(2), (m) => m.mode === "LOITER" && m.armed);
  await says(t.page, ".autopilot", /Mode\s+Hold/);
  await becomes(() => v(t.page, (id) => volary.position(id)[2], second), (up) => up > 1);
  await press("Take off");
  await says(t.page, ".notice.bad", /take off was refused: uav\[1\]: Takeoff denied: already in the air\./);
  await becomes(() => client.last(2, "text")?.text, "Takeoff denied: already in the air");
  await t.page.screenshot({ path: join(OUT, "autopilot-page-flies.png") });
  const { error } = await server.tell("mode", { ids: [second], mode: "disarm" });
  assert.match(error, /Disarming denied: not landed/);
  const at = await v(t.page, (id) => volary.position(id), second);
  await server.tell("goto", { ids: [second], position: [at[0] + 6, at[1], 4] });
  await becomes(() => v(t.page, (id) => volary.position(id)[0], second), (east) => Math.abs(east - at[0] - 6) < 0.5);
  await becomes(() => client.mode(2)?.mode, "LOITER");
  await press("Return to the start and land");
  await becomes(() => client.heard.some((m) => m.system === 2 && m.mode === "RTL"), true);
  await becomes(() => client.mode(2), (m) => !m.armed);
  await says(t.page, ".said", /Disarmed/);

  // the link
  await choose(null);
  await says(t.page, ".mav-link", new RegExp(`udpout:127\\.0\\.0\\.1:${port}\\s+connected`), /Frames sent\s+\d+\s*\/s/, /Lost, bad, refused\s+0, 0, 0/);
  await says(t.page, ".inspector", /MAVLink links\s+5 vehicles with autopilots/i);
  await t.page.screenshot({ path: join(OUT, "autopilot-link.png") });
  assert.deepEqual(complaints(t.said), []);
  await t.close();
  await client.end();
  await server.end();
  const [recording] = readdirSync(runs).filter((f) => f.endsWith(".vrec"));
  const again = spawnSync(PROGRAM, ["replay", join(runs, recording), "--verify"], { encoding: "utf8" });
  assert.equal(again.status, 0, again.stdout + again.stderr);
});
