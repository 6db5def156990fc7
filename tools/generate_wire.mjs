// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// schema/wire.json -> src/server/wire.hpp and web/src/wire/wire.ts, so that both ends of the stream agree.
//   node tools/generate_wire.mjs            writes both
//   node tools/generate_wire.mjs --check    fails when one of them is stale
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { writeGenerated } from "./write_generated.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const wire = JSON.parse(readFileSync(join(root, "schema/wire.json"), "utf8"));
const size = { u16: 2, f16: 2, u32: 4, f32: 4, f64: 8 };

// ---------------------------------------------------------------- what both languages need

function header() {
  let offset = 0;
  const fields = wire.frame.header.map((field) => {
    const width = size[field.type];
    if (width === undefined) throw new Error(`frame.header: '${field.name}' has the unknown type '${field.type}'`);
    if (offset % width !== 0) throw new Error(`frame.header: '${field.name}' at byte ${offset} is not aligned to ${width}`);
    const placed = { ...field, offset };
    offset += width * (field.count ?? 1);
    return placed;
  });
  if (offset % 8 !== 0) throw new Error(`frame.header: ${offset} bytes are not a multiple of 8`);
  return { fields, bytes: offset };
}

const { fields, bytes: headerBytes } = header();
const perVehicle = wire.frame.columns.reduce((sum, column) => sum + size[column.type], 0);
const magic = [...wire.frame.magic].reduce((value, letter, k) => value + letter.charCodeAt(0) * 2 ** (8 * k), 0);
const hex = (value) => "0x" + value.toString(16).toUpperCase().padStart(8, "0");
const pascal = (name) => name.split("_").map((word) => word[0].toUpperCase() + word.slice(1)).join("");
const camel = (name) => pascal(name)[0].toLowerCase() + pascal(name).slice(1);
const snake = (name) => name.replace(/[A-Z]/g, (letter) => "_" + letter.toLowerCase());

// ---------------------------------------------------------------- C++

function cpp() {
  const lines = [];
  const add = (text = "") => lines.push(text);
  add("// SPDX-FileCopyrightText: 2026 Volary contributors");
  add("// SPDX-License-Identifier: Apache-2.0");
  add("//");
  add("// generated from schema/wire.json, do not edit");
  add("// clang-format off");
  add("#pragma once");
  add();
  add("#include <cstddef>");
  add("#include <cstdint>");
  add();
  add("namespace volary::server::wire {");
  add();
  add(`inline constexpr const char* kEndpoint = "${wire.endpoint}";`);
  add(`inline constexpr std::uint32_t kMagic = ${hex(magic)};  // ${wire.frame.magic}`);
  add(`inline constexpr std::uint16_t kVersion = ${wire.frame.version}, kKindFrame = ${wire.frame.kind};`);
  add();
  add("// the header, in bytes from the start of the message");
  for (const field of fields) add(`inline constexpr std::size_t kAt${pascal(field.name)} = ${field.offset};  // ${field.type}${field.count ? ` x ${field.count}` : ""}: ${field.doc}`);
  add(`inline constexpr std::size_t kHeaderBytes = ${headerBytes}, kChecksumFrom = ${wire.frame.checksum_from};`);
  add(`inline constexpr std::size_t kBytesPerVehicle = ${perVehicle};`);
  add();
  add("constexpr std::size_t padded(std::size_t bytes) { return (bytes + 3) / 4 * 4; }");
  add();
  add("// where the columns of n vehicles begin, and where the message ends");
  add("struct Columns {");
  for (const column of wire.frame.columns) add(`  std::size_t ${snake(column.name)};  // ${column.type}: ${column.doc}`);
  add("  std::size_t end;");
  add("};");
  add("constexpr Columns columns_of(std::size_t n) {");
  add("  Columns c{};");
  let before = "kHeaderBytes";
  for (const column of wire.frame.columns) {
    add(`  c.${snake(column.name)} = ${before};`);
    before = `c.${snake(column.name)} + padded(${size[column.type]} * n)`;
  }
  add(`  c.end = ${before};`);
  add("  return c;");
  add("}");
  add();
  add("// the column `state`");
  add(`inline constexpr std::uint16_t ${Object.entries(wire.state).map(([name, bits]) => `k${pascal(name)} = ${bits}`).join(", ")};`);
  add(`inline constexpr const char* kModes[] = {${wire.modes.map((mode) => `"${mode}"`).join(", ")}};`);
  add();
  add("// bounds on what clients send");
  for (const [name, value] of Object.entries(wire.limits)) add(`inline constexpr std::int64_t k${pascal(name)} = ${value};`);
  add();
  add("// text messages from the server");
  for (const name of Object.keys(wire.server)) add(`inline constexpr const char* k${pascal(name)} = "${name}";`);
  add("// text messages from clients");
  for (const name of Object.keys(wire.client)) add(`inline constexpr const char* k${pascal(name)} = "${name}";`);
  add();
  add(`enum class Command { ${Object.keys(wire.commands).map(pascal).join(", ")} };`);
  add(`inline constexpr const char* kCommands[] = {${Object.keys(wire.commands).map((name) => `"${name}"`).join(", ")}};`);
  add();
  add("}  // namespace volary::server::wire");
  return lines.join("\n") + "\n";
}

// ---------------------------------------------------------------- TypeScript

const plain = { text: "string", number: "number", integer: "number", flag: "boolean", vec: "[number, number, number]", object: "Record<string, unknown>" };

function tsType(type) {
  if (Array.isArray(type)) return type.map((word) => JSON.stringify(word)).join(" | ");
  if (type.endsWith("[]")) return `${tsType(type.slice(0, -2))}[]`;
  if (type === "Command") return "CommandName";
  if (plain[type] !== undefined) return plain[type];
  if (wire.types[type] !== undefined) return type;
  throw new Error(`schema/wire.json: unknown type '${type}'`);
}

function tsFields(object) {
  return Object.entries(object).map(([name, type]) => `${name}: ${tsType(type)};`).join(" ");
}

// the check of one value as an expression that is true when it is right
function tsCheck(type, value) {
  if (Array.isArray(type)) return `(${type.map((word) => `${value} === ${JSON.stringify(word)}`).join(" || ")})`;
  if (type.endsWith("[]")) return `isList(${value}, (x) => ${tsCheck(type.slice(0, -2), "x")})`;
  switch (type) {
    case "text": return `typeof ${value} === "string"`;
    case "number": return `isNumber(${value})`;
    case "integer": return `Number.isSafeInteger(${value})`;
    case "flag": return `typeof ${value} === "boolean"`;
    case "vec": return `(isList(${value}, isNumber) && ${value}.length === 3)`;
    case "object": return `isObject(${value})`;
    default: return `is${type}(${value})`;
  }
}

function tsChecks(object, value) {
  return Object.entries(object).map(([name, type]) =>
    name.endsWith("?") ? `(${value}.${name.slice(0, -1)} === undefined || ${tsCheck(type, `${value}.${name.slice(0, -1)}`)})` : tsCheck(type, `${value}.${name}`));
}

function ts() {
  const lines = [];
  const add = (text = "") => lines.push(text);
  add("// SPDX-FileCopyrightText: 2026 Volary contributors");
  add("// SPDX-License-Identifier: Apache-2.0");
  add("//");
  add("// generated from schema/wire.json, do not edit");
  add();
  add(`export const ENDPOINT = ${JSON.stringify(wire.endpoint)};`);
  add(`export const MAGIC = ${hex(magic)};`);
  add(`export const VERSION = ${wire.frame.version};`);
  add(`export const KIND_FRAME = ${wire.frame.kind};`);
  add(`export const HEADER_BYTES = ${headerBytes};`);
  add(`export const CHECKSUM_FROM = ${wire.frame.checksum_from};`);
  add(`export const BYTES_PER_VEHICLE = ${perVehicle};`);
  add("/** Header fields, in bytes from the start of the message. */");
  add("export const AT = {");
  for (const field of fields) add(`  /** ${field.type}${field.count ? ` x ${field.count}` : ""}: ${field.doc} */\n  ${camel(field.name)}: ${field.offset},`);
  add("} as const;");
  add("export const LIMITS = {");
  for (const [name, value] of Object.entries(wire.limits)) add(`  ${camel(name)}: ${value},`);
  add("} as const;");
  add(`export const STATE = { ${Object.entries(wire.state).map(([name, bits]) => `${camel(name)}: ${bits}`).join(", ")} } as const;`);
  add(`export const MODES = ${JSON.stringify(wire.modes)} as const;`);
  add("export type Mode = (typeof MODES)[number];");
  add(`export const MODE = { ${wire.modes.map((mode, k) => `${camel(mode)}: ${k}`).join(", ")} } as const;`);
  add();
  add("// ---------------------------------------------------------------- frames");
  add();
  add("/** One moment of every vehicle; the columns are views of the received buffer. */");
  add("export interface Frame {");
  add("  tick: number;");
  add("  time: number;");
  add("  origin: [number, number, number];");
  add("  n: number;");
  add("  roster: number;");
  const view = { f32: "Float32Array", u32: "Uint32Array", u16: "Uint16Array", f16: "Uint16Array" };
  for (const column of wire.frame.columns) add(`  /** ${column.type}: ${column.doc} */\n  ${column.name}: ${view[column.type]};`);
  add("}");
  add();
  add("const padded = (bytes: number): number => (bytes + 3) & ~3;");
  add();
  add("/** Bytes of a frame with n vehicles. */");
  add("export function frameBytes(n: number): number {");
  add(`  return HEADER_BYTES + ${wire.frame.columns.map((column) => (size[column.type] % 4 === 0 ? `${size[column.type]} * n` : `padded(${size[column.type]} * n)`)).join(" + ")};`);
  add("}");
  add();
  lines.push(`const CRC_TABLE = /* @__PURE__ */ (() => {
  const table = new Uint32Array(4 * 256);
  for (let k = 0; k < 256; ++k) {
    let c = k;
    for (let bit = 0; bit < 8; ++bit) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
    table[k] = c >>> 0;
  }
  for (let k = 0; k < 256; ++k) for (let t = 1; t < 4; ++t) table[t * 256 + k] = (table[(t - 1) * 256 + k]! >>> 8) ^ table[table[(t - 1) * 256 + k]! & 255]!;
  return table;
})();

/** CRC-32 of zlib and PNG, four bytes at a time. */
export function crc32(bytes: Uint8Array): number {
  const t = CRC_TABLE;
  let c = 0xffffffff;
  let k = 0;
  for (const whole = bytes.length & ~3; k < whole; k += 4) {
    c ^= bytes[k]! | (bytes[k + 1]! << 8) | (bytes[k + 2]! << 16) | (bytes[k + 3]! << 24);
    c = t[768 + (c & 255)]! ^ t[512 + ((c >>> 8) & 255)]! ^ t[256 + ((c >>> 16) & 255)]! ^ t[c >>> 24]!;
  }
  for (; k < bytes.length; ++k) c = (c >>> 8) ^ t[(c ^ bytes[k]!) & 255]!;
  return (c ^ 0xffffffff) >>> 0;
}

/** The frame in a message, or what is wrong with it; every length is checked before it is used. */
export function decodeFrame(buffer: ArrayBuffer): Frame | string {
  if (buffer.byteLength < HEADER_BYTES) return \`a frame of \${buffer.byteLength} bytes is shorter than its header\`;
  if (buffer.byteLength > LIMITS.frameBytes) return \`a frame of \${buffer.byteLength} bytes is longer than the limit\`;
  const view = new DataView(buffer);
  if (view.getUint32(AT.magic, true) !== MAGIC) return "not a frame: wrong magic";
  const version = view.getUint16(AT.version, true);
  if (version !== VERSION) return \`frame version \${version}, this page reads \${VERSION}: reload it\`;
  const kind = view.getUint16(AT.kind, true);
  if (kind !== KIND_FRAME) return \`unknown kind of message \${kind}\`;
  const length = view.getUint32(AT.length, true);
  if (length !== buffer.byteLength) return \`the frame says \${length} bytes, \${buffer.byteLength} came\`;
  const n = view.getUint32(AT.n, true);
  if (frameBytes(n) !== length) return \`\${n} vehicles do not make \${length} bytes\`;
  if (crc32(new Uint8Array(buffer, CHECKSUM_FROM)) !== view.getUint32(AT.checksum, true)) return "wrong checksum";
  const tick = view.getUint32(AT.tickLow, true) + view.getUint32(AT.tickHigh, true) * 4294967296;
  const time = view.getFloat64(AT.time, true);
  const origin: [number, number, number] = [view.getFloat64(AT.origin, true), view.getFloat64(AT.origin + 8, true), view.getFloat64(AT.origin + 16, true)];
  if (!Number.isSafeInteger(tick) || !Number.isFinite(time) || !origin.every(Number.isFinite)) return "tick, time or origin is not a number";`);
  add("  let at = HEADER_BYTES;");
  for (const column of wire.frame.columns) {
    add(`  const ${column.name} = new ${view[column.type]}(buffer, at, n);`);
    if (column !== wire.frame.columns.at(-1)) add(`  at += ${size[column.type] % 4 === 0 ? `${size[column.type]} * n` : `padded(${size[column.type]} * n)`};`);
  }
  add(`  return { tick, time, origin, n, roster: view.getUint32(AT.roster, true), ${wire.frame.columns.map((column) => column.name).join(", ")} };`);
  add("}");
  add();
  lines.push(`/** Writes the quaternion w x y z (body to world) of one packed attitude to out[at ..]. */
export function unpackAttitude(packed: number, out: Float32Array | number[], at = 0): void {
  const largest = packed >>> 30;
  let sum = 0;
  let shift = 20;
  for (let k = 0; k < 4; ++k) {
    if (k === largest) continue;
    const value = ((((packed >>> shift) & 1023) / 1023) * 2 - 1) * Math.SQRT1_2;
    out[at + k] = value;
    sum += value * value;
    shift -= 10;
  }
  out[at + largest] = Math.sqrt(Math.max(0, 1 - sum));
}

/** An IEEE half float. */
export function halfToNumber(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >>> 10) & 31;
  const fraction = half & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}`);
  add();
  add("// ---------------------------------------------------------------- text messages");
  add();
  add(`export type CommandName = ${Object.keys(wire.commands).map((name) => JSON.stringify(name)).join(" | ")};`);
  for (const [name, object] of Object.entries(wire.types)) add(`export interface ${name} { ${tsFields(object)} }`);
  add();
  for (const [name, object] of Object.entries(wire.server)) add(`export interface ${pascal(name)}Message { type: ${JSON.stringify(name)}; ${tsFields(object)} }`);
  add(`export type ServerMessage = ${Object.keys(wire.server).map((name) => `${pascal(name)}Message`).join(" | ")};`);
  add();
  add("export interface CommandArgs {");
  for (const [name, object] of Object.entries(wire.commands)) add(`  ${name}: { ${tsFields(object)} };`);
  add("}");
  for (const [name, object] of Object.entries(wire.client)) {
    if (name !== "command") add(`export interface ${pascal(name)}Message { type: ${JSON.stringify(name)}; ${tsFields(object)} }`);
  }
  add(`export interface CommandMessage<C extends CommandName = CommandName> { type: "command"; seq: number; name: C; args?: CommandArgs[C]; }`);
  add(`export type ClientMessage = ${Object.keys(wire.client).map((name) => `${pascal(name)}Message`).join(" | ")};`);
  add();
  add("/* eslint-disable @typescript-eslint/no-explicit-any */");
  add("const isNumber = (x: any): boolean => typeof x === \"number\" && Number.isFinite(x);");
  add("const isObject = (x: any): boolean => typeof x === \"object\" && x !== null && !Array.isArray(x);");
  add("const isList = (x: any, good: (item: any) => boolean): boolean => Array.isArray(x) && x.every(good);");
  for (const [name, object] of Object.entries(wire.types)) add(`const is${name} = (x: any): boolean => isObject(x) && ${tsChecks(object, "x").join(" && ")};`);
  add("const CHECKS: Record<string, (m: any) => boolean> = {");
  for (const [name, object] of Object.entries(wire.server)) add(`  ${name}: (m) => ${tsChecks(object, "m").join(" && ")},`);
  add("};");
  add();
  lines.push(`/** A text message of the server, or what is wrong with it. */
export function parseServerMessage(text: string): ServerMessage | string {
  let message: any;
  try {
    message = JSON.parse(text);
  } catch {
    return "a message that is not JSON";
  }
  if (!isObject(message) || typeof message.type !== "string") return "a message without a type";
  const check = Object.prototype.hasOwnProperty.call(CHECKS, message.type) ? CHECKS[message.type] : undefined;
  if (check === undefined) return \`a message of the unknown type '\${String(message.type).slice(0, 40)}'\`;
  return check(message) ? (message as ServerMessage) : \`a '\${message.type}' message with a field missing or of the wrong kind\`;
}`);
  return lines.join("\n") + "\n";
}

writeGenerated(root, "tools/generate_wire.mjs", { "src/server/wire.hpp": cpp(), "web/src/wire/wire.ts": ts() });
