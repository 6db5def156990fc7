// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Exports of real recordings, read with the readers that others use: MCAP with the official @mcap/core, CSV by its RFC, TUM by
// the rules of evo, NPZ by those of zip and NumPy. Exact ones must say the same as each other to the last bit; those of the view the
// same as the page's own decoder. VOLARY_PROGRAM names the binary.
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
// Shipped scenarios, one with two worlds whose vehicles share names, one with flocks of different models, one whose behaviours plot numbers, and a recording with vehicles that were removed.
const CASES = [
  { name: "default", rate: 20 },
  { name: "two_worlds", rate: 50, duration: 3 },
  { name: "mixed", rate: 0, duration: 2 },
  { name: "train", rate: 10, scenario: join(import.meta.dirname, "../examples/behaviours/train.yaml") },
  { name: "removal", rate: 0, file: join(import.meta.dirname, "../web/fixtures/removal.vrec") },
];
const FLOWN = CASES.filter((c) => !c.file);
function recorded({ name, duration, file, scenario }) {
  if (file) return file;
  const path = join(folder, `${name}.vrec`);
  if (!readdirSync(folder).includes(`${name}.vrec`)) volary("run", scenario ?? name, "--headless", "--quiet", "--record", path, ...(duration ? ["--duration", String(duration)] : []));
  return path;
}
function exported(c, kind, view) {
  const name = `${c.name}${view ? "-view" : ""}.${kind}`;
  if (!readdirSync(folder).includes(name)) volary("replay", recorded(c), "--quiet", "--export", kind, join(folder, name), "--rate", String(c.rate), ...(view ? ["--view"] : []));
  return join(folder, name);
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
/** Rows by moment (us) and index of the vehicle in the recording, as the table has them; cells by their names without units. */
async function tableOf(c, view) {
  const log = await opened(c);
  const index = new Map(log.log.roster.map((v, k) => [v.id, k]));
  const [head, ...rows] = readCsv(readFileSync(exported(c, "csv", view), "utf8"));
  const names = head.map((h) => h.split(" [")[0]);
  const cells = new Map();
  for (const r of rows) {
    assert.equal(r.length, head.length);
    const row = Object.fromEntries(names.map((name, k) => [name, r[k]]));
    row.pose = [..."xyz"].map((a) => Number(row[`position.${a}`])).concat([..."wxyz"].map((a) => Number(row[`attitude.${a}`] || (a === "w" ? 1 : 0))));
    cells.set(`${Math.round(Number(row.time) * 1e6)} ${index.get(row.vehicle)}`, row);
  }
  assert.equal(cells.size, rows.length, "every vehicle once in a moment");
  return { head, names, rows, cells };
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
  const messages = Object.fromEntries([...reader.channelsById.values()].map((ch) => [ch.topic, []]));
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
  const total = Object.values(messages).reduce((n, list) => n + list.length, 0);
  assert.equal(reader.statistics.messageCount, BigInt(total));
  assert.equal(records["Message"], total);
  return { reader, messages, total };
}

for (const c of CASES)
  test(`MCAP of the view: the official reader finds every pose of ${c.name} as the table and the page have it`, { skip }, async () => {
    const { cells } = await tableOf(c, true);
    const source = await opened(c);
    const { reader, messages } = await readMcap(exported(c, "mcap", true));
    const schemas = Object.fromEntries([...reader.channelsById.values()].map((ch) => [ch.topic, reader.schemasById.get(ch.schemaId).name]));
    for (const [topic, name] of [["/tf", "foxglove.FrameTransforms"], ["/vehicles", "foxglove.SceneUpdate"], ["/events", "foxglove.Log"]]) assert.equal(schemas[topic], name);
    const frame = newFrame(64);
    let compared = 0;
    for (const m of messages["/tf"]) {
      await source.ready(m.us * 1e-6);
      source.at(m.us * 1e-6, frame);
      assert.equal(m.transforms.length, frame.n, `vehicles at ${m.us} us`);
      for (const { child_frame_id: child, parent_frame_id, timestamp, translation: p, rotation: q } of m.transforms) {
        const [, name, k] = /^(.*)#(\d+)$/.exec(child);
        const pose = [p.x, p.y, p.z, q.w, q.x, q.y, q.z];
        const entry = source.log.roster[k];
        const slot = frame.roster.slotOf.get(entry.id);
        const drawn = [...frame.position.subarray(3 * slot, 3 * slot + 3)].map((x, i) => x + frame.origin[i]);
        assert.ok(entry.name === name && parent_frame_id === "world" && timestamp.sec * 1e6 + timestamp.nsec / 1e3 === m.us);
        assert.deepEqual(pose, cells.get(`${m.us} ${k}`).pose, `${child} at ${m.us} us`);
        assert.ok(far(pose, drawn, 0, 3) < 1e-4 && far(pose, [0, 0, 0, ...frame.attitude.subarray(4 * slot, 4 * slot + 4)], 3, 7) < 1e-5, `${child} at ${m.us} us`);
        compared++;
      }
    }
    assert.equal(compared, cells.size);
    // Bodies come and go with their vehicles, and the log has every event.
    const came = messages["/vehicles"].flatMap((m) => m.entities.map((e) => e.id));
    const left = messages["/vehicles"].flatMap((m) => m.deletions.map((e) => e.id));
    assert.equal(new Set(came).size, source.log.roster.length);
    assert.deepEqual(left.length, source.log.roster.filter((v) => v.removalTick < Infinity).length);
    assert.deepEqual(messages["/events"].map((m) => [m.name, m.message]), source.log.events.map((e) => [e.name, e.what]));
  });

test("CSV of the view: bounds in the header, a row for every vehicle and moment, and nothing that is no number", { skip }, async () => {
  for (const c of CASES) {
    const { head, names, rows, cells } = await tableOf(c, true);
    assert.deepEqual(names.slice(0, 9), ["time", "tick", "vehicle", "name", "flock", "world", "position.x", "position.y", "position.z"]);
    assert.match(head[6], /^position\.x \[m, ENU, error 0\.0\d+\]$/);
    assert.match(head[9], /^velocity\.x \[m\/s, ENU, error 0\.\d+\]$/);
    assert.match(head[12], /^attitude\.w \[FLU to ENU, error 0\.00\d+\]$/);
    const source = await opened(c);
    const step = c.rate ? 1 / (c.rate * source.log.tick) : 1;
    let expected = 0;
    for (let tick = source.log.head.startTick; tick <= source.log.lastTick; tick += step) expected += source.log.roster.filter((v) => v.spawnTick <= tick && tick < v.removalTick).length;
    assert.equal(rows.length, expected);
    const frame = newFrame(64);
    let k = 0;
    for (const row of cells.values()) {
      for (const name of names) assert.ok(["name", "flock", "mode"].includes(name) || Number.isFinite(Number(row[name])), `${name} of ${row.name}`);
      if (k++ % 7) continue;
      await source.ready(Number(row.time));
      source.at(Number(row.time), frame);
      assert.equal(row.mode, MODES[frame.state[frame.roster.slotOf.get(row.vehicle)] & 15] ?? "unknown", `${row.vehicle} at ${row.time} s`);
      if (!c.file) assert.notEqual(row.mode, "unknown");
    }
  }
});

/** A value of a message by the name of its column: "setpoint.position.x", "rotor_speed.2". */
const valueAt = (vehicle, name) => name.split(".").reduce((at, part) => at?.[part], vehicle);

test("exact MCAP has every number of the exact CSV, and units and bounds in its schemas", { skip }, async () => {
  for (const c of FLOWN) {
    const { cells, names } = await tableOf(c);
    const { reader, messages } = await readMcap(exported(c, "mcap"));
    const index = new Map((await opened(c)).log.roster.map((v, k) => [v.id, k]));
    let compared = 0, numbers = 0;
    for (const [topic, list] of Object.entries(messages)) {
      if (!topic.startsWith("/flocks/")) continue;
      for (const m of list)
        for (const vehicle of m.vehicles) {
          const row = cells.get(`${m.us} ${index.get(String(vehicle.id))}`);
          assert.equal(vehicle.name, row.name);
          assert.equal(vehicle.mode, row.mode);
          for (const name of names.slice(6).filter((n) => n !== "mode")) {
            const value = valueAt(vehicle, name);
            if (row[name] === "") assert.ok(value === undefined || value === null, `${name}: ${value}`);
            else assert.equal(value, Number(row[name]), `${name} of ${row.name} at ${row.time} s`);
            numbers++;
          }
          compared++;
        }
    }
    assert.equal(compared, cells.size);
    if (c.name === "train") assert.ok(names.includes("plot.gap") && names.includes("plot.speed"), "numbers of behaviours");
    for (const m of messages["/tf"])
      for (const { child_frame_id: child, translation: p, rotation: q } of m.transforms)
        assert.deepEqual([p.x, p.y, p.z, q.w, q.x, q.y, q.z], cells.get(`${m.us} ${child.split("#").at(-1)}`).pose);
    const flock = [...reader.channelsById.values()].find((ch) => ch.topic.startsWith("/flocks/"));
    assert.equal(flock.metadata.get("position"), "m, ENU, error 0");
    assert.match(flock.metadata.get("source"), /^exact/);
    const schema = JSON.parse(new TextDecoder().decode(reader.schemasById.get(flock.schemaId).data));
    assert.match(schema.properties.vehicles.items.properties.velocity.properties.x.description, /\[m\/s, ENU, error 0\]$/);
    console.log(`  ${c.name}: ${compared} vehicles, ${numbers} numbers`);
  }
});

/** Arrays of an NPZ of stored entries: its directory, the headers of the arrays, and a function that reads one number. */
function readNpz(path) {
  const bytes = readFileSync(path);
  const end = bytes.lastIndexOf("PK\x05\x06");
  const arrays = {};
  for (let n = bytes.readUInt16LE(end + 10), at = bytes.readUInt32LE(end + 16); n > 0; n--) {
    assert.equal(bytes.readUInt32LE(at), 0x02014b50);
    const size = bytes.readUInt16LE(at + 28), offset = bytes.readUInt32LE(at + 42);
    const name = bytes.toString("utf8", at + 46, at + 46 + size).replace(/\.npy$/, "");
    const begin = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28);
    const length = bytes.readUInt16LE(begin + 8), header = bytes.toString("latin1", begin + 10, begin + 10 + length);
    const [, type] = /'descr': '([^']*)'/.exec(header) ?? [];
    const shape = /'shape': \(([^)]*)\)/.exec(header)[1].split(",").map((x) => x.trim()).filter(Boolean).map(Number);
    const data = begin + 10 + length;
    const read = { "<f4": (k) => bytes.readFloatLE(data + 4 * k), "<f8": (k) => bytes.readDoubleLE(data + 8 * k), "<u4": (k) => bytes.readUInt32LE(data + 4 * k), "<u8": (k) => Number(bytes.readBigUInt64LE(data + 8 * k)), "|u1": (k) => bytes[data + k], "|b1": (k) => bytes[data + k] }[type];
    arrays[name] = { type, shape, at: read };
    at += 46 + size + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return arrays;
}

test("NPZ has every number of the exact CSV, by flock and column", { skip }, async () => {
  for (const c of FLOWN) {
    const { cells, names } = await tableOf(c);
    const arrays = readNpz(exported(c, "npz"));
    const index = new Map((await opened(c)).log.roster.map((v, k) => [v.id, k]));
    let compared = 0, alive = 0;
    for (const flock of Object.keys(arrays).filter((n) => n.endsWith("/alive")).map((n) => n.slice(0, -6))) {
      const [moments, n] = arrays[`${flock}/alive`].shape;
      const columns = Object.keys(arrays).filter((k) => k.startsWith(`${flock}/`) && names.some((name) => name === k.slice(flock.length + 1) || name.startsWith(`${k.slice(flock.length + 1)}.`)) && k !== `${flock}/name` && k !== `${flock}/vehicle` && k !== `${flock}/world`);
      for (let m = 0; m < moments; m++)
        for (let k = 0; k < n; k++) {
          if (!arrays[`${flock}/alive`].at(m * n + k)) continue;
          alive++;
          const row = cells.get(`${Math.round(arrays.time.at(m) * 1e6)} ${index.get(String(arrays[`${flock}/vehicle`].at(k)))}`);
          assert.equal(row.flock, flock);
          for (const key of columns) {
            const column = key.slice(flock.length + 1), array = arrays[key];
            if (column === "mode") assert.equal(MODES[array.at(m * n + k)], row.mode);
            const parts = column === "attitude" ? [..."wxyz"] : array.shape.length === 3 && names.includes(`${column}.x`) ? [..."xyz"] : array.shape.length === 3 ? [...Array(array.shape[2]).keys()] : [];
            const each = parts.length ? parts.map((p, i) => [`${column}.${p}`, (m * n + k) * parts.length + i]) : column === "mode" ? [] : [[column, m * n + k]];
            for (const [name, at] of each) {
              const value = array.at(at);
              if (row[name] === "") assert.ok(Number.isNaN(value), name);
              else assert.equal(value, Number(row[name]), `${name} of ${row.name} at ${row.time} s`);
              compared++;
            }
          }
        }
    }
    assert.equal(alive, cells.size);
    console.log(`  ${c.name}: ${compared} numbers`);
  }
});

test("TUM: evo's eight columns, times that rise, unit quaternions with w last, and the poses of the table to the last bit", { skip }, async () => {
  for (const c of FLOWN) {
    const { cells } = await tableOf(c);
    const source = await opened(c);
    const files = readdirSync(exported(c, "tum"));
    assert.equal(files.length, source.log.roster.length);
    let compared = 0;
    for (const file of files) {
      const k = /^(\d+)-.*\.tum$/.exec(file)[1];
      const lines = readFileSync(join(folder, `${c.name}.tum`, file), "utf8").trimEnd().split("\n");
      assert.match(lines[0], /^# timestamp \[s\] tx ty tz \[m, ENU, error 0\]/);
      let last = -1;
      for (const line of lines.filter((l) => !l.startsWith("#"))) {
        const cellsOfLine = line.split(" ").map(Number);
        assert.ok(cellsOfLine.length === 8 && cellsOfLine.every(Number.isFinite), `${file}: ${line}`);
        const [t, x, y, z, qx, qy, qz, qw] = cellsOfLine;
        assert.ok(t > last && Math.abs(Math.hypot(qx, qy, qz, qw) - 1) < 1e-5, `${file}: ${line}`);
        last = t;
        assert.deepEqual([x, y, z, qw, qx, qy, qz], cells.get(`${Math.round(t * 1e6)} ${k}`).pose, `${file} at ${t} s`);
        compared++;
      }
    }
    assert.equal(compared, cells.size);
  }
});

test("an export overwrites nothing, the recording least of all, and leaves nothing when it cannot be made", { skip }, async () => {
  const path = recorded(CASES[2]);
  const before = readFileSync(path);
  for (const kind of ["csv", "npz", "mcap", "html", "tum"]) {
    const done = spawnSync(PROGRAM, ["replay", path, "--export", kind, path], { encoding: "utf8" });
    assert.equal(done.status, 2, `${kind}: ${done.stdout}`);
    assert.match(done.stderr, /^volary: .*mixed\.vrec/);
    assert.deepEqual(readFileSync(path), before);
  }
  const bare = join(folder, "bare.vrec");
  volary("run", "mixed", "--headless", "--quiet", "--duration", "0.2", "--record", bare, "--record-no-view");
  for (const kind of ["csv", "npz", "mcap", "tum"]) {
    const done = spawnSync(PROGRAM, ["replay", bare, "--view", "--export", kind, join(folder, `bare.${kind}`)], { encoding: "utf8" });
    assert.equal(done.status, 2);
    assert.match(done.stderr, /has no view layer/);
    assert.ok(!readdirSync(folder).includes(`bare.${kind}`), `bare.${kind} is left`);
  }
});
