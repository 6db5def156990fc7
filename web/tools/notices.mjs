// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// dist/third_party.txt: name, version, licence and licence text of every package that the page may contain. standalone.mjs puts the same text into the page of
// a recording. A package without a licence text fails the build.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const WEB = join(import.meta.dirname, "..");

/** What package-lock.json installs for the page itself and not for its development, by name. */
export function shippedPackages() {
  const { packages } = JSON.parse(readFileSync(join(WEB, "package-lock.json"), "utf8"));
  return Object.entries(packages)
    .filter(([path, entry]) => path !== "" && !entry.dev && !entry.devOptional)
    .map(([path, entry]) => ({ path, name: path.split("node_modules/").at(-1), version: entry.version, license: entry.license }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

export function notices() {
  const parts = ["This page contains the following packages. Their licences ask for the notices below.\n"];
  for (const p of shippedPackages()) {
    const folder = join(WEB, p.path), file = readdirSync(folder).find((f) => /^(licen[cs]e|copying)/i.test(f));
    if (!file) throw new Error(`${p.name} ${p.version} has no licence text`);
    parts.push(`${"-".repeat(79)}\n${p.name} ${p.version} (${p.license})\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`);
  }
  return parts.join("\n");
}

if (process.argv[1] === import.meta.filename) {
  const text = notices();
  writeFileSync(join(WEB, "dist", "third_party.txt"), text);
  console.log(`third_party.txt ${(text.length / 1000).toFixed(1)} kB, ${shippedPackages().length} packages`);
}
