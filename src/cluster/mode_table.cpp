// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/mode_run.hpp"

#include "cluster/network.hpp"

namespace volary::cluster {

ModeRow row_of(const Mode& mode, bool both_legs, const ModeTableOptions& options) {
  ModeRow row{.mode = mode.name, .both_legs = both_legs};
  const double period = 1 / options.rate;
  // with triggers that are lost, updates of a node without a clock are no longer periodic: the floor is that of perfect triggers
  row.floor = age_floor(period, options.leg, mode.copies, static_cast<double>(kApart) * 1e-9);
  row.equation_a = age_without_overtaking(period, options.leg.delay, options.leg.loss);
  return row;
}

ModeRow run_mode(const Mode& mode, bool both_legs, const ModeTableOptions& options) {
  ModeRow row = row_of(mode, both_legs, options);
  for (std::uint64_t seed = 1; seed <= options.seeds; ++seed) {
    Network<StateMessage> net;
    ModeRun run(net, mode, both_legs, options, seed);
    run.run();
    run.add_to(row);
  }
  return row;
}

std::vector<ModeRow> compare_modes(const ModeTableOptions& options) {
  std::vector<ModeRow> rows;
  for (const bool both_legs : {false, true})
    for (const Mode& mode : all_modes()) rows.push_back(run_mode(mode, both_legs, options));
  return rows;
}

}  // namespace volary::cluster
