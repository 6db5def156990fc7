// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/yardstick.hpp"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/paths.hpp"

namespace volary::cli {

namespace {

// one JSON object in a line; lines that are none are not rows
void take_line(const std::string& line, Yardstick& best) {
  const auto row = nlohmann::json::parse(line, nullptr, false);
  if (!row.is_object() || !row.contains("name") || !row.contains("value") || !row["value"].is_number() || !row["name"].is_string()) return;
  double& value = best[row["name"].get<std::string>()];
  value = std::max(value, row["value"].get<double>());
}

std::string quoted(const std::string& path) {
  std::string out = "'";
  for (const char c : path) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace

std::string run_yardstick(bool quick, Yardstick& best) {
  const std::string program = program_folder() + "/quadrotor_limit_cpu";
  std::FILE* pipe = popen((quoted(program) + (quick ? " --quick" : "") + " 2>/dev/null").c_str(), "r");
  if (pipe == nullptr) return "cannot start " + program;
  std::string line;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) {
    if (c != '\n') {
      line += static_cast<char>(c);
      continue;
    }
    take_line(line, best);
    line.clear();
  }
  return pclose(pipe) == 0 ? "" : program + " failed: ratios are left out";
}

}  // namespace volary::cli
