// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Published data for tests: a folder named by the environment variable VOLARY_VALIDATION_DATA, and its CSV files as columns.
#pragma once

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace volary::test_data {

inline constexpr const char* kNone = "VOLARY_VALIDATION_DATA does not name the folder of published data";

// empty when there is none
inline std::string folder() {
  const char* folder = std::getenv("VOLARY_VALIDATION_DATA");
  return folder != nullptr ? folder : "";
}

struct Columns {
  std::map<std::string, std::vector<double>> by_name;
  std::size_t rows() const { return by_name.empty() ? 0 : by_name.begin()->second.size(); }
  double at(const std::string& name, std::size_t row) const { return by_name.at(name).at(row); }
  bool has(const std::string& name) const { return by_name.contains(name); }
};

inline Columns read_columns(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error("cannot read " + path);
  std::string line, cell;
  std::getline(in, line);
  std::vector<std::string> names;
  for (std::istringstream head(line); std::getline(head, cell, ',');) names.push_back(cell.substr(0, cell.find('\r')));
  Columns c;
  while (std::getline(in, line)) {
    std::istringstream row(line);
    for (std::size_t k = 0; k < names.size() && std::getline(row, cell, ','); ++k) c.by_name[names[k]].push_back(std::stod(cell));
  }
  return c;
}

// rows of numbers between blanks; lines that begin with # are remarks
inline std::vector<std::vector<double>> read_numbers(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error("cannot read " + path);
  std::vector<std::vector<double>> rows;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream row(line);
    rows.emplace_back();
    for (double x; row >> x;) rows.back().push_back(x);
  }
  return rows;
}

}  // namespace volary::test_data
