// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// For tests of the page against tools/fake_server.mjs.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, before } from "node:test";
import { start } from "../tools/fake_server.mjs";
import { DIST, launch, newPage, until, v } from "./chromium.mjs";

export { complaints, meet, OUT, until, v } from "./chromium.mjs";
export { becomes, pass, says } from "./wait.mjs";
export let browser;

before(async () => {
  assert.ok(existsSync(join(DIST, "index.html")), "build the page first: npm run build");
  browser = await launch();
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
  const t = await newPage(browser, { size: options.size, theme: options.theme, touch: options.touch, isMobile: options.touch ?? false, ...options.context });
  const url = `http://127.0.0.1:${server.port}/?test=1&quality=lite${options.query ?? ""}${options.hash ?? ""}`;
  await t.page.goto(url);
  await until(t.page, () => window.volary?.ready);
  return { server, page: t.page, said: t.said, url, close: async () => { await t.close(); await server.close(); servers.delete(server); } };
}
export const seen = (page, seconds) => page.waitForFunction((x) => volary.clock().extent.last - volary.clock().extent.first > x, seconds);
/** Whether the page can be moved sideways, and which panels hold more than they show. */
export const sideways = (page) => v(page, () => document.documentElement.scrollWidth > innerWidth || document.body.scrollWidth > innerWidth || [...document.querySelectorAll(".top, .bottom, .transport, .tab-body, .fleet, .sheet, dialog")].some((e) => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX !== "hidden"));
/** Controls that can be seen and have no name, or are smaller than a finger or a pointer needs. */
export const poorControls = (page, least) => v(page, (least) => [...document.querySelectorAll("button, input, select, summary, [role=slider], [role=option], a[href]")].filter((e) => e.offsetParent !== null && !e.classList.contains("skip") && !e.closest("[inert]")).filter((e) => { const r = e.getBoundingClientRect(); const name = e.getAttribute("aria-label") ?? e.textContent.trim() ?? ""; return (!name && !e.labels?.length && !e.title) || (e.closest(".field") ?? e).getBoundingClientRect().height < least - 0.5 || r.width < Math.min(24, least) - 0.5; }).map((e) => e.outerHTML.slice(0, 140)), least);
