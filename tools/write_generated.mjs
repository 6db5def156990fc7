// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The end of a generator: writes its files, or, with --check, says which of them are stale.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

// `texts` by path below `root`; `generator` is the path of the program for people
export function writeGenerated(root, generator, texts) {
  let stale = 0;
  for (const [path, text] of Object.entries(texts)) {
    const file = join(root, path);
    let old = "";
    try {
      old = readFileSync(file, "utf8");
    } catch {
      // not there yet
    }
    if (old === text) continue;
    if (process.argv.includes("--check")) {
      console.error(`${path} is stale: run 'node ${generator}'`);
      stale = 1;
      continue;
    }
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    console.log(`wrote ${path}`);
  }
  process.exit(stale);
}
