// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A checker for the part of JSON Schema that the program writes, on the parsed YAML, so that every problem has its line. What it cannot
// know (names of flocks, files that are included, what a mission means) is the server's to say.
import { isAlias, isMap, isScalar, isSeq, type Node, type Pair } from "yaml";
import { unitOf, type Schema } from "./schema.ts";
import { fieldOf, isNumber, spotAt, spotOf, type Parsed, type Path } from "./yaml_text.ts";

export interface Problem {
  level: "error" | "warning";
  line: number; // from 1
  column: number;
  from: number; // offsets in the text
  to: number;
  field: string;
  message: string;
  suggestion: string;
}
const MOST = 200;

export function syntaxProblems(p: Parsed): Problem[] {
  const made = (level: Problem["level"]) => (e: { pos: [number, number]; message: string }): Problem => ({ level, ...spotAt(p, Math.min(e.pos[0], p.text.length), Math.max(e.pos[0] + 1, e.pos[1])), field: "", message: e.message, suggestion: "" });
  return [...p.doc.errors.slice(0, MOST).map(made("error")), ...p.doc.warnings.slice(0, MOST).map(made("warning"))];
}

/** How far two words are apart; a slip of the finger is 1 or 2. */
export function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) next.push(Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length];
}
export function didYouMean(word: string, known: readonly string[]): string {
  const best = known.map((k) => [distance(word, k), k] as const).sort((a, b) => a[0] - b[0])[0];
  return best && best[0] <= Math.max(1, Math.floor(best[1].length / 3)) ? `did you mean '${best[1]}'?` : "";
}

export function schemaProblems(p: Parsed, schema: Schema): Problem[] {
  const found: Problem[] = [];
  const say = (path: Path, node: Node | null, message: string, suggestion = ""): void => {
    if (found.length >= MOST) return;
    const spot = node?.range && isScalar(node) && node.range[1] > node.range[0] ? spotAt(p, node.range[0], node.range[1]) : spotOf(p, path);
    found.push({ level: "error", ...spot, field: fieldOf(path), message, suggestion });
  };
  const root = p.doc.contents as Node | null;
  if (!root || (isScalar(root) && root.value === null)) return [];
  check(p, root, schema, [], say);
  return found.sort((a, b) => a.from - b.from);
}

type Say = (path: Path, node: Node | null, message: string, suggestion?: string) => void;
function check(p: Parsed, given: Node | null, s: Schema, path: Path, say: Say): void {
  const node = isAlias(given) ? ((given.resolve(p.doc) as Node | undefined) ?? null) : given;
  if (s.const !== undefined || s.enum) return checkWord(node, s, path, say);
  switch (s.type) {
    case "object":
      return checkMap(p, node, s, path, say);
    case "array":
      return checkList(p, node, s, path, say);
    case "number":
    case "integer":
      return checkNumber(node, s, path, say);
    case "boolean":
      if (!isScalar(node) || !/^(true|false|yes|no|on|off)$/i.test(node.source ?? "") || node.type !== "PLAIN") say(path, node, `expected true or false, found ${words(node)}`);
      return;
    case "string":
      if (!isScalar(node)) say(path, node, `expected a text, found ${words(node)}`);
      else if (s.minLength && (node.source ?? "") === "") say(path, node, "is empty");
      return;
    default:
  }
}
function words(node: Node | null): string {
  if (isMap(node)) return "a map";
  if (isSeq(node)) return "a list";
  const text = isScalar(node) ? (node.source ?? "") : "";
  return text === "" ? "nothing" : `'${text.slice(0, 40)}'`;
}
function checkWord(node: Node | null, s: Schema, path: Path, say: Say): void {
  const known = (s.enum ?? [s.const]).map(String);
  const text = isScalar(node) ? (node.source ?? "") : null;
  if (text === null || !known.includes(text)) say(path, node, `expected one of ${known.join(", ")}, found ${words(node)}`, text ? didYouMean(text, known) : "");
}
function checkMap(p: Parsed, node: Node | null, s: Schema, path: Path, say: Say): void {
  if (!isMap(node)) return say(path, node, `expected a map, found ${words(node)}`);
  const known = Object.keys(s.properties ?? {});
  const seen = new Set<string>();
  for (const item of node.items as Pair<Node, Node | null>[]) {
    const key = isScalar(item.key) ? String(item.key.value) : "";
    seen.add(key);
    const inner = s.properties?.[key];
    if (inner) check(p, item.value, inner, [...path, key], say);
    else if (s.additionalProperties === false) say([...path, key], item.key, `there is no field '${key.slice(0, 40)}' here`, didYouMean(key, known) || (known.length <= 12 ? `one of ${known.join(", ")}` : ""));
  }
  if (path.length === 0 && seen.has("include")) return; // what is missing may come from the other file
  for (const r of s.required ?? []) if (!seen.has(r)) say([...path, r], null, `'${r}' is missing`);
  for (const name of known) if (seen.has(name) && seen.has(`${name}_deg`)) say([...path, `${name}_deg`], null, `both ${name} and ${name}_deg are given`, "leave one of the two out");
}
function checkList(p: Parsed, node: Node | null, s: Schema, path: Path, say: Say): void {
  if (!isSeq(node)) return say(path, node, `expected a list, found ${words(node)}`);
  const n = node.items.length;
  if (s.minItems === s.maxItems && s.minItems !== undefined && n !== s.minItems) return say(path, node, `expected ${s.minItems} numbers, found ${n}`);
  if (s.minItems !== undefined && n < s.minItems) say(path, node, `has ${n} entries: at least ${s.minItems} are needed`);
  if (s.maxItems !== undefined && n > s.maxItems) say(path, node, `has ${n} entries: at most ${s.maxItems} are allowed`);
  if (s.items) node.items.forEach((item, k) => check(p, item as Node, s.items!, [...path, k], say));
}
const limit = (x: number): string => String(Number(x.toPrecision(10)));
function checkNumber(node: Node | null, s: Schema, path: Path, say: Say): void {
  const text = isScalar(node) ? (node.source ?? "") : "";
  const whole = s.type === "integer";
  if (!isScalar(node) || node.type !== "PLAIN" || !isNumber(text)) return say(path, node, `expected a ${whole ? "whole " : ""}number, found ${words(node)}`, isScalar(node) && isNumber(text) ? "remove the quotes" : "");
  const x = Number(text);
  if (!Number.isFinite(x)) return say(path, node, `${text} is too large`);
  if (whole && !Number.isInteger(x)) return say(path, node, `expected a whole number, found '${text}'`);
  const { minimum: low, maximum: high } = s;
  const unit = unitOf(s) ? ` ${unitOf(s)}` : "";
  const slack = (b: number): number => 1e-9 * Math.abs(b);
  const under = low !== undefined && x < low - slack(low);
  const over = high !== undefined && x > high + slack(high);
  if (under || over) say(path, node, `${text} is out of range: must be ${low !== undefined && high !== undefined ? `between ${limit(low)} and ${limit(high)}` : low !== undefined ? `at least ${limit(low)}` : `at most ${limit(high!)}`}${unit}`);
}
