// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What commands report: a verdict where there is one to give, and rows of figures, printed as a table or as one JSON object
//   {"verdict", "reason", "command", "version", "machine": {...}, "rows": [{"name", "value", "unit", ...}]}
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cli/colour.hpp"

namespace volary::cli {

using Value = std::variant<double, std::int64_t, bool, std::string>;

struct Row {
  std::string name;  // a path, such as multirotor/control=rate/lanes=16
  Value value;
  std::string unit;
  std::vector<std::pair<std::string, Value>> extra = {};  // further fields of the JSON row
};

// the first line of a report
struct Verdict {
  std::string word;    // passed, failed, incomplete, mixed, no tasks
  std::string reason;  // "3 of 3 required tasks done", "alive (1 of 2 alive)"

  bool is_failure() const { return word == "failed"; }
  std::string line() const { return reason.empty() ? word : word + ": " + reason; }
};

struct Report {
  std::string command;
  std::vector<Row> rows;
  std::optional<Verdict> verdict = {};

  Row& add(std::string name, Value value, std::string unit = "", std::vector<std::pair<std::string, Value>> extra = {});
};

struct Machine {
  std::string cpu, os;
  int cores = 1;
  std::vector<int> lanes;         // that this CPU runs
  std::vector<int> lanes_absent;  // that this binary has and this CPU lacks
};
Machine this_machine();

// the one JSON object of a command, on stdout
void print_json(const Report& report);

// the verdict, then name, value, unit in aligned columns, on stdout
void print_rows(const Report& report);
void print_verdict(const Report& report);  // alone, before a table of another form

// columns of text, the first to the left, the others to the right unless `all_left`; each row in its colour where it has one
void print_table(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows, bool all_left = false,
                 const std::vector<Paint>& paints = {});

std::string text_of(const Value& value);
std::string hex64(std::uint64_t value);
std::string bytes_text(double bytes);  // "12.3 MB"

}  // namespace volary::cli
