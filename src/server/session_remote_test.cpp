// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A session over a world that two others compute, all of it in one process.
#include <gtest/gtest.h>

#include <deque>

#include <nlohmann/json.hpp>

#include "engine/shared_world_test_support.hpp"
#include "runner/runner_test_support.hpp"
#include "server/session.hpp"

namespace volary::server {
namespace {

using Json = nlohmann::json;

// Two members with their worlds. They compute up to a lead ahead of what is taken from them, and a log of inputs, as a federation does.
class Elsewhere final : public runner::Source {
 public:
  explicit Elsewhere(const WorldDef& def) : sharing_{.members = 2, .parts = {{"birds", 1, 0}, {"birds", 3, 1}}}, worlds_(def, sharing_) {}
  std::string name() const override { return "the others"; }
  bool is_ready(const World&) override {
    if (ready_.empty() && ticks_ < hold_) compute();
    return !ready_.empty();
  }
  core::Status give(const World&, std::vector<Input>& inputs) override { return inputs = ready_.front().inputs, core::ok(); }

  Remote remote() {
    Remote r;
    r.nodes = 2;
    r.prepare = [this](World& w) {
      std::string error;
      return w.share(sharing_, &error) ? core::ok() : core::Status(core::Error{.message = error});
    };
    r.fly = [this](World& w) { return fly(w); };
    r.submit = [this](const Input& in) -> core::Status {
      if (refuses_) return core::Error{.message = "too many inputs are pending"};
      inputs_.push_back(in);
      inputs_.back().tick = std::max(in.tick, ticks_);
      return core::ok();
    };
    r.hold = [this](std::uint64_t tick) { hold_ = tick; };
    r.pace = [this](double speed) { return speed_ = speed, core::ok(); };
    r.shown = [this](LiveView view) { return shown_[static_cast<std::size_t>(view)]; };
    r.nodes_text = [](std::uint64_t after) { return "{\"after\":" + std::to_string(after) + "}"; };
    return r;
  }
  // what a node said of its newest tick
  ShownPart newest(std::size_t member) { return {ticks_, true, std::make_shared<const std::vector<std::byte>>(worlds_.frame(member))}; }
  void compute() {
    Tick tick;
    std::erase_if(inputs_, [&](const Input& in) { return in.tick == ticks_ ? tick.inputs.push_back(in), true : false; });
    for (const Input& in : tick.inputs) worlds_.submit(in);
    worlds_.advance();
    tick.frames = {worlds_.frame(0), worlds_.frame(1)};
    worlds_.settle();
    for (std::size_t m = 0; m < 2; ++m) tick.sum += worlds_.at(m).own_hash();
    ready_.push_back(std::move(tick));
    ++ticks_;
  }

  std::uint64_t ticks_ = 0, hold_ = 0;
  double speed_ = 1;
  bool refuses_ = false;
  std::array<std::vector<ShownPart>, kLiveViews> shown_;

 private:
  struct Tick {
    std::vector<Input> inputs = {};
    std::vector<std::vector<std::byte>> frames = {};
    std::uint64_t sum = 0;
  };
  core::Status fly(World& world) {
    const Tick tick = std::move(ready_.front());
    ready_.pop_front();
    std::vector<std::byte> own;
    world.advance(own);
    std::string error;
    const std::vector<std::span<const std::byte>> frames(tick.frames.begin(), tick.frames.end());
    if (!world.settle(frames, &error)) return core::Error{.message = error};
    world.learn_hash(tick.sum);
    return core::ok();
  }
  Sharing sharing_;
  test::SharedWorld worlds_;
  std::deque<Tick> ready_;
  std::vector<Input> inputs_;
};

struct Rig {
  explicit Rig(const WorldDef& def) : elsewhere(def) {
    SessionOptions options;
    options.clock = &clock;
    options.sources = {&elsewhere};
    options.remote = elsewhere.remote();
    auto made = Session::create(def, std::move(options));
    EXPECT_TRUE(made) << made.error().text();
    session = std::move(made).value();
  }
  core::Status act(const char* name, const Json& args = Json::object()) { return session->act(1, parse_action(name, args).value()); }
  void fly(int ticks) {
    for (int k = 0; k < ticks; ++k) session->turn(), clock.time += 0.01;
  }
  std::uint64_t tick() const { return session->world().tick(); }

  test::FakeClock clock;
  Elsewhere elsewhere;
  std::unique_ptr<Session> session;
};

WorldDef birds() {
  WorldDef def = test::circling(4);
  def.duration = 600;
  return def;
}

TEST(session_remote, shows_what_others_compute_and_gives_them_what_clients_command) {
  Rig rig(birds());
  const auto alone = test::make(birds());
  rig.fly(20), alone->step(20);
  EXPECT_EQ(rig.tick(), 20u);
  EXPECT_EQ(rig.session->world().hash(), alone->hash());
  ASSERT_TRUE(rig.act("goto", {{"ids", {"1", "4"}}, {"position", {1, 2, 5}}}));
  // the same inputs, as a session with a world of its own gives them
  SessionOptions options;
  test::FakeClock clock;
  options.clock = &clock;
  const auto own = Session::create(birds(), std::move(options)).value();
  const auto turn = [&] { own->turn(), clock.time += 0.01; };
  for (int k = 0; k < 20; ++k) turn();
  ASSERT_TRUE(own->act(1, parse_action("goto", {{"ids", {"1", "4"}}, {"position", {1, 2, 5}}}).value()));
  rig.fly(200);
  for (int k = 0; k < 200; ++k) turn();
  EXPECT_EQ(rig.session->world().hash(), own->world().hash());
  alone->step(200);
  EXPECT_NE(rig.session->world().hash(), alone->hash());
}

TEST(session_remote, a_paused_run_holds_the_others_and_steps_let_them_go_so_far) {
  Rig rig(birds());
  rig.fly(5);
  EXPECT_EQ(rig.elsewhere.hold_, Remote::kNoHold);
  ASSERT_TRUE(rig.act("pause"));
  EXPECT_EQ(rig.elsewhere.hold_, 5u);
  rig.fly(5);
  EXPECT_EQ(rig.tick(), 5u);
  ASSERT_TRUE(rig.act("step", {{"ticks", 3}}));
  EXPECT_EQ(rig.elsewhere.hold_, 8u);
  rig.fly(9);
  EXPECT_EQ(rig.tick(), 8u);
  ASSERT_TRUE(rig.act("resume"));
  EXPECT_EQ(rig.elsewhere.hold_, Remote::kNoHold);
  ASSERT_TRUE(rig.act("speed", {{"factor", 4}}));
  EXPECT_EQ(rig.elsewhere.speed_, 4);
  EXPECT_EQ(rig.session->speed(), 4);
  ASSERT_TRUE(rig.act("stop"));
  EXPECT_EQ(rig.elsewhere.hold_, rig.tick());
}

TEST(session_remote, says_in_words_what_a_federation_does_not_do) {
  Rig rig(birds());
  rig.fly(2);
  const auto refused = [&](const char* name, const Json& args, const char* words) {
    const core::Status done = rig.act(name, args);
    ASSERT_FALSE(done) << name;
    EXPECT_NE(done.error().text().find(words), std::string::npos) << done.error().text();
  };
  refused("start", {{"scenario", "mixed"}}, "one scenario");
  refused("reset", Json::object(), "cannot be reset");
  rig.elsewhere.refuses_ = true;
  refused("goto", {{"ids", {"1"}}, {"position", {1, 2, 5}}}, "too many inputs");
  rig.elsewhere.refuses_ = false;
  EXPECT_TRUE(rig.act("goto", {{"ids", {"1"}}, {"position", {1, 2, 5}}}));
  VehicleQuery query;
  query.columns = {"attitude", "setpoint.position"};
  EXPECT_NE(rig.session->vehicles_text(query).error().text().find("only the node"), std::string::npos);
  query.columns = {"attitude"};
  EXPECT_TRUE(rig.session->vehicles_text(query));
}

TEST(session_remote, tells_clients_of_the_nodes) {
  Rig rig(birds());
  EXPECT_EQ(Json::parse(*rig.session->welcome(Scope::All).texts.front())["nodes"], 2);
  EXPECT_EQ(rig.session->nodes_text(7).value(), "{\"after\":7}");
  SessionOptions options;
  test::FakeClock clock;
  options.clock = &clock;
  const auto own = Session::create(birds(), std::move(options)).value();
  EXPECT_FALSE(Json::parse(*own->welcome(Scope::All).texts.front()).contains("nodes"));
  EXPECT_NE(own->nodes_text(0).error().text().find("one process"), std::string::npos);
}

TEST(session_remote, a_view_shows_each_node_at_its_own_tick_and_leaves_what_is_missing_where_it_was) {
  Rig rig(birds());
  rig.fly(10);
  auto& shown = rig.elsewhere.shown_[static_cast<std::size_t>(LiveView::Newest)];
  // node 0 is two ticks ahead of what is committed, node 1 three
  rig.elsewhere.compute(), rig.elsewhere.compute();
  shown = {rig.elsewhere.newest(0)};
  const auto ahead = test::make(birds());
  ahead->step(12);
  const Vec first = ahead->position_of({1});
  rig.elsewhere.compute();
  ahead->step(1);
  shown.push_back(rig.elsewhere.newest(1));
  const auto decoded = [&](LiveView view) { return decode_frame(rig.session->frame(view)->bytes).value(); };
  const DecodedFrame mixed = decoded(LiveView::Newest), plain = decoded(LiveView::Committed);
  EXPECT_EQ(mixed.tick, 13u);
  EXPECT_EQ(plain.tick, 10u);
  EXPECT_NEAR(mixed.vehicles[0].position_W[0], first[0], 1e-5);
  EXPECT_NEAR(mixed.vehicles[3].position_W[0], ahead->position_of({4})[0], 1e-5);
  EXPECT_NEAR(plain.vehicles[3].position_W[0], rig.session->world().position_of({4})[0], 1e-5);
  EXPECT_FALSE(rig.session->frame_is_new(LiveView::Newest));
  // the next message of node 0 is lost
  rig.elsewhere.compute();
  shown = {{0, false, nullptr}, rig.elsewhere.newest(1)};
  EXPECT_TRUE(rig.session->frame_is_new(LiveView::Newest));
  const DecodedFrame torn = decoded(LiveView::Newest);
  EXPECT_EQ(torn.tick, 14u);
  EXPECT_EQ(torn.vehicles[0].position_W, mixed.vehicles[0].position_W);
  EXPECT_NE(torn.vehicles[3].position_W, mixed.vehicles[3].position_W);
  // a run that stands still shows the tick at which it stands
  ASSERT_TRUE(rig.act("pause"));
  EXPECT_TRUE(rig.session->frame_is_new(LiveView::Newest));
  EXPECT_EQ(decoded(LiveView::Newest).tick, 10u);
}

}  // namespace
}  // namespace volary::server
