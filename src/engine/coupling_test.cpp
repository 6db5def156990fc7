// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The horizon of a scenario: when messages, detections and stimuli act, and that what is on its way is part of everything that is kept.
#include "engine/coupling.hpp"

#include <map>
#include <optional>
#include <random>

#include "core/state.hpp"
#include "engine/data.hpp"
#include "engine/random_scenario_test_support.hpp"
#include "engine/shared_world_test_support.hpp"
#include "engine/snapshot.hpp"
#include "engine/snapshot_bytes.hpp"

namespace volary {
namespace {

using test::coupled_scenario;
using test::event_texts;
using test::with_horizon;

constexpr std::uint64_t kHorizons[] = {1, 2, 5, 16};

// ---------------------------------------------------------------- when it acts

BehaviourDef script(const std::string& act) {
  const std::string text = "function act(me)\n" + act + "\nend\n";
  return {.kind = swarm::kScript, .params = std::make_shared<swarm::ScriptDef>(swarm::ScriptDef{"test", "test.lua", text, {}})};
}
// two that decide in every tick
WorldDef pair_of(const std::string& act) {
  WorldDef def = test::talking(2);
  def.environment = {};
  def.flocks[0].node.decision_rate = 100;
  def.flocks[0].node.state_rate = 0;
  def.flocks[0].node.behaviours = {script(act)};
  return def;
}
// the tick at which a decision first plotted a number above zero
std::optional<std::uint64_t> first_plot(const WorldDef& def, const std::string& name) {
  auto w = test::make(def);
  for (int k = 0; k < 100; ++k) {
    w->step();
    for (const Plotted& x : w->plotted())
      if (x.name == name && x.value > 0) return w->tick() - 1;
  }
  return std::nullopt;
}

TEST(coupling, a_message_is_heard_a_horizon_after_the_tick_in_which_its_airtime_ends) {
  const WorldDef def = pair_of("if me.id == 1 and me.time > 0.195 and me.time < 0.205 then say('now', {1}) end plot('heard', #me.messages)");
  const std::uint64_t at_once = *first_plot(def, "heard");
  EXPECT_EQ(at_once, 21u);
  for (const std::uint64_t horizon : kHorizons) EXPECT_EQ(first_plot(with_horizon(def, horizon), "heard"), at_once + horizon - 1);
}

TEST(coupling, a_delay_of_the_radio_counts_within_the_horizon) {
  WorldDef def = pair_of("if me.id == 1 and me.time > 0.195 and me.time < 0.205 then say('now', {1}) end plot('heard', #me.messages)");
  def.radio.delay = 0.06;
  const std::uint64_t alone = *first_plot(def, "heard");
  EXPECT_EQ(alone, 27u);
  for (const std::uint64_t horizon : {2u, 5u, 6u, 7u}) EXPECT_EQ(first_plot(with_horizon(def, horizon), "heard"), alone);
  EXPECT_EQ(first_plot(with_horizon(def, 16), "heard"), alone + 9);
}

TEST(coupling, a_vehicle_is_detected_a_horizon_after_it_was_looked_at_and_the_event_is_told_then) {
  WorldDef def = pair_of("plot('seen', #me.detections)");
  def.flocks[0].node.detection = {.range = 2, .rate = 10};
  FlockDef stranger = def.flocks[0];
  stranger.name = "stranger", stranger.node.behaviours.clear(), stranger.node.detection = {}, stranger.vehicles.resize(1);
  stranger.vehicles[0].position_W = {-20, 0, 10};
  def.flocks.push_back(stranger);
  for (const std::uint64_t horizon : kHorizons) {
    auto w = test::make(with_horizon(def, horizon));
    // beside the first when it looks at tick 30
    w->submit({.tick = 25, .target = {3}, .payload = SetState{.position_W = {1, 0, 10}}});
    std::uint64_t told = 0, seen = 0;
    for (int k = 0; k < 80; ++k) {
      w->step();
      for (const std::string& e : event_texts(*w))
        if (told == 0 && e.find("sees: stranger[0]") != std::string::npos) told = w->tick() - 1;
      for (const Plotted& x : w->plotted())
        if (seen == 0 && x.value > 0) seen = w->tick() - 1;
    }
    EXPECT_EQ(seen, 30 + horizon);
    EXPECT_EQ(told, horizon == 1 ? 30 : 30 + horizon);
    EXPECT_EQ(w->decision_state_of({1}).sees.size(), 1u);
  }
}

TEST(coupling, a_stimulus_is_perceived_as_its_source_was_a_horizon_ago) {
  WorldDef def = pair_of("plot('light', me.light)");
  FlockDef lamp = def.flocks[0];
  lamp.name = "lamp", lamp.node.behaviours.clear(), lamp.vehicles.resize(1);
  lamp.vehicles[0].position_W = {1, 1, 10};
  lamp.node.emits = {{.kind = "light", .from = 0.3, .emission = std::make_shared<swarm::Light::Emission>()}};
  def.flocks.push_back(lamp);
  for (const std::uint64_t horizon : kHorizons) EXPECT_EQ(first_plot(with_horizon(def, horizon), "light"), 30 + horizon - 1);
  def.flocks[1].node.emits[0].from = 0;
  for (const std::uint64_t horizon : kHorizons)
    EXPECT_EQ(first_plot(with_horizon(def, horizon), "light"), horizon == 1 ? 0 : horizon) << "no tick has left the first state";
}

TEST(coupling, contact_acts_at_once_whatever_the_horizon) {
  for (const ContactPolicy policy : {ContactPolicy::Crash, ContactPolicy::Remove, ContactPolicy::Bounce}) {
    std::vector<std::string> before;
    for (const std::uint64_t horizon : kHorizons) {
      auto w = test::collide(with_horizon(test::meeting(policy, 3), horizon), 3);
      w->step(200);
      const std::vector<std::string> events = event_texts(*w);
      EXPECT_FALSE(events.empty());
      if (horizon > 1) EXPECT_EQ(events, before);
      before = events;
    }
  }
}

TEST(coupling, a_horizon_of_one_tick_is_the_default_and_a_longer_one_changes_what_happens) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    WorldDef def = coupled_scenario(seed, 1);
    auto one = test::make(def);
    def.coupling = {};
    auto none = test::make(def), longer = test::make(with_horizon(def, 2));
    one->step(100), none->step(100), longer->step(100);
    EXPECT_EQ(one->hash(), none->hash());
    EXPECT_NE(one->hash(), longer->hash());
  }
}

TEST(coupling, a_horizon_that_is_no_whole_number_of_ticks_or_too_long_is_refused) {
  for (const double horizon : {-0.01, 0.005, 0.015, 10.01, 1e300, std::numeric_limits<double>::quiet_NaN()}) {
    WorldDef def = test::talking(2);
    def.coupling.horizon = horizon;
    std::string error;
    EXPECT_EQ(World::create(def, {}, &error), nullptr) << horizon;
    EXPECT_NE(error.find("coupling.horizon"), std::string::npos) << error;
  }
  for (const double horizon : {0.0, 0.01, 0.07, 10.0}) {
    WorldDef def = test::talking(2);
    def.coupling.horizon = horizon;
    EXPECT_NE(test::make(def), nullptr);
  }
}

// ---------------------------------------------------------------- what is kept of it

TEST(coupling, threads_snapshots_checkpoints_branches_and_a_second_flight_give_the_same_hashes) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed)
    for (const std::uint64_t horizon : kHorizons) {
      const WorldDef def = coupled_scenario(seed, horizon);
      auto w = test::make(def), split = test::make(def, {.threads = 2, .force_split = true});
      std::vector<std::uint64_t> hashes;
      std::vector<std::string> events;
      std::shared_ptr<const Snapshot> then;
      for (int k = 0; k < 120; ++k) {
        if (k == 57) then = w->snapshot();
        w->step(), split->step();
        hashes.push_back(w->hash());
        ASSERT_EQ(split->hash(), hashes.back()) << "seed " << seed << ", horizon " << horizon << ", tick " << k;
        for (std::string& e : event_texts(*w))
          if (k >= 57) events.push_back(std::move(e));
      }
      auto again = test::make(def), other = test::make(def);
      std::string error;
      ASSERT_TRUE(w->restore(*then, &error)) << error;
      auto branch = w->branch({});
      const auto read = other->read_snapshot(World::snapshot_bytes(*then), &error);
      ASSERT_NE(read, nullptr) << error;
      ASSERT_TRUE(other->restore(*read));
      again->step(57);
      event_texts(*again);
      for (World* x : {w.get(), branch.get(), other.get(), again.get()}) {
        std::vector<std::string> own;
        for (std::size_t k = 57; k < 120; ++k) {
          x->step();
          ASSERT_EQ(x->hash(), hashes[k]) << "seed " << seed << ", horizon " << horizon << ", tick " << k;
          for (std::string& e : event_texts(*x)) own.push_back(std::move(e));
        }
        EXPECT_EQ(own, events);
      }
    }
}

TEST(coupling, all_that_is_on_its_way_is_in_the_hash) {
  engine::Data d;
  ASSERT_TRUE(engine::build(d, coupled_scenario(2, 16), {}));
  for (int k = 0; k < 90; ++k) engine::step(d);
  const std::uint64_t hash = engine::hash_between(d);
  const auto differs = [&](auto&& change) {
    const std::vector<engine::Coupled> before = d.coupling.waiting;
    bool found = false;
    for (engine::Coupled& c : d.coupling.waiting) found = found || change(c);
    engine::hash_coupled(d);
    const bool other = found && engine::hash_between(d) != hash;
    d.coupling.waiting = before;
    return other;
  };
  EXPECT_TRUE(differs([](engine::Coupled& c) { return !c.emitters.empty() && (c.emitters[0].position[1] += 1e-9, true); }));
  EXPECT_TRUE(differs([](engine::Coupled& c) { return !c.looks.empty() && (c.looks[0].frame.velocity[0][2] += 1e-9, true); }));
  EXPECT_TRUE(differs([](engine::Coupled& c) {
    for (engine::Look& look : c.looks)
      for (engine::Look::Run& run : look.runs)
        if (run.count > 0) return --run.count, true;
    return false;
  }));
  EXPECT_TRUE(differs([](engine::Coupled& c) {
    for (const swarm::Reception& r : c.arrivals.receptions)
      if (r.fate == swarm::Fate::Delivered) return c.arrivals.messages[r.message].topic ^= 1, true;
    return false;
  }));
  EXPECT_TRUE(differs([](engine::Coupled& c) { return ++c.tick, true; }));
  EXPECT_FALSE(differs([](engine::Coupled&) { return true; }));
}

TEST(coupling, what_is_on_its_way_goes_back_with_a_part_that_has_what_all_share) {
  for (const std::uint64_t horizon : {2u, 16u}) {
    const WorldDef def = coupled_scenario(3, horizon);
    auto a = test::make(def), b = test::make(def);
    a->step(71), b->step(83);
    std::shared_ptr<SnapshotPart> part;
    std::string error;
    ASSERT_TRUE(a->snapshot_part_into(part, {.flocks = {"birds", "lamps"}, .shared = true}, &error)) << error;
    if (b->n_vehicles() != a->n_vehicles()) continue;
    ASSERT_TRUE(b->restore(*part, &error)) << error;
    for (int k = 0; k < 60; ++k) {
      ASSERT_EQ(a->hash_of_world(0), b->hash_of_world(0)) << "horizon " << horizon << ", tick " << k;
      a->step(), b->step();
    }
  }
}

TEST(coupling, worlds_of_a_batch_equal_themselves_alone_and_begin_again_with_nothing_on_its_way) {
  constexpr std::uint32_t kWorlds = 6;
  for (const std::uint64_t horizon : {2u, 5u, 16u})
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const WorldDef def = coupled_scenario(seed, horizon, kWorlds);
      // by world and episode
      std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint64_t>> alone;
      const auto expected = [&](std::uint32_t world, std::uint32_t episode, std::uint64_t tick) {
        std::vector<std::uint64_t>& list = alone[{world, episode}];
        if (list.empty()) {
          WorldDef one = def;
          one.worlds = 1, one.first_world = static_cast<int>(world), one.episode = episode;
          auto w = test::make(one);
          for (int k = 0; k < 120; ++k) w->step(), list.push_back(w->hash_of_world(0));
        }
        return list[tick - 1];
      };
      auto batch = test::make(def, {.threads = 2, .force_split = true});
      for (std::uint64_t tick = 0; tick < 120; ++tick) {
        std::vector<std::uint8_t> mask(kWorlds);
        for (std::uint32_t k = 0; k < kWorlds; ++k) mask[k] = tick > 0 && math::mix64(seed * 1000 + tick * 7 + k) % 40 == 0;
        batch->reset(mask);
        batch->step();
        for (std::uint32_t k = 0; k < kWorlds; ++k)
          ASSERT_EQ(batch->hash_of_world(k), expected(k, batch->episode_of_world(k), batch->tick_of_world(k)))
              << "seed " << seed << ", horizon " << horizon << ", world " << k << ", tick " << tick;
      }
    }
}

TEST(coupling, several_processes_in_step_equal_one) {
  for (const std::uint64_t horizon : kHorizons)
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const WorldDef def = coupled_scenario(seed, horizon);
      for (const std::uint32_t members : {1u, 2u, 4u, 8u}) {
        auto whole = test::make(def);
        test::SharedWorld shared(def, test::cut_at_random(def, members, seed));
        for (std::uint64_t tick = 0; tick < 80; ++tick) {
          whole->step(), shared.step();
          ASSERT_EQ(shared.hash(), whole->hash()) << "seed " << seed << ", horizon " << horizon << ", " << members << " members, tick " << tick;
          const std::vector<std::string> events = event_texts(*whole);
          for (std::size_t m = 0; m < shared.size(); ++m)
            ASSERT_EQ(event_texts(shared.at(m)), events) << "seed " << seed << ", member " << m << ", tick " << tick;
        }
      }
    }
}

TEST(coupling, a_checkpoint_of_another_horizon_is_refused_and_a_spoilt_one_never_crashes) {
  const WorldDef def = coupled_scenario(2, 5);
  engine::Data d;
  ASSERT_TRUE(engine::build(d, def, {}));
  for (int k = 0; k < 90; ++k) engine::step(d);
  Snapshot now;
  engine::take_snapshot(d, now);
  const auto bytes = engine::snapshot_to_bytes(now);
  std::string error;
  EXPECT_EQ(test::make(with_horizon(def, 6))->read_snapshot(bytes, &error), nullptr);
  EXPECT_NE(error.find("horizon"), std::string::npos) << error;
  // what is on its way comes last
  core::StateWriter waiting;
  waiting(d.coupling);
  const std::size_t n = waiting.take().size();
  ASSERT_GT(n, 1000u);
  auto other = test::make(def);
  std::mt19937 random(5);
  int flown = 0;
  for (int k = 0; k < 4000; ++k) {
    auto spoilt = bytes;
    spoilt[bytes.size() - 1 - random() % n] ^= static_cast<std::byte>(1u << (random() % 8));
    const auto read = other->read_snapshot(spoilt, nullptr);
    if (read == nullptr) continue;  // what passes has other values, but flies
    other->restore(*read);
    other->step(6);
    ++flown;
  }
  EXPECT_GT(flown, 100);
  EXPECT_LT(flown, 3900);
}

}  // namespace
}  // namespace volary
