// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// ULog, version 1 (docs.px4.io, "ULog File Format"): a header of 16 bytes, then messages of a 16-bit length, a type and a body. After damage the reader goes on
// behind the next sync message.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/bytes.hpp"
#include "logs/log.hpp"
#include "logs/magic.hpp"
#include "logs/ulog_format.hpp"

namespace volary::logs {

namespace {

using Bytes = std::span<const std::byte>;

constexpr std::size_t kHeader = 16, kMessageHeader = 3;
constexpr std::string_view kTypes = "BFIMPQARDLCSO";
constexpr std::size_t kMostTables = 4096, kMostLines = 100'000, kMostDropouts = 1'000'000;

std::string_view text_of(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

class UlogReader {
 public:
  UlogReader(Bytes bytes, const std::string& file) : bytes_(bytes) {
    log_.file = file;
    log_.bytes = bytes.size();
  }
  core::Result<Log> read();

 private:
  void read_part(std::size_t begin, std::size_t end, bool may_be_cut);
  bool is_header(std::size_t at, std::size_t end) const;
  std::size_t after_sync(std::size_t from, std::size_t end) const;
  bool read_message(char type, Bytes body);  // false: not what its type says; `expected_` tells
  core::Status read_flags(Bytes body);
  bool read_key_value(Bytes body, bool is_parameter, bool is_default);
  void keep_parameter(const UlogField& key, double value, bool is_default);
  bool subscribe(core::ByteReader in);
  bool read_data(Bytes body);
  bool read_line(core::ByteReader in, bool is_tagged);
  bool fail(std::string expected) { return expected_ = std::move(expected), false; }

  struct TimeColumn {
    std::size_t offset = 0;
    bool is_there = false;
  };
  Bytes bytes_;
  Log log_;
  UlogFormats formats_;
  std::map<std::uint16_t, std::size_t> tables_;  // by the number that data messages have
  std::vector<TimeColumn> time_columns_;  // by table
  std::map<std::string, std::size_t> parameters_;
  std::vector<std::size_t> appended_;  // offsets
  std::int64_t now_us_ = 0;
  std::string expected_;
};

core::Result<Log> UlogReader::read() {
  if (bytes_.size() < kHeader)
    return core::Error{.message = fmt::format("byte 0: expected the header of a ULog file, {} bytes, and found {}", kHeader, bytes_.size()), .file = log_.file};
  if (!starts_with(bytes_, kUlogMagic))
    return core::Error{.message = "byte 0: expected the first bytes of a ULog file, 55 4c 6f 67 01 12 35", .file = log_.file};
  const auto version = static_cast<unsigned>(bytes_[7]);
  if (version > 1) return core::Error{.message = fmt::format("byte 7: expected version 0 or 1 of ULog, and found {}", version), .file = log_.file};
  log_.format = fmt::format("ULog {}", version);
  if (const auto start = core::ByteReader(bytes_.subspan(8)).get<std::int64_t>(); is_time(start)) now_us_ = start;

  // the flags come first, because they say where data was appended; what was being written there is cut off
  const bool has_flags = bytes_.size() >= kHeader + kMessageHeader && bytes_[kHeader + 2] == std::byte{'B'};
  const std::size_t flag_bytes = has_flags ? core::ByteReader(bytes_.subspan(kHeader)).get<std::uint16_t>() : 0;
  if (has_flags && kHeader + kMessageHeader + flag_bytes <= bytes_.size())
    if (const core::Status s = read_flags(bytes_.subspan(kHeader + kMessageHeader, flag_bytes)); !s) return s.error();
  std::size_t begin = kHeader;
  for (const std::size_t offset : appended_) read_part(std::exchange(begin, offset), offset, true);
  read_part(begin, bytes_.size(), false);
  return std::move(log_);
}

// Bits that a reader may not know are an error, as the format says. Offsets that cannot be are left out, with a fault.
core::Status UlogReader::read_flags(Bytes body) {
  core::ByteReader in(body);
  in.get_bytes(8);  // compatible ones: default parameters
  const Bytes incompatible = in.get_bytes(8);
  for (std::size_t k = 0; in.good() && k < 8; ++k)
    if ((incompatible[k] & ~(k == 0 ? std::byte{1} : std::byte{0})) != std::byte{0})
      return core::Error{.message = fmt::format("byte {}: expected no incompatible flags but appended data, and found {:#04x}",
                                                kHeader + kMessageHeader + 8 + k, static_cast<unsigned>(incompatible[k])),
                         .file = log_.file};
  const bool is_appended = in.good() && (incompatible[0] & std::byte{1}) != std::byte{0};
  for (int k = 0; k < 3 && is_appended; ++k) {
    const auto offset = in.get<std::uint64_t>();
    if (!in.good() || offset == 0) break;
    if (offset <= (appended_.empty() ? kHeader : appended_.back()) || offset > bytes_.size())
      log_.add_fault(kHeader + kMessageHeader + 16 + 8 * static_cast<std::size_t>(k),
                     fmt::format("an offset of appended data inside the file, and found {}", offset), 0);
    else
      appended_.push_back(static_cast<std::size_t>(offset));
  }
  return core::ok();
}

// a message of a known type that ends inside
bool UlogReader::is_header(std::size_t at, std::size_t end) const {
  if (end - at < kMessageHeader) return false;
  const auto size = core::ByteReader(bytes_.subspan(at)).get<std::uint16_t>();
  return kTypes.find(static_cast<char>(bytes_[at + 2])) != std::string_view::npos && kMessageHeader + size <= end - at;
}

std::size_t UlogReader::after_sync(std::size_t from, std::size_t end) const {
  static constexpr std::string_view kMessage{"\x08\x00S", 3};
  const std::string message = std::string(kMessage) + std::string(kUlogSync);
  const std::string_view all = text_of(bytes_.first(end));
  const std::size_t found = all.find(message, from);
  return found == std::string_view::npos ? end : found + message.size();
}

void UlogReader::read_part(std::size_t at, std::size_t end, bool may_be_cut) {
  while (at < end) {
    core::ByteReader in(bytes_.subspan(at, end - at));
    const auto size = in.get<std::uint16_t>();
    const auto type = in.get<char>();
    const std::size_t left = end - at;
    expected_.clear();
    const bool has_header = left >= kMessageHeader, is_whole = has_header && kMessageHeader + size <= left;
    if (is_whole && read_message(type, bytes_.subspan(at + kMessageHeader, size))) {
      at += kMessageHeader + size;
      continue;
    }
    if (!has_header)
      fail(fmt::format("the header of a message, {} bytes, and found the end after {}", kMessageHeader, left));
    else if (!is_whole)
      fail(fmt::format("a message of {} bytes, and found the end after {}", kMessageHeader + size, left));
    // a body that is not what its type says, between two messages that are whole, is lost alone
    const std::size_t after = at + kMessageHeader + size;
    const std::size_t next = is_whole && (after == end || is_header(after, end)) ? after : after_sync(at, end);
    if (next < end || !may_be_cut || is_whole) log_.add_fault(at, expected_, next - at);
    at = next;
  }
}

bool UlogReader::read_message(char type, Bytes body) {
  core::ByteReader in(body);
  switch (type) {
    case 'D': return read_data(body);
    case 'F': {
      const core::Status added = formats_.add(text_of(body));
      return added ? true : fail(added.error().message);
    }
    case 'I': return read_key_value(body, false, false);
    case 'P': return read_key_value(body, true, false);
    case 'Q': return body.empty() ? fail("a default value of a parameter") : read_key_value(body.subspan(1), true, true);
    case 'M': return body.empty() ? fail("an information with several parts") : read_key_value(body.subspan(1), false, false);
    case 'A': return subscribe(in);
    case 'R': return body.size() >= 2 ? (tables_.erase(in.get<std::uint16_t>()), true) : fail("the number of a message that is no longer logged");
    case 'L': return read_line(in, false);
    case 'C': return read_line(in, true);
    case 'O':
      if (body.size() < 2) return fail("the length of a dropout");
      if (log_.dropouts.size() < kMostDropouts) log_.dropouts.push_back({now_us_, in.get<std::uint16_t>() * 1e-3});
      return true;
    case 'S': return text_of(body) == kUlogSync ? true : fail("the bytes of a sync message");
    case 'B': return true;
    default: break;
  }
  // a later version may have more types, each of them a letter; anything else is damage
  const bool is_letter = (type >= 'A' && type <= 'Z') || (type >= 'a' && type <= 'z');
  return is_letter ? true : fail(fmt::format("a type of message, a letter, and found {:#04x}", static_cast<unsigned>(static_cast<unsigned char>(type))));
}

bool UlogReader::read_key_value(Bytes body, bool is_parameter, bool is_default) {
  core::ByteReader in(body);
  const auto length = in.get<std::uint8_t>();
  const auto key = parse_ulog_field(text_of(in.get_bytes(length)));
  const auto type = key ? basic_type(key->type) : std::nullopt;
  if (!in.good() || !type || in.left() < size_of(*type) * (key->count > 0))
    return fail(is_parameter ? "a parameter, 'type name' and its value" : "an information, 'type name' and its value");
  const Bytes value = in.get_bytes(in.left());
  if (value.empty()) return true;
  if (*type == Type::Text) {
    std::string& text = log_.info[key->name];
    if (text.size() < (1u << 20)) text += std::string(text_of(value)).c_str();
    return is_parameter ? fail("a parameter that is a number") : true;
  }
  Table one{.name = {}, .columns = {{key->name, *type, 0}}, .row_bytes = size_of(*type)};
  one.add(0, value.first(size_of(*type)));
  const double number = one.number(0, one.columns[0]);
  if (is_parameter)
    keep_parameter(*key, number, is_default);
  else
    log_.info[key->name] = fmt::format("{}", number);
  return true;
}

void UlogReader::keep_parameter(const UlogField& key, double value, bool is_default) {
  const auto [it, is_new] = parameters_.emplace(key.name, log_.parameters.size());
  if (is_new) log_.parameters.push_back({.name = key.name, .value = value, .is_integer = key.type != "float"});
  Parameter& p = log_.parameters[it->second];
  if (is_default)
    p.default_value = value;
  else if (!is_new && p.value != value)
    ++p.changes;
}

bool UlogReader::subscribe(core::ByteReader in) {
  const auto instance = in.get<std::uint8_t>();
  const auto number = in.get<std::uint16_t>();
  if (!in.good() || in.left() == 0) return fail("a subscription: instance, number and name of a message");
  const std::string name(text_of(in.get_bytes(in.left())));
  for (std::size_t k = 0; k < log_.tables.size(); ++k)
    if (log_.tables[k].name == name && log_.tables[k].instance == instance) return tables_[number] = k, true;
  if (log_.tables.size() >= kMostTables) return fail(fmt::format("at most {} messages with a name", kMostTables));
  core::Result<Table> table = formats_.table_of(name);
  if (!table) return fail(table.error().message);
  table.value().instance = instance;
  const Column* time = table.value().find("timestamp");
  const bool has_time = time != nullptr && time->type == Type::Uint64;
  time_columns_.push_back({has_time ? time->offset : 0, has_time});
  tables_[number] = log_.tables.size();
  log_.tables.push_back(std::move(table).value());
  return true;
}

bool UlogReader::read_data(Bytes body) {
  core::ByteReader in(body);
  const auto number = in.get<std::uint16_t>();
  const auto found = tables_.find(number);
  if (!in.good() || found == tables_.end()) return fail(fmt::format("data of a message that was subscribed, and found number {}", number));
  Table& table = log_.tables[found->second];
  if (in.left() < table.row_bytes) return fail(fmt::format("{} bytes of {}, and found {}", table.row_bytes, table.name, in.left()));
  const Bytes row = body.subspan(2, table.row_bytes);
  if (const TimeColumn& time = time_columns_[found->second]; time.is_there)
    if (const auto now = core::ByteReader(row.subspan(time.offset)).get<std::int64_t>(); is_time(now)) now_us_ = now;
  table.add(now_us_, row);
  return true;
}

bool UlogReader::read_line(core::ByteReader in, bool is_tagged) {
  const auto level = in.get<std::uint8_t>();
  if (is_tagged) in.get<std::uint16_t>();
  const auto time = in.get<std::int64_t>();
  if (!in.good()) return fail("a logged text: level, time and characters");
  const std::string_view text = text_of(in.get_bytes(in.left()));
  if (log_.lines.size() < kMostLines) log_.lines.push_back({is_time(time) ? time : now_us_, level >= '0' && level <= '7' ? level - '0' : 6, std::string(text)});
  return true;
}

}  // namespace

core::Result<Log> read_ulog(std::span<const std::byte> bytes, const std::string& file) { return UlogReader(bytes, file).read(); }

}  // namespace volary::logs
