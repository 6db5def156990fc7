// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a program that polls learns of the vehicles, and trajectories that are given in one request.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/engine_test_support.hpp"
#include "math/functions.hpp"
#include "runner/runner_test_support.hpp"
#include "server/session.hpp"

namespace volary::server {
namespace {

using Json = nlohmann::json;

struct Rig {
  test::FakeClock clock;
  std::unique_ptr<Session> session;

  explicit Rig(WorldDef def) {
    def.duration = 600;
    SessionOptions options;
    options.clock = &clock;
    session = std::move(Session::create(def, std::move(options)).value());
  }
  Session& s() { return *session; }
  void fly(double seconds) {
    const double tick = static_cast<double>(s().world().def().tick_ns) * 1e-9;
    for (double t = 0; t < seconds - 1e-9; t += tick) {
      s().turn();
      clock.time += tick;
      s().watch();
      s().take_outgoing();
    }
  }
  core::Status act(const char* name, const Json& args) {
    const auto action = parse_action(name, args);
    if (!action) return action.error();
    return s().act(1, action.value());
  }
  core::Result<std::string> ask(const std::string& query) {
    const auto target = parse_target("/api/live/vehicles" + (query.empty() ? "" : "?" + query));
    if (!target) return target.error();
    const auto parsed = parse_vehicle_query(target.value());
    if (!parsed) return parsed.error();
    return s().vehicles_text(parsed.value());
  }
  Json look(const std::string& query) {
    const core::Result<std::string> text = ask(query);
    EXPECT_TRUE(text) << text.error().text();
    return text ? Json::parse(text.value()) : Json();
  }
  std::string why(const std::string& query) {
    const core::Result<std::string> text = ask(query);
    return text ? "it was answered: " + query : text.error().text();
  }
};

}  // namespace

TEST(session_vehicles, every_vehicle_has_number_name_flock_state_mode_and_place) {
  Rig rig(test::circling(3));
  rig.fly(1);
  const Json all = rig.look("");
  EXPECT_EQ(all["total"], 3);
  EXPECT_EQ(all["tick"], 100);
  ASSERT_EQ(all["vehicles"].size(), 3u);
  const World& world = rig.s().world();
  for (const Json& v : all["vehicles"]) {
    const VehicleId id = world.find(v["name"]);
    EXPECT_EQ(v["id"], id.number());
    EXPECT_EQ(v["flock"], "birds");
    EXPECT_EQ(v["state"], "active");
    EXPECT_EQ(v["mode"], "mission");
    EXPECT_EQ(v["manual"], false);
    EXPECT_FALSE(v.contains("goal"));
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(v["position"][k].get<double>(), world.position_of(id)[k]);
      EXPECT_EQ(v["velocity"][k].get<double>(), world.velocity_of(id)[k]);
    }
  }
  // and what can be read and changed, with its unit
  ASSERT_EQ(all["flocks"].size(), 1u);
  const Json& flock = all["flocks"][0];
  EXPECT_EQ(flock["model"], "multirotor");
  const auto has = [](const Json& list, const char* name) { return std::any_of(list.begin(), list.end(), [&](const Json& c) { return c["name"] == name && !c["unit"].empty(); }); };
  EXPECT_TRUE(has(flock["columns"], "velocity"));
  EXPECT_TRUE(has(flock["parameters"], "mass"));
}

TEST(session_vehicles, every_column_that_is_listed_can_be_read_and_holds_the_value_of_the_world) {
  Rig rig(test::circling(2));
  rig.fly(0.5);
  const Json flock = rig.look("")["flocks"][0];
  const World& world = rig.s().world();
  ASSERT_GT(flock["columns"].size(), 5u);
  for (const Json& c : flock["columns"]) {
    const std::string name = c["name"];
    const Json answer = rig.look("ids=2&columns=" + name);
    EXPECT_FALSE(answer.contains("flocks"));
    ASSERT_EQ(answer["vehicles"].size(), 1u);
    const Json& value = answer["vehicles"][0]["columns"][name];
    const View view = world.view("birds", name);
    const std::size_t slot = world.slot_of(world.find("2"));
    if (c["components"] == 1) {
      EXPECT_EQ(value.get<double>(), view.at(slot)) << name;
      continue;
    }
    ASSERT_EQ(value.size(), c["components"].get<std::size_t>()) << name;
    // a position comes with the remainder of its rounding
    const bool is_sum = view.shape[2] == 2 * value.size();
    EXPECT_EQ(is_sum, name == "position" || name == "setpoint.position") << name;
    for (std::size_t k = 0; k < value.size(); ++k)
      if (!value[k].is_null()) EXPECT_EQ(value[k].get<double>(), view.at(slot, k) + (is_sum ? view.at(slot, 3 + k) : 0.0)) << name;
  }
}

TEST(session_vehicles, some_are_chosen_by_name_number_flock_and_part) {
  WorldDef def = test::circling(4);
  FlockDef second = def.flocks[0];
  second.name = "others";
  second.vehicles.resize(2);
  def.flocks.push_back(second);
  Rig rig(def);
  const std::string name = rig.s().world().name_of(rig.s().world().find("3"));
  const Json some = rig.look("ids=4," + name);
  ASSERT_EQ(some["vehicles"].size(), 2u);
  EXPECT_EQ(some["vehicles"][0]["id"], 4);
  EXPECT_EQ(some["vehicles"][1]["name"], name);
  EXPECT_EQ(rig.look("flock=others")["total"], 2);
  EXPECT_EQ(rig.look("flock=others")["flocks"].size(), 1u);
  const Json part = rig.look("offset=4&limit=1");
  EXPECT_EQ(part["total"], 6);
  ASSERT_EQ(part["vehicles"].size(), 1u);
  EXPECT_EQ(part["vehicles"][0]["flock"], "others");
  EXPECT_TRUE(rig.look("offset=99")["vehicles"].empty());
}

TEST(session_vehicles, a_question_without_sense_is_answered_with_what_was_meant) {
  Rig rig(test::circling(2));
  EXPECT_EQ(rig.why("columns=velocty"), "columns: no such column 'velocty' (did you mean 'velocity'?)");
  EXPECT_EQ(rig.why("flock=brids"), "no flock is called 'brids' (did you mean 'birds'?)");
  EXPECT_EQ(rig.why("ids=9"), "no vehicle has the id 9 (it may have been removed)");
  EXPECT_NE(rig.why("ids=brids[0]").find("no vehicle is called 'brids[0]' (did you mean"), std::string::npos);
  EXPECT_EQ(rig.why("column=velocity"), "column: is not a parameter (did you mean 'columns'?)");
  for (const char* bad : {"limit=0", "limit=10001", "limit=x", "offset=-1", "ids=", "ids=1,,2", "columns=a,"}) EXPECT_FALSE(rig.ask(bad)) << bad;
}

TEST(session_vehicles, one_that_is_sent_somewhere_says_where_it_goes_until_it_is_sent_elsewhere) {
  Rig rig(test::circling(2));
  ASSERT_TRUE(rig.act("goto", {{"ids", Json::array({1})}, {"position", {5, 4, 3}}}));
  rig.fly(8);
  const Json v = rig.look("ids=1")["vehicles"][0];
  EXPECT_EQ(v["goal"], Json({5, 4, 3}));
  EXPECT_NEAR(v["position"][0].get<double>(), 5, 0.3);
  ASSERT_TRUE(rig.act("mode", {{"ids", Json::array({1})}, {"mode", "land"}}));
  EXPECT_FALSE(rig.look("ids=1")["vehicles"][0].contains("goal"));
}

TEST(session_inputs, an_id_may_be_a_number) {
  Rig rig(test::circling(2));
  ASSERT_TRUE(rig.act("goto", {{"ids", {1, "2"}}, {"position", {5, 4, 3}}}));
  for (const Json& bad : {Json::array({-1}), Json::array({1.5}), Json::array({0}), Json::array({true}), Json::array(), Json(1)})
    EXPECT_FALSE(rig.act("remove", {{"ids", bad}})) << bad;
}

TEST(session_inputs, a_series_of_setpoints_is_a_trajectory_that_is_flown) {
  Rig rig(test::circling(1));
  Json series = Json::array();
  // a quarter of a circle of 2 m radius in 4 s about the place where it is
  const Vec p = rig.s().world().position_of(rig.s().world().vehicles()[0]);
  const double w = 1.5707963267948966 / 4;
  for (int k = 0; k <= 200; ++k) {
    const double t = 0.02 * k, c = math::cos(w * t), s = math::sin(w * t);
    series.push_back({{"after", t},
                      {"fields",
                       {{"level", "trajectory"},
                        {"position", {p[0] - 2 + 2 * c, p[1] + 2 * s, p[2]}},
                        {"velocity", {-2 * w * s, 2 * w * c, 0}},
                        {"acceleration", {-2 * w * w * c, -2 * w * w * s, 0}}}}});
  }
  series.push_back({{"after", 4.02}, {"fields", {{"level", "trajectory"}, {"position", {p[0] - 2, p[1] + 2, p[2]}}}}});  // and stop there
  ASSERT_TRUE(rig.act("input", {{"kind", "setpoint"}, {"ids", Json::array({1})}, {"series", series}}));
  rig.fly(2);
  const Vec half = rig.s().world().position_of(rig.s().world().vehicles()[0]);
  EXPECT_NEAR(half[0], p[0] - 2 + 2 * math::cos(2 * w), 0.25);
  EXPECT_NEAR(half[1], p[1] + 2 * math::sin(2 * w), 0.25);
  rig.fly(4);
  const Vec end = rig.s().world().position_of(rig.s().world().vehicles()[0]);
  EXPECT_NEAR(end[0], p[0] - 2, 0.3);
  EXPECT_NEAR(end[1], p[1] + 2, 0.3);
}

TEST(session_inputs, a_series_with_one_fault_is_refused_as_a_whole) {
  Rig rig(test::circling(1));
  const Json good = {{"after", 0}, {"fields", {{"level", "velocity"}}}};
  const Json misspelt = {{"after", 1}, {"fields", {{"level", "velocty"}}}}, early = {{"after", -1}, {"fields", Json::object()}}, empty = {{"after", 1}};
  const auto why = [&](const Json& args) {
    const core::Status done = rig.act("input", args);
    return done ? "it was accepted" : done.error().text();
  };
  EXPECT_EQ(why({{"kind", "setpoint"}, {"ids", Json::array({1})}, {"series", Json::array({good, misspelt})}}).rfind("input.series[1].fields.level: ", 0), 0u)
      << why({{"kind", "setpoint"}, {"ids", Json::array({1})}, {"series", Json::array({good, misspelt})}});
  EXPECT_EQ(why({{"kind", "setpoint"}, {"ids", Json::array({1})}, {"series", Json::array({good, early})}}).rfind("input.series[1].after: ", 0), 0u);
  EXPECT_EQ(why({{"kind", "setpoint"}, {"ids", Json::array({1})}, {"series", Json::array({empty})}}), "input.series[0].fields: is missing");
  EXPECT_EQ(why({{"kind", "setpint"}, {"ids", Json::array({1})}, {"series", Json::array({good})}}).rfind("input.kind: ", 0), 0u);
  EXPECT_NE(why({{"kind", "setpoint"}, {"ids", Json::array({1})}, {"series", Json::array({good})}, {"fields", Json::object()}}).find("give either fields or series"), std::string::npos);
  for (const Json& bad : {Json::array(), Json(7), Json::object(), Json(std::vector<Json>(1001, good))})
    EXPECT_NE(why({{"kind", "setpoint"}, {"ids", Json::array({1})}, {"series", bad}}).find("must be a list of 1 to 1000 objects"), std::string::npos);
  EXPECT_NE(why({{"kind", "setpoint"}, {"series", Json::array({good})}}).find("ids: is missing"), std::string::npos);
  rig.fly(0.1);
  EXPECT_TRUE(rig.s().world().pending_inputs().empty());
}

}  // namespace volary::server
