// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Prints what the first load weighs and fails the build when the scripts pass the budget.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const BUDGET = 230_000;
const dist = join(import.meta.dirname, "..", "dist");
const entry = readFileSync(join(dist, "index.html"), "utf8");
let first = 0;
for (const name of readdirSync(join(dist, "assets")).sort()) {
  const bytes = readFileSync(join(dist, "assets", name));
  const packed = gzipSync(bytes, { level: 9 }).length;
  // Workers are named in the entry script, not in the page, but load at once all the same.
  const lazy = name.endsWith(".js") && !entry.includes(name) && !name.includes("worker");
  if (name.endsWith(".js") && !lazy) first += packed;
  console.log(`${name.padEnd(36)} ${(bytes.length / 1000).toFixed(1).padStart(8)} kB ${(packed / 1000).toFixed(1).padStart(7)} kB gzip${lazy ? "  (later)" : ""}`);
}
// What is loaded later, each with what it alone brings along.
const LATER = { editor: 170_000, picture: 20_000 };
const text = (name) => readFileSync(join(dist, "assets", name), "utf8");
const names = readdirSync(join(dist, "assets")).filter((n) => n.endsWith(".js"));
function weightOf(part) {
  const alone = new Set();
  const follow = (name) => {
    if (alone.has(name) || entry.includes(name)) return;
    alone.add(name);
    for (const [, next] of text(name).matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g)) follow(next);
  };
  names.filter((n) => n.startsWith(`${part}-`)).forEach(follow);
  return [...alone].reduce((sum, name) => sum + gzipSync(text(name), { level: 9 }).length, 0);
}
let heavy = first > BUDGET;
for (const [part, most] of Object.entries(LATER)) {
  const weight = weightOf(part);
  heavy ||= weight > most || weight === 0;
  console.log(`${part}: ${(weight / 1000).toFixed(1)} kB gzip of ${most / 1000} kB`);
}
console.log(`first script: ${(first / 1000).toFixed(1)} kB gzip of ${BUDGET / 1000} kB`);
if (heavy) process.exit(1);
