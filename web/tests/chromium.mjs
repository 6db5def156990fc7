// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Real Chromium with software graphics, the same for every suite: how it is started, what a page is like, and how long to wait.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";

export const OUT = join(import.meta.dirname, "..", "test-output");
/** The folder of the page; VOLARY_PAGE names another one. */
export const DIST = process.env["VOLARY_PAGE"] ?? join(import.meta.dirname, "..", "dist");
export const MINUTE = { timeout: 60_000 };
const BROWSER = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
/** VOLARY_SLOW=6 makes the page six times slower: a test that passes only on a quick machine shows itself. */
const SLOW = Number(process.env["VOLARY_SLOW"] ?? 1);
const FLAGS = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--force-color-profile=srgb", "--font-render-hinting=none", "--no-sandbox"];

export async function launch() {
  mkdirSync(OUT, { recursive: true });
  const browser = await chromium.launch({ executablePath: BROWSER, args: FLAGS });
  const page = await browser.newPage();
  const gl = await page.evaluate(() => document.createElement("canvas").getContext("webgl2") !== null);
  await page.close();
  assert.ok(gl, "this Chromium gives no WebGL 2 context: the suite would be green on nothing");
  return browser;
}
/** A page in a context of its own, and everything its console said. */
export async function newPage(browser, { size = { width: 1440, height: 900 }, theme = "light", touch = false, ...rest } = {}) {
  const context = await browser.newContext({ viewport: size, deviceScaleFactor: 1, locale: "en-GB", timezoneId: "UTC", reducedMotion: "reduce", colorScheme: theme, hasTouch: touch, ...rest });
  context.setDefaultTimeout(MINUTE.timeout);
  const page = await context.newPage();
  if (SLOW > 1) await (await context.newCDPSession(page)).send("Emulation.setCPUThrottlingRate", { rate: SLOW });
  const said = [];
  page.on("console", (m) => ["error", "warning"].includes(m.type()) && said.push(m.text()));
  page.on("pageerror", (e) => said.push(String(e.stack)));
  return { page, context, said, close: () => context.close() };
}
/** Waits for something on this side: a busy machine is no failure. */
export async function meet(holds, what) {
  for (const end = Date.now() + MINUTE.timeout; ; ) {
    const found = await holds();
    if (found) return found;
    assert.ok(Date.now() < end, what);
    await new Promise((done) => setTimeout(done, 50));
  }
}
export const v = (page, f, argument) => page.evaluate(f, argument);
export const until = (page, f, argument) => page.waitForFunction(f, argument, MINUTE);
/** Console messages that are ours: a lost socket is reported by the browser itself and is expected where a test kills the server. */
export const complaints = (said) => said.filter((t) => !/WebSocket connection|ERR_CONNECTION|GPU stall|GL Driver Message/.test(t));
