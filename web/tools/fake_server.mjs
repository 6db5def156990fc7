// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Speaks the live protocol with a synthetic swarm, for work on the page without the simulator. Not a simulation: vehicles follow formulas.
//   node tools/fake_server.mjs [--port 8765] [--vehicles 24] [--duration 60] [--seed 1]
// For tests it can also be imported: `const server = await start({ port: 0, vehicles: 24 })`.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { crc32 } from "node:zlib";
import { WebSocketServer } from "ws";
import { nodesText, shift } from "./fake_nodes.mjs";

const QUAD = [[0.17, -0.17, 0.06, 1], [-0.17, 0.17, 0.06, 1], [0.17, 0.17, 0.06, -1], [-0.17, -0.17, 0.06, -1]];
const HEX = Array.from({ length: 6 }, (_, k) => [0.4 * Math.cos((k + 0.5) * Math.PI / 3), 0.4 * Math.sin((k + 0.5) * Math.PI / 3), 0.08, k % 2 ? 1 : -1]);
const FLOCKS = [
  { name: "inner", airframe: "x500", model: "multirotor", rotors: QUAD, size_m: 0.65, controller: "ladder" },
  { name: "outer", airframe: "x500", model: "multirotor", rotors: QUAD, size_m: 0.65, controller: "ladder" },
  { name: "crown", airframe: "hexacopter", model: "multirotor", rotors: HEX, size_m: 1.1, controller: "geometric" },
];
// rotors with axis and radius, as airframes with wings tell them
const AIRCRAFT = [
  { name: "planes", airframe: "trainer", model: "aircraft", rotors: [[0.42, 0, 0, 1, 1, 0, 0, 0.14]], size_m: 1.9, controller: "ladder", look: { kind: "aeroplane", tail: "conventional", span: 1.9, chord: 0.24, length: 1.2 } },
  { name: "wings", airframe: "zagi", model: "aircraft", rotors: [[-0.32, 0, 0.02, 1, 1, 0, 0, 0.1]], size_m: 1.5, controller: "ladder", look: { kind: "flying_wing", span: 1.5, chord: 0.29 } },
  { name: "talons", airframe: "talon", model: "aircraft", rotors: [[-0.55, 0, 0.03, 1, 1, 0, 0, 0.14]], size_m: 1.72, controller: "ladder", look: { kind: "aeroplane", tail: "v", span: 1.72, chord: 0.26, length: 1.1 } },
  { name: "quadplanes", airframe: "quadplane", model: "aircraft", rotors: [...[[0.42, -0.4, 1], [-0.42, 0.4, 1], [0.42, 0.4, -1], [-0.42, -0.4, -1]].map(([x, y, spin]) => [x, y, 0.06, spin, 0, 0, 1, 0.2]), [-0.5, 0, 0, 1, 1, 0, 0, 0.17]], size_m: 2.2, controller: "ladder", look: { kind: "quadplane", tail: "conventional", span: 2.2, chord: 0.27, length: 1.5 } },
  { name: "cars", airframe: "buggy", model: "car", rotors: [], size_m: 2.6, controller: "ladder", look: { kind: "car", wheelbase: 1.6, width: 1.2, to_front: 0.9, height: 0.25 } },
];
/** A field about the swarm, a tower to keep out of, a pad: one of each rule and of each shape. */
const regionsFor = (scale) => {
  const at = (points) => points.map((p) => p.map((x) => x * scale));
  return [
    { name: "field", rule: "keep_in", centre: [0, 0], radius: 0, corners: at([[-28, -26], [28, -26], [28, 26], [-28, 26]]), ceiling: 22 * Math.sqrt(scale) },
    { name: "tower", rule: "keep_out", centre: [14 * scale, -17 * scale], radius: 3.5 * scale, corners: [], floor: 0, ceiling: 12 * Math.sqrt(scale) },
    { name: "pad", rule: "mark", centre: [-18 * scale, -15 * scale], radius: 0, corners: at([[-22, -19], [-14, -19], [-18, -11]]), floor: 0 },
  ];
};
// two platforms of three aircraft on ball joints, one with a pole ahead, and quadrotors that could be held
const STAR = { centre: [0.3, 0.3, 0.06], parts: [[0.48, 0], [-0.24, 0.4157], [-0.24, -0.4157]].map(([x, y]) => ({ joint: [x, y, 0.07], yaw: 0, link: "spherical", size_m: 0.65, rotors: QUAD })) };
const PLATFORMS = [
  { name: "stars", airframe: "three_star", model: "platform", rotors: STAR.parts.flatMap((p) => QUAD.map(([x, y, z, spin]) => [x + p.joint[0], y + p.joint[1], z + 0.07, spin])), size_m: 1.6, controller: "cascade", body: { ...STAR, effectors: [{ kind: "pole", position: [0.15, 0, 0], direction: [1, 0, 0], length: 1, radius: 0.02 }] } },
  { name: "quads", airframe: "x500_cone", model: "multirotor", rotors: QUAD, size_m: 0.65, controller: "cascade", body: { effectors: [{ kind: "cone", position: [0.1, 0, 0], direction: [1, 0, 0], length: 0.15, radius: 0.03, mouth: 0.1 }] } },
  { name: "plain", airframe: "x500", model: "multirotor", rotors: QUAD, size_m: 0.65, controller: "cascade" },
];
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".json": "application/json" };
const TICK = 0.01;

function pathOf(v, t) {
  if (v.circle) {
    const a = v.phase + (v.turn * t * v.speed) / v.radius;
    return [v.circle[0] + v.radius * Math.cos(a), v.circle[1] + v.radius * Math.sin(a), v.height + v.wave * Math.sin(2 * a)];
  }
  // Rings that breathe and climb, a crown above; one vehicle flies due east along the south for the tests of handedness.
  if (v.id === "0") return [-20 + 2 * t, -4, 6];
  const rise = Math.min(1, t / 4);
  const a = v.phase + v.turn * t * v.speed / v.radius;
  const r = v.radius * (1 + 0.08 * Math.sin(0.3 * t + v.phase * 2));
  return [r * Math.cos(a), r * Math.sin(a), 0.1 + rise * (v.height + v.wave * Math.sin(0.5 * t + 3 * v.phase))];
}

function half(x) {
  const f = new Float32Array([x]);
  const u = new Uint32Array(f.buffer)[0];
  const sign = (u >>> 16) & 0x8000;
  const e = ((u >>> 23) & 255) - 112;
  if (e <= 0) return sign;
  if (e >= 31) return sign | 0x7bff;
  return sign | (e << 10) | ((u >>> 13) & 1023);
}

function pack(q) {
  let big = 0;
  for (let i = 1; i < 4; i++) if (Math.abs(q[i]) > Math.abs(q[big])) big = i;
  const s = q[big] < 0 ? -1 : 1;
  let out = big;
  for (let i = 0; i < 4; i++) if (i !== big) out = out * 1024 + Math.min(1023, Math.max(0, Math.round(((s * q[i] * Math.SQRT2 + 1) / 2) * 1023)));
  return out >>> 0;
}

export async function start(options = {}) {
  const o = { port: 8765, vehicles: 24, duration: 60, seed: 1, dist: join(import.meta.dirname, "..", "dist"), speed: 1, scope: "all", paused: false, at: 0, wind: [3.2, 1.8, 0], gusts: 0.8, ...options };
  const regions = o.regions ?? regionsFor(Math.sqrt(Math.max(1, o.vehicles / 24)));
  const world = { t: o.at, tick: Math.round(o.at / TICK), state: o.paused ? "paused" : "running", speed: o.speed, roster: 1, nextId: 0, goals: new Map(), leases: new Map(), events: [] };
  let vehicles = [];
  const flocks = o.fleet === "aircraft" ? AIRCRAFT : o.fleet === "platforms" ? PLATFORMS : FLOCKS;
  /** Every aircraft on a circle of its own in a field of circles; cars on the ground between them. */
  const aircraft = (flock, k, count) => {
    const car = AIRCRAFT[flock].look.kind === "car";
    const place = flock + AIRCRAFT.length * k;
    const side = Math.ceil(Math.sqrt(o.vehicles));
    const gap = o.vehicles > 50 ? 45 : 30;
    const circle = [((place % side) - (side - 1) / 2) * gap, (Math.floor(place / side) - (side - 1) / 2) * gap];
    return { id: String(world.nextId), name: `uav-${world.nextId++}`, flock, circle, phase: 2.399963 * place, radius: car ? 12 : o.vehicles > 50 ? 60 : 28, turn: k % 2 ? -1 : 1, speed: car ? 6 : 16 + 2 * flock, height: car ? 0.25 : 30 + 14 * flock + 4 * (k % 5), wave: car ? 0 : 3, offset: [0, 0, 0], mode: 4, manual: null };
  };
  const make = (flock, k, count) => {
    if (flocks === AIRCRAFT) return aircraft(flock, k, count);
    const layer = Math.sqrt(Math.max(1, o.vehicles / 24));
    const ring = [7, 14, 20][flock] * layer;
    return { id: String(world.nextId), name: `uav-${world.nextId++}`, flock, phase: (2 * Math.PI * k) / count + (o.vehicles > 200 ? 2.399963 * k : 0), radius: o.vehicles > 200 ? ring * (0.25 + 0.75 * Math.sqrt((k + 0.5) / count)) : ring, turn: flock === 1 ? -1 : 1, speed: 2.5 + flock, height: [5, 9, 14][flock] * Math.sqrt(layer), wave: [0.8, 1.2, 1.5][flock] * Math.sqrt(layer), offset: [0, 0, 0], mode: 4, manual: null };
  };
  const populate = () => {
    world.nextId = 0;
    vehicles = [];
    const each = Math.round(o.vehicles / flocks.length);
    const shares = flocks.map((_, k) => (k + 1 < flocks.length ? each : o.vehicles - each * (flocks.length - 1)));
    shares.forEach((count, flock) => { for (let k = 0; k < count; k++) vehicles.push(make(flock, k, count)); });
  };
  populate();

  const place = (v, t) => {
    if (v.manual) return v.manual.at;
    const p = v.held ?? pathOf(v, t);
    return [p[0] + v.offset[0], p[1] + v.offset[1], Math.max(0.1, p[2] + v.offset[2])];
  };
  const frame = (seen = "committed") => {
    const n = vehicles.length;
    const pad = (b) => (b + 3) & ~3;
    const bytes = 64 + 16 * n + 4 * pad(2 * n);
    const buffer = Buffer.alloc(bytes);
    const view = new DataView(buffer.buffer, buffer.byteOffset, bytes);
    view.setUint32(0, 0x46594c56, true); view.setUint16(4, 1, true); view.setUint16(6, 1, true); view.setUint32(8, bytes, true);
    view.setUint32(16, world.tick >>> 0, true); view.setUint32(20, Math.floor(world.tick / 4294967296), true);
    view.setFloat64(24, world.t, true); view.setUint32(56, n, true); view.setUint32(60, world.roster, true);
    const at = { e: 64, n: 64 + 4 * n, u: 64 + 8 * n, q: 64 + 12 * n, ve: 64 + 16 * n };
    at.vn = at.ve + pad(2 * n); at.vu = at.vn + pad(2 * n); at.s = at.vu + pad(2 * n);
    vehicles.forEach((v, k) => {
      const t = world.t + (o.nodes ? shift(seen, world.tick, k % o.nodes.length) : 0);
      const p = place(v, t);
      const b = place(v, t + 0.05);
      const c = place(v, t - 0.05);
      const vel = v.manual ? v.manual.v : [0, 1, 2].map((i) => (b[i] - c[i]) / 0.1);
      const acc = v.manual ? [0, 0, 0] : [0, 1, 2].map((i) => (b[i] - 2 * p[i] + c[i]) / 0.0025);
      const yaw = v.angles ? v.angles[2] : v.manual ? v.manual.yaw : Math.hypot(vel[0], vel[1]) > 0.05 ? Math.atan2(vel[1], vel[0]) : 0;
      // Lean into the acceleration, as a multirotor must.
      const fwd = acc[0] * Math.cos(yaw) + acc[1] * Math.sin(yaw);
      const left = -acc[0] * Math.sin(yaw) + acc[1] * Math.cos(yaw);
      // One with wings points where it goes, a little nose up; a car stays level.
      const pitch = v.angles ? v.angles[1] : v.circle ? -Math.atan2(vel[2], Math.hypot(vel[0], vel[1])) - (v.wave ? 0.05 : 0) : Math.atan2(fwd, 9.81) + 0.04 * Math.hypot(vel[0], vel[1]);
      const roll = v.angles ? v.angles[0] : v.circle && !v.wave ? 0 : -Math.atan2(left, 9.81);
      const [cy, sy, cp, sp, cr, sr] = [Math.cos(yaw / 2), Math.sin(yaw / 2), Math.cos(pitch / 2), Math.sin(pitch / 2), Math.cos(roll / 2), Math.sin(roll / 2)];
      const q = [cr * cp * cy + sr * sp * sy, sr * cp * cy - cr * sp * sy, cr * sp * cy + sr * cp * sy, cr * cp * sy - sr * sp * cy];
      view.setFloat32(at.e + 4 * k, p[0], true); view.setFloat32(at.n + 4 * k, p[1], true); view.setFloat32(at.u + 4 * k, p[2], true);
      view.setUint32(at.q + 4 * k, pack(q), true);
      view.setUint16(at.ve + 2 * k, half(vel[0]), true); view.setUint16(at.vn + 2 * k, half(vel[1]), true); view.setUint16(at.vu + 2 * k, half(vel[2]), true);
      view.setUint16(at.s + 2 * k, v.mode | (v.manual ? 32 : 0) | (v.flags ?? 0), true);
    });
    view.setUint32(12, crc32(buffer.subarray(16)), true);
    return buffer;
  };

  const clients = new Set();
  const tell = (m) => { const text = JSON.stringify(m); for (const c of clients) c.socket.send(text); };
  const roster = () => ({ type: "roster", version: world.roster, vehicles: vehicles.map((v) => ({ id: v.id, name: v.name, flock: v.flock })) });
  const status = () => ({ type: "status", tick: world.tick, time: world.t, state: world.state, speed: world.speed, factor: world.state === "running" ? world.speed * 0.998 : 0, vehicles: vehicles.length, hash: world.tick.toString(16).padStart(16, "0"),
    profile: [["sense", 0.11], ["control", 0.42], ["wind", 0.08], ["integrate", 0.95], ["collide", 0.21], ["record", 0.06]].map(([stage, s]) => ({ stage, seconds: s * 1e-3 * vehicles.length / 24 })), metrics: { tracking_max: 0.31 + 0.1 * Math.sin(world.t), tracking_rms: 0.12 + 0.03 * Math.sin(world.t * 0.7) } });
  const hello = () => ({ type: "hello", version: "0.1.0", scenario: "formation_demo", description: "two rings and a crown of quadrotors", seed: String(o.seed), tick_s: TICK, duration_s: o.duration, worlds: 1, flocks: o.radius ? flocks.map((f) => ({ ...f, radius_m: o.radius })) : flocks, state: world.state, speed: world.speed, token_scope: o.scope, run: "", epoch: 1, ground: 0, has_ground: true, wind: o.wind, gust_sigma: o.gusts, regions, ...(o.nodes ? { nodes: o.nodes.length } : {}), ...(o.autopilots ? { autopilots: true } : {}), ...o.hello });
  // Wind that grows with height and curls about the middle; none where there is no mean wind.
  const windAt = (e, n, u) => { const grow = Math.max(0, Math.log(Math.max(u, 0.2) / 0.05) / Math.log(120)); const curl = Math.min(2, Math.hypot(...o.wind)) / (Math.hypot(e, n) + 20); return [o.wind[0] * grow - curl * n, o.wind[1] * grow + curl * e, 6 * curl * Math.sin(e / 40)]; };
  const air = (q) => {
    const [w, s, e, n] = q.get("box").split(",").map(Number);
    const [height, side] = [Number(q.get("heights")), Number(q.get("side"))];
    const places = Array.from({ length: side * side }, (_, k) => [w + ((e - w) * (k % side)) / (side - 1), s + ((n - s) * Math.floor(k / side)) / (side - 1), height]);
    return { time: world.t, wind: places.map((p) => [...p, ...windAt(...p)]), middle: { wind: windAt((w + e) / 2, (s + n) / 2, height), density: 1.19, temperature: 291.15, pressure: 100800, magnetic: [0, 0, 0] } };
  };
  const fields = () => [["wind", `[${o.wind.join(", ")}]`, "m/s"], ["gust_sigma", String(o.gusts), "m/s"], ["turbulence.form", "dryden", "-", ["none", "dryden", "von_karman"]], ["turbulence.intensity", "7.7", "m/s"], ["atmosphere.temperature", "0", "K"]].map(([path, value, unit, choices]) => ({ path: `environment.${path}`, value, unit, doc: path, ...(choices ? { choices } : {}) }));
  const event = (v, what) => { const e = { type: "event", tick: world.tick, time: world.t, vehicle: v.id, name: v.name, what }; world.events.push(e); tell(e); };
  const goals = () => ({ type: "goals", goals: [...world.goals].map(([id, position]) => ({ id, position })) });
  const estimates = (ids) => ({ type: "estimates", tick: world.tick, vehicles: ids.map(find).filter(Boolean).flatMap((v) => o.estimates(v.id, place(v, world.t), world) ?? []) });
  const bodies = (ids) => ({ type: "bodies", tick: world.tick, vehicles: ids.map(find).filter(Boolean).flatMap((v) => o.bodies(v.id, place(v, world.t), world, v) ?? []) });
  const broadcast = () => {
    if (o.bodies && world.tick !== world.embodied) for (const c of clients) if (c.bodies?.length) c.socket.send(JSON.stringify(bodies(c.bodies)));
    world.embodied = world.tick;
    if (o.estimates && world.tick !== world.estimated) for (const c of clients) if (c.estimates?.length) c.socket.send(JSON.stringify(estimates(c.estimates)));
    world.estimated = world.tick; const made = new Map(); for (const c of clients) if (c.socket.bufferedAmount < 4e6) { if (!made.has(c.view)) made.set(c.view, frame(c.view)); c.socket.send(made.get(c.view)); } };
  const find = (id) => vehicles.find((v) => v.id === String(id));
  const newRoster = () => { world.roster++; tell(roster()); broadcast(); tell(status()); };

  const act = {
    pause: () => { if (world.state === "running") world.state = "paused"; },
    resume: () => { if (world.state === "paused") world.state = "running"; },
    step: (a) => { world.state = "paused"; forward((a.ticks ?? 1) * TICK); broadcast(); },
    speed: (a) => { world.speed = a.factor; },
    reset: () => { world.t = 0; world.tick = 0; world.goals.clear(); world.events = []; world.state = "running"; populate(); newRoster(); tell(goals()); },
    goto: (a) => {
      const all = a.ids.map(find).filter(Boolean);
      const centre = [0, 1, 2].map((i) => all.reduce((s, v) => s + place(v, world.t)[i], 0) / all.length);
      for (const v of all) { const p = place(v, world.t); world.goals.set(v.id, a.position.map((x, i) => x + (all.length > 1 && a.keep_offsets ? p[i] - centre[i] : 0))); v.held = place(v, world.t); v.offset = [0, 0, 0]; v.mode = 3; }
      tell(goals());
    },
    mode: (a) => { if (o.refuses) throw new Error(o.refuses); for (const id of a.ids) { const v = find(id); if (v) v.mode = { hold: 3, land: 5, take_off: 2, mission: 4, emergency_stop: 6 }[a.mode]; } },
    spawn: (a) => { const flock = Math.max(0, flocks.findIndex((f) => f.name === a.flock)); const v = make(flock, 0, 1); v.held = [...a.position]; v.mode = 3; vehicles.push(v); newRoster(); event(v, "spawned"); },
    remove: (a) => { for (const id of a.ids) { const v = find(id); if (v) event(v, "removed"); } vehicles = vehicles.filter((v) => !a.ids.includes(v.id)); newRoster(); },
    fault: (a) => {
      for (const v of a.ids.map(find).filter(Boolean)) {
        v.faults = (v.faults ?? []).filter((f) => f.component !== a.component);
        if (a.kind !== "none") v.faults.push(a);
        v.flags = ((v.flags ?? 0) & ~1024) | (v.faults.length ? 1024 : 0);
        event(v, a.kind === "none" ? `fault ended: ${a.component}` : `fault: ${a.component} ${a.kind}`);
      }
    },
    input: (a) => {
      if (o.refuses) throw new Error(o.refuses);
      for (const v of a.ids.map(find).filter(Boolean)) {
        if (a.kind === "pose") { v.held = [...a.fields.position]; v.offset = [0, 0, 0]; v.angles = [a.fields.roll, a.fields.pitch, a.fields.yaw]; v.mode = 1; }
        if (a.kind === "reaction") v.reaction = a.fields;
        if (a.kind === "release") { v.flags = (v.flags ?? 0) & ~4096; event(v, "released"); }
      }
    },
    parameter: () => {},
    field: (a) => {
      if (a.path === "environment.wind") o.wind = JSON.parse(a.value);
      event({ id: "", name: "" }, `set: ${a.path} to ${a.value}`);
    },
    emergency_stop: () => { for (const v of vehicles) { v.held = place(v, world.t); v.offset = [0, 0, 0]; v.manual = null; v.mode = 6; } event(vehicles[0], "emergency stop of the whole swarm"); },
    take: (a, c) => {
      const v = find(a.id);
      if (!v) throw new Error(`there is no vehicle ${a.id}`);
      if (world.leases.has(v.id) && world.leases.get(v.id) !== c) throw new Error(`${v.name} is held by someone else`);
      world.leases.set(v.id, c); v.manual = { at: place(v, world.t), v: [0, 0, 0], yaw: 0 };
      for (const x of clients) x.socket.send(JSON.stringify({ type: "lease", id: v.id, holder: x === c ? "you" : "other" }));
      event(v, "taken by hand");
    },
    release: (a) => { const v = find(a.id); world.leases.delete(String(a.id)); if (v) { v.held = v.manual?.at; v.manual = null; v.mode = 3; event(v, "released"); } tell({ type: "lease", id: String(a.id), holder: "none" }); },
    stop: () => { world.state = "finished"; },
  };
  const command = (m, c) => {
    const f = act[m.name];
    let error = !f ? `unknown command '${m.name}'` : o.scope === "view" ? "this token may only look" : "";
    if (!error) try { f(m.args ?? {}, c); } catch (e) { error = e.message; }
    c.socket.send(JSON.stringify({ type: "ack", seq: m.seq, ok: !error, ...(error ? { error } : {}) }));
    tell(status());
  };

  const said = new Set();
  function forward(dt) {
    world.t += dt; world.tick = Math.round(world.t / TICK); world.t = world.tick * TICK;
    for (const v of vehicles) {
      if (v.manual) { v.manual.at = v.manual.at.map((x, i) => x + v.manual.v[i] * dt); v.manual.at[2] = Math.max(0.1, v.manual.at[2]); v.manual.yaw += v.manual.w * dt || 0; }
      const g = world.goals.get(v.id);
      if (g && v.held) { const d = g.map((x, i) => x - v.held[i]); const l = Math.hypot(...d); const s = Math.min(1, (4 * dt) / (l || 1)); v.held = v.held.map((x, i) => x + d[i] * s); if (l < 0.05) { world.goals.delete(v.id); event(v, "reached its goal"); tell(goals()); } }
    }
    for (const [time, k, what] of [[4, 1, "took off"], [9, 5, "joined formation"], [15, 9, "battery low, warning"], [22, 13, "reached waypoint 2"], [31, 3, "link lost for 0.8 s"]])
      if (world.t >= time && !said.has(time) && vehicles[k]) { said.add(time); event(vehicles[k], what); }
    if (o.duration > 0 && world.t >= o.duration) world.state = "finished";
  }

  const server = createServer(async (q, r) => {
    const path = new URL(q.url, "http://x").pathname;
    const json = (x) => { r.setHeader("content-type", "application/json"); r.end(JSON.stringify(x)); };
    const known = !o.token || String(q.headers.cookie).includes("session=fake");
    if (path === "/api/login") {
      let body = "";
      for await (const part of q) body += part;
      const right = JSON.parse(body).token === o.token;
      r.statusCode = right ? 200 : 401;
      if (right) r.setHeader("set-cookie", "session=fake; HttpOnly; SameSite=Strict; Path=/");
      return json(right ? { ok: true } : { error: "this token is not the right one" });
    }
    if (path.startsWith("/api/") && !known) { r.statusCode = 401; return json({ error: "a token is needed" }); }
    if (path === "/api/version") return json({ version: "0.1.0" });
    if (path === "/api/scenarios") return json([{ name: "formation_demo", title: "two rings and a crown", vehicles: 24 }]);
    if (path === "/api/schema" && o.schema) return json(o.schema);
    if (path === "/api/runs" || path === "/api/airframes") return json([]);
    if (path === "/api/live") return json(status());
    if (path === "/api/live/nodes" && o.nodes) return json(nodesText(world, o.nodes, Number(new URL(q.url, "http://x").searchParams.get("after") ?? 0), o.states));
    if (path === "/api/live/autopilots" && o.autopilots) return json(o.autopilots(new URL(q.url, "http://x").searchParams));
    const senses = /^\/api\/live\/vehicles\/([^/]+)\/senses$/.exec(path);
    if (senses && o.components) { const v = find(decodeURIComponent(senses[1])); return json({ tick: world.tick, time: world.t, id: Number(v.id), name: v.name, condition: "fine", failsafe: "none", sensors: [], components: o.components, faults: (v.faults ?? []).map((f) => ({ amount: [0, 0, 0], ...f })) }); }
    if (path === "/api/air") { asks.push(q.url); return json(air(new URL(q.url, "http://x").searchParams)); }
    if (path.startsWith("/api/")) { r.statusCode = 404; return json({ error: `no ${path}` }); }
    try {
      const file = join(o.dist, normalize(path === "/" ? "/index.html" : path));
      const body = await readFile(file);
      r.setHeader("content-security-policy", "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; worker-src 'self' blob:; connect-src 'self'; object-src 'none'; base-uri 'none'");
      r.setHeader("content-type", TYPES[extname(file)] ?? "application/octet-stream"); r.end(body);
    } catch { r.statusCode = 404; r.end("not found"); }
  });
  const sockets = new WebSocketServer({ server, path: "/ws", perMessageDeflate: false, verifyClient: (i) => !o.token || String(i.req.headers.cookie).includes("session=fake") });
  sockets.on("connection", (socket) => {
    const c = { socket };
    clients.add(c);
    for (const m of [hello(), roster(), status(), goals(), ...world.events]) socket.send(JSON.stringify(m));
    socket.send(frame());
    socket.on("message", (data, binary) => {
      if (binary) return;
      const m = JSON.parse(String(data));
      if (m.type === "want") { o.rate = m.rate; c.view = m.view; c.estimates = m.estimates; c.bodies = m.bodies; wants.push(m); if (o.bodies && m.bodies?.length) socket.send(JSON.stringify(bodies(m.bodies))); if (o.estimates && m.estimates?.length) socket.send(JSON.stringify(estimates(m.estimates))); if (m.fields) socket.send(JSON.stringify({ type: "swarm", tick: world.tick, roster: world.roster, tasks: [], fields: fields() })); }
      if (m.type === "command") { log.push(m); command(m, c); }
      if (m.type === "control") { log.push(m); const v = find(m.id); if (v?.manual) { v.manual.v = m.velocity; v.manual.w = m.yaw_rate; } }
    });
    socket.on("close", () => clients.delete(c));
  });
  const log = [];
  const wants = [];
  const asks = []; // for the air
  await new Promise((ok) => server.listen(o.port, "127.0.0.1", ok));
  let last = performance.now();
  let due = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    const dt = Math.min(0.2, (now - last) / 1000);
    last = now;
    if (world.state === "running") { forward(dt * (world.speed || 20)); broadcast(); if (world.state === "finished") tell(status()); }
    if ((due += dt) > 0.5) { due = 0; tell(status()); }
  }, o.vehicles > 3000 ? 200 : 33); // formulas in script are slow; a simulator sends 10,000 at 30 Hz
  return { port: server.address().port, world, log, wants, asks, clients, vehicle: find, tell, command: (name, args = {}) => act[name](args), status: () => tell(status()), raw: (bytes) => { for (const c of clients) c.socket.send(bytes); },
    close: () => new Promise((ok) => { clearInterval(timer); for (const c of clients) c.socket.terminate(); sockets.close(); server.close(() => ok()); server.closeAllConnections(); }) };
}

if (process.argv[1] === import.meta.filename) {
  const arg = (name, other) => { const i = process.argv.indexOf(`--${name}`); return i < 0 ? other : Number(process.argv[i + 1]); };
  const s = await start({ port: arg("port", 8765), vehicles: arg("vehicles", 24), duration: arg("duration", 60), seed: arg("seed", 1) });
  console.log(`fake server: http://127.0.0.1:${s.port}/`);
}
