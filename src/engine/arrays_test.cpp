// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Agents as flat arrays, and vehicles that fly variants of an airframe.
#include <cmath>

#include "agents/task_check.hpp"
#include "engine/engine_test_support.hpp"

namespace volary {
namespace {

const std::vector<std::string> kEverything = [] {
  std::vector<std::string> names;
  for (const ObservationTerm& t : observation_terms())
    if (!t.needs_task && agents::find_observation(t.name)->needs == agents::kNothing) names.push_back(t.name);  // src/learning has tests of the others
  return names;
}();

AgentArrays use(World& w, std::optional<ControlLevel> actions, std::vector<std::string> terms = kEverything) {
  std::string error;
  EXPECT_TRUE(w.use_arrays({.flock = "birds", .observations = std::move(terms), .actions = actions}, &error)) << error;
  return w.arrays("birds");
}

// number k of a term of an agent
float observed(const AgentArrays& a, std::size_t world, std::size_t agent, const std::string& term, std::size_t k) {
  for (const ObservationTerm& t : a.terms)
    if (t.name == term) return a.observations[(world * a.agents + agent) * a.observation_size + t.offset + k];
  ADD_FAILURE() << "no term " << term;
  return 0;
}
void act(const AgentArrays& a, std::size_t world, std::size_t agent, std::vector<float> action) {
  ASSERT_EQ(action.size(), a.action_size);
  std::copy(action.begin(), action.end(), a.actions.begin() + static_cast<std::ptrdiff_t>((world * a.agents + agent) * a.action_size));
}

TEST(arrays, observations_are_the_state_of_every_agent_after_the_tick) {
  for (const Precision precision : {Precision::Float, Precision::Double}) {
    WorldDef def = test::circling(5);  // worlds begin in the middle of blocks
    def.worlds = 7;
    def.precision = precision;
    auto w = test::make(def, {.threads = 2, .force_split = true});
    const AgentArrays a = use(*w, std::nullopt);
    EXPECT_EQ(a.observations.size(), 7 * 5 * a.observation_size);
    for (const std::uint64_t ticks : {0u, 1u, 40u}) {
      w->step(ticks);
      const auto number = [&](const char* column, std::size_t slot, std::size_t k) { return w->view("birds", column).at(slot, k); };
      for (std::size_t world = 0; world < 7; ++world)
        for (std::size_t agent = 0; agent < 5; ++agent) {
          const std::size_t slot = world * 5 + agent;
          Vec back = {0, 0, 0};
          for (std::size_t k = 0; k < 3; ++k) {
            EXPECT_EQ(observed(a, world, agent, "position", k), static_cast<float>(number("position", slot, k)));
            EXPECT_EQ(observed(a, world, agent, "velocity", k), static_cast<float>(number("velocity", slot, k)));
            EXPECT_EQ(observed(a, world, agent, "angular_velocity", k), static_cast<float>(number("omega", slot, k)));
            EXPECT_NEAR(observed(a, world, agent, "to_setpoint", k), number("setpoint.position", slot, k) - number("position", slot, k), 1e-5);
            for (std::size_t j = 0; j < 3; ++j) back[k] += observed(a, world, agent, "rotation", 3 * k + j) * observed(a, world, agent, "body_velocity", j);
            EXPECT_NEAR(back[k], number("velocity", slot, k), 1e-4);
          }
          for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(observed(a, world, agent, "attitude", k), static_cast<float>(number("attitude", slot, k)));
        }
    }
  }
}

TEST(arrays, actions_are_setpoints_and_equal_an_input_bit_for_bit) {
  for (const Precision precision : {Precision::Float, Precision::Double}) {
    WorldDef def = test::circling(3);
    def.worlds = 3;
    def.precision = precision;
    auto by_array = test::make(def), by_input = test::make(def);
    const AgentArrays a = use(*by_array, ControlLevel::Velocity, {});
    ASSERT_EQ(a.action_size, 4u);
    for (std::uint64_t tick = 0; tick < 50; ++tick) {
      for (std::size_t world = 0; world < 3; ++world)
        for (std::size_t agent = 0; agent < 3; ++agent) {
          const auto x = 0.25f * static_cast<float>(world) - 0.125f * static_cast<float>(tick % 7);
          act(a, world, agent, {x, 0.5f, 0.25f, 0.1f});
          by_input->submit({.target = {world * kNumbersPerWorld + agent + 1},
                            .payload = SetSetpoint{.level = ControlLevel::Velocity, .velocity_W = {x, 0.5, 0.25}, .yaw = static_cast<double>(0.1f)}});
        }
      by_array->step(1), by_input->step(1);
      ASSERT_EQ(by_array->hash(), by_input->hash()) << "tick " << tick;
    }
  }
}

TEST(arrays, every_control_level_takes_as_many_numbers_as_the_bulk_input) {
  const WorldDef def = test::circling(2);
  auto w = test::make(def);
  const std::pair<ControlLevel, std::size_t> sizes[] = {{ControlLevel::MotorSpeeds, 4}, {ControlLevel::Rates, 4},    {ControlLevel::Attitude, 5},  {ControlLevel::Acceleration, 4},
                                                        {ControlLevel::Velocity, 4},    {ControlLevel::Position, 4}, {ControlLevel::Trajectory, 14}};
  for (const auto& [level, size] : sizes) EXPECT_EQ(use(*w, level, {}).action_size, size);
}

TEST(arrays, an_agent_without_an_action_or_stopped_goes_its_own_way) {
  WorldDef def = test::circling(4);
  auto w = test::make(def), free = test::make(def);
  const AgentArrays a = use(*w, ControlLevel::Position, {});
  for (World* one : {w.get(), free.get()}) one->submit({.target = {3}, .payload = SetMode{Mode::EmergencyStop}});
  act(a, 0, 1, {2, 2, 5, 0});
  act(a, 0, 2, {2, 2, 5, 0});
  w->step(100), free->step(100);
  for (const std::uint64_t number : {1u, 3u, 4u}) EXPECT_EQ(w->hash_of({number}), free->hash_of({number})) << number;
  EXPECT_NE(w->hash_of({2}), free->hash_of({2}));
  EXPECT_EQ(w->mode_of({3}), Mode::EmergencyStop);
}

TEST(arrays, a_world_that_begins_again_is_observed_at_its_start) {
  WorldDef def = test::circling(3);
  def.worlds = 4;
  auto w = test::make(def);
  const AgentArrays a = use(*w, std::nullopt, {"position", "velocity"});
  const std::vector<float> first(a.observations.begin(), a.observations.end());
  w->step(50);
  const std::vector<float> before(a.observations.begin(), a.observations.end());
  EXPECT_NE(before, first);
  w->reset(std::vector<std::uint8_t>{0, 1, 1, 0});
  const std::size_t each = 3 * a.observation_size;
  for (std::size_t k = 0; k < first.size(); ++k) EXPECT_EQ(a.observations[k], k / each == 1 || k / each == 2 ? first[k] : before[k]) << k;
}

TEST(arrays, a_wrong_name_is_answered_with_the_nearest) {
  auto w = test::make(test::circling(1));
  std::string error;
  EXPECT_FALSE(w->use_arrays({.flock = "birds", .observations = {"positon"}, .actions = {}}, &error));
  EXPECT_NE(error.find("position"), std::string::npos) << error;
  EXPECT_FALSE(w->use_arrays({.flock = "bird", .observations = {}, .actions = {}}, &error));
  EXPECT_NE(error.find("birds"), std::string::npos) << error;
  EXPECT_TRUE(w->arrays("birds").observations.empty());
}

// ---------------------------------------------------------------- variants

Airframe heavier(double share) {
  const Airframe own = test::small_quadrotor();
  auto def = std::make_shared<airframe::MultirotorDef>(*static_cast<const airframe::MultirotorDef*>(own.definition.get()));
  def->mass *= share;
  def->name = "heavier";
  return {own.model, def->name, def};
}
WorldDef varied(int worlds) {
  WorldDef def = test::circling(4);
  def.worlds = worlds;
  for (const double share : {0.8, 0.9, 1.1, 1.2}) def.flocks[0].variants.push_back(heavier(share));
  return def;
}

TEST(variants, each_vehicle_flies_one_of_them_and_another_in_another_episode) {
  auto w = test::make(varied(20));
  w->step(30);
  const auto heights = [&] {
    std::vector<double> list;
    for (std::size_t slot = 0; slot < 80; ++slot) list.push_back(w->view("birds", "velocity").at(slot, 2));
    return list;
  };
  const std::vector<double> first = heights();
  w->reset(std::vector<std::uint8_t>(20, 1));
  w->step(30);
  const std::vector<double> second = heights();
  int same = 0;
  for (std::size_t k = 0; k < 80; ++k) same += std::abs(first[k] - second[k]) < 0.01 ? 1 : 0;  // a gust makes less of a difference
  EXPECT_GT(same, 5);
  EXPECT_LT(same, 45);
  w->reset(std::vector<std::uint8_t>(20, 1), std::vector<std::uint32_t>(20, 0));
  w->step(30);
  EXPECT_EQ(heights(), first);
}

TEST(variants, a_world_of_a_batch_draws_the_same_as_alone) {
  WorldDef def = varied(5), one = def;
  auto batch = test::make(def);
  batch->step(20);
  batch->reset(std::vector<std::uint8_t>{0, 0, 1, 0, 0}, std::vector<std::uint32_t>(5, 3));
  batch->submit({.target = {2 * kNumbersPerWorld + 1}, .payload = SetParameter{"inv_mass", 0, 20}});
  batch->step(5);
  batch->reset(std::vector<std::uint8_t>{0, 0, 1, 0, 0}, std::vector<std::uint32_t>(5, 2));
  one.worlds = 1, one.first_world = 2, one.episode = 2;
  auto alone = test::make(one);
  batch->step(60), alone->step(60);
  EXPECT_EQ(batch->hash_of_world(2), alone->hash_of_world(0)) << "a parameter that was set is forgotten too";
}

TEST(variants, an_airframe_of_another_kind_is_refused_by_name) {
  WorldDef def = test::circling(1);
  Airframe other = heavier(1);
  other.model = "balloon";
  def.flocks[0].variants = {heavier(1.1), other};
  std::string error;
  EXPECT_EQ(World::create(def, {}, &error), nullptr);
  EXPECT_NE(error.find("variants[1]"), std::string::npos) << error;
}

}  // namespace
}  // namespace volary
