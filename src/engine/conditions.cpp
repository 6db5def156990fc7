// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/conditions.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "control/guide.hpp"
#include "engine/data.hpp"
#include "math/functions.hpp"

namespace volary::engine {

namespace {

constexpr double kTipped = 0.5, kUpsideDown = -0.5;  // cosines of 60 and 120 degrees between upright and the normal of the ground
constexpr double kStill = 0.1;                       // m/s
constexpr double kAway = 0.5;                        // m from where it wants to be
constexpr double kLiesAfter = 1, kStuckAfter = 5;    // s

double length(const Vec& v) { return math::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }
Mode mode_of_status(std::uint32_t status) { return static_cast<Mode>(status & control::kModeMask); }
bool is_off(Mode m) { return m == Mode::Disarmed || m == Mode::EmergencyStop; }

void tell_of(Data& d, const Flock& f, std::size_t slot, std::string what) { d.told.faults.push_back({f.ids[slot], std::move(what)}); }

// A wreck: it is stopped, whatever the policy of contact, and flies no more.
void crash(Data& d, Flock& f, std::size_t slot, std::string what) {
  note_crash(d.interaction.crashed, f.ids[slot]);
  if (mode_of_status(status_of(d, f.index, slot)) != Mode::EmergencyStop) enter_mode(d, f, slot, Mode::EmergencyStop);
  tell_of(d, f, slot, std::move(what));
}

// ---------------------------------------------------------------- the ground, hit too fast

// One number of every vehicle of a flock. Kept by the thread that steps worlds, so that a look allocates nothing.
std::span<const double> read_all(const Flock& f, const ColumnInfo& c) {
  static thread_local std::vector<std::uint32_t> slots;
  static thread_local std::vector<double> values;
  for (std::size_t s = slots.size(); s < f.slots; ++s) slots.push_back(static_cast<std::uint32_t>(s));
  values.resize(std::max(values.size(), f.slots));
  f.stepper->read(f, c, std::span(slots).first(f.slots), values.data());
  return std::span(values).first(f.slots);
}

// the status says so until it is read here
void read_impacts(Data& d, Flock& f) {
  f.has_impacts = false;
  const std::span<const double> status = read_all(f, *f.find_column("status"));
  for (std::size_t s = 0; s < f.slots; ++s) {
    const auto bits = static_cast<std::uint32_t>(status[s]);
    if ((bits & control::kImpact) == 0 || !f.ids[s] || locate(d, f.ids[s]) == nullptr || !is_own(d, f.index, s)) continue;
    f.patches.front().word(s, 0, bits & ~control::kImpactBits);
    apply_patches(d, f);
    if (d.interaction.has_crashed(f.ids[s]) || d.interaction.is_detached(f.ids[s])) continue;
    const double speed = 0.1 * static_cast<double>(bits >> control::kImpactShift & control::kImpactMost);
    crash(d, f, s, fmt::format("crashed: into the ground at {}, {:.1f} m/s", place_text(position_of(d, f.index, s)), speed));
  }
}

// ---------------------------------------------------------------- lying and standing

struct Columns {
  const ColumnInfo *pressed, *attitude, *velocity, *setpoint;
};

// cosine between its upright axis and the ground's normal
double uprightness(const Flock& f, std::size_t slot, const Columns& c) {
  const std::vector<double> q = read_column(f, *c.attitude, slot);
  const Vec up = {2 * (q[1] * q[3] + q[0] * q[2]), 2 * (q[2] * q[3] - q[0] * q[1]), 1 - 2 * (q[1] * q[1] + q[2] * q[2])};
  if (!f.has_ground) return up[2];
  double rows[kGroundRows];
  f.get_ground(slot, rows);
  return up[0] * rows[3] + up[1] * rows[4] + up[2] * rows[5];
}

// m from where it is to be; 0 in modes that stay
double way_left(const Data& d, const Flock& f, std::size_t slot, Mode mode, const Columns& c) {
  if (c.setpoint == nullptr || (mode != Mode::TakeOff && mode != Mode::Hold && mode != Mode::Mission && mode != Mode::Armed)) return 0;
  const auto level = static_cast<ControlLevel>(level_of(d, f.index, slot));
  if (level != ControlLevel::Position && level != ControlLevel::Trajectory) return 0;
  const std::vector<double> to = read_column(f, *c.setpoint, slot);
  const Vec p = position_of(d, f.index, slot);
  return length({to[0] - p[0], to[1] - p[1], to[2] - p[2]});
}

Condition sign_of(const Data& d, const Flock& f, std::size_t slot, const Columns& c) {
  const double upright = uprightness(f, slot, c);
  if (upright < kUpsideDown) return Condition::UpsideDown;
  if (upright < kTipped) return Condition::TippedOver;
  if (length(velocity_of(d, f.index, slot)) >= kStill) return Condition::Fine;
  const Mode mode = mode_of_status(status_of(d, f.index, slot));
  return way_left(d, f, slot, mode, c) > kAway ? Condition::Stuck : Condition::Fine;
}

const char* words_for(Condition c) {
  switch (c) {
    case Condition::TippedOver: return "tipped over: on the ground at ";
    case Condition::UpsideDown: return "upside down: on the ground at ";
    default: return "stuck: on the ground at ";
  }
}

bool lies(Condition c) { return c == Condition::TippedOver || c == Condition::UpsideDown; }

// a vehicle that lies and wants to fly is stopped, or its rotors would go on in the dirt
void stop_lying(Data& d, Flock& f, std::size_t slot, const Lying& x) {
  const FailsafeRuleDef& rule = f.def.failsafe.tipped;
  const auto condition = static_cast<Condition>(x.condition);
  if (!lies(condition) || rule.action == FailsafeAction::None || x.looks < static_cast<std::uint32_t>(rule.after * kLooksPerSecond)) return;
  if (is_off(mode_of_status(status_of(d, f.index, slot))) || d.interaction.has_crashed(f.ids[slot])) return;
  const char* how = condition == Condition::UpsideDown ? "upside down" : "tipped over";
  crash(d, f, slot, fmt::format("crashed: {} on the ground at {}", how, place_text(position_of(d, f.index, slot))));
}

void look_at(Data& d, Flock& f, std::size_t slot, bool is_pressed, const Columns& c) {
  const Condition sign = is_pressed ? sign_of(d, f, slot, c) : Condition::Fine;
  // most are fine and were: nothing is kept of them
  std::vector<Lying>& all = d.conditions.of[f.index];
  if (sign == Condition::Fine && (slot >= all.size() || (all[slot].condition == 0 && all[slot].sign == 0))) return;
  Lying& x = lying_of(d, f, slot);
  x.looks = static_cast<std::uint32_t>(sign) == x.sign ? x.looks + 1 : 1;
  x.sign = static_cast<std::uint32_t>(sign);
  const auto told = static_cast<Condition>(x.condition);
  if (sign == Condition::Fine) {
    if (told != Condition::Fine) tell_of(d, f, slot, lies(told) ? "upright again" : "free again");
    x.condition = 0;
    return;
  }
  const double after = sign == Condition::Stuck ? kStuckAfter : kLiesAfter;
  if (sign != told && x.looks >= static_cast<std::uint32_t>(after * kLooksPerSecond)) {
    x.condition = x.sign;
    if (!d.interaction.has_crashed(f.ids[slot])) tell_of(d, f, slot, words_for(sign) + place_text(position_of(d, f.index, slot)));
  }
  stop_lying(d, f, slot, x);
}

// whoever touches nothing is fine, which most are
void look_at_flock(Data& d, Flock& f, const WorldTime& time, std::uint64_t every) {
  const Columns c{f.find_column("ground_force"), f.find_column("attitude"), f.find_column("velocity"), f.find_column("setpoint.position")};
  if (c.pressed == nullptr || c.attitude == nullptr || f.def.mirror || f.slots == 0) return;
  const std::span<const double> pressed = read_all(f, *c.pressed);
  for (std::size_t s = 0; s < f.slots; ++s) {
    if (time.of(f, s) % every != 0 || !f.ids[s] || !is_own(d, f.index, s) || locate(d, f.ids[s]) == nullptr || d.interaction.is_detached(f.ids[s])) continue;
    look_at(d, f, s, pressed[s] > 0, c);
  }
}

}  // namespace

std::uint64_t ticks_between_looks(const Data& d) {
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(math::round(1e9 / (kLooksPerSecond * static_cast<double>(d.def.tick_ns)))));
}

std::vector<double> read_column(const Flock& f, const ColumnInfo& c, std::size_t slot) {
  std::vector<double> values(static_cast<std::size_t>(c.rows == 6 ? 3 : c.rows));  // a position is six rows and three numbers
  const auto at = static_cast<std::uint32_t>(slot);
  f.stepper->read(f, c, std::span(&at, 1), values.data());
  return values;
}

Lying& lying_of(Data& d, const Flock& f, std::size_t slot) {
  std::vector<Lying>& all = d.conditions.of[f.index];
  if (all.size() <= slot) all.resize(slot + 1);
  if (all[slot].id != f.ids[slot].value) all[slot] = Lying{.id = f.ids[slot].value};
  return all[slot];
}

RotorWatch& rotor_watch_of(Data& d, const Flock& f, std::size_t slot) {
  std::vector<RotorWatch>& all = d.conditions.rotors[f.index];
  if (all.size() <= slot) all.resize(slot + 1);
  if (all[slot].id != f.ids[slot].value) all[slot] = RotorWatch{.id = f.ids[slot].value};
  return all[slot];
}

void watch_conditions(Data& d) {
  for (Flock& f : d.flocks)
    if (f.has_impacts) read_impacts(d, f);
  if (d.conditions.rest) return;
  const WorldTime time(d);
  const std::uint64_t every = ticks_between_looks(d);
  if (time.is_shared() && time.shared() % every != 0) return;
  for (Flock& f : d.flocks) look_at_flock(d, f, time, every);
}

Condition condition_of(const Data& d, VehicleId id) {
  const Location* l = locate(d, id);
  if (l == nullptr) return Condition::Fine;
  const VehicleId own = d.flocks[l->flock].ids[l->slot];
  if (d.interaction.has_crashed(own)) return Condition::Crashed;
  if (l->flock >= d.conditions.of.size() || l->slot >= d.conditions.of[l->flock].size()) return Condition::Fine;
  const Lying& x = d.conditions.of[l->flock][l->slot];
  return x.id == own.value ? static_cast<Condition>(x.condition) : Condition::Fine;
}

std::vector<Trouble> troubles(const Data& d) {
  std::vector<Trouble> list;
  for (const std::uint64_t id : d.interaction.crashed)
    if (locate(d, VehicleId{id}) != nullptr) list.push_back({.vehicle = {id}, .condition = Condition::Crashed});
  for (std::size_t k = 0; k < d.conditions.of.size(); ++k)
    for (std::size_t s = 0; s < d.conditions.of[k].size() && s < d.flocks[k].slots; ++s) {
      const Lying& x = d.conditions.of[k][s];
      if ((x.condition == 0 && x.failsafe == 0) || x.id != d.flocks[k].ids[s].value || locate(d, VehicleId{x.id}) == nullptr) continue;
      list.push_back({.vehicle = {x.id}, .condition = static_cast<Condition>(x.condition), .failsafe = static_cast<FailsafeAction>(x.failsafe)});
    }
  for (const ActiveFault& a : d.faults.list)
    if (locate(d, VehicleId{a.id}) != nullptr) list.push_back({.vehicle = {a.id}, .has_fault = true});
  std::sort(list.begin(), list.end(), [](const Trouble& a, const Trouble& b) { return a.vehicle.value < b.vehicle.value; });
  // what is known of one vehicle in one place; a crash outweighs how it lies
  std::size_t n = 0;
  for (const Trouble& t : list) {
    if (n == 0 || list[n - 1].vehicle.value != t.vehicle.value) {
      list[n++] = t;
      continue;
    }
    Trouble& one = list[n - 1];
    one.condition = std::max(one.condition, t.condition);
    one.has_fault = one.has_fault || t.has_fault;
    one.failsafe = std::max(one.failsafe, t.failsafe);
  }
  list.resize(n);
  return list;
}

bool Conditions::fits(const std::vector<std::size_t>& slots) const {
  if (of.size() != slots.size() || rotors.size() != slots.size()) return false;
  for (std::size_t k = 0; k < rotors.size(); ++k)
    if (rotors[k].size() > slots[k]) return false;
  for (std::size_t k = 0; k < of.size(); ++k) {
    if (of[k].size() > slots[k]) return false;
    for (const Lying& x : of[k])
      if (x.condition > 4 || x.sign > 4 || x.failsafe > 4 || x.overruled > kEveryLoss) return false;
  }
  return true;
}

}  // namespace volary::engine
