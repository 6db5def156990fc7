// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Reading the JSON Schema that the program writes from its describe lists: units, help, groups of alternatives, first values. No kind of
// placement, mission or region is known by name here: one that the page has never seen gets a form all the same.
import type { Path } from "./yaml_text.ts";

export interface Schema {
  type?: string;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  minimum?: number;
  maximum?: number;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  oneOf?: Schema[];
  $ref?: string;
  $defs?: Record<string, Schema>;
}

/** Puts what a `$ref` names in its place. A thing that is a part of itself becomes one here: the pieces are shared, not copied. */
export function link(root: Schema): Schema {
  const seen = new Set<object>();
  const walk = (s: Schema): void => {
    const named = s.$ref ? root.$defs?.[s.$ref.replace("#/$defs/", "")] : undefined;
    if (named) {
      const own = s.description;
      Object.assign(s, named, own ? { description: own } : {});
      delete s.$ref;
    }
    const inside = s.properties ?? s.items;
    if (!inside || seen.has(inside)) return;
    seen.add(inside);
    for (const child of s.properties ? Object.values(s.properties) : [s.items!]) walk(child);
  };
  for (const d of Object.values(root.$defs ?? {})) walk(d);
  walk(root);
  return root;
}

const UNIT = /\s*\[([^\]]+)\]\s*$/;
export const unitOf = (s: Schema): string => UNIT.exec(s.description ?? "")?.[1] ?? "";
export const helpOf = (s: Schema): string => {
  const text = (s.description ?? "").replace(UNIT, "");
  return text && text[0].toUpperCase() + text.slice(1);
};
export const titleOf = (name: string): string => {
  const words = name.replace(/_deg$/, "").replaceAll("_", " ");
  return words[0].toUpperCase() + words.slice(1);
};

/** The names of which exactly one is given: said by the description ("one of a, b, c") or by `oneOf` with `required`. */
export function alternatives(s: Schema, description = s.description ?? ""): string[] {
  const inside = s.type === "array" && s.items ? s.items : s;
  const names = Object.keys(inside.properties ?? {});
  const byRequired = (inside.oneOf ?? []).flatMap((o) => (o.required?.length === 1 ? o.required : []));
  if (byRequired.length > 1) return byRequired.filter((n) => names.includes(n));
  const said = /\bone of ((?:\w+, )+\w+)/.exec(description)?.[1].split(", ") ?? [];
  const found = said.filter((n) => names.includes(n));
  return found.length > 1 ? found : [];
}
/** A schema with its alternatives: those of a list's items are told by the description of the list. */
export interface Field {
  name: string;
  schema: Schema;
  required: boolean;
  alternatives: string[];
}
export const itemField = (list: Field): Field => ({ name: list.name, schema: list.schema.items ?? {}, required: true, alternatives: alternatives(list.schema.items ?? {}, list.schema.description) });
export const rootField = (schema: Schema): Field => ({ name: "scenario", schema, required: true, alternatives: alternatives(schema) });
export function fieldsOf(f: Field): Field[] {
  return Object.entries(f.schema.properties ?? {}).map(([name, schema]) => ({ name, schema, required: f.schema.required?.includes(name) ?? false, alternatives: alternatives(schema) }));
}
export function fieldAt(schema: Schema, path: Path): Field | null {
  let at: Field | null = rootField(schema);
  for (const step of path) {
    if (!at) return null;
    if (typeof step === "number") at = at.schema.items ? itemField(at) : null;
    else at = fieldsOf(at).find((f) => f.name === step) ?? null;
  }
  return at;
}
export const isMapList = (s: Schema): boolean => s.type === "array" && s.items?.type === "object";
export const isNumbers = (s: Schema): boolean => s.type === "array" && (s.items?.type === "number" || s.items?.type === "integer");
export const isPoints = (s: Schema): boolean => s.type === "array" && s.items !== undefined && isNumbers(s.items);
/** An angle may be written in degrees under its name with `_deg`: one of the two is shown. */
export function withoutTwins(fields: Field[], given: Record<string, unknown>): Field[] {
  const names = new Set(fields.map((f) => f.name));
  return fields.filter((f) => {
    if (names.has(`${f.name}_deg`)) return f.name in given;
    const twin = f.name.replace(/_deg$/, "");
    return twin === f.name || !names.has(twin) || !(twin in given) || f.name in given;
  });
}
/** A slider helps where both ends are near enough to be pulled to. */
export function slider(s: Schema): { min: number; max: number; step: number } | null {
  const { minimum: min, maximum: max } = s;
  if ((s.type !== "number" && s.type !== "integer") || min === undefined || max === undefined) return null;
  const range = max - min;
  const angle = unitOf(s) === "deg" && range <= 721;
  if (!(range > 0) || (range > 100 && !angle) || (min > 0 && max / min > 1000)) return null; // over many decades nobody pulls
  return { min: Math.round(min * 1e6) / 1e6, max: Math.round(max * 1e6) / 1e6, step: s.type === "integer" ? 1 : angle ? 5 : range <= 10 ? 0.05 : 0.5 };
}
/** Which of an object's plain fields are shown at once: what is required or given, and the first few that have a default. */
export function split(fields: Field[], given: Record<string, unknown>, most = 7): { shown: Field[]; more: Field[] } {
  if (fields.length <= most) return { shown: fields, more: [] };
  const shown: Field[] = [];
  const more: Field[] = [];
  for (const f of fields) (f.required || f.name in given || (shown.length < most && (f.schema.default !== undefined || /_deg$/.test(f.name))) ? shown : more).push(f);
  return more.length < 2 ? { shown: fields, more: [] } : { shown, more };
}

// ---------------------------------------------------------------- first values
const clamp = (x: number, s: Schema): number => Math.min(s.maximum ?? Infinity, Math.max(s.minimum ?? -Infinity, x));
/** The least that a field can be and still make sense: what is required, and of alternatives the first. */
export function skeleton(f: Field, index = 0, of = 1): unknown {
  const s = f.schema;
  if (s.const !== undefined) return s.const;
  if (s.default !== undefined) return s.default;
  if (s.enum) return s.enum[0];
  if (s.type === "boolean") return false;
  if (s.type === "number" || s.type === "integer") return clamp(1, s);
  if (s.type === "string") return f.name;
  if (s.type === "array") return firstList(f, index, of);
  const made: Record<string, unknown> = {};
  for (const p of fieldsOf(f)) if (p.required || /\bgive exactly one of (\w+)/.exec(p.schema.description ?? "")?.[1] === p.name) made[p.name] = skeleton(p);
  // not one that would be this again, for ever
  const first = f.alternatives.find((a) => { const p = s.properties?.[a]; return p?.properties !== s.properties && p?.items?.properties !== s.properties; });
  if (first && !f.alternatives.some((a) => a in made)) made[first] = skeleton(fieldsOf(f).find((p) => p.name === first)!);
  return made;
}
function firstList(f: Field, index: number, of: number): unknown[] {
  const s = f.schema;
  const n = s.minItems ?? 0;
  if (isNumbers(s)) {
    const far = f.name === "max" ? 5 : f.name === "min" ? -5 : 0;
    // Points of a list lie on a circle, so that no two are the same and an outline does not cross itself.
    const turn = (2 * Math.PI * index) / of;
    const place = of > 1 ? [10 * Math.cos(turn), 10 * Math.sin(turn), 5] : [far, far, Math.max(0, far)];
    return Array.from({ length: n }, (_, k) => clamp(Math.round(place[k] ?? 0), s.items!));
  }
  return Array.from({ length: n }, (_, k) => skeleton(itemField(f), k, n));
}
