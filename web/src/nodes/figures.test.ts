// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { addSamples, emptyPast, linesOf, readFederation } from "./figures.ts";

const answer = (numbers: number[], rate: unknown[]): unknown => ({ samples: { number: numbers, time: numbers.map((n) => n / 2), rate, latency: [], age: [], skew: [], memory: [] } });

test("samples are added once, in order, and a node that comes later has no past", () => {
  let past = addSamples(emptyPast(), answer([1, 2], [[100, 101]]));
  past = addSamples(past, answer([2, 3], [[999, 102], [null, 50]]));
  assert.deepEqual(past.time, [0.5, 1, 1.5]);
  assert.deepEqual(past.values.rate, [[100, 101, 102], [null, null, 50]]);
  assert.equal(past.last, 3);
  assert.equal(addSamples(past, answer([3], [[1], [1]])), past);
  assert.equal(addSamples(past, { samples: "none" }), past);
  assert.equal(addSamples(past, null), past);
});

test("the past is bounded", () => {
  let past = emptyPast();
  for (let n = 1; n <= 1500; n++) past = addSamples(past, answer([n], [[n]]));
  assert.equal(past.time.length, 1200);
  assert.equal(past.values.rate[0].length, 1200);
  assert.equal(past.values.rate[0][0], 301);
});

test("more nodes than lines become the lowest, the middle and the highest", () => {
  assert.deepEqual(linesOf([[1, 2], [3, null]], 2), [[1, 2], [3, null]]);
  const many = Array.from({ length: 9 }, (_, k) => [k, k === 4 ? null : 10 * k]);
  assert.deepEqual(linesOf(many, 2), [[0, 0], [4, 50], [8, 80]]);
  assert.deepEqual(linesOf(many.map(() => [null]), 1), [[null], [null], [null]]);
});

test("an answer is read with care", () => {
  assert.equal(readFederation({ error: "one process simulates this world" }), null);
  const f = readFederation({ federation: "local", nodes: [{ member: 1, state: "running", rate: "fast" }, null], views: [{ view: "newest", skew: 2 }, { view: "sideways" }] })!;
  assert.equal(f.nodes.length, 1);
  assert.equal(f.live, false);
  assert.equal(readFederation({ mode: "live", nodes: [] })!.live, true);
  assert.equal(f.nodes[0].name, "1");
  assert.deepEqual(f.views, [{ view: "newest", tick: 0, skew: 2, nodes: 0, age: null }]);
});
