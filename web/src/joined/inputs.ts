// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The inputs that a platform takes from people: which numbers they are asked for, with the units and bounds of the server, and the fields that are sent. Angles are degrees
// on the page and radians in the input.
import { degrees } from "../app/units.ts";
import { capital } from "../app/words.ts";
import type { ReactionKind } from "./told.ts";

export interface Asked {
  field: string; // of the input
  index: number; // within the field; -1: the field is one number
  title: string;
  unit: string;
  min: number;
  max: number;
}
const AXES = { position: ["East", "North", "Up"], force: ["Force x", "Force y", "Force z"], torque: ["Torque x", "Torque y", "Torque z"] } as const;
const FIELDS: Record<"pose" | "reaction", readonly string[]> = { pose: ["position", "roll", "pitch", "yaw"], reaction: ["force", "torque"] };
const TURN = 180; // degrees: a yaw beyond this is another one

const object = (x: unknown): Record<string, unknown> => (typeof x === "object" && x !== null ? (x as Record<string, unknown>) : {});
const finite = (x: unknown): x is number => typeof x === "number" && Number.isFinite(x);

/** The numbers of an input as GET /api/schema describes them; null when it does not. */
export function readAsked(schema: unknown, kind: "pose" | "reaction"): Asked[] | null {
  const properties = object(object(object(object(schema)["inputs"])[kind])["properties"]);
  const all: Asked[] = [];
  for (const field of FIELDS[kind]) {
    const o = object(properties[field]);
    const numbers = o["type"] === "array" ? object(o["items"]) : o;
    const unit = /\(([^()]*)\)$/.exec(String(o["description"] ?? ""))?.[1];
    if (unit === undefined || !finite(numbers["minimum"]) || !finite(numbers["maximum"])) return null;
    const [min, max] = [numbers["minimum"], numbers["maximum"]];
    const angle = unit === "rad";
    const bounds = !angle ? { unit, min, max } : { unit: "\u00b0", min: Math.max(-TURN, degrees(min)), max: Math.min(TURN, degrees(max)) };
    const titles: readonly string[] = field in AXES ? AXES[field as keyof typeof AXES] : [capital(field)];
    titles.forEach((title, k) => all.push({ field, index: titles.length > 1 ? k : -1, title, ...bounds }));
  }
  return all;
}

export type Fields = Record<string, number | number[]>;
/** What is sent of the numbers that were asked for, in the same order. */
export function fieldsOf(asked: readonly Asked[], values: readonly number[]): Fields {
  const out: Fields = {};
  asked.forEach((a, k) => {
    const x = a.unit === "\u00b0" ? (values[k] * Math.PI) / 180 : values[k];
    if (a.index < 0) out[a.field] = x;
    else ((out[a.field] ??= []) as number[])[a.index] = x;
  });
  return out;
}

export const KINDS: readonly ReactionKind[] = ["stiff", "yield", "press"];
export const DOES: Record<ReactionKind, string> = {
  stiff: "It keeps its pose, and compensates the push that it estimates.",
  yield: "It gives way as a mass on springs and dampers would, and comes back.",
  press: "It moves until its surroundings push it with this force and torque, in the axes of the vehicle: x forward, y left, z up.",
};
/** Only pressing has numbers. */
export const reactionFields = (kind: ReactionKind, wrench: Fields): Record<string, unknown> => (kind === "press" ? { kind, ...wrench } : { kind });

/** Whether all joints lie on one line through several of them: no thrust turns the platform about it. */
export function onOneLine(joints: readonly (readonly number[])[]): boolean {
  const [first, ...others] = joints.map((j) => j.map((x, i) => x - joints[0][i]));
  const far = others.reduce((a, b) => (Math.hypot(...b) > Math.hypot(...a) ? b : a), first ?? [0, 0, 0]);
  const length = Math.hypot(...far);
  const off = (j: readonly number[]): number => Math.hypot(j[1] * far[2] - j[2] * far[1], j[2] * far[0] - j[0] * far[2], j[0] * far[1] - j[1] * far[0]);
  return joints.length > 1 && others.every((j) => off(j) < 1e-3 * length * length);
}
