// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// DataFlash, the binary log of ArduPilot (libraries/AP_Logger/LogStructure.h has its format characters): every message is a3 95, a type
// and a body, whose columns a message FMT gives. FMTU, UNIT and MULT name units. After damage the reader goes on at the next message of a known type.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "logs/log.hpp"
#include "logs/magic.hpp"

namespace volary::logs {

namespace {

using Bytes = std::span<const std::byte>;

constexpr std::byte kFirst{0xa3}, kSecond{0x95};
constexpr std::size_t kHeader = 3, kFmt = 128, kFmtLength = 89;
constexpr std::size_t kMostLines = 100'000;

// what a format character stands for
struct Cell {
  char letter;
  Type type;
  std::size_t count = 1;
  double scale = 1;
};
constexpr Cell kCells[] = {{'a', Type::Int16, 32},       {'b', Type::Int8},           {'B', Type::Uint8},           {'h', Type::Int16},
                           {'H', Type::Uint16},          {'i', Type::Int32},          {'I', Type::Uint32},          {'f', Type::Float},
                           {'d', Type::Double},          {'g', Type::Half},           {'n', Type::Text, 4},         {'N', Type::Text, 16},
                           {'Z', Type::Text, 64},        {'c', Type::Int16, 1, 0.01}, {'C', Type::Uint16, 1, 0.01}, {'e', Type::Int32, 1, 0.01},
                           {'E', Type::Uint32, 1, 0.01}, {'L', Type::Int32, 1, 1e-7}, {'M', Type::Uint8},           {'q', Type::Int64},
                           {'Q', Type::Uint64}};
const Cell* find_cell(char letter) {
  const auto* found = std::find_if(std::begin(kCells), std::end(kCells), [&](const Cell& c) { return c.letter == letter; });
  return found == std::end(kCells) ? nullptr : found;
}

// characters up to the first zero
std::string text_in(Bytes bytes) {
  const auto* at = reinterpret_cast<const char*>(bytes.data());
  return std::string(at, std::find(at, at + bytes.size(), '\0'));
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t to = std::min(text.find(',', from), text.size());
    parts.push_back(text.substr(from, to - from));
    from = to + 1;
  }
  return parts;
}

// where a message has its time, if it has one
struct Clock {
  const Column* column = nullptr;
  std::int64_t microseconds = 1;  // in one unit
};
Clock clock_of(const Table& t) {
  // the old GPS message has milliseconds of the week in TimeMS, and those of the autopilot in T
  if (const Column* c = t.find("T"); c != nullptr && t.name.starts_with("GPS")) return {c, 1000};
  if (const Column* c = t.find("TimeUS")) return {c, 1};
  if (const Column* c = t.find("TimeMS"); c != nullptr && !t.name.starts_with("GPS")) return {c, 1000};
  return {};
}

class DataflashReader {
 public:
  DataflashReader(Bytes bytes, const std::string& file) : bytes_(bytes) {
    log_.file = file;
    log_.format = "DataFlash";
    log_.bytes = bytes.size();
    formats_[kFmt].length = kFmtLength;
  }
  core::Result<Log> read();

 private:
  struct Format {
    std::size_t length = 0;  // with the header; 0: not known
    int table = -1;  // -1: its columns are not known
  };
  std::size_t next_message(std::size_t from) const;
  bool is_padding(std::size_t from) const;
  bool add_format(Bytes body);
  void add_row(Format& format, Bytes body);
  void name_units();
  void gather();
  std::string fault_at(std::size_t at) const;

  Bytes bytes_;
  Log log_;
  std::array<Format, 256> formats_{};
  std::int64_t now_us_ = 0;
  std::string expected_;
};

core::Result<Log> DataflashReader::read() {
  if (!starts_with(bytes_, kDataflashMagic)) return core::Error{.message = "byte 0: expected the first bytes of a DataFlash log, a3 95 80", .file = log_.file};
  for (std::size_t at = 0; at < bytes_.size();) {
    const std::size_t left = bytes_.size() - at;
    const bool has_header = left >= kHeader && bytes_[at] == kFirst && bytes_[at + 1] == kSecond;
    const auto type = has_header ? static_cast<std::size_t>(bytes_[at + 2]) : 0;
    const std::size_t length = has_header ? formats_[type].length : 0;
    expected_.clear();
    bool is_sound = length > 0 && length <= left;
    if (is_sound) {
      const Bytes body = bytes_.subspan(at + kHeader, length - kHeader);
      if (type == kFmt)
        is_sound = add_format(body);
      else if (formats_[type].table >= 0)
        add_row(formats_[type], body);
    }
    if (is_sound) {
      at += length;
      continue;
    }
    if (is_padding(at)) break;
    const std::size_t next = next_message(at + 1);
    log_.add_fault(at, expected_.empty() ? fault_at(at) : expected_, next - at);
    at = next;
  }
  name_units();
  gather();
  return std::move(log_);
}

std::string DataflashReader::fault_at(std::size_t at) const {
  const std::size_t left = bytes_.size() - at;
  if (left < kHeader) return fmt::format("the header of a message, {} bytes, and found the end after {}", kHeader, left);
  if (bytes_[at] != kFirst || bytes_[at + 1] != kSecond)
    return fmt::format("the start of a message, a3 95, and found {:02x} {:02x}", static_cast<unsigned>(bytes_[at]), static_cast<unsigned>(bytes_[at + 1]));
  const auto type = static_cast<std::size_t>(bytes_[at + 2]);
  if (formats_[type].length == 0) return fmt::format("a type of message that FMT has described, and found {}", type);
  return fmt::format("a message of {} bytes, and found the end after {}", formats_[type].length, left);
}

std::size_t DataflashReader::next_message(std::size_t from) const {
  for (std::size_t at = from; at + kHeader <= bytes_.size(); ++at)
    if (bytes_[at] == kFirst && bytes_[at + 1] == kSecond && formats_[static_cast<std::size_t>(bytes_[at + 2])].length > 0) return at;
  return bytes_.size();
}

// memory that was erased or never written, up to the end
bool DataflashReader::is_padding(std::size_t from) const {
  const std::byte fill = bytes_[from];
  return (fill == std::byte{0} || fill == std::byte{0xff}) &&
         std::all_of(bytes_.begin() + static_cast<std::ptrdiff_t>(from), bytes_.end(), [&](std::byte b) { return b == fill; });
}

bool DataflashReader::add_format(Bytes body) {
  const auto type = static_cast<std::size_t>(body[0]), length = static_cast<std::size_t>(body[1]);
  Table table{.name = text_in(body.subspan(2, 4))};
  const std::string letters = text_in(body.subspan(6, 16));
  const std::vector<std::string> names = split(text_in(body.subspan(22, 64)));
  if (type == kFmt) return true;  // it describes itself
  if (length < kHeader || table.name.empty()) return expected_ = fmt::format("a name and a length of at least {} in FMT of type {}", kHeader, type), false;
  for (std::size_t k = 0; k < letters.size(); ++k) {
    const Cell* cell = find_cell(letters[k]);
    if (cell == nullptr) return expected_ = fmt::format("format characters that are known in FMT of {}, and found '{}'", table.name, letters[k]), false;
    const std::string name = k < names.size() && !names[k].empty() ? names[k] : fmt::format("column{}", k + 1);
    table.columns.push_back({name, cell->type, table.row_bytes, cell->count, cell->scale});
    table.row_bytes += size_of(cell->type) * cell->count;
  }
  Format& format = formats_[type];
  if (format.table >= 0) return true;  // a log that was started again repeats them
  format.length = length;
  // some firmware gives a length that is too long: there is more in the message than its columns
  if (table.row_bytes + kHeader > length)
    return expected_ = fmt::format("a length of at least {} in FMT of {}, and found {}", table.row_bytes + kHeader, table.name, length), false;
  format.table = static_cast<int>(log_.tables.size());
  log_.tables.push_back(std::move(table));
  return true;
}

void DataflashReader::add_row(Format& format, Bytes body) {
  Table& table = log_.tables[static_cast<std::size_t>(format.table)];
  table.add(now_us_, body.first(table.row_bytes));
  const Clock clock = clock_of(table);
  if (clock.column == nullptr) return;
  const double time = table.number(table.rows() - 1, *clock.column);
  if (!(time >= 0 && time * static_cast<double>(clock.microseconds) <= static_cast<double>(kMostTime))) return;
  now_us_ = static_cast<std::int64_t>(time) * clock.microseconds;
  table.time_us.back() = now_us_;
}

// FMTU gives a letter for the unit of each column, UNIT the label of a letter
void DataflashReader::name_units() {
  std::map<char, std::string> labels;
  if (const Table* units = log_.find("UNIT"))
    for (std::size_t k = 0; k < units->rows(); ++k)
      if (const Column *id = units->find("Id"), *label = units->find("Label"); id != nullptr && label != nullptr)
        if (const double letter = units->number(k, *id); letter >= 0 && letter < 128) labels[static_cast<char>(letter)] = units->text(k, *label);
  const Table* uses = log_.find("FMTU");
  const Column *type = uses == nullptr ? nullptr : uses->find("FmtType"), *ids = uses == nullptr ? nullptr : uses->find("UnitIds");
  if (type == nullptr || ids == nullptr) return;
  for (std::size_t k = 0; k < uses->rows(); ++k) {
    const auto which = uses->number(k, *type);
    const int index = which >= 0 && which < 256 ? formats_[static_cast<std::size_t>(which)].table : -1;
    if (index < 0) continue;
    const std::string letters = uses->text(k, *ids);
    std::vector<Column>& columns = log_.tables[static_cast<std::size_t>(index)].columns;
    for (std::size_t c = 0; c < std::min(letters.size(), columns.size()); ++c)
      if (const auto found = labels.find(letters[c]); found != labels.end()) columns[c].unit = found->second;
  }
}

// parameters and texts are messages like any other
void DataflashReader::gather() {
  if (const Table* t = log_.find("PARM")) {
    const Column *name = t->find("Name"), *value = t->find("Value"), *standard = t->find("Default");
    std::map<std::string, std::size_t> known;
    for (std::size_t k = 0; name != nullptr && value != nullptr && k < t->rows(); ++k) {
      const double x = t->number(k, *value);
      const auto [it, is_new] = known.emplace(t->text(k, *name), log_.parameters.size());
      if (is_new)
        log_.parameters.push_back({.name = it->first, .value = x});
      else if (log_.parameters[it->second].value != x)
        ++log_.parameters[it->second].changes;
      if (standard != nullptr) log_.parameters[it->second].default_value = t->number(k, *standard);
    }
  }
  const Table* t = log_.find("MSG");
  const Column* text = t == nullptr ? nullptr : t->find("Message");
  for (std::size_t k = 0; text != nullptr && k < std::min(t->rows(), kMostLines); ++k) log_.lines.push_back({t->time_us[k], 6, t->text(k, *text)});
}

}  // namespace

core::Result<Log> read_dataflash(std::span<const std::byte> bytes, const std::string& file) { return DataflashReader(bytes, file).read(); }

}  // namespace volary::logs
