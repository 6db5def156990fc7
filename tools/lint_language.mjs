// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Checks the language of all texts that users read: descriptions of fields, error texts and help, public headers, docs, texts of the page.
//   node tools/lint_language.mjs [--only docs|fields|strings|headers|page] [FILE...]     prints `file:line: rule: text`; exit code 1 when something is wrong
// Rules: words that the field does not use; descriptions of fields that are fragments; sentences over 25 words; codes of requirements.
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";

const ROOT = join(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "..");
const MOST_WORDS = 25;

// What to say instead is the second part. `\b` on both sides is added.
const BANNED = [
  ["wits|wit", "name what fails"],
  ["minds?", "decision state"],
  ["hearsay", "neighbour state"],
  ["letters?(?! (?:of|and|or|to) )(?!,)", "message"],
  ["fates?", "outcome"],
  ["luck|lucky|unlucky", "random draw, random loss"],
  ["feelers?", "obstacle sensor"],
  ["live edge", "while the view is live"],
  ["deaf", "transmitting, half duplex"],
  ["rungs?", "control level"],
  ["honest(?:ly)?", "state the condition"],
  ["whoever|whomever|whosoever", "the vehicle that"],
  ["nobody|somebody|everybody|anybody", "name the subject: no vehicle, a vehicle, every client"],
  ["beliefs?|believes", "estimate"],
  ["wrecks?", "crashed vehicle"],
  ["strangers?", "unknown vehicle"],
  ["dreams?|poetry|soul|heart", "a technical term"],
];
// of a sentence: a subject that is only "who" or "what"
const HEADLESS = /(?:^|[.;:(] )(?:who|what) (?!is wrong|happens|follows|comes)[a-z]+s? /i;
// of a field's description, which must stand without the name of the field
const FRAGMENT = /^(?:of|its|whose|where|what|who|how|as|from|to|on|about|in|at|by|with|for|between|per|over|under|after|before|when|while)\b/i;
const CODE = /\b[SCIPGR]-\d{2,3}\b/;

const files = (folder, pattern) => {
  const found = [];
  for (const name of readdirSync(join(ROOT, folder)).sort()) {
    const path = join(folder, name);
    if (["node_modules", "dist", "test-output"].includes(name)) continue;
    if (statSync(join(ROOT, path)).isDirectory()) found.push(...files(path, pattern));
    else if (pattern.test(path)) found.push(path);
  }
  return found;
};
const read = (path) => readFileSync(join(ROOT, path), "utf8");

/** Sentences of a text; what stands in code marks counts as one word. */
function sentences(text) {
  const plain = text.replace(/`[^`]*`/g, "CODE").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/\*\*|__/g, "");
  return plain.split(/(?<=[.;:!?])\s+(?=[A-Z`"'(])|(?<=[.!?])\s+/).map((s) => s.trim()).filter(Boolean);
}
const words = (sentence) => sentence.split(/\s+/).filter((w) => /[\p{L}\p{N}]/u.test(w)).length;

const faults = [];
const fault = (at, rule, text) => faults.push(`${at}: ${rule}: ${text.length > 160 ? text.slice(0, 157) + "..." : text}`);

function checkWords(at, text) {
  for (const [pattern, instead] of BANNED) {
    const found = text.match(new RegExp(`\\b(?:${pattern})\\b`, "i"));
    if (found) fault(at, `'${found[0]}' (say: ${instead})`, text);
  }
}
function checkProse(at, text) {
  checkWords(at, text);
  for (const s of sentences(text)) {
    if (words(s) > MOST_WORDS) fault(at, `${words(s)} words in a sentence (at most ${MOST_WORDS})`, s);
    if (HEADLESS.test(s)) fault(at, "no subject", s);
  }
}

// ---------------------------------------------------------------- what is read

/** Paragraphs and cells of tables of Markdown, without code, each with its line. */
function paragraphs(markdown) {
  const list = [];
  let open = null, fenced = false;
  const close = () => { if (open) list.push(open); open = null; };
  markdown.split("\n").forEach((line, k) => {
    if (/^\s*```/.test(line)) { close(); fenced = !fenced; return; }
    if (fenced || /^( {4}|\t)/.test(line) || /^\s*</.test(line)) return close();
    if (/^\s*\|/.test(line)) { close(); for (const cell of line.split(/(?<!\\)\|/)) if (/[a-z]/.test(cell)) list.push({ line: k + 1, text: cell.trim() }); return; }
    if (/^\s*$/.test(line) || /^#/.test(line)) { close(); if (/^#/.test(line)) list.push({ line: k + 1, text: line.replace(/^#+\s*/, "") }); return; }
    if (/^\s*([-*]|\d+\.)\s/.test(line)) close();
    const text = line.replace(/^\s*([-*]|\d+\.)\s+/, "").trim();
    if (open) open.text += " " + text;
    else open = { line: k + 1, text };
  });
  close();
  return list;
}

function docs(path) {
  for (const { line, text } of paragraphs(read(path))) {
    checkProse(`${path}:${line}`, text);
    if (CODE.test(text)) fault(`${path}:${line}`, "code of a requirement", text);
  }
}

const lineOf = (text, index) => text.slice(0, index).split("\n").length;
const unescape = (s) => s.replace(/"\s*\n\s*"/g, "").replace(/\\"/g, '"').replace(/\\n/g, " ");

/** `.doc = "..."` of describe lists, and the fourth text of a column. */
function fields(path) {
  const text = read(path);
  for (const m of text.matchAll(/\.doc =\s*((?:"(?:[^"\\]|\\.)*"\s*)+)/g)) checkField(`${path}:${lineOf(text, m.index)}`, m[1]);
  for (const m of text.matchAll(/Field\{(?:"[^"]*"|\w+),\s*"[^"]*",\s*"[^"]*",\s*((?:"(?:[^"\\]|\\.)*"\s*)+)\}/g)) checkField(`${path}:${lineOf(text, m.index)}`, m[1]);
  for (const m of text.matchAll(/static constexpr const char\* doc =\s*((?:"(?:[^"\\]|\\.)*"\s*)+);/g)) checkProse(`${path}:${lineOf(text, m.index)}`, unescape(m[1].trim()).slice(1, -1));
}
function checkField(at, literal) {
  const doc = unescape(literal.trim()).slice(1, -1);
  if (FRAGMENT.test(doc)) fault(at, "fragment: a description stands without the name of its field", doc);
  if (doc.split(" ").length < 2) fault(at, "one word is no description", doc);
  checkProse(at, doc);
}

/** Texts of programs: literals with at least four words. */
function strings(path) {
  const text = read(path).replace(/^\s*\/\/.*$/gm, "");
  for (const m of text.matchAll(/(?<![\w\\'])((?:"(?:[^"\\\n]|\\.)*"\s*)+)/g)) {
    const s = unescape(m[1].trim()).slice(1, -1).replace(/Examples?:.*$/s, "");
    if (/^(CREATE|SELECT|INSERT|DELETE|PRAGMA) /.test(s) || /\\n {2}\w+: \{/.test(m[1])) continue; // SQL, and the airframe file that `vehicle identify` writes
    if (s.split(/\s+/).filter((w) => /^[a-z']{2,}$/i.test(w)).length < 4) continue;
    checkProse(`${path}:${lineOf(text, m.index)}`, s);
  }
}

/** Comments of public headers, paragraph by paragraph. */
function headers(path) {
  let open = null;
  const close = () => { if (open) checkProse(`${path}:${open.line}`, open.text); open = null; };
  read(path).split("\n").forEach((line, k) => {
    const whole = line.match(/^\s*\/\/ ?(.*)$/), trailing = line.match(/\S.*?\/\/ ?(.*)$/);
    if (whole && whole[1].trim() && !/^SPDX|^-{10}/.test(whole[1])) { if (open) open.text += " " + whole[1]; else open = { line: k + 1, text: whole[1] }; return; }
    close();
    if (trailing) checkProse(`${path}:${k + 1}`, trailing[1]);
  });
  close();
}

/** Comments of the C header of plugins. */
function cHeader(path) {
  const text = read(path);
  for (const m of text.matchAll(/\/\*([^]*?)\*\//g)) if (!/SPDX/.test(m[1])) checkProse(`${path}:${lineOf(text, m.index)}`, m[1].replace(/\n\s*\*?/g, " ").trim());
}

/** Summaries and descriptions of the REST interface and of the stream. */
function descriptions(path) {
  const text = read(path);
  for (const m of text.matchAll(/"(?:summary|description|doc)":\s*"((?:[^"\\]|\\.)*)"/g)) checkProse(`${path}:${lineOf(text, m.index)}`, unescape(m[1]));
}

/** Texts of the page: literals and the words between tags. */
function page(path) {
  const text = read(path).replace(/^\s*(\/\/|\*|\/\*\*).*$/gm, "");
  for (const m of text.matchAll(/"([^"\n]*)"|>([^<>{}\n]+)<|`([^`]*)`/g)) {
    const s = (m[1] ?? m[2] ?? m[3]).trim();
    if (/^[A-Z"']?[a-z'-]+( [\w'-]+)+/.test(s)) checkWords(`${path}:${lineOf(text, m.index)}`, s);
  }
}

const PARTS = {
  docs: [() => ["README.md", ...files("docs", /\.md$/)], docs],
  fields: [() => files("src", /(?<!_test)\.(hpp|cpp)$/), fields],
  strings: [() => files("src", /(?<!_test)(?<!_test_support)\.(hpp|cpp)$/), strings],
  headers: [() => files("include", /\.hpp$/), headers],
  plugin: [() => files("include", /\.h$/), cHeader],
  schema: [() => files("schema", /\.json$/), descriptions],
  page: [() => files("web/src", /(?<!\.test)\.tsx?$/), page],
};

const args = process.argv.slice(2);
const only = args.includes("--only") ? args.splice(args.indexOf("--only"), 2)[1] : null;
for (const [name, [list, check]] of Object.entries(PARTS)) {
  if (only && only !== name) continue;
  for (const path of list()) if (args.length === 0 || args.some((a) => path === a || path === relative(ROOT, join(process.cwd(), a)) || path.startsWith(a))) check(path);
}
for (const f of faults) console.log(f);
console.error(`${faults.length} faults`);
process.exit(faults.length > 0 ? 1 : 0);
