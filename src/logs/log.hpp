// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The log of an autopilot as tables: bytes in, tables out, no file and no clock. ulog.cpp reads ULog of PX4, dataflash.cpp reads DataFlash of ArduPilot.
// Damage does not end a log: what is sound is kept, and `faults` says at which byte what was expected and how much was skipped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace volary::logs {

enum class Type : std::uint8_t { Int8, Uint8, Int16, Uint16, Int32, Uint32, Int64, Uint64, Half, Float, Double, Bool, Text };
std::size_t size_of(Type type);  // bytes of one number or character
const char* name_of(Type type);

// A clock that shows more than 71 years since the start is damaged: such a message gets the time of the one before.
inline constexpr std::int64_t kMostTime = std::int64_t{1} << 51;  // us
inline bool is_time(std::int64_t us) { return us >= 0 && us <= kMostTime; }

// one field of the messages of a table
struct Column {
  std::string name;        // "x", "esc[0].esc_rpm"
  Type type = Type::Float;
  std::size_t offset = 0;  // bytes from the start of a row
  std::size_t count = 1;   // numbers of an array, characters of a text
  double scale = 1;        // a number in the file times this is the value
  std::string unit = {};   // as the log names it; empty: it does not
};

// All messages of one name and instance, in the order of the file.
struct Table {
  std::string name;
  unsigned instance = 0;
  std::vector<Column> columns = {};
  std::size_t row_bytes = 0;
  std::vector<std::int64_t> time_us = {};  // of each row, by the clock of the autopilot
  std::vector<std::byte> bytes = {};

  std::size_t rows() const { return time_us.size(); }
  const Column* find(std::string_view column) const;
  double number(std::size_t row, const Column& column, std::size_t element = 0) const;
  std::string text(std::size_t row, const Column& column) const;
  void add(std::int64_t time, std::span<const std::byte> row);  // of row_bytes
};

struct Parameter {
  std::string name;
  double value = 0;                        // the first one that the log has
  bool is_integer = false;
  std::optional<double> default_value = {};
  std::size_t changes = 0;                 // later values that differ
};
// text that the autopilot logged
struct Line {
  std::int64_t time_us = 0;
  int level = 6;  // as syslog has them: 0 emergency ... 7 debug
  std::string text;
};
struct Dropout {
  std::int64_t time_us = 0;  // of the last message before
  double seconds = 0;
};
struct Fault {
  std::uint64_t offset = 0;   // byte of the file
  std::string expected;       // what should have been there, and what was
  std::uint64_t skipped = 0;  // bytes to the next sound message, or to the end
};

struct Log {
  std::string file;                         // as errors name it
  std::string format;                       // "ULog 1", "DataFlash"
  std::uint64_t bytes = 0;                  // of the file
  std::map<std::string, std::string> info = {};
  std::vector<Table> tables = {};
  std::vector<Parameter> parameters = {};
  std::vector<Line> lines = {};
  std::vector<Dropout> dropouts = {};
  std::vector<Fault> faults = {};           // the first kMostFaults
  std::uint64_t fault_count = 0, skipped = 0;  // all of them, and their bytes

  static constexpr std::size_t kMostFaults = 20;
  const Table* find(std::string_view table, unsigned instance = 0) const;
  void add_fault(std::uint64_t offset, std::string expected, std::uint64_t skipped_bytes);
  // first and last time of all tables; nothing when no table has a row
  std::optional<std::pair<std::int64_t, std::int64_t>> span_us() const;
  // one line for people for each fault, with the file and how much was read; empty: the log is sound
  std::vector<std::string> warnings() const;
};

core::Result<Log> read_ulog(std::span<const std::byte> bytes, const std::string& file);
core::Result<Log> read_dataflash(std::span<const std::byte> bytes, const std::string& file);
// either of them, by the first bytes
core::Result<Log> read_log(std::span<const std::byte> bytes, const std::string& file);

}  // namespace volary::logs
