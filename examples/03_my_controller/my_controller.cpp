// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// 03: a controller of your own, at every control level. The cascade below goes from a trajectory down to the speeds of the motors. For each level a group of
// quadrotors flies a circle: the cascade computes everything down to that level, and Volary's own controller the rest. In every tick each group gets one bulk
// input. The program prints the tracking error of each level and fails when one is too large.
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "volary/scenario.hpp"
#include "volary/world.hpp"

using namespace volary;

namespace {

constexpr double kRadius = 2, kRate = 0.785, kRamp = 3;  // m, rad/s, s: the circle, and the time to get up to speed
constexpr double kDuration = 20, kSettled = 6;           // s: errors count from the second time on
constexpr int kGroup = 3;                                // vehicles at each level

using Quat = std::array<double, 4>;  // w x y z

Vec operator+(const Vec& a, const Vec& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Vec operator-(const Vec& a, const Vec& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Vec operator*(double s, const Vec& a) { return {s * a[0], s * a[1], s * a[2]}; }
double dot(const Vec& a, const Vec& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vec cross(const Vec& a, const Vec& b) { return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}; }
Vec unit(const Vec& a) { return (1 / std::sqrt(dot(a, a))) * a; }
Quat product(const Quat& a, const Quat& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}

struct Reference {
  Vec position, velocity, acceleration, jerk;  // world frame
};
// a circle about `centre` that begins at rest
Reference circle(const Vec& centre, double t) {
  const bool ramping = t < kRamp;
  const double angle = ramping ? kRate * t * t / (2 * kRamp) : kRate * (t - kRamp / 2), rate = ramping ? kRate * t / kRamp : kRate, change = ramping ? kRate / kRamp : 0;
  const Vec out = {std::cos(angle), std::sin(angle), 0}, along = {-std::sin(angle), std::cos(angle), 0};
  return {centre + kRadius * out, (kRadius * rate) * along, (kRadius * change) * along - (kRadius * rate * rate) * out,
          (-3 * kRadius * rate * change) * out - (kRadius * rate * rate * rate) * along};
}

struct State {
  Vec position, velocity;
  Quat attitude;          // body to world
  Vec omega;              // body frame
};

// what the controller knows of its vehicle: the parameters of the model, by name
struct Airframe4 {
  double mass = 0, gravity = 0, thrust[3] = {}, torque_ratio = 0, position_lag = 0, velocity_lag = 0;
  Vec inertia{}, hub[4] = {};
  double spin[4] = {}, speed_min = 0, speed_max = 0;

  Airframe4(const World& world, VehicleId id) {
    const auto number = [&](const char* name, int k = 0) { return world.parameter_of(id, name, k).value_or(0); };
    mass = number("mass"), gravity = number("gravity");
    thrust[0] = number("rotor.thrust0"), thrust[1] = number("rotor.thrust1"), thrust[2] = number("rotor.thrust2");
    torque_ratio = number("rotor.torque2") / thrust[2];
    // of Volary's own controller, in s: a setpoint has to lead by as much
    position_lag = 1 / number("ladder.position_p"), velocity_lag = 1 / number("ladder.velocity_p");
    speed_min = number("rotor.speed_min"), speed_max = number("rotor.speed_max");
    for (int k = 0; k < 3; ++k) inertia[static_cast<std::size_t>(k)] = number("inertia", k);
    for (int i = 0; i < 4; ++i) {
      spin[i] = number("rotor.spin", i);
      hub[i] = {number("rotor.position", 3 * i), number("rotor.position", 3 * i + 1), number("rotor.position", 3 * i + 2)};
    }
  }
};

// ---------------------------------------------------------------- the cascade, from the top

Vec wanted_velocity(const Reference& r, const State& s) { return r.velocity + 1.5 * (r.position - s.position); }
Vec wanted_acceleration(const Reference& r, const State& s) { return r.acceleration + 4.0 * (wanted_velocity(r, s) - s.velocity); }

// the attitude whose z axis carries the vehicle, with its nose to the east, and the thrust along the present axis
struct Tilt {
  double thrust;
  Quat attitude;
};
Tilt wanted_tilt(const Reference& r, const State& s, const Airframe4& a) {
  const Vec force = a.mass * (wanted_acceleration(r, s) + Vec{0, 0, a.gravity});
  const Quat& q = s.attitude;
  const Vec up = {2 * (q[1] * q[3] + q[0] * q[2]), 2 * (q[2] * q[3] - q[0] * q[1]), 1 - 2 * (q[1] * q[1] + q[2] * q[2])};
  const Vec z = unit(force), y = unit(cross(z, {1, 0, 0})), x = cross(y, z);
  const double w = 0.5 * std::sqrt(1 + x[0] + y[1] + z[2]);  // the tilt is far from half a turn
  return {dot(force, up), {w, (y[2] - z[1]) / (4 * w), (z[0] - x[2]) / (4 * w), (x[1] - y[0]) / (4 * w)}};
}

Vec wanted_rate(const Tilt& tilt, const State& s) {
  const Quat& q = s.attitude;
  const Quat error = product({q[0], -q[1], -q[2], -q[3]}, tilt.attitude);
  return ((error[0] < 0 ? -2 : 2) * 8.0) * Vec{error[1], error[2], error[3]};
}

// torque for the rate, shared over four rotors in a cross whose arms are alike, and the speed for each thrust
std::array<double, 4> wanted_speeds(const Tilt& tilt, const Vec& rate, const State& s, const Airframe4& a) {
  const Vec turn = 20.0 * (rate - s.omega), momentum = {a.inertia[0] * s.omega[0], a.inertia[1] * s.omega[1], a.inertia[2] * s.omega[2]};
  const Vec torque = Vec{a.inertia[0] * turn[0], a.inertia[1] * turn[1], a.inertia[2] * turn[2]} + cross(s.omega, momentum);
  std::array<double, 4> speeds{};
  for (std::size_t i = 0; i < 4; ++i) {
    const double x = a.hub[i][0], y = a.hub[i][1];
    const double f = 0.25 * (tilt.thrust + torque[0] / y - torque[1] / x - a.spin[i] * torque[2] / a.torque_ratio);
    const double root = a.thrust[1] * a.thrust[1] + 4 * a.thrust[2] * (f - a.thrust[0]);
    const double speed = (std::sqrt(std::fmax(0, root)) - a.thrust[1]) / (2 * a.thrust[2]);
    speeds[i] = std::fmin(std::fmax(speed, a.speed_min), a.speed_max);
  }
  return speeds;
}

// the numbers of Many for one vehicle (volary/input.hpp)
std::vector<double> setpoint(Many level, const Reference& r, const State& s, const Airframe4& a) {
  const auto with_yaw = [](const Vec& v) { return std::vector<double>{v[0], v[1], v[2], 0}; };
  const Tilt tilt = wanted_tilt(r, s, a);
  const Vec rate = wanted_rate(tilt, s);
  switch (level) {
    case Many::MotorSpeeds: {
      const std::array<double, 4> speeds = wanted_speeds(tilt, rate, s, a);
      return {speeds.begin(), speeds.end()};
    }
    case Many::Rates: return {tilt.thrust, rate[0], rate[1], rate[2]};
    case Many::Attitude: return {tilt.thrust, tilt.attitude[0], tilt.attitude[1], tilt.attitude[2], tilt.attitude[3]};
    case Many::Acceleration: return with_yaw(wanted_acceleration(r, s));
    // a velocity without an acceleration is followed with a lag, and so is a position without a velocity: ask for what is ahead
    case Many::Velocity: return with_yaw(wanted_velocity(r, s) + a.velocity_lag * r.acceleration);
    case Many::Position: return with_yaw(r.position + a.position_lag * (r.velocity + a.velocity_lag * r.acceleration));
    default: break;
  }
  std::vector<double> all;
  for (const Vec* v : {&r.position, &r.velocity, &r.acceleration, &r.jerk}) all.insert(all.end(), v->begin(), v->end());
  all.insert(all.end(), {0, 0});  // yaw, yaw rate
  return all;
}

// ---------------------------------------------------------------- the flight

struct Group {
  Many level;
  const char* name;
  double allowed;  // m, root mean square of the distance to the reference
  std::vector<VehicleId> ids = {};
  std::vector<Vec> centres = {};
  double sum = 0, most = 0;
  std::size_t samples = 0;
};

State state_of(const World& world, VehicleId id) {
  const std::size_t slot = world.slot_of(id);
  const View attitude = world.view("quads", "attitude"), omega = world.view("quads", "omega");
  return {world.position_of(id), world.velocity_of(id), {attitude.at(slot, 0), attitude.at(slot, 1), attitude.at(slot, 2), attitude.at(slot, 3)},
          {omega.at(slot, 0), omega.at(slot, 1), omega.at(slot, 2)}};
}

// one bulk input for the group, column by column
SetMany command(const World& world, Group& g, const Airframe4& airframe) {
  SetMany many{.what = g.level, .flock = "quads", .ids = g.ids};
  for (std::size_t i = 0; i < g.ids.size(); ++i) {
    const State s = state_of(world, g.ids[i]);
    const Reference r = circle(g.centres[i], world.time());
    const std::vector<double> numbers = setpoint(g.level, r, s, airframe);
    many.values.resize(numbers.size() * g.ids.size());
    for (std::size_t k = 0; k < numbers.size(); ++k) many.values[k * g.ids.size() + i] = numbers[k];
    if (world.time() < kSettled) continue;
    const Vec error = s.position - r.position;
    g.sum += dot(error, error), ++g.samples;
    g.most = std::fmax(g.most, std::sqrt(dot(error, error)));
  }
  return many;
}

}  // namespace

int main() {
  // a velocity and a position say nothing of the acceleration: their lead is an estimate
  std::vector<Group> groups = {{Many::MotorSpeeds, "motor speeds", 0.05}, {Many::Rates, "body rates", 0.05}, {Many::Attitude, "attitude", 0.05},
                               {Many::Acceleration, "acceleration", 0.05}, {Many::Velocity, "velocity", 0.2}, {Many::Position, "position", 0.25},
                               {Many::Trajectory, "trajectory", 0.1}};

  // the world, by hand: a row of vehicles for each level
  const auto airframe = load_airframe("x500");
  if (!airframe) return std::fprintf(stderr, "%s\n", airframe.error.c_str()), 2;
  WorldDef def;
  def.name = "my controller";
  def.tick_ns = 4'000'000;
  def.substeps = 2;
  FlockDef flock;
  flock.name = "quads";
  flock.airframe = *airframe.value;
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (int i = 0; i < kGroup; ++i) {
      groups[g].centres.push_back({8.0 * i, 8.0 * static_cast<double>(g), 5});
      flock.vehicles.push_back({.position_W = circle(groups[g].centres.back(), 0).position, .mode = Mode::Hold});
    }
  def.flocks.push_back(flock);
  std::string error;
  const auto world = World::create(def, {}, &error);
  if (!world) return std::fprintf(stderr, "%s\n", error.c_str()), 2;
  const std::vector<VehicleId> all = world->vehicles("quads");
  for (std::size_t k = 0; k < all.size(); ++k) groups[k / kGroup].ids.push_back(all[k]);
  const Airframe4 known(*world, all.front());

  while (world->time() < kDuration) {
    for (Group& g : groups)
      if (const Submitted done = world->submit({.payload = command(*world, g, known)}); !done) return std::fprintf(stderr, "%s: %s\n", g.name, done.why.c_str()), 2;
    world->step();
  }

  bool good = true;
  for (const Group& g : groups) {
    const double rms = std::sqrt(g.sum / static_cast<double>(g.samples));
    const bool fine = rms < g.allowed && world->is_alive(g.ids.front());
    std::printf("%-13s  %.3f m rms, %.3f m at most  %s\n", g.name, rms, g.most, fine ? "" : "TOO MUCH");
    good = good && fine;
  }
  for (const Event& e : world->take_events()) std::printf("event: %s %s\n", e.name.c_str(), e.what.c_str());
  std::printf("volary %s, files in %s\n", version(), home_folder().c_str());
  return good ? 0 : 1;
}
