// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What clients see of sensors, estimates, faults and conditions, and the faults that they command.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "engine/senses_test_support.hpp"
#include "runner/runner_test_support.hpp"
#include "server/senses_text.hpp"
#include "server/session.hpp"
#include "server/wire.hpp"

namespace volary::server {
namespace {

using Json = nlohmann::json;

const Json kFirst = Json::array({"1"});

// a session on a clock that moves with the world, and what clients heard
struct Rig {
  test::FakeClock clock;
  std::unique_ptr<Session> session;
  std::vector<std::pair<std::uint32_t, Json>> heard;  // by client; 0: everybody

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
  core::Status act(const char* name, const Json& args, std::uint32_t client = 1) {
    const auto action = parse_action(name, args);
    if (!action) return action.error();
    return session->act(client, action.value());
  }
  std::string why(const Json& args) {
    const core::Status done = act("fault", args);
    return done ? "it was taken" : done.error().text();
  }
  std::vector<Json> estimates(std::uint32_t client) const {
    std::vector<Json> list;
    for (const auto& [to, m] : heard)
      if (m["type"] == wire::kEstimates && (to == client || to == 0)) list.push_back(m);
    return list;
  }
  int events(const std::string& begin) const {
    const auto is_such = [&](const Json& m) { return m["type"] == wire::kEvent && m["what"].get<std::string>().starts_with(begin); };
    return static_cast<int>(std::count_if(heard.begin(), heard.end(), [&](const auto& h) { return is_such(h.second); }));
  }
  std::uint16_t state(std::size_t k) {
    const auto frame = decode_frame(session->frame()->bytes);
    EXPECT_TRUE(frame) << frame.error().text();
    return frame.value().vehicles[k].state;
  }
  Json senses(const std::string& who) {
    const core::Result<std::string> text = session->senses_text(who);
    EXPECT_TRUE(text) << text.error().text();
    return text ? Json::parse(text.value()) : Json();
  }
};

TEST(session_senses, estimates_go_to_those_who_ask_ten_times_a_second_and_to_nobody_else) {
  Rig rig(test::sensing(3));
  rig.session->want(1, {});
  rig.session->want(2, {});
  rig.fly(1);
  EXPECT_TRUE(rig.estimates(1).empty());
  rig.session->want_estimates(1, {"2", "nobody"});
  rig.fly(2);
  const std::vector<Json> told = rig.estimates(1);
  EXPECT_GE(told.size(), 17u);
  EXPECT_LE(told.size(), 21u);
  EXPECT_TRUE(rig.estimates(2).empty());
  for (const Json& m : told) {
    ASSERT_EQ(m["vehicles"].size(), 1u);
    EXPECT_EQ(m["vehicles"][0]["id"], "2");
  }
  // asked for no more, or gone: no more is told
  rig.heard.clear();
  rig.session->want_estimates(1, {});
  rig.fly(0.5);
  rig.session->want_estimates(1, {"1"});
  rig.session->leave(1);
  rig.fly(0.5);
  EXPECT_TRUE(rig.estimates(1).empty());
}

TEST(session_senses, an_estimate_is_what_the_world_says_with_the_covariance_of_its_position) {
  Rig rig(test::sensing(2));
  rig.session->want_estimates(1, {"1"});
  rig.fly(5);
  // they come ten times a second: until one is of this tick
  for (int k = 0; k < 20 && rig.estimates(1).back()["tick"] != rig.world().tick(); ++k) rig.fly(0.01);
  const Json m = rig.estimates(1).back(), e = m["vehicles"][0];
  ASSERT_EQ(m["tick"], rig.world().tick());
  const std::size_t slot = rig.world().slot_of(rig.world().find("1"));
  const Vec estimate = test::place(rig.world(), "estimate.position", slot), truth = rig.world().position_of(rig.world().find("1"));
  const std::vector<double> velocity = test::values(rig.world(), "estimate.velocity", slot), attitude = test::values(rig.world(), "estimate.attitude", slot);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(e["position"][k].get<double>(), estimate[k], 1e-4);
    EXPECT_NEAR(e["position"][k].get<double>(), truth[k], 3);
    EXPECT_NEAR(e["velocity"][k].get<double>(), velocity[k], 1e-4);
  }
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(e["attitude"][k].get<double>(), attitude[k], 1e-5);
  // rows of the upper triangle of 15 states: the position begins at state 6
  const std::vector<double> covariance = test::values(rig.world(), "filter.covariance", slot);
  ASSERT_EQ(covariance.size(), 120u);
  const std::size_t at[6] = {75, 76, 77, 84, 85, 92};
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(e["covariance"][k].get<double>(), covariance[at[k]], 1e-5 * std::abs(covariance[at[k]]));
  for (const std::size_t k : {0u, 3u, 5u}) {
    EXPECT_GT(e["covariance"][k].get<double>(), 1e-6);
    EXPECT_LT(e["covariance"][k].get<double>(), 25);
  }
  EXPECT_EQ(e["health"].get<int>() & 7, 7) << "attitude, velocity and position are known";
}

TEST(session_senses, every_sensor_that_is_carried_is_told_with_tick_age_and_innovation) {
  WorldDef def = test::sensing(2);
  def.flocks[0].vehicles[1].without = {"barometer"};
  Rig rig(def);
  rig.session->want_estimates(1, {"1", "2"});
  rig.fly(3);
  const Json told = rig.estimates(1).back();
  const auto names_of = [](const Json& vehicle) {
    std::vector<std::string> list;
    for (const Json& s : vehicle["sensors"]) list.push_back(s["name"]);
    return list;
  };
  EXPECT_EQ(names_of(told["vehicles"][0]), (std::vector<std::string>{"imu", "gnss", "barometer", "magnetometer"}));
  EXPECT_EQ(names_of(told["vehicles"][1]), (std::vector<std::string>{"imu", "gnss", "magnetometer"}));
  const Json gnss = told["vehicles"][0]["sensors"][1];
  EXPECT_EQ(gnss["valid"], true);
  // ten a second, 0.12 s late
  EXPECT_GE(gnss["age"].get<double>(), 0.12 - 1e-9);
  EXPECT_LE(gnss["age"].get<double>(), 0.23);
  EXPECT_NEAR(gnss["age"].get<double>(), (told["tick"].get<double>() - gnss["tick"].get<double>()) * 0.01, 1e-6);
  EXPECT_GT(gnss["nis"].get<double>(), 0);
  EXPECT_EQ(gnss["refused"], 0);
  EXPECT_FALSE(told["vehicles"][0]["sensors"][0].contains("age")) << "the IMU has no readings that age";
}

TEST(session_senses, sensors_without_an_estimator_have_no_estimate_and_vehicles_without_sensors_say_nothing) {
  WorldDef def = test::sensing(1);
  def.flocks[0].estimator.kind = EstimatorKind::None;
  Rig sensors(def), plain(test::circling(1));
  for (Rig* rig : {&sensors, &plain}) {
    rig->session->want_estimates(1, {"1"});
    rig->fly(1);
  }
  ASSERT_FALSE(sensors.estimates(1).empty());
  const Json e = sensors.estimates(1).back()["vehicles"][0];
  EXPECT_EQ(e["sensors"].size(), 4u);
  for (const char* field : {"position", "covariance", "health"}) EXPECT_FALSE(e.contains(field)) << field;
  EXPECT_FALSE(e["sensors"][1].contains("nis"));
  EXPECT_TRUE(plain.estimates(1).empty());
}

TEST(session_senses, at_most_200_vehicles_are_asked_for) {
  Json ids = Json::array();
  for (int k = 1; k <= 200; ++k) ids.push_back(std::to_string(k));
  EXPECT_TRUE(parse_client_message(Json{{"type", "want"}, {"rate", 10}, {"estimates", ids}}.dump()));
  ids.push_back("201");
  const auto refused = parse_client_message(Json{{"type", "want"}, {"rate", 10}, {"estimates", ids}}.dump());
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().text().find("at most 200"), std::string::npos) << refused.error().text();
}

TEST(session_senses, a_fault_is_an_input_an_event_and_a_mark_in_frames_until_it_ends) {
  Rig rig(test::circling(2));
  rig.fly(0.2);
  EXPECT_EQ(rig.state(0) & (wire::kFault | wire::kFailsafe | wire::kCrashed), 0);
  ASSERT_TRUE(rig.act("fault", {{"ids", kFirst}, {"component", "rotor[2]"}, {"kind", "scale"}, {"amount", 0.9}, {"duration", 5}}));
  rig.fly(0.1);
  EXPECT_EQ(rig.events("fault: rotor[2] scale 0.9 for 5 s"), 1);
  EXPECT_NE(rig.state(0) & wire::kFault, 0);
  EXPECT_EQ(rig.state(1) & wire::kFault, 0);
  const Json told = rig.senses("1");
  ASSERT_EQ(told["faults"].size(), 1u);
  EXPECT_EQ(told["faults"][0]["component"], "rotor[2]");
  EXPECT_EQ(told["faults"][0]["kind"], "scale");
  EXPECT_EQ(told["faults"][0]["amount"], Json::array({0.9, 0.0, 0.0}));
  EXPECT_NEAR(told["faults"][0]["duration"].get<double>(), 5, 1e-9);
  ASSERT_TRUE(rig.act("fault", {{"ids", kFirst}, {"component", "rotor[2]"}, {"kind", "none"}}));
  rig.fly(0.1);
  EXPECT_EQ(rig.events("fault ended: rotor[2]"), 1);
  EXPECT_EQ(rig.state(0) & wire::kFault, 0);
  EXPECT_TRUE(rig.senses("1")["faults"].empty());
}

TEST(session_senses, a_fault_that_cannot_be_is_refused_and_names_what_can) {
  Rig rig(test::circling(1));
  rig.fly(0.1);
  const auto fault = [](Json more) {
    Json args = {{"ids", kFirst}, {"component", "rotor[0]"}, {"kind", "off"}};
    args.update(more);
    return args;
  };
  const auto says = [&](const Json& args, const char* text) {
    const std::string why = rig.why(args);
    EXPECT_NE(why.find(text), std::string::npos) << args << ": " << why;
  };
  says(fault({{"component", "roter[0]"}}), "did you mean 'rotor'?");
  says(fault({{"component", "rotor"}}), "rotor[0]");
  says(fault({{"component", "rotor[7]"}}), "has no component 'rotor[7]'");
  says(fault({{"component", "surface[0]"}}), "known: rotor[0]");
  says(fault({{"kind", "stuk"}}), "did you mean 'stuck'?");
  says(fault({{"duraton", 3}}), "did you mean 'duration'?");
  says(fault({{"amount", {1, 2, 3, 4}}}), "fault.amount");
  says(fault({{"probability", 2}}), "fault.probability");
  says(fault({{"kind", "drop_out"}}), "probability");
  says(fault({{"kind", "delay"}, {"amount", 3}}), "at most 16 ticks");
  says({{"component", "rotor[0]"}, {"kind", "off"}}, "fault.ids");
  says({{"ids", kFirst}, {"kind", "off"}}, "fault.component");
  says({{"ids", kFirst}, {"component", "link"}}, "fault.kind");
  says(fault({{"ids", Json::array({"9"})}}), "no vehicle has the id 9");
  rig.fly(0.1);
  EXPECT_EQ(rig.events("fault"), 0);
}

TEST(session_senses, what_can_fail_is_told_with_its_unit_and_the_kinds_that_fit) {
  Rig rig(test::circling(1));
  const Json told = rig.senses("1");
  EXPECT_EQ(told["condition"], "fine");
  EXPECT_EQ(told["failsafe"], "none");
  EXPECT_TRUE(told["sensors"].empty());
  ASSERT_EQ(told["components"].size(), 5u) << told["components"];
  EXPECT_EQ(told["components"][0]["name"], "rotor[0]");
  EXPECT_EQ(told["components"][0]["unit"], "1");
  const Json link = told["components"][4];
  EXPECT_EQ(link["name"], "link");
  EXPECT_EQ(link["unit"], "dB");
  const auto has = [](const Json& list, const char* kind) { return std::find(list.begin(), list.end(), kind) != list.end(); };
  EXPECT_TRUE(has(told["components"][0]["kinds"], "stuck"));
  EXPECT_FALSE(has(link["kinds"], "stuck")) << "a link that is stuck is off";
  // every component and kind that is told is taken, with numbers that fit
  for (const Json& c : told["components"])
    for (const Json& kind : c["kinds"]) {
      Json args = {{"ids", kFirst}, {"component", c["name"]}, {"kind", kind}, {"amount", 0.05}, {"probability", 0.1}, {"duration", 0.01}};
      args.update(Json{{"mean_on", 1}, {"mean_off", 1}});
      EXPECT_EQ(rig.why(args), "it was taken") << args;
    }
  EXPECT_FALSE(rig.session->senses_text("nobody"));
}

TEST(session_senses, a_crash_and_a_failsafe_are_marks_in_frames) {
  WorldDef def = test::circling(2);
  for (VehicleDef& v : def.flocks[0].vehicles) v.position_W[2] = 40, v.mode = Mode::Hold;
  def.flocks[0].failsafe.telemetry = true;
  def.flocks[0].failsafe.rotor_lost = {0, FailsafeAction::Land};
  Rig rig(def);
  rig.fly(0.5);
  // three rotors do not carry it: the failsafe stops it
  ASSERT_TRUE(rig.act("fault", {{"ids", kFirst}, {"component", "rotor[0]"}, {"kind", "off"}}));
  rig.fly(1);
  EXPECT_NE(rig.state(0) & wire::kFailsafe, 0);
  EXPECT_NE(rig.state(0) & wire::kFault, 0);
  EXPECT_EQ(rig.state(0) & wire::kCrashed, 0);
  EXPECT_EQ(rig.senses("1")["failsafe"], "stop");
  rig.fly(6);
  EXPECT_NE(rig.state(0) & wire::kCrashed, 0);
  EXPECT_EQ(rig.state(1) & (wire::kCrashed | wire::kFailsafe | wire::kFault), 0);
  EXPECT_EQ(rig.senses("1")["condition"], "crashed");
}

TEST(session_senses, each_condition_has_a_mark_of_its_own) {
  const auto mark = [](Condition c) {
    Trouble trouble;
    trouble.condition = c;
    return mark_of(trouble);
  };
  EXPECT_EQ(mark(Condition::Fine), 0);
  EXPECT_EQ(mark(Condition::TippedOver), wire::kTippedOver);
  EXPECT_EQ(mark(Condition::UpsideDown), wire::kUpsideDown);
  EXPECT_EQ(mark(Condition::Stuck), wire::kStuck);
  EXPECT_EQ(mark(Condition::Crashed), wire::kCrashed);
}

}  // namespace
}  // namespace volary::server
