// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Who in one run is who in the other. Names come first, since ids shift when a flock before them gets larger; a name that is there twice
// says nothing, and then the id counts.

export interface Named {
  id: string;
  name: string;
}
export interface Partners {
  toB: ReadonlyMap<string, string>; // ids
  toA: ReadonlyMap<string, string>;
  onlyA: string[]; // names
  onlyB: string[];
}

export function partners(a: readonly Named[], b: readonly Named[]): Partners {
  const toB = new Map<string, string>();
  const toA = new Map<string, string>();
  const join = (x: string, y: string): void => {
    if (toB.has(x) || toA.has(y)) return;
    toB.set(x, y);
    toA.set(y, x);
  };
  const [ours, theirs] = [unique(a), unique(b)];
  for (const [name, x] of ours) {
    const y = theirs.get(name);
    if (y !== undefined) join(x, y);
  }
  const present = new Set(b.map((v) => v.id));
  for (const v of a) if (!toB.has(v.id) && present.has(v.id)) join(v.id, v.id);
  return { toB, toA, onlyA: a.filter((v) => !toB.has(v.id)).map((v) => v.name), onlyB: b.filter((v) => !toA.has(v.id)).map((v) => v.name) };
}

function unique(list: readonly Named[]): Map<string, string> {
  const found = new Map<string, string | null>();
  for (const v of list) if (v.name) found.set(v.name, found.has(v.name) ? null : v.id);
  return new Map([...found].filter((e): e is [string, string] => e[1] !== null));
}

/** A set of ids as the other run calls them; those without a partner are left out. */
export function across(map: ReadonlyMap<string, string>, ids: Iterable<string>): Set<string> {
  const out = new Set<string>();
  for (const id of ids) {
    const other = map.get(id);
    if (other !== undefined) out.add(other);
  }
  return out;
}
