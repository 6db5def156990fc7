// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import type { HelloMessage } from "../wire/wire.ts";
import { LiveSource } from "./live.ts";

// a worker that holds no socket
class FakeWorker {
  static last: FakeWorker;
  onmessage: ((e: { data: unknown }) => void) | null = null;
  constructor() {
    FakeWorker.last = this;
  }
  postMessage(): void {}
  terminate(): void {}
}

const hello = (epoch: number): HelloMessage => ({ type: "hello", version: "0", scenario: "s", description: "", seed: "1", tick_s: 0.01, duration_s: 10, worlds: 1, flocks: [], state: "running", speed: 1, token_scope: "all", run: "", epoch, ground: 0, has_ground: true, wind: [0, 0, 0], gust_sigma: 0, regions: [] });

test("a jump of time within a run forgets what was kept, another hello does not", () => {
  (globalThis as { Worker: unknown }).Worker = FakeWorker;
  const source = new LiveSource("ws://nowhere");
  const changes: string[] = [];
  source.on((c) => changes.push(c.kind));
  const say = (epoch: number) => FakeWorker.last.onmessage?.({ data: { kind: "message", message: hello(epoch) } });
  say(1);
  say(1); // after a reconnect
  assert.ok(!changes.includes("reset"));
  say(2);
  assert.equal(changes.filter((c) => c === "reset").length, 1);
});
