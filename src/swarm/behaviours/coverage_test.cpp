// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// voronoi, pheromone, particle_swarm: areas watched and searched.
#include <gtest/gtest.h>

#include "swarm/behaviours/all.hpp"
#include "swarm/behaviours/flock_test_support.hpp"

namespace volary::swarm {
namespace {

TEST(voronoi, a_cell_cut_by_a_bisector_has_the_area_and_centroid_of_the_half) {
  Voronoi::Params p{.from = {0, 0}, .to = {10, 4}};
  Voronoi::Cell c(p);
  EXPECT_DOUBLE_EQ(c.area(), 40);
  EXPECT_NEAR(distance(c.centroid({}), {5, 2, 0}), 0, 1e-12);
  c.cut({2, 2, 0}, {4, 2, 0});  // keeps x < 3
  EXPECT_DOUBLE_EQ(c.area(), 12);
  EXPECT_NEAR(distance(c.centroid({}), {1.5, 2, 0}), 0, 1e-12);
  c.cut({1, 1, 0}, {100, 100, 0});  // cuts nothing off
  EXPECT_DOUBLE_EQ(c.area(), 12);
  c.cut({-9, 2, 0}, {-5, 2, 0});  // leaves nothing
  EXPECT_EQ(c.area(), 0);
  EXPECT_EQ(c.centroid({7, 7, 0}).x, 7);
}

// mean squared distance of the area's points from the nearest member: what Lloyd's algorithm lowers
double cost(const Flock& f, double size) {
  double sum = 0, n = 0;
  for (double x = 1; x < size; x += 2)
    for (double y = 1; y < size; y += 2) {
      double best = 1e9;
      for (const auto& m : f.members)
        if (!m.failed) best = std::min(best, distance({x, y, 0}, flat(m.position)));
      sum += best * best;
      n += 1;
    }
  return sum / n;
}

TEST(voronoi, covers_a_square_nearly_as_well_as_a_hexagonal_lattice) {
  FlockOptions o{.members = 25, .loss = 0.2, .gust = 0.4, .memory = 25};
  Flock f(o);
  f.place_random({0, 0, 15}, {20, 20, 15.1});
  f.add<Voronoi>({});
  const double before = cost(f, 100);
  f.run(200);
  // a hexagonal lattice of cells of area A has 5 / (18 sqrt 3) A = 0.16 A
  EXPECT_LT(cost(f, 100), 0.16 * 400 * 1.25);
  EXPECT_GT(before, 5 * cost(f, 100));
}

TEST(voronoi, a_hundred_cover_for_ten_minutes_and_close_the_gap_of_a_lost_one) {
  FlockOptions o{.members = 100, .radio_range = 80, .loss = 0.2, .gust = 0.5, .memory = 24};
  Flock f(o);
  f.place_grid({100, 100, 15}, 4);
  f.add<Voronoi>({.from = {0, 0}, .to = {200, 200}});
  f.add<Avoid>({.margin = 1});
  double nearest = 1e9;
  f.run(400);
  f.fail(0);
  f.run(200, [&] { nearest = std::min(nearest, f.nearest()); });
  EXPECT_LT(cost(f, 200), 0.16 * 400 * 1.3);
  EXPECT_GT(nearest, 2 * o.radius);
}

TEST(pheromone, every_cell_is_visited_again_and_again) {
  FlockOptions o{.members = 6, .loss = 0.2, .gust = 0.5};
  Flock f(o);
  f.place_grid({0, 0, 15}, 4);
  Pheromone::Params p;
  f.add<Pheromone>(p);
  f.add<Avoid>({.margin = 1});
  std::vector<double> last(64, 0), worst(64, 0);
  const auto g = Pheromone::grid(p);
  f.run(600, [&] {
    for (const auto& m : f.members)
      for (std::size_t c = 0; c < 64; ++c)
        if (distance(flat(m.position), g.middle(c)) < 5) {
          if (f.time() > 200) worst[c] = std::max(worst[c], f.time() - last[c]);
          last[c] = f.time();
        }
  });
  // 64 cells of 12.5 m, 6 members at 4 m/s: 33 s at best
  for (std::size_t c = 0; c < 64; ++c) EXPECT_LT(worst[c], 180) << c;
  for (std::size_t c = 0; c < 64; ++c) EXPECT_GT(last[c], 420) << c;
}

// once all cells are taken, whoever has none must not press into the first
TEST(pheromone, with_more_members_than_cells_the_rest_waits_where_it_is) {
  FlockOptions o{.members = 30, .gust = 0.3, .memory = 30};
  Flock f(o);
  f.place_grid({50, 50, 15}, 6);
  Pheromone::Params p{.columns = 4, .rows = 4};
  f.add<Pheromone>(p);
  f.add<Avoid>({.margin = 1});
  const V3 first = Pheromone::grid(p).middle(0);
  std::size_t crowd = 0;
  f.run(120, [&] {
    std::size_t near = 0;
    for (const auto& m : f.members) near += distance(flat(m.position), first) < 10;
    crowd = std::max(crowd, near);
  });
  EXPECT_LE(crowd, 4u);
  std::size_t waiting = 0;
  for (std::size_t i = 0; i < o.members; ++i) waiting += f.memory_of<Pheromone>(i, 0).goal == 0;
  EXPECT_NEAR(static_cast<double>(waiting), 14, 3);
}

TEST(pheromone, a_hundred_watch_for_ten_minutes) {
  FlockOptions o{.members = 100, .loss = 0.2, .gust = 0.5, .memory = 32};
  Flock f(o);
  f.place_grid({150, 150, 15}, 4);
  Pheromone::Params p{.from = {0, 0}, .to = {300, 300}, .columns = 12, .rows = 12};
  f.add<Pheromone>(p);
  f.add<Avoid>({.margin = 1});
  std::vector<double> last(144, 0);
  const auto g = Pheromone::grid(p);
  const auto watch = [&] {
    for (const auto& m : f.members)
      for (std::size_t c = 0; c < 144; ++c)
        if (distance(flat(m.position), g.middle(c)) < 12) last[c] = f.time();
  };
  f.run(200, watch);
  f.fail(5);
  double nearest = 1e9;
  f.run(400, [&] {
    watch();
    nearest = std::min(nearest, f.nearest());
  });
  for (double t : last) EXPECT_GT(t, 480);  // nobody looks away for two minutes
  EXPECT_GT(nearest, 2 * o.radius);
}

TEST(particle_swarm, gathers_where_the_thing_is_that_one_of_them_saw) {
  FlockOptions o{.members = 15, .loss = 0.2, .gust = 0.5, .detection_range = 25};
  Flock f(o);
  f.place_grid({20, 20, 15}, 5);
  f.targets = {{900, topic("person"), {80, 70, 0}}};
  f.add<ParticleSwarm>({.find = "person"});
  f.add<Avoid>({.margin = 1});
  f.run(200);
  std::size_t near = 0;
  for (const auto& m : f.members) near += distance(flat(m.position), {80, 70, 0}) < 20;
  EXPECT_GE(near, 12u);
}

TEST(particle_swarm, a_far_best_place_does_not_drown_the_push_of_somebody_near) {
  Flock f({.members = 2});
  const Known ahead{.from = 2, .tick = 0, .position = {1, 0, 15}};
  Sense s = f.sense_of(0);
  s.position = {0, 0, 15};
  s.others = std::span(&ahead, 1);
  const ParticleSwarm::Params p{.find = "person"};
  ParticleSwarm::Memory m;
  m.common = {300, 0, 1, 1};  // seen now, 300 m east
  std::vector<Message> said;
  Outbox out(said);
  const Action a = ParticleSwarm::act(ParticleSwarm::extract(s, p, m), s, p, m, out);
  // 4 m/s towards it, less 4 (1 - 1/5) m/s away from the other
  EXPECT_NEAR(a.velocity.x, 0.8, 1e-9);
}

TEST(particle_swarm, wanders_inside_the_area_while_nobody_sees_anything) {
  FlockOptions o{.members = 5, .gust = 0.5};
  Flock f(o);
  f.place_grid({50, 50, 15}, 5);
  f.add<ParticleSwarm>({.find = "person"});
  double least = 1e9, most = -1e9;
  f.run(300, [&] {
    for (const auto& m : f.members) least = std::min({least, m.position.x, m.position.y}), most = std::max({most, m.position.x, m.position.y});
  });
  EXPECT_GT(least, -10);
  EXPECT_LT(most, 110);
  EXPECT_LT(least, 30);
  EXPECT_GT(most, 70);
}

TEST(particle_swarm, a_hundred_search_for_ten_minutes) {
  FlockOptions o{.members = 100, .radio_range = 200, .loss = 0.2, .gust = 0.5, .detection_range = 40};
  Flock f(o);
  f.place_grid({50, 50, 15}, 4);
  f.targets = {{900, topic("person"), {250, 300, 0}}};
  f.add<ParticleSwarm>({.from = {0, 0}, .to = {400, 400}, .find = "person", .spacing = 10, .memory = 60});
  f.add<Avoid>({.margin = 1});
  f.run(100);
  f.fail(8);
  double nearest = 1e9;
  f.run(500, [&] { nearest = std::min(nearest, f.nearest()); });
  EXPECT_LT(distance(flat(f.centre()), {250, 300, 0}), 40);
  EXPECT_GT(nearest, 2 * o.radius);
}

}  // namespace
}  // namespace volary::swarm
