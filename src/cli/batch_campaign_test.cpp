// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Campaigns: what was drawn and what survived.
#include "cli/batch_campaign.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "cli/batch_flight.hpp"
#include "core/scratch_folder.hpp"
#include "volary/scenario.hpp"

namespace volary::cli {
namespace {

RunResult with(std::vector<FaultOutcome> faults) {
  RunResult r;
  r.faults = std::move(faults);
  return r;
}

TEST(campaign, rows_are_by_component_without_its_number_kind_and_third_of_the_severity) {
  const std::vector<CampaignRow> rows = campaign_of({with({{"a", "rotor[0]", "off", "crashed", 0.2, 3, -1}, {"b", "rotor[3]", "off", "landed", 0.9, 3, 0.1}}),
                                                     with({{"a", "link", "scale", "flies", 0.1, 3, -1}, {"b", "link", "scale", "stuck", 0.99, 3, -1}}),
                                                     with({{"a", "none", "none", "flies", 0, 0, -1}})});
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0].component, "link");
  EXPECT_EQ(rows[0].third, 0);
  EXPECT_EQ(rows[0].survived, 1u);
  EXPECT_EQ(rows[1].third, 2);
  EXPECT_EQ(rows[1].survived, 0u);
  EXPECT_EQ(rows[2].component, "none");
  EXPECT_EQ(rows[3].component, "rotor");
  EXPECT_EQ(rows[3].n, 2u);
  EXPECT_EQ(rows[3].survived, 1u);
  EXPECT_EQ(rows[3].noticed, 1u);
  EXPECT_EQ(rows[3].third, -1);
}

TEST(campaign, a_folder_keeps_what_became_of_every_vehicle) {
  const core::ScratchFolder scratch;
  const std::string folder = (std::filesystem::path(scratch.path()) / "b").string();
  const BatchIdentity identity = {"1.0", "test", 42, {}};
  {
    BatchStore store;
    ASSERT_TRUE(store.open(folder, identity));
    ASSERT_TRUE(store.add(with({{"a", "rotor[0]", "off", "crashed", 0.25, 3.5, -1}})));
  }
  BatchIdentity read;
  const auto results = read_batch(folder, read);
  ASSERT_TRUE(results);
  ASSERT_EQ(results.value().size(), 1u);
  ASSERT_EQ(results.value()[0].faults.size(), 1u);
  const FaultOutcome& f = results.value()[0].faults[0];
  EXPECT_EQ(f.component, "rotor[0]");
  EXPECT_EQ(f.outcome, "crashed");
  EXPECT_EQ(f.severity, 0.25);
  EXPECT_EQ(f.time, 3.5);
}

TEST(campaign, quadrotors_that_lose_a_rotor_crash_and_those_without_a_fault_fly) {
  const std::string text =
      "duration: 12\nflocks: [{name: a, airframe: x500, vehicles: {grid: {count: 8, spacing: 5}}, mission: {hold: {height: 10}}}]\n"
      "faults: {random: {per_vehicle: 0.7, components: [\"rotor[1]\"], kinds: [\"off\"], from: 1, until: 3}}\n";
  const auto def = load_scenario_text(text, {VOLARY_SOURCE_DIR "/assets"});
  ASSERT_TRUE(def) << def.error;
  bool finished = false;
  const auto result = fly_for_batch(*def.value, 5, [] { return true; }, finished);
  ASSERT_TRUE(result);
  EXPECT_TRUE(finished);
  std::set<std::string> with_fault, without;
  for (const FaultOutcome& f : result.value().faults) (f.component == "none" ? without : with_fault).insert(f.outcome);
  EXPECT_EQ(with_fault, std::set<std::string>{"crashed"});
  EXPECT_EQ(without, std::set<std::string>{"flies"});
}

}  // namespace
}  // namespace volary::cli
