// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Vehicles that somebody else's autopilots fly: what clients are told, and that their commands go through them.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/engine_test_support.hpp"
#include "runner/runner_test_support.hpp"
#include "server/session.hpp"

namespace volary::server {
namespace {

using Json = nlohmann::json;
using Kind = runner::FlightOrder::Kind;

// flies every vehicle but the first, keeps what it is asked, and refuses what it is told to
struct Pretended final : runner::Autopilots {
  struct Asked {
    VehicleId id;
    runner::FlightOrder order;
  };
  VehicleId free = {};
  std::vector<Asked> asked;
  std::string refusal;
  std::vector<Refusal> later;
  bool used = true;

  bool is_used() const override { return used; }
  bool flies(VehicleId id) const override { return used && id != free; }
  runner::AutopilotReport report_of(VehicleId id) const override {
    runner::AutopilotReport s;
    s.kind = "PX4", s.system = static_cast<int>(id.number()), s.mode = "Hold", s.is_armed = true, s.companion = "follows its behaviours";
    s.messages = {{1.5, 2, "Arming denied: no \"GPS\""}, {2, 6, "Armed"}};
    return s;
  }
  std::vector<runner::LinkReport> link_reports() const override {
    runner::LinkReport s;
    s.address = "udpout:127.0.0.1:14550", s.state = "connected", s.peers = {"udp 127.0.0.1:14550"}, s.received = 7, s.sent_rate = 140.5, s.lost = 1,
    s.is_signed = true;
    return {s};
  }
  std::vector<runner::LockstepReport> lockstep_reports() const override {
    runner::LockstepReport s;
    s.kind = "PX4", s.vehicles = 3, s.gone = 1, s.rate = 250, s.factor = 1, s.wait = 0.002, s.slowest = "birds[2]", s.slowest_wait = 0.0019,
    s.waiting_for = {"birds[2]"};
    return {s};
  }
  core::Status order(VehicleId id, const runner::FlightOrder& order) override {
    asked.push_back({id, order});
    if (!refusal.empty()) return core::Error{.message = refusal};
    return core::ok();
  }
  std::vector<Refusal> take_refusals() override { return std::exchange(later, {}); }
  std::vector<Kind> kinds() const {
    std::vector<Kind> list;
    for (const Asked& a : asked) list.push_back(a.order.kind);
    return list;
  }
};

struct Inputs final : runner::Sink {
  std::vector<Input> list;
  void begin(World& world, bool) override { world.keep_submitted(true); }
  void after_tick(World& world) override {
    for (Input& in : world.take_submitted()) list.push_back(std::move(in));
  }
};

struct Rig {
  test::FakeClock clock;
  Pretended autopilots;
  Inputs inputs;
  std::unique_ptr<Session> session;
  std::vector<Json> heard;

  explicit Rig(bool used = true) {
    WorldDef def = test::circling(4);
    def.duration = 600;
    autopilots.used = used;
    SessionOptions options;
    options.clock = &clock;
    options.autopilots.push_back(&autopilots);
    options.sinks.push_back(&inputs);
    session = std::move(Session::create(def, std::move(options)).value());
    autopilots.free = id(0);
  }
  VehicleId id(std::size_t k) const { return session->world().vehicles()[k]; }
  std::string number(std::size_t k) const { return id_text(id(k)); }
  core::Status act(const char* name, const Json& args, std::uint32_t client = 1) {
    const auto action = parse_action(name, args);
    if (!action) return action.error();
    return session->act(client, action.value());
  }
  core::Status mode(const char* word, std::vector<std::string> who) { return act("mode", {{"ids", who}, {"mode", word}}); }
  void fly(double seconds) {
    for (double t = 0; t < seconds - 1e-9; t += 0.01) {
      session->turn();
      clock.time += 0.01;
      session->watch();
      for (const Outgoing& o : session->take_outgoing()) heard.push_back(Json::parse(*o.text));
    }
  }
  Json hello() { return Json::parse(*session->welcome(Scope::All).texts.front()); }
  Json told(VehicleQuery query = {}) { return Json::parse(session->autopilots_text(query).value()); }
};

TEST(session_autopilots, commands_to_a_vehicle_with_an_autopilot_are_its_orders_and_no_inputs_of_the_page) {
  Rig rig;
  for (const char* word : {"arm", "take_off", "hold", "mission", "return", "land", "disarm"}) ASSERT_TRUE(rig.mode(word, {rig.number(1)})) << word;
  ASSERT_TRUE(rig.act("goto", {{"ids", {rig.number(2)}}, {"position", {5, 6, 7}}}));
  EXPECT_EQ(rig.autopilots.kinds(),
            (std::vector<Kind>{Kind::Arm, Kind::TakeOff, Kind::Hold, Kind::Mission, Kind::Return, Kind::Land, Kind::Disarm, Kind::GoTo}));
  EXPECT_EQ(rig.autopilots.asked.back().id, rig.id(2));
  EXPECT_EQ(rig.autopilots.asked.back().order.position_W, (Vec{5, 6, 7}));
  rig.fly(0.1);
  EXPECT_TRUE(rig.inputs.list.empty());
}

TEST(session_autopilots, a_group_of_both_kinds_goes_each_its_own_way_and_keeps_its_offsets) {
  Rig rig;
  const Vec a = rig.session->world().position_of(rig.id(0)), b = rig.session->world().position_of(rig.id(1));
  ASSERT_TRUE(rig.act("goto", {{"ids", {rig.number(0), rig.number(1)}}, {"position", {5, 6, 17}}}));
  ASSERT_EQ(rig.autopilots.asked.size(), 1u);
  EXPECT_NEAR(rig.autopilots.asked[0].order.position_W[0], 5 + (b[0] - a[0]) / 2, 1e-9);
  ASSERT_TRUE(rig.mode("hold", {rig.number(0), rig.number(1)}));
  EXPECT_EQ(rig.autopilots.asked.size(), 2u);
  rig.fly(0.1);
  ASSERT_EQ(rig.inputs.list.size(), 2u);
  for (const Input& in : rig.inputs.list) EXPECT_EQ(in.target, rig.id(0));
}

TEST(session_autopilots, a_refusal_is_told_in_the_autopilots_words_with_the_name_of_the_vehicle) {
  Rig rig;
  rig.autopilots.refusal = "Arming denied: the vehicle has crashed";
  EXPECT_EQ(rig.mode("arm", {rig.number(1)}).error().text(), rig.session->world().name_of(rig.id(1)) + ": Arming denied: the vehicle has crashed");
  const std::string many = rig.mode("arm", {rig.number(1), rig.number(2)}).error().text();
  EXPECT_NE(many.find("2 of 2 vehicles did not take it; " + rig.session->world().name_of(rig.id(1)) + ": Arming denied"), std::string::npos) << many;
  ASSERT_FALSE(rig.act("goto", {{"ids", {rig.number(1)}}, {"position", {5, 6, 7}}}));
  const Json vehicles = Json::parse(rig.session->vehicles_text({}).value())["vehicles"];
  EXPECT_FALSE(vehicles[1].contains("goal")) << "a vehicle that does not go there has no goal";
}

TEST(session_autopilots, a_refusal_that_comes_later_is_a_notice) {
  Rig rig;
  rig.autopilots.later = {{rig.id(2), "Takeoff denied: no position"}};
  rig.fly(0.05);
  const auto it = std::find_if(rig.heard.begin(), rig.heard.end(), [](const Json& m) { return m["type"] == "notice"; });
  ASSERT_NE(it, rig.heard.end());
  EXPECT_EQ((*it)["text"], rig.session->world().name_of(rig.id(2)) + ": Takeoff denied: no position");
  EXPECT_EQ((*it)["level"], "bad");
}

TEST(session_autopilots, only_an_autopilot_arms_disarms_and_returns) {
  Rig rig;
  for (const char* word : {"arm", "disarm", "return"}) {
    const core::Status refused = rig.mode(word, {rig.number(1), rig.number(0)});
    ASSERT_FALSE(refused) << word;
    EXPECT_NE(refused.error().text().find(std::string("has no autopilot that could ") + word), std::string::npos) << refused.error().text();
  }
  EXPECT_TRUE(rig.autopilots.asked.empty()) << "first all checks, then all effects";
  EXPECT_NE(rig.mode("retrun", {rig.number(1)}).error().text().find("return"), std::string::npos);
}

TEST(session_autopilots, an_emergency_stop_acts_on_the_vehicle_itself_whatever_its_autopilot_says) {
  Rig rig;
  rig.autopilots.refusal = "denied";
  ASSERT_TRUE(rig.act("emergency_stop", {{"ids", {rig.number(1)}}}));
  EXPECT_EQ(rig.autopilots.kinds(), std::vector<Kind>{Kind::Terminate});
  rig.fly(0.05);
  EXPECT_EQ(rig.session->world().mode_of(rig.id(1)), Mode::EmergencyStop);
  EXPECT_TRUE(std::any_of(rig.heard.begin(), rig.heard.end(), [](const Json& m) { return m.dump().find("denied") != std::string::npos; })) << "people are told";
  ASSERT_TRUE(rig.act("emergency_stop", Json::object()));
  rig.fly(0.05);
  EXPECT_EQ(rig.autopilots.asked.size(), 4u) << "the three that it flies";
  EXPECT_EQ(rig.session->world().mode_of(rig.id(0)), Mode::EmergencyStop);
}

TEST(session_autopilots, a_vehicle_in_somebodys_hands_is_steered_through_its_autopilot_and_held_by_it) {
  Rig rig;
  ASSERT_TRUE(rig.act("take", {{"id", rig.number(1)}}));
  ASSERT_TRUE(rig.session->control(1, {rig.number(1), {1, 2, 3}, 0.5}));
  ASSERT_EQ(rig.autopilots.kinds(), (std::vector<Kind>{Kind::Hold, Kind::Steer}));
  EXPECT_EQ(rig.autopilots.asked[1].order.velocity_W, (Vec{1, 2, 3}));
  EXPECT_EQ(rig.autopilots.asked[1].order.yaw_rate, 0.5);
  ASSERT_TRUE(rig.act("release", {{"id", rig.number(1)}}));
  EXPECT_EQ(rig.autopilots.kinds().back(), Kind::Hold);
  rig.fly(0.1);
  EXPECT_TRUE(rig.inputs.list.empty());
}

TEST(session_autopilots, clients_are_told_of_vehicles_links_and_lock_step) {
  Rig rig;
  EXPECT_EQ(rig.hello()["autopilots"], true);
  VehicleQuery query;
  query.limit = 2;
  const Json told = rig.told(query);
  EXPECT_EQ(told["total"], 3);
  ASSERT_EQ(told["vehicles"].size(), 2u);
  const Json& v = told["vehicles"][0];
  EXPECT_EQ(v["name"], rig.session->world().name_of(rig.id(1)));
  EXPECT_EQ(v["autopilot"], "PX4");
  EXPECT_EQ(v["mode"], "Hold");
  EXPECT_EQ(v["armed"], true);
  EXPECT_EQ(v["messages"][0], (Json{{"time", 1.5}, {"severity", "critical"}, {"text", "Arming denied: no \"GPS\""}}));
  EXPECT_FALSE(v.contains("trouble"));
  EXPECT_EQ(v["companion"], "follows its behaviours");
  EXPECT_EQ(told["links"][0]["address"], "udpout:127.0.0.1:14550");
  EXPECT_EQ(told["links"][0]["signed"], true);
  EXPECT_EQ(told["lockstep"][0]["slowest"], "birds[2]");
  EXPECT_EQ(told["lockstep"][0]["waiting_for"].size(), 1u);
  query.who = {rig.number(3)};
  EXPECT_EQ(rig.told(query)["vehicles"][0]["id"], rig.id(3).number());
  ASSERT_TRUE(rig.act("pause", Json::object()));
  EXPECT_TRUE(rig.told()["lockstep"][0]["waiting_for"].empty()) << "a run that is paused waits for nobody";
  query.who = {"nobody"};
  EXPECT_FALSE(rig.session->autopilots_text(query));
}

TEST(session_autopilots, a_run_without_them_says_so_and_is_commanded_as_ever) {
  Rig rig(false);
  EXPECT_FALSE(rig.hello().contains("autopilots"));
  EXPECT_TRUE(rig.told()["vehicles"].empty());
  ASSERT_TRUE(rig.mode("hold", {rig.number(1)}));
  rig.fly(0.05);
  EXPECT_EQ(rig.inputs.list.size(), 1u);
}

}  // namespace
}  // namespace volary::server
