// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What of a vehicle can fail, as the server tells it, and the numbers that each kind of fault takes.
import type { CommandArgs } from "../wire/wire.ts";

export type Kind = CommandArgs["fault"]["kind"];
export interface Component {
  name: string;
  unit: string; // of bias, drift and noise; 1: a share of the greatest speed or angle
  kinds: Kind[];
}
export interface Failing {
  name: string;
  components: Component[];
  faults: { component: string; kind: string }[];
}
const KINDS: readonly string[] = ["off", "stuck", "bias", "drift", "scale", "noise", "delay", "drop_out", "intermittent"];

/** The answer of GET /api/live/vehicles/ID/senses; null when it is not one. */
export function readFailing(x: unknown): Failing | null {
  const o = (typeof x === "object" && x !== null ? x : {}) as Record<string, unknown>;
  if (!Array.isArray(o["components"]) || !Array.isArray(o["faults"])) return null;
  const text = (v: unknown): string => (typeof v === "string" ? v : "");
  const kinds = (v: unknown): Kind[] => (Array.isArray(v) ? (v as unknown[]) : []).filter((k): k is Kind => KINDS.includes(String(k)));
  const list = (v: unknown): Record<string, unknown>[] => (v as unknown[]).filter((i): i is Record<string, unknown> => typeof i === "object" && i !== null);
  const components = list(o["components"]).map((c): Component => ({ name: text(c["name"]), unit: text(c["unit"]), kinds: kinds(c["kinds"]) }));
  const faults = list(o["faults"]).map((f) => ({ component: text(f["component"]), kind: text(f["kind"]) }));
  return { name: text(o["name"]), components: components.filter((c) => c.name && c.kinds.length), faults };
}

export interface Field {
  name: "amount" | "probability" | "mean_on" | "mean_off";
  title: string;
  unit: string;
  start: number;
  min?: number | undefined;
  max?: number | undefined;
}
export type Values = Partial<Record<Field["name"], number>>;
const BIAS: Record<string, number> = { "1": -0.2, dB: -10, m: 5, Pa: 50, T: 1e-5, "rad/s": 0.1, "m/s": 0.5, "m/s2": 1 };
const unitWords = (unit: string): string => (unit === "1" ? "of full" : unit.replace("m/s2", "m/s\u00b2"));

/** What is asked for a kind of fault of a component. */
export function fieldsOf(kind: Kind, unit: string): Field[] {
  const amount = (title: string, words: string, start: number, least?: number): Field => ({ name: "amount", title, unit: words, start, min: least });
  switch (kind) {
    case "bias":
      return [amount("Bias", unitWords(unit), BIAS[unit] ?? 1)];
    case "drift":
      return [amount("Drift", `${unitWords(unit)} per second`, (BIAS[unit] ?? 1) / 10)];
    case "noise":
      return [amount("Standard deviation", unitWords(unit), Math.abs(BIAS[unit] ?? 1), 0)];
    case "scale":
      return [amount("Factor", "", 0.8)];
    case "delay":
      return [amount("Delay", "s", 0.05, 0)];
    case "drop_out":
      return [{ name: "probability", title: "Probability", unit: "", start: 0.3, min: 0, max: 1 }];
    case "intermittent":
      return [
        { name: "mean_on", title: "Fails for", unit: "s on average", start: 1, min: 0 },
        { name: "mean_off", title: "Works for", unit: "s on average", start: 2, min: 0 },
      ];
    default:
      return [];
  }
}

/** The arguments of the command. */
export function faultArgs(ids: string[], component: string, kind: Kind, values: Values, duration: number): CommandArgs["fault"] {
  const { amount, ...rest } = values;
  return { ids, component, kind, ...rest, ...(amount === undefined ? {} : { amount: [amount, 0, 0] }), ...(duration > 0 ? { duration } : {}) };
}
