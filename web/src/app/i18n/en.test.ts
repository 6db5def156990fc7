// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { pseudo, t } from "./en.ts";

const all = (x: unknown): string[] => (typeof x === "string" ? [x] : typeof x === "function" ? [String((x as (n: number) => unknown)(3))] : Object.values(x as object).flatMap(all));
test("every string says something, and none has space at its ends", () => {
  for (const text of all(t)) assert.ok(text.length > 0 && text === text.trim(), `"${text}"`);
});
test("plurals by count", () => {
  assert.equal(t.region.more(1), "and 1 more region");
  assert.equal(t.region.more(2), "and 2 more regions");
});
test("the made-up language is two fifths longer", () => {
  assert.equal(pseudo("Fleet"), "Fl\u00eb\u00ebt~~");
});
