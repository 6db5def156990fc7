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
console.log(`first script: ${(first / 1000).toFixed(1)} kB gzip of ${BUDGET / 1000} kB`);
if (first > BUDGET) process.exit(1);
