// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What people see of autopilots, in real Chromium against tools/fake_server.mjs: every part of the panels. mavlink.test.mjs has real ones.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { becomes, complaints, open, OUT, poorControls, says, sideways, v } from "./page.mjs";

const LINK = { address: "udpout:127.0.0.1:14550", state: "connected", peers: ["udp 127.0.0.1:14550"], received: 52, received_rate: 2, sent: 9812, sent_rate: 142.4, lost: 3, bad: 1, refused: 0, dropped: 0, signed: false };
const SILENT = { address: "serial:/dev/serial/by-id/usb-a_very_long_name_of_a_telemetry_radio-if00:57600", state: "no answer", peers: [], received: 0, received_rate: 0, sent: 9812, sent_rate: 142.4, lost: 0, bad: 0, refused: 0, dropped: 12, signed: true };
const LOCKSTEP = { autopilot: "PX4", vehicles: 10, gone: 1, rate: 248.6, factor: 0.99, wait: 0.00212, slowest: "uav-7", slowest_wait: 0.00198, waiting_for: ["uav-7", "uav-8"] };
/** Vehicles with odd numbers have an autopilot, and one of them has lost it. */
function pretend(more = {}) {
  const state = { mode: "Hold", armed: false, messages: [{ time: 3.2, severity: "info", text: "Ready for takeoff" }, { time: 5, severity: "warning", text: "GPS fix is poor" }, { time: 6.5, severity: "critical", text: "Arming denied: the compass is not calibrated, and this sentence is longer than the panel is wide" }], links: [LINK, SILENT], lockstep: [LOCKSTEP], ...more };
  const one = (id) => ({ id, name: `uav-${id}`, autopilot: "PX4", system: id, mode: state.mode, armed: state.armed, messages: state.messages, ...(id === 9 ? { trouble: "exit code 3" } : {}), ...(id === 7 ? { autopilot: "", system: 0, mode: "", armed: false, trouble: "it is not heard", companion: "not heard", messages: [] } : {}) });
  const tell = (query) => {
    const ids = query.get("ids")?.split(",").map(Number) ?? [1, 3, 5];
    return { tick: 1, time: 1, total: 12, vehicles: ids.filter((id) => id % 2).map(one), links: state.links, lockstep: state.lockstep };
  };
  return { state, tell };
}
const pick = (t, id) => v(t.page, (x) => volary.select(x === null ? [] : [x]), id);

test("a vehicle shows its autopilot, mode, arming and status texts with their gravity in words", async () => {
  const { state, tell } = pretend();
  const t = await open({ server: { autopilots: tell } });
  await pick(t, "5");
  await says(t.page, ".autopilot", /Autopilot PX4 \u00b7 MAVLink system 5/i, /Mode\s+Hold/, /Armed\s+no/);
  // the newest first; a picture of the gravity, and a word where it is grave
  await says(t.page, ".said li:nth-child(1)", /0:06\.5\s+Critical: Arming denied/);
  await says(t.page, ".said li:nth-child(2)", /Warning: GPS fix is poor/);
  await says(t.page, ".said li:nth-child(3)", /^0:03\.2\s+Ready for takeoff$/);
  assert.deepEqual(await t.page.locator(".said svg").evaluateAll((all) => all.map((e) => e.getAttribute("aria-label"))), ["critical", "warning", "info"]);
  const colour = (selector) => v(t.page, (x) => getComputedStyle(document.querySelector(x)).color, selector);
  assert.notEqual(await colour(".said .bad .severity"), await colour(".said .warn .severity"));
  // what comes is shown and, when it is grave, spoken
  state.mode = "Takeoff", state.armed = true;
  state.messages = [...state.messages, { time: 9, severity: "error", text: "Motor 2 failed" }];
  await says(t.page, ".autopilot", /Mode\s+Takeoff/, /Armed\s+yes/);
  await says(t.page, "[aria-live=polite]", /uav-5, error: Motor 2 failed/);
  await t.page.getByRole("button", { name: "Disarm" }).waitFor();
  assert.equal(await t.page.getByRole("list", { name: "Status texts" }).locator("li").count(), 4);
  await t.page.screenshot({ path: join(OUT, "autopilot-vehicle.png") });
  // one without an autopilot, one whose autopilot is gone
  await pick(t, "4");
  await t.page.waitForSelector(".autopilot", { state: "detached" });
  await pick(t, "9");
  await says(t.page, ".trouble", /Trouble with PX4: exit code 3\./);
  // a mirror whose autopilot was never heard
  await pick(t, "7");
  await says(t.page, ".autopilot", /^Autopilot\s+Mode\s+not known\s+Armed\s+no\s+Companion\s+not heard/i, /Trouble with the autopilot: it is not heard\./, /has said nothing yet/);
  assert.deepEqual(complaints(t.said), []);
  await t.close();
});

test("with nothing selected, links and lock-step are told, and what is wrong stands out", async () => {
  const { state, tell } = pretend();
  const t = await open({ server: { autopilots: tell }, size: { width: 1440, height: 1200 } });
  await says(t.page, ".lockstep", /Lock-step: PX4/i, /Vehicles\s+10/, /Autopilots gone\s+1/, /Exchanges\s+249\s*\/s/, /Against real time\s+0\.99/, /Wait per exchange\s+2\.12\s*ms/, /Slowest\s+uav-7, 1\.98\s?ms/, /The run waits for uav-7, uav-8\./);
  await says(t.page, ".mav-link", /udpout:127\.0\.0\.1:14550\s+connected/, /Frames received\s+2\.0\s*\/s/, /Frames sent\s+142\s*\/s/, /Lost, bad, refused\s+3, 1, 0/, /Heard from\s+udp 127\.0\.0\.1:14550/);
  await says(t.page, ".mav-link:nth-of-type(2)", /no answer/, /Heard from\s+none/, /Dropped\s+12/, /Signed\s+yes/);
  assert.equal(await sideways(t.page), false);
  for (const theme of ["light", "dark"]) {
    await v(t.page, (x) => volary.set({ theme: x, seenCard: true }), theme);
    await v(t.page, () => volary.settle());
    await t.page.screenshot({ path: join(OUT, `autopilots-run-${theme}.png`) });
  }
  state.lockstep = [], state.links = [LINK];
  await t.page.waitForSelector(".lockstep", { state: "detached" });
  assert.deepEqual(await poorControls(t.page, 24), []);
  assert.deepEqual(complaints(t.said), []);
  await t.close();
});

test("a refusal is a notice in the autopilot's words; arming, take-off and return are commands of the page", async () => {
  const { tell } = pretend();
  const t = await open({ server: { autopilots: tell, refuses: "uav-5: Arming denied: the vehicle has crashed" } });
  await pick(t, "5");
  for (const [name, mode] of [["Arm", "arm"], ["Take off", "take_off"], ["Return to the start and land", "return"]]) {
    await t.page.locator(".autopilot").getByRole("button", { name, exact: true }).click();
    await says(t.page, ".notice.bad", new RegExp(`${mode.replace("_", " ")} was refused: uav-5: Arming denied: the vehicle has crashed\\.`));
    assert.deepEqual(t.server.log.at(-1)?.args, { ids: ["5"], mode });
  }
  await t.close();
});

test("a run without autopilots, and the past of one that has them, show nothing of them and load no code for it", async () => {
  const plain = await open();
  const asked = [];
  plain.page.on("request", (r) => asked.push(r.url()));
  await pick(plain, "5");
  await says(plain.page, ".inspector", /Flight/i);
  await pick(plain, null);
  await v(plain.page, () => volary.settle());
  assert.equal(await plain.page.locator(".autopilot, .mav-link, .lockstep").count(), 0);
  assert.deepEqual(asked.filter((x) => /autopilots/.test(x)), []);
  assert.match(await v(plain.page, () => volary.actions().find((a) => a.id === "mode.arm").may), /only with an autopilot/);
  await plain.close();

  const { tell } = pretend();
  const t = await open({ server: { autopilots: tell } });
  await pick(t, "5");
  await t.page.waitForSelector(".autopilot");
  await v(t.page, () => volary.seek(volary.clock().extent.first));
  await t.page.waitForSelector(".autopilot", { state: "detached" });
  await v(t.page, () => volary.perform("time.live"));
  await t.page.waitForSelector(".autopilot");
  await t.close();
});

test("on a phone the panels fit", async () => {
  const { tell } = pretend();
  const t = await open({ server: { autopilots: tell }, size: { width: 390, height: 844 }, touch: true });
  await pick(t, "5");
  await t.page.getByRole("tab", { name: "Inspector" }).click();
  await t.page.getByRole("button", { name: "Larger panels" }).click();
  await t.page.waitForSelector(".autopilot");
  await t.page.locator(".autopilot").scrollIntoViewIfNeeded();
  assert.equal(await sideways(t.page), false);
  assert.deepEqual(await poorControls(t.page, 24), []);
  await t.page.screenshot({ path: join(OUT, "autopilot-phone.png") });
  await t.close();
});
