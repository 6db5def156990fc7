// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "server/swarm_text.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/engine_test_support.hpp"
#include "math/scalar.hpp"
#include "runner/runner_test_support.hpp"
#include "server/session.hpp"
#include "server/wire.hpp"
#include "volary/scenario.hpp"

namespace volary::server {
namespace {

using Json = nlohmann::json;

WorldDef scenario_of(const char* name) {
  Loaded<WorldDef> loaded = load_scenario(std::string(VOLARY_SOURCE_DIR "/scenarios/") + name, {VOLARY_SOURCE_DIR "/assets"});
  EXPECT_TRUE(loaded) << loaded.error;
  return std::move(loaded.value).value_or(WorldDef{});
}

// a session on a clock that moves with the world, and what one client heard of the swarm
struct Rig {
  test::FakeClock clock;
  std::unique_ptr<Session> session;
  std::vector<Json> swarm;
  std::vector<double> when;
  std::size_t fields_set = 0;  // as events say

  explicit Rig(const WorldDef& def) {
    SessionOptions options;
    options.clock = &clock;
    auto made = Session::create(def, std::move(options));
    EXPECT_TRUE(made) << made.error().text();
    session = std::move(made).value();
  }
  void listen() {
    session->watch();
    for (const Outgoing& o : session->take_outgoing()) {
      const Json m = Json::parse(*o.text);
      if (m["type"] == "event" && m["what"].get<std::string>().starts_with("set: ")) ++fields_set;
      if (m["type"] != "swarm" || o.client != 1) continue;
      swarm.push_back(m);
      when.push_back(clock.time);
    }
  }
  void fly(double seconds) {
    const double tick = static_cast<double>(session->world().def().tick_ns) * 1e-9;
    for (double t = 0, wait = 0; t < seconds - 1e-9 && wait == 0; t += tick) {
      wait = session->turn();
      clock.time += tick;
      listen();
    }
  }
  core::Status act(const char* name, const Json& args) {
    const auto action = parse_action(name, args);
    return action ? session->act(1, action.value()) : core::Status(action.error());
  }
  Json ids(const char* flock) {
    Json list = Json::array();
    for (const VehicleId id : session->world().vehicles(flock)) list.push_back(id_text(id));
    return list;
  }
  double speed_of(VehicleId id) {
    const Vec v = session->world().velocity_of(id);
    return math::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  }
};

TEST(swarm_text, pairs_beyond_the_limit_are_thinned_out_evenly) {
  Pairs few, many;
  for (std::size_t k = 0; k < 4000; ++k) few.add(k, k + 1);
  EXPECT_EQ(few.kept().size(), 4000u);
  EXPECT_EQ(few.all(), 4000u);
  for (std::size_t k = 0; k < 100'000; ++k) many.add(k, k + 1);
  EXPECT_EQ(many.all(), 100'000u);
  ASSERT_GE(many.kept().size(), 2000u);
  ASSERT_LE(many.kept().size(), 4000u);
  const std::size_t gap = many.kept()[1].first - many.kept()[0].first;
  for (std::size_t k = 0; k < many.kept().size(); ++k) {
    EXPECT_EQ(many.kept()[k].first, k * gap);
    EXPECT_EQ(many.kept()[k].second, k * gap + 1);
  }
  EXPECT_GT((many.kept().size() + 1) * gap, 99'999u);  // up to the end
}

TEST(swarm_text, nobody_is_told_of_a_world_that_is_no_swarm) {
  WorldDef def = test::circling(3);
  def.duration = 600;
  EXPECT_FALSE(is_social(def));
  Rig rig(def);
  rig.session->want(1, {true, rig.session->world().vehicles()[0]});
  rig.fly(3);
  EXPECT_TRUE(rig.swarm.empty());
  EXPECT_TRUE(is_social(scenario_of("hill_relay.yaml")));
}

TEST(swarm_text, who_asks_for_fields_is_told_of_the_weather_of_any_world_and_can_change_it) {
  WorldDef def = test::circling(3);
  def.duration = 600;
  Rig rig(def);
  SwarmWish wish;
  wish.fields = true;
  rig.session->want(1, wish);
  rig.fly(1);
  ASSERT_FALSE(rig.swarm.empty());
  const auto value_of = [&](const std::string& path) {
    for (const Json& f : rig.swarm.back()["fields"])
      if (f["path"] == path) return f["value"].get<std::string>();
    return std::string();
  };
  EXPECT_EQ(value_of("environment.wind"), "[1, 0.5, 0]");
  EXPECT_EQ(value_of("environment.turbulence.form"), "none");
  EXPECT_TRUE(rig.act("field", {{"path", "environment.turbulence.form"}, {"value", "dryden"}}));
  EXPECT_FALSE(rig.act("field", {{"path", "environment.turbulence.form"}, {"value", "drydn"}}));
  rig.fly(1);
  EXPECT_EQ(value_of("environment.turbulence.form"), "dryden");
}

TEST(swarm_text, a_client_is_told_twice_a_second_of_tasks_and_radio_and_of_links_only_when_it_asks) {
  Rig rig(scenario_of("hill_relay.yaml"));
  rig.fly(2);
  EXPECT_TRUE(rig.swarm.empty());  // nobody is there
  rig.session->want(1, {});
  rig.fly(5);
  ASSERT_GE(rig.swarm.size(), 9u);
  for (std::size_t k = 1; k < rig.when.size(); ++k) EXPECT_GE(rig.when[k] - rig.when[k - 1], 0.5 - 1e-9);
  const Json plain = rig.swarm.back();
  EXPECT_FALSE(plain.contains("links") || plain.contains("detections") || plain.contains("decision"));
  ASSERT_EQ(plain["tasks"].size(), 2u);
  EXPECT_EQ(plain["tasks"][0]["name"], "the call arrives");
  EXPECT_EQ(plain["tasks"][0]["state"], "open");
  EXPECT_GT(plain["radio"]["sent"], 0);
  EXPECT_EQ(plain["radio"]["outcomes"][0]["name"], "delivered");

  const std::vector<VehicleId> relays = rig.session->world().vehicles("relays");
  rig.session->want(1, {true, relays[2]});
  rig.fly(0.6);
  const Json full = rig.swarm.back();
  ASSERT_TRUE(full.contains("links"));
  const auto flat = full["links"]["of"].get<std::vector<std::size_t>>();
  EXPECT_EQ(flat.size(), 2 * full["links"]["all"].get<std::size_t>());
  EXPECT_GT(flat.size(), 0u);
  // relay 2 stands among the others from the start and hears them: places in the roster are base, far, relays
  bool hears_next = false;
  for (std::size_t k = 0; k + 1 < flat.size(); k += 2) hears_next = hears_next || (flat[k] == 4 && flat[k + 1] == 3);
  EXPECT_TRUE(hears_next) << full.dump();
  EXPECT_EQ(full["decision"]["id"], id_text(relays[2]));
  ASSERT_EQ(full["decision"]["behaviours"].size(), 2u);
  EXPECT_EQ(full["decision"]["behaviours"][0]["kind"], "relay_chain");
  EXPECT_EQ(full["decision"]["behaviours"][0]["chosen"], true);
  EXPECT_FALSE(full["decision"]["hears"].empty());
}

TEST(swarm_text, links_say_how_much_of_what_is_said_arrives) {
  // half of the messages are lost by a coin: of the last sixteen of a link about eight arrive
  WorldDef def = scenario_of("hill_relay.yaml");
  def.radio.loss = 0.5;
  Rig rig(def);
  rig.session->want(1, {true, rig.session->world().vehicles()[0]});
  rig.fly(20);
  const Json& m = rig.swarm.back();
  ASSERT_TRUE(m["links"].contains("quality")) << m.dump();
  const auto quality = m["links"]["quality"].get<std::vector<int>>();
  EXPECT_EQ(2 * quality.size(), m["links"]["of"].size());
  double sum = 0;
  for (const int q : quality) {
    EXPECT_GE(q, -1);
    EXPECT_LE(q, 100);
    sum += q;
  }
  EXPECT_NEAR(sum / static_cast<double>(quality.size()), 50, 25);
  EXPECT_EQ(m["decision"]["quality"].size(), m["decision"]["hears"].size());
}

TEST(swarm_text, the_messages_of_a_vehicle_that_is_looked_at_have_an_outcome_each) {
  Rig rig(scenario_of("hill_relay.yaml"));
  const VehicleId relay = rig.session->world().vehicles("relays")[2];
  rig.session->want(1, {false, relay});
  rig.fly(3);
  const Json messages = rig.swarm.back()["decision"]["messages"];
  ASSERT_GT(messages.size(), 3u);
  EXPECT_LE(messages.size(), MessageLog::kMostMessages);
  std::uint64_t last = 0;
  bool sent = false, heard = false, state = false;
  for (const Json& l : messages) {
    (l["sent"] ? sent : heard) = true;
    EXPECT_GE(l["tick"].get<std::uint64_t>() + 100, last);  // about in the order of hearing
    last = l["tick"];
    EXPECT_TRUE(l["outcome"].is_string());
    state = state || l["topic"] == "state";
    EXPECT_LT(l["other"], 7);
  }
  EXPECT_TRUE(sent && heard && state) << messages.dump();
  // somebody else is looked at now: what was kept of the first goes
  rig.session->want(1, {false, rig.session->world().vehicles("relays")[0]});
  rig.fly(1);
  rig.session->want(1, {false, relay});
  rig.fly(0.05);
  rig.clock.time += 1;
  rig.listen();
  EXPECT_LT(rig.swarm.back()["decision"]["messages"].size(), 12u);
}

TEST(swarm_text, a_plume_is_strongest_down_the_wind_of_its_source_and_is_told_only_when_asked_for) {
  Rig rig(scenario_of("gas_leak.yaml"));
  rig.session->want(1, {});
  rig.fly(1);
  EXPECT_FALSE(rig.swarm.back().contains("stimuli"));
  rig.session->want(1, {false, {}, false, true});
  rig.fly(1);
  const Json stimuli = rig.swarm.back()["stimuli"];
  ASSERT_EQ(stimuli.size(), 1u);
  const Json& f = stimuli[0];
  EXPECT_EQ(f["kind"], "plume");
  EXPECT_EQ(f["unit"], "kg/m3");
  EXPECT_EQ(f["sources"].size(), 1u);
  const std::size_t columns = f["columns"], rows = f["rows"];
  const std::string levels = f["levels"];
  ASSERT_EQ(levels.size(), 2 * columns * rows);
  auto level = [&](double east, double north) {
    const auto c = static_cast<std::size_t>((east - f["east"].get<double>()) / f["step_east"].get<double>() + 0.5);
    const auto r = static_cast<std::size_t>((north - f["north"].get<double>()) / f["step_north"].get<double>() + 0.5);
    return std::stoi(levels.substr(2 * (r * columns + c), 2), nullptr, 16);
  };
  // the leak is at (120, -40) and the wind blows (-3, 1): towards the west-north-west
  EXPECT_GT(level(60, -20), 100);
  EXPECT_EQ(level(138, -46), 0);  // up the wind
  EXPECT_GT(level(60, -20), level(60, 30));
  // what is told is what the vehicles smell
  const World& w = rig.session->world();
  EXPECT_GT(w.stimulus_at("plume", {60, -20, 2}), w.stimulus_at("plume", {-60, 20, 2}));
  EXPECT_EQ(w.stimulus_at("plume", {138, -46, 2}), 0);
  EXPECT_EQ(w.stimulus_at("perfume", {60, -20, 2}), 0);
}

TEST(message_log, a_link_is_as_good_as_its_last_sixteen_messages) {
  MessageLog h;
  const VehicleId a = make_vehicle_id(1, 0), b = make_vehicle_id(2, 0);
  auto say = [&](bool delivered) {
    const MessageOutcome one{5, a, b, 0, delivered ? "delivered" : "weak", delivered, 12};
    h.note({&one, 1}, {});
  };
  EXPECT_EQ(h.quality(b, a), -1);
  say(true);
  EXPECT_EQ(h.quality(b, a), 100);
  say(false);
  EXPECT_EQ(h.quality(b, a), 50);
  EXPECT_EQ(h.quality(a, b), -1);  // the other way is another link
  for (int k = 0; k < 16; ++k) say(true);
  EXPECT_EQ(h.quality(b, a), 100);
  h.clear();
  EXPECT_EQ(h.quality(b, a), -1);
}

TEST(swarm_text, while_time_stands_still_only_news_are_told) {
  Rig rig(scenario_of("hill_relay.yaml"));
  rig.session->want(1, {});
  rig.fly(1);
  ASSERT_TRUE(rig.act("pause", {}));
  rig.clock.time += 1;
  rig.listen();
  const std::size_t before = rig.swarm.size();
  for (int k = 0; k < 10; ++k, rig.clock.time += 1) rig.listen();
  EXPECT_EQ(rig.swarm.size(), before);
  rig.session->want(1, {true, {}});
  rig.listen();
  EXPECT_EQ(rig.swarm.size(), before + 1);
  rig.session->leave(1);
  rig.session->want(2, {});
  rig.clock.time += 1;
  rig.listen();
  EXPECT_EQ(rig.swarm.size(), before + 1);
}

TEST(swarm_text, a_behaviour_that_is_switched_off_no_longer_moves_the_vehicle) {
  Rig rig(scenario_of("hill_relay.yaml"));
  const VehicleId last = rig.session->world().vehicles("relays")[4];
  rig.session->want(1, {false, last});
  rig.fly(4);
  ASSERT_GT(rig.speed_of(last), 2);
  ASSERT_TRUE(rig.act("behaviour", {{"ids", rig.ids("relays")}, {"kind", "relay_chain"}, {"weight", 0}}));
  rig.fly(8);
  EXPECT_LT(rig.speed_of(last), 1);
  EXPECT_EQ(rig.swarm.back()["decision"]["behaviours"][0]["weight"], 0);
  ASSERT_TRUE(rig.act("behaviour", {{"ids", rig.ids("relays")}, {"kind", "relay_chain"}, {"weight", 1}}));
  rig.fly(4);
  EXPECT_GT(rig.speed_of(last), 2);
}

TEST(swarm_text, a_parameter_that_is_changed_in_flight_changes_the_flight_and_is_told) {
  Rig rig(scenario_of("hill_relay.yaml"));
  const VehicleId last = rig.session->world().vehicles("relays")[4];
  rig.session->want(1, {false, last, true});
  rig.fly(4);
  ASSERT_GT(rig.speed_of(last), 2);
  const auto field = [&](const char* path) {
    for (const Json& f : rig.swarm.back()["fields"])
      if (f["path"] == path) return f;
    return Json{{"value", "none"}};
  };
  EXPECT_EQ(field("behaviours[0].relay_chain.speed")["unit"], "m/s");
  EXPECT_GT(field("behaviours[0].relay_chain.speed")["max"], 10);
  EXPECT_EQ(field("radio.access")["choices"], (Json{"free", "slotted_aloha", "csma"}));
  ASSERT_TRUE(rig.act("field", {{"ids", rig.ids("relays")}, {"path", "behaviours.relay_chain.speed"}, {"value", "0.5"}}));
  ASSERT_TRUE(rig.act("field", {{"path", "radio.loss"}, {"value", "0.25"}}));
  rig.fly(3);
  EXPECT_LT(rig.speed_of(last), 1);
  EXPECT_EQ(field("behaviours[0].relay_chain.speed")["value"], "0.5");
  EXPECT_EQ(field("radio.loss")["value"], "0.25");
  // five vehicles of a flock share the field: one input
  EXPECT_EQ(rig.fields_set, 2u);
  rig.session->want(1, {false, last});
  rig.fly(1);
  EXPECT_FALSE(rig.swarm.back().contains("fields"));
}

TEST(swarm_text, a_field_that_cannot_be_changed_is_refused_with_the_reason) {
  Rig rig(scenario_of("hill_relay.yaml"));
  auto refusal = [&](const Json& args) {
    const core::Status done = rig.act("field", args);
    return done ? std::string("done") : done.error().text();
  };
  EXPECT_NE(refusal({{"path", "radio.los"}, {"value", "1"}}).find("did you mean 'loss'"), std::string::npos);
  EXPECT_NE(refusal({{"path", "radio.loss"}, {"value", "2"}}).find("between 0 and 1"), std::string::npos);
  EXPECT_NE(refusal({{"ids", rig.ids("far")}, {"path", "behaviours.avoid.margin"}, {"value", "2"}}).find("there is no 'avoid'"), std::string::npos);
  EXPECT_NE(refusal({{"path", "radio.loss"}, {"value", 1}}).find("must be a text"), std::string::npos);
  EXPECT_NE(refusal({{"path", "radio.loss"}}).find("missing"), std::string::npos);
  // half of a command must not happen
  Json mixed = rig.ids("relays");
  mixed.push_back(rig.ids("far")[0]);
  EXPECT_NE(refusal({{"ids", mixed}, {"path", "behaviours.relay_chain.speed"}, {"value", "1"}}), "done");
  Rig undisturbed(scenario_of("hill_relay.yaml"));
  rig.fly(0.1), undisturbed.fly(0.1);
  EXPECT_EQ(rig.session->world().hash(), undisturbed.session->world().hash());
}

TEST(swarm_text, a_behaviour_that_is_not_there_is_refused_and_those_that_are_there_are_named) {
  Rig rig(scenario_of("hill_relay.yaml"));
  auto refusal = [&](const Json& args) {
    const core::Status done = rig.act("behaviour", args);
    return done ? std::string("done") : done.error().text();
  };
  EXPECT_NE(refusal({{"ids", rig.ids("relays")}, {"kind", "relay_chian"}, {"weight", 1}}).find("did you mean 'relay_chain'"), std::string::npos);
  EXPECT_NE(refusal({{"ids", rig.ids("relays")}, {"kind", "xyz"}, {"weight", 1}}).find("known: relay_chain, avoid"), std::string::npos);
  EXPECT_NE(refusal({{"ids", rig.ids("far")}, {"kind", "avoid"}, {"weight", 1}}).find("flock 'far' has no behaviours"), std::string::npos);
  EXPECT_NE(refusal({{"ids", rig.ids("relays")}, {"kind", "avoid"}, {"weight", -1}}).find("between 0 and"), std::string::npos);
  EXPECT_NE(refusal({{"ids", rig.ids("relays")}, {"kind", "avoid"}}).find("missing"), std::string::npos);
  // half of a command must not happen
  Json mixed = rig.ids("relays");
  mixed.push_back(rig.ids("base")[0]);
  EXPECT_NE(refusal({{"ids", mixed}, {"kind", "avoid"}, {"weight", 0}}), "done");
  Rig undisturbed(scenario_of("hill_relay.yaml"));
  rig.fly(0.1), undisturbed.fly(0.1);
  EXPECT_EQ(rig.session->world().hash(), undisturbed.session->world().hash());
}

}  // namespace
}  // namespace volary::server
