// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Minimal edits of a YAML text. The text is the only model: an edit changes the characters of one value and leaves comments, order and
// style alone. Every function takes a parsed text and gives a new text, or null when the place is written in a way it cannot change.
import { isAlias, isMap, isPair, isScalar, isSeq, LineCounter, parseDocument, stringify, visit, type Document, type Node, type Pair, type YAMLMap, type YAMLSeq } from "yaml";

export type Path = readonly (string | number)[];
export interface Parsed {
  text: string;
  doc: Document.Parsed;
  lines: LineCounter;
  value: unknown; // plain data; undefined when the text has errors
}
/** A number as it was typed: `1.0` stays `1.0`. */
export class Raw {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/;
export const isNumber = (text: string): boolean => NUMBER.test(text);

export function parse(text: string): Parsed {
  const lines = new LineCounter();
  const doc = parseDocument(text, { lineCounter: lines, keepSourceTokens: true, prettyErrors: false });
  let value: unknown;
  try {
    value = doc.errors.length ? undefined : (doc.toJS({ maxAliasCount: 1000 }) as unknown);
  } catch {
    value = undefined; // aliases that multiply
  }
  return { text, doc, lines, value };
}

// ---------------------------------------------------------------- paths
export const fieldOf = (path: Path): string => path.map((p, i) => (typeof p === "number" ? `[${p}]` : `${i ? "." : ""}${p}`)).join("");
export function pathOf(field: string): Path {
  const path: (string | number)[] = [];
  for (const m of field.matchAll(/\[(\d+)\]|([^.[\]]+)/g)) path.push(m[1] !== undefined ? Number(m[1]) : m[2]);
  return path;
}
export const samePath = (a: Path, b: Path): boolean => a.length === b.length && a.every((x, i) => x === b[i]);
export const isUnder = (path: Path, root: Path): boolean => path.length >= root.length && root.every((x, i) => path[i] === x);
export function valueAt(value: unknown, path: Path): unknown {
  let at = value;
  for (const step of path) {
    if (typeof at !== "object" || at === null) return undefined;
    at = (at as Record<string | number, unknown>)[step];
  }
  return at;
}

// ---------------------------------------------------------------- finding
interface Place {
  node: Node | null;
  pair: Pair<Node, Node | null> | null; // when it is the value of a key
  parent: YAMLMap | YAMLSeq | null;
  index: number; // in the parent
}
type Items = YAMLMap<Node, Node | null>;

function follow(p: Parsed, node: unknown): Node | null {
  if (isAlias(node)) return (node.resolve(p.doc) as Node | undefined) ?? null;
  return (node as Node | null) ?? null;
}
function step(p: Parsed, from: Node | null, key: string | number): Place | null {
  if (isMap(from)) {
    const items = (from as Items).items;
    const index = items.findIndex((i) => isScalar(i.key) && String(i.key.value) === String(key));
    return index < 0 ? null : { node: follow(p, items[index].value), pair: items[index], parent: from, index };
  }
  if (isSeq(from) && typeof key === "number" && key < from.items.length) return { node: follow(p, from.items[key]), pair: null, parent: from, index: key };
  return null;
}
export function find(p: Parsed, path: Path): Place | null {
  let at: Place | null = { node: p.doc.contents as Node | null, pair: null, parent: null, index: 0 };
  for (const key of path) {
    at = step(p, at.node, key);
    if (!at) return null;
  }
  return at;
}
export interface Spot {
  line: number; // from 1
  column: number;
  from: number;
  to: number;
}
/** Where a field is written, or else the nearest thing around it. A key is marked when its value is empty or long. */
export function spotOf(p: Parsed, path: Path): Spot {
  for (let n = path.length; n >= 0; n--) {
    const place = find(p, path.slice(0, n));
    if (!place) continue;
    const key = place.pair?.key;
    const own = isScalar(place.node) && place.node.range && place.node.range[1] > place.node.range[0] ? place.node.range : null;
    const range = (n === path.length ? own : null) ?? key?.range ?? place.node?.range;
    if (range && n > 0) return spotAt(p, range[0], Math.max(range[0], range[1]));
  }
  return spotAt(p, 0, 0);
}
export function spotAt(p: Parsed, from: number, to: number): Spot {
  const { line, col } = p.lines.linePos(from);
  const end = p.text.indexOf("\n", from);
  return { line: Math.max(1, line), column: Math.max(1, col), from, to: Math.min(to, end < 0 ? p.text.length : Math.max(from, end)) };
}
/** The innermost field that holds a place in the text. */
export function pathAt(p: Parsed, offset: number): Path {
  let best: Path = [];
  visit(p.doc, {
    Node(key, node, ancestors) {
      const range = (node as Node).range;
      const pair = ancestors.at(-1) as { key?: Node } | undefined;
      const start = key === "value" && pair?.key?.range ? pair.key.range[0] : (range?.[0] ?? Infinity);
      if (key === "key" || offset < start || offset > (range?.[1] ?? start)) return;
      const path: (string | number)[] = [];
      ancestors.forEach((a, i) => {
        if (isSeq(a)) path.push(a.items.indexOf((ancestors[i + 1] ?? node) as never));
        else if (isMap(a)) path.push(String(((ancestors[i + 1] as Pair | undefined)?.key as { value?: unknown } | undefined)?.value));
      });
      if (path.length >= best.length) best = path;
    },
  });
  return best;
}

// ---------------------------------------------------------------- writing values
export const numberText = (x: number): string => String(Number(x.toFixed(6)) + 0);
export function flowText(v: unknown): string {
  if (v instanceof Raw) return v.text;
  if (typeof v === "number") return numberText(v);
  if (Array.isArray(v)) return `[${v.map(flowText).join(", ")}]`;
  if (typeof v === "object" && v !== null) return `{${Object.entries(v).map(([k, x]) => `${keyText(k)}: ${flowText(x)}`).join(", ")}}`;
  if (typeof v === "string") return stringText(v);
  return v === null || v === undefined ? "null" : String(v);
}
function stringText(v: string): string {
  if (/^[A-Za-z_][\w ./-]*$/.test(v) && !/\s$/.test(v) && !/^(true|false|null|yes|no|on|off|~)$/i.test(v)) return v;
  const text = stringify(v, { lineWidth: 0, defaultStringType: "PLAIN" }).replace(/\n$/, "");
  return /[\n,[\]{}#]/.test(text) && !/^(["']).*\1$/s.test(text) ? JSON.stringify(v) : text;
}
const keyText = stringText;
/** A map on lines of its own, what is inside it in braces; a list of maps likewise. */
function blockText(v: unknown, indent: number): string {
  const pad = " ".repeat(indent);
  if (Array.isArray(v)) return v.map((x) => `- ${isPlainMap(x) ? blockText(x, indent + 2) : flowText(x)}`).join(`\n${pad}`);
  return Object.entries(v as object).map(([k, x]) => `${keyText(k)}: ${flowText(x)}`).join(`\n${pad}`);
}
const isPlainMap = (v: unknown): v is Record<string, unknown> => typeof v === "object" && v !== null && !Array.isArray(v) && !(v instanceof Raw);
/** What stands after `key:` in a map on lines. Lists of maps go below their key, all else stays on its line. */
function afterKey(v: unknown, indent: number): string {
  const list = Array.isArray(v) && v.length > 0 && v.every((x) => isPlainMap(x) && Object.keys(x).length > 0);
  return list ? `\n${" ".repeat(indent + 2)}${blockText(v, indent + 2)}` : ` ${flowText(v)}`;
}

// ---------------------------------------------------------------- places in the text
const isFlow = (node: YAMLMap | YAMLSeq): boolean => node.flow === true;
const splice = (text: string, from: number, to: number, insert: string): string => text.slice(0, from) + insert + text.slice(to);
function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}
const lineStart = (text: string, at: number): number => text.lastIndexOf("\n", at - 1) + 1;
/** Behind the last character of an item's value, without the space and comments that follow it. */
function contentEnd(text: string, item: Pair<Node, Node | null> | Node): number {
  let end: number;
  if (isPair(item)) {
    const [key, value] = [item.key as Node, item.value as Node | null];
    end = Math.max(key.range?.[1] ?? 0, value?.range?.[1] ?? 0);
    if (end === key.range?.[1]) end = text.indexOf(":", end) + 1;
  } else end = item.range?.[1] ?? 0;
  while (end > 0 && /\s/.test(text[end - 1])) end--;
  return end;
}
const columnOf = (text: string, at: number): number => at - lineStart(text, at);
function itemStart(seq: YAMLSeq, index: number): number {
  const token = seq.srcToken as { items?: { start?: { type: string; offset: number }[] }[] } | undefined;
  const sign = token?.items?.[index]?.start?.find((t) => t.type === "seq-item-ind");
  return sign?.offset ?? (seq.items[index] as Node).range![0];
}
const pairStart = (pair: Pair<Node, unknown>): number => pair.key.range![0];

// ---------------------------------------------------------------- setting
/** Gives a field a value; what is missing on the way is made. `order` lists the keys of a map as they should stand. */
export function setIn(p: Parsed, path: Path, value: unknown, order: (map: Path) => readonly string[] = () => []): string | null {
  const made = place(p, path, value, order);
  if (made === null) return null;
  return confirmed(made, path, value) ? made : null;
}
/** Several fields at once, from one parse and without proof: for every step of a drag. The last step is proved like any edit. */
export function setQuickly(p: Parsed, edits: readonly { path: Path; value: unknown }[], order: (map: Path) => readonly string[] = () => []): string | null {
  const changes: { from: number; to: number; insert: string }[] = [];
  for (const e of edits) {
    const next = place(p, e.path, e.value, order);
    if (next === null) return null;
    changes.push(changeBetween(p.text, next));
  }
  changes.sort((a, b) => b.from - a.from);
  let text = p.text;
  for (const c of changes) text = splice(text, c.from, c.to, c.insert);
  return text;
}
function place(p: Parsed, path: Path, value: unknown, order: (map: Path) => readonly string[]): string | null {
  const found = find(p, path);
  if (found && path.length) return replace(p, found, value);
  if (!path.length) return null;
  const parentPath = path.slice(0, -1);
  const parent = find(p, parentPath);
  const key = path[path.length - 1];
  const node = parent?.node ?? null;
  if (parent && isMap(node) && typeof key === "string") return addKey(p.text, node as Items, key, value, order(parentPath));
  if (parent && isSeq(node) && key === node.items.length) return addItem(p.text, node, value);
  if (!parentPath.length) return p.text.trimEnd() === "" ? `${keyText(String(key))}:${afterKey(value, 0)}\n` : `${p.text.replace(/\n*$/, "\n")}${keyText(String(key))}:${afterKey(value, 0)}\n`;
  // Nothing there, or something that can hold no keys: made as a whole.
  return place(p, parentPath, typeof key === "number" ? [value] : { [key]: value }, order);
}
function replace(p: Parsed, found: Place, value: unknown): string | null {
  const { node, pair } = found;
  const { text } = p;
  if (isSeq(node) && Array.isArray(value) && value.length === node.items.length) {
    // One by one, from the back, so that only what differs changes.
    let next: string | null = text;
    for (let k = value.length - 1; k >= 0 && next !== null; k--) {
      const item: Node | null = follow(p, node.items[k]);
      if (!same(item?.toJS(p.doc) as unknown, plain(value[k]))) next = replaceIn(next, item, value[k]);
    }
    return next;
  }
  if (node?.range && node.range[1] > node.range[0]) {
    if (pair && (isMap(node) || isSeq(node)) && !isFlow(node)) {
      const colon = text.indexOf(":", pair.key.range![1]) + 1;
      return splice(text, colon, contentEnd(text, node), afterKey(value, columnOf(text, pairStart(pair))));
    }
    return replaceIn(text, node, value);
  }
  if (!pair) return null;
  const colon = text.indexOf(":", pair.key.range![1]) + 1; // `key:` with nothing behind it
  return splice(text, colon, colon, afterKey(value, columnOf(text, pairStart(pair))));
}
function replaceIn(text: string, node: Node | null, value: unknown): string | null {
  if (!node?.range) return null;
  if (isScalar(node) && (node.type === "BLOCK_LITERAL" || node.type === "BLOCK_FOLDED")) return splice(text, node.range[0], contentEnd(text, node), flowText(value));
  return splice(text, node.range[0], node.range[1], flowText(value));
}
function addKey(text: string, map: Items, key: string, value: unknown, order: readonly string[]): string {
  const rank = (k: string): number => (order.includes(k) ? order.indexOf(k) : order.length);
  const before = map.items.filter((i) => rank(String((i.key as { value?: unknown }).value)) <= rank(key)).at(-1) ?? null;
  if (isFlow(map)) {
    const pair = `${keyText(key)}: ${flowText(value)}`;
    const open = map.range![0] + 1;
    if (!map.items.length) return splice(text, open, open, pair);
    if (!before) return splice(text, pairStart(map.items[0]), pairStart(map.items[0]), `${pair}, `);
    const end = contentEnd(text, before);
    return splice(text, end, end, `, ${pair}`);
  }
  const first = map.items[0];
  const indent = columnOf(text, pairStart(first));
  const line = `${keyText(key)}:${afterKey(value, indent)}`;
  if (!before) return splice(text, pairStart(first), pairStart(first), `${line}\n${" ".repeat(indent)}`);
  const end = lineEnd(text, contentEnd(text, before));
  return splice(text, end, end, `\n${" ".repeat(indent)}${line}`);
}
function addItem(text: string, seq: YAMLSeq, value: unknown): string {
  const last = seq.items.at(-1) as Node | undefined;
  if (isFlow(seq)) {
    const open = seq.range![0] + 1;
    if (!last) return splice(text, open, open, flowText(value));
    const end = contentEnd(text, last);
    return splice(text, end, end, `, ${flowText(value)}`);
  }
  const start = itemStart(seq, seq.items.length - 1);
  const indent = columnOf(text, start);
  const end = lineEnd(text, contentEnd(text, last!));
  const lines = isPlainMap(value) && Object.keys(value).length > 0 && isMap(last) && !isFlow(last);
  return splice(text, end, end, `\n${" ".repeat(indent)}- ${lines ? blockText(value, indent + 2) : flowText(value)}`);
}

// ---------------------------------------------------------------- removing, copying, moving
export function removeIn(p: Parsed, path: Path): string | null {
  const found = find(p, path);
  if (!found?.parent || !path.length) return null;
  const { parent, index, pair } = found;
  // The last entry takes its map or list along, except where an item of a list would vanish.
  if (parent.items.length === 1 && path.length > 1 && typeof path[path.length - 2] === "string") return removeIn(p, path.slice(0, -1));
  const { text } = p;
  const start = pair ? pairStart(pair) : isFlow(parent) ? (parent.items[index] as Node).range![0] : itemStart(parent as YAMLSeq, index);
  const end = contentEnd(text, pair ?? (parent.items[index] as Node));
  return isFlow(parent) ? removeFlow(p, parent, index, start, end) : removeLines(text, parent, index, start, end, pair === null);
}
function removeFlow(p: Parsed, parent: YAMLMap | YAMLSeq, index: number, start: number, end: number): string {
  const { text } = p;
  const at = (k: number): number => (isMap(parent) ? pairStart((parent as Items).items[k]) : (parent.items[k] as Node).range![0]);
  if (index + 1 < parent.items.length) return splice(text, start, at(index + 1), "");
  if (index === 0) return splice(text, start, end, "");
  const before = contentEnd(text, parent.items[index - 1] as Node);
  return splice(text, before, end, "");
}
function removeLines(text: string, parent: YAMLMap | YAMLSeq, index: number, start: number, end: number, withComment: boolean): string {
  const from = lineStart(text, start);
  if (text.slice(from, start).trim() !== "") {
    // The first key behind a dash: the next key comes up to it.
    const next = (parent as Items).items[index + 1];
    return next ? splice(text, start, pairStart(next), "") : splice(text, start, end, "{}");
  }
  let first = from;
  if (withComment) for (let above = lineStart(text, first - 1); first > 0 && text.slice(above, first).trim().startsWith("#") && columnOf(text, above + text.slice(above).search(/\S/)) === start - from; above = lineStart(text, first - 1)) first = above;
  return splice(text, first, Math.min(text.length, lineEnd(text, end) + 1), "");
}
/** A copy of a list's item behind it, as it is written. */
export function copyItem(p: Parsed, path: Path): string | null {
  const found = find(p, path);
  if (!found || !isSeq(found.parent)) return null;
  const { text } = p;
  const item = found.parent.items[found.index] as Node;
  const end = contentEnd(text, item);
  if (isFlow(found.parent)) return splice(text, end, end, `, ${text.slice(item.range![0], end)}`);
  const start = itemStart(found.parent, found.index);
  const at = lineEnd(text, end);
  return splice(text, at, at, `\n${text.slice(lineStart(text, start), start)}${text.slice(start, end)}`);
}

// ---------------------------------------------------------------- certainty
export function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a === "number" && typeof b === "number") return Math.abs(a - b) < 1e-5 * Math.max(1, Math.abs(b));
  if (typeof a !== "object" || typeof b !== "object" || !a || !b || Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((k) => same((a as Record<string, unknown>)[k], (b as Record<string, unknown>)[k]));
}
export function plain(v: unknown): unknown {
  if (v instanceof Raw) return isNumber(v.text) ? Number(v.text) : v.text;
  if (Array.isArray(v)) return v.map(plain);
  if (isPlainMap(v)) return Object.fromEntries(Object.entries(v).map(([k, x]) => [k, plain(x)]));
  return v;
}
const confirmed = (text: string, path: Path, value: unknown): boolean => same(valueAt(parse(text).value, path), plain(value));

/** The one change between two texts: what is equal at both ends stays. */
export function changeBetween(a: string, b: string): { from: number; to: number; insert: string } {
  let from = 0;
  const most = Math.min(a.length, b.length);
  while (from < most && a[from] === b[from]) from++;
  let end = 0;
  while (end < most - from && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return { from, to: a.length - end, insert: b.slice(from, b.length - end) };
}
