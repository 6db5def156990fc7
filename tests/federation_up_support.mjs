// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A real `volary federation up` that programs and people watch, for tests from outside. VOLARY_PROGRAM names the binary.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";

export const PROGRAM = process.env["VOLARY_PROGRAM"] ?? "";
export const ROOT = join(import.meta.dirname, "..");
// as for all tests over MQTT: skipped where it could not be installed
export const hasBroker = ["/usr/sbin/mosquitto", "/usr/local/sbin/mosquitto", "/usr/bin/mosquitto"].some(existsSync);
export const skip = !PROGRAM ? "VOLARY_PROGRAM is not set: it names the volary binary these tests run" : hasBroker ? false : "mosquitto is not installed: tools/install_broker.sh installs it";
export const folder = mkdtempSync(join(tmpdir(), "volary-federation-"));
const running = new Set();
const env = { ...process.env, VOLARY_RUNS: join(folder, "runs"), VOLARY_DATA: join(folder, "data") };

after(() => {
  for (const child of running) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a program to its end: its exit code and all that it said. */
export async function runs(program, args) {
  const child = spawn(program, args, { env });
  running.add(child);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (d) => (said += d));
  const [code] = await once(child, "exit");
  running.delete(child);
  return { code, said };
}

/** Until `holds` gives something, or the time is over. */
export async function meet(holds, what, seconds = 90) {
  for (const end = Date.now() + seconds * 1000; ; ) {
    const found = await holds();
    if (found) return found;
    assert.ok(Date.now() < end, typeof what === "function" ? what() : what);
    await new Promise((done) => setTimeout(done, 100));
  }
}

/** A federation that is watched, with invitations for the accounts that are named; `base` is the address of its page. */
export async function up(name, args, { page = false, accounts = [] } = {}) {
  const child = spawn(PROGRAM, ["federation", "up", ...args, "--name", name, ...(page ? ["--watch", "--port", "0"] : ["--headless", "--api"])], { env });
  running.add(child);
  const ended = once(child, "exit").then(([code]) => (running.delete(child), code));
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (d) => (said += d));
  const alive = () => assert.equal(child.exitCode, null, said);
  if (page) await meet(() => (alive(), /127\.0\.0\.1:\d+/.test(said)), () => said);
  for (const account of accounts) {
    const file = join(folder, `${name}-${account}.json`);
    const invite = () => spawnSync(PROGRAM, ["federation", "invite", file, "--for", account, "--name", name], { env, encoding: "utf8" });
    await meet(() => (alive(), invite().status === 0), () => said);
  }
  const end = async () => (child.exitCode === null && child.kill("SIGINT"), ended);
  return { end, ended, said: () => said, base: /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0], invitation: (account) => join(folder, `${name}-${account}.json`) };
}
