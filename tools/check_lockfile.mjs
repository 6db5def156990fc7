// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The lockfile names every package that any package asks for, those of other platforms included: newer npm refuses
// `npm ci` otherwise, while older npm installs happily, so that the gap shows only on somebody else's machine.
import {readFileSync} from 'node:fs';

const {packages} = JSON.parse(readFileSync(new URL('../web/package-lock.json', import.meta.url), 'utf8'));
const names = new Set(Object.keys(packages).map((path) => path.split('node_modules/').at(-1)));
let missing = 0;
for (const [path, entry] of Object.entries(packages)) {
  for (const name of Object.keys({...entry.dependencies, ...entry.devDependencies, ...entry.optionalDependencies})) {
    if (names.has(name)) continue;
    console.error(`web/package-lock.json: ${path || 'the project'} asks for ${name}, which is not locked`);
    missing += 1;
  }
}
process.exit(missing ? 1 : 0);
