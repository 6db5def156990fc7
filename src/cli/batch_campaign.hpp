// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A batch of a scenario with random faults is a campaign: what was drawn for each vehicle, what became of it, and a table of what survived (docs/faults.md).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/batch_store.hpp"
#include "cli/report.hpp"
#include "runner/sink.hpp"

namespace volary::cli {

// follows one run
class FaultWatcher final : public runner::Sink {
 public:
  void event(World&, const Event& e) override;
  // one for each drawn fault, and one for each vehicle without any; empty where the scenario draws no faults
  std::vector<FaultOutcome> outcomes(const World& world) const;

 private:
  std::map<std::uint64_t, std::vector<std::uint64_t>> noticed_;  // by id: ticks at which the vehicle reacted to something
};

// all runs together
struct CampaignRow {
  std::string component, kind;  // "rotor", "off"; "none" for vehicles without a fault
  int third = 0;                // of the severity: 0 low, 1 middle, 2 high; -1: the kind has none
  std::uint64_t n = 0, survived = 0;
  std::map<std::string, std::uint64_t> outcomes;
  std::uint64_t noticed = 0;
  double delay_sum = 0;         // s from the fault to the reaction, of those that reacted
};
std::vector<CampaignRow> campaign_of(const std::vector<RunResult>& results);
void add_campaign_rows(const std::vector<CampaignRow>& rows, Report& report);
void print_campaign(const std::vector<CampaignRow>& rows);

}  // namespace volary::cli
