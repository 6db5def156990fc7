// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A recording knows who flew in which mode, tick by tick.
#include "record_support_test.hpp"
#include "replay/block_file.hpp"
#include "replay/modes.hpp"

namespace volary::replay {

namespace {

// modes of all vehicles by id, as the world has them
std::vector<std::pair<std::uint64_t, int>> modes_of(const World& w) {
  std::vector<std::pair<std::uint64_t, int>> list;
  for (const VehicleId id : w.vehicles()) list.push_back({id.value, static_cast<int>(w.mode_of(id))});
  std::sort(list.begin(), list.end());
  return list;
}

void fly_and_compare(const std::string& name, std::uint64_t ticks, const std::vector<std::string>& overrides, const std::function<void(World&)>& hand) {
  const core::ScratchFolder folder;
  Flown f = load_flown(name, overrides);
  std::vector<std::vector<std::pair<std::uint64_t, int>>> flown;
  record(f, folder.file("a.vrec"), ticks, {}, [&](World& w) {
    flown.push_back(modes_of(w));
    if (hand) hand(w);
  });
  flown.push_back(modes_of(*f.world));
  const auto r = open_recording(folder.file("a.vrec"));
  ASSERT_NE(r, nullptr);
  std::size_t changes = 0;
  for (const RosterEntry& e : r->roster()) changes += e.modes.size();
  for (std::uint64_t t = 0; t <= ticks; ++t) {
    const auto frame = r->at_tick(static_cast<double>(t));
    ASSERT_TRUE(frame);
    std::vector<std::pair<std::uint64_t, int>> told;
    for (const VehicleAt& v : frame.value().vehicles) told.push_back({r->roster()[v.vehicle].id, static_cast<int>(v.mode)});
    std::sort(told.begin(), told.end());
    ASSERT_EQ(told, flown[t]) << name << " at tick " << t;
  }
  std::printf("%s: %zu changes of %zu vehicles in %zu entries of the roster\n", name.c_str(), changes, r->roster().size(),
              static_cast<std::size_t>(r->counts().roster));
}

TEST(record_modes, every_change_is_there_at_its_tick) {
  fly_and_compare("landing", 1500, {}, nullptr);
  fly_and_compare("default", 300, {}, fly_by_hand);
  fly_and_compare("lissajous_double", 200, {}, nullptr);
}

// on the ground, taking off, steered by its behaviours, and sent elsewhere by somebody outside
TEST(record_modes, a_vehicle_that_its_behaviours_steer_is_on_its_mission) {
  const auto send_away = [](World& w) {
    if (w.tick() == 900) w.submit({.target = w.vehicles()[0], .payload = SetSetpoint{.level = ControlLevel::Position, .position_W = {0, 0, 30}}});
  };
  fly_and_compare("search_and_rescue", 1000, {}, send_away);
  const core::ScratchFolder folder;
  Flown f = load_flown("search_and_rescue");
  record(f, folder.file("a.vrec"), 1000, {}, send_away);
  const auto r = open_recording(folder.file("a.vrec"));
  std::size_t on_mission = 0;
  for (const RosterEntry& e : r->roster()) on_mission += mode_at(e, 800) == static_cast<std::uint8_t>(Mode::Mission) ? 1 : 0;
  EXPECT_GT(on_mission, 0u);
  EXPECT_EQ(mode_at(r->roster()[0], 1000), static_cast<std::uint8_t>(Mode::Armed));
}

TEST(record_modes, a_flock_that_begins_a_mode_together_is_one_entry) {
  const core::ScratchFolder folder;
  Flown f = load_flown("grid_1000");
  record(f, folder.file("a.vrec"), 20);
  const auto r = open_recording(folder.file("a.vrec"));
  ASSERT_NE(r, nullptr);
  EXPECT_LE(r->counts().roster, r->roster().size() + 8);
  for (const RosterEntry& e : r->roster()) ASSERT_EQ(e.modes.size(), 1u) << e.name;
}

TEST(record_modes, a_recording_without_a_view_has_none_and_unknown_modes_are_called_so) {
  const core::ScratchFolder folder;
  Flown f = load_flown("landing");
  RecorderOptions options;
  options.view = false;
  record(f, folder.file("a.vrec"), 20, options);
  const auto r = open_recording(folder.file("a.vrec"));
  for (const RosterEntry& e : r->roster()) EXPECT_TRUE(e.modes.empty());
  EXPECT_EQ(mode_at(r->roster()[0], 5), kUnknownMode);
  EXPECT_STREQ(mode_name(kUnknownMode), "unknown");
  EXPECT_STREQ(mode_name(static_cast<std::uint8_t>(Mode::Land)), "land");
}

TEST(record_modes, ranges_that_lead_beyond_the_roster_or_repeat_without_end_are_cut) {
  const core::ScratchFolder folder;
  Flown f = load_flown("landing");
  record(f, folder.file("a.vrec"), 5);
  const auto sound = open_recording(folder.file("a.vrec"));
  RecordList list;
  constexpr std::uint32_t kVehicles = 3000;
  for (std::uint32_t k = 0; k < kVehicles; ++k) add_spawn(list, k, {k + 1, "v", 0, 0, 0});
  for (std::uint64_t k = 0; k < 20'000; ++k) add_modes(list, {0, ~0u, static_cast<std::uint8_t>(k % 7)}, k);
  auto file = BlockWriter::create(folder.file("b.vrec"));
  const std::string head = head_to_json(sound->head());
  ASSERT_TRUE(file.value()->append(BlockType::Head, 0, 0, std::as_bytes(std::span(head)), true));
  ASSERT_TRUE(file.value()->append(BlockType::Roster, 0, 0, list.payload(0), true));
  ASSERT_TRUE(file.value()->close(0, {}));
  const auto r = open_recording(folder.file("b.vrec"));
  ASSERT_NE(r, nullptr);
  std::size_t changes = 0;
  for (const RosterEntry& e : r->roster()) changes += e.modes.size();
  EXPECT_EQ(r->roster().size(), kVehicles);
  EXPECT_EQ(changes, kMostModes);

  RecordList wrong;
  add_modes(wrong, {0, 1, 16}, 7);
  Recovered<RosterChange> out;
  EXPECT_FALSE(read_roster(wrong.payload(0), out));
}

// 1.11 s divided by 0.01 s is a little more than 111
TEST(record_times, every_tick_is_found_by_its_time) {
  const core::ScratchFolder folder;
  Flown f = load_flown("landing");
  record(f, folder.file("a.vrec"), 111);
  const auto r = open_recording(folder.file("a.vrec"));
  ASSERT_NE(r, nullptr);
  for (std::uint64_t t = 0; t <= r->last_tick(); ++t) EXPECT_TRUE(r->at(r->seconds(t))) << t;
  EXPECT_FALSE(r->at(r->seconds(r->last_tick()) + 1e-6));
}

}  // namespace

}  // namespace volary::replay
