// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "validation/plane_flight.hpp"

#include <algorithm>
#include <utility>

#include "control/vtol.hpp"
#include "control/wing.hpp"
#include "math/functions.hpp"
#include "vehicles/aircraft_model.hpp"

namespace volary::validation {

namespace {

using Program = vehicles::AircraftProgram<1, vehicles::AeroForm::Linear>;
using control::WingGains;
using math::Vec3;

constexpr double kTick = 0.02;       // s, the rate of the log
constexpr int kSubsteps = 4;
constexpr double kSpeedLag = 0.2;    // s, within which the airspeed follows the logged one
constexpr double kPull = 0.3;        // deg2 per unit squared

// one aeroplane, its parameters with the gains of the log
struct Plane {
  Program::Params<double> p{};
  Program::Agent<double> agent{};
  vehicles::TickInfo info;
};

core::Result<Plane> make_plane(const airframe::AircraftDef& def, const PlaneLog& log) {
  engine::FlockSetup setup;
  setup.tick = kTick, setup.substeps = kSubsteps, setup.environment.ground = false, setup.controller.level = ControlLevel::Attitude;
  auto derived = vehicles::Aircraft::derive<Program>(def, setup);
  if (!derived) return derived.error();
  Plane plane;
  plane.p = derived.value();
  core::Result<WingGains<double>> gains = gains_of(log, plane.p.wing);
  if (!gains) return gains.error();
  plane.p.wing = gains.value();
  plane.p.elevator_trim = 0;  // its autopilot knows none: how the surfaces were set on the bench is in pitch.zero
  VehicleDef start;
  start.position_W = {0, 0, 100}, start.mode = Mode::Armed;
  Program::Plan<double> plan{};
  vehicles::Aircraft::initialise<Program, double>(plane.agent, plan, start, def, setup, plane.p);
  plane.info.substeps = kSubsteps;
  return plane;
}

control::WingState<double> logged_state(const PlaneLog& log, double t) {
  control::WingState<double> x{};
  x.roll = log.roll.at(t), x.pitch = log.pitch.at(t);
  x.p = log.p.at(t), x.q = log.q.at(t), x.r = log.r.at(t);
  x.airspeed = log.airspeed.at(t), x.density = control::kSeaLevelDensity;
  return x;
}
Vec3<double> laws_for_log(const PlaneLog& log, double t, const WingGains<double>& g, control::WingMemory<double>& m) {
  const control::WingTarget<double> target = {log.wanted_roll.at(t), log.wanted_pitch.at(t), 0};
  return control::wing_attitude(target, logged_state(log, t), g, kTick, m);
}
// what the integrals held at t: they begin anew with every mode (ArduPlane's do)
control::WingMemory<double> memory_at(const PlaneLog& log, double t, const WingGains<double>& g) {
  control::WingMemory<double> m{};
  for (double s = log.mode_since(t); s < t; s += kTick) laws_for_log(log, s, g, m);
  return m;
}

// the state of the real one, as far as the log has it: without sideslip, the path as steep as its height says
void place(Plane& plane, const PlaneLog& log, double t) {
  auto& body = plane.agent.body;
  const double speed = log.airspeed.at(t), climb = log.height.at(t + 0.5) - log.height.at(t - 0.5);
  const double sine = std::clamp(climb / speed, -0.6, 0.6);
  body.q_WB = control::attitude_from(log.roll.at(t), log.pitch.at(t), 0.0);
  body.velocity_W = {speed * math::sqrt(1 - sine * sine), 0, speed * sine};
  body.omega_B = {log.p.at(t), -log.q.at(t), -log.r.at(t)};
  plane.agent.wing = memory_at(log, t, plane.p.wing);
  plane.agent.rotor_speed[0] = plane.p.rotor.speed_max[0] * math::sqrt(std::clamp(log.throttle.at(t), 0.0, 1.0));
  plane.agent.status = control::kAlive | static_cast<std::uint32_t>(control::Flight::Armed);
  plane.agent.setpoint.level = 2;
}

void fly_tick(Plane& plane, const PlaneLog& log, double t) {
  auto& a = plane.agent;
  const double middle = t + 0.5 * kTick, speed = math::norm(a.body.velocity_W);
  a.setpoint.q_WB = control::attitude_from(log.wanted_roll.at(middle), log.wanted_pitch.at(middle), 0.0);
  a.setpoint.thrust = log.throttle.at(middle) * plane.p.thrust_max;
  // its motor is not the logged one: a force along the path makes up the difference
  a.outside.force_W = (plane.p.mass * (log.airspeed.at(middle) - speed) / (kSpeedLag * std::max(speed, 1.0))) * a.body.velocity_W;
  Program::advance<double>(a, plane.info, plane.p);
  ++plane.info.tick;
}

// ---------------------------------------------------------------- least squares

using Residuals = std::vector<double>;
constexpr double kPerDegree = 57.29577951308232;

// errors of roll and pitch in degrees over the root of their number, then the pull of each unknown
core::Result<Residuals> residuals_of(const airframe::AircraftDef& plane, const PlaneLog& log, const std::vector<Stretch>& stretches, const Identified& x) {
  Residuals r;
  const airframe::AircraftDef changed = with(plane, x);
  for (const Stretch& s : stretches) {
    const core::Result<PlaneResponse> flown = fly_log(changed, log, s.from, s.to);
    if (!flown) return flown.error();
    const PlaneResponse& f = flown.value();
    for (std::size_t k = 0; k < f.time.size(); ++k) {
      r.push_back(kPerDegree * (f.roll[k] - log.roll.at(f.time[k])));
      r.push_back(kPerDegree * (f.pitch[k] - log.pitch.at(f.time[k])));
    }
  }
  const double scale = 1 / math::sqrt(0.5 * static_cast<double>(r.size()));
  for (double& e : r) e *= scale;
  for (const double v : x) r.push_back(math::sqrt(kPull) * v);
  return r;
}
double sum_of_squares(const Residuals& r) {
  double sum = 0;
  for (const double e : r) sum += e * e;
  return sum;
}

// (J^T J + damping) step = -J^T r, by Cholesky
using Matrix = std::array<std::array<double, kUnknowns>, kUnknowns>;
Identified solve(Matrix a, Identified b, double damping) {
  for (std::size_t i = 0; i < kUnknowns; ++i) a[i][i] += damping;
  for (std::size_t j = 0; j < kUnknowns; ++j) {
    for (std::size_t k = 0; k < j; ++k) a[j][j] -= a[j][k] * a[j][k];
    a[j][j] = math::sqrt(std::max(a[j][j], 1e-12));
    for (std::size_t i = j + 1; i < kUnknowns; ++i) {
      for (std::size_t k = 0; k < j; ++k) a[i][j] -= a[i][k] * a[j][k];
      a[i][j] /= a[j][j];
    }
  }
  for (std::size_t i = 0; i < kUnknowns; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= a[i][k] * b[k];
    b[i] /= a[i][i];
  }
  for (std::size_t i = kUnknowns; i-- > 0;) {
    for (std::size_t k = i + 1; k < kUnknowns; ++k) b[i] -= a[k][i] * b[k];
    b[i] /= a[i][i];
  }
  return b;
}

}  // namespace

core::Result<PlaneResponse> fly_log(const airframe::AircraftDef& def, const PlaneLog& log, double from, double to) {
  core::Result<Plane> made = make_plane(def, log);
  if (!made) return made.error();
  Plane& plane = made.value();
  place(plane, log, from);
  PlaneResponse out;
  const int rows = static_cast<int>((to - from) / kTick);
  double mode = log.mode_since(from);
  for (int k = 0; k <= rows; ++k) {
    const double t = from + k * kTick;
    if (log.mode_since(t) != mode) {
      mode = log.mode_since(t);
      plane.agent.wing = {};
    }
    const control::WingState<double> x = vehicles::wing_state(plane.agent.body, Vec3<double>{0, 0, 0}, control::kSeaLevelDensity, 100.0);
    out.time.push_back(t);
    out.roll.push_back(x.roll), out.pitch.push_back(x.pitch), out.p.push_back(x.p), out.q.push_back(x.q), out.r.push_back(x.r);
    fly_tick(plane, log, t);
  }
  return out;
}

core::Result<std::vector<double>> rudder_of_laws(const airframe::AircraftDef& def, const PlaneLog& log, const std::vector<double>& times) {
  const core::Result<Plane> made = make_plane(def, log);
  if (!made) return made.error();
  const WingGains<double>& g = made.value().p.wing;
  std::vector<double> out;
  control::WingMemory<double> m{};
  double since = -1, at = 0;
  for (const double t : times) {
    if (log.mode_since(t) != since) m = memory_at(log, t, g), since = log.mode_since(t), at = t;
    for (; at + kTick < t; at += kTick) laws_for_log(log, at, g, m);
    control::WingMemory<double> now = m;
    out.push_back(laws_for_log(log, t, g, now).z);
  }
  return out;
}

const std::array<Unknown, kUnknowns>& unknowns() {
  using Def = airframe::AircraftDef;
  static const std::array<Unknown, kUnknowns> list = {{
      {"roll.aileron", "1/rad", [](Def& d) -> double& { return d.roll.aileron; }, 0},
      {"roll.p", "-", [](Def& d) -> double& { return d.roll.p; }, 0},
      {"roll.zero", "-", [](Def& d) -> double& { return d.roll.zero; }, 0.02},
      {"pitch.elevator", "1/rad", [](Def& d) -> double& { return d.pitch.elevator; }, 0},
      {"pitch.alpha", "1/rad", [](Def& d) -> double& { return d.pitch.alpha; }, 0},
      {"pitch.zero", "-", [](Def& d) -> double& { return d.pitch.zero; }, 0.05},
      {"height of the thrust line", "m", [](Def& d) -> double& { return d.rotors[0].position[2]; }, 0.1},
      {"surfaces.lag", "s", [](Def& d) -> double& { return d.surfaces.lag; }, 0},
  }};
  return list;
}

airframe::AircraftDef with(const airframe::AircraftDef& plane, const Identified& x) {
  airframe::AircraftDef d = plane;
  for (std::size_t k = 0; k < kUnknowns; ++k) {
    double& value = unknowns()[k].of(d);
    value = unknowns()[k].step > 0 ? value + unknowns()[k].step * x[k] : value * math::exp(x[k]);
  }
  return d;
}

core::Result<Identified> identify_plane(const airframe::AircraftDef& plane, const PlaneLog& log, const std::vector<Stretch>& stretches) {
  constexpr int kRounds = 20;
  constexpr double kNudge = 0.02;
  Identified x{};
  core::Result<Residuals> now = residuals_of(plane, log, stretches, x);
  if (!now) return now.error();
  double damping = 0.1;
  for (int round = 0; round < kRounds; ++round) {
    std::array<Residuals, kUnknowns> slope;
    for (std::size_t j = 0; j < kUnknowns; ++j) {
      Identified nudged = x;
      nudged[j] += kNudge;
      core::Result<Residuals> there = residuals_of(plane, log, stretches, nudged);
      if (!there) return there.error();
      slope[j] = std::move(there).value();
      for (std::size_t k = 0; k < slope[j].size(); ++k) slope[j][k] = (slope[j][k] - now.value()[k]) / kNudge;
    }
    Matrix a{};
    Identified b{};
    for (std::size_t i = 0; i < kUnknowns; ++i) {
      for (std::size_t j = 0; j < kUnknowns; ++j)
        for (std::size_t k = 0; k < slope[i].size(); ++k) a[i][j] += slope[i][k] * slope[j][k];
      for (std::size_t k = 0; k < slope[i].size(); ++k) b[i] -= slope[i][k] * now.value()[k];
    }
    const double before = sum_of_squares(now.value());
    bool better = false;
    for (int attempt = 0; attempt < 6 && !better; ++attempt) {
      Identified next = x;
      const Identified step = solve(a, b, damping);
      for (std::size_t k = 0; k < kUnknowns; ++k) next[k] = std::clamp(x[k] + step[k], -3.0, 3.0);
      core::Result<Residuals> there = residuals_of(plane, log, stretches, next);
      better = there && sum_of_squares(there.value()) < before;
      damping *= better ? 0.3 : 4;
      if (better) x = next, now = std::move(there);
    }
    if (!better || before - sum_of_squares(now.value()) < 1e-4 * before) break;
  }
  return x;
}

}  // namespace volary::validation
