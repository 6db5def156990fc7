// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A world that several processes share equals the same world in one process, bit for bit.
#include <cstring>

#include "core/bytes.hpp"
#include "engine/random_scenario_test_support.hpp"
#include "engine/shared_world_test_support.hpp"
#include "swarm/script/script_def.hpp"

namespace volary {
namespace {

using test::event_texts;
using test::SharedWorld;

std::vector<std::string> tasks_of(const World& w) {
  std::vector<std::string> list;
  for (const TaskStanding& t : w.tasks()) list.push_back(t.name + " " + t.state + " " + std::to_string(t.since) + " " + t.detail);
  return list;
}

// somebody goes, two come, one is sent elsewhere
std::vector<Input> disturbance(std::uint64_t tick) {
  if (tick == 20) return {{.tick = tick, .source = 1, .seq = 1, .target = {2}, .payload = Remove{}}};
  if (tick == 25 || tick == 26)
    return {{.tick = tick, .source = 1, .seq = static_cast<std::uint32_t>(tick), .payload = Spawn{"birds", {.position_W = {1, 2, 6}, .mode = Mode::Hold}}}};
  if (tick == 30) return {{.tick = tick, .source = 1, .seq = 30, .target = {1}, .payload = SetSetpoint{.position_W = {3, 3, 8}}}};
  return {};
}

TEST(shared_world, equals_the_world_in_one_piece_in_flight_radio_contact_detection_tasks_and_events) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const WorldDef def = test::RandomScenario(seed).make(1);
    for (const std::uint32_t members : {1u, 2u, 4u}) {
      auto whole = test::make(def);
      SharedWorld shared(def, test::cut_at_random(def, members, seed));
      for (std::uint64_t tick = 0; tick < 80; ++tick) {
        for (const Input& in : disturbance(tick)) whole->submit(in), shared.submit(in);
        whole->step();
        shared.step();
        ASSERT_EQ(shared.hash(), whole->hash()) << "seed " << seed << ", " << members << " members, tick " << tick;
        const std::vector<std::string> events = event_texts(*whole);
        for (std::size_t m = 0; m < shared.size(); ++m)
          ASSERT_EQ(event_texts(shared.at(m)), events) << "seed " << seed << ", member " << m << ", tick " << tick;
      }
      for (std::size_t m = 0; m < shared.size(); ++m) {
        EXPECT_EQ(tasks_of(shared.at(m)), tasks_of(*whole));
        EXPECT_EQ(shared.at(m).swarm_report().age_mean, whole->swarm_report().age_mean);
        EXPECT_EQ(shared.at(m).radio().outcomes, whole->radio().outcomes);
      }
    }
  }
}

TEST(shared_world, a_collision_of_vehicles_of_two_members_comes_out_alike) {
  for (const ContactPolicy policy : {ContactPolicy::Crash, ContactPolicy::Remove, ContactPolicy::Bounce}) {
    const WorldDef def = test::meeting(policy, 3);
    auto whole = test::make(def);
    SharedWorld shared(def, {.members = 2, .parts = {{"birds", 1, 0}, {"birds", 2, 1}}});
    for (std::uint32_t k = 0; k < 2; ++k) {
      const Input in{
          .source = 1, .seq = k + 1, .target = {k + 1}, .payload = SetSetpoint{.level = ControlLevel::Velocity, .velocity_W = {k == 0 ? 3.0 : -3.0, 0, 0}}};
      whole->submit(in), shared.submit(in);
    }
    bool have_met = false;
    for (int tick = 0; tick < 200; ++tick) {
      whole->step(), shared.step();
      ASSERT_EQ(shared.hash(), whole->hash()) << "tick " << tick;
      have_met = have_met || whole->swarm_report().contacts > 0;
    }
    EXPECT_TRUE(have_met);
    EXPECT_EQ(shared.observer().n_vehicles(), whole->n_vehicles());
  }
}

TEST(shared_world, more_vehicles_than_a_block_of_any_member_hold_and_threads_may_split_them) {
  const WorldDef def = test::talking(150);
  auto whole = test::make(def);
  SharedWorld shared(def, test::cut_at_random(def, 8, 5), {.threads = 2, .force_split = true});
  for (int tick = 0; tick < 60; ++tick) {
    whole->step(), shared.step();
    ASSERT_EQ(shared.hash(), whole->hash()) << "tick " << tick;
  }
}

// in every tick: the hash, the events and what people are told of modes
void expect_equal(const WorldDef& def, std::uint32_t members, int ticks, const std::vector<Input>& inputs = {}) {
  auto whole = test::make(def);
  SharedWorld shared(def, test::cut_at_random(def, members, 3));
  for (const Input& in : inputs) whole->submit(in), shared.submit(in);
  for (int tick = 0; tick < ticks; ++tick) {
    whole->step(), shared.step();
    ASSERT_EQ(shared.hash(), whole->hash()) << "tick " << tick;
    const std::vector<std::string> events = event_texts(*whole);
    for (std::size_t m = 0; m < shared.size(); ++m) {
      ASSERT_EQ(event_texts(shared.at(m)), events) << "member " << m << ", tick " << tick;
      ASSERT_EQ(shared.at(m).plotted().size(), whole->plotted().size());
      for (const VehicleId id : whole->vehicles()) ASSERT_EQ(shared.at(m).mode_of(id), whole->mode_of(id)) << "member " << m << ", tick " << tick;
    }
  }
  for (std::size_t m = 0; m < shared.size(); ++m) EXPECT_EQ(shared.at(m).radio().outcomes, whole->radio().outcomes);
}

WorldDef scripted(int n, const std::string& act) {
  WorldDef def = test::talking(n);
  const std::string text = "function act(me)\n" + act + "\n fly(0.1 * math.sin(me.time), 0, 0) end\n";
  def.flocks[0].node.behaviours = {{.kind = swarm::kScript, .params = std::make_shared<swarm::ScriptDef>(swarm::ScriptDef{"tell", "tell.lua", text, {}})}};
  return def;
}

TEST(shared_world, tells_people_what_scripts_log_and_plot_and_which_of_them_failed) {
  expect_equal(scripted(20, "for k = 1, 12 do log('at', me.position.x) end plot('x', me.position.x) if me.time > 0.3 and me.id == 7 then error('no more') end"),
               4, 80);
}

TEST(shared_world, counts_messages_that_find_a_full_inbox_wherever_the_receiver_is) {
  WorldDef def = test::talking(12);
  FlockDef& f = def.flocks[0];
  f.node.behaviours = {test::behaviour<swarm::Announce>({.topic = "beacon", .rate = 100})};
  f.node.decision_rate = 1;
  FlockDef loud = f;
  loud.name = "loud";
  loud.node.decision_rate = 100;
  def.flocks.push_back(loud);
  expect_equal(def, 3, 300);
}

TEST(shared_world, sees_along_the_nose_of_a_vehicle_that_turns) {
  WorldDef def = scripted(18, "");
  def.flocks[0].node.detection = {.range = 9, .field_of_view = 0.8};
  // strangers, whose sight is told; armed, so that they get a setpoint when they first decide
  FlockDef others = def.flocks[0];
  others.name = "others";
  for (VehicleDef& v : others.vehicles) v.position_W[2] += 2, v.mode = Mode::Armed;
  def.flocks.push_back(others);
  std::vector<Input> turns;
  for (std::uint32_t k = 1; k <= 36; k += 2)
    turns.push_back({.tick = 20 + 3 * k, .source = 1, .seq = k, .target = {k}, .payload = SetSetpoint{.position_W = {4, 4, 10}, .yaw = 2.0 + 0.1 * k}});
  expect_equal(def, 3, 250, turns);
}

TEST(shared_world, a_vehicle_whose_numbers_go_bad_stops_everywhere_at_once) {
  const WorldDef def = test::talking(40);
  expect_equal(def, 4, 60, {{.tick = 30, .source = 1, .seq = 1, .target = {37}, .payload = SetParameter{"inv_mass", 0, 1e12}}});
  auto whole = test::make(def);
  whole->submit({.tick = 30, .target = {37}, .payload = SetParameter{"inv_mass", 0, 1e12}});
  whole->step(60);
  EXPECT_EQ(whole->n_vehicles(), 39u);
}

TEST(shared_world, goes_on_from_a_snapshot_with_the_vehicles_that_came_meanwhile) {
  const WorldDef def = scripted(20, "log('here')");
  auto whole = test::make(def);
  SharedWorld shared(def, {.members = 2, .parts = {{"birds", 1, 0}, {"birds", 15, 1}}});
  const auto fly = [&](int ticks) {
    for (int k = 0; k < ticks; ++k) whole->step(), shared.step();
  };
  fly(10);
  std::vector<std::shared_ptr<const Snapshot>> before;
  for (std::size_t m = 0; m < shared.size(); ++m) before.push_back(shared.at(m).snapshot());
  const auto start = whole->snapshot();
  // the newcomer takes the slot of a vehicle of the other member
  const auto disturb = [&] {
    for (const Input& in : {Input{.source = 1, .seq = 1, .target = {2}, .payload = Remove{}},
                            Input{.source = 1, .seq = 2, .payload = Spawn{"birds", {.position_W = {1, 2, 6}, .mode = Mode::Hold}}}})
      whole->submit(in), shared.submit(in);
  };
  disturb();
  fly(10);
  const std::uint64_t hash = shared.hash();
  EXPECT_EQ(hash, whole->hash());
  // back, in the middle of a step, and again with the same input
  shared.advance();
  for (std::size_t m = 0; m < shared.size(); ++m) ASSERT_TRUE(shared.at(m).restore(*before[m]));
  ASSERT_TRUE(whole->restore(*start));
  fly(3);
  EXPECT_EQ(event_texts(shared.at(0)), event_texts(*whole));
  EXPECT_EQ(shared.hash(), whole->hash());
  for (std::size_t m = 0; m < shared.size(); ++m) ASSERT_TRUE(shared.at(m).restore(*before[m]));
  disturb();
  for (int k = 0; k < 10; ++k) shared.step();
  EXPECT_EQ(shared.hash(), hash);
}

TEST(shared_world, the_observer_sees_every_vehicle_where_its_owner_has_it) {
  const WorldDef def = test::talking(20);
  auto whole = test::make(def);
  SharedWorld shared(def, test::cut_at_random(def, 3, 2));
  for (int tick = 0; tick < 50; ++tick) whole->step(), shared.step();
  for (const VehicleId id : whole->vehicles()) {
    EXPECT_EQ(shared.observer().position_of(id), whole->position_of(id));
    EXPECT_EQ(shared.observer().velocity_of(id), whole->velocity_of(id));
    EXPECT_EQ(shared.observer().mode_of(id), whole->mode_of(id));
  }
}

TEST(shared_world, a_frame_that_does_not_fit_is_refused_and_changes_nothing) {
  const WorldDef def = test::talking(12);
  SharedWorld shared(def, {.members = 2, .parts = {{"birds", 1, 0}, {"birds", 7, 1}}});
  auto whole = test::make(def);
  for (int tick = 0; tick < 5; ++tick) shared.step(), whole->step();
  shared.advance();
  const std::vector<std::byte> good = shared.frame(1);
  const auto refusal = [&](std::vector<std::byte> frame) {
    const std::vector<std::span<const std::byte>> frames = {shared.frame(0), frame};
    std::string error;
    EXPECT_FALSE(shared.at(0).settle(frames, &error));
    return error;
  };
  EXPECT_NE(refusal({}).find("member 1"), std::string::npos);
  EXPECT_NE(refusal(shared.frame(0)).find("made by member 0"), std::string::npos);
  std::vector<std::byte> late = good;
  late[0] ^= std::byte{1};
  EXPECT_NE(refusal(late).find("tick"), std::string::npos);
  std::vector<std::byte> fewer = good;
  fewer[12] ^= std::byte{1};
  EXPECT_NE(refusal(fewer).find("vehicles of flock 'birds'"), std::string::npos);
  for (std::size_t n = 0; n < good.size(); n += 7) EXPECT_NE(refusal({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(n)}), "");
  std::vector<std::byte> longer = good;
  longer.push_back({});
  EXPECT_NE(refusal(longer).find("damaged"), std::string::npos);
  // the first number of a position becomes infinite: after tick, member, count and six statuses
  std::vector<std::byte> wild = good;
  const float infinite = std::numeric_limits<float>::infinity();
  std::memcpy(wild.data() + 16 + 6 * 4, &infinite, 4);
  EXPECT_NE(refusal(wild).find("not finite"), std::string::npos);
  // a message for which another member would speak: nothing is said in this tick, so the counts at the end are zero
  std::vector<std::byte> forged(good.begin(), good.end() - 20);
  core::ByteWriter said;
  said.put<std::uint32_t>(1);
  said.put<std::uint64_t>(1);  // a vehicle of member 0
  said.put<std::uint64_t>(0), said.put<std::uint64_t>(0), said.put<std::uint32_t>(7), said.put<std::uint8_t>(0);
  for (int k = 0; k < 4; ++k) said.put<std::uint32_t>(0);
  forged.insert(forged.end(), said.bytes().begin(), said.bytes().end());
  EXPECT_NE(refusal(forged).find("of another member"), std::string::npos);
  // and what was refused left no trace
  shared.settle();
  whole->step();
  EXPECT_EQ(shared.hash(), whole->hash());
}

TEST(shared_world, parts_that_do_not_fit_the_flocks_are_refused_with_a_suggestion) {
  auto w = test::make(test::talking(4));
  const auto refusal = [&](const Sharing& sharing) {
    std::string error;
    EXPECT_FALSE(w->share(sharing, &error));
    return error;
  };
  EXPECT_NE(refusal({.members = 2, .parts = {{"brids", 1, 0}}}).find("birds"), std::string::npos);
  EXPECT_NE(refusal({.members = 2, .parts = {{"birds", 2, 0}}}).find("place 1"), std::string::npos);
  EXPECT_NE(refusal({.members = 2, .parts = {{"birds", 1, 2}}}).find("member 2"), std::string::npos);
  EXPECT_NE(refusal({.members = 2, .parts = {{"birds", 1, 0}, {"birds", 1, 1}}}).find("begin at place 1"), std::string::npos);
  EXPECT_NE(refusal({.member = 2, .members = 2, .parts = {{"birds", 1, 0}}}).find("member 2"), std::string::npos);
  w->step();
  EXPECT_NE(refusal({.members = 1, .parts = {{"birds", 1, 0}}}).find("first tick"), std::string::npos);
}

}  // namespace
}  // namespace volary
