// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { lightAt, parseColour, type Palette, type Rgb } from "../scene/theme.ts";

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
{
  const palette = (tokens: Map<string, Rgb>): Palette => {
    const get = (token: string): Rgb => tokens.get(token)!;
    return { zenith: get("sky-zenith"), horizon: get("sky-horizon"), ground: get("ground"), minor: get("grid-minor"), major: get("grid-major"), reliefLow: get("relief-low"), reliefHigh: get("relief-high"), solid: get("solid"), select: get("select"), panel: get("panel"), text: get("text"), text2: get("text-2"), bad: get("bad"), ok: get("ok"), warn: get("warn"), accent: get("accent"), flocks: [0, 1, 2, 3, 4, 5].map((k) => get(`flock-${k}`)) };
  };
  const [light, dark] = [palette(themes.light), palette(themes.dark)];
  for (const theme of ["light", "dark"] as const)
    test(`${theme}: at every hour vehicles have the colours of the panels, and stand out as they do without an hour`, () => {
      const base = theme === "dark" ? dark : light;
      for (let hour = 0; hour < 24; hour += 0.5) {
        const { palette: p } = lightAt(hour, theme, light, dark, { latitude: 47, year: 2026.47 });
        for (const same of ["select", "bad", "ok", "warn", "accent", "text", "panel", "flocks"] as const) assert.deepEqual(p[same], base[same], `${same} at ${hour}`);
        for (const under of ["ground", "zenith", "horizon"] as const) for (const flock of p.flocks) assert.ok(contrast(flock, p[under]) > 0.98 * contrast(flock, base[under]), `${under} at ${hour}: ${contrast(flock, p[under])}`);
      }
      assert.notDeepEqual(lightAt(19, theme, light, dark).palette.horizon, base.horizon, "dusk is seen");
    });
}
test("both themes have the same colours to choose from", () => {
  assert.deepEqual([...themes.dark.keys()].sort(), [...themes.light.keys()].sort());
});
