// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Surveillance by digital pheromone: a visit marks a cell of a grid, marks evaporate, and everybody flies where they are faintest (Parunak, Purcell,
// O'Connell, "Digital pheromones for autonomous coordination of swarming UAVs", AIAA 2002; with one mark per cell and time it is the least recently
// visited rule of Koenig, Szymanski, Liu 2001). The ground cannot be marked from the air: every member keeps a map, and visits are told.
// Fails: visits that nobody hears are made twice: loss costs time, never coverage. Cells finer than `speed` times a few decisions are skipped over.
// With more members than cells the rest waits. Grids have at most 16 x 16 cells.
#pragma once

#include <limits>

#include "swarm/behaviours/task_tag.hpp"

namespace volary::swarm {

struct Pheromone {
  static constexpr const char* name = "pheromone";
  static constexpr const char* doc = "watch an area: fly to the cells visited longest ago";
  static constexpr std::size_t kSide = 16;
  static constexpr std::uint32_t kTopic = topic("visited");
  struct Params {
    std::array<double, 2> from = {0, 0}, to = {100, 100};  // m
    std::int64_t columns = 8, rows = 8;
    double speed = 4;  // m/s
    double reach = 0.3;  // -
    double height = 15;  // m
  };
  struct Memory {
    double visited[kSide * kSide] = {};  // s plus one of the last visit; 0: never
    double goal = 0;  // cell, counted from 1; 0: none
  };
  struct Features {
    bool flies = false;
  };

  struct Grid {
    double x0, y0, width, depth;  // m, of a cell
    std::size_t columns, rows;
    V3 middle(std::size_t cell) const {
      return {x0 + width * (static_cast<double>(cell % columns) + 0.5), y0 + depth * (static_cast<double>(cell / columns) + 0.5), 0};
    }
    std::size_t cells() const { return columns * rows; }
  };
  static Grid grid(const Params& p) {
    Grid g;
    g.columns = static_cast<std::size_t>(clamp_to(static_cast<double>(p.columns), 1, kSide));
    g.rows = static_cast<std::size_t>(clamp_to(static_cast<double>(p.rows), 1, kSide));
    g.x0 = math::min(p.from[0], p.to[0]);
    g.y0 = math::min(p.from[1], p.to[1]);
    g.width = math::abs(p.to[0] - p.from[0]) / static_cast<double>(g.columns);
    g.depth = math::abs(p.to[1] - p.from[1]) / static_cast<double>(g.rows);
    return g;
  }

  static Features extract(const Sense& s, const Params&, const Memory&) { return {is_flying(s.mode)}; }
  static double trigger(const Features& f, const Params&) { return f.flies ? 1 : 0; }
  static Action act(const Features&, const Sense& s, const Params& p, Memory& m, Outbox& out) {
    const Grid g = grid(p);
    const double same = TaskTag(name).with(p.from).with(p.to).with(static_cast<double>(g.cells())).value();
    hear(s, g, same, m);
    const V3 here = flat(s.position);
    if (m.goal > 0) {
      const std::size_t cell = static_cast<std::size_t>(m.goal) - 1;
      if (cell >= g.cells()) {
        m.goal = 0;
      } else if (distance(here, g.middle(cell)) < p.reach * math::min(g.width, g.depth)) {
        m.visited[cell] = s.time + 1;
        out.say(kTopic, 0, cell, same);
        m.goal = 0;
      } else if (is_claimed(s, same, m.goal, s.self)) {
        m.goal = 0;
      }
    }
    if (m.goal == 0) m.goal = static_cast<double>(choose(s, p, g, same, m));
    // with more members than cells some have none: they wait where they are, out of the way of the others
    V3 v{0, 0, 0};
    if (m.goal > 0) v = math::min(p.speed, s.max_speed) * direction(g.middle(static_cast<std::size_t>(m.goal) - 1) - here);
    v.z = hold_height(s, p.height);
    Action a = fly(above_floor(s, v, 0.5 * p.height));
    a.role = make_role(same, m.goal);
    return a;
  }

 private:
  static void hear(const Sense& s, const Grid& g, double same, Memory& m) {
    for (const Message& message : s.messages) {
      if (message.topic != kTopic || message.count < 2 || message.values[1] != same) continue;
      const double cell = message.values[0];
      if (!(cell >= 0 && cell < static_cast<double>(g.cells()))) continue;
      const double when = s.time - seconds_since(s, message.tick) + 1;
      double& mark = m.visited[static_cast<std::size_t>(cell)];
      mark = math::max(mark, when);
    }
  }
  // by an id below `below`
  static bool is_claimed(const Sense& s, double same, double goal, std::uint64_t below) {
    for (const Known& k : s.others)
      if (role_number(same, k.role) == goal && k.from < below) return true;
    return false;
  }
  // the longest unvisited, less the time to get there, counted from 1; cells that others fly to are left to them, and 0 is none
  static std::size_t choose(const Sense& s, const Params& p, const Grid& g, double same, const Memory& m) {
    double best = -std::numeric_limits<double>::infinity();
    std::size_t cell = 0;
    const std::size_t first = static_cast<std::size_t>(s.uniform(0) * static_cast<double>(g.cells()));  // equals are met in an order of its own
    for (std::size_t k = 0; k < g.cells(); ++k) {
      const std::size_t c = (first + k) % g.cells();
      if (is_claimed(s, same, static_cast<double>(c + 1), ~std::uint64_t{0})) continue;
      const double age = m.visited[c] > 0 ? s.time + 1 - m.visited[c] : s.time + 1000;
      const double value = age - 2 * distance(g.middle(c), flat(s.position)) / p.speed;
      if (value > best) best = value, cell = c + 1;
    }
    return cell;
  }
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, Pheromone::Params>
void describe(D& d, V& v) {
  v.field("from", d.from, {.unit = "m", .min = -1e6, .max = 1e6, .required = true, .doc = "one corner of the area, east north"});
  v.field("to", d.to, {.unit = "m", .min = -1e6, .max = 1e6, .required = true, .doc = "opposite corner of the area, east north"});
  v.field("columns", d.columns, {.min = 1, .max = 16, .doc = "number of cells from west to east"});
  v.field("rows", d.rows, {.min = 1, .max = 16, .doc = "number of cells from south to north"});
  v.field("speed", d.speed, {.unit = "m/s", .min = 0.1, .max = 100, .doc = "speed between cells"});
  v.field("reach", d.reach,
          {.min = 0.05, .max = 0.7, .doc = "distance from the middle of a cell at which it counts as visited, as a share of its smaller side"});
  v.field("height", d.height, {.unit = "m", .min = 0.5, .max = 1e4, .doc = "height above ground that all members keep"});
}

}  // namespace volary::swarm
