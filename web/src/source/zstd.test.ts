// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as zlib from "node:zlib";
import { contentSize, inflate } from "./zstd.ts";

interface Zstd {
  zstdCompressSync(bytes: Uint8Array, options?: object): Uint8Array;
  constants: Record<string, number>;
}
const { zstdCompressSync, constants } = zlib as unknown as Zstd;
function compress(bytes: Uint8Array, level = 3, extra: Record<number, number> = {}): Uint8Array {
  return new Uint8Array(zstdCompressSync(bytes, { pledgedSrcSize: bytes.length, params: { [constants["ZSTD_c_compressionLevel"]]: level, ...extra } }));
}
let seed = 11;
const random = (n: number): number => Math.floor(((seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32) * n);
const some = (n: number, f: (k: number) => number): Uint8Array => Uint8Array.from({ length: n }, (_, k) => f(k));

const source = readFileSync(new URL("./zstd.ts", import.meta.url));
const samples: Record<string, Uint8Array> = {
  nothing: new Uint8Array(0),
  "one byte": Uint8Array.of(7),
  zeros: new Uint8Array(300_000),
  noise: some(70_000, () => random(256)),
  "two symbols": some(50_000, () => random(2)),
  "skewed numbers": some(200_000, () => Math.floor(Math.abs(random(1000) * random(1000) * random(1000)) / 1e7)),
  text: new Uint8Array(source),
  "long text": new Uint8Array(Buffer.concat(Array.from({ length: 30 }, (_, k) => source.subarray(k * 17)))),
  "far repeats": new Uint8Array(Buffer.concat([some(200_000, () => random(256)), source, some(1000, () => random(3))].flatMap((b) => [b, b]))),
  counting: some(100_000, (k) => k >> 4),
};

test("what zstd packs at any level comes out again", () => {
  for (const [name, bytes] of Object.entries(samples))
    for (const level of [-5, 1, 2, 3, 5, 9, 13, 19, 22]) {
      const packed = compress(bytes, level);
      assert.equal(contentSize(packed), bytes.length);
      const got = inflate(packed, 2 ** 28, 2 ** 20, bytes.length);
      assert.ok(!(got instanceof Error), `${name} at level ${level}: ${got}`);
      assert.ok(Buffer.compare(got, bytes) === 0, `${name} at level ${level}`);
    }
});

test("a thousand small and odd inputs come out again", () => {
  for (let k = 0; k < 1000; k++) {
    const alphabet = 1 + random(k % 2 ? 256 : 9);
    const bytes = some(random(k % 10 === 0 ? 20_000 : 1500), (i) => (random(3) === 0 ? random(alphabet) : i % alphabet));
    const got = inflate(compress(bytes, 1 + random(19)), 2 ** 28, 2 ** 20);
    assert.ok(!(got instanceof Error) && Buffer.compare(got, bytes) === 0, `input ${k}`);
  }
});

test("a checksum is passed over", () => {
  const got = inflate(compress(samples["text"], 3, { [constants["ZSTD_c_checksumFlag"]]: 1 }), 2 ** 28, 2 ** 20);
  assert.ok(!(got instanceof Error) && Buffer.compare(got, samples["text"]) === 0);
});

test("5,000 broken frames end in an error or in as many bytes as they said, soon", () => {
  const frames = [compress(samples["text"], 9), compress(samples["skewed numbers"].subarray(0, 5000), 3), compress(samples["far repeats"].subarray(0, 3000), 19)];
  const begin = performance.now();
  for (let k = 0; k < 5000; k++) {
    const frame = frames[k % 3].slice(0, k % 7 === 0 ? random(frames[k % 3].length) : undefined);
    for (let c = 1 + random(4); c > 0; c--) frame[6 + random(Math.max(1, frame.length - 6))] = random(256);
    const got = inflate(frame, 1 << 22, 4096);
    assert.ok(got instanceof Error || got.length === contentSize(frame));
  }
  console.log(`  ${(performance.now() - begin).toFixed(0)} ms`);
});

test("a few bytes that stand for billions of copies are refused at once", () => {
  const size = 131072;
  const block = [0, 255, 255, 255, 0x54, 0, 0, 52, 1]; // 98,047 sequences, each a match of 65,539 bytes
  const head = (block.length << 3) | (2 << 1) | 1;
  const frame = Uint8Array.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, size & 255, (size >> 8) & 255, size >> 16, 0, head & 255, head >> 8, 0, ...block]);
  const begin = performance.now();
  assert.ok(inflate(frame, 2 ** 28, 2 ** 14) instanceof Error);
  assert.ok(performance.now() - begin < 500);
  assert.match(String(inflate(compress(samples["zeros"]), 1000, 4096)), /beyond the limit/);
  assert.match(String(inflate(compress(samples["text"]), 2 ** 28, 4096, 5)), /another size/);
});
