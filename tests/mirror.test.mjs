// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Two programs: in one fly vehicles that speak MAVLink, as real ones do; in the other are their mirrors, and behaviours of these steer them (docs/mavlink.md).
// VOLARY_PROGRAM names the binary.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

const PROGRAM = process.env["VOLARY_PROGRAM"] ?? "";
const skip = PROGRAM ? false : "VOLARY_PROGRAM is not set: it names the volary binary these tests run";
const SPEED = "3"; // both go by the wall, at the same pace
let folder;

before(() => { folder = mkdtempSync(join(tmpdir(), "volary-mirror-")); });
after(() => rmSync(folder, { recursive: true, force: true }));

async function freePort() {
  const socket = createSocket("udp4");
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  const { port } = socket.address();
  socket.close();
  return port;
}

/** A program that was started, and all that it says. */
function start(...args) {
  const env = { ...process.env, VOLARY_RUNS: join(folder, "runs"), VOLARY_DATA: join(folder, "data") };
  const child = spawn(PROGRAM, args, { env });
  const run = { child, said: "", done: once(child, "exit").then(([code]) => code) };
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (d) => { run.said += d; });
  return run;
}

const REAL = `
name: vehicles outside
duration: 600
flocks:
  - name: real
    airframe: x500
    vehicles: {list: [{position: [0, 0, 0]}, {position: [-4, -4, 0]}]}
    start: disarmed
`;
const MIRRORS = `
name: mirrors of them
duration: 60
flocks:
  - name: own
    airframe: x500
    vehicles: {list: [{position: [50, 50, 0]}]}
    start: disarmed
  - name: mirror
    mirror: true
    vehicles: {list: [{position: [0, 0, 0]}, {position: [-4, -4, 0]}]}
    node: {state_rate: 10}
    behaviours:
      - land: {after: 42}
        weight: 4
      - take_off: {height: 4}
        weight: 3
      - leader_follower: {spacing: 5}
        weight: 2
      - follow_path: {points: [[12, 0, 4]], speed: 2}
tasks:
  - {name: the leader arrives, eventually: {reached: {flock: mirror, vehicle: 0, position: [12, 0, 4], within: 1}}}
  - {name: the other follows, eventually: {held: {for: 3, what: {formation: {flock: mirror, offsets: [[0, 0, 0], [-3.54, -3.54, 0]], leader: 0, within: 2}}}}}
  - {name: both land, all_of: [{time_after: 42}, {mode_is: {flock: mirror, mode: disarmed}}, {altitude_below: {flock: mirror, height: 1}}]}
`;

test("behaviours of mirrors fly vehicles of another program, and the run replays without it", { skip, timeout: 240_000 }, async () => {
  const port = await freePort();
  writeFileSync(join(folder, "real.yaml"), REAL);
  writeFileSync(join(folder, "mirrors.yaml"), MIRRORS);
  // vehicles 2 and 3 of the second world are systems 1 and 2 of the first
  const real = start("run", join(folder, "real.yaml"), "--headless", "--no-record", "--speed", SPEED, "--mavlink", `udpout:127.0.0.1:${port}`);
  const mirrors = start("run", join(folder, "mirrors.yaml"), "--headless", "--speed", SPEED, "--mirror", `udpin:127.0.0.1:${port},vehicles=2-3`);
  const code = await mirrors.done;
  real.child.kill("SIGINT");
  await real.done;
  assert.equal(code, 0, `${mirrors.said}\n--- the vehicles ---\n${real.said}`);
  assert.match(mirrors.said, /mirrors on udpin:127\.0\.0\.1:/);
  const [recording] = readdirSync(join(folder, "runs")).filter((f) => f.endsWith(".vrec"));
  const again = start("replay", join(folder, "runs", recording), "--verify");
  assert.equal(await again.done, 0, again.said);
});

test("a page sees and orders the vehicle behind a mirror, whose own virtual autopilot says nothing", { skip, timeout: 120_000 }, async () => {
  const port = await freePort();
  writeFileSync(join(folder, "real.yaml"), REAL);
  writeFileSync(join(folder, "still.yaml"), MIRRORS.slice(0, MIRRORS.indexOf("    node:")));
  const real = start("run", join(folder, "real.yaml"), "--headless", "--no-record", "--speed", "1", "--mavlink", `udpout:127.0.0.1:${port}`);
  const mirrors = start("serve", join(folder, "still.yaml"), "--no-record", "--port", "0", "--mavlink", "udpin:127.0.0.1:0", "--mirror", `udpin:127.0.0.1:${port},vehicles=2-3`);
  const becomes = async (holds) => {
    for (;;) {
      const base = /http:\/\/127\.0\.0\.1:\d+/.exec(mirrors.said)?.[0];
      const told = base && (await (await fetch(`${base}/api/live/autopilots`)).json());
      if (told && holds(told.vehicles, told.links)) return { base, ...told };
      await new Promise((done) => setTimeout(done, 100));
    }
  };
  try {
    const { base, vehicles, links } = await becomes((v, l) => v.slice(1).every((x) => x.autopilot === "PX4" && !x.trouble) && l[0].received_rate > 1);
    assert.deepEqual(vehicles.map((v) => [v.autopilot, v.system, v.companion]), [["Volary", 1, undefined], ["PX4", 1, "disarmed"], ["PX4", 2, "disarmed"]]);
    assert.equal(vehicles[1].mode, "Hold");
    assert.equal(links.length, 2);
    assert.deepEqual([links[0].state, links[0].lost], ["connected", 0]);
    const order = (name, body) => fetch(`${base}/api/live/${name}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    assert.equal((await order("mode", { ids: [3], mode: "arm" })).status, 200);
    const armed = (await becomes((v) => v[2].armed && v[2].messages.length > 0)).vehicles[2];
    assert.equal(armed.messages[0].text, "Armed");
    assert.ok(armed.messages[0].time > 0 && armed.messages[0].time < 110, "simulated time");
    const lost = await order("goto", { ids: [2], position: [1, 2, 5] });
    assert.equal(lost.status, 409);
    assert.match((await lost.json()).error, /mirror\[0\]: the world does not say where on the Earth it lies.*environment\.origin/);
  } finally {
    for (const run of [real, mirrors]) run.child.kill("SIGINT"), await run.done;
  }
});

test("a link without mirrors, and one that listens to other machines, are refused with a way out", { skip, timeout: 60_000 }, async () => {
  writeFileSync(join(folder, "real.yaml"), REAL);
  const without = start("run", join(folder, "real.yaml"), "--headless", "--no-record", "--mirror", "udpin:127.0.0.1:0");
  assert.notEqual(await without.done, 0);
  assert.match(without.said, /--mirror: the scenario has no mirror.*mirror: true/s);
  writeFileSync(join(folder, "mirrors.yaml"), MIRRORS);
  const open = start("run", join(folder, "mirrors.yaml"), "--headless", "--no-record", "--mirror", "udpin:0.0.0.0:0");
  assert.notEqual(await open.done, 0);
  assert.match(open.said, /--mirror: .*--mavlink-key/s);
});
