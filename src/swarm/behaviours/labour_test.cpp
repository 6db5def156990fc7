// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// response_threshold, delivery, track_target: work shared without anybody in charge.
#include <gtest/gtest.h>

#include "swarm/behaviours/all.hpp"
#include "swarm/behaviours/flock_test_support.hpp"

namespace volary::swarm {
namespace {

TEST(response_threshold, responds_to_half_at_the_threshold) {
  EXPECT_DOUBLE_EQ(ResponseThreshold::response(2, 2), 0.5);
  EXPECT_DOUBLE_EQ(ResponseThreshold::response(6, 2), 0.9);
  EXPECT_EQ(ResponseThreshold::response(0, 2), 0);
}

TEST(response_threshold, a_member_keeps_its_thresholds_and_members_differ) {
  Sense a, b;
  a.self = 1;
  b.self = 2;
  const double first = ResponseThreshold::threshold(a, {}, 0);
  a.tick = 777;
  EXPECT_EQ(ResponseThreshold::threshold(a, {}, 0), first);
  EXPECT_NE(ResponseThreshold::threshold(b, {}, 0), first);
}

std::size_t workers(const Flock& f, const ResponseThreshold::Params& p, std::size_t station) {
  std::size_t n = 0;
  for (const auto& m : f.members) n += !m.failed && distance(m.position, to_v3(p.stations[station])) < p.radius + 2;
  return n;
}

// growth 0.05 against 0.03 a worker: five thirds of a worker are needed at each station
TEST(response_threshold, as_many_work_as_the_need_asks_for_and_the_rest_are_idle) {
  FlockOptions o{.members = 30, .loss = 0.1, .gust = 0.4};
  Flock f(o);
  f.place_grid({50, 50, 10}, 4);
  ResponseThreshold::Params p{.stations = {{0, 0, 10}, {100, 0, 10}, {50, 100, 10}}};
  f.add<ResponseThreshold>(p);
  f.add<Avoid>({});
  f.run(200);
  double sum[3] = {}, n = 0;
  f.run(400, [&] {
    for (std::size_t k = 0; k < 3; ++k) sum[k] += static_cast<double>(workers(f, p, k));
    n += 1;
  });
  for (double s : sum) {
    EXPECT_GT(s / n, 0.8);
    EXPECT_LT(s / n, 5);
  }
}

TEST(response_threshold, others_take_up_the_work_of_those_that_fail) {
  FlockOptions o{.members = 100, .loss = 0.2, .gust = 0.5};
  Flock f(o);
  f.place_grid({50, 50, 10}, 4);
  ResponseThreshold::Params p{.stations = {{-50, 0, 10}, {150, 0, 10}}, .growth = 0.2};
  f.add<ResponseThreshold>(p);
  f.add<Avoid>({});
  f.run(200);
  std::size_t failed = 0;
  for (std::size_t i = 0; i < 100; ++i)
    if (f.memory_of<ResponseThreshold>(i, 0).station == 1) f.fail(i), ++failed;
  ASSERT_GT(failed, 2u);
  double sum = 0, n = 0;
  f.run(150);
  f.run(250, [&] { sum += static_cast<double>(workers(f, p, 0)), n += 1; });
  EXPECT_GT(sum / n, 2);
}

TEST(response_threshold, too_many_stations_are_an_error) {
  ResponseThreshold::Params p;
  p.stations.resize(17);
  EXPECT_FALSE(ResponseThreshold::check(p));
}

std::vector<DeliveryJob> crossing_jobs(std::size_t n) {
  std::vector<DeliveryJob> jobs;
  for (std::size_t k = 0; k < n; ++k) {
    const double aside = 8.0 * static_cast<double>(k / 2);
    if (k % 2 == 0)
      jobs.push_back({{0, aside, 1}, {120, aside, 1}});
    else
      jobs.push_back({{aside, -20, 1}, {aside, 120, 1}});
  }
  return jobs;
}

TEST(delivery, opposite_courses_are_two_layers_apart) {
  Delivery::Params p{.height = 10, .layer = 4};
  const double east = Delivery::cruise_height({1, 0.1, 0}, p), west = Delivery::cruise_height({-1, -0.1, 0}, p),
               north = Delivery::cruise_height({-0.1, 1, 0}, p);
  EXPECT_DOUBLE_EQ(math::abs(east - west), 8);
  EXPECT_DOUBLE_EQ(math::abs(north - east), 4);
}

TEST(delivery, every_load_goes_from_its_start_to_its_end) {
  Flock f({.members = 1});
  f.place(0, {10, 10, 10});
  f.add<Delivery>({.jobs = {{{30, 0, 1}, {30, 50, 1}}}});
  double nearest_start = 1e9, nearest_end_loaded = 1e9;
  f.run(90, [&] {
    const auto& m = f.memory_of<Delivery>(0, 0);
    nearest_start = std::min(nearest_start, distance(f.members[0].position, {30, 0, 1}));
    if (m.carries > 0) nearest_end_loaded = std::min(nearest_end_loaded, distance(f.members[0].position, {30, 50, 1}));
  });
  EXPECT_LT(nearest_start, 0.7);
  EXPECT_LT(nearest_end_loaded, 0.7);
  EXPECT_TRUE(Delivery::all_done({.jobs = crossing_jobs(1)}, f.memory_of<Delivery>(0, 0)));
}

TEST(delivery, crossing_traffic_of_ten_brings_everything_and_one_fails) {
  FlockOptions o{.members = 10, .loss = 0.2, .gust = 0.5};
  Flock f(o);
  f.place_grid({-30, -30, 10}, 5);
  Delivery::Params p{.jobs = crossing_jobs(20)};
  f.add<Delivery>(p, 2);
  f.add<Hold>({});
  f.add<Avoid>({.floor = 0.5});
  double nearest = 1e9;
  f.run(60, [&] { nearest = std::min(nearest, f.nearest()); });
  f.fail(3);
  f.run(300, [&] { nearest = std::min(nearest, f.nearest()); });
  for (std::size_t i = 0; i < 10; ++i) {
    if (i != 3) {
      EXPECT_TRUE(Delivery::all_done(p, f.memory_of<Delivery>(i, 0))) << i;
    }
  }
  EXPECT_GT(nearest, 2 * o.radius);
}

TEST(delivery, a_hundred_share_48_jobs) {
  FlockOptions o{.members = 100, .loss = 0.2, .gust = 0.5};
  Flock f(o);
  f.place_grid({-60, -60, 10}, 5);
  Delivery::Params p{.jobs = crossing_jobs(48)};
  f.add<Delivery>(p, 2);
  f.add<Hold>({});
  f.add<Avoid>({.floor = 0.5});
  double nearest = 1e9;
  f.run(60, [&] { nearest = std::min(nearest, f.nearest()); });
  f.fail(3);
  f.run(540, [&] { nearest = std::min(nearest, f.nearest()); });
  for (std::size_t i = 0; i < 100; ++i) {
    if (i != 3) {
      EXPECT_TRUE(Delivery::all_done(p, f.memory_of<Delivery>(i, 0))) << i;
    }
  }
  EXPECT_GT(nearest, 2 * o.radius);
}

// |v| is the speed everywhere, and on the circle it is along it
TEST(track_target, the_vector_field_leads_onto_the_circle) {
  const V3 on = TrackTarget::circle({10, 0, 0}, 10, 3);
  EXPECT_NEAR(distance(on, {0, 3, 0}), 0, 1e-12);
  const V3 far = TrackTarget::circle({100, 0, 0}, 10, 3);
  EXPECT_LT(far.x, -2.8);
  EXPECT_NEAR(norm(far), 3, 1e-12);
  EXPECT_GT(TrackTarget::circle({2, 0, 0}, 10, 3).x, 2);
  EXPECT_LT(TrackTarget::circle({11, 0, 0}, 10, 3).x, -0.5);  // steep enough for a crowd
}

void fly_with_target(Flock& f, double seconds, const V3& velocity) {
  f.run(seconds, [&] { f.targets[0].position = add_scaled(Flock::kInterval, velocity, f.targets[0].position); });
}

TEST(track_target, circles_a_moving_target_evenly_and_tells_who_does_not_see_it) {
  FlockOptions o{.members = 4, .loss = 0.2, .gust = 0.4, .detection_range = 60};
  Flock f(o);
  f.place_grid({0, 0, 15}, 5);
  f.place(3, {-100, 0, 15});  // sees nothing from there
  f.targets = {{900, topic("car"), {30, 0, 0}}};
  f.add<TrackTarget>({.find = "car", .distance = 15}, 2);
  f.add<Hold>({});
  fly_with_target(f, 150, {0.5, 0, 0});
  for (const auto& m : f.members) EXPECT_NEAR(distance(flat(m.position), flat(f.targets[0].position)), 15, 5);
  EXPECT_GT(f.nearest(), 8);  // a quarter of the circle is 21 m of chord
}

TEST(track_target, gives_up_when_it_has_not_seen_it_for_long) {
  FlockOptions o{.members = 1, .detection_range = 60};
  Flock f(o);
  f.place(0, {0, 0, 15});
  f.targets = {{900, topic("car"), {10, 0, 0}}};
  f.add<TrackTarget>({.find = "car", .patience = 4}, 2);
  f.add<Hold>({});
  f.run(5);
  f.targets.clear();
  f.run(3);
  EXPECT_EQ(f.members[0].winner, 0);
  f.run(2);
  EXPECT_EQ(f.members[0].winner, 1);
}

TEST(track_target, a_hundred_follow_for_ten_minutes) {
  FlockOptions o{.members = 100, .radio_range = 200, .loss = 0.2, .gust = 0.5, .detection_range = 80};
  Flock f(o);
  f.place_grid({0, 0, 15}, 5);
  f.targets = {{900, topic("car"), {0, 0, 0}}};
  f.add<TrackTarget>({.find = "car", .distance = 50}, 2);
  f.add<Hold>({});
  f.add<Avoid>({});
  fly_with_target(f, 100, {0.5, 0.2, 0});
  f.fail(4);
  double nearest = 1e9;
  fly_with_target(f, 300, {-0.5, 0.2, 0});
  f.run(200, [&] { nearest = std::min(nearest, f.nearest()); });
  for (const auto& m : f.members) {
    if (!m.failed) {
      EXPECT_LT(distance(flat(m.position), flat(f.targets[0].position)), 75);
    }
  }
  EXPECT_GT(nearest, 2 * o.radius);
}

}  // namespace
}  // namespace volary::swarm
