// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a vehicle notices of its sensors, its estimator and, by its IMU, of its rotors. Only own vehicles: others notice in their process.
#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "engine/conditions.hpp"
#include "engine/data.hpp"
#include "engine/senses.hpp"
#include "estimation/ekf.hpp"
#include "estimation/residuals.hpp"
#include "math/functions.hpp"

namespace volary::engine {

namespace {

double tick_of(const Data& d) { return static_cast<double>(d.def.tick_ns) * 1e-9; }

// ---------------------------------------------------------------- sensors that say nothing

// silence of these says that they are broken; of the others that there is nothing to measure
struct Watched {
  int number;  // estimation::Source
  const char *name, *words;
};
constexpr std::array kWatched = {Watched{estimation::kBarometer, "barometer", "barometer"}, Watched{estimation::kMagnetometer, "magnetometer", "magnetometer"},
                                 Watched{estimation::kAirspeed, "airspeed", "airspeed sensor"}, Watched{estimation::kOdometry, "odometry", "odometry"}};

bool carries(const Flock& f, std::size_t slot, int number) { return f.senses->layout.sensors[number].ring >= 0 && (carried_by(f, slot) >> number & 1) != 0; }
// s since the newest reading that has arrived was made
double silence(const Data& d, const Flock& f, std::size_t slot, const char* name, std::uint64_t now) {
  const ColumnInfo* const c = f.senses->find_column(std::string(name) + ".tick");
  const auto tick = static_cast<std::uint32_t>(read_column(f, *c, slot)[0]);
  return static_cast<double>(static_cast<std::uint32_t>(now) - tick) * tick_of(d);
}
// s for which a sensor may say nothing before it counts as lost: at least three readings
double patience(const Data& d, const Flock& f, int number, double after) {
  const SensePlace& p = f.senses->layout.sensors[number];
  return std::max(after, static_cast<double>(3 * p.period + p.latency) * tick_of(d));
}

// what is lost, and what its rule does about it
struct Notice {
  FailsafeAction action;
  std::string what;
};

// A receiver counts as lost too where the estimator refuses all that it says.
std::optional<Notice> notice_gnss(const Data& d, const Flock& f, std::size_t slot, std::uint64_t now) {
  const FailsafeRuleDef& rule = f.def.failsafe.gnss_lost;
  if (rule.action == FailsafeAction::None || !carries(f, slot, estimation::kGnss)) return std::nullopt;
  double seconds = silence(d, f, slot, "gnss", now);
  if (const ColumnInfo* age = f.senses->find_column("gnss.age")) seconds = std::max(seconds, read_column(f, *age, slot)[0]);
  if (seconds <= patience(d, f, estimation::kGnss, rule.after)) return std::nullopt;
  return Notice{rule.action, fmt::format("gnss lost for {:.1f} s", seconds)};
}

std::optional<Notice> notice_silence(const Data& d, const Flock& f, std::size_t slot, std::uint64_t now) {
  const FailsafeRuleDef& rule = f.def.failsafe.sensor_lost;
  if (rule.action == FailsafeAction::None) return std::nullopt;
  for (const Watched& w : kWatched) {
    if (!carries(f, slot, w.number)) continue;
    const double seconds = silence(d, f, slot, w.name, now);
    if (seconds <= patience(d, f, w.number, rule.after)) continue;
    return Notice{rule.action, fmt::format("{} lost for {:.1f} s", w.words, seconds)};
  }
  return std::nullopt;
}

std::optional<Notice> notice_estimator(Data& d, const Flock& f, std::size_t slot) {
  const FailsafeRuleDef& rule = f.def.failsafe.estimator;
  const ColumnInfo* const column = f.senses->find_column("filter.health");
  if (rule.action == FailsafeAction::None || column == nullptr) return std::nullopt;
  const auto health = static_cast<std::uint32_t>(read_column(f, *column, slot)[0]);
  constexpr std::uint32_t kNeeded = estimation::kAttitudeKnown | estimation::kPositionKnown;
  Lying& x = lying_of(d, f, slot);
  x.blind_looks = (health & kNeeded) == kNeeded && (health & estimation::kUnsound) == 0 ? 0 : x.blind_looks + 1;
  if (static_cast<double>(x.blind_looks) < std::max(1.0, rule.after * kLooksPerSecond)) return std::nullopt;
  const bool is_lost = (health & estimation::kAttitudeKnown) == 0;
  return Notice{rule.action, is_lost ? "the estimator does not know the attitude" : "the estimator does not know the position"};
}

void look_at_senses(Data& d, Flock& f, std::size_t slot, std::uint64_t now) {
  Lying& x = lying_of(d, f, slot);
  if (x.failsafe != 0) return;
  std::optional<Notice> lost = notice_gnss(d, f, slot, now);
  if (!lost) lost = notice_estimator(d, f, slot);
  if (!lost) lost = notice_silence(d, f, slot, now);
  if (!lost) x.overruled &= ~kSenseLoss;
  if (lost && (x.overruled & kSenseLoss) == 0) react_to(d, f, slot, lost->action, lost->what);
}

bool has_rules(const Flock& f) {
  const FailsafeDef& s = f.def.failsafe;
  return f.senses != nullptr &&
         (s.gnss_lost.action != FailsafeAction::None || s.sensor_lost.action != FailsafeAction::None || s.estimator.action != FailsafeAction::None);
}

// ---------------------------------------------------------------- rotors that the IMU does not feel

using estimation::Wrench;
constexpr int kMostRotors = 8;
constexpr double kSmooth = 0.1, kHold = 0.1;  // s: of the low-pass, and for which a rotor must look lost

// what the controller knows of its vehicle: the nominal figures of its flock, not those of this vehicle
class Nominal {
 public:
  explicit Nominal(const Flock& f) : f_(f) {}
  double at(const char* name, int k = 0) const {
    const ColumnInfo* const c = f_.find_param(name);
    return c == nullptr ? 0 : f_.param_values[static_cast<std::size_t>(c->row + k)];
  }
  int rotors() const {
    const ColumnInfo* const c = f_.find_param("rotor.speed_max");
    return c == nullptr ? 0 : std::min(c->rows, kMostRotors);
  }
  math::Vec3<double> vec(const char* name, int i) const { return {at(name, 3 * i), at(name, 3 * i + 1), at(name, 3 * i + 2)}; }
  // thrust along its axis and torque about the centre of mass of a rotor at a speed, in still air
  Wrench<double> share(int i, double speed) const {
    const auto curve = [&](const char* two, const char* one, const char* zero) { return speed <= 0 ? 0 : (at(two) * speed + at(one)) * speed + at(zero); };
    const double gain = at("rotor.efficiency", i), thrust = gain * curve("rotor.thrust2", "rotor.thrust1", "rotor.thrust0");
    const double torque = -at("rotor.spin", i) * gain * curve("rotor.torque2", "rotor.torque1", "rotor.torque0");
    const math::Vec3<double> axis = vec("rotor.axis", i);
    return {thrust * axis.z, cross(vec("rotor.position", i), thrust * axis) + torque * axis};
  }

 private:
  const Flock& f_;
};

// the columns of one vehicle
math::Vec3<double> vec_of(const Flock& f, const char* name, std::size_t slot) {
  const std::vector<double> v = read_column(f, *f.find_column(name), slot);
  return {v[0], v[1], v[2]};
}

estimation::ResidualParams<double> residual_params(const Nominal& n, double tick) {
  double arm = 0;
  for (int i = 0; i < n.rotors(); ++i) arm = std::max(arm, norm(n.vec("rotor.position", i)));
  const double weight = n.at("mass") * n.at("gravity");
  return {1 - math::exp(-tick / kSmooth), tick, 1 / weight, 1 / (weight * arm), kHold};
}

template <int N>
bool is_lost(RotorWatch& w, const Wrench<double>& felt, const Nominal& n, const estimation::ResidualParams<double>& p) {
  Wrench<double> share[N];
  for (int i = 0; i < N; ++i) share[i] = n.share(i, w.speed[i]);
  estimation::Residual<double> r;
  std::copy(std::begin(w.residual), std::end(w.residual), r.value);
  r.suspect = w.suspect, r.since = w.since;
  const bool lost = estimation::watch_rotors<double, N>(r, felt, share, p);
  std::copy(std::begin(r.value), std::end(r.value), w.residual);
  w.suspect = r.suspect, w.since = r.since;
  return lost;
}

void look_at_wrench(Data& d, Flock& f, std::size_t slot, const Nominal& n, const estimation::ResidualParams<double>& p) {
  const math::Vec3<double> omega = vec_of(f, "imu.gyro", slot) - vec_of(f, "estimate.gyro_bias", slot);
  RotorWatch& w = rotor_watch_of(d, f, slot);
  const math::Vec3<double> before{w.omega_B[0], w.omega_B[1], w.omega_B[2]};
  w.omega_B = {omega.x, omega.y, omega.z};
  // on the ground something else pushes, and rotors that stand produce nothing
  const bool rests = !flies(d, f, slot) || read_column(f, *f.find_column("ground_force"), slot)[0] > 0;
  for (int i = 0; i < n.rotors(); ++i) {
    const double command = command_of_rotor(f, slot, i), rate = n.at(command > w.speed[i] ? "rotor.rise_rate" : "rotor.fall_rate");
    w.speed[i] = rests ? command : w.speed[i] + (command - w.speed[i]) * (1 - math::exp(-p.dt * rate));
  }
  if (rests) {
    std::fill(std::begin(w.residual), std::end(w.residual), 0.0);
    w.suspect = -1, w.since = 0;
    return;
  }
  const math::Vec3<double> inertia = n.vec("inertia", 0);
  const math::Vec3<double> force = vec_of(f, "imu.accelerometer", slot) - vec_of(f, "estimate.accel_bias", slot);
  const Wrench<double> felt = estimation::felt_wrench<double>(n.at("mass"), inertia, force.z, before, omega, p.dt);
  const std::vector<bool>& failed = f.failed[slot];
  const bool lost = n.rotors() == 4 ? is_lost<4>(w, felt, n, p) : n.rotors() == 6 ? is_lost<6>(w, felt, n, p) : is_lost<8>(w, felt, n, p);
  const auto rotor = static_cast<std::size_t>(std::max(w.suspect, 0.0));
  // one that is dropped has no command, and so no share that could be missing
  if (!lost || (rotor < failed.size() && failed[rotor])) return;
  w.suspect = -1, w.since = 0;
  lose_rotor(d, f, slot, rotor);
}

}  // namespace

bool watches_rotors(const Flock& f) {
  const FailsafeDef& s = f.def.failsafe;
  const bool can = f.def.sensors.imu.has_value() && f.find_column("rotor_speed") != nullptr && f.find_param("rotor.thrust2") != nullptr;
  return s.rotor_lost.action != FailsafeAction::None && !s.telemetry && can && !f.def.mirror;
}

void look_at_wrenches(Data& d) {
  for (Flock& f : d.flocks) {
    if (!watches_rotors(f) || f.slots == 0) continue;
    const Nominal nominal(f);
    const estimation::ResidualParams<double> params = residual_params(nominal, tick_of(d));
    for (std::size_t s = 0; s < f.slots; ++s)
      if (f.ids[s] && locate(d, f.ids[s]) != nullptr && is_own(d, f.index, s)) look_at_wrench(d, f, s, nominal, params);
  }
}

void look_at_sensors(Data& d) {
  const WorldTime time(d);
  const std::uint64_t every = ticks_between_looks(d);
  if (time.is_shared() && time.shared() % every != 0) return;
  for (Flock& f : d.flocks) {
    if (!has_rules(f)) continue;
    for (std::size_t s = 0; s < f.slots; ++s) {
      const std::uint64_t now = time.of(f, s);
      if (now % every != 0 || !f.ids[s] || locate(d, f.ids[s]) == nullptr || !is_own(d, f.index, s) || !flies(d, f, s)) continue;
      look_at_senses(d, f, s, now);
    }
  }
}

}  // namespace volary::engine
