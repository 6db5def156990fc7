// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/action_range.hpp"

#include <string>

#include "control/names.hpp"
#include "engine/flock.hpp"
#include "math/functions.hpp"

namespace volary::engine {

namespace {

constexpr double kPi = 3.141592653589793;

// parameters of the flock's own airframe; what is missing is noted
class Limits {
 public:
  explicit Limits(const Flock& f) : f_(f) {}
  double operator()(const char* name, int component = 0) {
    const ColumnInfo* c = f_.find_param(name);
    if (c == nullptr || component >= c->rows) return is_whole = false, 0;
    return f_.param_values[static_cast<std::size_t>(c->row + component)];
  }
  double sum(const char* name) {
    const ColumnInfo* c = f_.find_param(name);
    double all = 0;
    for (int k = 0; c != nullptr && k < c->rows; ++k) all += (*this)(name, k);
    is_whole = is_whole && c != nullptr;
    return all;
  }
  bool is_whole = true;

 private:
  const Flock& f_;
};

// one number after the other
struct Adder {
  ActionRange& r;
  void operator()(double low, double high) { r.low.push_back(low), r.high.push_back(high); }
  void both(double limit) { (*this)(-limit, limit); }
};

bool derive(const Flock& f, ControlLevel level, std::size_t size, ActionRange& r) {
  Limits limit(f);
  Adder add{r};
  switch (level) {
    case ControlLevel::MotorSpeeds:
      for (std::size_t k = 0; k < size; ++k) add(limit("rotor.speed_min", static_cast<int>(k)), limit("rotor.speed_max", static_cast<int>(k)));
      break;
    case ControlLevel::Rates:
      add(0, limit.sum("mixer.hi"));
      for (int k = 0; k < 3; ++k) add.both(limit("ladder.max_rate"));
      break;
    case ControlLevel::Attitude: {
      // (1, x, y, z) before it is normalised: x and y tilt by up to the greatest tilt, z turns by up to 90 degrees
      const double tangent = limit("ladder.tan_max_tilt"), half = tangent / (1 + math::sqrt(1 + tangent * tangent));
      add(0, limit.sum("mixer.hi"));
      add(1, 1);
      add.both(half), add.both(half), add.both(1);
      break;
    }
    case ControlLevel::Acceleration: {
      const double g = limit("ladder.gravity"), m = limit("ladder.mass");
      for (int k = 0; k < 2; ++k) add.both(g * limit("ladder.tan_max_tilt"));
      add(limit("ladder.thrust_min") / m - g, limit("ladder.thrust_max") / m - g);
      add.both(kPi);
      break;
    }
    case ControlLevel::Velocity:
      for (int k = 0; k < 2; ++k) add.both(limit("ladder.max_speed"));
      add.both(limit("ladder.max_climb"));
      add.both(kPi);
      break;
    case ControlLevel::Position:
    case ControlLevel::Trajectory: return false;
  }
  return limit.is_whole;
}

}  // namespace

core::Result<ActionRange> action_range(const Flock& f, const ActionDef& def, std::size_t size) {
  ActionRange r;
  if (!def.scaled) return r;
  r.low = def.low, r.high = def.high;
  const std::string level = names(def.level)[static_cast<std::size_t>(def.level)];
  if (r.low.empty() && !derive(f, def.level, size, r)) {
    core::Error e{.message = "flock '" + f.def.name + "' has no limits from which actions of the control level " + level + " could be scaled",
                  .field = "learning.action.low"};
    e.suggestion = "give low and high, or set scaled: false";
    return e;
  }
  if (r.low.size() != size)
    return core::Error{.message = "an action of the control level " + level + " has " + std::to_string(size) + " numbers for flock '" + f.def.name +
                                  "', and there are " + std::to_string(r.low.size()),
                       .field = "learning.action.low"};
  for (std::size_t k = 0; k < size; ++k) {
    r.middle.push_back(static_cast<float>(0.5 * (r.low[k] + r.high[k])));
    r.half.push_back(static_cast<float>(0.5 * (r.high[k] - r.low[k])));
  }
  return r;
}

}  // namespace volary::engine
