// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// For tests of the page against the real program: VOLARY_PROGRAM names its binary; without it these tests are skipped.
// Nothing depends on how fast a machine is: everything waits for conditions, for a minute at most.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { complaints as ours, DIST, launch, MINUTE, newPage } from "./chromium.mjs";

export { meet, MINUTE, OUT, until, v } from "./chromium.mjs";
export { becomes, pass, reads, says } from "./wait.mjs";
/** A real server also refuses what a test asks of it on purpose, and the browser reports that. */
export const complaints = (said) => ours(said).filter((t) => !/ERR_ABORTED|Failed to load resource/.test(t));
export const PROGRAM = process.env["VOLARY_PROGRAM"] ?? "";
export const skip = PROGRAM ? false : "VOLARY_PROGRAM is not set: it names the volary binary these tests run against";
export let browser;
const folders = [];
const running = new Set();

before(async () => {
  if (skip) return;
  assert.ok(existsSync(PROGRAM), `VOLARY_PROGRAM=${PROGRAM} is not there`);
  assert.ok(existsSync(join(DIST, "index.html")), "build the page first: npm run build");
  browser = await launch();
});
after(async () => {
  await browser?.close();
  for (const child of running) child.kill("SIGKILL");
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

export function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), "volary-test-"));
  folders.push(folder);
  return folder;
}
/** A command of the program that serves a page, once it says where that is. */
export async function start(args, { port: wish = 0, env = {} } = {}) {
  const child = spawn(PROGRAM, [...args, "--port", String(wish)], { env: { ...process.env, ...env } });
  running.add(child);
  let said = "";
  const port = await new Promise((resolve, reject) => {
    const hear = (d) => { const found = /http:\/\/127\.0\.0\.1:(\d+)\//.exec((said += d)); if (found) resolve(Number(found[1])); };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.on("exit", (code) => reject(new Error(`volary ended with ${code}: ${said}`)));
    child.on("error", reject);
  });
  const base = `http://127.0.0.1:${port}`;
  const end = async (signal = "SIGINT") => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, "exit");
    running.delete(child);
  };
  const get = async (path) => (await fetch(base + path)).json();
  const tell = async (name, args = {}) => (await fetch(`${base}/api/live/${name}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(args) })).json();
  return { base, port, end, get, tell };
}
/** A live world with its page. */
export async function serve({ runs = newFolder(), scenario = "default", args = [], env = {} } = {}) {
  return { runs, ...(await start(["serve", scenario, "--page", DIST, ...args], { env: { VOLARY_RUNS: runs, ...env } })) };
}
/** The program, to its end. */
export function volary(args, env = {}) {
  const done = spawnSync(PROGRAM, args, { env: { ...process.env, ...env }, encoding: "utf8" });
  assert.equal(done.status, 0, `volary ${args.join(" ")}: ${done.stderr}`);
  return done.stdout;
}
/** Flies without a page and returns the id of the recording. */
export function record(runs, ...args) {
  const before = new Set(readdirSync(runs));
  volary(["run", args[0]?.startsWith("--") || !args.length ? "default" : args.shift(), "--headless", "--quiet", ...args], { VOLARY_RUNS: runs });
  return readdirSync(runs).find((f) => f.endsWith(".vrec") && !before.has(f)).replace(/\.vrec$/, "");
}
export async function look(server, { hash = "", query = "", init, broken, ...options } = {}) {
  const t = await newPage(browser, { acceptDownloads: true, permissions: ["clipboard-read", "clipboard-write"], ...options });
  if (init) await t.page.addInitScript(init);
  if (broken) await t.page.route(broken, (r) => r.fulfill({ status: 500, body: "{}" }));
  await t.page.goto(`${server.base}/?test=1&quality=lite${query}${hash}`);
  return t;
}
