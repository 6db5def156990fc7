// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Reads an exported MCAP with the official TypeScript reader (npm install @mcap/core fzstd) and compares it with the CSV of the
// same recording: node record_mcap_check.mjs FILE.mcap FILE.csv
import fs from "node:fs";
import { McapIndexedReader, McapStreamReader } from "@mcap/core";
import { decompress } from "fzstd";

const [mcapPath, csvPath] = process.argv.slice(2);
const expected = new Map();
for (const line of fs.readFileSync(csvPath, "utf8").trim().split("\n").slice(1)) {
  const cell = line.split(",");
  expected.set(`${Math.round(Number(cell[0]) * 1e6)} ${cell[2]}`, [...cell.slice(5, 8), ...cell.slice(11, 15)].map(Number));
}
const bytes = fs.readFileSync(mcapPath);
const readable = { size: async () => BigInt(bytes.length), read: async (offset, length) => new Uint8Array(bytes.subarray(Number(offset), Number(offset + length))) };
const decompressHandlers = { zstd: (data, size) => decompress(data, new Uint8Array(Number(size))) };
const reader = await McapIndexedReader.Initialize({ readable, decompressHandlers });
let compared = 0, worst = 0, messages = 0n;
for await (const message of reader.readMessages({ validateCrcs: true })) {
  ++messages;
  if (reader.channelsById.get(message.channelId).topic !== "/tf") continue;
  for (const t of JSON.parse(new TextDecoder().decode(message.data)).transforms) {
    const p = t.translation, q = t.rotation, values = [p.x, p.y, p.z, q.w, q.x, q.y, q.z];
    const wanted = expected.get(`${Math.round(Number(message.logTime) / 1e3)} ${t.child_frame_id.replace(/#\d+$/, "")}`);
    values.forEach((v, k) => (worst = Math.max(worst, Math.abs(v - wanted[k]))));
    ++compared;
  }
}
const stream = new McapStreamReader({ decompressHandlers, validateCrcs: true });
stream.append(bytes);
let records = 0;
while (stream.nextRecord()) ++records;
if (compared === 0 || !(worst <= 5.1e-5) || messages !== reader.statistics.messageCount || !stream.done()) throw new Error(`worst ${worst}, ${messages} messages`);
console.log(`${compared} transforms equal, ${messages} messages, ${records} records`);
