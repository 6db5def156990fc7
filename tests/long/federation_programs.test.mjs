// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Programs beside a federation: the examples against a real `volary federation up`, and the rights of their accounts. Those in Python need paho-mqtt, which
// `./volary test --long` installs.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { folder, PROGRAM, ROOT, runs, skip as noProgram, up } from "../federation_up_support.mjs";

// a Python of somebody's own may stand before Debian's
const python = ["python3", "/usr/bin/python3"].find((p) => spawnSync(p, ["-c", "import paho.mqtt.client"]).status === 0);
const skip = noProgram || (python ? false : "paho-mqtt is missing: apt install python3-paho-mqtt");

test("the example in Python reads aligned frames with an account that cannot write", { skip, timeout: 600_000 }, async () => {
  const f = await up("frames", ["mixed", "--nodes", "2", "--speed", "1", "--duration", "600"], { accounts: ["view"] });
  const done = await runs(python, [join(ROOT, "examples/federation/aligned_frames.py"), f.invitation("view"), "60"]);
  assert.equal(done.code, 0, done.said);
  assert.match(done.said, /tick +\d+ +\d+\.\d\d s +33 vehicles/);
  assert.match(done.said, /read 60 aligned frames up to tick \d+/);
  await f.end();
});

test("the example in C++ reads them, too", { skip: noProgram, timeout: 600_000 }, async (t) => {
  const client = join(dirname(PROGRAM), "example_federation_frames");
  if (!existsSync(client)) return t.skip(`${client} is not built: cmake --build build/release --target example_federation_frames`);
  const f = await up("plain", ["mixed", "--nodes", "2", "--speed", "1", "--duration", "600"], { accounts: ["view"] });
  const done = await runs(client, [f.invitation("view"), "60"]);
  assert.equal(done.code, 0, done.said);
  assert.match(done.said, /read 60 aligned frames up to tick \d+/);
  const wrong = join(folder, "wrong.json");
  writeFileSync(wrong, readFileSync(f.invitation("view"), "utf8").replace(/"password":"\w+"/, '"password":"guess"'));
  assert.equal((await runs(client, [wrong, "1"])).code, 1);
  await f.end();
});

test("the example in Python steers a flock, and what it did is in the recording", { skip, timeout: 900_000 }, async () => {
  const recording = join(folder, "steered.vrec");
  const f = await up("steer", ["mixed", "--nodes", "2", "--speed", "4", "--duration", "2000", "--record", recording], { accounts: ["operator"] });
  const done = await runs(python, [join(ROOT, "examples/federation/steer_flock.py"), f.invitation("operator"), "workers", "-30", "10", "14"]);
  assert.equal(done.code, 0, `${done.said}\n${f.said()}`);
  assert.match(done.said, /has climbed by a setpoint of velocity/);
  await f.end();
  // one process that is given the recorded inputs has every hash
  const verified = spawnSync(PROGRAM, ["replay", recording, "--verify"], { encoding: "utf8", timeout: 300_000 });
  assert.equal(verified.status, 0, verified.stdout + verified.stderr);
});

const CLIENT = `
import json, sys, time, paho.mqtt.client as mqtt
i = json.load(open(sys.argv[1]))
prefix, got = "sw/" + i["federation"] + "/", []
c = mqtt.Client(*([mqtt.CallbackAPIVersion.VERSION2] if hasattr(mqtt, "CallbackAPIVersion") else []), protocol=mqtt.MQTTv5)
c.username_pw_set(i["account"], i["password"])
c.on_message = lambda _c, _d, m: got.append([m.topic[len(prefix):], m.payload.decode("utf8", "replace")])
host, port = i["address"].rsplit(":", 1)
c.connect(host, int(port)); c.loop_start(); time.sleep(0.5)
for kind in ("rendering/#", "answer/#", "order/#", "physics/#"): c.subscribe(prefix + kind, 1)
time.sleep(0.5)
for topic, text in json.loads(sys.argv[2]): c.publish(prefix + topic, text, qos=1)
end = time.monotonic() + float(sys.argv[3])
while time.monotonic() < end: time.sleep(0.1)
print(json.dumps([g for g in got if g[0] != "rendering/frame"]))
`;
async function say(f, account, messages, seconds = 5) {
  const done = await runs(python, ["-c", CLIENT, f.invitation(account), JSON.stringify(messages), String(seconds)]);
  assert.equal(done.code, 0, done.said);
  return JSON.parse(done.said.trim().split("\n").at(-1));
}

test("reading needs no right to write: what 'view' publishes reaches nobody, and faults of 'operator' are answered in words", { skip, timeout: 600_000 }, async () => {
  const f = await up("rights", ["mixed", "--nodes", "2", "--speed", "1", "--duration", "600"], { accounts: ["view", "operator"] });
  const pause = JSON.stringify({ id: 1, order: "pause" });
  const seen = await say(f, "view", [["order/view", pause], ["order/operator", pause], ["physics/view", "{}"], ["rendering/status", "{}"], ["rendering/frame", "x"]]);
  for (const kind of ["hello", "roster", "status", "nodes"]) assert.ok(seen.some(([topic]) => topic === `rendering/${kind}`), `${kind} is published`);
  assert.ok(!seen.some(([topic]) => /^(order|physics|answer)/.test(topic)), JSON.stringify(seen.map((x) => x[0])));
  assert.ok(seen.filter(([topic]) => topic === "rendering/status").every(([, text]) => JSON.parse(text).state === "running"));

  const heard = await say(f, "operator", [["physics/operator", "{"], ["order/operator", '{"id": 2, "order": "gotoo"}'], ["order/operator", '{"id": 3, "order": "remove", "ids": ["nobody"]}'], ["physics/operator", '{"id": 4, "vehicle": 1}'], ["order/operator", '{"id": 5, "order": "start", "scenario": "default"}'], ["order/operator", pause]]);
  const answers = heard.filter(([topic]) => topic === "answer/operator").map(([, text]) => JSON.parse(text));
  const answer = (id) => answers.find((a) => a.id === id);
  assert.match(answers.find((a) => a.id === undefined).error, /not JSON/);
  assert.match(answer(2).error, /unknown command 'gotoo'.*goto/);
  assert.match(answer(3).error, /no vehicle is called 'nobody'/);
  assert.match(answer(4).error, /exactly one of/);
  assert.match(answer(5).error, /one scenario/);
  assert.equal(answer(1).ok, true);
  assert.ok(heard.some(([topic, text]) => topic === "rendering/status" && JSON.parse(text).state === "paused"));
  await f.end();
});
