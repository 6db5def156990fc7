// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Searches a rectangle in parallel rows, divided among the members without a leader: what is left is cut into equal shares by rank, each flies the
// rows of its share, the nearest next, back and forth, and tells the others which rows are done. Rows of a member that falls silent are
// still to do, so somebody else flies them. Whoever sees what is looked for says "found" and where.
// Fails: cut off from the others it searches everything by itself, and rows are flown twice. A gust that carries it aside leaves a strip unseen: let
// `swath` be narrower than what is seen. At most 1056 rows. What hides while it passes is not found: it does not come back.
#pragma once

#include <limits>

#include "core/result.hpp"
#include "swarm/behaviours/roster.hpp"

namespace volary::swarm {

struct Lawnmower {
  static constexpr const char* name = "lawnmower";
  static constexpr const char* doc = "search a rectangle in rows, shared among the members";
  static constexpr std::size_t kMostRows = 1056, kWordBits = 24, kWordsTold = 11, kWords = kMostRows / kWordBits, kBlocks = kWords / kWordsTold;
  static constexpr std::uint32_t kRows = topic("rows"), kFound = topic("found");

  struct Params {
    std::array<double, 2> from = {0, 0}, to = {100, 100};  // m
    double swath = 10;                                     // m
    double height = 15;                                    // m
    double speed = 5;                                      // m/s
    double tolerance = 1;                                  // m
    std::string find = {};
    double patience = 3;  // s
    double rate = 1;      // Hz
  };
  struct Memory {
    Roster roster;
    std::uint32_t done[kWords] = {};  // a bit for each row
    double row = 0;                   // the row it flies, counted from 1; 0: none
    double flying = 0, from_far = 0;  // 1: on the row already; 1: from its far end to the near one
    double begun = 0, finished = 0;   // s, plus one
    double next_told = 0, next_found = 0;  // s
    double block = 0;
  };
  struct Features {
    bool active = false;
  };

  // rows run along the longer side
  struct Field {
    V3 corner{}, along{}, across{};  // m, unit vectors
    double length = 0, width = 0;    // m
    std::size_t rows = 0;
  };
  static Field field(const Params& p) {
    const double x0 = math::min(p.from[0], p.to[0]), y0 = math::min(p.from[1], p.to[1]);
    const double dx = math::abs(p.to[0] - p.from[0]), dy = math::abs(p.to[1] - p.from[1]);
    Field f;
    f.corner = {x0, y0, 0};
    f.along = dx >= dy ? V3{1, 0, 0} : V3{0, 1, 0};
    f.across = dx >= dy ? V3{0, 1, 0} : V3{1, 0, 0};
    f.length = math::max(dx, dy);
    f.width = math::min(dx, dy);
    const double rows = -math::floor(-f.width / p.swath);
    f.rows = static_cast<std::size_t>(clamp_to(rows, 1, static_cast<double>(kMostRows)));
    return f;
  }
  static core::Status check(const Params& p) {
    const double rows = math::min(math::abs(p.to[0] - p.from[0]), math::abs(p.to[1] - p.from[1])) / p.swath;
    if (rows > static_cast<double>(kMostRows))
      return core::Error{.message = "more than 1056 rows", .field = "swath", .suggestion = "use wider rows or a smaller area"};
    return core::ok();
  }
  // the near or the far end of a row
  static V3 end_of(const Field& f, std::size_t row, bool far) {
    const double aside = f.width * (static_cast<double>(row) + 0.5) / static_cast<double>(f.rows);
    return add_scaled(aside, f.across, add_scaled(far ? f.length : 0.0, f.along, f.corner));
  }
  static bool is_done(const Memory& m, std::size_t row) { return ((m.done[row / kWordBits] >> (row % kWordBits)) & 1) != 0; }
  static void set_done(Memory& m, std::size_t row) { m.done[row / kWordBits] |= 1u << (row % kWordBits); }

  static Features extract(const Sense& s, const Params&, const Memory& m) {
    // goes on talking for a few seconds, so that the last row is known to be done
    return {is_flying(s.mode) && (m.finished == 0 || s.time < m.finished - 1 + 3)};
  }
  static double trigger(const Features& f, const Params&) { return f.active ? 1 : 0; }

  static Action act(const Features&, const Sense& s, const Params& p, Memory& m, Outbox& out) {
    const Field f = field(p);
    const double same = TaskTag(name).with(p.from).with(p.to).with(p.swath).value();
    if (m.begun == 0) m.begun = s.time + 1;
    hear(s, p, same, m);
    report(s, p, m, out);
    Action a;
    // a second to hear who is there before work is divided
    if (s.time - (m.begun - 1) >= 1) {
      drop_taken(s, same, m);
      if (m.row == 0) choose_row(s, f, same, m);
    }
    if (m.row > 0)
      a = fly_row(s, p, f, m);
    else
      a = fly({0, 0, hold_height(s, p.height)});
    tell(s, p, f, same, m, out);
    a.role = make_role(same, m.row);
    return a;
  }

 private:
  static void hear(const Sense& s, const Params& p, double same, Memory& m) {
    m.roster.update(s, p.patience, same);
    for (const Message& message : s.messages) {
      if (message.topic != kRows || message.count < 1 + kWordsTold) continue;
      const double block = message.values[0] - same * kBlocks;  // of the same field, or it is no block
      if (!(block >= 0 && block < kBlocks)) continue;
      m.roster.note(s, message.from, message.tick);
      for (std::size_t k = 0; k < kWordsTold; ++k) {
        const double word = message.values[1 + k];
        if (word >= 0 && word < 0x1p24) m.done[static_cast<std::size_t>(block) * kWordsTold + k] |= static_cast<std::uint32_t>(word);
      }
    }
  }
  // its row is done by somebody else, or a lower id flies it too
  static void drop_taken(const Sense& s, double same, Memory& m) {
    if (m.row == 0) return;
    bool taken = is_done(m, static_cast<std::size_t>(m.row) - 1);
    for (const Known& k : s.others) taken = taken || (role_number(same, k.role) == m.row && k.from < s.self);
    if (taken) m.row = 0;
  }
  static bool is_claimed(const Sense& s, double same, std::size_t row) {
    for (const Known& k : s.others)
      if (role_number(same, k.role) == static_cast<double>(row + 1)) return true;
    return false;
  }
  static void choose_row(const Sense& s, const Field& f, double same, Memory& m) {
    std::size_t left = 0, unfinished = 0;
    for (std::size_t row = 0; row < f.rows; ++row) {
      unfinished += !is_done(m, row);
      left += !is_done(m, row) && !is_claimed(s, same, row);
    }
    if (unfinished == 0 && m.finished == 0) m.finished = s.time + 1;
    if (left == 0) return;
    const std::size_t n = m.roster.members(), rank = m.roster.rank(s.self, s);
    std::size_t first = rank * left / n, last = (rank + 1) * left / n;
    if (first == last) first = 0, last = left;  // fewer rows than members: any will do
    double nearest = std::numeric_limits<double>::infinity();
    std::size_t index = 0;
    for (std::size_t row = 0; row < f.rows; ++row) {
      if (is_done(m, row) || is_claimed(s, same, row)) continue;
      if (index++ < first || index > last) continue;
      for (int far = 0; far < 2; ++far) {
        const double d = distance(flat(s.position), end_of(f, row, far == 1));
        if (d >= nearest) continue;
        nearest = d;
        m.row = static_cast<double>(row + 1);
        m.flying = 0;
        m.from_far = far;
      }
    }
  }
  static Action fly_row(const Sense& s, const Params& p, const Field& f, Memory& m) {
    const std::size_t row = static_cast<std::size_t>(m.row) - 1;
    const V3 start = end_of(f, row, m.from_far > 0), stop = end_of(f, row, m.from_far == 0), here = flat(s.position);
    // what turns wide begins before the row, to be on it where it starts
    const V3 along = direction(stop - start), entry = add_scaled(-2 * s.loiter_radius, along, start);
    if (m.flying == 0 && distance(here, entry) < arrival(s, p.tolerance)) m.flying = 1;
    V3 aim = entry;
    double speed = math::min(p.speed, braking_speed(distance(here, entry), 2) + 0.5);
    if (m.flying > 0) {
      const double passed = dot(here - start, along), beyond = s.loiter_radius;
      aim = add_scaled(math::min(passed + look_ahead(s, 3), f.length + beyond), along, start);
      speed = math::min(p.speed, braking_speed(distance(here, stop), 2) + 0.5);
      if (passed > f.length - p.tolerance) {
        set_done(m, row);
        m.row = 0;
        m.next_told = 0;
      }
    }
    V3 v = math::min(speed, s.max_speed) * direction(aim - here);
    v.z = hold_height(s, p.height);
    return fly(above_floor(s, v, 0.5 * p.height));
  }
  static void tell(const Sense& s, const Params& p, const Field& f, double same, Memory& m, Outbox& out) {
    if (p.rate <= 0 || s.time < m.next_told) return;
    m.next_told = s.time + 1 / p.rate;
    const std::size_t blocks = (f.rows + kWordsTold * kWordBits - 1) / (kWordsTold * kWordBits), block = static_cast<std::size_t>(m.block) % blocks;
    const std::uint32_t* w = m.done + block * kWordsTold;
    out.say(kRows, 0, same * kBlocks + static_cast<double>(block), w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9], w[10]);
    m.block = static_cast<double>((block + 1) % blocks);
  }
  static void report(const Sense& s, const Params& p, Memory& m, Outbox& out) {
    if (p.find.empty() || s.time < m.next_found) return;
    const std::uint32_t wanted = topic(p.find);
    for (const Detection& d : s.detections) {
      if (d.kind != wanted) continue;
      out.say(kFound, 0, d.position.x, d.position.y, d.position.z, d.velocity.x, d.velocity.y, d.velocity.z);
      m.next_found = s.time + 1;
      return;
    }
  }
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, Lawnmower::Params>
void describe(D& d, V& v) {
  v.field("from", d.from, {.unit = "m", .min = -1e6, .max = 1e6, .required = true, .doc = "one corner of the area, east north"});
  v.field("to", d.to, {.unit = "m", .min = -1e6, .max = 1e6, .required = true, .doc = "opposite corner of the area, east north"});
  v.field("swath", d.swath, {.unit = "m", .min = 0.1, .max = 1e4, .doc = "distance between two rows, which run along the longer side"});
  v.field("height", d.height, {.unit = "m", .min = 0.5, .max = 1e4, .doc = "height above ground that all members keep"});
  v.field("speed", d.speed, {.unit = "m/s", .min = 0.1, .max = 100, .doc = "speed along a row"});
  v.field("tolerance", d.tolerance, {.unit = "m", .min = 0.1, .max = 100, .doc = "distance at which the end of a row counts as reached"});
  v.field("find", d.find, {.doc = "name of the airframe to find, whose position and velocity are sent under the topic found; empty: none"});
  v.field("patience", d.patience, {.unit = "s", .min = 0.1, .max = 1e3, .doc = "time without a message after which a member counts as lost"});
  v.field("rate", d.rate, {.unit = "Hz", .min = 0.01, .max = 10, .doc = "rate at which a member sends the list of finished rows"});
}

}  // namespace volary::swarm
