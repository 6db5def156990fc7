// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// volary federation up: a scenario flown by several processes, recorded and reported as `volary run` does it.
#pragma once

#include <string>
#include <vector>

#include "cli/federation_options.hpp"
#include "cli/record_options.hpp"

namespace volary::cli {

struct UpCommand {
  std::string scenario = "default", seed, duration, speed;
  std::vector<std::string> set;
  std::string name = "local", logs;
  int nodes = 2, joining = 0;
  double patience = 60;
  BrokerOptionsCli broker;
  cluster::ImpairmentOptions impairment;
  RecordOptions record;
  bool json = false, quiet = false, hash = false;
};
void add_up_options(CLI::App& command, UpCommand& options);
int federation_up(const UpCommand& options);

}  // namespace volary::cli
