// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Names of fields and outcomes, and what events say, as people read them: words instead of identifiers, and every figure with its unit and frame.
const FIELDS: Record<string, string> = { gust_sigma: "gust standard deviation", gust_time_constant: "gust correlation time", ground: "ground", year: "year", sinr: "signal to interference and noise" };
const UNITS: Record<string, string> = { "environment.wind": "m/s ENU", "environment.gust_sigma": "m/s", "environment.gust_time_constant": "s", "environment.gravity": "m/s\u00b2", "environment.ground_height": "m" };

/** `inbox_full` as "inbox full"; fields that have a better name get it. */
export const words = (name: string): string => FIELDS[name] ?? name.replaceAll("_", " ");
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
/** A path of a scenario: the last part says what it is, what stands before says of what. */
export function pathWords(path: string): string {
  const parts = path.replace(/^environment\./, "").split(".");
  const last = words(parts[parts.length - 1]);
  return parts.length > 1 ? `${parts.slice(0, -1).map(words).join(", ")}: ${last}` : last;
}
/** `path=value` of the command line as people read it. */
export function settingWords(setting: string): string {
  const at = setting.indexOf("=");
  if (at < 0) return setting;
  const unit = UNITS[setting.slice(0, at)];
  return `${pathWords(setting.slice(0, at))} = ${setting.slice(at + 1)}${unit ? `\u2009${unit}` : ""}`;
}

const PLACE = /(\(-?\d[\d.]*, -?\d[\d.]*, -?\d[\d.]*\))(?! m)/g;
/** What an event says. Recordings of earlier builds name places without unit and frame, which are metres, east north up. */
export function eventWords(what: string): string {
  const [, path, value] = /^set: (\S+) to (.*)$/s.exec(what) ?? [];
  if (path) return `set: ${pathWords(path)} to ${value}${UNITS[path] ? `\u2009${UNITS[path]}` : ""}`;
  return what.replace(PLACE, "$1 m ENU");
}
