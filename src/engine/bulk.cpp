// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/bulk.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>

#include <fmt/format.h>

#include "control/guide.hpp"
#include "engine/data.hpp"
#include "engine/payloads.hpp"
#include "math/functions.hpp"

namespace volary::engine {

namespace {

// what is written into one row of every vehicle
struct Write {
  int row = 0;
  const double* from = nullptr;  // a number for each vehicle; none: the constant
  bool remainder = false;        // only what the row of the value could not hold of it
  std::uint64_t constant = 0;    // bits
};

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

  std::vector<Write> list;

 private:
  const Flock& f_;
};

// Four numbers side by side: nothing is vectorised behind our back here, and a setpoint of a thousand vehicles is 34,000 numbers. Rounded as one by one.
template <class S> struct Four;
template <> struct Four<float> {
  typedef float Type __attribute__((vector_size(16)));
};
template <> struct Four<double> {
  typedef double Type __attribute__((vector_size(32)));
};

template <class S> void round_four(S* out, const double* in, bool remainder) {
  using Wanted = typename Four<S>::Type;
  using Given = Four<double>::Type;
  Given x;
  std::memcpy(&x, in, sizeof x);
  Wanted y = __builtin_convertvector(x, Wanted);
  if (remainder) y = __builtin_convertvector(x - __builtin_convertvector(y, Given), Wanted);
  std::memcpy(out, &y, sizeof y);
}
template <class S> void round_some(S* out, const double* in, std::size_t n, bool remainder) {
  std::size_t l = 0;
  for (; l + 4 <= n; l += 4) round_four(out + l, in + l, remainder);
  for (; l < n; ++l) {
    const S y = static_cast<S>(in[l]);
    out[l] = remainder ? static_cast<S>(in[l] - static_cast<double>(y)) : y;
  }
}

// numbers k to k + n of every write go to as many slots that follow each other
template <class S> void write_run(Flock& f, std::size_t slot, std::size_t n, std::size_t k, std::span<const Write> writes) {
  using Word = std::conditional_t<sizeof(S) == 4, std::uint32_t, std::uint64_t>;
  while (n > 0) {
    const std::size_t m = std::min(n, kBlock - slot % kBlock);
    S* const lane = static_cast<S*>(f.hot_lane(slot));
    for (const Write& w : writes) {
      S* const out = lane + w.row * kBlock;
      if (w.from != nullptr)
        round_some(out, w.from + k, m, w.remainder);
      else if (w.constant == 0)
        std::memset(out, 0, m * sizeof(S));
      else
        std::fill_n(out, m, std::bit_cast<S>(static_cast<Word>(w.constant)));
    }
    slot += m, k += m, n -= m;
  }
}

// where the vehicles of an input are; those that are not there, or do not take it, are counted
struct Addressed {
  static constexpr std::uint32_t kNobody = 0xffffffffu;
  std::vector<std::uint32_t> slots;
  std::size_t refused = 0;
  std::size_t first_refused = 0;  // place in the list

  void refuse(std::size_t k) {
    slots[k] = kNobody;
    if (refused++ == 0) first_refused = k;
  }
};

bool is_there(const Flock& f, std::size_t slot) { return f.ids[slot] && (f.status(slot) & (control::kAlive | control::kDiverged)) == control::kAlive; }
bool is_called(VehicleId given, VehicleId whole) { return given == whole || (given.generation() == 0 && given.value == whole.number()); }

Addressed address(const Data& d, std::size_t flock, const SetMany& p) {
  const Flock& f = d.flocks[flock];
  Addressed to;
  if (p.ids.empty()) {
    for (std::size_t s = 0; s < f.slots; ++s)
      if (is_there(f, s)) to.slots.push_back(static_cast<std::uint32_t>(s));
    return to;
  }
  to.slots.resize(p.ids.size());
  std::size_t next = 0;  // most lists are in the order of slots
  for (std::size_t k = 0; k < p.ids.size(); ++k) {
    if (next >= f.slots || !is_called(p.ids[k], f.ids[next])) {
      const Location* l = locate(d, p.ids[k]);
      next = l == nullptr || l->flock != flock ? f.slots : l->slot;
    }
    if (next < f.slots && is_there(f, next))
      to.slots[k] = static_cast<std::uint32_t>(next);
    else
      to.refuse(k);
    ++next;
  }
  return to;
}

void write(Flock& f, const Addressed& to, std::span<const Write> writes) {
  const std::vector<std::uint32_t>& slots = to.slots;
  for (std::size_t k = 0, n = 1; k < slots.size(); k += n, n = 1) {
    if (slots[k] == Addressed::kNobody) continue;
    while (k + n < slots.size() && slots[k + n] == slots[k] + n) ++n;
    f.bytes == 4 ? write_run<float>(f, slots[k], n, k, writes) : write_run<double>(f, slots[k], n, k, writes);
  }
}

// ---------------------------------------------------------------- setpoints

constexpr ControlLevel level_of(Many what) { return static_cast<ControlLevel>(what); }
static_assert(level_of(Many::MotorSpeeds) == ControlLevel::MotorSpeeds && level_of(Many::Trajectory) == ControlLevel::Trajectory);

bool set_setpoints(Data& d, std::size_t flock, const SetMany& p, Addressed& to) {
  Flock& f = d.flocks[flock];
  const std::size_t n = to.slots.size();
  const auto column = [&](std::size_t k) { return p.values.data() + k * n; };
  Writes writes(f);
  const ColumnInfo* level = f.find_column("setpoint.level");
  if (level == nullptr) {
    if (p.what != Many::Rates || f.find_column("setpoint.rate") == nullptr) return false;
    writes.add("setpoint.thrust", column(0), n, 1), writes.add("setpoint.rate", column(1), n, 3);
    write(f, to, writes.list);
    return true;
  }
  // as with one setpoint: who is told where to go is not on its mission any more, and must be armed to follow
  for (std::size_t k = 0; k < n; ++k) {
    if (to.slots[k] == Addressed::kNobody) continue;
    const std::uint64_t status = f.status(to.slots[k]);
    const auto mode = static_cast<Mode>(status & control::kModeMask);
    if (mode == Mode::Disarmed || mode == Mode::EmergencyStop) {
      to.refuse(k);
      continue;
    }
    f.set_status(to.slots[k], (status & ~static_cast<std::uint64_t>(control::kModeMask)) | static_cast<std::uint64_t>(Mode::Armed));
    take_in_hand(d, flock, to.slots[k], level_of(p.what));
  }
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
  const std::vector<double> no_rotation(p.what == Many::Attitude ? 0 : n, 1.0);
  for (const char* name : {"setpoint.position", "setpoint.velocity", "setpoint.acceleration", "setpoint.jerk", "setpoint.yaw", "setpoint.yaw_rate",
                           "setpoint.thrust", "setpoint.attitude", "setpoint.rate", "setpoint.motor_speed"}) {
    const auto it = std::find_if(given.begin(), given.end(), [&](const Given& g) { return std::string_view(g.name) == name; });
    if (it != given.end())
      writes.add(name, column(static_cast<std::size_t>(it->first)), n, it->numbers);
    else
      writes.add(name, std::string_view(name) == "setpoint.attitude" ? no_rotation.data() : nullptr, n, 1);
  }
  write(f, to, writes.list);
  return true;
}

// ---------------------------------------------------------------- poses and states

using Columns = std::vector<double>;

// The velocities of mirrors that are told only where they are: from what was known of them before, over its age. `known` and `age` are read from the
// columns; a body rate is the rotation since, as twice the vector part of its quaternion.
void derive_motion(const Flock& f, const SetMany& p, const Addressed& to, Columns& velocity, Columns& omega) {
  const ColumnInfo *known = f.find_column("known.position"), *turned = f.find_column("known.attitude"), *age = f.find_column("age");
  const std::size_t n = to.slots.size();
  velocity.assign(3 * n, 0), omega.assign(3 * n, 0);
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t slot = to.slots[k];
    if (to.slots[k] == Addressed::kNobody) continue;
    const double since = f.value(slot, age->row);
    if (!(since > 0)) continue;
    const Vec before = f.vec(slot, *known);
    for (std::size_t c = 0; c < 3; ++c) velocity[c * n + k] = (p.values[c * n + k] - before[c]) / since;
    double a[4], b[4];
    for (int c = 0; c < 4; ++c) a[c] = f.value(slot, turned->row + c), b[c] = p.values[static_cast<std::size_t>(3 + c) * n + k];
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
  write(f, to, writes.list);
  return true;
}

bool set_parameters(Flock& f, const SetMany& p, const Addressed& to) {
  const ColumnInfo* c = f.find_param(p.parameter);
  if (c == nullptr || p.component >= c->rows) return false;
  Override& own = f.own_column(c->row + p.component);
  for (std::size_t k = 0; k < to.slots.size(); ++k)
    if (to.slots[k] != Addressed::kNobody) own.set(to.slots[k], f.bytes, p.values[k]);
  return true;
}

}  // namespace

void apply_many(Data& d, const SetMany& p) {
  const auto flock = static_cast<std::size_t>(std::find_if(d.flocks.begin(), d.flocks.end(), [&](const Flock& f) { return f.def.name == p.flock; }) - d.flocks.begin());
  Flock& f = d.flocks[flock];
  const char* const what = names(p.what)[static_cast<std::size_t>(p.what)];
  Addressed to = address(d, flock, p);
  const std::size_t n = to.slots.size(), given = n == 0 ? 0 : p.values.size() / n;
  const ColumnCount columns = count_columns(p.what);
  if (n == 0 || p.values.size() % n != 0 || given < columns.least || given > columns.most)
    return add_event(d, {}, p.flock, fmt::format("refused: bulk {}: {} values do not fit {} vehicles", what, p.values.size(), n));
  const bool is_state = p.what == Many::Pose || p.what == Many::State;
  const bool done = is_state ? set_states(f, p, to) : p.what == Many::Parameter ? set_parameters(f, p, to) : set_setpoints(d, flock, p, to);
  if (!done) return add_event(d, {}, p.flock, fmt::format("refused: bulk {}: does not fit this kind of vehicle", what));
  if (to.refused == 0) return;
  const std::string first = p.ids.empty() ? "" : fmt::format("; the first is {}", p.ids[to.first_refused].number());
  add_event(d, {}, p.flock, fmt::format("refused: bulk {}: {} of {} vehicles do not exist or are not armed{}", what, to.refused, n, first));
}

bool write_state(Flock& f, std::size_t slot, const SetState& s) {
  SetMany p{Many::State, "", "", 0, {}, {}};
  for (const Vec* v : {&s.position_W, &s.velocity_W}) p.values.insert(p.values.end(), v->begin(), v->end());
  p.values.insert(p.values.end(), s.attitude.begin(), s.attitude.end());
  p.values.insert(p.values.end(), s.omega_B.begin(), s.omega_B.end());
  Addressed to;
  to.slots = {static_cast<std::uint32_t>(slot)};
  return set_states(f, p, to);
}

}  // namespace volary::engine
