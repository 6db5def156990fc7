// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { handlesOf, type Edit, type Ground, type Handle } from "./handles.ts";
import { fieldOf, parse, pathOf, setIn } from "./yaml_text.ts";

const TEXT = `flocks:
  - name: a
    vehicles: {list: [{position: [1, 2, 0]}, {position: [5, 0, 3], yaw_deg: 90}]}
    mission: {waypoints: {points: [[0, 0, 2], [10, 0, 2]], speed: 1}}
  - name: b
    vehicles: {grid: {count: 16, spacing: 2, origin: [10, 0, 0]}}
    mission: {circle: {radius: 4, speed: 1, height: 6, centre: [0, 0, 0], spread: true}}
  - name: c
    vehicles: {formation: {shape: v, count: 5, spacing: 2, heading_deg: 30}}
  - name: d
    vehicles: {random: {count: 5, min: [-5, -5, 0], max: [5, 5, 2]}}
  - name: e
    vehicles: {swirl: {count: 5, radius: 3}}
regions:
  - name: field
    box: {min: [-50, -50], max: [50, 50]}
    ceiling: 30
  - name: tower
    cylinder: {centre: [0, 10], radius: 20}
  - name: odd
    polygon: {corners: [[0, 0], [10, 0], [5, 8]]}
`;
const FIELDS: Record<string, string> = { waypoints: "points speed centre", circle: "radius speed height centre", grid: "count spacing origin", formation: "shape count spacing heading heading_deg origin", random: "count min max", swirl: "count radius origin", box: "min max", cylinder: "centre radius", polygon: "corners" };
const ground: Ground = {
  value: parse(TEXT).value,
  preview: { name: "", seed: "1", duration: 1, ground: 0, has_ground: true, flocks: [{ name: "a", airframe: "", model: "", controller: "", rotors: [], size_m: 1, count: 2, starts: [[1, 2, 0, 0], [5, 0, 3, 0]], centres: [[1, 2, 0], [5, 0, 3]], curve: [] }] },
  has: (path) => new Set((FIELDS[String(path.at(-1))] ?? "").split(" ")),
};
const all = (field: string): Handle[] => handlesOf(ground, pathOf(field));
const get = (field: string, key: string): Handle => {
  const h = all(field).find((x) => x.key === key);
  assert.ok(h, `${key} is not among ${all(field).map((x) => x.key).join(" ")}`);
  return h;
};
const said = (edits: Edit[]): string => edits.map((e) => `${fieldOf(e.path)} = ${JSON.stringify(e.value)}`).join("; ");

test("a vehicle of a list is moved on the ground in whole metres, freely with Alt, and lifted", () => {
  const h = get("flocks[0]", "flocks.0.vehicles.list.1.position:move");
  assert.deepEqual(h.at, [5, 0, 3]);
  assert.equal(said(h.put([7.4, -1.6, 3], false)), "flocks[0].vehicles.list[1].position = [7,-2,3]");
  assert.equal(said(h.put([7.4, -1.6, 3], true)), "flocks[0].vehicles.list[1].position = [7.4,-1.6,3]");
  assert.equal(said(h.put([5, 0, 7.2], false)), "flocks[0].vehicles.list[1].position = [5,0,7]");
  assert.equal(said(h.type([12.5])), "flocks[0].vehicles.list[1].position = [12.5,0,3]");
  assert.deepEqual(h.ghost!([7, 0, 3], h.put([7, 0, 3], false)).shift, [2, 0, 0]);
});

test("a ring turns the vehicle that is selected, in steps of five degrees", () => {
  assert.ok(!all("flocks[0]").some((h) => h.role === "turn"));
  const h = all("flocks[0].vehicles.list[1]").find((x) => x.role === "turn")!;
  assert.ok(Math.abs(h.angle - Math.PI / 2) < 1e-9);
  assert.equal(said(h.put([4, 0.01, 3], false)), "flocks[0].vehicles.list[1].yaw_deg = -180");
  assert.equal(said(h.put([6, 1.05, 3], false)), "flocks[0].vehicles.list[1].yaw_deg = 45");
});

test("waypoints hang on the start of the first vehicle, or on their centre", () => {
  const h = get("flocks[0]", "flocks.0.mission.waypoints.points.1:point");
  assert.deepEqual(h.at, [11, 2, 2]);
  assert.equal(said(h.put([14, 5, 2], false)), "flocks[0].mission.waypoints.points[1] = [13,3,2]");
});

test("a grid has origin, spacing and count; a circle its centre, radius and height", () => {
  assert.equal(said(get("flocks[1]", "flocks.1.vehicles.grid.origin:move").put([3.2, 1, 0], false)), "flocks[1].vehicles.grid.origin = [3,1,0]");
  const spacing = get("flocks[1]", "flocks.1.vehicles.grid.spacing:size");
  assert.deepEqual(spacing.at, [14, 0, 0]);
  assert.equal(said(spacing.put([16, 0, 0], false)), "flocks[1].vehicles.grid.spacing = 3");
  const count = get("flocks[1]", "flocks.1.vehicles.grid.count:count");
  assert.equal(said(count.put([10, -8, 0], false)), "flocks[1].vehicles.grid.count = 64");
  assert.equal(said(count.type([25])), "flocks[1].vehicles.grid.count = 25");
  assert.equal(said(get("flocks[1]", "flocks.1.mission.circle.radius:size").put([7.2, 0, 6], false)), "flocks[1].mission.circle.radius = 7");
  assert.deepEqual(get("flocks[1]", "flocks.1.mission.circle.centre:move").at, [0, 0, 6]);
  assert.equal(said(get("flocks[1]", "flocks.1.mission.circle.centre:move").put([2, 0, 6], false)), "flocks[1].mission.circle.centre = [2,0,0]");
  assert.equal(said(get("flocks[1]", "flocks.1.mission.circle.height:height").put([0, 0, 9], false)), "flocks[1].mission.circle.height = 9");
});

test("a formation turns, a random box has corners, a kind nobody knows follows its words", () => {
  assert.equal(said(all("flocks[2]").find((h) => h.role === "turn")!.put([0, 5, 0], false)), "flocks[2].vehicles.formation.heading_deg = 90");
  const corner = get("flocks[3]", "flocks.3.vehicles.random:corner11");
  assert.equal(said(corner.put([8, 9, 2], false)), "flocks[3].vehicles.random.min = [-5,-5,0]; flocks[3].vehicles.random.max = [8,9,2]");
  assert.deepEqual(all("flocks[4]").map((h) => h.role), ["move", "size", "count"]);
});

test("regions: corners do not pass each other, a polygon moves as a whole, a ceiling is lifted", () => {
  assert.equal(said(get("regions[0]", "regions.0.box:corner10").put([60, -70, 0], false)), "regions[0].box.min = [-50,-70]; regions[0].box.max = [60,50]");
  assert.equal(said(get("regions[0]", "regions.0.box:corner00").put([80, -50, 0], false)), "regions[0].box.min = [49.9,-50]; regions[0].box.max = [50,50]");
  assert.equal(said(get("regions[0]", "regions.0.ceiling:height").put([0, 0, 42.2], false)), "regions[0].ceiling = 42");
  assert.equal(said(get("regions[1]", "regions.1.cylinder.centre:move").put([3, 12, 0], false)), "regions[1].cylinder.centre = [3,12]");
  assert.equal(said(get("regions[1]", "regions.1.cylinder.radius:size").put([0, 35, 0], false)), "regions[1].cylinder.radius = 25");
  assert.equal(said(get("regions[2]", "regions.2.polygon.corners.2:point").put([6, 9, 0], false)), "regions[2].polygon.corners[2] = [6,9]");
  assert.equal(said(get("regions[2]", "regions.2.polygon.corners:together").put([6, 8 / 3, 0], false)), "regions[2].polygon.corners = [[1,0],[11,0],[6,8]]");
});

test("every handle of every item can be written into the text", () => {
  const p = parse(TEXT);
  for (const field of ["flocks[0].vehicles.list[0]", "flocks[1]", "flocks[2]", "flocks[3]", "flocks[4]", "regions[0]", "regions[1]", "regions[2]"])
    for (const h of all(field)) for (const e of h.put([h.at[0] + 3, h.at[1] - 2, h.at[2] + 1], false)) assert.ok(setIn(p, e.path, e.value), `${h.key} ${said([e])}`);
});

test("what is half written has no handles and does no harm", () => {
  for (const value of [undefined, null, {}, { flocks: 3 }, { flocks: [null] }, { flocks: [{ vehicles: { list: [null, { position: "x" }, { position: [1] }] } }] }, { regions: [{ box: { min: [1], max: null } }] }]) {
    assert.deepEqual(handlesOf({ ...ground, value }, ["flocks", 0]).filter((h) => !h.at.every(Number.isFinite)), []);
    assert.deepEqual(handlesOf({ ...ground, value }, ["regions", 0]).length, 0);
  }
});
