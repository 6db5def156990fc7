// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// How a federation ends: the report of `volary run` with rows about the nodes, and what the nodes said.
#pragma once

#include "cli/federation_stage.hpp"
#include "cli/watch.hpp"

namespace volary::cli {

struct FlownFederation {
  const Ending& ending;
  const Flight& flight;
  std::uint64_t horizon = 1;  // ticks
  std::string recording = {};  // path, empty: none
  std::uint64_t bytes = 0;
  cluster::FederationHealth health = {};
};
// prints it; the exit code
int report_federation(const UpCommand& options, const FlownFederation& flown);

// the last lines of every node, and where their logs are when something went wrong
void tell_logs(const UpCommand& options, const NodeProcesses& nodes, Stage& stage, bool failed);

}  // namespace volary::cli
