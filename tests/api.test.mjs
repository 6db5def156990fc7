// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The real server against schema/openapi.json: every path, every method, every answer that the description promises, and none
// that it does not. VOLARY_PROGRAM names the binary.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { deflateSync } from "node:zlib";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { hasBroker, meet, up } from "./federation_up_support.mjs";
import { check, lookUp } from "./json_schema.mjs";

const PROGRAM = process.env["VOLARY_PROGRAM"] ?? "";
const skip = PROGRAM ? false : "VOLARY_PROGRAM is not set: it names the volary binary these tests run";
const description = JSON.parse(readFileSync(join(import.meta.dirname, "../schema/openapi.json"), "utf8"));
const METHODS = ["get", "post", "put", "patch", "delete"];
const ANYWHERE = [400, 401, 403, 404, 405, 413, 421, 431]; // as the description says of all operations
const operations = Object.entries(description.paths).flatMap(([path, item]) => METHODS.filter((m) => item[m]).map((method) => ({ path, method, operation: item[method] })));
const resolve = (x) => (x.$ref ? lookUp(x.$ref, description) : x);
const seen = new Set(); // "get /api/version 200"
const ALL = "a-token-for-everything-1234", VIEW = "a-token-for-looking-1234567";
let folder, open, locked;

async function serve(name, ...args) {
  const env = { ...process.env, VOLARY_RUNS: join(folder, name, "runs"), VOLARY_DATA: join(folder, name, "data") };
  mkdirSync(env.VOLARY_RUNS, { recursive: true });
  const child = spawn(PROGRAM, ["serve", "default", "--paused", "--port", "0", ...args], { env });
  let said = "";
  const url = await new Promise((resolve, reject) => {
    const hear = (d) => { const found = /http:\/\/127\.0\.0\.1:(\d+)\//.exec((said += d)); if (found) resolve(found); };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.on("exit", (code) => reject(new Error(`volary serve ended with ${code}: ${said}`)));
  });
  return { child, env, port: Number(url[1]) };
}
before(async () => {
  if (skip) return;
  folder = mkdtempSync(join(tmpdir(), "volary-api-"));
  for (const [name, token] of [["all", ALL], ["view", VIEW]]) writeFileSync(join(folder, name), `${token}\n`, { mode: 0o600 });
  open = await serve("open");
  locked = await serve("locked", "--no-record", "--token-file", join(folder, "all"), "--view-token-file", join(folder, "view"));
});
after(async () => {
  for (const server of [open, locked]) {
    if (!server || server.child.exitCode !== null) continue;
    server.child.kill("SIGINT");
    await once(server.child, "exit");
  }
  if (folder) rmSync(folder, { recursive: true, force: true });
});

/** A request as it is: fetch() would tidy up what is sent. */
function raw(server, method, path, { body = "", headers = {} } = {}) {
  return new Promise((done, reject) => {
    const q = request({ host: "127.0.0.1", port: server.port, method: method.toUpperCase(), path, headers: { "Content-Length": Buffer.byteLength(body), ...headers }, agent: false }, (a) => {
      const parts = [];
      a.on("data", (d) => parts.push(d));
      a.on("end", () => done({ status: a.statusCode, headers: a.headers, body: Buffer.concat(parts) }));
    });
    q.on("error", reject);
    q.end(body);
  });
}
/** The answer, after it was held against the description of this operation. */
async function ask(method, path, { at = path, server = open, body, headers, expect } = {}) {
  const text = body === undefined ? "" : typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const answer = await raw(server, method, at, { body: text, headers });
  const told = `${method} ${at} -> ${answer.status} ${answer.body.subarray(0, 300)}`;
  if (expect) assert.equal(answer.status, expect, told);
  const promised = description.paths[path][method].responses[answer.status];
  const response = promised ? resolve(promised) : ANYWHERE.includes(answer.status) ? description.components.responses.Error : null;
  assert.ok(response, `${told}: the description does not know this status`);
  seen.add(`${method} ${path} ${answer.status}`);
  const kinds = Object.entries(response.content ?? {});
  if (kinds.length === 0) return answer;
  const kind = (answer.headers["content-type"] ?? "").split(";")[0];
  assert.ok(response.content[kind], `${told}: its type is ${kind}, not ${kinds.map(([k]) => k)}`);
  if (kind === "application/json") {
    answer.json = JSON.parse(answer.body.toString());
    assert.deepEqual(check(answer.json, response.content[kind].schema ?? {}, description), [], told);
  }
  return answer;
}

test("the checker finds what is wrong and refuses what it does not know", () => {
  const schema = { type: "object", required: ["a"], additionalProperties: false, properties: { a: { type: "array", maxItems: 2, items: { type: "integer", minimum: 1 } }, b: { enum: ["x"] }, c: { type: "string", pattern: "^y+$", maxLength: 3 } } };
  assert.deepEqual(check({ a: [1, 2], b: "x", c: "yy" }, schema, {}), []);
  for (const wrong of [null, {}, { a: [0] }, { a: [1, 2, 3] }, { a: [1.5] }, { a: "x" }, { a: [], b: 1 }, { a: [], c: "z" }, { a: [], c: "yyyy" }, { a: [], d: 1 }]) assert.ok(check(wrong, schema, {}).length > 0, JSON.stringify(wrong));
  assert.throws(() => check(1, { multipleOf: 2 }, {}), /multipleOf/);
  assert.throws(() => check(1, { $ref: "#/nowhere" }, {}), /nowhere/);
});

test("scenarios, airframes, schemas and the description itself", { skip }, async () => {
  assert.equal((await ask("get", "/api/version", { expect: 200 })).json.wire, 1);
  assert.deepEqual((await ask("get", "/api/openapi.json", { expect: 200 })).json, description);
  await ask("get", "/api/schema", { expect: 200 });
  assert.ok((await ask("get", "/api/airframes", { expect: 200 })).json.length > 2);
  assert.ok((await ask("get", "/api/scenarios", { expect: 200 })).json.length > 5);
  const yaml = (await ask("get", "/api/scenarios/{name}", { at: "/api/scenarios/default", expect: 200 })).body.toString();
  await ask("get", "/api/scenarios/{name}", { at: "/api/scenarios/nothing", expect: 404 });
  assert.equal((await ask("post", "/api/scenarios/check", { body: yaml, expect: 200 })).json.ok, true);
  for (const preview of ["0", "1"]) assert.equal("preview" in (await ask("post", "/api/scenarios/check", { at: `/api/scenarios/check?preview=${preview}`, body: yaml, expect: 200 })).json, preview === "1");
  for (const body of ["", "name: [", "nam: x", "\0", "flocks: 7", "x".repeat(1 << 16)]) assert.equal((await ask("post", "/api/scenarios/check", { body, expect: 200 })).json.ok, false, body.slice(0, 20));
  assert.equal((await ask("put", "/api/scenarios/{name}", { at: "/api/scenarios/mine", body: yaml, expect: 200 })).json.vehicles, 61);
  await ask("put", "/api/scenarios/{name}", { at: "/api/scenarios/default", body: yaml, expect: 409 });
  assert.ok((await ask("get", "/api/scenarios", { expect: 200 })).json.some((s) => s.name === "mine" && s.saved));
});

/** A grey PNG, brighter towards the east. */
function picture(width, height) {
  const piece = (name, data) => {
    const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 8; // bits; grey, nothing interlaced
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; ++y) for (let x = 0; x < width; ++x) rows[y * (width + 1) + 1 + x] = (255 * x) / (width - 1);
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), piece("IHDR", head), piece("IDAT", deflateSync(rows)), piece("IEND", Buffer.alloc(0))]);
}
function crc32(bytes) {
  let c = ~0;
  for (const b of bytes) {
    c ^= b;
    for (let k = 0; k < 8; ++k) c = (c >>> 1) ^ (c & 1 ? 0xedb88320 : 0);
  }
  return ~c >>> 0;
}

test("a picture is saved beside its scenario, and not over another one unasked", { skip }, async () => {
  const path = "/api/scenarios/{name}/picture", at = "/api/scenarios/my_hills/picture";
  const saved = (await ask("put", path, { at, body: picture(9, 7), expect: 200 })).json;
  assert.deepEqual([saved.width, saved.height], [9, 7]);
  await ask("put", path, { at, body: picture(5, 5), expect: 409 });
  assert.equal((await ask("put", path, { at: `${at}?replace=1`, body: picture(5, 5), expect: 200 })).json.width, 5);
  await ask("put", path, { at, body: "not a picture", expect: 409 });
  // said beforehand to be too much: refused before it is sent
  await ask("put", path, { at, headers: { "Content-Length": (32 << 20) + 1 }, expect: 413 });
});

test("runs are listed, tagged, read in parts and deleted", { skip }, async () => {
  const run = spawnSync(PROGRAM, ["run", "landing", "--headless", "--quiet", "--json", "--duration", "2"], { env: open.env, encoding: "utf8" });
  assert.equal(run.status, 0, run.stderr);
  let list = [];
  for (const end = Date.now() + 60_000; list.length < 2 && Date.now() < end; ) list = (await ask("get", "/api/runs", { expect: 200 })).json;
  assert.equal(list.length, 2, "the flown one and the one that is being recorded");
  const { id, verdict, reason } = list.find((r) => r.scenario === "landing");
  const { verdict: reported, reason: because } = JSON.parse(run.stdout);
  assert.deepEqual([verdict, reason], [reported, because], "the library has the verdict of the report");
  assert.match(verdict, /^(passed|failed|incomplete|no tasks)$/);
  const live = list.find((r) => r.state === "recording").id;
  const at = `/api/runs/${id}`;
  await ask("get", "/api/runs/{id}", { at, expect: 200 });
  for (const wrong of ["/api/runs/nothing", "/api/runs/2", `/api/runs/${id.slice(0, -1)}`]) for (const method of ["get", "delete"]) await ask(method, "/api/runs/{id}", { at: wrong, expect: 404 });

  assert.deepEqual((await ask("patch", "/api/runs/{id}", { at, body: { tags: ["paper", "figure_3", "paper"] }, expect: 200 })).json.tags, ["paper", "figure_3"]);
  assert.deepEqual((await ask("get", "/api/runs", { at: "/api/runs?search=figure_3", expect: 200 })).json.map((r) => r.id), [id]);
  rmSync(join(open.env.VOLARY_RUNS, "catalogue.sqlite"));
  assert.deepEqual((await ask("get", "/api/runs/{id}", { at, expect: 200 })).json.tags, ["paper", "figure_3"], "a lost catalogue loses no tags");
  for (const body of ["", "{", "[]", {}, { tags: "x" }, { tags: [1] }, { tags: ["a b"] }, { tags: ["x".repeat(33)] }, { tags: Array.from({ length: 33 }, (_, k) => `t${k}`) }, { tags: [], id: "x" }]) await ask("patch", "/api/runs/{id}", { at, body, expect: 400 });
  await ask("patch", "/api/runs/{id}", { at: "/api/runs/nothing", body: { tags: [] }, expect: 404 });
  assert.deepEqual((await ask("patch", "/api/runs/{id}", { at: `/api/runs/${live}`, body: { tags: ["now"] }, expect: 200 })).json.state, "recording");
  assert.deepEqual((await ask("patch", "/api/runs/{id}", { at, body: { tags: [] }, expect: 200 })).json.tags, []);
  mkdirSync(join(open.env.VOLARY_RUNS, `${id}.tags`, "in the way"), { recursive: true });
  await ask("patch", "/api/runs/{id}", { at, body: { tags: ["x"] }, expect: 409 });
  rmSync(join(open.env.VOLARY_RUNS, `${id}.tags`), { recursive: true });

  const file = "/api/runs/{id}/file";
  const whole = await ask("get", file, { at: `${at}/file`, expect: 200 });
  assert.deepEqual(whole.body, readFileSync(join(open.env.VOLARY_RUNS, `${id}.vrec`)));
  const part = await ask("get", file, { at: `${at}/file`, headers: { Range: "bytes=64-99" }, expect: 206 });
  assert.deepEqual(part.body, whole.body.subarray(64, 100));
  await ask("get", file, { at: `${at}/file`, headers: { Range: "bytes=999999999-" }, expect: 416 });
  await ask("get", file, { at: `${at}/file`, headers: { "If-None-Match": whole.headers.etag }, expect: 304 });
  await ask("get", file, { at: "/api/runs/nothing/file", expect: 404 });

  await ask("delete", "/api/runs/{id}", { at: `/api/runs/${live}`, expect: 409 });
  await ask("delete", "/api/runs/{id}", { at, expect: 200 });
  await ask("delete", "/api/runs/{id}", { at, expect: 404 });
  assert.ok(!readdirSync(open.env.VOLARY_RUNS).some((f) => f.startsWith(id)));
});

test("the live world does each command, refuses what it cannot do, and says so", { skip }, async () => {
  const live = (name, body, expect = 200) => ask("post", `/api/live/${name}`, { body, expect });
  const status = async () => (await ask("get", "/api/live", { expect: 200 })).json;
  assert.equal((await live("start", { scenario: "landing", overrides: ["seed=9", "duration=7200"], paused: true })).json.state, "paused");
  await live("start", { scenario: "nothing" }, 409);
  assert.equal((await live("step", { ticks: 7 })).json.tick, 7);
  assert.equal((await live("step")).json.tick, 8);
  assert.equal((await live("speed", { factor: 2 })).json.speed, 2);
  assert.equal((await live("resume")).json.state, "running");
  assert.equal((await live("pause")).json.state, "paused");
  const [first, second] = await vehicles(open);
  assert.deepEqual(await vehicles(open), await numbers(open), "the stream and REST name the same vehicles");
  const ids = [first];
  await live("goto", { ids, position: [1, 2, 5] });
  await live("mode", { ids, mode: "hold" });
  await live("spawn", { flock: "landers", position: [9, 9, 4], name: "late" });
  await live("parameter", { ids, name: "mass", value: 0.9 });
  await live("input", { kind: "setpoint", ids, fields: { level: "velocity", velocity: [1, 0, 0] } });
  await live("input", { kind: "wind", fields: { wind: [2, 0, 0] }, tick: 1000 });
  await live("fault", { ids, component: "rotor[0]", kind: "scale", amount: 0.95, duration: 5 });
  await live("fault", { ids, component: "link", kind: "bias", amount: [-3] });
  await live("step", { ticks: 1 });
  assert.match((await live("fault", { ids, component: "rotr[0]", kind: "off" }, 400)).json.error, /fault\.component: .*did you mean 'rotor'/);
  assert.match((await live("fault", { ids, component: "rotor[7]", kind: "off" }, 409)).json.error, /no component 'rotor\[7\]'/);
  assert.match((await live("input", { kind: "setpoint", ids, fields: { level: "velocty" } }, 400)).json.error, /fields\.level: .*did you mean 'velocity'/);
  const inputs = (await ask("get", "/api/schema", { expect: 200 })).json.inputs;
  assert.deepEqual(Object.keys(inputs).sort(), description.paths["/api/live/input"].post.requestBody.content["application/json"].schema.properties.kind.enum.toSorted());
  for (const kind of Object.keys(inputs)) assert.match((await live("input", { kind, ids, fields: { wings: 2 } }, 400)).json.error, /fields\.wings: is not a field/);
  const nobody = ["18446744073709551614"];
  await live("input", { kind: "mode", ids: nobody }, 409);
  await live("goto", { ids: nobody, position: [1, 2, 5] }, 409);
  await live("mode", { ids: nobody, mode: "hold" }, 409);
  await live("remove", { ids: nobody }, 409);
  await live("parameter", { ids: nobody, name: "mass", value: 1 }, 409);
  await live("behaviour", { ids: nobody, kind: "avoid", weight: 1 }, 409);
  await live("behaviour", { ids, kind: "avoid", weight: 1 }, 409); // a lander decides nothing
  await live("emergency_stop", { ids: nobody }, 409);
  await live("spawn", { flock: "nobody's", position: [0, 0, 4] }, 409);
  await live("remove", { ids });
  await live("emergency_stop", { ids: [second] });
  await live("emergency_stop");
  await live("start", { scenario: "hill_relay", paused: true });
  const relay = [(await vehicles(open)).at(-1)];
  await live("behaviour", { ids: relay, kind: "relay_chain", weight: 0 });
  assert.match((await live("behaviour", { ids: relay, kind: "relay_chian", weight: 0 }, 409)).json.error, /did you mean 'relay_chain'/);
  await live("field", { ids: relay, path: "behaviours.relay_chain.speed", value: "1.5" });
  await live("field", { path: "radio.loss", value: "0.1" });
  await live("field", { ids: nobody, path: "radio.loss", value: "0.1" }, 409);
  assert.match((await live("field", { path: "radio.los", value: "0.1" }, 409)).json.error, /radio\.los: there is no such field \(did you mean 'loss'\?\)/);
  assert.match((await live("field", { ids: relay, path: "behaviours.relay_chain.speed", value: "fast" }, 409)).json.error, /expected a number, found 'fast'/);
  assert.equal((await live("stop")).json.state, "finished");
  for (const name of ["pause", "resume", "step"]) await live(name, undefined, 409);
  assert.equal((await live("reset")).json.tick, 0);
  assert.equal((await status()).type, "status");
});

/** Ids of all vehicles, from the roster of the stream. */
async function vehicles(server) {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/ws`);
  try {
    return await new Promise((done, reject) => {
      socket.onmessage = ({ data }) => { const m = typeof data === "string" ? JSON.parse(data) : {}; if (m.type === "roster") done(m.vehicles.map((v) => v.id)); };
      socket.onerror = () => reject(new Error("the stream cannot be opened"));
    });
  } finally {
    socket.close();
  }
}

/** The same from REST. */
const numbers = async (server) => (await ask("get", "/api/live/vehicles", { server, expect: 200 })).json.vehicles.map((v) => String(v.id));

test("vehicles are listed with what can be read and changed of them, and named by name or number", { skip }, async () => {
  const look = async (query, expect = 200) => (await ask("get", "/api/live/vehicles", { at: `/api/live/vehicles?${query}`, expect })).json;
  await ask("post", "/api/live/start", { body: { scenario: "landing", paused: true }, expect: 200 });
  const all = (await ask("get", "/api/live/vehicles", { expect: 200 })).json;
  assert.equal(all.total, all.vehicles.length);
  const [first] = all.vehicles;
  const flock = all.flocks.find((f) => f.name === first.flock);
  assert.ok(flock.columns.some((c) => c.name === "attitude" && c.components === 4));
  assert.ok(flock.parameters.some((p) => p.name === "mass" && p.unit === "kg"));
  for (const who of [first.id, encodeURIComponent(first.name), first.name]) {
    const { vehicles, total } = await look(`ids=${who}&columns=attitude,setpoint.position`);
    assert.equal(total, 1);
    assert.equal(vehicles[0].name, first.name);
    assert.equal(vehicles[0].columns.attitude.length, 4);
  }
  // every column that is listed can be read, all of them at once
  const names = flock.columns.map((c) => c.name);
  const read = await look(`ids=${first.id}&columns=${names}`);
  assert.deepEqual(Object.keys(read.vehicles[0].columns).sort(), names.toSorted());
  for (const { name } of flock.parameters) await ask("post", "/api/live/parameter", { body: { ids: [first.id], name, value: 1, component: 0 } });
  assert.match((await look("columns=atitude", 404)).error, /did you mean 'attitude'/);
  assert.match((await look("ids=nobody", 404)).error, /no vehicle is called 'nobody'/);
  assert.match((await look("flock=nobody", 404)).error, /no flock is called 'nobody'/);
  for (const query of ["limit=0", "limit=x", "offset=-1", "ids=,", "page=2"]) await look(query, 400);
  for (const ids of [[first.id], [String(first.id)], [first.name]]) await ask("post", "/api/live/goto", { body: { ids, position: [1, 2, 5] }, expect: 200 });
  for (const ids of [[0], [-1], [1.5], [null], [true], 7]) await ask("post", "/api/live/goto", { body: { ids, position: [1, 2, 5] }, expect: 400 });
});

test("senses of a vehicle: what can fail, what has failed, and what it estimates", { skip }, async () => {
  const senses = async (who, expect = 200) => (await ask("get", "/api/live/vehicles/{id}/senses", { at: `/api/live/vehicles/${encodeURIComponent(who)}/senses`, expect })).json;
  await ask("post", "/api/live/start", { body: { scenario: "landing", paused: true }, expect: 200 });
  const [{ id, name }] = (await ask("get", "/api/live/vehicles", { expect: 200 })).json.vehicles;
  for (const who of [id, name]) assert.equal((await senses(who)).name, name);
  const { components } = await senses(id);
  assert.ok(components.some((c) => c.name === "rotor[0]" && c.unit === "1") && components.some((c) => c.name === "link" && c.unit === "dB"));
  for (const { name: component } of components) await ask("post", "/api/live/fault", { body: { ids: [id], component, kind: "bias", amount: 0.01 }, expect: 200 });
  await ask("post", "/api/live/step", { body: { ticks: 1 }, expect: 200 });
  assert.deepEqual((await senses(id)).faults.map((f) => f.component).sort(), components.map((c) => c.name).sort());
  assert.match((await senses("nobody", 404)).error, /no vehicle is called 'nobody'/);
});

test("contacts of a vehicle: none of one that is no joined body", { skip }, async () => {
  const contacts = async (who, expect = 200) => (await ask("get", "/api/live/vehicles/{id}/contacts", { at: `/api/live/vehicles/${encodeURIComponent(who)}/contacts`, expect })).json;
  const [{ id, name }] = (await ask("get", "/api/live/vehicles", { expect: 200 })).json.vehicles;
  for (const who of [id, name]) assert.deepEqual([(await contacts(who)).name, (await contacts(who)).contacts], [name, []]);
  assert.match((await contacts("nobody", 404)).error, /no vehicle is called 'nobody'/);
});

test("autopilots: none in a plain run, one for each vehicle with a MAVLink link, and refusals in their words", { skip }, async () => {
  const at = "/api/live/autopilots";
  const plain = (await ask("get", at, { expect: 200 })).json;
  assert.deepEqual([plain.total, plain.vehicles, plain.links, plain.lockstep], [0, [], [], []]);
  const server = await serve("mavlink", "--no-record", "--mavlink", "udpin:127.0.0.1:0");
  try {
    const look = async (query, expect = 200) => (await ask("get", at, { server, at: `${at}?${query}`, expect })).json;
    const { total, vehicles, links } = await look("limit=2");
    assert.ok(total > 2);
    assert.equal(vehicles.length, 2);
    assert.equal(vehicles[0].autopilot, "Volary");
    assert.match(links[0].address, /^udpin:127\.0\.0\.1:[1-9]/);
    assert.equal(links[0].state, "listening");
    assert.deepEqual((await look(`ids=${vehicles[1].id}`)).vehicles.map((v) => v.name), [vehicles[1].name]);
    for (const query of ["limit=0", "page=2", "columns=attitude"]) assert.ok((await look(query, 400)).error);
    assert.match((await look("ids=nobody", 404)).error, /no vehicle is called 'nobody'/);
    const refused = await ask("post", "/api/live/mode", { server, body: { ids: [vehicles[0].name], mode: "disarm" }, expect: 409 });
    const said = (await look(`ids=${vehicles[0].id}`)).vehicles[0].messages;
    assert.equal(refused.json.error, `${vehicles[0].name}: ${said.at(-1).text}`);
  } finally {
    server.child.kill("SIGINT");
    await once(server.child, "exit");
  }
});

test("tasks have four states, and no other", { skip }, async () => {
  await ask("post", "/api/live/start", { body: { scenario: "hill_relay", paused: true }, expect: 200 });
  const { tasks } = (await ask("get", "/api/live/tasks", { expect: 200 })).json;
  assert.ok(tasks.length > 0);
  for (const t of tasks) assert.ok(["open", "holding"].includes(t.state), `${t.name} is ${t.state} before the first tick`);
  assert.ok(tasks.every((t) => t.state !== "done"), "nothing is done at 0 s");
});

/** Bodies that the schema of a request refuses: each property missing, of the wrong type, beyond its bounds. */
function spoilt(schema) {
  const bodies = ["{", "[1]", "7", '"x"', "[".repeat(3000)];
  for (const [name, raw] of Object.entries(schema.properties ?? {})) {
    const p = resolve(raw);
    const others = [{}, ["a", "b", "c"], "no such thing", -1e99, true, [[]]].filter((v) => check(v, p, description).length > 0);
    for (const v of others) bodies.push(JSON.stringify({ ...sound(schema), [name]: v }));
    if (schema.required?.includes(name)) bodies.push(JSON.stringify({ ...sound(schema), [name]: undefined }));
  }
  return bodies;
}
function sound(schema) {
  const s = resolve(schema);
  if (s.enum) return s.enum[0];
  if (s.type === "object") return Object.fromEntries((s.required ?? []).map((k) => [k, sound(s.properties[k])]));
  if (s.type === "array") return Array.from({ length: s.minItems ?? 0 }, () => sound(s.items));
  return { string: "1", number: 1, integer: 1, boolean: true }[[s.type].flat()[0]];
}
test("the air: arrows about the swarm, at the heights asked for; questions without sense are refused", { skip }, async () => {
  const air = (await ask("get", "/api/air", { expect: 200 })).json;
  assert.equal(air.wind.length, 144);
  const [wx, wy] = air.wind[0].slice(3);
  assert.ok(air.wind.every((a) => a[3] === wx && a[4] === wy), "a plain world has one wind");
  assert.equal(air.middle.density, 1.225);
  const asked = (await ask("get", "/api/air", { at: "/api/air?heights=10,50&side=3&box=-10,-20,30,40", expect: 200 })).json;
  assert.equal(asked.wind.length, 18);
  assert.deepEqual(asked.wind[0].slice(0, 2), [-10, -20]);
  assert.deepEqual(asked.wind[17].slice(0, 2), [30, 40]);
  // heights are above the ground, which has hills here
  for (let k = 0; k < 9; k++) assert.ok(Math.abs(asked.wind[k + 9][2] - asked.wind[k][2] - 40) < 1e-9, `${k}`);
  for (const query of ["side=1", "side=41", "side=2.5", "heights=a", "heights=1,,2", "box=1,2,3", "box=5,0,1,9", "heights=1e9", "world=-1"]) await ask("get", "/api/air", { at: `/api/air?${query}`, expect: 400 });
});

test("the nodes of a federation; other worlds have none", { skip }, async () => {
  assert.match((await ask("get", "/api/live/nodes", { expect: 404 })).json.error, /one process simulates this world/);
  if (!hasBroker) return [200, 400].forEach((status) => seen.add(`get /api/live/nodes ${status}`));
  const f = await up("nodes", ["mixed", "--nodes", "2", "--speed", "1", "--duration", "600", "--no-record"], { page: true });
  const server = { port: Number(new URL(f.base).port) };
  const nodes = await meet(async () => (await ask("get", "/api/live/nodes", { server, expect: 200 })).json.nodes.every((n) => n.state === "running"), "both nodes run");
  assert.ok(nodes);
  await ask("get", "/api/live/nodes", { at: "/api/live/nodes?after=x", server, expect: 400 });
  await f.end();
});

test("bodies that break their schema are refused by every operation that takes one", { skip }, async () => {
  let sent = 0;
  for (const { path, method, operation } of operations) {
    const schema = operation.requestBody && resolve(operation.requestBody).content["application/json"]?.schema;
    if (!schema || path === "/api/login") continue;
    for (const body of spoilt(schema)) {
      const answer = await ask(method, path, { at: path.replace("{id}", "nothing"), body });
      assert.equal(answer.status, 400, `${method} ${path} took ${body.slice(0, 80)}`);
      sent++;
    }
  }
  console.log(`  ${sent} bodies refused`);
  assert.ok(sent > 150);
});

test("no address takes a method that is not described, and no other address is there", { skip }, async () => {
  for (const [path, item] of Object.entries(description.paths)) {
    const at = path.replace("{name}", "default").replace("{id}", "nothing");
    const allowed = METHODS.filter((m) => item[m]).flatMap((m) => (m === "get" ? ["GET", "HEAD"] : [m.toUpperCase()]));
    for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"].filter((m) => !allowed.includes(m))) {
      const answer = await raw(open, method, at);
      assert.equal(answer.status, 405, `${method} ${at} -> ${answer.status}`);
      assert.deepEqual(answer.headers.allow.split(", ").sort(), allowed.toSorted());
      if (method !== "HEAD") assert.deepEqual(check(JSON.parse(answer.body), { $ref: "#/components/responses/Error/content/application~1json/schema" }, description), []);
    }
  }
  for (const at of ["/api", "/api/", "/api/none", "/api/version/x", "/api/live/dance", "/api/live/take", "/api/live/pause/x", "/api/runs/x/none", "/api/runs/x/file/y", "/api/scenarios/a/b", "/api/openapi", "/api/login/x"])
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
      const { status } = await raw(open, method, at);
      assert.ok(status === 404 || (at.startsWith("/api/live/") && at.split("/").length === 4 && status === 405), `${method} ${at} -> ${status}`);
    }
});

test("HEAD answers as GET does, without a body", { skip }, async () => {
  for (const { path } of operations.filter((o) => o.method === "get")) {
    const at = path.replace("{name}", "default").replace("{id}", "nothing");
    const [get, head] = [await raw(open, "GET", at), await raw(open, "HEAD", at)];
    assert.equal(head.status, get.status, at);
    assert.equal(head.body.length, 0);
    assert.equal(head.headers["content-type"], get.headers["content-type"], at);
  }
});

test("without a token nothing is answered; with one for looking nothing can be done; wrong ones run out", { skip }, async () => {
  const bearer = (token) => ({ Authorization: `Bearer ${token}` });
  for (const { path, method, operation } of operations) {
    if (path === "/api/login") continue;
    const at = path.replace("{name}", "default").replace("{id}", "nothing");
    await ask(method, path, { at, server: locked, expect: 401 });
    await ask(method, path, { at, server: locked, headers: bearer("a-token-for-nothing-12345"), expect: 401 });
    const looked = await ask(method, path, { at, server: locked, headers: bearer(VIEW) });
    const looks = method === "get" || path === "/api/scenarios/check";
    assert.equal(looked.status === 403, !looks, `${method} ${path} with a token for looking: ${looked.status}`);
    await ask(method, path, { at, server: locked, headers: { ...bearer(ALL), Host: "evil.example" }, expect: 421 });
    if (method !== "get") await ask(method, path, { at, server: locked, headers: { ...bearer(ALL), Origin: "http://evil.example" }, expect: 403 });
    assert.ok(operation.summary);
  }
  const login = (token) => ask("post", "/api/login", { server: locked, body: { token } });
  const session = await login(VIEW);
  assert.match(session.headers["set-cookie"][0], /HttpOnly; SameSite=Strict/);
  const cookie = session.headers["set-cookie"][0].split(";")[0];
  await ask("get", "/api/live", { server: locked, headers: { Cookie: cookie }, expect: 200 });
  await ask("post", "/api/live/pause", { server: locked, headers: { Cookie: cookie }, expect: 403 });
  for (const body of ["", "{", {}, { token: 7 }]) await ask("post", "/api/login", { server: locked, body, expect: 400 });
  const answers = [];
  for (let k = 0; k < 10; k++) answers.push((await login(`wrong-${k}`)).status);
  assert.deepEqual(answers, Array(10).fill(401));
  // One more is granted every second: many at once exhaust them however slow the machine is.
  for (let k = 0; k < 5 && !answers.includes(429); k++) answers.push(...(await Promise.all(Array.from({ length: 20 }, async (_, i) => (await login(`wrong-${k}-${i}`)).status))));
  assert.ok(answers.includes(429), String(answers));
});

test("every answer that the description promises was seen", { skip }, () => {
  const promised = operations.flatMap(({ path, method, operation }) => Object.keys(operation.responses).map((status) => `${method} ${path} ${status}`));
  assert.deepEqual(promised.filter((p) => !seen.has(p)), []);
  console.log(`  ${operations.length} operations, ${promised.length} answers promised, ${seen.size} seen`);
});
