// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A session that shows a world which a program in the same process steps.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/engine_test_support.hpp"
#include "runner/runner_test_support.hpp"
#include "server/session.hpp"

namespace volary::server {
namespace {

using Json = nlohmann::json;

// the program: it steps its world and hands over what it is like
struct Rig {
  explicit Rig(const WorldDef& def) : world(test::make(def)) {
    SessionOptions options;
    options.clock = &clock;
    options.remote.emplace();
    options.remote->submit = [this](const Input& in) -> core::Status { return world->submit(in), core::ok(); };
    options.remote->is_paused = [this] { return is_paused; };
    options.remote->watched = [this](std::size_t n) { clients = n; };
    options.remote->change_run = [this](const Action& a) -> core::Status {
      if (a.command == wire::Command::Speed) return core::Error{.message = "the program keeps the pace"};
      is_paused = a.command == wire::Command::Pause;
      return core::ok();
    };
    session = Session::create(def, std::move(options)).value();
  }
  void show(bool is_jump = false) {
    const core::Status shown = session->show(*world->snapshot(), world->take_events(), is_jump);
    ASSERT_TRUE(shown) << shown.error().text();
  }
  core::Status act(const char* name, const Json& args = Json::object()) { return session->act(1, parse_action(name, args).value()); }
  Json hello() { return Json::parse(*session->welcome(Scope::All).texts.front()); }
  Json status() { return Json::parse(session->status_text()); }
  DecodedFrame frame() { return decode_frame(session->frame()->bytes).value(); }

  test::FakeClock clock;
  std::unique_ptr<World> world;
  bool is_paused = false;
  std::size_t clients = 0;
  std::unique_ptr<Session> session;
};

WorldDef birds(int worlds = 1) {
  WorldDef def = test::circling(4);
  def.duration = 600;
  def.worlds = static_cast<std::uint32_t>(worlds);
  return def;
}

TEST(session_show, shows_moments_and_hands_on_what_clients_command) {
  Rig rig(birds());
  rig.world->step(20);
  EXPECT_EQ(rig.session->turn(), runner::Runner::kForever);
  EXPECT_EQ(rig.frame().tick, 0u);
  rig.show();
  EXPECT_EQ(rig.frame().tick, 20u);
  EXPECT_EQ(rig.session->world().hash(), rig.world->hash());
  ASSERT_TRUE(rig.act("goto", {{"ids", {"1"}}, {"position", {1, 2, 5}}}));
  EXPECT_EQ(rig.world->pending_inputs().size(), 1u);
  rig.world->step(400), rig.show();
  EXPECT_NEAR(rig.frame().vehicles[0].position_W[2], 5, 0.2);
  EXPECT_FALSE(rig.hello().contains("nodes"));
  VehicleQuery query;
  query.columns = {"setpoint.position"};  // the whole state is there
  EXPECT_TRUE(rig.session->vehicles_text(query));
}

TEST(session_show, the_program_decides_about_the_run) {
  Rig rig(birds());
  EXPECT_EQ(rig.status()["state"], "running");
  ASSERT_TRUE(rig.act("pause"));
  EXPECT_EQ(rig.status()["state"], "paused");
  rig.show();
  const core::Status refused = rig.act("speed", {{"factor", 2}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().text(), "the program keeps the pace");
  rig.session->want(1, {}), rig.session->want(2, {});
  EXPECT_EQ(rig.clients, 2u);
  rig.session->leave(1);
  EXPECT_EQ(rig.clients, 1u);
}

TEST(session_show, a_state_that_changes_by_itself_is_told_at_once) {
  Rig rig(birds());
  rig.session->watch();
  rig.session->take_outgoing();
  rig.is_paused = true;
  rig.clock.time += 0.01;
  rig.session->watch();
  const auto told = rig.session->take_outgoing();
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(Json::parse(*told[0].text)["state"], "paused");
}

TEST(session_show, vehicles_that_come_and_go_are_shown_and_their_events_told) {
  Rig rig(birds());
  ASSERT_TRUE(rig.act("spawn", {{"flock", "birds"}, {"position", {9, 9, 9}}, {"name", "late"}}));
  rig.world->step(3), rig.show();
  EXPECT_EQ(rig.frame().vehicles.size(), 5u);
  ASSERT_TRUE(rig.act("remove", {{"ids", {"late"}}}));
  rig.world->step(3), rig.show();
  EXPECT_EQ(rig.frame().vehicles.size(), 4u);
  std::string told;
  for (const Outgoing& o : rig.session->take_outgoing()) told += *o.text;
  EXPECT_NE(told.find("\"spawned\""), std::string::npos);
  EXPECT_NE(told.find("\"removed\""), std::string::npos);
}

TEST(session_show, only_a_jump_lets_clients_forget_what_they_saw) {
  Rig rig(birds());
  rig.world->step(5), rig.show();
  const auto before = rig.world->snapshot();
  const Json first = rig.hello();
  rig.world->step(5), rig.show();
  EXPECT_EQ(rig.hello()["epoch"], first["epoch"]);
  ASSERT_TRUE(rig.world->restore(*before));
  rig.show(true);
  EXPECT_NE(rig.hello()["epoch"], first["epoch"]);
  EXPECT_EQ(rig.frame().tick, 5u);
}

TEST(session_show, a_reset_of_one_world_is_a_new_frame_of_the_same_vehicles) {
  Rig rig(birds(2));
  rig.world->step(50), rig.show();
  const DecodedFrame before = rig.frame();
  const std::vector<std::uint8_t> mask = {0, 1};
  rig.world->reset(mask);
  rig.show();
  EXPECT_TRUE(rig.session->frame_is_new());
  const DecodedFrame after = rig.frame();
  EXPECT_EQ(after.roster, before.roster);
  EXPECT_EQ(after.vehicles[0].position_W, before.vehicles[0].position_W);
  EXPECT_NE(after.vehicles[4].position_W, before.vehicles[4].position_W);
}

TEST(session_show, a_moment_of_another_world_is_refused) {
  Rig rig(birds());
  WorldDef other = birds();
  other.seed = 99;
  const core::Status shown = rig.session->show(*test::make(other)->snapshot(), {}, false);
  EXPECT_FALSE(shown);
}

}  // namespace
}  // namespace volary::server
