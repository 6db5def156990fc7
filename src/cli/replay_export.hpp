// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// volary replay RUN --export KIND OUT: a recording for other programs.
#pragma once

#include <string>
#include <vector>

#include "replay/recording.hpp"
#include "scenario/files.hpp"

namespace CLI {
class App;
}

namespace volary::cli {

struct ExportCommand {
  std::vector<std::string> to;  // kind and path; empty: no export
  double rate = 0;
  bool view = false;
  std::vector<std::string> columns, tables;
};

// --export KIND OUT, --rate, --columns, --tables, --view
void add_export_options(CLI::App& command, ExportCommand& options);

struct ExportRun {
  scenario::MayRun may_run;
  int threads = 1;
  bool json = false, quiet = false;
};
// what is wrong with the options by themselves; empty: nothing
std::string why_not(const ExportCommand& options);
int export_run(const replay::Recording& recording, const ExportCommand& options, const ExportRun& run);

}  // namespace volary::cli
