// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What form, outline and keys do to the text: set, reset, add, duplicate, remove, nudge. Each is one step of undo.
import * as s from "../app/state.ts";
import { edit, showPlace } from "./code.ts";
import * as m from "./model.ts";
import { fieldAt, fieldsOf, itemField, skeleton, type Field } from "./schema.ts";
import { copyItem, fieldOf, parse, removeIn, samePath, setIn, spotOf, valueAt, type Path } from "./yaml_text.ts";

export const valueNow = (path: Path): unknown => valueAt(m.good.value.value, path);
/** What the text must be for edits by hand on the form. */
export const editable = (): true | string => (m.phase.value !== "open" ? "nothing is open" : m.broken.value ? "the text does not parse: mend it first" : true);

function refuse(path: Path): void {
  s.notify("warn", `${fieldOf(path) || "The text"} is written in a way that only the text itself can change.`, [{ title: "Show it", run: () => showField(path) }]);
}
function write(next: string | null, path: Path): boolean {
  if (next === null) refuse(path);
  return edit(next);
}
function ready(): boolean {
  const may = editable();
  if (may !== true) s.notify("warn", `Not changed: ${may}.`, [], 4);
  else m.parseNow();
  return may === true;
}
export function setField(path: Path, value: unknown): boolean {
  return ready() && write(setIn(m.parsed.value, path, value, m.order), path);
}
export function resetField(path: Path): boolean {
  return ready() && write(removeIn(m.parsed.value, path), path);
}
/** Several fields as one step. */
export function setFields(edits: readonly { path: Path; value: unknown }[]): boolean {
  if (!ready()) return false;
  const next = applied(m.parsed.value.text, edits);
  return write(next, edits[0]?.path ?? []);
}
export function applied(text: string, edits: readonly { path: Path; value: unknown }[], parsed = parse(text)): string | null {
  let next: string | null = text;
  edits.forEach((e, k) => {
    if (next !== null) next = setIn(k === 0 ? parsed : parse(next), e.path, e.value, m.order);
  });
  return next;
}
/** Of alternatives one is given: another takes its place, what stands beside them stays. */
export function choose(path: Path, field: Field, kind: string): boolean {
  if (!ready()) return false;
  let text: string | null = m.parsed.value.text;
  const given = valueNow(path);
  const before = field.alternatives.filter((a) => typeof given === "object" && given !== null && a in given);
  const inner = fieldsOf(field).find((f) => f.name === kind);
  if (kind && inner) text = setIn(parse(text), [...path, kind], fitting(skeleton(inner), before.map((b) => valueNow([...path, b]))), m.order);
  for (const b of before) if (b !== kind && text !== null) text = removeIn(parse(text), [...path, b]);
  return write(text, path);
}
/** Numbers that both kinds have by name are carried over. */
function fitting(made: unknown, before: unknown[]): unknown {
  if (typeof made !== "object" || made === null || Array.isArray(made)) return made;
  const kept = { ...(made as Record<string, unknown>) };
  for (const old of before) {
    if (typeof old !== "object" || old === null || Array.isArray(old)) continue;
    for (const [k, v] of Object.entries(old)) if (k in kept && typeof v === typeof kept[k] && Array.isArray(v) === Array.isArray(kept[k])) kept[k] = v;
  }
  return kept;
}

// ---------------------------------------------------------------- items of lists
function unique(list: unknown, name: string): string {
  const taken = new Set(Array.isArray(list) ? list.map((x) => (x as { name?: unknown } | null)?.name) : []);
  const stem = name.replace(/[-_ ]?\d+$/, "") || name;
  for (let k = taken.has(name) ? 2 : 1; ; k++) {
    const next = k === 1 ? name : `${stem}-${k}`;
    if (!taken.has(next)) return next;
  }
}
export function addItem(list: Path, value?: unknown): boolean {
  const f = m.schema.value && fieldAt(m.schema.value, list);
  if (!f || !ready()) return false;
  const now = valueNow(list);
  const n = Array.isArray(now) ? now.length : 0;
  let made = value ?? firstItem(f, n);
  if (typeof made === "object" && made !== null && "name" in made) made = { ...made, name: unique(now, String((made as { name: unknown }).name)) };
  const next = n > 0 ? setIn(m.parsed.value, [...list, n], made, m.order) : setIn(m.parsed.value, list, [made], m.order);
  if (!write(next, list)) return false;
  selectPath([...list, n]);
  return true;
}
function firstItem(list: Field, index: number): unknown {
  const item = itemField(list);
  const made = skeleton(item, index, Math.max(index + 1, 8));
  if (typeof made !== "object" || made === null || Array.isArray(made)) return made;
  const named = made as Record<string, unknown>;
  // A new flock flies what the last one flies, a new one of anything else is named after its list.
  if (typeof named["name"] === "string") named["name"] = list.name.replace(/s$/, "");
  if (typeof named["airframe"] === "string") named["airframe"] = lastAirframe();
  return named;
}
export function lastAirframe(): string {
  const flocks = valueNow(["flocks"]);
  const own = Array.isArray(flocks) ? (flocks.at(-1) as { airframe?: unknown } | undefined)?.airframe : undefined;
  return typeof own === "string" ? own : (m.airframes.value[0]?.name ?? "crazyflie");
}
const isItem = (path: Path): boolean => typeof path.at(-1) === "number";
export const movable = (): true | string => (isItem(m.selected.value) ? editable() : "select a flock, a region, an event, a vehicle or a point first");

export function duplicate(): boolean {
  const path = m.selected.value;
  if (movable() !== true || !ready()) return false;
  const list = path.slice(0, -1);
  const index = path.at(-1) as number;
  let next = copyItem(m.parsed.value, path);
  const item = valueNow(path);
  const copy: Path = [...list, index + 1];
  const set = (at: Path, value: unknown): void => {
    if (next !== null) next = setIn(parse(next), at, value, m.order);
  };
  if (Array.isArray(item)) set(copy, item.map((x: unknown, k) => (k === 0 && typeof x === "number" ? x + 1 : x)));
  else if (typeof item === "object" && item !== null) {
    const { name, position } = item as { name?: unknown; position?: unknown };
    if (typeof name === "string") set([...copy, "name"], unique(valueNow(list), name));
    if (Array.isArray(position) && typeof position[0] === "number") set([...copy, "position"], [position[0] + 1, ...(position.slice(1) as unknown[])]);
  }
  if (!write(next, path)) return false;
  selectPath(copy);
  return true;
}
export function remove(): boolean {
  const path = m.selected.value;
  if (movable() !== true || !ready()) return false;
  if (!write(removeIn(m.parsed.value, path), path)) return false;
  const list = path.slice(0, -1);
  const left = valueNow(list);
  const n = Array.isArray(left) ? left.length : 0;
  m.selected.value = n > 0 ? [...list, Math.min(n - 1, path.at(-1) as number)] : list.slice(0, 1).length > 1 ? list : [];
  return true;
}

// ---------------------------------------------------------------- going to places
export function showField(path: Path): void {
  const spot = spotOf(m.parsed.value, path);
  m.panel.value = "yaml";
  setTimeout(() => showPlace(spot.from, spot.to, true));
}
export function selectPath(path: Path): void {
  if (!samePath(path, m.selected.value)) m.selected.value = path;
  if (!m.broken.value) showPlace(spotOf(m.parsed.value, path).from, 0, false);
}
/** F8: to the next problem, in the text and in the outline. */
export function nextProblem(direction: 1 | -1): void {
  const all = [...m.problems.value].sort((a, b) => a.from - b.from);
  if (!all.length) return s.notify("info", "There are no problems.", [], 3);
  m.at.value = (m.at.value + direction + all.length) % all.length;
  if (m.at.value < 0 || m.at.value >= all.length) m.at.value = 0;
  const p = all[m.at.value];
  s.said.value = `Line ${p.line}: ${p.message}`;
  if (p.field && !m.broken.value) {
    const path = p.field.split(/\.|\[/)[0] ? itemOf(p.field) : [];
    m.selected.value = path;
  }
  const inForm = m.panel.value === "form" && s.width.value < 1800 && document.getElementById(`field-${p.field}`);
  showPlace(p.from, p.to, !inForm);
  if (!inForm) m.panel.value = m.panel.value === "outline" || s.width.value < 1800 ? "yaml" : m.panel.value;
  setTimeout(() => (inForm ? document.getElementById(`field-${p.field}`)?.focus() : showPlace(p.from, p.to, true)), 30);
}
/** The list's item that a field belongs to, or else its first part. */
export function itemOf(field: string): Path {
  const path = [...field.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map((x) => (x[1] !== undefined ? Number(x[1]) : x[2]));
  const last = typeof path[1] === "number" ? 2 : 1;
  return path.slice(0, last);
}
