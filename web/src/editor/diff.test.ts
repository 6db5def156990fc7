// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { changedLines, diffLines, hunks } from "./diff.ts";

const text = (...lines: string[]): string => lines.map((l) => `${l}\n`).join("");
const kinds = (a: string, b: string): string => diffLines(a, b).map((l) => l.kind).join("");

test("what a diff keeps and adds is the new text, what it keeps and removes the old one", () => {
  let seed = 7;
  const random = (n: number): number => (seed = (seed * 16807) % 2147483647) % n;
  for (let round = 0; round < 200; round++) {
    const make = (): string[] => Array.from({ length: random(30) }, () => "abcde"[random(5)]);
    const [a, b] = [make(), make()];
    const lines = diffLines(text(...a), text(...b));
    assert.deepEqual(lines.filter((l) => l.kind !== "+").map((l) => l.text), a);
    assert.deepEqual(lines.filter((l) => l.kind !== "-").map((l) => l.text), b);
    assert.deepEqual(lines.filter((l) => l.b).map((l) => l.b), b.map((_, i) => i + 1));
    assert.deepEqual(lines.filter((l) => l.a).map((l) => l.a), a.map((_, i) => i + 1));
  }
});

test("a changed line counts once, however it is shown", () => {
  const [a, b] = [text("a", "b", "c", "d"), text("a", "B", "c", "d", "e")];
  assert.equal(kinds(a, b), " -+  +");
  assert.equal(changedLines(diffLines(a, b)), 2);
  assert.equal(changedLines(diffLines(a, a)), 0);
  assert.equal(changedLines(diffLines("", a)), 4);
});

test("only what changed is shown, with three lines around it", () => {
  const lines = Array.from({ length: 40 }, (_, i) => `line ${i}`);
  const other = [...lines];
  other[10] = "new";
  other.splice(30, 1);
  const found = hunks(diffLines(text(...lines), text(...other)));
  assert.deepEqual(found.map((h) => h.head), ["@@ -8,7 +8,7 @@", "@@ -28,7 +28,6 @@"]);
  assert.deepEqual(hunks(diffLines("a\n", "a\n")), []);
});

test("texts that have nothing in common are still compared quickly", () => {
  const many = (word: string): string => text(...Array.from({ length: 20_000 }, (_, i) => `${word} ${i}`));
  const start = performance.now();
  assert.equal(changedLines(diffLines(many("a"), many("b"))), 20_000);
  assert.ok(performance.now() - start < 20_000);
});
