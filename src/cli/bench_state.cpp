// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/bench_state.hpp"

#include "cli/bench_worlds.hpp"
#include "cli/yardstick.hpp"

namespace volary::cli {

core::Status bench_state(Report& report) {
  Yardstick yardstick;
  if (const std::string error = run_yardstick(true, yardstick); !error.empty()) return core::Error{.message = error};
  if (const core::Status s = bench_snapshots(report); !s) return s;
  if (const core::Status s = bench_worlds(report); !s) return s;
  if (const std::string error = run_yardstick(true, yardstick); !error.empty()) return core::Error{.message = error};
  for (const auto& [name, value] : yardstick) report.add("state/yardstick/" + name, value, "1/s");
  return core::ok();
}

}  // namespace volary::cli
