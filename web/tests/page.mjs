// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// For tests of the page in real Chromium with software graphics, against tools/fake_server.mjs. VOLARY_PAGE names another folder of the
// page than web/dist.
import assert from "node:assert/strict";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, before } from "node:test";
import { chromium } from "playwright-core";
import { start } from "../tools/fake_server.mjs";

export const OUT = join(import.meta.dirname, "..", "test-output");
export const DIST = process.env["VOLARY_PAGE"] ?? join(import.meta.dirname, "..", "dist");
const BROWSER = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
const FLAGS = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--force-color-profile=srgb", "--font-render-hinting=none", "--no-sandbox"];
export let browser;

before(async () => {
  assert.ok(existsSync(join(DIST, "index.html")), "build the page first: npm run build");
  mkdirSync(OUT, { recursive: true });
  browser = await chromium.launch({ executablePath: BROWSER, args: FLAGS });
  const page = await browser.newPage();
  const gl = await page.evaluate(() => document.createElement("canvas").getContext("webgl2") !== null);
  await page.close();
  assert.ok(gl, "this Chromium gives no WebGL 2 context: the suite would be green on nothing");
});
const servers = new Set();
after(async () => {
  await browser?.close();
  for (const s of servers) await s.close().catch(() => {}); // one that a failed test left
});

export async function fake(options) {
  const s = await start({ port: 0, dist: DIST, ...options });
  servers.add(s);
  return s;
}
/** A server, a page on it, and everything the console said. */
export async function open(options = {}) {
  const server = await fake({ vehicles: 24, duration: 600, at: 8, ...options.server });
  const context = await browser.newContext({ viewport: options.size ?? { width: 1440, height: 900 }, deviceScaleFactor: 1, locale: "en-GB", timezoneId: "UTC", reducedMotion: "reduce", colorScheme: options.theme ?? "light", hasTouch: options.touch ?? false, isMobile: options.touch ?? false, ...options.context });
  const page = await context.newPage();
  const said = [];
  page.on("console", (m) => ["error", "warning"].includes(m.type()) && said.push(m.text()));
  page.on("pageerror", (e) => said.push(String(e.stack)));
  const url = `http://127.0.0.1:${server.port}/?test=1&quality=lite${options.query ?? ""}${options.hash ?? ""}`;
  await page.goto(url);
  await page.waitForFunction(() => window.volary?.ready, null, { timeout: 60_000 });
  return { server, page, said, url, close: async () => { await context.close(); await server.close(); servers.delete(server); } };
}
/** Waits for something on this side, for half a minute: a busy machine is no failure. */
export async function meet(holds, what) {
  for (const end = Date.now() + 30_000; !(await holds()); ) {
    assert.ok(Date.now() < end, what);
    await new Promise((done) => setTimeout(done, 20));
  }
}
export const seen = (page, seconds) => page.waitForFunction((x) => volary.clock().extent.last - volary.clock().extent.first > x, seconds);
export const v = (page, f, argument) => page.evaluate(f, argument);
/** Console messages that are ours: a lost socket is reported by the browser itself and is expected where a test kills the server. */
export const complaints = (said) => said.filter((t) => !/WebSocket connection|ERR_CONNECTION|GPU stall|GL Driver Message/.test(t));
/** Whether the page can be moved sideways, and which panels hold more than they show. */
export const sideways = (page) => v(page, () => document.documentElement.scrollWidth > innerWidth || document.body.scrollWidth > innerWidth || [...document.querySelectorAll(".top, .bottom, .transport, .tab-body, .fleet, .sheet, dialog")].some((e) => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX !== "hidden"));
/** Controls that can be seen and have no name, or are smaller than a finger or a pointer needs. */
export const poorControls = (page, least) => v(page, (least) => [...document.querySelectorAll("button, input, select, summary, [role=slider], [role=option], a[href]")].filter((e) => e.offsetParent !== null && !e.classList.contains("skip") && !e.closest("[inert]")).filter((e) => { const r = e.getBoundingClientRect(); const name = e.getAttribute("aria-label") ?? e.textContent.trim() ?? ""; return (!name && !e.labels?.length && !e.title) || (e.closest(".field") ?? e).getBoundingClientRect().height < least - 0.5 || r.width < Math.min(24, least) - 0.5; }).map((e) => e.outerHTML.slice(0, 140)), least);
