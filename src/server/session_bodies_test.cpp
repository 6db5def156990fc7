// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What clients see of vehicles that are several bodies and touch things: the attitudes of the aircraft, pushes, contacts, and who holds whom.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include <nlohmann/json.hpp>

#include "engine/engine_test_support.hpp"
#include "runner/runner_test_support.hpp"
#include "server/body_text.hpp"
#include "server/session.hpp"
#include "server/wire.hpp"
#include "vehicles/platform_def.hpp"
#include "volary/scenario.hpp"

namespace volary::server {
namespace {

using Json = nlohmann::json;

// a session on a clock that moves with the world, and what clients heard
struct Rig {
  test::FakeClock clock;
  std::unique_ptr<Session> session;
  std::vector<std::pair<std::uint32_t, Json>> heard;  // by client

  explicit Rig(WorldDef def) {
    def.duration = 600;
    SessionOptions options;
    options.clock = &clock;
    auto made = Session::create(def, std::move(options));
    EXPECT_TRUE(made) << made.error().text();
    session = std::move(made).value();
  }
  const World& world() { return session->world(); }
  void fly(double seconds) {
    const double tick = static_cast<double>(world().def().tick_ns) * 1e-9;
    for (double t = 0; t < seconds - 1e-9; t += tick) {
      session->turn();
      clock.time += tick;
      session->watch();
      for (const Outgoing& o : session->take_outgoing()) heard.emplace_back(o.client, Json::parse(*o.text));
    }
  }
  std::vector<Json> bodies(std::uint32_t client) const {
    std::vector<Json> list;
    for (const auto& [to, m] : heard)
      if (m["type"] == wire::kBodies && to == client) list.push_back(m);
    return list;
  }
  std::uint16_t state(std::size_t k) {
    const auto frame = decode_frame(session->frame()->bytes);
    EXPECT_TRUE(frame) << frame.error().text();
    return frame.value().vehicles[k].state;
  }
  void act(const char* command, const Json& args) {
    const core::Result<Action> action = parse_action(command, args);
    ASSERT_TRUE(action) << action.error().text();
    const core::Status done = session->act(1, action.value());
    EXPECT_TRUE(done) << done.error().text();
  }
  Json contacts(const std::string& who) {
    const core::Result<std::string> text = session->contacts_text(who);
    EXPECT_TRUE(text) << text.error().text();
    return text ? Json::parse(text.value()) : Json();
  }
};

Airframe shipped(const std::string& name) {
  const Loaded<Airframe> loaded = load_airframe(VOLARY_SOURCE_DIR "/assets/vehicles/" + name + ".yaml");
  EXPECT_TRUE(loaded) << loaded.error;
  return *loaded.value;
}
// the same with an end effector ahead
Airframe armed(const std::string& name, const airframe::EffectorDef& effector) {
  Airframe a = shipped(name);
  if (a.model == "platform") {
    auto def = std::make_shared<airframe::PlatformDef>(*static_cast<const airframe::PlatformDef*>(a.definition.get()));
    def->effectors = {effector};
    a.definition = std::move(def);
  } else {
    auto def = std::make_shared<airframe::MultirotorDef>(*static_cast<const airframe::MultirotorDef*>(a.definition.get()));
    def->effectors = {effector};
    a.definition = std::move(def);
  }
  return a;
}

FlockDef hovering(const std::string& name, Airframe airframe, const std::vector<Vec>& places, double yaw = 0) {
  FlockDef f;
  f.name = name;
  f.airframe = std::move(airframe);
  for (const Vec& p : places) {
    VehicleDef v;
    v.position_W = v.centre_W = p;
    v.yaw = yaw;
    v.mode = Mode::Hold;
    f.vehicles.push_back(v);
  }
  return f;
}
WorldDef world_of(std::vector<FlockDef> flocks) {
  WorldDef def;
  def.name = "bodies";
  def.seed = 3;
  def.tick_ns = 5'000'000;
  def.substeps = 5;
  def.flocks = std::move(flocks);
  return def;
}

TEST(session_bodies, aircraft_and_pushes_go_to_those_who_ask_twenty_times_a_second_and_to_nobody_else) {
  Rig rig(world_of({hovering("stars", shipped("three_star"), {{0, 0, 3}, {6, 0, 3}})}));
  rig.session->want(2, {});
  rig.fly(0.5);
  EXPECT_TRUE(rig.bodies(1).empty());
  rig.session->want_bodies(1, {"2", "nobody"});
  rig.fly(1);
  const std::vector<Json> told = rig.bodies(1);
  EXPECT_GE(told.size(), 17u);
  EXPECT_LE(told.size(), 21u);
  EXPECT_TRUE(rig.bodies(2).empty());
  ASSERT_EQ(told.back()["vehicles"].size(), 1u);
  const Json v = told.back()["vehicles"][0];
  EXPECT_EQ(v["id"], "2");
  EXPECT_EQ(v["parts"].size(), 12u) << "a quaternion for each of three aircraft";
  for (const char* field : {"wrench", "felt", "estimated", "commanded"}) EXPECT_EQ(v[field].size(), 6u) << field;
  EXPECT_FALSE(v.contains("contacts")) << "it touches nothing";
  EXPECT_FALSE(v.contains("held_by"));
  rig.heard.clear();
  rig.session->leave(1);
  rig.fly(0.5);
  EXPECT_TRUE(rig.bodies(1).empty());
}

TEST(session_bodies, they_are_what_the_columns_say) {
  WorldDef def = world_of({hovering("stars", shipped("three_star"), {{0, 0, 3}})});
  def.environment.wind_W = {4, 1, 0};
  Rig rig(def);
  rig.session->want_bodies(1, {"1"});
  rig.fly(2);
  for (int k = 0; k < 20 && rig.bodies(1).back()["tick"] != rig.world().tick(); ++k) rig.fly(0.005);
  ASSERT_EQ(rig.bodies(1).back()["tick"], rig.world().tick());
  const Json v = rig.bodies(1).back()["vehicles"][0];
  const World& w = rig.world();
  for (std::size_t part = 0; part < 3; ++part) {
    const View q = w.view("stars", "part" + std::to_string(part + 1) + ".attitude");
    for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(v["parts"][4 * part + k].get<double>(), q.at(0, k), 1e-5);
  }
  EXPECT_GT(std::abs(v["parts"][2].get<double>()), 0.005) << "it leans into the wind";
  const View estimate = w.view("stars", "wrench_estimate");
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(v["estimated"][k].get<double>(), estimate.at(0, k), 1e-4);
}

TEST(session_bodies, vehicles_of_one_body_that_touch_nothing_say_nothing) {
  Rig rig(test::circling(2));
  rig.session->want_bodies(1, {"1", "2"});
  rig.fly(0.5);
  EXPECT_TRUE(rig.bodies(1).empty());
  EXPECT_EQ(rig.contacts("1")["contacts"], Json::array());
  EXPECT_FALSE(rig.contacts("1").contains("held_by"));
  EXPECT_FALSE(rig.session->contacts_text("nobody"));
}

TEST(session_bodies, at_most_32_vehicles_are_asked_for) {
  Json ids = Json::array();
  for (int k = 1; k <= 32; ++k) ids.push_back(std::to_string(k));
  EXPECT_TRUE(parse_client_message(Json{{"type", "want"}, {"rate", 10}, {"bodies", ids}}.dump()));
  ids.push_back("33");
  const auto refused = parse_client_message(Json{{"type", "want"}, {"rate", 10}, {"bodies", ids}}.dump());
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().text().find("at most 32"), std::string::npos) << refused.error().text();
}

TEST(session_bodies, a_pole_at_a_wall_has_contacts_with_their_forces) {
  airframe::EffectorDef pole;
  pole.name = "pole", pole.position = {0.15, 0, 0}, pole.length = 1;
  WorldDef def = world_of({hovering("stars", armed("three_star", pole), {{0, 0, 3}})});
  WallDef wall;
  wall.centre_W = {1.3, 0, 3}, wall.yaw = 3.14159265358979323846, wall.height = 4, wall.width = 4;
  def.environment.structures.push_back({"wall", wall});
  def.events.push_back({.time = 0.2, .what = "pose", .flock = "stars", .vehicle = 0, .position_W = {0.6, 0, 3}});
  Rig rig(def);
  rig.session->want_bodies(1, {"1"});
  rig.fly(6);
  const Json told = rig.contacts("1");
  ASSERT_FALSE(told["contacts"].empty());
  EXPECT_NEAR(told["contacts"][0]["point"][0].get<double>(), 1.3, 0.05);
  EXPECT_LT(told["contacts"][0]["force"][0].get<double>(), 0) << "the wall pushes it back";
  const std::vector<Json> all = rig.bodies(1);
  const auto touching = std::find_if(all.rbegin(), all.rend(), [](const Json& m) { return m["vehicles"][0].contains("contacts"); });
  ASSERT_NE(touching, all.rend());
  const Json list = (*touching)["vehicles"][0]["contacts"];
  EXPECT_EQ(list.size() % 6, 0u);
  EXPECT_LT(list[3].get<double>(), 0);
  EXPECT_LT((*touching)["vehicles"][0]["wrench"][0].get<double>(), 0);
}

TEST(session_bodies, what_a_platform_does_about_pushes_is_told) {
  Rig rig(world_of({hovering("stars", shipped("three_star"), {{0, 0, 3}}), hovering("plain", shipped("x500"), {{6, 0, 3}})}));
  rig.session->want_bodies(1, {"1", "2"});
  rig.fly(0.2);
  const Json both = rig.bodies(1).back()["vehicles"];
  EXPECT_EQ(both[0]["reaction"], "stiff");
  for (const Json& one : both) EXPECT_EQ(one.contains("reaction"), one["id"] == "1");
  rig.act("input", {{"kind", "reaction"}, {"ids", {"1"}}, {"fields", {{"kind", "press"}, {"force", {-3, 0, 0}}}}});
  rig.fly(0.2);
  const Json v = rig.bodies(1).back()["vehicles"][0];
  EXPECT_EQ(v["reaction"], "press");
  EXPECT_EQ(v["commanded"], Json({-3, 0, 0, 0, 0, 0}));
}

TEST(session_bodies, a_platform_in_hand_flies_tilts_stays_tilted_and_levels) {
  Rig rig(world_of({hovering("stars", shipped("three_star"), {{0, 0, 5}})}));
  rig.fly(0.5);
  const auto angle = [&](std::size_t k) { return rig.world().view("stars", "setpoint.angle").at(0, k); };
  const auto steer = [&](double seconds, const ControlMessage& m) {
    for (double t = 0; t < seconds - 1e-9; t += 0.05) {
      const core::Status given = rig.session->control(1, m);
      EXPECT_TRUE(given) << given.error().text();
      rig.fly(0.05);
    }
  };
  rig.act("take", {{"id", "1"}});
  steer(4, {.who = "1", .velocity = {0.5, 0, 0}});
  EXPECT_NEAR(rig.world().velocity_of(rig.world().vehicles()[0])[0], 0.5, 0.1);
  EXPECT_NEAR(angle(1), 0, 1e-6);
  steer(1, {.who = "1", .roll_rate = -0.1, .pitch_rate = 0.2});
  steer(2, {.who = "1"});
  EXPECT_NEAR(angle(0), -0.1, 0.011);
  EXPECT_NEAR(angle(1), 0.2, 0.021);
  const View q = rig.world().view("stars", "attitude");
  EXPECT_NEAR(2 * q.at(0, 2), 0.2, 0.04) << "the body follows";
  EXPECT_NEAR(2 * q.at(0, 1), -0.1, 0.03);
  // never further than the limit
  steer(3, {.who = "1", .pitch_rate = 1});
  EXPECT_NEAR(angle(1), 0.6, 1e-6);
  steer(4, {.who = "1", .is_levelling = true});
  EXPECT_EQ(angle(0), 0);
  EXPECT_EQ(angle(1), 0);
  EXPECT_TRUE(rig.world().is_alive(rig.world().vehicles()[0]));
}

TEST(session_bodies, a_platform_taken_in_the_middle_of_a_turn_keeps_its_angles_and_does_not_turn_on) {
  WorldDef def = world_of({hovering("stars", shipped("three_star"), {{0, 0, 5}})});
  def.flocks[0].vehicles[0].mode = Mode::Mission;
  def.flocks[0].vehicles[0].turning.amplitude = {0.3, 0, 0};
  def.flocks[0].vehicles[0].turning.rate = {1, 0, 0};
  Rig rig(def);
  rig.fly(2.6);
  const double before = rig.world().view("stars", "setpoint.angle").at(0, 0);
  ASSERT_GT(std::abs(before), 0.03);
  ASSERT_GT(std::abs(rig.world().view("stars", "setpoint.angle_rate").at(0, 0)), 0.03);
  rig.act("take", {{"id", "1"}});
  for (int k = 0; k < 20; ++k) {
    ASSERT_TRUE(rig.session->control(1, {.who = "1"}));
    rig.fly(0.05);
  }
  EXPECT_NEAR(rig.world().view("stars", "setpoint.angle").at(0, 0), before, 1e-6);
  EXPECT_EQ(rig.world().view("stars", "setpoint.angle_rate").at(0, 0), 0);
}

TEST(session_bodies, only_platforms_in_hand_take_roll_and_pitch) {
  Rig rig(world_of({hovering("plain", shipped("x500"), {{0, 0, 3}})}));
  rig.fly(0.1);
  rig.act("take", {{"id", "1"}});
  EXPECT_TRUE(rig.session->control(1, {.who = "1"}));
  const core::Status refused = rig.session->control(1, {.who = "1", .pitch_rate = 0.1});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().text().find("takes no roll and pitch"), std::string::npos) << refused.error().text();
}

TEST(session_bodies, a_pose_ends_flying_by_hand_and_the_way_to_a_goal) {
  Rig rig(world_of({hovering("stars", shipped("three_star"), {{0, 0, 3}})}));
  const auto goals = [&] {
    const auto last = std::find_if(rig.heard.rbegin(), rig.heard.rend(), [](const auto& m) { return m.second["type"] == wire::kGoals; });
    return last == rig.heard.rend() ? 0 : last->second["goals"].size();
  };
  rig.fly(0.1);
  rig.act("goto", {{"ids", {"1"}}, {"position", {1, 0, 3}}});
  rig.fly(0.6);
  EXPECT_EQ(goals(), 1u);
  rig.act("input", {{"kind", "pose"}, {"ids", {"1"}}, {"fields", {{"position", {0, 0, 3}}}}});
  rig.fly(0.6);
  EXPECT_EQ(goals(), 0u);
  rig.act("take", {{"id", "1"}});
  rig.act("input", {{"kind", "pose"}, {"ids", {"1"}}, {"fields", {{"position", {1, 0, 3}}, {"pitch", 0.1}}}});
  EXPECT_FALSE(rig.session->control(1, {.who = "1"})) << "it is not in hand any more";
  rig.fly(8);
  EXPECT_NEAR(rig.world().position_of(rig.world().vehicles()[0])[0], 1, 0.15);
}

TEST(session_bodies, vehicles_that_a_latch_joins_have_a_mark_and_name_each_other) {
  airframe::EffectorDef cone, cylinder;
  cone.name = "cone", cone.kind = airframe::EffectorKind::Cone, cone.position = {0.45, 0, 0}, cone.length = 0.15, cone.radius = 0.03;
  cylinder.name = "cylinder", cylinder.kind = airframe::EffectorKind::Cylinder, cylinder.position = {0.45, 0, 0}, cylinder.length = 0.5;
  constexpr double kBack = 3.14159265358979323846;
  WorldDef def = world_of({hovering("dock", armed("x500", cone), {{0, 0, 3}}), hovering("guest", armed("x500", cylinder), {{1.41, 0, 3}}, kBack)});
  def.flocks[1].docking.with = "dock";
  EXPECT_EQ(docking_flocks(def), (std::vector<bool>{true, true}));
  Rig rig(def);
  rig.session->want_bodies(1, {"1", "2"});
  rig.fly(1);
  EXPECT_NE(rig.state(0) & wire::kHeld, 0);
  EXPECT_NE(rig.state(1) & wire::kHeld, 0);
  const Json both = rig.bodies(1).back()["vehicles"];
  EXPECT_EQ(both[0]["held_by"], "2");
  EXPECT_EQ(both[1]["held_by"], "1");
  EXPECT_EQ(rig.contacts("1")["held_by"], 2);
}

TEST(session_bodies, a_load_has_its_pose_and_every_cable_its_ends_and_its_tension) {
  WorldDef def = world_of({hovering("left", shipped("x500"), {{0, 0.5, 4}}), hovering("right", shipped("x500"), {{0, -0.5, 4}})});
  def.flocks[0].load = LoadDef{.mass = 0.6, .size = {0.2, 0.2, 0.2}, .cable = {.length = 1}, .hooks = {{0, 0.1, 0.1}, {0, -0.1, 0.1}}, .with = {"right"}};
  Rig rig(def);
  rig.session->want_bodies(1, {"1", "2"});
  rig.fly(4);
  const Json both = rig.bodies(1).back()["vehicles"];
  ASSERT_EQ(both.size(), 2u);
  EXPECT_FALSE(both[1].contains("load")) << "it is told with the flock that has it";
  const Json v = both[0];
  ASSERT_EQ(v["load"].size(), 7u);
  ASSERT_EQ(v["cables"].size(), 14u);
  for (std::size_t c = 0; c < 2; ++c) {
    const auto x = [&](std::size_t k) { return v["cables"][7 * c + k].get<double>(); };
    EXPECT_NEAR(std::hypot(x(0) - x(3), x(1) - x(4), x(2) - x(5)), 1, 0.02);
    EXPECT_GT(x(6), 2);
    EXPECT_NEAR(x(5), v["load"][2].get<double>() + 0.1, 0.02);
  }
}

TEST(session_bodies, flocks_that_nobody_docks_with_have_no_mark) {
  WorldDef def = world_of({hovering("stars", shipped("three_star"), {{0, 0, 3}})});
  EXPECT_EQ(docking_flocks(def), std::vector<bool>{false});
  Rig rig(def);
  rig.fly(0.1);
  EXPECT_EQ(rig.state(0) & wire::kHeld, 0);
}

}  // namespace
}  // namespace volary::server
