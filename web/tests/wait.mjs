// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What is demanded of a page that gets there in its own time: by frames, timers and sockets.
import assert from "node:assert/strict";
import { MINUTE } from "./chromium.mjs";

/** Reads until it is as demanded (a pattern, a value, or a function that asserts or answers), for a minute; the last reading is what fails. */
export async function becomes(read, demand, what = "") {
  for (const end = Date.now() + MINUTE.timeout; ; await new Promise((done) => setTimeout(done, 50))) {
    try {
      const found = await read();
      if (demand instanceof RegExp) assert.match(found, demand);
      else if (typeof demand === "function") assert.notEqual(demand(found), false, JSON.stringify(found));
      else assert.deepEqual(found, demand);
      return found;
    } catch (e) {
      if (Date.now() < end) continue;
      if (what) e.message = `${what}: ${e.message}`;
      throw e;
    }
  }
}
/** The text of the first such element, as demanded. */
export const reads = (page, selector, demand) => becomes(() => page.locator(selector).first().innerText(), demand, selector);
/** The text of what a selector finds comes to match every one of these. */
export const says = (page, selector, ...patterns) => becomes(() => page.evaluate((q) => [...document.querySelectorAll(q)].map((e) => e.innerText).join("\n"), selector), (text) => { for (const x of patterns) assert.match(text, x, `${selector} says: ${text}`); });
/** Lets time pass on the page's own clock: every timer of it that was due by then has run, however slow the machine is. */
export const pass = (page, ms) => page.evaluate((x) => new Promise((done) => setTimeout(done, x)), ms);
