// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// For tests of the page in real Chromium against the real program: VOLARY_PROGRAM names its binary, VOLARY_PAGE the folder of the page when
// it is not web/dist. Nothing depends on how fast a machine is: everything waits for conditions, for a minute at most.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { chromium } from "playwright-core";

export const OUT = join(import.meta.dirname, "..", "test-output");
export const PROGRAM = process.env["VOLARY_PROGRAM"] ?? "";
export const skip = PROGRAM ? false : "VOLARY_PROGRAM is not set: it names the volary binary these tests run against";
export const MINUTE = { timeout: 60_000 };
const PAGE = process.env["VOLARY_PAGE"] ?? join(import.meta.dirname, "..", "dist");
const BROWSER = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
const FLAGS = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--force-color-profile=srgb", "--font-render-hinting=none", "--no-sandbox"];
const folders = [];
const running = new Set();
let browser;

before(async () => {
  if (skip) return;
  assert.ok(existsSync(PROGRAM), `VOLARY_PROGRAM=${PROGRAM} is not there`);
  assert.ok(existsSync(join(PAGE, "index.html")), "build the page first: npm run build");
  mkdirSync(OUT, { recursive: true });
  browser = await chromium.launch({ executablePath: BROWSER, args: FLAGS });
});
after(async () => {
  await browser?.close();
  for (const child of running) child.kill("SIGKILL");
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

export function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), "volary-runs-"));
  folders.push(folder);
  return folder;
}
async function freePort() {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address();
  probe.close();
  await once(probe, "close");
  return port;
}
/** A live world with its page, once it says where it is. */
export async function serve({ runs = newFolder(), scenario = "default", args = [] } = {}) {
  const port = await freePort();
  const child = spawn(PROGRAM, ["serve", scenario, "--port", String(port), "--page", PAGE, ...args], { env: { ...process.env, VOLARY_RUNS: runs } });
  running.add(child);
  let said = "";
  await new Promise((resolve, reject) => {
    const hear = (d) => { said += d; if (said.includes(`http://127.0.0.1:${port}/`)) resolve(); };
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
  return { base, runs, end, get, tell };
}
/** Flies without a page and returns the id of the recording. */
export function record(runs, ...args) {
  const before = new Set(readdirSync(runs));
  const done = spawnSync(PROGRAM, ["run", args[0]?.startsWith("--") || !args.length ? "default" : args.shift(), "--headless", "--quiet", ...args], { env: { ...process.env, VOLARY_RUNS: runs }, encoding: "utf8" });
  assert.equal(done.status, 0, done.stderr);
  return readdirSync(runs).find((f) => f.endsWith(".vrec") && !before.has(f)).replace(/\.vrec$/, "");
}
export async function look(server, { size = { width: 1440, height: 900 }, theme = "light", hash = "", query = "", init, touch = false } = {}) {
  const context = await browser.newContext({ viewport: size, deviceScaleFactor: 1, locale: "en-GB", timezoneId: "UTC", reducedMotion: "reduce", colorScheme: theme, acceptDownloads: true, hasTouch: touch, permissions: ["clipboard-read", "clipboard-write"] });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const said = [];
  page.on("console", (m) => ["error", "warning"].includes(m.type()) && said.push(m.text()));
  page.on("pageerror", (e) => said.push(String(e.stack)));
  if (init) await page.addInitScript(init);
  await page.goto(`${server.base}/?test=1&quality=lite${query}${hash}`);
  return { page, said, context, close: () => context.close() };
}
export const v = (page, f, argument) => page.evaluate(f, argument);
export const until = (page, f, argument) => page.waitForFunction(f, argument, MINUTE);
export const complaints = (said) => said.filter((t) => !/WebSocket connection|ERR_CONNECTION|Failed to load resource|GPU stall|GL Driver Message/.test(t));
/** Waits for something on this side. */
export async function meet(holds, what) {
  for (const end = Date.now() + 60_000; ; ) {
    const found = await holds();
    if (found) return found;
    assert.ok(Date.now() < end, what);
    await new Promise((done) => setTimeout(done, 50));
  }
}
