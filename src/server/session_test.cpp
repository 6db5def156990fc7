// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "server/session.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/engine_test_support.hpp"
#include "math/scalar.hpp"
#include "runner/runner_test_support.hpp"
#include "scenario/scene.hpp"

namespace volary::server {
namespace {

using Json = nlohmann::json;

// a session on a clock that moves only when told
struct Rig {
  test::FakeClock clock;
  std::unique_ptr<Session> session;
  std::vector<Json> heard;
  std::vector<Outgoing> sent;

  explicit Rig(const WorldDef& def, SessionOptions options = {}) {
    options.clock = &clock;
    auto made = Session::create(def, std::move(options));
    EXPECT_TRUE(made) << made.error().text();
    session = std::move(made).value();
  }
  Session& s() { return *session; }
  void listen() {
    s().watch();
    for (const Outgoing& o : s().take_outgoing()) {
      sent.push_back(o);
      heard.push_back(Json::parse(*o.text));
    }
  }
  void fly(double seconds) {
    const double tick = static_cast<double>(s().world().def().tick_ns) * 1e-9;
    for (double t = 0, wait = 0; t < seconds - 1e-9 && wait == 0; t += tick) {
      wait = s().turn();
      clock.time += tick;
      listen();
    }
  }
  core::Status act(const char* name, const Json& args = Json::object(), std::uint32_t client = 1) {
    const auto action = parse_action(name, args);
    if (!action) return action.error();
    return s().act(client, action.value());
  }
  VehicleId id(std::size_t k) { return s().world().vehicles()[k]; }
  Json ids(std::size_t n) {
    Json list = Json::array();
    for (std::size_t k = 0; k < n; ++k) list.push_back(id_text(id(k)));
    return list;
  }
  Json last(const char* type) const {
    for (auto it = heard.rbegin(); it != heard.rend(); ++it)
      if ((*it)["type"] == type) return *it;
    return Json();
  }
};

WorldDef long_circling(int n) {
  WorldDef def = test::circling(n);
  def.duration = 600;
  return def;
}

double distance(const Vec& a, const Vec& b) {
  double sum = 0;
  for (std::size_t k = 0; k < 3; ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return math::sqrt(sum);
}

void expect_refused(const core::Status& status, const char* word) {
  ASSERT_FALSE(status) << "should have been refused: " << word;
  EXPECT_NE(status.error().text().find(word), std::string::npos) << status.error().text();
}

TEST(session, watching_changes_nothing) {
  WorldDef def = test::circling(20);
  def.duration = 3;
  const auto alone = test::make(def);
  alone->step(300);
  Rig rig(def);
  rig.s().welcome(Scope::All);
  for (int k = 0; k < 300; ++k) {
    rig.s().frame();
    rig.fly(0.01);
  }
  EXPECT_EQ(rig.s().state(), LiveState::Finished);
  EXPECT_EQ(rig.s().world().hash(), alone->hash());
}

// what was submitted, as a recorder takes it
struct Submitted final : runner::Sink {
  std::vector<Input> inputs;
  void begin(World& world, bool) override { world.keep_submitted(true); }
  void after_tick(World& world) override {
    for (Input& in : world.take_submitted()) inputs.push_back(std::move(in));
  }
};

TEST(session, a_run_that_was_steered_is_its_inputs) {
  Submitted kept;
  SessionOptions options;
  options.sinks.push_back(&kept);
  Rig rig(long_circling(4), std::move(options));
  rig.fly(0.5);
  ASSERT_TRUE(rig.act("goto", {{"ids", rig.ids(2)}, {"position", {5, 5, 6}}}));
  rig.fly(0.5);
  ASSERT_TRUE(rig.act("spawn", {{"flock", "birds"}, {"position", {1, 2, 3}}, {"name", "late"}}));
  ASSERT_TRUE(rig.act("parameter", {{"ids", rig.ids(1)}, {"name", "mass"}, {"value", 0.032}}, 2));
  rig.fly(0.5);
  ASSERT_TRUE(rig.act("remove", {{"ids", Json::array({id_text(rig.id(3))})}}));
  rig.fly(1);
  const auto again = test::make(long_circling(4));
  EXPECT_EQ(kept.inputs.size(), 5u);
  for (const Input& in : kept.inputs) again->submit(in);
  again->step(rig.s().world().tick());
  EXPECT_EQ(again->hash(), rig.s().world().hash());
}

TEST(session, a_speed_that_a_source_cannot_follow_is_refused) {
  SessionOptions options;
  options.check_speed = [](double speed) { return speed == 1 ? core::ok() : core::Status(core::Error{.message = "real time only"}); };
  Rig rig(test::circling(1), std::move(options));
  expect_refused(rig.act("speed", {{"factor", 4}}), "real time only");
  EXPECT_EQ(rig.s().speed(), 1);
  EXPECT_TRUE(rig.act("speed", {{"factor", 1}}));
}

TEST(session, pauses_steps_resumes_and_finishes) {
  WorldDef def = test::circling(2);
  def.duration = 1;
  SessionOptions options;
  options.paused = true;
  Rig rig(def, std::move(options));
  EXPECT_EQ(rig.s().turn(), runner::Runner::kForever);
  ASSERT_TRUE(rig.act("step", {{"ticks", 30}}));
  rig.fly(10);
  EXPECT_EQ(rig.s().world().tick(), 30u);
  EXPECT_EQ(rig.s().state(), LiveState::Paused);
  ASSERT_TRUE(rig.act("resume"));
  ASSERT_TRUE(rig.act("speed", {{"factor", 4}}));
  EXPECT_EQ(rig.s().speed(), 4);
  rig.fly(10);
  EXPECT_EQ(rig.s().world().tick(), 100u);
  EXPECT_EQ(rig.s().state(), LiveState::Finished);
  EXPECT_EQ(rig.last("status")["state"], "finished");
  EXPECT_EQ(rig.last("status")["hash"].get<std::string>().size(), 16u);
  expect_refused(rig.act("resume"), "over");
  expect_refused(rig.act("goto", {{"ids", rig.ids(1)}, {"position", {0, 0, 5}}}), "over");
  ASSERT_TRUE(rig.act("reset"));
  EXPECT_EQ(rig.s().world().tick(), 0u);
  EXPECT_EQ(rig.s().state(), LiveState::Running);
  rig.listen();
  EXPECT_EQ(rig.last("hello")["scenario"], "circling");
}

TEST(session, sinks_see_every_tick_event_and_world) {
  struct Counting final : runner::Sink {
    int begun = 0, again = 0, ticks = 0, events = 0, ended = 0;
    void begin(World&, bool is_again) override { ++begun, again += is_again ? 1 : 0; }
    void after_tick(World&) override { ++ticks; }
    void event(World&, const Event&) override { ++events; }
    void end(World&) override { ++ended; }
  } seen;
  WorldDef def = test::circling(2);
  def.duration = 0.5;
  {
    SessionOptions o;
    o.sinks.push_back(&seen);
    Rig rig(def, std::move(o));
    rig.fly(0.1);
    ASSERT_TRUE(rig.act("spawn", {{"flock", "birds"}, {"position", {9, 9, 3}}}));
    rig.fly(10);
    EXPECT_EQ(seen.ended, 1);
    ASSERT_TRUE(rig.act("reset"));
    rig.fly(0.1);
  }
  EXPECT_EQ(seen.begun, 2);
  EXPECT_EQ(seen.again, 1);
  EXPECT_EQ(seen.ticks, 60);
  EXPECT_EQ(seen.events, 1);
  EXPECT_EQ(seen.ended, 2);
}

TEST(session, clients_are_told_when_time_goes_back) {
  Rig rig(long_circling(3));
  rig.s().welcome(Scope::All);
  rig.fly(0.5);
  const auto then = rig.s().world().snapshot();
  const std::uint64_t hash = rig.s().world().hash();
  rig.fly(0.2);
  ASSERT_TRUE(rig.act("take", {{"id", id_text(rig.id(0))}}));
  ASSERT_TRUE(rig.act("spawn", {{"flock", "birds"}, {"position", {9, 9, 3}}}));
  rig.fly(0.2);
  EXPECT_EQ(rig.s().world().n_vehicles(), 4u);
  ASSERT_TRUE(rig.act("mode", {{"ids", Json::array({id_text(rig.id(1))})}, {"mode", "land"}}));  // given, and not flown
  rig.heard.clear();
  ASSERT_TRUE(rig.s().restore(*then));
  rig.listen();
  const Json hello = rig.last("hello");
  ASSERT_FALSE(hello.is_null());
  EXPECT_EQ(hello["epoch"], 2);  // a page that interpolates stops here, whatever the run is called
  EXPECT_EQ(rig.last("roster")["vehicles"].size(), 3u);
  EXPECT_EQ(rig.last("status")["tick"], 50);
  EXPECT_EQ(rig.last("lease")["holder"], "none");
  EXPECT_EQ(rig.s().frame()->tick, 50u);
  EXPECT_EQ(rig.s().world().hash(), hash);
  // what was wanted of the moment that is gone does not happen
  const auto alone = test::make(long_circling(3));
  alone->step(60);
  rig.fly(0.1);
  EXPECT_EQ(rig.s().world().hash(), alone->hash());
  rig.s().finish();
  expect_refused(rig.s().restore(*then), "over");
}

TEST(session, clients_learn_whom_the_run_waits_for) {
  struct Slow final : runner::Source {
    bool ready = false;
    std::string name() const override { return "autopilot 3"; }
    bool is_ready(const World&) override { return ready; }
    core::Status give(const World&, std::vector<Input>&) override { return core::ok(); }
  } slow;
  SessionOptions options;
  options.sources.push_back(&slow);
  Rig rig(long_circling(1), std::move(options));
  EXPECT_GT(rig.s().turn(), 0);
  rig.clock.time += 1.5;
  EXPECT_GT(rig.s().turn(), 0);
  rig.listen();
  EXPECT_EQ(rig.last("notice")["text"], "waiting for autopilot 3");
  EXPECT_EQ(rig.s().world().tick(), 0u);
  ASSERT_TRUE(rig.act("pause"));  // commands are served meanwhile
  EXPECT_EQ(rig.s().state(), LiveState::Paused);
  slow.ready = true;
  ASSERT_TRUE(rig.act("resume"));
  rig.fly(0.1);
  EXPECT_EQ(rig.s().world().tick(), 10u);
}

TEST(session, vehicles_go_where_they_are_sent_and_keep_their_offsets) {
  Rig rig(long_circling(3));
  rig.fly(1);
  const Vec before = rig.s().world().position_of(rig.id(0)), other = rig.s().world().position_of(rig.id(1));
  ASSERT_TRUE(rig.act("goto", {{"ids", rig.ids(2)}, {"position", {8, 6, 5}}}));
  rig.fly(15);
  const Vec a = rig.s().world().position_of(rig.id(0)), b = rig.s().world().position_of(rig.id(1));
  EXPECT_NEAR((a[0] + b[0]) / 2, 8, 0.3);
  EXPECT_NEAR((a[1] + b[1]) / 2, 6, 0.3);
  EXPECT_NEAR((a[2] + b[2]) / 2, 5, 0.3);
  EXPECT_NEAR(b[0] - a[0], other[0] - before[0], 0.4);
  EXPECT_EQ(rig.last("goals")["goals"].size(), 2u);
  ASSERT_TRUE(rig.act("mode", {{"ids", rig.ids(2)}, {"mode", "mission"}}));
  rig.fly(1);
  EXPECT_EQ(rig.last("goals")["goals"].size(), 0u);
}

TEST(session, a_vehicle_on_the_ground_takes_off_first) {
  WorldDef def = long_circling(1);
  def.flocks[0].vehicles[0].position_W = {0, 0, 0};
  def.flocks[0].vehicles[0].mode = Mode::Disarmed;
  Rig rig(def);
  rig.fly(0.2);
  ASSERT_TRUE(rig.act("goto", {{"ids", rig.ids(1)}, {"position", {3, 2, 4}}}));
  rig.fly(0.5);
  EXPECT_EQ(rig.s().world().mode_of(rig.id(0)), Mode::TakeOff);
  rig.fly(20);
  EXPECT_LT(distance(rig.s().world().position_of(rig.id(0)), {3, 2, 4}), 0.3);
}

TEST(session, what_cannot_be_is_refused_with_words) {
  Rig rig(long_circling(3));
  rig.fly(0.1);
  expect_refused(rig.act("goto", {{"ids", {"999"}}, {"position", {0, 0, 5}}}), "no vehicle has the id 999");
  expect_refused(rig.act("goto", {{"ids", rig.ids(1)}, {"position", {0, 0, -5}}}), "under the ground");
  expect_refused(rig.act("spawn", {{"flock", "brids"}, {"position", {0, 0, 5}}}), "did you mean 'birds'");
  expect_refused(rig.act("spawn", {{"flock", "birds"}, {"position", {0, 0, -1}}}), "under the ground");
  expect_refused(rig.act("parameter", {{"ids", rig.ids(1)}, {"name", "mas"}, {"value", 1}}), "did you mean 'mass'");
  expect_refused(rig.act("parameter", {{"ids", rig.ids(1)}, {"name", "mass"}, {"component", 9}, {"value", 1}}), "component: must be below 1");
  expect_refused(rig.act("start", {{"scenario", "other"}}), "no other scenario");
  expect_refused(rig.act("release", {{"id", rig.ids(1)[0]}}), "no client");
  ASSERT_TRUE(rig.act("spawn", {{"flock", "birds"}, {"position", {0, 0, 5}}, {"name", "twin"}}));
  expect_refused(rig.act("spawn", {{"flock", "birds"}, {"position", {0, 0, 5}}, {"name", "twin"}}), "already called 'twin'");
  rig.fly(0.05);
  expect_refused(rig.act("spawn", {{"flock", "birds"}, {"position", {0, 0, 5}}, {"name", "twin"}}), "already called 'twin'");
}

TEST(session, the_roster_follows_spawns_and_removals) {
  Rig rig(long_circling(3));
  rig.fly(0.05);
  const std::uint32_t before = rig.s().frame()->roster;
  ASSERT_TRUE(rig.act("spawn", {{"flock", "birds"}, {"position", {7, 7, 5}}, {"name", "new"}}));
  ASSERT_TRUE(rig.act("remove", {{"ids", rig.ids(1)}}));
  rig.fly(0.02);
  const auto frame = rig.s().frame();
  EXPECT_GT(frame->roster, before);
  const Json roster = Json::parse(*frame->roster_text);
  ASSERT_EQ(roster["vehicles"].size(), 3u);
  const auto decoded = decode_frame(frame->bytes).value();
  ASSERT_EQ(decoded.vehicles.size(), 3u);
  bool found = false;
  for (std::size_t k = 0; k < 3; ++k) {
    if (roster["vehicles"][k]["name"] != "new") continue;
    found = true;
    EXPECT_NEAR(decoded.vehicles[k].position_W[0], 7, 0.1);
  }
  EXPECT_TRUE(found);
  EXPECT_EQ(rig.last("event")["what"].is_string(), true);
}

TEST(session, a_vehicle_that_diverged_is_shown_where_it_stopped) {
  Rig rig(long_circling(3));
  rig.fly(0.05);
  const VehicleId doomed = rig.id(1);
  ASSERT_TRUE(rig.act("parameter", {{"ids", Json::array({id_text(doomed)})}, {"name", "inv_mass"}, {"value", 1e12}}));
  rig.fly(2);
  ASSERT_FALSE(rig.s().world().is_alive(doomed));
  const auto frame = decode_frame(rig.s().frame()->bytes).value();
  ASSERT_EQ(frame.vehicles.size(), 3u);
  EXPECT_EQ(frame.vehicles[1].state & wire::kDiverged, wire::kDiverged);
  EXPECT_EQ(frame.vehicles[0].state & wire::kDiverged, 0);
  expect_refused(rig.act("goto", {{"ids", Json::array({id_text(doomed)})}, {"position", {0, 0, 5}}}), "diverged");
}

TEST(session, one_client_at_a_time_flies_by_hand) {
  Rig rig(long_circling(2));
  rig.fly(0.1);
  const VehicleId id = rig.id(0);
  const Json one = {{"id", id_text(id)}};
  ASSERT_TRUE(rig.act("take", one, 1));
  expect_refused(rig.act("take", one, 2), "another client");
  expect_refused(rig.act("goto", {{"ids", Json::array({id_text(id)})}, {"position", {0, 0, 5}}}, 2), "another client");
  EXPECT_FALSE(rig.s().control(2, {id_text(id), {1, 0, 0}, 0}));
  EXPECT_EQ(decode_frame(rig.s().frame()->bytes).value().vehicles[0].state & wire::kManual, wire::kManual);

  // a second of eastward flight, a word every 50 ms
  for (int k = 0; k < 60; ++k) {
    ASSERT_TRUE(rig.s().control(1, {"birds[0]", {1.5, 0, 0}, 0.5}));
    rig.fly(0.05);
  }
  EXPECT_NEAR(rig.s().world().velocity_of(id)[0], 1.5, 0.3);
  EXPECT_EQ(rig.s().world().mode_of(id), Mode::Armed);

  rig.fly(0.4);  // not yet silent long enough
  EXPECT_EQ(rig.s().world().mode_of(id), Mode::Armed);
  rig.fly(0.2);
  EXPECT_EQ(rig.s().world().mode_of(id), Mode::Hold);
  expect_refused(rig.act("take", one, 2), "another client");
  rig.fly(5);
  EXPECT_EQ(rig.last("lease")["holder"], "none");
  EXPECT_TRUE(rig.act("take", one, 2));
  rig.s().leave(2);
  rig.listen();
  EXPECT_EQ(rig.last("lease")["holder"], "none");
}

TEST(session, any_input_of_the_engine_is_given_by_its_field_list) {
  Rig rig(long_circling(3));
  rig.fly(0.1);
  const World& world = rig.s().world();
  ASSERT_TRUE(rig.act("input", {{"kind", "setpoint"}, {"ids", rig.ids(1)}, {"fields", {{"level", "velocity"}, {"velocity", {2, 0, 0}}}}}));
  ASSERT_TRUE(rig.act("input", {{"kind", "parameter"}, {"ids", {"birds[1]"}}, {"fields", {{"name", "mass"}, {"value", 1.25}}}}));
  ASSERT_TRUE(rig.act("input", {{"kind", "wrench"}, {"ids", {"birds[1]"}}, {"fields", {{"force", {0.5, 0, 0}}}}}));
  ASSERT_TRUE(rig.act("input", {{"kind", "spawn"}, {"fields", {{"flock", "birds"}, {"vehicle", {{"name", "late"}, {"position", {9, 9, 4}}}}}}}));
  expect_refused(rig.act("input", {{"kind", "spawn"}, {"fields", {{"flock", "birds"}, {"vehicle", {{"name", "late"}}}}}}), "already called 'late'");
  rig.fly(3);
  EXPECT_NEAR(world.velocity_of(rig.id(0))[0], 2, 0.3);
  EXPECT_EQ(world.view("birds", "external_force").at(world.slot_of(rig.id(1)), 0), 0.5);
  ASSERT_TRUE(rig.act("input", {{"kind", "wrench"}, {"ids", {"birds[1]"}}}));
  EXPECT_EQ(world.vehicles().size(), 4u);

  // one input for the whole flock, column by column
  Json values = Json::array();
  for (const double x : {0, 10, 20, 30, 0, 0, 0, 0, 5, 5, 5, 5, 0, 0, 0, 0}) values.push_back(x);
  ASSERT_TRUE(rig.act("input", {{"kind", "bulk"}, {"fields", {{"what", "position"}, {"flock", "birds"}, {"values", values}}}}));
  rig.fly(20);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(world.position_of(rig.id(k))[0], 10.0 * static_cast<double>(k), 0.5);

  // later, and not in the past
  const std::uint64_t later = world.tick() + 50;
  ASSERT_TRUE(rig.act("input", {{"kind", "remove"}, {"ids", {"late"}}, {"tick", later}}));
  while (world.tick() <= later - 1) {
    EXPECT_EQ(world.vehicles().size(), 4u);
    rig.fly(0.004);
  }
  rig.fly(0.1);
  EXPECT_EQ(world.vehicles().size(), 3u);
  expect_refused(rig.act("input", {{"kind", "remove"}, {"ids", rig.ids(1)}, {"tick", 1}}), "has passed");
  expect_refused(rig.act("input", {{"kind", "remove"}}), "ids: is missing");
  expect_refused(rig.act("input", {{"kind", "parameter"}, {"ids", rig.ids(1)}, {"fields", {{"name", "mas"}, {"value", 1}}}}), "mass");
  expect_refused(rig.act("input", {{"kind", "bulk"}, {"ids", rig.ids(2)}, {"fields", {{"flock", "birds"}, {"values", {1, 2, 3}}}}}), "values");
  ASSERT_TRUE(rig.act("take", {{"id", "birds[0]"}}, 1));
  expect_refused(rig.act("input", {{"kind", "bulk"}, {"fields", {{"what", "velocity"}, {"flock", "birds"}, {"values", Json(12, 0.0)}}}}, 2), "another client");
  expect_refused(rig.act("input", {{"kind", "mode"}, {"ids", {"birds[0]"}}, {"fields", {{"mode", "land"}}}}, 2), "another client");
}

TEST(session, an_emergency_stops_whoever_flies) {
  Rig rig(long_circling(3));
  rig.fly(0.1);
  ASSERT_TRUE(rig.act("take", {{"id", id_text(rig.id(0))}}, 1));
  ASSERT_TRUE(rig.act("emergency_stop", Json::object(), 2));
  rig.fly(0.1);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(rig.s().world().mode_of(rig.id(k)), Mode::EmergencyStop);
  EXPECT_EQ(rig.last("lease")["holder"], "none");
  EXPECT_FALSE(rig.s().control(1, {id_text(rig.id(0)), {1, 0, 0}, 0}));
  expect_refused(rig.act("goto", {{"ids", rig.ids(1)}, {"position", {0, 0, 5}}}), "emergency");
}

TEST(session, a_storm_of_events_is_bounded) {
  WorldDef def = long_circling(1);
  Rig rig(def);
  for (int k = 0; k < 3000; ++k) ASSERT_TRUE(rig.act("spawn", {{"flock", "birds"}, {"position", {k % 50, k / 50, 5}}}, 0));
  rig.fly(0.02);
  rig.clock.time += 1;
  rig.listen();
  const auto n = std::count_if(rig.heard.begin(), rig.heard.end(), [](const Json& j) { return j["type"] == "event"; });
  EXPECT_LE(n, 1000);
  EXPECT_EQ(rig.last("notice")["level"], "warn");
  EXPECT_EQ(decode_frame(rig.s().frame()->bytes).value().vehicles.size(), 3001u);
}

TEST(session, hello_names_the_tasks) {
  WorldDef def = long_circling(1);
  def.tasks = {{.name = "arrive", .predicate = {}, .required = true, .deadline = 0}, {.name = "early", .predicate = {}, .required = false, .deadline = 0}};
  EXPECT_EQ(scenario::scene_of(def)["tasks"], Json::parse(R"([{"name": "arrive", "required": true}, {"name": "early", "required": false}])"));
}

TEST(session, the_error_of_tracking_is_told_only_where_somebody_tracks_something) {
  Rig flying(long_circling(2));
  flying.s().welcome(Scope::All);
  flying.fly(2);
  EXPECT_GT(flying.last("status")["metrics"]["tracking_max"].get<double>(), 0);
  WorldDef holding = long_circling(2);
  for (VehicleDef& v : holding.flocks[0].vehicles) v.mode = Mode::Hold;
  Rig rig(holding);
  rig.s().welcome(Scope::All);
  rig.fly(2);
  EXPECT_EQ(rig.last("status")["metrics"], Json::object());
}

TEST(session, hello_says_what_to_draw) {
  Rig rig(long_circling(2));
  const Welcome w = rig.s().welcome(Scope::View);
  const Json hello = Json::parse(*w.texts[0]);
  EXPECT_EQ(hello["token_scope"], "view");
  EXPECT_EQ(hello["flocks"][0]["rotors"].size(), 4u);
  EXPECT_EQ(hello["flocks"][0]["rotors"][0].size(), 4u);
  EXPECT_NEAR(hello["flocks"][0]["size_m"].get<double>(), 0.15, 0.05);
  EXPECT_DOUBLE_EQ(hello["flocks"][0]["radius_m"].get<double>(), rig.s().world().radius_of(rig.id(0)));
  EXPECT_FALSE(hello.contains("tasks"));
  EXPECT_EQ(hello["flocks"][0]["controller"], "cascade");
  ASSERT_NE(w.frame, nullptr);
}

}  // namespace
}  // namespace volary::server
