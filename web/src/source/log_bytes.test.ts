// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { BlobSource, crc32c, HttpSource } from "./log_bytes.ts";
import { LogReader } from "./log_reader.ts";
import { fixture, open, readAll } from "./log_test_support.ts";

test("CRC-32C is Castagnoli's", () => {
  assert.equal(crc32c(new TextEncoder().encode("123456789")), 0xe3069283);
  assert.equal(crc32c(new Uint8Array(0)), 0);
});

test("a dropped file and a server with ranges give the same run", async (t) => {
  const bytes = fixture("removal.vrec");
  let asked = 0;
  const server = createServer((q, a) => {
    asked++;
    const range = /bytes=(\d+)-(\d+)/.exec(q.headers.range ?? "");
    if (q.url === "/missing") return a.writeHead(404).end();
    if (q.url === "/whole" || !range) return a.writeHead(200).end(bytes);
    const [from, to] = [Number(range[1]), Math.min(Number(range[2]), bytes.length - 1)];
    if (from >= bytes.length) return a.writeHead(416, { "Content-Range": `bytes */${bytes.length}` }).end();
    return a.writeHead(206, { "Content-Range": `bytes ${from}-${to}/${bytes.length}` }).end(bytes.subarray(from, to + 1));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const near = await open(bytes);
  for (const source of [new BlobSource(new Blob([bytes as Uint8Array<ArrayBuffer>])), new HttpSource(`${url}/run`), new HttpSource(`${url}/run`, {}, 1024), new HttpSource(`${url}/whole`)]) {
    asked = 0;
    const log = await open(source);
    assert.deepEqual(log.roster, near.roster);
    assert.equal(await readAll(log), await readAll(near));
    assert.ok(asked < 15, `${asked} requests`);
  }
  assert.match(String(await LogReader.open(new HttpSource(`${url}/missing`))), /no such recording/);
});
