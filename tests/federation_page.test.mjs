// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A federation behind the page and REST of `volary run`, from outside.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folder, meet, PROGRAM, ROOT, runs, skip, up } from "./federation_up_support.mjs";
import { check } from "./json_schema.mjs";

const description = JSON.parse(readFileSync(join(ROOT, "schema/openapi.json"), "utf8"));

test("page and REST of a federation: nodes, commands, and the hash of one process", { skip, timeout: 300_000 }, async () => {
  const recording = join(folder, "steered.vrec");
  const f = await up("rest", ["mixed", "--nodes", "2", "--speed", "1", "--duration", "600", "--record", recording], { page: true });
  const get = async (path) => { const a = await fetch(f.base + path); return { status: a.status, json: await a.json() }; };
  const post = async (name, body = {}) => { const a = await fetch(`${f.base}/api/live/${name}`, { method: "POST", body: JSON.stringify(body) }); return { status: a.status, json: await a.json() }; };
  const nodes = await meet(async () => { const { json } = await get("/api/live/nodes"); return json.nodes?.length === 2 && json.nodes.every((n) => n.state === "running" && n.memory > 0) && json; }, "both nodes run");
  assert.deepEqual(check(nodes, { $ref: "#/components/schemas/Nodes" }, description), []);
  assert.deepEqual(nodes.views.map((v) => v.view), ["committed", "aligned", "newest", "paper"]);
  const rest = (await get(`/api/live/nodes?after=${nodes.samples.number.at(-1)}`)).json;
  assert.ok(rest.samples.number.every((n) => n > nodes.samples.number.at(-1)));
  assert.equal((await get("/api/live/nodes?after=x")).status, 400);

  // paused, the world stands still; steps are exact; a command acts
  assert.equal((await post("pause")).status, 200);
  const { tick } = (await get("/api/live")).json;
  assert.equal((await post("step", { ticks: 25 })).json.tick, tick + 25);
  assert.equal((await post("goto", { ids: ["1"], position: [4, 4, 9] })).status, 200);
  assert.equal((await post("step", { ticks: 300 })).json.tick, tick + 325);
  const vehicle = (await get("/api/live/vehicles?ids=1")).json.vehicles[0];
  assert.ok(vehicle.position[2] > 2, JSON.stringify(vehicle));
  assert.equal((await get("/api/live/vehicles?ids=1&columns=setpoint.position")).status, 404);
  assert.equal((await post("start", { scenario: "default" })).status, 409);
  await f.end();
  // one process that is given the recorded inputs has every hash
  const verified = await runs(PROGRAM, ["replay", recording, "--verify"]);
  assert.equal(verified.code, 0, verified.said);
});

test("a live federation behind the page obeys, shows the world of the coordinator, and its recording replays", { skip, timeout: 300_000 }, async () => {
  const recording = join(folder, "live.vrec");
  const f = await up("live", ["mixed", "--nodes", "2", "--live", "--duration", "600", "--record", recording], { page: true });
  const get = async (path) => (await fetch(f.base + path)).json();
  const post = async (name, body = {}) => { const a = await fetch(`${f.base}/api/live/${name}`, { method: "POST", body: JSON.stringify(body) }); return { status: a.status, json: await a.json() }; };
  const nodes = await meet(async () => { const n = await get("/api/live/nodes"); return n.nodes?.length === 2 && n.nodes.every((x) => x.state === "running" && x.memory > 0) && n; }, "both nodes run");
  assert.deepEqual(check(nodes, { $ref: "#/components/schemas/Nodes" }, description), []);
  assert.equal(nodes.mode, "live");
  assert.deepEqual(nodes.views.map((v) => v.view), ["committed"]);
  assert.equal((await post("pause")).status, 200);
  const { tick } = await get("/api/live");
  assert.equal((await post("step", { ticks: 25 })).json.tick, tick + 25);
  assert.equal((await post("goto", { ids: ["1"], position: [4, 4, 9] })).status, 200);
  assert.equal((await post("step", { ticks: 300 })).json.tick, tick + 325);
  assert.ok((await get("/api/live/vehicles?ids=1")).vehicles[0].position[2] > 2, "the node of the vehicle was told, and reports where it flies");
  await f.end();
  const verified = await runs(PROGRAM, ["replay", recording, "--verify"]);
  assert.equal(verified.code, 0, verified.said);
});
