// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Every REST example of the documentation against the real server, and the client in Python. The examples are read from the pages: what is documented and does
// not work fails here. VOLARY_PROGRAM names the binary.
//   ```http blocks are sent in their order; a ```json block after one has the form of the answer.
//   `METHOD /api/...` in a text is sent when it is complete (with `{...}` as its body), and must be described where it has placeholders.
//   <!-- rest: SCENARIO --> names the world for what follows.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

const PROGRAM = process.env["VOLARY_PROGRAM"] ?? "";
const skip = PROGRAM ? false : "VOLARY_PROGRAM is not set: it names the volary binary these tests run";
const ROOT = join(import.meta.dirname, "..");
const description = JSON.parse(readFileSync(join(ROOT, "schema/openapi.json"), "utf8"));
const PAGES = ["README.md", "web/README.md", ...readdirSync(join(ROOT, "docs")).filter((f) => f.endsWith(".md")).sort().map((f) => `docs/${f}`)];
const folder = mkdtempSync(join(tmpdir(), "volary-rest-"));
after(() => rmSync(folder, { recursive: true, force: true }));

async function serve(...args) {
  const env = { ...process.env, VOLARY_RUNS: join(folder, "runs"), VOLARY_DATA: join(folder, "data") };
  mkdirSync(env.VOLARY_RUNS, { recursive: true });
  const child = spawn(PROGRAM, ["serve", ...args, "--port", "0"], { env });
  let said = "";
  const port = await new Promise((resolve, reject) => {
    const hear = (d) => { const found = /http:\/\/127\.0\.0\.1:(\d+)\//.exec((said += d)); if (found) resolve(Number(found[1])); };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.on("exit", (code) => reject(new Error(`volary serve ended with ${code}: ${said}`)));
  });
  return { port, end: async () => { child.kill("SIGINT"); await once(child, "exit"); } };
}
/** The address goes out as it is written: fetch() would encode it. */
function send(port, { method, path, body = "" }) {
  return new Promise((done, reject) => {
    const q = request({ host: "127.0.0.1", port, method, path, headers: { "Content-Length": Buffer.byteLength(body) }, agent: false }, (a) => {
      const parts = [];
      a.on("data", (d) => parts.push(d));
      a.on("end", () => done({ status: a.statusCode, text: Buffer.concat(parts).toString() }));
    });
    q.on("error", reject);
    q.end(body);
  });
}

/** The examples of a page in their order: {line, method, path, body, answer}, {line, scenario}. */
export function examplesOf(markdown) {
  const found = [];
  const lineAt = (index) => markdown.slice(0, index).split("\n").length;
  for (const m of markdown.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)) {
    const line = lineAt(m.index), [head, ...rest] = m[2].trimEnd().split("\n");
    if (m[1] === "http") {
      const [method, path] = head.split(" ");
      found.push({ at: m.index, end: m.index + m[0].length, line, method, path, body: rest.join("\n") });
    }
    const before = found.at(-1);
    if (m[1] === "json" && before && markdown.slice(before.end, m.index).trim() === "") before.answer = JSON.parse(m[2]);
  }
  const prose = markdown.replace(/^```[\s\S]*?^```$/gm, (block) => block.replace(/[^\n]/g, " "));
  for (const m of prose.matchAll(/<!-- rest: (\w+) -->/g)) found.push({ at: m.index, line: lineAt(m.index), scenario: m[1] });
  for (const m of prose.matchAll(/`(GET|POST|PUT|PATCH|DELETE) (\/api\/[^`\s]+)`((?:,?\s+(?:or\s+)?with\s+`\{[^`]*\}`)*)/g)) {
    const bodies = [...m[3].matchAll(/`(\{[^`]*\})`/g)].map((b) => b[1]);
    for (const body of bodies.length ? bodies : [""]) found.push({ at: m.index, line: lineAt(m.index), method: m[1], path: m[2], body, inline: true });
  }
  return found.sort((a, b) => a.at - b.at);
}

/** An address with placeholders, or a command whose body is described elsewhere. */
const isForm = (e) => e.inline && (/[{}]|=[A-Z]/.test(e.path) || (e.method !== "GET" && !e.body));
/** A part in braces stands for any one segment. */
const fits = (pattern, path) => new RegExp(`^${pattern.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path);
const isDescribed = ({ method, path }) => Object.entries(description.paths).some(([p, item]) => item[method.toLowerCase()] && fits(p, path.split("?")[0]));

/** What an example promises and an answer does not have. Numbers may differ; words may not, but for "..." and hashes. */
function missing(wanted, got, at = "$") {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(got)) return [`${at} is no list`];
    if (wanted.every((w) => typeof w === "number")) return wanted.length === got.length && got.every((g) => typeof g === "number") ? [] : [`${at} is not ${wanted.length} numbers`];
    return wanted.flatMap((w, k) => (got.some((g) => missing(w, g).length === 0) ? [] : [`${at}[${k}]: nothing in the answer is like ${JSON.stringify(w)}`]));
  }
  if (wanted !== null && typeof wanted === "object") return got === null || typeof got !== "object" ? [`${at} is no object`] : Object.keys(wanted).flatMap((k) => (k in got ? missing(wanted[k], got[k], `${at}.${k}`) : [`${at} has no ${k}`]));
  if (typeof wanted !== typeof got) return [`${at} is ${typeof got}, not ${typeof wanted}`];
  const free = typeof wanted === "number" || wanted === "..." || /^[0-9a-f]{16}$/.test(wanted);
  return free || wanted === got ? [] : [`${at} is ${JSON.stringify(got)}, not ${JSON.stringify(wanted)}`];
}

test("examples are found in blocks and in texts, with their answers", () => {
  const found = examplesOf('a `GET /api/live` b\n<!-- rest: x -->\n`POST /api/y` with `{"a": 1}`, or with\n`{"a": 2}`\n\n```http\nPOST /api/z\n{"b":\n1}\n```\n\n```json\n{"c": 1}\n```\n```json\n{"d": 1}\n```\n');
  assert.deepEqual(found.map(({ method, path, body, scenario, answer }) => [scenario ?? `${method} ${path} ${body}`, answer]), [
    ["GET /api/live ", undefined], ["x", undefined], ['POST /api/y {"a": 1}', undefined], ['POST /api/y {"a": 2}', undefined], ['POST /api/z {"b":\n1}', { c: 1 }],
  ]);
  assert.deepEqual(missing({ a: [1, 2], b: "x", c: [{ n: "y" }], d: "..." }, { a: [3, 4], b: "x", c: [{ n: "z" }, { n: "y", m: 1 }], d: "w", e: 1 }), []);
  for (const wrong of [{ a: [1] }, { a: 1 }, { b: "y" }, { c: [{ n: "w" }] }, { f: 1 }, { b: 1 }]) assert.ok(missing(wrong, { a: [3, 4], b: "x", c: [{ n: "z" }] }).length > 0, JSON.stringify(wrong));
});

let sent = 0, forms = 0;
for (const page of PAGES) {
  const markdown = readFileSync(join(ROOT, page), "utf8");
  const examples = examplesOf(markdown);
  if (examples.every((e) => e.scenario)) continue;
  test(`${page}: every example of a request works`, { skip }, async () => {
    const server = await serve(/volary serve (\w+)$/m.exec(markdown)?.[1] ?? "default");
    const refused = [];
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/ws`);
    socket.onmessage = ({ data }) => { const m = typeof data === "string" ? JSON.parse(data) : {}; if (m.type === "event" && /refused|late/.test(m.what)) refused.push(`${m.name}: ${m.what}`); };
    try {
      await once(socket, "open");
      for (const e of examples) {
        const at = `${page}:${e.line}`;
        if (e.scenario) {
          const { status, text } = await send(server.port, { method: "POST", path: "/api/live/start", body: JSON.stringify({ scenario: e.scenario, paused: true }) });
          assert.equal(status, 200, `${at}: ${text}`);
          continue;
        }
        assert.ok(isDescribed(e), `${at}: schema/openapi.json does not know ${e.method} ${e.path}`);
        if (isForm(e)) { forms++; continue; }
        const { status, text } = await send(server.port, e);
        assert.equal(status, 200, `${at}: ${e.method} ${e.path} ${e.body}: ${text.slice(0, 400)}`);
        if (e.answer) assert.deepEqual(missing(e.answer, JSON.parse(text)), [], `${at}: ${text.slice(0, 2000)}`);
        // what a command does, it does at the next tick: what does not fit its vehicle is refused there, by an event
        if (e.path === "/api/live/input" && !/"tick"/.test(e.body)) await send(server.port, { method: "POST", path: "/api/live/step", body: '{"ticks": 1}' });
        sent++;
      }
      await send(server.port, { method: "POST", path: "/api/live/step", body: '{"ticks": 30}' });
      await new Promise((done) => setTimeout(done, 300));
      assert.deepEqual(refused, []);
    } finally {
      socket.close();
      await server.end();
    }
  });
}

test("there are examples at all", { skip }, () => {
  console.log(`  ${sent} requests sent, ${forms} forms looked up`);
  assert.ok(sent >= 30);
});

const python = spawnSync("python3", ["--version"]).status === 0;
test("the client in Python sends a vehicle to a place and sees it arrive", { skip: skip || (python ? false : "there is no python3"), timeout: 120_000 }, async () => {
  const path = join(ROOT, "examples/python/rest_client.py"), source = readFileSync(path, "utf8");
  assert.ok(source.split("\n").length < 45, "an example of about thirty lines");
  assert.deepEqual([...source.matchAll(/^import (.*)$/gm)].flatMap((m) => m[1].split(", ")).filter((m) => !["json", "math", "sys", "time"].includes(m) && !m.startsWith("urllib.")), [], "the standard library only");
  const yard = join(folder, "yard.yaml"); // nothing happens here but what the client wants
  writeFileSync(yard, "name: yard\nduration: 3000\nflocks: [{name: inner, airframe: x500, vehicles: {ring: {count: 3, radius: 5}}, start: hold}]\n");
  const server = await serve(yard, "--speed", "8");
  try {
    const base = `http://127.0.0.1:${server.port}`;
    const run = (...args) => new Promise((done) => {
      const child = spawn("python3", [path, base, ...args]);
      let out = "", err = "";
      child.stdout.on("data", (d) => (out += d));
      child.stderr.on("data", (d) => (err += d));
      child.on("exit", (code) => done({ code, out, err }));
    });
    const { code, out, err } = await run("inner[0]", "9", "-3", "6");
    assert.equal(code, 0, out + err);
    assert.match(out, /^ +1 inner\[0\] +active/);
    assert.match(out, /inner\[0\] arrived\n$/);
    const wrong = await run("iner[0]", "9", "-3", "6");
    assert.equal(wrong.code, 1);
    assert.match(wrong.err, /no vehicle is called 'iner\[0\]' \(did you mean 'inner\[0\]'\?\)/);
  } finally {
    await server.end();
  }
});
