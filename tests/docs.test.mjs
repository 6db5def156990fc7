// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Every command and every snippet of README and docs, run as it is printed. A snippet of YAML that is neither a whole scenario nor an airframe is
// completed with what it leaves out; a synopsis must name the options that --help names. Readers of other projects are run where they
// are installed. VOLARY_PROGRAM names the binary.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, before, test } from "node:test";

const { parse, stringify } = createRequire(new URL("../web/package.json", import.meta.url))("yaml");
const ROOT = join(import.meta.dirname, "..");
const PROGRAM = process.env["VOLARY_PROGRAM"] ?? "";
const skip = PROGRAM ? false : "VOLARY_PROGRAM is not set: it names the volary binary these tests run";
const DOCUMENTS = ["README.md", ...readdirSync(join(ROOT, "docs")).filter((f) => f.endsWith(".md")).map((f) => `docs/${f}`)].filter((f) => !["docs/federation-machines.md", "docs/mavlink.md"].includes(f)); // tests/four_machines.sh and tests/mavlink/test_docs.py type their commands
// the first installs packages, the second is the whole suite that this file is part of
const ELSEWHERE = ["./volary test", "./volary test --long", "./volary bench", "./volary bench python", "./volary python", "./volary python my_script.py"];
const READERS = /^(ogrinfo|\/tmp\/readers\/bin\/python) /;
let home;

before(() => (home = mkdtempSync(join(tmpdir(), "volary-docs-"))));
after(() => rmSync(home, { recursive: true, force: true }));

// ---------------------------------------------------------------- what a document shows

/** Fenced blocks and blocks that are indented by four spaces, each with its language (guessed where none is given), its line and the name of the file it is saved as. */
function blocksOf(document) {
  const lines = readFileSync(join(ROOT, document), "utf8").split("\n"), blocks = [];
  let paragraph = "";
  for (let k = 0; k < lines.length; ++k) {
    const fence = /^( {0,3})```(\w*)\s*$/.exec(lines[k]);
    const indented = /^ {4}\S/.test(lines[k]) && (k === 0 || lines[k - 1].trim() === "") && !/^\s*([-*]|\d+\.) /.test(paragraph);
    if (!fence && !indented) {
      if (lines[k].trim() !== "") paragraph = k > 0 && lines[k - 1].trim() === "" ? lines[k] : `${paragraph} ${lines[k]}`;
      continue;
    }
    const start = k, content = [];
    if (fence) for (++k; k < lines.length && !/^ {0,3}```\s*$/.test(lines[k]); ++k) content.push(lines[k].slice(fence[1].length));
    else for (; k < lines.length && (/^ {4}/.test(lines[k]) || (lines[k].trim() === "" && /^ {4}/.test(lines[k + 1] ?? ""))); ++k) content.push(lines[k].slice(4));
    if (!fence) --k;
    const text = content.join("\n");
    blocks.push({ document, line: start + 1, language: (fence && fence[2]) || guess(text), text, file: [...paragraph.matchAll(/`([\w.-]+\.(?:yaml|lua|csv|cpp|urdf))`/g)].at(-1)?.[1] ?? /^-- ([\w.-]+\.lua)/.exec(text)?.[1] });
  }
  return blocks;
}
function guess(text) {
  if (/^(\.\/)?volary (?!:)/m.test(text)) return "shell";
  if (/^#include /m.test(text)) return "cpp";
  if (/^(params = |function \w+\()/m.test(text)) return "lua";
  if (/^(name|flocks|tasks|environment|behaviours|radio): ?/m.test(text)) return "yaml";
  return "";
}

// ---------------------------------------------------------------- scenarios

const FLOCK = { airframe: "x500", vehicles: { list: [{ position: [0, 0, 10] }] }, start: "hold" };
/** The snippet as a whole scenario: a task or a flock alone is put where it belongs, and what every scenario needs is added. */
function completed(text) {
  const shown = parse(text);
  let scenario = shown;
  if (Array.isArray(shown)) scenario = shown[0]?.airframe || shown[0]?.behaviours ? { flocks: shown } : shown[0]?.box || shown[0]?.mesh ? { environment: { obstacles: shown } } : { tasks: shown };
  else if (shown.behaviours || shown.node || shown.emits || shown.vehicles || shown.sensors || shown.estimator) scenario = { flocks: [shown] };
  const wanted = new Set([...JSON.stringify(scenario.tasks ?? []).matchAll(/"flock":"(\w+)"/g)].map((m) => m[1]));
  const flocks = (scenario.flocks ?? []).map((f, k) => ({ name: `flock${k}`, ...FLOCK, ...f }));
  for (const name of wanted) if (!flocks.some((f) => f.name === name)) flocks.push({ name, ...FLOCK });
  for (const [, airframe] of JSON.stringify(scenario).matchAll(/"(?:kind|find)":"(\w+)"/g)) if (existsSync(join(ROOT, "assets/vehicles", `${airframe}.yaml`))) flocks.push({ name: `${airframe}s`, ...FLOCK, airframe });
  if (flocks.length === 0) flocks.push({ name: "vehicles", ...FLOCK });
  return { name: "snippet", duration: 2, ...scenario, flocks };
}
/** A small file of each kind that a snippet may name without showing it. */
function provide(folder, text) {
  for (const [, file] of text.matchAll(/\bfile: ([\w./-]+)/g)) {
    if (existsSync(join(folder, file))) continue;
    const example = ["examples/behaviours", "examples/plugins"].map((d) => join(ROOT, d, file)).find(existsSync);
    if (example) copyFileSync(example, join(folder, file));
  }
  for (const [, file] of text.matchAll(/\bfile: ([\w.-]+\.obj)/g)) writeFileSync(join(folder, file), "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
  for (const [, file] of text.matchAll(/\bwind_field: ([\w./-]+)/g)) {
    const rows = [];
    for (const up of [0, 100]) for (const north of [-200, 200]) for (const east of [-200, 200]) rows.push(`${east},${north},${up},3.1,0.2,0`);
    writeFileSync(join(folder, file), `east,north,up,wind_east,wind_north,wind_up\n${rows.join("\n")}\n`);
  }
}

// ---------------------------------------------------------------- commands

function volary(folder, args) {
  const env = { ...process.env, VOLARY_RUNS: join(home, "runs"), VOLARY_DATA: join(home, "data"), NO_COLOR: "1" };
  return spawnSync(PROGRAM, args, { cwd: folder, env, encoding: "utf8", timeout: 240_000 });
}
/** Words of a command line: no shell is needed for what the documents show. */
const words = (line) => [...line.matchAll(/"([^"]*)"|(\S+)/g)].map((m) => m[1] ?? m[2]);
/** Commands without what is said about them: after a #, or after two blanks where no option follows. */
const bare = (line) => line.replace(/\s+#.*$/, "").replace(/\s{2,}[a-z].*$/i, "").trim();
const isSynopsis = (line) => /\[[A-Z-]|\[\w+ ?\||\s[A-Z_]{2,}\b|\|/.test(line);

function commandsOf(text) {
  const lines = text.replace(/\\\n\s*/g, " ").replace(/\n {2,}(?=[[-])/g, " ").split("\n");
  return lines.filter((l) => /^(\.\/)?volary (?!:)/.test(l) || READERS.test(l)).map(bare);
}
function checkSynopsis(line, where) {
  const command = words(line)[1], help = volary(home, [command, "--help"]).stdout;
  const known = new Set([...help.matchAll(/^\s+(?:-\w,)?(--[\w-]+)/gm)].map((m) => m[1]));
  for (const [option] of line.matchAll(/--[a-z][\w-]*/g)) assert.ok(known.has(option), `${where}: ${command} has no ${option}`);
  const shown = new Set([...line.matchAll(/--[a-z][\w-]*/g)].map((m) => m[0]));
  const isWhole = /^(\.\/)?volary \w+ (\[|[A-Z])/.test(line); // with names of arguments, not with an example of one
  return isWhole ? [...known].filter((o) => o !== "--help" && !shown.has(o)).map((o) => `${command} ${o}`) : [];
}
/** Readers that are not part of Volary open what the commands before have written, where they are installed. */
function readWithOthers(folder, line, where, t) {
  const [program, ...args] = words(line);
  const done = spawnSync(program, args, { cwd: folder, encoding: "utf8", timeout: 240_000 });
  if (done.error?.code === "ENOENT") return t.diagnostic(`${where}: ${program} is not installed, so ${args.join(" ")} was not read with it`);
  assert.equal(done.status, 0, `${where}: ${line}\n${done.stdout}\n${done.stderr}`);
  assert.doesNotMatch(done.stdout + done.stderr, /^(ERROR|FAILURE|Warning)/m, `${where}: ${line}`);
}
function makeWhatIsNamed(folder, args) {
  // a recording that the document says was made before
  for (const file of args.filter((a) => a.endsWith(".vrec") && args[0] === "replay"))
    if (!existsSync(join(folder, file)) && args[1] === file) {
      const made = volary(folder, ["run", "default", "--headless", "--record", file]);
      assert.ok(existsSync(join(folder, file)), made.stderr);
    }
}

for (const document of DOCUMENTS) {
  const blocks = blocksOf(document).filter((b) => b.language !== "");
  if (!blocks.some((b) => ["yaml", "lua", "shell"].includes(b.language))) continue;
  test(`${document}: every snippet and command works as printed`, { skip, timeout: 600_000 }, (t) => {
    const folder = join(home, basename(document, ".md"));
    mkdirSync(folder);
    for (const dir of ["scenarios", "assets", "examples", "tests"]) spawnSync("ln", ["-s", join(ROOT, dir), join(folder, dir)]);
    for (const { language, text, file } of blocks) if (file && ["yaml", "lua", "xml"].includes(language)) writeFileSync(join(folder, file), `${text}\n`);
    const omitted = [];
    for (const block of blocks) {
      const where = `${document}:${block.line}`;
      if (block.language === "yaml") {
        provide(folder, block.text);
        const path = block.file ?? `snippet_${block.line}.yaml`;
        if (!/^name:/m.test(block.text)) writeFileSync(join(folder, path), stringify(completed(block.text)));
        if (/\.so\b/.test(block.text)) volary(folder, ["plugin", "build", "examples/plugins/circle.cpp", "--out", "circle.so"]);
        const done = volary(folder, /^model:/m.test(block.text) ? ["vehicle", "check", path] : ["check", path]);
        assert.equal(done.status, 0, `${where}: ${done.stderr}`);
      }
      if (block.language === "lua") {
        const script = block.file ?? `snippet_${block.line}.lua`;
        const whole = /^function (holds|act|trigger)\(/m.test(block.text) ? block.text : `function act(me)\n${block.text}\nend`;
        writeFileSync(join(folder, script), `${whole}\n`);
        const use = /^function holds\(/m.test(whole) ? { tasks: [{ name: "shown", script: { file: script } }] } : { flocks: [{ behaviours: [{ script: { file: script } }] }] };
        writeFileSync(join(folder, `uses_${block.line}.yaml`), stringify(completed(stringify(use))));
        const done = volary(folder, ["check", `uses_${block.line}.yaml`]);
        assert.equal(done.status, 0, `${where}: ${done.stderr}`);
      }
      if (block.language === "cpp") {
        const examples = readdirSync(join(ROOT, "examples"), { recursive: true }).filter((f) => f.endsWith(".cpp")).map((f) => readFileSync(join(ROOT, "examples", f), "utf8")).join("\n");
        for (const line of block.text.split("\n").map((l) => l.trim()).filter(Boolean)) assert.ok(examples.includes(line), `${where}: no file of examples/ has the line: ${line}`);
      }
      if (block.language !== "shell") {
        if (block.language === "" || !/^volary \w+ \[/m.test(block.text)) continue;
      }
      for (const line of commandsOf(block.text)) {
        if (READERS.test(line)) { readWithOthers(folder, line, where, t); continue; }
        if (ELSEWHERE.includes(line)) continue;
        if (isSynopsis(line)) { omitted.push(...checkSynopsis(line, where)); continue; }
        const args = words(line).slice(1);
        makeWhatIsNamed(folder, args);
        const done = volary(folder, args);
        assert.equal(done.status, 0, `${where}: ${line}\n${done.stdout.slice(-500)}\n${done.stderr}`);
      }
    }
    assert.deepEqual(omitted, [], "options that a synopsis leaves out");
  });
}
