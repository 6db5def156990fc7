// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Exports of real recordings, read with the readers that others use: MCAP with the official @mcap/core, CSV by its RFC, TUM by
// the rules of evo. All must say the same as each other and as the page's own decoder. VOLARY_PROGRAM names the binary.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { zstdDecompressSync } from "node:zlib";
import { openBuffer } from "../web/src/source/replay.ts";
import { newFrame } from "../web/src/source/source.ts";
import { MODES } from "../web/src/wire/wire.ts";

const { McapIndexedReader, McapStreamReader } = createRequire(new URL("../web/package.json", import.meta.url))("@mcap/core");
const PROGRAM = process.env["VOLARY_PROGRAM"] ?? "";
const skip = PROGRAM ? false : "VOLARY_PROGRAM is not set: it names the volary binary these tests run";
const decompressHandlers = { zstd: (data, size) => new Uint8Array(zstdDecompressSync(data, { maxOutputLength: Number(size) })) };
let folder;

before(() => (folder = mkdtempSync(join(tmpdir(), "volary-formats-"))));
after(() => rmSync(folder, { recursive: true, force: true }));

function volary(...args) {
  const done = spawnSync(PROGRAM, args, { encoding: "utf8" });
  assert.equal(done.status, 0, `volary ${args.join(" ")}: ${done.stderr}`);
}
// Shipped scenarios, one with two worlds whose vehicles share names, and a recording with vehicles that were removed.
const CASES = [
  { name: "default", rate: 20 },
  { name: "two_worlds", rate: 50, duration: 3 },
  { name: "mixed", rate: 0, duration: 2 },
  { name: "removal", rate: 0, file: join(import.meta.dirname, "../web/fixtures/removal.vrec") },
];
function recorded({ name, duration, file }) {
  if (file) return file;
  const path = join(folder, `${name}.vrec`);
  if (!readdirSync(folder).includes(`${name}.vrec`)) volary("run", name, "--headless", "--quiet", "--record", path, ...(duration ? ["--duration", String(duration)] : []));
  return path;
}
function exported(c, kind) {
  const path = join(folder, `${c.name}.${kind}`);
  if (!readdirSync(folder).includes(`${c.name}.${kind}`)) volary("replay", recorded(c), "--quiet", "--export", kind, path, "--rate", String(c.rate));
  return path;
}

/** RFC 4180: quoted fields may hold commas, quotes and line ends. */
function readCsv(text) {
  const rows = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,"\r\n]*))(,|\r?\n|$)/g)) {
    rows.at(-1).push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === "") break;
    if (end !== ",") rows.push([]);
  }
  return rows.filter((r) => r.length > 1);
}
/** Poses by moment (us) and index of the vehicle in the recording, as the table has them. */
async function tableOf(c) {
  const log = await opened(c);
  const index = new Map(log.log.roster.map((v, k) => [v.id, k]));
  const [head, ...rows] = readCsv(readFileSync(exported(c, "csv"), "utf8"));
  const poses = new Map();
  for (const r of rows) {
    assert.equal(r.length, head.length);
    poses.set(`${Math.round(Number(r[0]) * 1e6)} ${index.get(r[1])}`, [...r.slice(5, 8), ...r.slice(11, 15)].map(Number));
  }
  assert.equal(poses.size, rows.length, "every vehicle once in a moment");
  return { head, rows, poses };
}
async function opened(c) {
  const source = await openBuffer(readFileSync(recorded(c)));
  assert.ok(!(source instanceof Error), String(source));
  return source;
}
const far = (a, b, from, to) => Math.max(...a.slice(from, to).map((x, k) => Math.abs(x - b[from + k])));

/** Everything in the file, through the index and once more record by record. */
async function readMcap(path) {
  const bytes = readFileSync(path);
  const readable = { size: async () => BigInt(bytes.length), read: async (at, n) => new Uint8Array(bytes.subarray(Number(at), Number(at + n))) };
  const reader = await McapIndexedReader.Initialize({ readable, decompressHandlers });
  const messages = { "/tf": [], "/vehicles": [], "/events": [] };
  let last = 0n;
  for await (const m of reader.readMessages({ validateCrcs: true })) {
    assert.ok(m.logTime >= last, "in order");
    last = m.logTime;
    messages[reader.channelsById.get(m.channelId).topic].push({ us: Math.round(Number(m.logTime) / 1e3), ...JSON.parse(new TextDecoder().decode(m.data)) });
  }
  const stream = new McapStreamReader({ decompressHandlers, validateCrcs: true });
  stream.append(bytes);
  const records = {};
  for (let r; (r = stream.nextRecord()); ) records[r.type] = (records[r.type] ?? 0) + 1;
  assert.ok(stream.done());
  return { reader, messages, records };
}

for (const c of CASES)
  test(`MCAP: the official reader finds every pose of ${c.name} as the table and the page have it`, { skip }, async () => {
    const { poses } = await tableOf(c);
    const source = await opened(c);
    const { reader, messages, records } = await readMcap(exported(c, "mcap"));
    const total = messages["/tf"].length + messages["/vehicles"].length + messages["/events"].length;
    assert.equal(reader.statistics.messageCount, BigInt(total));
    assert.equal(records["Message"], total);
    const schemas = Object.fromEntries([...reader.channelsById.values()].map((ch) => [ch.topic, reader.schemasById.get(ch.schemaId).name]));
    assert.deepEqual(schemas, { "/tf": "foxglove.FrameTransforms", "/vehicles": "foxglove.SceneUpdate", "/events": "foxglove.Log" });
    const frame = newFrame(64);
    let compared = 0;
    for (const m of messages["/tf"]) {
      await source.ready(m.us * 1e-6);
      source.at(m.us * 1e-6, frame);
      assert.equal(m.transforms.length, frame.n, `vehicles at ${m.us} us`);
      for (const { child_frame_id: child, parent_frame_id, timestamp, translation: p, rotation: q } of m.transforms) {
        const [, name, k] = /^(.*)#(\d+)$/.exec(child);
        const pose = [p.x, p.y, p.z, q.w, q.x, q.y, q.z];
        const wanted = poses.get(`${m.us} ${k}`);
        const entry = source.log.roster[k];
        const slot = frame.roster.slotOf.get(entry.id);
        const drawn = [...frame.position.subarray(3 * slot, 3 * slot + 3)].map((x, i) => x + frame.origin[i]);
        assert.ok(entry.name === name && parent_frame_id === "world" && timestamp.sec * 1e6 + timestamp.nsec / 1e3 === m.us);
        assert.ok(far(pose, wanted, 0, 3) < 5.1e-5 && far(pose, wanted, 3, 7) < 5.1e-7, `${child} at ${m.us} us: ${pose} against ${wanted}`);
        assert.ok(far(pose, drawn, 0, 3) < 1e-4 && far(pose, [0, 0, 0, ...frame.attitude.subarray(4 * slot, 4 * slot + 4)], 3, 7) < 1e-5, `${child} at ${m.us} us`);
        compared++;
      }
    }
    assert.equal(compared, poses.size);
    // Bodies come and go with their vehicles, and the log has every event.
    const came = messages["/vehicles"].flatMap((m) => m.entities.map((e) => e.id));
    const left = messages["/vehicles"].flatMap((m) => m.deletions.map((e) => e.id));
    assert.equal(new Set(came).size, source.log.roster.length);
    assert.deepEqual(left.length, source.log.roster.filter((v) => v.removalTick < Infinity).length);
    assert.deepEqual(messages["/events"].map((m) => [m.name, m.message]), source.log.events.map((e) => [e.name, e.what]));
    console.log(`  ${c.name}: ${compared} transforms, ${total} messages, ${Object.values(records).reduce((a, b) => a + b)} records`);
  });

test("CSV: units in the header, a row for every vehicle and moment, and nothing that is no number", { skip }, async () => {
  for (const c of CASES) {
    const { head, rows } = await tableOf(c);
    assert.deepEqual(head.slice(0, 8), ["time [s]", "vehicle", "name", "flock", "world", "east [m ENU]", "north [m ENU]", "up [m ENU]"]);
    assert.match(head[8], /^velocity_east \[m\/s ENU\]$/);
    assert.match(head[11], /^attitude_w \[- body FLU to ENU\]$/);
    const source = await opened(c);
    const step = c.rate ? 1 / (c.rate * source.log.tick) : 1;
    let expected = 0;
    for (let tick = source.log.head.startTick; tick <= source.log.lastTick; tick += step) expected += source.log.roster.filter((v) => v.spawnTick <= tick && tick < v.removalTick).length;
    assert.equal(rows.length, expected);
    for (const r of rows) assert.ok(r.every((x, k) => k === 2 || k === 3 || k === 15 || Number.isFinite(Number(x))), r.join());
    assert.equal(head[15], "mode");
    const frame = newFrame(64);
    for (const r of rows.filter((_, k) => k % 7 === 0)) {
      await source.ready(Number(r[0]));
      source.at(Number(r[0]), frame);
      assert.equal(r[15], MODES[frame.state[frame.roster.slotOf.get(r[1])] & 15] ?? "unknown", `${r[1]} at ${r[0]} s`);
      if (!c.file) assert.notEqual(r[15], "unknown");
    }
  }
});

test("TUM: evo's eight columns, times that rise, unit quaternions with w last, and the poses of the table", { skip }, async () => {
  for (const c of CASES) {
    const { poses } = await tableOf(c);
    const source = await opened(c);
    const files = readdirSync(exported(c, "tum"));
    assert.equal(files.length, source.log.roster.length);
    let compared = 0;
    for (const file of files) {
      const k = /^(\d+)-.*\.tum$/.exec(file)[1];
      let last = -1;
      for (const line of readFileSync(join(folder, `${c.name}.tum`, file), "utf8").trimEnd().split("\n")) {
        const cells = line.split(" ").map(Number);
        assert.ok(cells.length === 8 && cells.every(Number.isFinite), `${file}: ${line}`);
        const [t, x, y, z, qx, qy, qz, qw] = cells;
        assert.ok(t > last && Math.abs(Math.hypot(qx, qy, qz, qw) - 1) < 1e-5, `${file}: ${line}`);
        last = t;
        const wanted = poses.get(`${Math.round(t * 1e6)} ${k}`);
        assert.ok(far([x, y, z, qw, qx, qy, qz], wanted, 0, 3) < 5.2e-5 && far([x, y, z, qw, qx, qy, qz], wanted, 3, 7) < 6e-7, `${file} at ${t} s`);
        compared++;
      }
    }
    assert.equal(compared, poses.size);
  }
});

test("an export overwrites nothing, the recording least of all, and leaves nothing when it cannot be made", { skip }, async () => {
  const path = recorded(CASES[2]);
  const before = readFileSync(path);
  for (const kind of ["csv", "mcap", "html", "tum"]) {
    const done = spawnSync(PROGRAM, ["replay", path, "--export", kind, path], { encoding: "utf8" });
    assert.equal(done.status, 2, `${kind}: ${done.stdout}`);
    assert.match(done.stderr, /^volary: .*mixed\.vrec/);
    assert.deepEqual(readFileSync(path), before);
  }
  const bare = join(folder, "bare.vrec");
  volary("run", "mixed", "--headless", "--quiet", "--duration", "0.2", "--record", bare, "--record-no-view");
  for (const kind of ["csv", "mcap", "tum"]) {
    const done = spawnSync(PROGRAM, ["replay", bare, "--export", kind, join(folder, `bare.${kind}`)], { encoding: "utf8" });
    assert.equal(done.status, 2);
    assert.match(done.stderr, /no trajectories to export/);
    assert.ok(!readdirSync(folder).includes(`bare.${kind}`), `bare.${kind} is left`);
  }
});
