// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { element, readElement, Webm, withDuration } from "./webm.ts";

const join = (parts: Uint8Array[]): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.concat(parts));
/** Every element of a range, as [id, content]. */
function list(bytes: Uint8Array, from = 0, to = bytes.length): [number, Uint8Array, number][] {
  const out: [number, Uint8Array, number][] = [];
  for (let at = from; at < to; ) {
    const e = readElement(bytes, at)!;
    out.push([e.id, bytes.subarray(e.from, Math.min(e.to, to)), at]);
    at = e.to;
  }
  return out;
}
const get = (bytes: Uint8Array, ...path: number[]): Uint8Array => path.reduce((b, id) => list(b).find((e) => e[0] === id)![1], bytes);
const float = (b: Uint8Array): number => new DataView(b.buffer, b.byteOffset).getFloat64(0);
const number = (b: Uint8Array): number => b.reduce((n, x) => n * 256 + x, 0);

test("a film holds every frame at its time, tells its duration, and its index points at clusters", () => {
  const film = new Webm("V_VP9", { width: 640, height: 360 });
  for (let k = 0; k < 600; k++) film.add(new Uint8Array([k & 255, k >> 8]), (k * 1000) / 30, k % 60 === 0, 1000 / 30);
  const bytes = join(film.finish());
  const segment = get(bytes, 0x18538067);
  assert.equal(float(get(segment, 0x1549a966, 0x4489)), 20_000);
  assert.equal(number(get(segment, 0x1654ae6b, 0xae, 0xe0, 0xb0)), 640);
  const frames: number[] = [];
  const clusters = list(segment).filter((e) => e[0] === 0x1f43b675);
  for (const [, cluster] of clusters) {
    const base = number(get(cluster, 0xe7));
    for (const [id, block] of list(cluster)) if (id === 0xa3) frames.push(base + block[1] * 256 + block[2]);
  }
  assert.equal(frames.length, 600);
  frames.forEach((t, k) => assert.ok(Math.abs(t - (k * 1000) / 30) <= 1, `frame ${k} at ${t}`));
  const cues = list(get(segment, 0x1c53bb6b));
  assert.equal(cues.length, clusters.length);
  cues.forEach(([, cue], k) => assert.equal(number(get(cue, 0xb7, 0xf1)), clusters[k][2], "relative to the content of the segment"));
});
test("an empty film is still a file", () => {
  const bytes = join(new Webm("V_VP8", { width: 2, height: 2 }).finish());
  assert.equal(list(get(bytes, 0x18538067)).some((e) => e[0] === 0x1f43b675), false);
});
test("a film that a browser recorded without knowing its end gets its duration, and keeps the rest", () => {
  const open = (...inside: Uint8Array[]): Uint8Array<ArrayBuffer> => join([element(0x1a45dfa3, [1, 2]), new Uint8Array([0x18, 0x53, 0x80, 0x67, 0x01, 255, 255, 255, 255, 255, 255, 255]), ...inside]);
  const cluster = element(0x1f43b675, [9, 9, 9]);
  for (const had of [[], [element(0x4489, [0, 0, 0, 0])]]) {
    const bytes = join(withDuration(open(element(0x1549a966, element(0x2ad7b1, [15, 66, 64]), ...had), cluster), 2345));
    const segment = get(bytes, 0x18538067);
    assert.equal(float(get(segment, 0x1549a966, 0x4489)), 2345);
    assert.deepEqual([...get(segment, 0x1f43b675)], [9, 9, 9]);
  }
  for (const odd of [new Uint8Array(0), new Uint8Array([1, 2, 3]), new Uint8Array(64), open(cluster)]) assert.deepEqual(join(withDuration(odd, 1)), odd);
});
