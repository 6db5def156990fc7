// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Numbers as people read them. Conversions happen here and nowhere else; minus is U+2212 and a thin space stands before the unit.
const THIN = "\u2009";
const formats = new Map<number, Intl.NumberFormat>();
export function number(x: number, digits: number): string {
  if (!Number.isFinite(x)) return "\u2014";
  let f = formats.get(digits);
  if (!f) formats.set(digits, (f = new Intl.NumberFormat(undefined, { minimumFractionDigits: digits, maximumFractionDigits: digits })));
  const rounded = Math.abs(x) < 0.5 * 10 ** -digits ? 0 : x;
  return f.format(rounded).replace("-", "\u2212");
}
export const quantity = (x: number, digits: number, unit: string): string => `${number(x, digits)}${THIN}${unit}`;
/** Simulation time, `m:ss.mmm` with as many decimals as asked for. */
export function clockText(seconds: number, digits = 2): string {
  const sign = seconds < -1e-9 ? "\u2212" : "";
  const whole = Math.abs(seconds);
  const scaled = Math.round(whole * 10 ** digits) / 10 ** digits;
  const minutes = Math.floor(scaled / 60);
  const rest = (scaled - minutes * 60).toFixed(digits).padStart(digits ? digits + 3 : 2, "0");
  return `${sign}${minutes}:${rest}`;
}
export const compass = (yaw: number): number => (((90 - (yaw * 180) / Math.PI) % 360) + 360) % 360;
export const degrees = (rad: number): number => (rad * 180) / Math.PI;
export function positionText(e: number, n: number, u: number, frame: "ENU" | "NED", digits = 1): [string, string][] {
  const p: [string, number][] = frame === "ENU" ? [["E", e], ["N", n], ["U", u]] : [["N", n], ["E", e], ["D", -u]];
  return p.map(([name, x]) => [name, number(x, digits)]);
}
export const MODE_NAMES = ["Disarmed", "Armed", "Take-off", "Hold", "Mission", "Land", "Emergency stop"] as const;
/** A recording does not say the mode (15): an en dash. */
export const modeName = (state: number): string => (state & 16 ? "Diverged" : state & 32 ? "By hand" : (MODE_NAMES[state & 15] ?? "\u2013"));
export const bytes = (n: number): string => (n < 1e6 ? quantity(n / 1e3, 0, "kB") : quantity(n / 1e6, 1, "MB"));
const plurals = new Intl.PluralRules("en");
export const count = (n: number, one: string, many: string): string => `${number(n, 0)} ${plurals.select(n) === "one" ? one : many}`;
/** 1, 2 or 5 times a power of ten, the largest that is not over `x`. */
export function roundDown(x: number): number {
  const p = 10 ** Math.floor(Math.log10(x));
  return p * (x / p >= 5 ? 5 : x / p >= 2 ? 2 : 1);
}
