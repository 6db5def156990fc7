// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// schema/mavlink.json -> src/autopilot/mavlink/messages.hpp: fields in wire order, lengths and checksum seeds of the messages.
//   node tools/generate_mavlink.mjs            writes it
//   node tools/generate_mavlink.mjs --check    fails when it is stale
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { writeGenerated } from "./write_generated.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const schema = JSON.parse(readFileSync(join(root, "schema/mavlink.json"), "utf8"));

const cppTypes = {
  char: "char", uint8_t: "std::uint8_t", int8_t: "std::int8_t", uint16_t: "std::uint16_t", int16_t: "std::int16_t", uint32_t: "std::uint32_t",
  int32_t: "std::int32_t", uint64_t: "std::uint64_t", int64_t: "std::int64_t", float: "float", double: "double",
};
const sizes = { char: 1, uint8_t: 1, int8_t: 1, uint16_t: 2, int16_t: 2, uint32_t: 4, int32_t: 4, uint64_t: 8, int64_t: 8, float: 4, double: 8 };
const enumBits = { uint8: 8, uint16: 16, uint32: 32, uint64: 64 };
const mostPayload = 255;

// the words that a field or an enumerator may not be
const keywords = new Set(
  ("alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl concept const consteval constexpr constinit continue " +
    "co_await co_return co_yield decltype default delete do double dynamic_cast else enum explicit export extern false float for friend goto if " +
    "inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast requires " +
    "return short signed sizeof static static_assert static_cast struct switch template this thread_local throw true try typedef typeid typename " +
    "union unsigned using virtual void volatile wchar_t while xor xor_eq").split(" "),
);

const fail = (where, what) => {
  throw new Error(`schema/mavlink.json: ${where}: ${what}`);
};
const safe = (name) => (keywords.has(name) ? `${name}_` : name);
const pascal = (name) => name.split("_").filter(Boolean).map((word) => word[0].toUpperCase() + word.slice(1).toLowerCase()).join("");

// ---------------------------------------------------------------- layout and checksum seed

// CRC-16/MCRF4XX of the bytes of a text and of single bytes
function checksum(parts) {
  let crc = 0xffff;
  for (const part of parts)
    for (const byte of typeof part === "number" ? [part] : Buffer.from(part, "ascii")) {
      crc ^= byte;
      for (let bit = 0; bit < 8; ++bit) crc = crc & 1 ? (crc >>> 1) ^ 0x8408 : crc >>> 1;
    }
  return crc;
}

// of the base fields only, in wire order: an extension does not change it
function crcExtra(name, fields) {
  const crc = checksum([`${name} `, ...fields.flatMap((field) => [`${field.type} ${field.name} `, ...(field.count ? [field.count] : [])])]);
  return (crc & 0xff) ^ (crc >>> 8);
}

function prepareField(message, field) {
  const version = field.type === "uint8_t_mavlink_version";
  const type = version ? "uint8_t" : field.type;
  if (sizes[type] === undefined) fail(message.name, `'${field.name}' has the unknown type '${field.type}'`);
  if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(field.name)) fail(message.name, `'${field.name}' is not the name of a field`);
  const count = field.count ?? 1;
  if (!Number.isInteger(count) || count < 1 || count > mostPayload) fail(message.name, `'${field.name}' has a wrong count`);
  return { ...field, type, version, member: safe(field.name), bytes: sizes[type] * count };
}

// base fields by element size, largest first, otherwise in their order; extensions follow unsorted
function prepareMessage(message) {
  if (!/^[A-Z][A-Z0-9_]*$/.test(message.name)) fail(message.name, "is not the name of a message");
  const base = message.fields.map((field) => prepareField(message, field)).sort((a, b) => sizes[b.type] - sizes[a.type]);
  const extensions = (message.extensions ?? []).map((field) => ({ ...prepareField(message, field), extension: true }));
  let offset = 0;
  const fields = [...base, ...extensions].map((field) => {
    const placed = { ...field, offset };
    offset += field.bytes;
    return placed;
  });
  if (new Set(fields.map((field) => field.name)).size !== fields.length) fail(message.name, "two fields have one name");
  if (offset > mostPayload) fail(message.name, `${offset} bytes are more than ${mostPayload}`);
  const at = (name) => fields.find((field) => field.name === name && field.bytes === 1)?.offset ?? -1;
  return {
    ...message, struct: pascal(message.name), fields, crcExtra: crcExtra(message.name, base), baseLength: base.reduce((sum, field) => sum + field.bytes, 0),
    fullLength: offset, targetSystemAt: at("target_system"), targetComponentAt: at("target_component"),
  };
}

// an enumerator that would begin with a digit takes the `lead` of its enum
function prepareEnum(type) {
  const bits = enumBits[type.type];
  if (bits === undefined) fail(type.name, `has the unknown type '${type.type}'`);
  const entries = Object.entries(type.entries).map(([name, value]) => {
    if (!Number.isSafeInteger(value) || value < 0 || value >= 2 ** bits) fail(type.name, `${name} does not fit into ${bits} bits`);
    let word = pascal(name);
    if (/^[0-9]/.test(word)) word = (type.lead ?? fail(type.name, `${name} begins with a digit and the enum has no lead`)) + word;
    return { name: safe(word), value };
  });
  if (new Set(entries.map((entry) => entry.name)).size !== entries.length) fail(type.name, "two entries have one name");
  return { ...type, entries };
}

const messages = schema.messages.map(prepareMessage).sort((a, b) => a.id - b.id);
const enums = schema.enums.map(prepareEnum);
const taken = [...messages.map((message) => message.struct), ...enums.map((type) => type.as)];
taken.forEach((name, k) => taken.indexOf(name) === k || fail(name, "is the C++ name of two things"));
messages.forEach((message, k) => k === 0 || message.id !== messages[k - 1].id || fail(message.name, `has the id ${message.id} of ${messages[k - 1].name}`));

// ---------------------------------------------------------------- C++

function cppEnum(type, add) {
  const hex = (value) => `0x${BigInt(value).toString(16)}`;
  add();
  add(`// ${type.name}: ${type.doc}`);
  add(`enum class ${type.as} : std::${type.type}_t {`);
  for (const entry of type.entries) add(`  ${entry.name} = ${type.bits ? hex(entry.value) : entry.value},`);
  add("};");
  if (!type.bits) return;
  add(`constexpr ${type.as} operator|(${type.as} a, ${type.as} b) { return static_cast<${type.as}>(number_of(a) | number_of(b)); }`);
}

function cppField(field) {
  const type = cppTypes[field.type];
  const start = field.version ? " = 3" : field.count ? "{}" : " = 0";
  const unitAndDoc = [field.unit, field.doc].filter(Boolean).join(": ");
  const words = [field.extension ? "extension" : "", unitAndDoc].filter(Boolean).join("; ");
  return `  ${field.count ? `std::array<${type}, ${field.count}>` : type} ${field.member}${start};${words ? `  // ${words}` : ""}`;
}

function cppMessage(message, add) {
  add();
  add(`// ${message.doc}`);
  add(`struct ${message.struct} {`);
  add(`  static constexpr std::uint32_t kId = ${message.id};`);
  add(`  static constexpr std::uint8_t kCrcExtra = ${message.crcExtra};`);
  add(`  static constexpr std::size_t kBaseLength = ${message.baseLength}, kFullLength = ${message.fullLength};`);
  add(`  static constexpr const char* kName = "${message.name}";`);
  add();
  for (const field of message.fields) add(cppField(field));
  add();
  add("  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {");
  for (const field of message.fields) add(`    f(s.${field.member});`);
  add("  }");
  add("  bool operator==(const " + message.struct + "&) const = default;");
  add("};");
}

function cppTable(add) {
  add();
  add("// ---------------------------------------------------------------- the table");
  add();
  add("struct MessageInfo {");
  add("  std::uint32_t id;");
  add("  const char* name;");
  add("  std::uint8_t crc_extra;");
  add("  std::uint8_t base_length, full_length;              // bytes, without and with extensions");
  add("  std::int16_t target_system_at, target_component_at;  // offset in the payload of the fields of these names, -1: none");
  add("};");
  add();
  add("inline constexpr MessageInfo kMessages[] = {  // by id");
  for (const m of messages) add(`    {${m.id}, "${m.name}", ${m.crcExtra}, ${m.baseLength}, ${m.fullLength}, ${m.targetSystemAt}, ${m.targetComponentAt}},`);
  add("};");
  add();
  add("constexpr const MessageInfo* find_message(std::uint32_t id) {");
  add("  std::size_t low = 0, high = std::size(kMessages);");
  add("  while (low < high) {");
  add("    const std::size_t middle = (low + high) / 2;");
  add("    if (kMessages[middle].id < id) low = middle + 1;");
  add("    else high = middle;");
  add("  }");
  add("  return low < std::size(kMessages) && kMessages[low].id == id ? &kMessages[low] : nullptr;");
  add("}");
  add();
  add("// f.template operator()<M>() for every message M");
  add("template <class F> constexpr void each_message(F&& f) {");
  for (const m of messages) add(`  f.template operator()<${m.struct}>();`);
  add("}");
}

function cpp() {
  const lines = [];
  const add = (text = "") => lines.push(text);
  add("// SPDX-FileCopyrightText: 2026 Volary contributors");
  add("// SPDX-License-Identifier: Apache-2.0");
  add("//");
  add("// generated from schema/mavlink.json, do not edit");
  add("// clang-format off");
  add("#pragma once");
  add();
  add("#include <array>");
  add("#include <cstddef>");
  add("#include <cstdint>");
  add("#include <iterator>");
  add("#include <type_traits>");
  add();
  add("namespace volary::mavlink {");
  add();
  add("// ---------------------------------------------------------------- enums");
  add();
  add("// the number of an enumerator, as fields of messages hold it");
  add("template <class E> constexpr std::underlying_type_t<E> number_of(E e) { return static_cast<std::underlying_type_t<E>>(e); }");
  for (const type of enums) cppEnum(type, add);
  add();
  add("// ---------------------------------------------------------------- messages, members in wire order");
  for (const message of messages) cppMessage(message, add);
  cppTable(add);
  add();
  add("}  // namespace volary::mavlink");
  return lines.join("\n") + "\n";
}

writeGenerated(root, "tools/generate_mavlink.mjs", { "src/autopilot/mavlink/messages.hpp": cpp() });
