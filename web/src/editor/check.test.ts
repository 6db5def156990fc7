// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { didYouMean, schemaProblems, syntaxProblems } from "./check.ts";
import { alternatives, fieldAt, fieldsOf, helpOf, link, rootField, skeleton, slider, split, unitOf, withoutTwins, type Schema } from "./schema.ts";
import { parse } from "./yaml_text.ts";

const vec = (n: number): Schema => ({ type: "array", items: { type: "number", minimum: -100, maximum: 100 }, minItems: n, maxItems: n });
export const SCHEMA: Schema = {
  type: "object",
  additionalProperties: false,
  required: ["flocks"],
  properties: {
    include: { type: "array", items: { type: "string" } },
    name: { type: "string", minLength: 1, default: "world", description: "name of the scenario" },
    duration: { type: "number", minimum: 1e-6, maximum: 1e9, default: 30, description: "simulated length of the run [s]" },
    seed: { type: "integer", minimum: 0, default: 1 },
    quiet: { type: "boolean", default: false },
    flocks: {
      type: "array",
      minItems: 1,
      items: {
        type: "object",
        additionalProperties: false,
        required: ["name", "vehicles"],
        properties: {
          name: { type: "string", minLength: 1 },
          yaw: { type: "number", minimum: -6.283, maximum: 6.283, default: 0, description: "at the start [rad]" },
          yaw_deg: { type: "number", minimum: -360.00000000000006, maximum: 360.00000000000006, description: "at the start [deg]" },
          start: { type: "string", enum: ["hold", "mission"], default: "mission" },
          vehicles: {
            type: "object",
            additionalProperties: false,
            description: "where they start: one of spiral, list",
            properties: {
              spiral: { type: "object", additionalProperties: false, required: ["turns", "reach"], properties: { turns: { type: "integer", minimum: 2 }, reach: vec(3), speed: { type: "number", description: "speed along the spiral; give exactly one of speed and period [m/s]" }, period: { type: "number", description: "time of one turn; give exactly one of speed and period [s]" } } },
              list: { type: "array", minItems: 1, items: { type: "object", required: ["position"], properties: { position: vec(3) } } },
            },
          },
        },
      },
    },
  },
};
const problems = (text: string): string[] => schemaProblems(parse(text), SCHEMA).map((p) => `${p.line}:${p.column} ${p.field}: ${p.message}${p.suggestion ? ` (${p.suggestion})` : ""}`);
const good = "flocks:\n  - name: a\n    vehicles: {spiral: {turns: 3, reach: [1, 2, 3]}}\n";

test("a good text has no problems, with numbers in every way the program reads them", () => {
  assert.deepEqual(problems(good), []);
  assert.deepEqual(problems(`duration: 1e3\nseed: 25.0\nquiet: yes\nname: 12\n${good}`), []);
  assert.deepEqual(problems(""), []);
});

test("types, ranges, words and missing fields are said with line, column and field", () => {
  assert.deepEqual(problems(`duration: fast\nseed: -1\nquiet: maybe\n${good}`), ["1:11 duration: expected a number, found 'fast'", "2:7 seed: -1 is out of range: must be at least 0", "3:8 quiet: expected true or false, found 'maybe'"]);
  assert.deepEqual(problems(good.replace("turns: 3", "turns: 2.5")), ["3:32 flocks[0].vehicles.spiral.turns: expected a whole number, found '2.5'"]);
  assert.deepEqual(problems(good.replace("[1, 2, 3]", "[1, 2]")), ["3:35 flocks[0].vehicles.spiral.reach: expected 3 numbers, found 2"]);
  assert.deepEqual(problems(good.replace("turns: 3, ", "")), ["3:16 flocks[0].vehicles.spiral.turns: 'turns' is missing"]);
  assert.deepEqual(problems(`${good}    start: holt\n`), ["4:12 flocks[0].start: expected one of hold, mission, found 'holt' (did you mean 'hold'?)"]);
  assert.deepEqual(problems("flocks: []\n"), ["1:1 flocks: has 0 entries: at least 1 are needed"]);
  assert.deepEqual(problems("name: a\n"), ["1:1 flocks: 'flocks' is missing"]);
  assert.deepEqual(problems('duration: "5"\n' + good), ["1:11 duration: expected a number, found '5' (remove the quotes)"]);
});

test("an unknown field is named with the one that may have been meant", () => {
  assert.deepEqual(problems(`duratoin: 5\n${good}`), ["1:1 duratoin: there is no field 'duratoin' here (did you mean 'duration'?)"]);
  assert.equal(didYouMean("zebra", ["name", "seed"]), "");
});

test("an angle is given once, and what an included file may hold is not missed", () => {
  assert.deepEqual(problems(`${good}    yaw: 1\n    yaw_deg: 5\n`), ["5:14 flocks[0].yaw_deg: both yaw and yaw_deg are given (leave one of the two out)"]);
  assert.deepEqual(problems("include: [base.yaml]\n"), []);
});

test("what does not parse is said where it breaks", () => {
  const p = syntaxProblems(parse("name: [1, 2\nflocks: 3\n"));
  assert.ok(p.length > 0 && p.every((x) => x.level === "error" && x.line >= 1));
  assert.equal(syntaxProblems(parse("a: 1\na: 2\n"))[0].line, 2);
});

test("units, help and alternatives are read from descriptions", () => {
  const duration = SCHEMA.properties!["duration"];
  assert.equal(unitOf(duration), "s");
  assert.equal(helpOf(duration), "Simulated length of the run");
  assert.deepEqual(alternatives(fieldAt(SCHEMA, ["flocks", 0, "vehicles"])!.schema), ["spiral", "list"]);
  assert.deepEqual(alternatives({ type: "object", properties: { a: {}, b: {} }, oneOf: [{ required: ["a"] }, { required: ["b"] }] }), ["a", "b"]);
  assert.deepEqual(alternatives(SCHEMA), []);
});

test("a kind that nobody has heard of gets first values that are good", () => {
  const spiral = fieldAt(SCHEMA, ["flocks", 0, "vehicles", "spiral"])!;
  assert.deepEqual(skeleton(spiral), { turns: 2, reach: [0, 0, 0], speed: 1 });
  const text = `flocks: [${JSON.stringify(skeleton(fieldAt(SCHEMA, ["flocks", 0])!))}]\n`;
  assert.deepEqual(problems(text), []);
});

test("points of a new list differ, and an outline has a shape", () => {
  const corners = skeleton({ name: "corners", required: true, alternatives: [], schema: { type: "array", minItems: 3, items: vec(2) } }) as number[][];
  assert.equal(new Set(corners.map(String)).size, 3);
  assert.equal(corners[0].length, 2);
});

test("sliders come only with both ends near; an angle shows once; the rest is behind More", () => {
  assert.equal(slider(SCHEMA.properties!["duration"]), null);
  assert.deepEqual(slider({ type: "number", minimum: 0, maximum: 10 }), { min: 0, max: 10, step: 0.05 });
  assert.equal(slider({ type: "number", minimum: 1e-6, maximum: 1 }), null);
  const flock = fieldsOf(fieldAt(SCHEMA, ["flocks", 0])!);
  assert.equal(slider(flock.find((f) => f.name === "yaw_deg")!.schema)?.max, 360);
  assert.deepEqual(withoutTwins(flock, {}).map((f) => f.name), ["name", "yaw_deg", "start", "vehicles"]);
  assert.deepEqual(withoutTwins(flock, { yaw: 1 }).map((f) => f.name), ["name", "yaw", "start", "vehicles"]);
  const many = Array.from({ length: 12 }, (_, k) => ({ name: `f${k}`, schema: k === 0 ? {} : { default: 1 }, required: k === 11, alternatives: [] }));
  assert.deepEqual(split(many, { f9: 1 }).shown.map((f) => f.name), ["f1", "f2", "f3", "f4", "f5", "f6", "f7", "f9", "f11"]);
  assert.equal(rootField(SCHEMA).required, true);
});

test("a thing that is a part of itself has a form at any depth, and a first value that ends", () => {
  const schema = link({
    type: "object",
    properties: { tasks: { type: "array", items: { $ref: "#/$defs/predicate" } } },
    $defs: {
      predicate: {
        type: "object",
        properties: { near: { type: "number", minimum: 2 }, all_of: { type: "array", minItems: 1, items: { $ref: "#/$defs/predicate" } }, not: { $ref: "#/$defs/predicate", description: "the contrary" } },
        oneOf: [{ required: ["all_of"] }, { required: ["not"] }, { required: ["near"] }],
      },
    },
  });
  assert.equal(fieldAt(schema, ["tasks", 0, "all_of", 3, "not", "all_of", 0, "near"])?.schema.minimum, 2);
  assert.equal(helpOf(fieldAt(schema, ["tasks", 0, "not"])!.schema), "The contrary");
  assert.deepEqual(skeleton(fieldAt(schema, ["tasks", 0])!), { near: 2 });
});
