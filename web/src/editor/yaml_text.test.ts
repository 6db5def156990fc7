// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { changeBetween, copyItem, fieldOf, parse, pathAt, pathOf, Raw, removeIn, setIn, setQuickly, spotOf, valueAt } from "./yaml_text.ts";

const TEXT = `# a head
name: demo   # its name
environment: {wind: [1.0, 0.4, 0], gust_sigma: 0.3}   # light
flocks:
  # an inner ring
  - name: inner
    airframe: crazyflie
    vehicles:
      list:
        - {position: [0, 0, 0], name: first}   # the leader
        - position: [2, 0, 0]                  # its wing
          yaw_deg: 90
    mission: {circle: {radius: 2, period: 9}}
  # an outer one
  - name: outer
    airframe: x500
    vehicles: {grid: {count: 4}}
events:
  - {time: 5, what: mission}
`;
const changedLines = (a: string, b: string): string[] => b.split("\n").filter((l) => !a.split("\n").includes(l));
const set = (path: string, value: unknown, text = TEXT): string => setIn(parse(text), pathOf(path), value)!;

test("a number changes alone: its line keeps its comment and all other lines their bytes", () => {
  const next = set("flocks[0].vehicles.list[1].position", [3, 0, 0]);
  assert.deepEqual(changedLines(TEXT, next), ["        - position: [3, 0, 0]                  # its wing"]);
  assert.equal(next.split("\n").length, TEXT.split("\n").length);
});

test("only the numbers that differ are written anew, as they are typed", () => {
  assert.match(set("environment.wind", [1, 0.4, 2]), /wind: \[1\.0, 0\.4, 2\], gust_sigma: 0\.3\} {3}# light/);
  assert.match(set("environment.gust_sigma", new Raw("0.50")), /gust_sigma: 0\.50\}/);
});

test("what is missing is made: keys in braces, keys on lines, maps on the way, a list below its key", () => {
  assert.match(set("environment.gravity", 9.8), /gust_sigma: 0\.3, gravity: 9\.8\} {3}# light/);
  assert.match(set("flocks[1].start", "hold"), /vehicles: \{grid: \{count: 4\}\}\n {4}start: hold\nevents/);
  assert.match(set("flocks[1].controller.kind", "rpt"), /\n {4}controller: \{kind: rpt\}\nevents/);
  assert.match(set("regions", [{ name: "field", box: { min: [0, 0], max: [1, 1] } }]), /\nregions:\n {2}- name: field\n {4}box: \{min: \[0, 0\], max: \[1, 1\]\}\n$/);
  assert.equal(setIn(parse(""), ["name"], "x"), "name: x\n");
  assert.equal(setIn(parse("environment:   # to come\n"), ["environment", "gravity"], 1), "environment: {gravity: 1}   # to come\n");
});

test("several fields at once are what they are one after the other", () => {
  const edits = [{ path: pathOf("flocks[0].vehicles.list[1].position"), value: [7, 8, 9] }, { path: pathOf("environment.wind"), value: [0, 0, 1] }, { path: pathOf("flocks[0].mission.circle.radius"), value: 5 }];
  let slowly = TEXT;
  for (const e of edits) slowly = setIn(parse(slowly), e.path, e.value)!;
  assert.equal(setQuickly(parse(TEXT), edits), slowly);
});

test("keys stand in the order that is asked for", () => {
  const order = (): string[] => ["name", "seed", "environment", "flocks", "regions", "events"];
  assert.match(setIn(parse(TEXT), ["seed"], 7, order)!, /# its name\nseed: 7\nenvironment/);
  assert.match(setIn(parse(TEXT), ["regions"], [{ name: "a" }], order)!, /\nregions:\n {2}- name: a\nevents/);
});

test("items join a list as its others are written", () => {
  assert.match(set("flocks[0].vehicles.list[2]", { position: [4, 0, 0] }), /yaw_deg: 90\n {8}- position: \[4, 0, 0\]\n {4}mission/);
  assert.match(set("events[1]", { time: 9, what: "land" }), /\n {2}- \{time: 9, what: land\}\n$/);
  const points = "p: [[0, 0, 1], [1, 0, 1]]  # two\n";
  assert.equal(set("p[2]", [2, 0, 1], points), "p: [[0, 0, 1], [1, 0, 1], [2, 0, 1]]  # two\n");
});

test("another kind takes the place of the one before, on lines or in braces", () => {
  const a = set("flocks[0].vehicles", { ring: { count: 3, radius: 2 } });
  assert.match(a, /airframe: crazyflie\n {4}vehicles: \{ring: \{count: 3, radius: 2\}\}\n {4}mission/);
  assert.match(set("flocks[1].vehicles", { list: [{ position: [0, 0, 0] }] }), /vehicles: \{list: \[\{position: \[0, 0, 0\]\}\]\}\nevents/);
});

test("removing takes whole lines with the comment above, or the comma in braces", () => {
  const next = removeIn(parse(TEXT), ["flocks", 1])!;
  assert.ok(!next.includes("outer") && next.includes("# an inner ring") && next.includes("period: 9}}\nevents"));
  assert.match(removeIn(parse(TEXT), ["environment", "wind"])!, /environment: \{gust_sigma: 0\.3\} {3}# light/);
  assert.match(removeIn(parse(TEXT), ["environment", "gust_sigma"])!, /environment: \{wind: \[1\.0, 0\.4, 0\]\} {3}# light/);
  assert.ok(!removeIn(parse(TEXT), ["events", 0])!.includes("events"), "an empty list goes");
  assert.match(removeIn(parse(TEXT), pathOf("flocks[0].vehicles.list[1].position"))!, /- yaw_deg: 90/);
  const one = removeIn(parse(TEXT), pathOf("flocks[0].vehicles.list[0]"))!;
  assert.deepEqual(valueAt(parse(one).value, pathOf("flocks[0].vehicles.list")), [{ position: [2, 0, 0], yaw_deg: 90 }]);
});

test("a copy is written like what it is a copy of", () => {
  const next = parse(copyItem(parse(TEXT), ["flocks", 1])!);
  assert.deepEqual((next.value as { flocks: { name: string }[] }).flocks.map((f) => f.name), ["inner", "outer", "outer"]);
  assert.match(copyItem(parse("p: [{a: 1}]\n"), ["p", 0])!, /p: \[\{a: 1\}, \{a: 1\}\]/);
});

test("texts that need quotes get them", () => {
  for (const text of ["a: b", "x, y", "# no", "true", "12", "", "- a", "two\nlines", "\u00e9t\u00e9", "a #b", "'q'", '"']) {
    assert.equal(valueAt(parse(set("environment.title", text)).value, ["environment", "title"]), text, text);
    assert.equal(valueAt(parse(set("name", text)).value, ["name"]), text, text);
  }
});

test("a place that cannot be changed safely is refused, not spoilt", () => {
  assert.equal(setIn(parse("a: [1, 2"), ["a", 0], 5), null);
  assert.equal(setIn(parse("- 1\n"), ["name"], "x"), null);
});

test("fields, lines and places in the text find each other", () => {
  assert.equal(fieldOf(pathOf("flocks[0].vehicles.list[2].position[1]")), "flocks[0].vehicles.list[2].position[1]");
  const p = parse(TEXT);
  assert.deepEqual(spotOf(p, pathOf("flocks[0].vehicles.list[1].yaw_deg")).line, 12);
  assert.deepEqual(spotOf(p, pathOf("flocks[1].mission.circle")).line, 15, "of a missing field: what is around it");
  assert.deepEqual(pathAt(p, TEXT.indexOf("yaw_deg") + 9), pathOf("flocks[0].vehicles.list[1].yaw_deg"));
  assert.deepEqual(pathAt(p, TEXT.indexOf("count")), pathOf("flocks[1].vehicles.grid.count"));
});

test("in every shipped scenario every scalar can be set to itself, removed and set again", () => {
  const folder = join(import.meta.dirname, "../../../scenarios");
  for (const file of readdirSync(folder).filter((f) => f.endsWith(".yaml"))) {
    const text = readFileSync(join(folder, file), "utf8");
    const p = parse(text);
    const walk = (v: unknown, path: (string | number)[]): void => {
      if (typeof v === "object" && v !== null) return Object.entries(v).forEach(([k, x]) => walk(x, [...path, Array.isArray(v) ? Number(k) : k]));
      assert.equal(valueAt(parse(setIn(p, path, 123) ?? "").value, path), 123, `${file} ${fieldOf(path)}`);
      if (typeof path.at(-1) === "string") assert.equal(valueAt(parse(removeIn(p, path) ?? "x: [").value, path), undefined, `${file} ${fieldOf(path)}`);
    };
    walk(p.value, []);
  }
});

test("between two texts there is one change", () => {
  assert.deepEqual(changeBetween("a 1 b", "a 12 b"), { from: 3, to: 3, insert: "2" });
  assert.deepEqual(changeBetween("aa", "aaa"), { from: 2, to: 2, insert: "a" });
  assert.deepEqual(changeBetween("x", "x"), { from: 1, to: 1, insert: "" });
});
