// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { standingOf as standing } from "../app/happened.ts";
import { flagsAt, flagsOf } from "../source/conditions.ts";
import { levelOf } from "../source/source.ts";
import { STATE } from "../wire/wire.ts";
import { faultArgs, fieldsOf, readFailing, type Kind } from "./faults.ts";

test("what can fail is read as the server tells it, and anything else is nothing", () => {
  const rotor = { name: "rotor[0]", unit: "1" };
  const faults = [{ component: "link", kind: "off" }];
  const components = [{ ...rotor, kinds: ["off", "bias", "melted"] }, { name: "", unit: "1", kinds: ["off"] }, { name: "x", unit: "1", kinds: [] }];
  assert.deepEqual(readFailing({ name: "uav-3", components, faults }), { name: "uav-3", components: [{ ...rotor, kinds: ["off", "bias"] }], faults });
  for (const bad of [null, 7, {}, { components: [] }, { faults: [], components: "x" }]) assert.equal(readFailing(bad), null);
});
test("each kind asks for what it needs, in the unit of the component", () => {
  const names = (kind: Kind, unit = "1"): string[] => fieldsOf(kind, unit).map((f) => `${f.name} ${f.unit}`.trim());
  assert.deepEqual(names("off"), []);
  assert.deepEqual(names("stuck"), []);
  assert.deepEqual(names("bias", "dB"), ["amount dB"]);
  assert.deepEqual(names("drift"), ["amount of full per second"]);
  assert.deepEqual(names("delay"), ["amount s"]);
  assert.deepEqual(names("drop_out"), ["probability"]);
  assert.deepEqual(names("intermittent"), ["mean_on s on average", "mean_off s on average"]);
  // starts that the server takes: a delay of an actuator is at most 16 ticks
  assert.ok(fieldsOf("delay", "1")[0].start <= 0.16);
});
test("the command has the numbers of its kind and no others", () => {
  assert.deepEqual(faultArgs(["3"], "rotor[0]", "off", {}, 0), { ids: ["3"], component: "rotor[0]", kind: "off" });
  assert.deepEqual(faultArgs(["3"], "link", "bias", { amount: -10 }, 4), { ids: ["3"], component: "link", kind: "bias", amount: [-10, 0, 0], duration: 4 });
  assert.deepEqual(faultArgs(["3"], "link", "drop_out", { probability: 0.3 }, 0), { ids: ["3"], component: "link", kind: "drop_out", probability: 0.3 });
});

const at = (tick: number, what: string, vehicle = "3") => ({ tick, vehicle, what });
test("a recording has flags from its events: conditions come and go, a crash stays", () => {
  const place = "on the ground at (1, 2, 3) m ENU";
  const early = [at(10, `tipped over: ${place}`), at(20, "upright again"), at(30, `stuck: ${place}`), at(35, "free again")];
  const flags = flagsOf([...early, at(40, `upside down: ${place}`), at(50, `crashed: upside down ${place}`), at(60, "upright again"), at(5, "landed", "4")]);
  const seen = [9, 10, 19, 20, 30, 35, 40, 50, 70].map((t) => flagsAt(flags.get("3"), t));
  assert.deepEqual(seen, [0, STATE.tippedOver, STATE.tippedOver, 0, STATE.stuck, 0, STATE.upsideDown, STATE.crashed, STATE.crashed]);
  assert.equal(flags.has("4"), false);
  assert.equal(flagsAt(flags.get("4"), 9), 0);
});
test("a vehicle has a fault until the last one has ended, and a failsafe stays", () => {
  const begun = [at(1, "fault: rotor[2] off"), at(2, "fault: range finder bias (1, 0, 0)"), at(3, "fault: rotor[2] scale 0.5 for 2 s")];
  const lost = "the other rotors carry it, failsafe";
  const ended = [at(4, "fault ended: rotor[2]"), at(5, "fault ended: range_finder"), at(6, `lost rotor[2]: ${lost}: land`)];
  const flags = flagsOf([...begun, ...ended, at(7, `lost rotor[1]: ${lost}: nothing`, "5")]);
  assert.deepEqual([0, 1, 3, 4, 5, 6].map((t) => flagsAt(flags.get("3"), t)), [0, STATE.fault, STATE.fault, STATE.fault, 0, STATE.failsafe]);
  assert.equal(flags.has("5"), false);
});
test("a condition is how a vehicle stands, before its mode", () => {
  assert.deepEqual(standing("no such vehicle", 4 | STATE.stuck), { text: "Stuck", short: "Stuck", bad: true });
  assert.equal(standing("no such vehicle", 6 | STATE.crashed | STATE.failsafe).text, "Crashed");
  assert.equal(standing("no such vehicle", STATE.upsideDown | STATE.tippedOver).text, "Upside down");
  assert.equal(standing("no such vehicle", 4 | STATE.fault).text, "Mission");
});
test("faults are warnings on the timeline, vehicles that lie are errors, and ends are neither", () => {
  assert.equal(levelOf("fault: rotor[0] off"), "warn");
  assert.equal(levelOf("stuck: on the ground at (1, 2, 3) m ENU"), "warn");
  assert.equal(levelOf("tipped over: on the ground at (1, 2, 3) m ENU"), "bad");
  assert.equal(levelOf("upside down: on the ground at (1, 2, 3) m ENU"), "bad");
  for (const what of ["fault ended: rotor[0]", "upright again", "free again"]) assert.equal(levelOf(what), "info");
});
