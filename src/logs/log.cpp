// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "logs/log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "logs/magic.hpp"

namespace volary::logs {

namespace {

template <class T> double as(const std::byte* at) {
  T x;
  std::memcpy(&x, at, sizeof x);
  return static_cast<double>(x);
}

// IEEE 754 binary16
double half(const std::byte* at) {
  std::uint16_t bits;
  std::memcpy(&bits, at, sizeof bits);
  const int exponent = (bits >> 10) & 31, fraction = bits & 1023;
  double value = exponent == 0 ? fraction * 0x1p-24 : (1024 + fraction) * 0x1p-25;
  for (int k = 0; k < exponent && exponent < 31; ++k) value *= 2;
  if (exponent == 31) value = fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  return (bits & 0x8000) != 0 ? -value : value;
}

}  // namespace

std::size_t size_of(Type type) {
  switch (type) {
    case Type::Int16:
    case Type::Uint16:
    case Type::Half: return 2;
    case Type::Int32:
    case Type::Uint32:
    case Type::Float: return 4;
    case Type::Int64:
    case Type::Uint64:
    case Type::Double: return 8;
    default: return 1;
  }
}

const char* name_of(Type type) {
  constexpr const char* kNames[] = {"int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "half", "float", "double", "bool", "text"};
  return kNames[static_cast<std::size_t>(type)];
}

const Column* Table::find(std::string_view column) const {
  const auto found = std::find_if(columns.begin(), columns.end(), [&](const Column& c) { return c.name == column; });
  return found == columns.end() ? nullptr : &*found;
}

double Table::number(std::size_t row, const Column& c, std::size_t element) const {
  if (element >= c.count || row >= rows()) return std::numeric_limits<double>::quiet_NaN();
  const std::byte* at = bytes.data() + row * row_bytes + c.offset + element * size_of(c.type);
  const auto raw = [&] {
    switch (c.type) {
      case Type::Int8: return as<std::int8_t>(at);
      case Type::Uint8:
      case Type::Bool:
      case Type::Text: return as<std::uint8_t>(at);
      case Type::Int16: return as<std::int16_t>(at);
      case Type::Uint16: return as<std::uint16_t>(at);
      case Type::Int32: return as<std::int32_t>(at);
      case Type::Uint32: return as<std::uint32_t>(at);
      case Type::Int64: return as<std::int64_t>(at);
      case Type::Uint64: return as<std::uint64_t>(at);
      case Type::Half: return half(at);
      case Type::Float: return as<float>(at);
      case Type::Double: return as<double>(at);
    }
    return 0.0;
  };
  return c.scale == 1 ? raw() : raw() * c.scale;
}

std::string Table::text(std::size_t row, const Column& c) const {
  if (c.type != Type::Text || row >= rows()) return {};
  const auto* at = reinterpret_cast<const char*>(bytes.data() + row * row_bytes + c.offset);
  return std::string(at, std::find(at, at + c.count, '\0'));
}

void Table::add(std::int64_t time, std::span<const std::byte> row) {
  time_us.push_back(time);
  bytes.insert(bytes.end(), row.begin(), row.end());
}

const Table* Log::find(std::string_view table, unsigned instance) const {
  const auto found = std::find_if(tables.begin(), tables.end(), [&](const Table& t) { return t.name == table && t.instance == instance; });
  return found == tables.end() ? nullptr : &*found;
}

void Log::add_fault(std::uint64_t offset, std::string expected, std::uint64_t skipped_bytes) {
  ++fault_count;
  skipped += skipped_bytes;
  if (faults.size() < kMostFaults) faults.push_back({offset, std::move(expected), skipped_bytes});
}

std::optional<std::pair<std::int64_t, std::int64_t>> Log::span_us() const {
  // some messages have times of another clock: what lies a month from the others does not count
  constexpr std::int64_t kMonth = std::int64_t{30} * 86'400 * 1'000'000;
  std::vector<std::int64_t> firsts;
  for (const Table& t : tables)
    if (t.rows() > 0) firsts.push_back(t.time_us.front());
  if (firsts.empty()) return std::nullopt;
  std::nth_element(firsts.begin(), firsts.begin() + static_cast<std::ptrdiff_t>(firsts.size() / 2), firsts.end());
  const std::int64_t usual = firsts[firsts.size() / 2];
  std::pair<std::int64_t, std::int64_t> span{usual, usual};
  for (const Table& t : tables)
    for (const std::int64_t time : t.time_us)
      if (time > usual - kMonth && time < usual + kMonth) span = {std::min(span.first, time), std::max(span.second, time)};
  return span;
}

std::vector<std::string> Log::warnings() const {
  std::vector<std::string> list;
  for (const Fault& f : faults) list.push_back(fmt::format("{}: byte {}: expected {}; {} bytes are skipped", file, f.offset, f.expected, f.skipped));
  if (fault_count > faults.size()) list.push_back(fmt::format("{}: {} more faults like these", file, fault_count - faults.size()));
  if (fault_count == 0) return list;
  const auto span = span_us();
  list.push_back(fmt::format("{}: {} of {} bytes were read ({:.2f} %), which are {:.1f} s", file, bytes - skipped, bytes,
                             100.0 * static_cast<double>(bytes - skipped) / static_cast<double>(bytes),
                             span ? static_cast<double>(span->second - span->first) * 1e-6 : 0.0));
  return list;
}

core::Result<Log> read_log(std::span<const std::byte> bytes, const std::string& file) {
  if (starts_with(bytes, kUlogMagic)) return read_ulog(bytes, file);
  if (starts_with(bytes, kDataflashMagic)) return read_dataflash(bytes, file);
  const bool is_text = starts_with(bytes, "FMT,");
  return core::Error{.message = "byte 0: expected a ULog file (55 4c 6f 67 01 12 35) or a DataFlash file (a3 95 80)",
                     .file = file,
                     .suggestion = is_text ? "this is a DataFlash log as text: use the .bin file of the same flight" : ""};
}

}  // namespace volary::logs
