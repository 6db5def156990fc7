// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/elsewhere.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "control/guide.hpp"
#include "control/names.hpp"
#include "engine/data.hpp"
#include "engine/payloads.hpp"

namespace volary::engine {

namespace {

constexpr double kNanoseconds = 1e9;
constexpr double kFlies = 0, kCrashed = 1, kDiverged = 2;  // conditions

std::int64_t start_of_tick(const Data& d) { return static_cast<std::int64_t>(d.tick) * d.def.tick_ns; }

// in the order of columns_of(Many::Report)
struct Reported {
  double age = 0, straight = 0;
  std::array<double, 3> position{}, velocity{};
  std::array<double, 4> attitude{};
  double mode = 0, condition = 0;
  std::array<double, 3> intent{};
  double role = 0;

  template <class F> static void each_number(auto& r, F&& f) {
    f(r.age), f(r.straight);
    for (auto& x : r.position) f(x);
    for (auto& x : r.velocity) f(x);
    for (auto& x : r.attitude) f(x);
    f(r.mode), f(r.condition);
    for (auto& x : r.intent) f(x);
    f(r.role);
  }
};

// of vehicle k of n
Reported read_column(std::span<const double> values, std::size_t k, std::size_t n) {
  Reported r;
  std::size_t at = k;
  Reported::each_number(r, [&](double& x) { x = values[std::exchange(at, at + n)]; });
  return r;
}

void take_report(Data& d, const Flock& f, std::size_t slot, const Reported& r) {
  const VehicleId id = f.ids[slot];
  const std::int64_t as_of = start_of_tick(d) - std::llround(r.age * kNanoseconds);
  Elsewhere::Report* known = d.elsewhere.find(id);
  const bool was_known = known != nullptr;
  if (!was_known) {
    auto& all = d.elsewhere.reports;
    known = &*all.insert(std::lower_bound(all.begin(), all.end(), id.value, [](const auto& x, std::uint64_t value) { return x.id < value; }), {.id = id.value});
  } else if (as_of < known->as_of) {
    return;  // old news
  }
  const auto mode = static_cast<std::uint64_t>(std::clamp<double>(r.mode, 0, static_cast<double>(names(Mode{}).size() - 1)));
  const bool diverged = r.condition == kDiverged;
  // one that is out stays where it was seen last
  if (diverged && was_known) {
    known->as_of = as_of, known->velocity = {}, known->status = mode | control::kDiverged;
    return;
  }
  *known = {id.value, as_of, std::llround(std::max(r.straight, 0.0) * kNanoseconds), r.position, r.velocity, r.attitude, mode | (diverged ? control::kDiverged : control::kAlive)};
  if (r.condition == kCrashed && note_crash(d.interaction.crashed, id)) add_event(d, id, f.names[slot], "crashed: as is reported of it");
  if (!d.is_social) return;
  Node& node = d.societies[f.index].nodes[slot];
  for (std::size_t k = 0; k < 3; ++k) node.intent[k] = static_cast<float>(r.intent[k]);
  node.role = static_cast<float>(r.role);
}

Input say_again(VehicleId sender, const swarm::Message& m) {
  Say said{.topic_number = m.topic, .to = m.to, .from = m.from == swarm::kNoId ? 0 : m.from, .anonymous = m.from == swarm::kNoId};
  said.values.assign(m.values.begin(), m.values.begin() + m.count);
  return {.target = sender, .payload = std::move(said)};
}

// ids that no vehicle can have are not passed on: nobody is meant
bool can_be_said_again(const swarm::Message& m) { return m.to <= kMostVehicleNumber && (m.from == swarm::kNoId || m.from <= kMostVehicleNumber); }

// what vehicles of this process say in this tick, those with something on their mind included
void note_said(Data& d) {
  std::vector<Input>& said = d.elsewhere.said;
  said.clear();
  const auto is_here = [&](std::uint64_t number) {
    const Location* l = locate(d, {number});
    return l != nullptr && is_own(d, l->flock, l->slot);
  };
  for (const Outgoing& o : d.air.outgoing)
    if (is_here(o.sender) && can_be_said_again(o.message)) said.push_back(say_again({o.sender}, o.message));
  for (std::size_t k = 0; k < d.flocks.size(); ++k)
    for (const Unsaid& u : d.societies[k].unsaid)
      if (can_be_said_again(u.message) && u.due <= tick_of_world(d, 0) && is_own(d, k, u.slot) && d.frame.place_of[k][u.slot] != Frame::kNobody)
        said.push_back(say_again(VehicleId{d.flocks[k].ids[u.slot].number()}, u.message));
}

}  // namespace

// ---------------------------------------------------------------- who is where

bool Elsewhere::has(std::size_t flock, std::uint64_t place) const {
  bool elsewhere = false;
  for (const Part& p : parts)
    if (p.flock == flock && p.first_place <= place) elsewhere = p.here == 0;
  return elsewhere;
}

Elsewhere::Report* Elsewhere::find(VehicleId id) {
  const auto at = std::lower_bound(reports.begin(), reports.end(), id.value, [](const Report& r, std::uint64_t value) { return r.id < value; });
  return at != reports.end() && at->id == id.value ? &*at : nullptr;
}

bool Elsewhere::fits(std::size_t flocks) const {
  const auto is_finite = [](const auto& list) { return std::all_of(list.begin(), list.end(), [](double x) { return x - x == 0; }); };
  return std::all_of(parts.begin(), parts.end(), [&](const Part& p) { return p.flock < flocks; }) &&
         std::all_of(reports.begin(), reports.end(), [&](const Report& r) {
           constexpr std::int64_t kMost = std::int64_t{1} << 61;  // ns
           return is_finite(r.position) && is_finite(r.velocity) && is_finite(r.attitude) && r.straight >= 0 && r.straight < kMost && r.as_of > -kMost && r.as_of < kMost;
         }) &&
         std::is_sorted(reports.begin(), reports.end(), [](const Report& a, const Report& b) { return a.id < b.id; });
}

void assign(Data& d, const Assign& p) {
  const auto flock = static_cast<std::uint64_t>(std::find_if(d.flocks.begin(), d.flocks.end(), [&](const Flock& f) { return f.def.name == p.flock; }) - d.flocks.begin());
  if (d.shared.is_on() && !d.shared.is_live) return add_event(d, {}, p.flock, "refused: assign: the world is shared by a strict federation");
  if (p.here && d.tick > 0) return add_event(d, {}, p.flock, "refused: assign: vehicles are taken here only at the start of a run");
  auto& parts = d.elsewhere.parts;
  std::erase_if(parts, [&](const Elsewhere::Part& x) { return x.flock == flock && x.first_place == p.first_place; });
  parts.push_back({flock, p.first_place, p.here ? 1u : 0u});
  std::sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return std::tie(a.flock, a.first_place) < std::tie(b.flock, b.first_place); });
  follow_elsewhere(d);
}

void follow_elsewhere(Data& d) {
  if (d.elsewhere.parts.empty()) {
    if (d.shared.is_live) d.shared = {};
    return;
  }
  d.shared = {};
  d.shared.member = 0, d.shared.members = 1, d.shared.is_live = true;
  d.frame.asked |= shows::kMotion | shows::kStatus | shows::kAttitude;
  d.frame_is_stale = true;
  find_owners(d);
  std::erase_if(d.elsewhere.reports, [&](const Elsewhere::Report& r) {
    const Location* l = locate(d, VehicleId{r.id});
    return l != nullptr && is_own(d, l->flock, l->slot);
  });
  forget_hash(d);
}

// ---------------------------------------------------------------- where they are

std::vector<std::size_t> take_reports(Data& d, std::size_t flock, std::span<const std::uint32_t> slots, std::span<const double> values) {
  std::vector<std::size_t> refused;
  const Flock& f = d.flocks[flock];
  for (std::size_t k = 0; k < slots.size(); ++k) {
    if (slots[k] == ManyPatch::kNobody) continue;
    if (!d.shared.is_live || is_own(d, flock, slots[k]))
      refused.push_back(k);
    else
      take_report(d, f, slots[k], read_column(values, k, slots.size()));
  }
  return refused;
}

void begin_elsewhere(Data& d) {
  if (!d.shared.is_live) return;
  for (const Flock& f : d.flocks)
    for (std::size_t slot = 0; slot < f.slots; ++slot) {
      const VehicleId id = f.ids[slot];
      if (!id || is_own(d, f.index, slot) || locate(d, id) == nullptr || d.elsewhere.find(id) != nullptr) continue;
      Reported now{.position = position_of(d, f.index, slot)};
      const auto at = static_cast<std::uint32_t>(slot);
      if (f.shown.attitude != nullptr)
        f.stepper->read(f, *f.shown.attitude, {&at, 1}, now.attitude.data());
      else
        now.attitude = {1, 0, 0, 0};
      now.mode = static_cast<double>(status_of(d, f.index, slot) & control::kModeMask);
      take_report(d, f, slot, now);
    }
}

void carry_elsewhere(Data& d) {
  if (!d.shared.is_live) return;
  note_said(d);
  const std::int64_t now = start_of_tick(d) + d.def.tick_ns;
  std::erase_if(d.elsewhere.reports, [&](const Elsewhere::Report& r) { return locate(d, VehicleId{r.id}) == nullptr; });
  for (const Elsewhere::Report& r : d.elsewhere.reports) {
    const Location* l = locate(d, VehicleId{r.id});
    Flock& f = d.flocks[l->flock];
    Patches& to = f.patches.front();
    const std::int64_t since = now - r.as_of;
    const double way = static_cast<double>(std::clamp(since, -r.straight, r.straight)) / kNanoseconds;
    const bool stands = since > r.straight;
    to.word(l->slot, 0, r.status);
    f.has_diverged = f.has_diverged || (r.status & control::kDiverged) != 0;
    if (f.shown.position != nullptr)
      to.position(l->slot, f.shown.position->row, f.bytes, {r.position[0] + way * r.velocity[0], r.position[1] + way * r.velocity[1], r.position[2] + way * r.velocity[2]});
    for (int k = 0; f.shown.velocity != nullptr && k < 3; ++k) to.value(l->slot, f.shown.velocity->row + k, stands ? 0 : r.velocity[static_cast<std::size_t>(k)]);
    for (int k = 0; f.shown.attitude != nullptr && k < 4; ++k) to.value(l->slot, f.shown.attitude->row + k, r.attitude[static_cast<std::size_t>(k)]);
  }
  apply_patches(d);
  // a report may put it far from where it was believed to be; it has not flown that way
  const double tick = static_cast<double>(d.def.tick_ns) / kNanoseconds;
  for (const Elsewhere::Report& r : d.elsewhere.reports) {
    const std::uint32_t at = d.frame.find(VehicleId{r.id}.number());
    if (at >= d.frame.from.size()) continue;
    for (std::size_t k = 0; k < 3; ++k) d.frame.from[at][k] = d.frame.position[at][k] - tick * d.frame.velocity[at][k];
    d.frame.before[at] = d.frame.velocity[at];
  }
}

std::uint64_t hash_elsewhere(const Data& d) {
  std::uint64_t sum = 0;
  for (const Elsewhere::Part& p : d.elsewhere.parts) sum += math::mix64(0x656c736577686572ull ^ math::mix64(math::mix64(p.flock * 2 + p.here) ^ p.first_place));
  for (const Elsewhere::Report& r : d.elsewhere.reports) {
    std::uint64_t h = math::mix64(r.id ^ math::mix64(static_cast<std::uint64_t>(r.as_of)) ^ static_cast<std::uint64_t>(r.straight));
    const auto fold = [&](const auto& list) {
      for (const double x : list) h = math::mix64(h ^ std::bit_cast<std::uint64_t>(x));
    };
    fold(r.position), fold(r.velocity), fold(r.attitude);
    sum += math::mix64(h ^ r.status);
  }
  return sum;
}

// ---------------------------------------------------------------- what others are told

bool say(Data& d, VehicleId from, const Say& p) {
  if (d.air.medium == nullptr) return false;
  swarm::Message m{.from = p.anonymous ? swarm::kNoId : p.from, .to = p.to, .topic = p.topic.empty() ? p.topic_number : swarm::topic(p.topic)};
  m.count = static_cast<std::uint32_t>(p.values.size());
  for (std::size_t k = 0; k < p.values.size(); ++k) m.values[k] = static_cast<double>(static_cast<float>(p.values[k]));
  d.air.outgoing.push_back({from.number(), m});
  return true;
}

std::vector<Input> report(const Data& d, double straight) {
  std::vector<Input> all;
  for (const Flock& f : d.flocks) {
    std::vector<Reported> each;
    SetMany many{.what = Many::Report, .flock = f.def.name};
    for (std::size_t slot = 0; slot < f.slots; ++slot) {
      if (!f.ids[slot] || !is_own(d, f.index, slot)) continue;
      const std::uint32_t at = d.frame.place_of[f.index][slot];
      Reported r{.straight = straight, .attitude = {1, 0, 0, 0}};
      if (at == Frame::kNobody) {
        // its numbers went bad: others learn that it is out, and where they saw it last
        r.condition = kDiverged;
      } else {
        r.position = d.frame.position[at], r.velocity = d.frame.velocity[at], r.attitude = d.frame.attitude[at];
        r.mode = static_cast<double>(mode_of(d, f.index, slot));
        r.condition = d.interaction.has_crashed(f.ids[slot]) ? kCrashed : kFlies;
        const auto within = [](auto& list, double limit) {
          for (double& x : list) x = std::clamp(x, -limit, limit);
        };
        within(r.position, limits::kDistance), within(r.velocity, limits::kSpeed);
      }
      if (d.is_social) {
        const Node& node = d.societies[f.index].nodes[slot];
        for (std::size_t k = 0; k < 3; ++k) r.intent[k] = static_cast<double>(node.intent[k]);
        r.role = static_cast<double>(node.role);
      }
      many.ids.push_back(f.ids[slot]);
      each.push_back(r);
    }
    if (each.empty()) continue;
    const std::size_t n = each.size();
    many.values.resize(n * count_columns(Many::Report).least);
    for (std::size_t k = 0; k < n; ++k) {
      std::size_t at = k;
      Reported::each_number(each[k], [&](double x) { many.values[std::exchange(at, at + n)] = x; });
    }
    all.push_back({.payload = std::move(many)});
  }
  all.insert(all.end(), d.elsewhere.said.begin(), d.elsewhere.said.end());
  for (const VehicleId id : d.touched.lost) all.push_back({.target = id, .payload = Remove{}});
  return all;
}

}  // namespace volary::engine
