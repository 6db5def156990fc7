// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <memory>

#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/paths.hpp"
#include "cli/report.hpp"

namespace volary::cli {

namespace {

std::string joined(const std::vector<int>& numbers) {
  std::string text;
  for (const int n : numbers) text += (text.empty() ? "" : ", ") + std::to_string(n);
  return text;
}

int show(bool json) {
  const Machine m = this_machine();
  Report report{"version", {}};
  report.add("version", std::string(VOLARY_VERSION));
  report.add("compiler", std::string("g++ " __VERSION__));
  report.add("home", home_folder());
  report.add("lanes", joined(m.lanes));
  report.add("lanes absent on this CPU", m.lanes_absent.empty() ? std::string("none") : joined(m.lanes_absent));
  if (json) {
    print_json(report);
  } else {
    fmt::print("volary {}\n", VOLARY_VERSION);
    report.rows.erase(report.rows.begin());
    report.add("cpu", m.cpu);
    report.add("cores", std::int64_t{m.cores});
    report.add("os", m.os);
    print_rows(report);
  }
  return kDone;
}

}  // namespace

void add_version(CLI::App& app, Action& action) {
  auto json = std::make_shared<bool>(false);
  CLI::App* c = app.add_subcommand("version", "Print the version, the compiler, and the lane widths that this machine supports.");
  c->add_flag("--json", *json, "print the report as one JSON object on stdout");
  c->footer("Examples:\n  volary version\n  volary version --json");
  c->callback([=, &action] { action = [=] { return show(*json); }; });
}

}  // namespace volary::cli
