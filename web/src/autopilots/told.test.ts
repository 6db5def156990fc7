// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { gradeOf, named, newMessages, readTold, SEVERITIES, type Message } from "./told.ts";

const said = (time: number, text: string): Message => ({ time, severity: "info", text });

test("what the server tells is read, and what is missing or malformed is empty", () => {
  const told = readTold({
    total: 3,
    vehicles: [{ id: 2, name: "uav[1]", autopilot: "PX4", system: 2, mode: "Hold", armed: true, companion: "lands", messages: [{ time: 1.5, severity: "critical", text: "Arming denied" }, { severity: "loud" }, 7] }, { id: 3, trouble: "exit code 3" }],
    links: [{ address: "udpout:127.0.0.1:14550", state: "connected", peers: ["udp 127.0.0.1:14550", 4], received_rate: 2.5, sent_rate: 140, lost: 1, bad: 2, refused: 3, dropped: 4, signed: true }],
    lockstep: [{ autopilot: "PX4", vehicles: 10, gone: 1, rate: 250, factor: 1, wait: 0.002, slowest: "uav[4]", slowest_wait: 0.0019, waiting_for: ["uav[4]"] }],
  });
  assert.deepEqual(told?.vehicles[0], { id: "2", kind: "PX4", system: 2, mode: "Hold", armed: true, trouble: "", companion: "lands", messages: [{ time: 1.5, severity: "critical", text: "Arming denied" }, { time: 0, severity: "info", text: "" }] });
  assert.deepEqual(told?.vehicles[1], { id: "3", kind: "", system: 0, mode: "", armed: false, trouble: "exit code 3", companion: "", messages: [] });
  assert.deepEqual(told?.links, [{ address: "udpout:127.0.0.1:14550", state: "connected", peers: ["udp 127.0.0.1:14550"], receivedRate: 2.5, sentRate: 140, lost: 1, bad: 2, refused: 3, dropped: 4, signed: true }]);
  assert.deepEqual(told?.lockstep, [{ kind: "PX4", vehicles: 10, gone: 1, rate: 250, factor: 1, wait: 0.002, slowest: "uav[4]", slowestWait: 0.0019, waitingFor: ["uav[4]"] }]);
  assert.deepEqual(readTold({ vehicles: [], links: "none", lockstep: [null] }), { total: 0, vehicles: [], links: [], lockstep: [] });
  for (const wrong of [null, 5, [], { error: "no such address" }]) assert.equal(readTold(wrong), null);
});

test("every severity has one of three grades, and the graver never looks the lighter", () => {
  assert.deepEqual(SEVERITIES.map(gradeOf), ["bad", "bad", "bad", "bad", "warn", "info", "info", "info"]);
});

test("only messages that were not there before are new, also when old ones are dropped", () => {
  const [a, b, c] = [said(1, "Armed"), said(2, "Takeoff denied"), said(2, "Disarmed")];
  assert.deepEqual(newMessages([], [a, b]), [a, b]);
  assert.deepEqual(newMessages([a, b], [a, b]), []);
  assert.deepEqual(newMessages([a, b], [b, c]), [c]);
  assert.deepEqual(newMessages([a, b, c], [a]), [a], "another run");
});

test("a few names are told, and how many there are beside them", () => {
  assert.equal(named(["a", "b"]), "a, b");
  assert.equal(named(["a", "b", "c", "d", "e"]), "a, b, c and 2 more");
});
