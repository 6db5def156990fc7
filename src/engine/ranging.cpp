// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/ranging.hpp"

#include <algorithm>
#include <array>

#include "engine/columns.hpp"
#include "engine/data.hpp"
#include "engine/interact.hpp"
#include "estimation/ekf.hpp"
#include "math/functions.hpp"
#include "sensors/timing.hpp"

namespace volary::engine {

namespace {

constexpr std::size_t kPartners = 8;

const SensePlace* radio_of(const Flock& f) {
  if (f.senses == nullptr) return nullptr;
  const SensePlace& p = f.senses->layout.sensors[estimation::kUwbPeers];
  return p.ring < 0 ? nullptr : &p;
}
bool has_radio(const Data& d, std::size_t at) {
  const Flock& f = d.flocks[d.frame.flock[at]];
  return radio_of(f) != nullptr && (carried_by(f, d.frame.slot[at]) >> estimation::kUwbPeers & 1) != 0;
}

// what a vehicle is told of its partner: rows of sensors::UwbPeers::Scene, in order
class SceneWriter {
 public:
  SceneWriter(Flock& f, std::size_t slot, int row) : f_(f), slot_(slot), row_(row) {}
  void word(std::uint64_t x) { write_word(next(), f_.bytes, x); }
  void number(double x) { write_scalar(next(), f_.bytes, x); }

 private:
  void* next() { return f_.senses->rows.data() + element_offset(slot_, f_.senses->layout.rows, row_++, f_.bytes); }
  Flock& f_;
  std::size_t slot_;
  int row_;
};

class Partners {
 public:
  explicit Partners(Data& d) : d_(d), time_(d) {}

  bool choose() {
    std::vector<std::uint8_t>& asks = d_.ranging.asks;
    asks.assign(d_.frame.size(), 0);
    bool some = false;
    for (std::size_t at = 0; at < d_.frame.size(); ++at) {
      const Flock& f = d_.flocks[d_.frame.flock[at]];
      const SensePlace* const radio = radio_of(f);
      if (radio == nullptr || !is_own(d_, f.index, d_.frame.slot[at]) || !sensors::is_due(timing(*radio), now(at)) || !has_radio(d_, at)) continue;
      asks[at] = 1, some = true;
    }
    return some;
  }

  void run() {
    d_.ranging.near.find(d_.frame.position, d_.frame.world, d_.ranging.reach, *d_.pool, d_.ranging.asks);
    for (std::size_t at = 0; at < d_.frame.size(); ++at)
      if (d_.ranging.asks[at] != 0) tell(at);
  }

 private:
  static sensors::Timing timing(const SensePlace& p) { return {p.period, p.phase, p.latency}; }
  std::uint64_t now(std::size_t at) const { return time_.of_world(d_.frame.world[at]) + 1; }

  void tell(std::size_t at) {
    Flock& f = d_.flocks[d_.frame.flock[at]];
    const SensePlace& radio = *radio_of(f);
    std::array<Near, kPartners> partners;
    const std::size_t n = nearest(at, f.def.sensors.uwb_peers->reach, partners);
    SceneWriter to(f, d_.frame.slot[at], radio.scene);
    if (n == 0) {
      to.word(0), to.word(0);
      for (const double x : {-1.0, 0.0, 0.0, 0.0, 0.0, 0.0}) to.number(x);
      return;
    }
    const std::uint32_t other = partners[sensors::reading_number(now(at), radio.phase, radio.period) % n].index;
    const Vec &a = d_.frame.position[at], &b = d_.frame.position[other];
    const Vec way = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    const Frame::Estimate& said = d_.frame.estimate[other];
    to.word(d_.frame.id[other] & 0xffffffffu), to.word(d_.frame.id[other] >> 32);
    to.number(math::sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]));
    to.number(line_of_sight(d_.def.environment, a, b) ? 0 : 1);
    for (const double x : said.position) to.number(x);
    to.number(said.position_std);
  }

  // the nearest first; of two at the same distance the one with the lower number
  std::size_t nearest(std::size_t at, double reach, std::array<Near, kPartners>& out) const {
    std::size_t n = 0;
    const auto is_nearer = [](const Near& a, const Near& b) { return a.distance < b.distance || (!(b.distance < a.distance) && a.index < b.index); };
    for (const Near& other : d_.ranging.near.of(at)) {
      if (static_cast<double>(other.distance) > reach || !has_partner(other.index)) continue;
      if (n == kPartners && !is_nearer(other, out[n - 1])) continue;
      if (n < kPartners) ++n;
      std::size_t k = n - 1;
      for (; k > 0 && is_nearer(other, out[k - 1]); --k) out[k] = out[k - 1];
      out[k] = other;
    }
    return n;
  }
  // what a vehicle of another process carries is not shown: it answers if its flock has radios
  bool has_partner(std::uint32_t at) const {
    const Flock& f = d_.flocks[d_.frame.flock[at]];
    return radio_of(f) != nullptr;
  }

  Data& d_;
  WorldTime time_;
};

}  // namespace

void prepare_ranging(Data& d) {
  for (const Flock& f : d.flocks)
    if (radio_of(f) != nullptr) d.ranging.is_on = true, d.ranging.reach = std::max(d.ranging.reach, f.def.sensors.uwb_peers->reach);
}

void range_peers(Data& d) {
  if (!d.ranging.is_on) return;
  follow_changes(d);
  Partners partners(d);
  if (!partners.choose()) return;
  partners.run();
  forget_hash(d);
}

}  // namespace volary::engine
