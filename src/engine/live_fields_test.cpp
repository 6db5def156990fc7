// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The scenario changed in the middle of a run.
#include <algorithm>
#include <cmath>

#include "engine/engine_test_support.hpp"
#include "swarm/behaviours/all.hpp"
#include "swarm/script/script_def.hpp"
#include "swarm/stimuli/all.hpp"

namespace volary {
namespace {

using test::behaviour;
using test::make;

// n vehicles that fly east together, and one that gives off light and decides nothing
WorldDef migrating(int n) {
  WorldDef w = test::talking(n);
  w.flocks[0].node.behaviours = {behaviour<swarm::Reynolds>({.velocity = {2, 0, 0}, .speed = 3}), behaviour<swarm::Formation>({}, 0),
                                 behaviour<swarm::Formation>({}, 0)};
  FlockDef lamps = test::circling(1, "lamps").flocks[0];
  lamps.node.emits = {{.kind = "light", .emission = std::make_shared<swarm::Light::Emission>()}};
  lamps.vehicles[0].position_W = lamps.vehicles[0].centre_W = {-20, -20, 5};
  w.flocks.push_back(lamps);
  return w;
}

void set(World& w, const char* path, const char* value, VehicleId id = {}) {
  Input in;
  in.target = id;
  in.payload = SetField{path, value};
  w.submit(in);
}
std::string why_not(const World& w, VehicleId id, SetField field) { return w.why_not({.target = id, .payload = std::move(field)}); }
std::string value_of(const World& w, VehicleId id, const std::string& path) {
  for (const LiveValue& f : w.fields_of(id))
    if (f.path == path) return f.value;
  return "none";
}

TEST(live_fields, a_parameter_changes_how_the_flock_flies_from_its_tick_on) {
  auto w = make(migrating(6));
  w->step(300);
  const VehicleId id = w->vehicles()[0];
  EXPECT_NEAR(w->velocity_of(id)[0], 2, 0.8);
  set(*w, "behaviours.reynolds.velocity", "[0, -2, 0]", id);
  w->step(500);
  for (const VehicleId each : w->vehicles("birds")) {
    EXPECT_NEAR(w->velocity_of(each)[0], 0, 0.7);
    EXPECT_NEAR(w->velocity_of(each)[1], -2, 0.7);
  }
  const auto events = w->take_events();
  EXPECT_TRUE(std::any_of(events.begin(), events.end(), [](const Event& e) { return e.what == "set: behaviours.reynolds.velocity to [0, -2, 0]"; }));
}

// Until then its answers were not kept: it is asked once more at the next decision, whatever its new rate and delay, and from there the vehicle goes on.
TEST(live_fields, a_behaviour_that_is_slowed_down_answers_once_more_at_once) {
  for (const char* field : {"behaviours[0].rate", "behaviours[0].delay"}) {
    WorldDef def = migrating(6);
    def.environment = {};
    auto w = make(def), other = make(def);
    const VehicleId id = w->vehicles("birds")[0];
    w->step(300);
    set(*w, field, field[14] == 'r' ? "0.5" : "2", id);
    w->step(1);
    // nobody has decided since: what is missing is part of a snapshot
    std::string error;
    const auto read = other->read_snapshot(World::snapshot_bytes(*w->snapshot()), &error);
    ASSERT_NE(read, nullptr) << error;
    other->restore(*read);
    for (int k = 0; k < 400; ++k) {
      w->step();
      other->step();
      ASSERT_EQ(w->hash(), other->hash()) << field << " " << k;
      for (const VehicleId each : w->vehicles("birds")) ASSERT_GT(w->velocity_of(each)[0], 1) << field << " " << k;
    }
  }
}

TEST(live_fields, losing_every_message_silences_the_radio_and_giving_it_back_restores_it) {
  auto w = make(migrating(6));
  const auto delivered = [&] { return w->radio().outcomes[0].second; };
  w->step(100);
  EXPECT_GT(delivered(), 0u);
  set(*w, "radio.loss", "1");
  w->step(10);  // what is on the air meanwhile
  const auto before = delivered();
  w->step(200);
  EXPECT_EQ(delivered(), before);
  EXPECT_TRUE(w->decision_state_of(w->vehicles()[0]).hears.empty());
  set(*w, "radio.loss", "0");
  w->step(50);
  EXPECT_GT(delivered(), before);
  EXPECT_FALSE(w->decision_state_of(w->vehicles()[0]).hears.empty());
}

TEST(live_fields, every_listed_field_can_be_set_to_what_it_is) {
  auto w = make(migrating(3));
  w->step(20);
  std::size_t n = 0;
  for (const VehicleId id : {VehicleId{}, w->vehicles("birds")[0], w->vehicles("lamps")[0]})
    for (const LiveValue& f : w->fields_of(id)) {
      if (f.value.empty()) continue;  // nothing yet, or no end
      EXPECT_EQ(why_not(*w, id, {f.path, f.value}), "") << f.path;
      ++n;
    }
  EXPECT_GT(n, 60u);
}

// fields of every kind, one after the other
void change_a_lot(World& w) {
  const VehicleId bird = w.vehicles("birds")[0], lamp = w.vehicles("lamps")[0];
  switch (w.tick()) {
    case 10: return set(w, "behaviours[0].reynolds.spacing", "7", bird);
    case 15: return set(w, "radio.loss", "0.4");
    case 20: return set(w, "radio.delay", "0.05");
    case 30: return set(w, "radio.delay", "0.01"), set(w, "radio.access", "csma");
    case 35: return set(w, "radio.slot", "0.003"), set(w, "radio.bit_rate", "50000");
    case 45: return set(w, "radio.bit_rate", "2e6");
    case 50: return set(w, "emits.light.intensity", "200", lamp), set(w, "node.state_rate", "25", bird);
    case 55: return set(w, "behaviours[1].weight", "2", bird), set(w, "behaviours.formation[1].spacing", "9", bird);
    case 60: return set(w, "behaviours[0].delay", "0.1", bird), set(w, "radio.access", "slotted_aloha");
    case 65: return set(w, "behaviours[0].nonsense", "1", bird), set(w, "node.decision_rate", "20", bird);
    default: return;
  }
}

TEST(live_fields, a_snapshot_carries_what_was_changed) {
  const WorldDef def = migrating(12);
  for (const std::uint64_t taken : {25u, 33u, 47u, 58u, 70u}) {
    auto w = make(def);
    for (std::uint64_t t = 0; t < taken; ++t) change_a_lot(*w), w->step();
    const auto bytes = World::snapshot_bytes(*w->snapshot());
    auto other = make(def);
    set(*other, "radio.loss", "0.9");  // what it was told before is forgotten
    set(*other, "behaviours.reynolds.speed", "1");
    other->step(5);
    std::string error;
    const auto read = other->read_snapshot(bytes, &error);
    ASSERT_NE(read, nullptr) << error;
    other->restore(*read);
    auto copy = w->branch({});
    for (std::uint64_t t = taken; t < taken + 60; ++t) {
      for (World* each : {w.get(), other.get(), copy.get()}) change_a_lot(*each), each->step();
      ASSERT_EQ(w->hash(), other->hash()) << taken << " " << t;
      ASSERT_EQ(w->hash(), copy->hash()) << taken << " " << t;
    }
  }
}

TEST(live_fields, have_one_answer_on_any_number_of_threads) {
  std::vector<std::vector<std::uint64_t>> all;
  for (const int threads : {1, 3}) {
    auto w = make(migrating(37), {.threads = threads, .force_split = true});
    std::vector<std::uint64_t>& list = all.emplace_back();
    for (int t = 0; t < 120; ++t) change_a_lot(*w), w->step(), list.push_back(w->hash());
  }
  EXPECT_EQ(all[0], all[1]);
}

TEST(live_fields, the_hash_knows_of_a_change_before_anybody_acts_on_it) {
  auto plain = make(migrating(3)), changed = make(migrating(3));
  for (World* w : {plain.get(), changed.get()}) w->step(11);
  set(*changed, "behaviours.reynolds.range", "1000");
  plain->step(), changed->step();
  EXPECT_EQ(plain->hash_of(plain->vehicles()[0]), changed->hash_of(changed->vehicles()[0]));
  EXPECT_NE(plain->hash(), changed->hash());
}

TEST(live_fields, what_cannot_be_set_is_refused_with_the_reason_and_nothing_changes) {
  struct Case {
    const char *path, *value, *why;
  };
  const Case cases[] = {
      {"radio.los", "0.1", "radio.los: there is no such field (did you mean 'loss'?)"},
      {"radio.loss", "1.5", "radio.loss: 1.5 is out of range: must be between 0 and 1"},
      {"radio.model", "ideal", "radio.model: cannot be changed in flight"},
      {"radio.fading", "rician", "radio.fading: unknown value 'rician'"},
      {"behaviours.reynold.speed", "2", "there is no 'reynold' in the list (did you mean 'reynolds'?)"},
      {"behaviours.reynolds.sped", "2", "behaviours[0].reynolds.sped: there is no such field (did you mean 'speed'?)"},
      {"behaviours.reynolds.speed", "fast", "behaviours[0].reynolds.speed: expected a number, found 'fast'"},
      {"behaviours.reynolds.speed", "-1", "must be between 0.1 and 100 m/s"},
      {"behaviours.formation.spacing", "2", "there are 2 of 'formation' (name one: formation[0])"},
      {"behaviours[3].weight", "2", "there are only 3 in the list"},
      {"behaviours[0].speed", "2", "behaviours[0].speed: there is no such field"},
      {"behaviours[0]", "2", "behaviours[0]: has fields of its own"},
      {"behaviours[0].rate", "50", "behaviours[0].rate: would be above the decision_rate of the node"},
      {"node.memory", "99", "node.memory: cannot be changed in flight"},
      {"mass", "1", "mass: there is no such field"},
      {"", "1", "there is no such field"},
  };
  auto w = make(migrating(3)), plain = make(migrating(3));
  const VehicleId id = w->vehicles()[0];
  for (const Case& c : cases) {
    SCOPED_TRACE(c.path);
    EXPECT_NE(why_not(*w, id, {c.path, c.value}).find(c.why), std::string::npos) << why_not(*w, id, {c.path, c.value});
    set(*w, c.path, c.value, id);
    w->take_events();
    w->step(), plain->step();
    const auto events = w->take_events();
    ASSERT_EQ(events.size(), 1u);
    EXPECT_TRUE(events[0].what.starts_with("refused: ")) << events[0].what;
    EXPECT_NE(events[0].what.find(c.why), std::string::npos) << events[0].what;
    EXPECT_EQ(w->hash(), plain->hash());
  }
}

TEST(live_fields, without_a_target_the_flock_that_knows_most_of_the_path_says_what_is_wrong) {
  auto w = make(migrating(3));
  EXPECT_EQ(why_not(*w, {}, {"emits.light.intensity", "5"}), "");
  EXPECT_EQ(why_not(*w, {}, {"emits.light.intesity", "5"}), "emits[0].light.intesity: there is no such field (did you mean 'intensity'?)");
  set(*w, "emits.light.intesity", "5");
  w->step();
  EXPECT_EQ(w->take_events().back().what, "refused: emits[0].light.intesity: there is no such field (did you mean 'intensity'?)");
}

TEST(live_fields, a_weight_may_name_one_of_two_equal_kinds) {
  auto w = make(migrating(3));
  const VehicleId id = w->vehicles()[0];
  Input in;
  in.target = id;
  in.payload = SetBehaviour{"formation[1]", 3};
  w->submit(in);
  w->step();
  EXPECT_EQ(w->decision_state_of(id).behaviours[1].weight, 0);
  EXPECT_EQ(w->decision_state_of(id).behaviours[2].weight, 3);
  in.payload = SetBehaviour{"formation", 4};
  w->submit(in);
  w->step();
  EXPECT_EQ(w->decision_state_of(id).behaviours[1].weight, 4);
  EXPECT_EQ(w->decision_state_of(id).behaviours[2].weight, 4);
  in.payload = SetBehaviour{"formation[2]", 4};
  w->submit(in);
  w->take_events();
  w->step();
  EXPECT_EQ(w->take_events().size(), 1u);  // refused
}

TEST(live_fields, a_script_is_given_its_new_numbers) {
  WorldDef def = migrating(2);
  const std::string text = "params = { climb = 0 }\nfunction act(me) fly(0, 0, me.params.climb) end\n";
  def.flocks[0].node.behaviours = {
      {.kind = swarm::kScript, .params = std::make_shared<swarm::ScriptDef>(swarm::ScriptDef{"rise", "rise.lua", text, {{"climb", 0.0}}})}};
  auto w = make(def);
  w->step(200);
  const VehicleId id = w->vehicles()[0];
  EXPECT_EQ(value_of(*w, id, "behaviours[0].rise.climb"), "0");
  set(*w, "behaviours.rise.climb", "1.5", id);
  w->step(200);
  EXPECT_EQ(value_of(*w, id, "behaviours[0].rise.climb"), "1.5");
  EXPECT_NEAR(w->velocity_of(id)[2], 1.5, 0.4);
}

}  // namespace
}  // namespace volary
