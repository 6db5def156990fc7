// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// take_off, hold, go_to, follow_path, land, return_home: one vehicle at a time, in gusts.
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "swarm/behaviours/all.hpp"
#include "swarm/behaviours/flock_test_support.hpp"

namespace volary::swarm {
namespace {

FlockOptions gusty(std::size_t members) { return {.members = members, .loss = 0.2, .gust = 0.5}; }

TEST(flight, takes_off_climbs_and_is_done_for_good) {
  Flock f(gusty(1));
  f.members[0].mode = Mode::Disarmed;
  f.add<TakeOff>({.height = 4});
  f.add<Hold>({});
  f.run(1);
  EXPECT_EQ(f.members[0].winner, 0);
  f.run(15);
  EXPECT_EQ(f.members[0].winner, 1);
  EXPECT_NEAR(f.members[0].position.z, 4, 1.2);
  EXPECT_EQ(f.memory_of<TakeOff>(0, 0).done, 1);
}

TEST(flight, waits_for_its_time_to_take_off) {
  Flock f({.members = 1});
  f.members[0].mode = Mode::Disarmed;
  f.add<TakeOff>({.height = 4, .after = 5});
  f.run(4.9);
  EXPECT_EQ(f.members[0].position.z, 0);
  f.run(10);
  EXPECT_GT(f.members[0].position.z, 3.5);
}

TEST(flight, takes_off_and_goes_where_it_is_told_while_on_the_ground) {
  Flock f({.members = 1});
  f.members[0].mode = Mode::Disarmed;
  f.add<TakeOff>({.height = 4, .on = "found"}, 2);
  f.add<GoTo>({.on = "found", .offset = {0, 0, 4}});
  f.run(2);
  EXPECT_EQ(f.members[0].position.z, 0);
  f.members[0].inbox.push_back({.from = 9, .topic = topic("found"), .count = 3, .values = {15, 5, 1}});
  f.run(20);
  EXPECT_LT(distance(f.members[0].position, {15, 5, 5}), 0.3);
}

TEST(flight, visits_points_in_order_and_stays_at_the_last) {
  Flock f(gusty(1));
  f.place(0, {0, 0, 5});
  GoTo::Params p{.points = {{20, 0, 5}, {20, 20, 8}}};
  f.add<GoTo>(p);
  double nearest_first = 1e9;
  bool second_before_first = false;
  f.run(60, [&] {
    nearest_first = std::min(nearest_first, distance(f.members[0].position, {20, 0, 5}));
    if (nearest_first > 1 && distance(f.members[0].position, {20, 20, 8}) < 1) second_before_first = true;
  });
  EXPECT_LT(nearest_first, 0.5);
  EXPECT_FALSE(second_before_first);
  EXPECT_LT(distance(f.members[0].position, {20, 20, 8}), 1.5);
}

TEST(flight, leaves_the_last_point_to_others_when_it_need_not_stay) {
  Flock f({.members = 1});
  f.place(0, {0, 0, 5});
  f.add<GoTo>({.points = {{10, 0, 5}}, .stay = false});
  f.add<Land>({});
  // landing weighs as much but comes later in the library
  f.run(1.5);
  EXPECT_EQ(f.members[0].winner, 0);
  f.run(20);
  EXPECT_EQ(f.members[0].mode, Mode::Disarmed);
  EXPECT_NEAR(f.members[0].position.x, 10, 1);
}

TEST(flight, goes_where_a_message_says) {
  Flock f({.members = 1});
  f.place(0, {0, 0, 5});
  f.add<GoTo>({.on = "found", .offset = {0, 0, 3}});
  f.add<Hold>({});
  f.run(2);
  EXPECT_EQ(f.members[0].winner, 1);
  f.members[0].inbox.push_back({.from = 9, .topic = topic("found"), .count = 6, .values = {15, 5, 1}});
  f.run(15);
  EXPECT_LT(distance(f.members[0].position, {15, 5, 4}), 0.3);
  // a message that is not a place is no order
  f.members[0].inbox.push_back({.from = 9, .topic = topic("found"), .count = 3, .values = {std::numeric_limits<double>::quiet_NaN(), 0, 0}});
  f.members[0].inbox.push_back({.from = 9, .topic = topic("found"), .count = 1, .values = {-50}});
  f.run(5);
  EXPECT_LT(distance(f.members[0].position, {15, 5, 4}), 0.3);
}

TEST(flight, keeps_above_the_ground_on_the_way_over_a_hill) {
  FlockOptions o{.members = 1};
  o.ground = [](double x, double) { return x > 20 && x < 40 ? 5 - math::abs(x - 30) * 0.5 : 0.0; };
  Flock f(o);
  f.place(0, {0, 0, 3});
  f.add<GoTo>({.points = {{60, 0, 3}}, .speed = 3, .floor = 2});
  double low = 1e9;
  f.run(40, [&] { low = std::min(low, f.lowest_above_ground()); });
  EXPECT_GT(low, 1);
  EXPECT_LT(distance(f.members[0].position, {60, 0, 3}), 0.5);
}

TEST(flight, follows_a_rectangle_within_a_metre_in_gusts) {
  Flock f(gusty(1));
  f.place(0, {0, 0, 5});
  FollowPath::Params p{.points = {{0, 0, 5}, {40, 0, 5}, {40, 30, 5}, {0, 30, 5}}, .loop = true};
  f.add<FollowPath>(p);
  double worst = 0, east = 0;
  f.run(120, [&] {
    const V3 at = f.members[0].position;
    const double edge = std::min({math::abs(at.x), math::abs(at.x - 40), math::abs(at.y), math::abs(at.y - 30)});
    worst = std::max(worst, edge);
    east = std::max(east, at.x);
  });
  EXPECT_LT(worst, 2);
  EXPECT_GT(east, 38);
  EXPECT_GT(f.memory_of<FollowPath>(0, 0).leg, 3);  // more than one round
}

TEST(flight, is_done_at_the_end_of_a_path) {
  Flock f({.members = 1});
  f.place(0, {0, 0, 5});
  f.add<FollowPath>({.points = {{10, 0, 5}, {10, 10, 5}}});
  f.add<Hold>({});
  f.run(20);
  EXPECT_EQ(f.members[0].winner, 1);
  EXPECT_LT(distance(f.members[0].position, {10, 10, 5}), 1);
}

TEST(flight, lands_when_told_and_only_once_it_has_flown) {
  Flock f({.members = 2});
  f.place(0, {0, 0, 5});
  f.place(1, {9, 0, 0});
  f.members[1].mode = Mode::Disarmed;
  f.add<Land>({.on = "down"}, 2);
  f.add<Hold>({});
  f.run(3);
  for (auto& m : f.members) m.inbox.push_back({.from = 9, .topic = topic("down")});
  f.run(0.1);
  EXPECT_EQ(f.members[0].winner, 0);
  EXPECT_EQ(f.members[1].winner, 1);
  f.run(10);
  EXPECT_EQ(f.members[0].mode, Mode::Disarmed);
  EXPECT_NEAR(f.members[0].position.z, 0, 0.1);
}

TEST(flight, returns_home_over_the_safe_height_and_lands) {
  Flock f(gusty(1));
  f.place(0, {0, 0, 2});
  f.add<GoTo>({.points = {{30, 10, 2}}});
  f.add<ReturnHome>({.after = 20, .height = 10}, 2);
  double height_far_out = 0;
  f.run(80, [&] {
    if (f.time() > 28 && f.members[0].position.x > 8 && f.members[0].position.x < 20) height_far_out = f.members[0].position.z;
  });
  EXPECT_NEAR(height_far_out, 10, 1.5);
  EXPECT_EQ(f.members[0].mode, Mode::Disarmed);
  EXPECT_LT(distance(flat(f.members[0].position), {0, 0, 0}), 1);
}

TEST(behaviours, every_one_of_the_list_is_found_by_its_name_and_no_two_share_one) {
  std::vector<std::string> seen;
  core::for_each_type(AllBehaviours{}, [&]<class B>() {
    const BehaviourHost* host = find_behaviour(B::name);
    ASSERT_NE(host, nullptr);
    EXPECT_STREQ(host->name, B::name);
    EXPECT_EQ(host->memory_bytes % 8, 0u);
    EXPECT_GT(std::string(B::doc).size(), 10u);
    EXPECT_EQ(std::count(seen.begin(), seen.end(), B::name), 0);
    seen.push_back(B::name);
  });
  EXPECT_EQ(find_behaviour("warp"), nullptr);
}

// everything that a member cannot know is changed; what it decides is not
TEST(behaviours, decide_the_same_when_the_hidden_truth_is_scrambled) {
  FlockOptions o{.members = 12, .radio_range = 30, .loss = 0.2, .gust = 0.5};
  Flock f(o);
  f.place_grid({0, 0, 10}, 4);
  f.add<Reynolds>({.velocity = {2, 0, 0}});
  f.add<Formation>({.goals = {{50, 0, 10}}}, 1.1);
  f.add<Lawnmower>({}, 1.2);
  f.add<Avoid>({});
  f.run(5);
  Flock scrambled = f;
  for (std::size_t i = 1; i < o.members; ++i) {
    scrambled.members[i].position = {1e3 * f.draw(i, 0), -1e3 * f.draw(i, 1), 7};
    scrambled.members[i].velocity = {-3, 2, 1};
    scrambled.members[i].gust = {9, 9, 9};
    scrambled.members[i].mode = Mode::Land;
    scrambled.members[i].failed = true;
  }
  const Action a = f.decide_one(0), b = scrambled.decide_one(0);
  EXPECT_TRUE(same_action(a, b));
  EXPECT_EQ(f.members[0].outbox.size(), scrambled.members[0].outbox.size());
  // and what it can know does matter
  Flock deaf = f;
  deaf.members[0].position.y += 1;
  EXPECT_FALSE(same_action(f.decide_one(0), deaf.decide_one(0)));
}

// collects the names of a describe list
struct FieldNames {
  std::vector<std::string> names;
  template <class T> void field(const char* name, T&, const core::Info& info) {
    EXPECT_GT(std::string(info.doc).size(), 5u) << name;
    names.push_back(name);
  }
};

// the table in the documentation is written by hand; this keeps it whole
TEST(behaviours, are_documented_with_all_their_parameters) {
  std::ifstream file("docs/behaviours.md");
  ASSERT_TRUE(file) << "run from the root of the repository";
  std::map<std::string, std::string> rows;
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("| `")) rows.emplace(line.substr(3, line.find('`', 3) - 3), line);  // the first table; a later one has figures
  core::for_each_type(AllBehaviours{}, [&]<class B>() {
    ASSERT_TRUE(rows.contains(B::name)) << B::name;
    EXPECT_NE(rows[B::name].find(B::doc), std::string::npos) << B::name;
    typename B::Params p{};
    FieldNames fields;
    describe(p, fields);
    for (const std::string& name : fields.names) EXPECT_NE(rows[B::name].find("`" + name + "`"), std::string::npos) << B::name << ": " << name;
  });
}

// every topic that a behaviour listens to, and one that nobody does
const std::uint32_t kTopics[] = {Roster::kTopic,           Lawnmower::kRows,  Auction::kBids,

                                 VirtualStructure::kTopic,

                                 ParticleSwarm::kTopic,    Pheromone::kTopic, TrackTarget::kTopic, ResponseThreshold::kTopic,
                                 Delivery::kTopic,         topic("found"),    topic("nothing")};

// A sense made of chance: members on top of each other, messages of nonsense, ticks of the future, ids that repeat in space.
struct ChanceSense {
  std::vector<Known> others;
  std::vector<Message> messages;
  std::vector<Detection> detections;
  Sense sense;

  ChanceSense(std::uint32_t seed, std::uint64_t tick) {
    const auto key = math::world_key(seed, 1);
    std::uint32_t n = 0;
    const auto u = [&] { return static_cast<double>(math::random_words<std::uint32_t>(key, n++, 0, math::Purpose::Test, tick, 0).w[0]) * 0x1p-32; };
    const auto place = [&](double size) { return V3{size * (u() - 0.5), size * (u() - 0.5), size * u()}; };
    const double strange[] = {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), -1, 1e300, 0, 16777216};
    sense.self = 5;
    sense.tick = tick;
    sense.time = 0.02 * static_cast<double>(tick);
    sense.position = place(60);
    sense.velocity = place(4);
    sense.mode = u() < 0.8 ? Mode::Mission : Mode::Disarmed;
    for (std::uint64_t id = 1; id < 12; ++id) {
      if (id == 5 || u() < 0.3) continue;
      others.push_back({id, u() < 0.1 ? tick + 5 : tick - std::min<std::uint64_t>(tick, 20), u() < 0.2 ? sense.position : place(60), place(4), place(4),
                        u() < 0.5 ? 0.0 : 9000 * u()});
      if (u() < 0.3) detections.push_back({id, topic("person"), u() < 0.2 ? sense.position : place(60), place(2)});
    }
    for (int k = 0; k < 12; ++k) {
      Message m{.from = static_cast<std::uint64_t>(12 * u()), .tick = tick, .topic = kTopics[static_cast<std::size_t>(u() * std::size(kTopics))]};
      m.count = static_cast<std::uint32_t>(13 * u());
      for (double& x : m.values) x = u() < 0.3 ? strange[static_cast<std::size_t>(6 * u())] : 50 * u();
      messages.push_back(m);
    }
    sense.others = others;
    sense.messages = messages;
    sense.detections = detections;
  }
  // what it said comes back from others, with one number spoilt: nonsense that carries the right tag
  void echo(const std::vector<Message>& said) {
    const double strange[] = {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), -1, 1e300, 0, 16777215, 3};
    for (std::size_t n = 0; n < said.size() && n < 4; ++n) {  // who passes messages on would fill all memory
      Message m = said[n];
      for (std::size_t k = 0; k < m.count; ++k) {
        m.from = 1 + (sense.tick + k) % 9;
        m.tick = sense.tick;
        const double kept = m.values[k];
        m.values[k] = strange[(sense.tick / 5 + k) % 7];
        messages.push_back(m);
        m.values[k] = kept;
      }
    }
    sense.messages = messages;
  }
};

// params that give each something to do
template <class B> typename B::Params busy() {
  typename B::Params p{};
  if constexpr (requires { p.points; }) p.points = {{0, 0, 10}, {40, 0, 10}, {40, 40, 10}};
  if constexpr (requires { p.tasks; }) p.tasks = {{0, 0, 10}, {40, 0, 10}, {40, 40, 10}};
  if constexpr (requires { p.stations; }) p.stations = {{0, 0, 10}, {40, 0, 10}};
  if constexpr (requires { p.jobs; }) p.jobs = {{{0, 0, 1}, {30, 0, 1}}, {{0, 9, 1}, {30, 9, 1}}};
  if constexpr (requires { p.goals; }) p.goals = {{0, 0, 10}, {40, 0, 10}};
  if constexpr (requires { p.find; }) p.find = "person";
  if constexpr (requires { p.forward; }) p.forward = "found, nothing";
  if constexpr (std::is_same_v<B, GoTo>) p.on = "found", p.points = {};
  return p;
}

template <class B> void answers_with_finite_numbers(std::uint32_t seed) {
  const BehaviourHost host = make_behaviour<B>();
  const typename B::Params params = busy<B>();
  std::vector<std::uint64_t> memory(host.memory_bytes / 8 + 1, 0);
  std::vector<Message> said;
  for (std::uint64_t tick = 0; tick < 400; tick += 5) {
    ChanceSense c(seed, tick);
    c.echo(said);
    said.clear();
    Outbox out(said);
    if (!(host.trigger(c.sense, &params, memory.data()) > 0)) continue;
    const Action a = host.act(host.filters ? fly({3, 1, -2}) : Action{}, c.sense, &params, memory.data(), out);
    EXPECT_TRUE(is_place(a.velocity) && is_place(a.position) && a.yaw - a.yaw == 0 && a.role - a.role == 0 && a.reward - a.reward == 0)
        << B::name << " seed " << seed << " tick " << tick;
    if (a.kind == Action::Kind::Velocity) {
      EXPECT_LT(norm(a.velocity), 2 * c.sense.max_speed) << B::name;
    }
    if (testing::Test::HasFailure()) return;
  }
}

TEST(behaviours, answer_with_finite_numbers_whatever_they_hear) {
  for (std::uint32_t seed = 1; seed <= 40; ++seed) core::for_each_type(AllBehaviours{}, [&]<class B>() { answers_with_finite_numbers<B>(seed); });
}

TEST(behaviours, the_same_seed_gives_the_same_flight_to_the_last_bit) {
  const auto flown = [](std::uint64_t seed) {
    FlockOptions o = gusty(20);
    o.seed = seed;
    Flock f(o);
    f.place_grid({0, 0, 10}, 4);
    f.add<Reynolds>({.velocity = {2, 0, 0}});
    f.add<Avoid>({});
    f.run(20);
    return f.centre();
  };
  const V3 a = flown(1), b = flown(1), c = flown(2);
  EXPECT_EQ(a.x, b.x);
  EXPECT_EQ(a.y, b.y);
  EXPECT_NE(a.x, c.x);
}

}  // namespace
}  // namespace volary::swarm
