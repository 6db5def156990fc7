// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { makeRoster, newFrame } from "../source/source.ts";
import { measureFrame, nearestPair } from "../panels/swarm.ts";
import { match } from "./filter.ts";
import { keyName, withNumbers } from "./keymap.ts";
import { formatRoute, parseRoute } from "./router.ts";
import { defaults, parseSettings } from "./settings.ts";
import { clockText, compass, modeName, number, positionText, roundDown } from "./units.ts";

test("an address comes back as it went", () => {
  const route = { page: "view" as const, run: "", time: 12.34, sel: ["17", "42"], cam: "follow", eye: [30, 20.5, 40, 1, -2, 3], speed: 2, layers: ["trails", "grid"] };
  assert.deepEqual(parseRoute(formatRoute(route)), { ...route, unknown: [] });
});
test("the address of a run and of the library", () => {
  const route = { page: "view" as const, run: "2026 a/b", time: 1.5, sel: [], cam: "orbit", eye: [], speed: -4, layers: null };
  assert.deepEqual(parseRoute(formatRoute(route)), { ...route, unknown: [] });
  assert.equal(parseRoute("#/library").page, "library");
  assert.equal(formatRoute({ ...route, page: "library" }), "#/library");
  assert.equal(parseRoute("#/picture").page, "picture");
  assert.equal(formatRoute({ ...route, page: "picture" }), "#/picture");
  assert.deepEqual(parseRoute("#/run").unknown, ["run"]);
  assert.equal(parseRoute("#/run/%E0%A4%A").run, "%E0%A4%A");
});
test("unknown parts of an address are named, not fatal", () => {
  assert.deepEqual(parseRoute("#/nowhere?t=abc&x=1&eye=1,2").unknown, ["nowhere", "x", "eye"]);
  assert.equal(parseRoute("").time, "live");
});
test("settings that cannot be read are the defaults", () => {
  for (const text of [null, "", "{", "[]", '{"version":99,"settings":{}}', '{"version":1}']) assert.deepEqual(parseSettings(text), defaults());
  assert.equal(parseSettings('{"version":1,"settings":{"theme":"dark","fleet":"wide","hour":99}}').theme, "dark");
  assert.equal(parseSettings('{"version":1,"settings":{"hour":99}}').hour, null);
});
test("numbers, times and headings as people read them", () => {
  assert.equal(number(-0.04, 1), number(0, 1));
  assert.ok(number(-3, 1).startsWith("\u2212"));
  assert.equal(number(NaN, 1), "\u2014");
  assert.equal(clockText(59.999, 2), "1:00.00");
  assert.equal(clockText(83.4, 1), "1:23.4");
  assert.equal(compass(0), 90);
  assert.equal(compass(Math.PI / 2), 0);
  assert.deepEqual(positionText(1, 2, 3, "NED").map((p) => p[0]), ["N", "E", "D"]);
  assert.equal(modeName(4 | 16), "Diverged");
  assert.equal(modeName(15), "\u2013");
  assert.equal(roundDown(37), 20);
});
test("keys have one name", () => {
  const key = (k: string, m: Partial<Record<"ctrlKey" | "shiftKey", boolean>> = {}) => keyName({ key: k, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...m });
  assert.equal(key("t", { shiftKey: true }), "Shift+T");
  assert.equal(key("?", { shiftKey: true }), "?");
  assert.equal(key(" "), "Space");
  assert.equal(key("k", { ctrlKey: true }), "Ctrl+K");
  assert.equal(key("ArrowLeft", { shiftKey: true }), "Shift+Left");
});
test("the filter compares and matches words", () => {
  const roster = makeRoster(1, [{ id: "3", name: "uav-3", flock: 0 }]);
  const frame = { ...newFrame(1), n: 1, roster, position: new Float32Array([0, 0, 25]), state: new Uint16Array([4]) };
  const yes = (text: string): boolean => match(text, roster, 0, frame, null);
  assert.ok(yes("") && yes("uav") && yes("altitude>20") && yes("altitude > 20 mission") && yes("id=3"));
  assert.ok(!yes("altitude<20") && !yes("land") && !yes("uav speed>1"));
});
test("the smallest separation is the smallest of all pairs", () => {
  const p = new Float32Array(300).map((_, k) => Math.sin(k * 12.9898) * 50);
  let least = Infinity;
  for (let a = 0; a < 100; a++) for (let b = 0; b < a; b++) least = Math.min(least, Math.hypot(p[3 * a] - p[3 * b], p[3 * a + 1] - p[3 * b + 1], p[3 * a + 2] - p[3 * b + 2]));
  const all = Array.from({ length: 100 }, (_, k) => k);
  assert.ok(Math.abs(nearestPair(p, all, () => 0).separation - least) < 1e-5);
  // two large ones may touch although another two are nearer to each other
  const large = (k: number): number => (k < 2 ? 30 : 0.01);
  const apart = Math.hypot(p[0] - p[3], p[1] - p[4], p[2] - p[5]);
  assert.equal(nearestPair(p, all, large).touching, true, `${apart} apart`);
  assert.equal(nearestPair(p, all, () => least / 2 - 1e-4).touching, false);
  assert.equal(nearestPair(p, all, () => least / 2 + 1e-4).touching, true);
});
test("those that stand parked touch nobody, and one vehicle alone has no distance", () => {
  const roster = makeRoster(1, ["1", "2", "3"].map((id) => ({ id, name: id, flock: 0 })));
  const frame = { ...newFrame(3), n: 3, roster, position: new Float32Array([0, 0, 5, 0.3, 0, 5, 9, 0, 5]), state: new Uint16Array([4, 4, 4]) };
  const world = { ground: 1, flocks: [{ name: "a", airframe: "", model: "", rotors: [], size: 0.4, radius: 0.2, controller: "", look: null }] };
  const near = measureFrame(frame, world);
  assert.ok(near.touching && Math.abs(near.separation - 0.3) < 1e-6 && near.altitude[1] === 4);
  for (const parked of [0, 6]) assert.equal(measureFrame({ ...frame, state: new Uint16Array([parked, 4, 4]) }, world).touching, false);
  assert.ok(Number.isNaN(measureFrame({ ...frame, n: 1 }, world).separation));
});
test("typed numbers mean the numbers of vehicles, whichever of them had it", () => {
  assert.deepEqual(withNumbers(["1", "2", "12", "12.2", "40", "lost-3", "1099511627776"], 2, 12), ["2", "12", "12.2"]);
  assert.deepEqual(withNumbers(["1099511627776"], 1099511627776, 1099511627776), ["1099511627776"]);
});
