// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/bulk.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "control/guide.hpp"
#include "engine/data.hpp"
#include "engine/payloads.hpp"
#include "math/functions.hpp"

namespace volary::engine {

namespace {

class Writes {
 public:
  explicit Writes(const Flock& f) : f_(f) {}
  // some numbers of a column from columns of `n` values each; without any: zeros
  void add(const char* name, const double* from, std::size_t n, int numbers) {
    const ColumnInfo* c = f_.find_column(name);
    if (c == nullptr) return;
    for (int k = 0; k < c->rows; ++k) {
      const bool is_position = c->rows == 6;
      const int which = is_position ? k % 3 : k;
      list.push_back({c->row + k, from != nullptr && which < numbers ? from + static_cast<std::size_t>(which) * n : nullptr, is_position && k >= 3});
    }
  }
  void add_word(const ColumnInfo& c, std::uint64_t word) { list.push_back({c.row, nullptr, false, word}); }

  std::vector<RowWrite> list;

 private:
  const Flock& f_;
};

// where the vehicles of an input are; those that are not there, or do not take it, are counted
struct Addressed {
  static constexpr std::uint32_t kNobody = ManyPatch::kNobody;
  std::vector<std::uint32_t> slots;
  std::size_t refused = 0;
  std::size_t first_refused = 0;  // place in the list

  void refuse(std::size_t k) {
    slots[k] = kNobody;
    if (refused++ == 0) first_refused = k;
  }
};

bool is_there(const Data& d, const Flock& f, std::size_t slot) { return f.ids[slot] && d.locations.find(f.ids[slot].number())->alive; }
bool is_called(VehicleId given, VehicleId whole) { return given == whole || (given.generation() == 0 && given.value == whole.number()); }

Addressed address(const Data& d, std::size_t flock, const SetMany& p) {
  const Flock& f = d.flocks[flock];
  Addressed to;
  if (p.ids.empty()) {
    for (std::size_t s = 0; s < f.slots; ++s)
      if (is_there(d, f, s)) to.slots.push_back(static_cast<std::uint32_t>(s));
    return to;
  }
  to.slots.resize(p.ids.size());
  std::size_t next = 0;  // most lists are in the order of slots
  for (std::size_t k = 0; k < p.ids.size(); ++k) {
    if (next >= f.slots || !is_called(p.ids[k], f.ids[next])) {
      const Location* l = locate(d, p.ids[k]);
      next = l == nullptr || l->flock != flock ? f.slots : l->slot;
    }
    if (next < f.slots && is_there(d, f, next))
      to.slots[k] = static_cast<std::uint32_t>(next);
    else
      to.refuse(k);
    ++next;
  }
  return to;
}

// ---------------------------------------------------------------- setpoints

constexpr ControlLevel level_of(Many what) { return static_cast<ControlLevel>(what); }
static_assert(level_of(Many::MotorSpeeds) == ControlLevel::MotorSpeeds && level_of(Many::Trajectory) == ControlLevel::Trajectory);

// as with one setpoint: who is told where to go is not on its mission any more, and must be armed to follow
void arm(Data& d, std::size_t flock, ControlLevel level, Addressed& to) {
  for (std::size_t k = 0; k < to.slots.size(); ++k) {
    if (to.slots[k] == Addressed::kNobody) continue;
    const auto mode = static_cast<Mode>(status_of(d, flock, to.slots[k]) & control::kModeMask);
    if (mode == Mode::Disarmed || mode == Mode::EmergencyStop)
      to.refuse(k);
    else
      take_in_hand(d, flock, to.slots[k], level);
  }
}

bool set_setpoints(Data& d, std::size_t flock, const SetMany& p, Addressed& to) {
  Flock& f = d.flocks[flock];
  const std::size_t n = to.slots.size();
  const auto column = [&](std::size_t k) { return p.values.data() + k * n; };
  Writes writes(f);
  const ColumnInfo* level = f.find_column("setpoint.level");
  if (level == nullptr) {
    if (p.what != Many::Rates || f.find_column("setpoint.rate") == nullptr) return false;
    writes.add("setpoint.thrust", column(0), n, 1), writes.add("setpoint.rate", column(1), n, 3);
    f.patches.front().many({to.slots, std::move(writes.list), -1, false, {}});
    return true;
  }
  arm(d, flock, level_of(p.what), to);
  struct Given {
    const char* name;
    int first = -1, numbers = 0;  // of the columns; none: zeros
  };
  const auto given = [&]() -> std::vector<Given> {
    switch (p.what) {
      case Many::MotorSpeeds: return {{"setpoint.motor_speed", 0, static_cast<int>(p.values.size() / std::max<std::size_t>(1, n))}};
      case Many::Rates: return {{"setpoint.thrust", 0, 1}, {"setpoint.rate", 1, 3}};
      case Many::Attitude: return {{"setpoint.thrust", 0, 1}, {"setpoint.attitude", 1, 4}};
      case Many::Acceleration: return {{"setpoint.acceleration", 0, 3}, {"setpoint.yaw", 3, 1}};
      case Many::Velocity: return {{"setpoint.velocity", 0, 3}, {"setpoint.yaw", 3, 1}};
      case Many::Position: return {{"setpoint.position", 0, 3}, {"setpoint.yaw", 3, 1}};
      default:
        return {{"setpoint.position", 0, 3}, {"setpoint.velocity", 3, 3}, {"setpoint.acceleration", 6, 3}, {"setpoint.jerk", 9, 3}, {"setpoint.yaw", 12, 1},
                {"setpoint.yaw_rate", 13, 1}};
    }
  }();
  writes.add_word(*level, static_cast<std::uint64_t>(level_of(p.what)));
  std::vector<double> no_rotation(p.what == Many::Attitude ? 0 : n, 1.0);
  for (const char* name : {"setpoint.position", "setpoint.velocity", "setpoint.acceleration", "setpoint.jerk", "setpoint.yaw", "setpoint.yaw_rate",
                           "setpoint.thrust", "setpoint.attitude", "setpoint.rate", "setpoint.motor_speed"}) {
    const auto it = std::find_if(given.begin(), given.end(), [&](const Given& g) { return std::string_view(g.name) == name; });
    if (it != given.end())
      writes.add(name, column(static_cast<std::size_t>(it->first)), n, it->numbers);
    else
      writes.add(name, std::string_view(name) == "setpoint.attitude" ? no_rotation.data() : nullptr, n, 1);
  }
  ManyPatch many{to.slots, std::move(writes.list), -1, true, {}};
  many.numbers.push_back(std::move(no_rotation));
  f.patches.front().many(std::move(many));
  return true;
}

// ---------------------------------------------------------------- poses and states

using Columns = std::vector<double>;

// The velocities of mirrors that are told only where they are: from what was known of them before, over its age. A body rate is the rotation since, as twice the vector part of its quaternion.
void derive_motion(const Flock& f, const SetMany& p, const Addressed& to, Columns& velocity, Columns& omega) {
  const std::size_t n = to.slots.size();
  std::vector<std::uint32_t> there = to.slots;
  for (std::uint32_t& slot : there) slot = slot == Addressed::kNobody ? 0 : slot;
  const auto read = [&](const char* name, std::size_t numbers) {
    Columns out(numbers * n);
    f.stepper->read(f, *f.find_column(name), there, out.data());
    return out;
  };
  const Columns known = read("known.position", 3), turned = read("known.attitude", 4), age = read("age", 1);
  velocity.assign(3 * n, 0), omega.assign(3 * n, 0);
  for (std::size_t k = 0; k < n; ++k) {
    const double since = age[k];
    if (to.slots[k] == Addressed::kNobody || !(since > 0)) continue;
    for (std::size_t c = 0; c < 3; ++c) velocity[c * n + k] = (p.values[c * n + k] - known[3 * k + c]) / since;
    double a[4], b[4];
    for (std::size_t c = 0; c < 4; ++c) a[c] = turned[4 * k + c], b[c] = p.values[(3 + c) * n + k];
    const double w = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3], scale = (w < 0 ? -2 : 2) / since;
    omega[k] = scale * (a[0] * b[1] - a[1] * b[0] - a[2] * b[3] + a[3] * b[2]);
    omega[n + k] = scale * (a[0] * b[2] + a[1] * b[3] - a[2] * b[0] - a[3] * b[1]);
    omega[2 * n + k] = scale * (a[0] * b[3] - a[1] * b[2] + a[2] * b[1] - a[3] * b[0]);
  }
}

bool set_states(Flock& f, const SetMany& p, const Addressed& to) {
  if (f.find_column("position") == nullptr) return false;
  const std::size_t n = to.slots.size();
  const bool whole = p.what == Many::State, is_mirror = f.find_column("known.position") != nullptr;
  const double* const position = p.values.data();
  const double* const attitude = position + (whole ? 6 : 3) * n;
  Columns derived_velocity, derived_omega;
  if (!whole && is_mirror) derive_motion(f, p, to, derived_velocity, derived_omega);
  const double* const velocity = whole ? position + 3 * n : is_mirror ? derived_velocity.data() : nullptr;
  const double* const omega = whole ? position + 10 * n : is_mirror ? derived_omega.data() : nullptr;
  Writes writes(f);
  for (const char* before : {"", "known."}) {
    const auto add = [&](const char* name, const double* from, int numbers) {
      if (from != nullptr) writes.add((std::string(before) + name).c_str(), from, n, numbers);
    };
    add("position", position, 3), add("velocity", velocity, 3), add("attitude", attitude, 4), add("omega", omega, 3);
  }
  writes.add("age", nullptr, n, 1);
  ManyPatch many{to.slots, std::move(writes.list), -1, false, {}};
  many.numbers.push_back(std::move(derived_velocity));
  many.numbers.push_back(std::move(derived_omega));
  f.patches.front().many(std::move(many));
  return true;
}

bool set_estimates(Flock& f, const SetMany& p, const Addressed& to) {
  if (f.def.estimator.kind != EstimatorKind::Outside || f.shown.estimate[0] == nullptr) return false;
  const std::size_t n = to.slots.size();
  Writes writes(f);
  writes.add("estimate.position", p.values.data(), n, 3), writes.add("estimate.velocity", p.values.data() + 3 * n, n, 3);
  writes.add("estimate.attitude", p.values.data() + 6 * n, n, 4), writes.add("estimate.omega", p.values.data() + 10 * n, n, 3);
  f.patches.front().many({to.slots, std::move(writes.list), -1, false, {}});
  return true;
}

// into the rows of the senses, which have no patches: what vehicles do not carry is refused
void set_readings(Data& d, Flock& f, const SetMany& p, Addressed& to) {
  const std::size_t n = to.slots.size();
  for (std::size_t k = 0; k < n; ++k) {
    if (to.slots[k] == Addressed::kNobody) continue;
    if (!write_reading(f, to.slots[k], p.parameter, tick_of_world(d, f.worlds[to.slots[k]]), p.values.data() + k, n)) to.refuse(k);
  }
  show_senses(d, f);
}

bool set_parameters(Flock& f, const SetMany& p, const Addressed& to) {
  const ColumnInfo* c = f.find_param(p.parameter);
  if (c == nullptr || p.component >= c->rows) return false;
  f.patches.front().many({to.slots, {{0, p.values.data()}}, c->row + p.component, false, {}});
  return true;
}

void tell_refused(Data& d, const SetMany& p, const Addressed& to, const char* why) {
  if (to.refused == 0) return;
  const std::string first = p.ids.empty() ? "" : fmt::format("; the first is {}", p.ids[to.first_refused].number());
  const char* const what = names(p.what)[static_cast<std::size_t>(p.what)];
  add_event(d, {}, p.flock, fmt::format("refused: bulk {}: {} of {} vehicles do not exist or {}{}", what, to.refused, to.slots.size(), why, first));
}

}  // namespace

void apply_many(Data& d, const SetMany& p) {
  const auto flock = static_cast<std::size_t>(std::find_if(d.flocks.begin(), d.flocks.end(), [&](const Flock& f) { return f.def.name == p.flock; }) - d.flocks.begin());
  Flock& f = d.flocks[flock];
  apply_patches(d, f);  // it reads modes, and where mirrors were
  const char* const what = names(p.what)[static_cast<std::size_t>(p.what)];
  Addressed to = address(d, flock, p);
  const std::size_t n = to.slots.size(), given = n == 0 ? 0 : p.values.size() / n;
  const ColumnCount columns = count_columns(p.what);
  if (n == 0 || p.values.size() % n != 0 || given < columns.least || given > columns.most)
    return add_event(d, {}, p.flock, fmt::format("refused: bulk {}: {} values do not fit {} vehicles", what, p.values.size(), n));
  const bool is_state = p.what == Many::Pose || p.what == Many::State;
  if (p.what == Many::Report) {
    for (const std::size_t k : take_reports(d, flock, to.slots, p.values)) to.refuse(k);
    return tell_refused(d, p, to, "are not simulated elsewhere");
  }
  if (p.what == Many::Reading) {
    if (const OwnPlace* own = f.senses == nullptr ? nullptr : f.senses->find_own(p.parameter); own == nullptr || given != static_cast<std::size_t>(own->size))
      return add_event(d, {}, p.flock, fmt::format("refused: bulk reading: {} values do not fit {} vehicles", p.values.size(), n));
    set_readings(d, f, p, to);
    return tell_refused(d, p, to, "do not carry this sensor");
  }
  const bool done = is_state                       ? set_states(f, p, to)
                    : p.what == Many::Estimate  ? set_estimates(f, p, to)
                    : p.what == Many::Parameter ? set_parameters(f, p, to)
                                                : set_setpoints(d, flock, p, to);
  if (!done) return add_event(d, {}, p.flock, fmt::format("refused: bulk {}: does not fit this kind of vehicle", what));
  tell_refused(d, p, to, "are not armed");
  if (!is_state || f.senses == nullptr) return;
  apply_patches(d, f);  // their filters cannot have followed them there
  for (const std::uint32_t slot : to.slots)
    if (slot != ManyPatch::kNobody) begin_senses(d, f, slot, slot + 1);
}

bool write_state(Flock& f, std::size_t slot, const SetState& s) {
  if (f.shown.position == nullptr) return false;
  Patches& to = f.patches.front();
  to.note(slot);
  for (const char* before : {"", "known."}) {
    const auto add = [&](const char* name, const double* from, int numbers) {
      const ColumnInfo* const c = f.find_column(std::string(before) + name);
      if (c == nullptr) return;
      if (c->rows == 6) return to.position(slot, c->row, f.bytes, {from[0], from[1], from[2]});
      for (int k = 0; k < numbers; ++k) to.value(slot, c->row + k, from[k]);
    };
    add("position", s.position_W.data(), 3), add("velocity", s.velocity_W.data(), 3), add("attitude", s.attitude.data(), 4), add("omega", s.omega_B.data(), 3);
  }
  if (const ColumnInfo* const age = f.find_column("age")) to.value(slot, age->row, 0);
  return true;
}

}  // namespace volary::engine
