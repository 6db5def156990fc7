// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parseColour, type Rgb } from "../scene/theme.ts";

const sheet = readFileSync(join(import.meta.dirname, "tokens.css"), "utf8");
const block = (start: string): Map<string, Rgb> => {
  const text = sheet.slice(sheet.indexOf(start)).split("}")[0];
  return new Map([...text.matchAll(/--([\w-]+): (#[0-9a-f]{6})/g)].map((m) => [m[1], parseColour(m[2])]));
};
const themes = { light: block(":root"), dark: block('[data-theme="dark"] {') };
const luminance = (c: Rgb): number => {
  const [r, g, b] = c.map((x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (a: Rgb, b: Rgb): number => {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
};
for (const [name, tokens] of Object.entries(themes)) {
  const get = (token: string): Rgb => tokens.get(token) ?? assert.fail(`${name} has no ${token}`);
  test(`${name}: every text token stands out from every surface by 4.5 to 1`, () => {
    for (const text of ["text", "text-2", "text-3", "ok", "warn", "bad", "accent", "select"])
      for (const surface of ["bg", "panel", "raised", "inset"]) {
        const c = contrast(get(text), get(surface));
        assert.ok(c >= 4.5, `${text} on ${surface}: ${c.toFixed(2)}`);
      }
    for (const [on, under] of [["on-accent", "accent"], ["on-bad", "bad"], ["panel", "ok"], ["text", "ground"], ["text-2", "ground"]]) assert.ok(contrast(get(on), get(under)) >= 4.5, `${on} on ${under}`);
  });
  test(`${name}: edges of controls and flocks stand out by 3 to 1`, () => {
    for (const surface of ["bg", "panel", "raised", "inset"]) assert.ok(contrast(get("line-strong"), get(surface)) >= 3);
    for (let k = 0; k < 6; k++) assert.ok(contrast(get(`flock-${k}`), get("ground")) >= 3, `flock ${k}`);
  });
}
test("both themes have the same colours to choose from", () => {
  assert.deepEqual([...themes.dark.keys()].sort(), [...themes.light.keys()].sort());
});
