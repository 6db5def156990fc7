// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the editor asks the server. An answer that is an Error carries words for people.
import type { Rotor } from "../source/source.ts";
import { link, type Schema } from "./schema.ts";

export interface Entry {
  name: string;
  title: string;
  description: string;
  saved: boolean; // in the user's own folder
}
export interface AirframeEntry {
  name: string;
  title: string;
  model: string;
}
export interface FlockPreview {
  name: string;
  airframe: string;
  model: string;
  controller: string;
  rotors: Rotor[];
  size_m: number;
  look?: unknown; // readShape makes sense of it
  count: number;
  starts: [number, number, number, number][]; // east north up yaw
  centres: [number, number, number][];
  curve: [number, number, number][]; // about a centre
}
export interface Preview {
  name: string;
  seed: string;
  duration: number;
  ground: number;
  has_ground: boolean;
  flocks: FlockPreview[];
}
export interface Verdict {
  ok: boolean;
  vehicles: number;
  problems: { line: number; column: number; field: string; message: string; suggestion: string }[];
  preview: Preview | null;
}

async function ask(path: string, options?: RequestInit): Promise<Response | Error> {
  try {
    const answer = await fetch(path, options);
    if (answer.ok) return answer;
    let words = "";
    try {
      words = String(((await answer.json()) as { error?: unknown }).error ?? "");
    } catch {
      // No words: the number must do.
    }
    return Object.assign(new Error(words || `the server answered ${answer.status}`), { status: answer.status });
  } catch {
    return new Error("Volary is not reachable");
  }
}
async function json<T>(path: string, options?: RequestInit): Promise<T | Error> {
  const answer = await ask(path, options);
  if (answer instanceof Error) return answer;
  try {
    return (await answer.json()) as T;
  } catch {
    return new Error("the server's answer could not be read");
  }
}
const yaml = (text: string, method: string): RequestInit => ({ method, headers: { "Content-Type": "text/yaml" }, body: text });
const at = (name: string): string => `/api/scenarios/${encodeURIComponent(name)}`;

export const readSchema = async (): Promise<Schema | Error> => {
  const all = await json<{ scenario?: Schema }>("/api/schema");
  if (all instanceof Error) return all;
  return all.scenario ? link(all.scenario) : new Error("the server knows no schema of scenarios");
};
export const listAirframes = (): Promise<AirframeEntry[] | Error> => json("/api/airframes");
export const listScenarios = (): Promise<Entry[] | Error> => json("/api/scenarios");
export async function readScenario(name: string): Promise<string | Error> {
  const answer = await ask(at(name), { cache: "no-store" });
  return answer instanceof Error ? answer : await answer.text();
}
export const saveScenario = (name: string, text: string): Promise<Verdict | Error> => json(at(name), yaml(text, "PUT"));
export async function checkScenario(text: string, signal?: AbortSignal): Promise<Verdict | Error> {
  const found = await json<Partial<Verdict>>("/api/scenarios/check?preview=1", { ...yaml(text, "POST"), ...(signal ? { signal } : {}) });
  if (found instanceof Error) return found;
  return { ok: found.ok === true, vehicles: found.vehicles ?? 0, problems: Array.isArray(found.problems) ? found.problems : [], preview: found.preview ?? null };
}
export const startScenario = (name: string): Promise<unknown> => json("/api/live/start", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ scenario: name }) });
