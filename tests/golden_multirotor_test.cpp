// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Two seconds of a Crazyflie in float, to the last bit, and beside it the same flight by a second model
// written out here in double from the equations: rotor by rotor, motors as differential equations, steps a
// tenth as long. The bits say that nothing changed; the second model says that what did not change is right.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <string>
#include <vector>

#include "vehicles/multirotor_test_support.hpp"

namespace volary {
namespace {

using test::kG;
using test::MultirotorDef;

// a climbing turn from hover, entered a metre off its curve
VehicleDef mission() {
  VehicleDef v;
  v.position_W = {0.5, -0.3, 1};
  v.yaw = 0.3;
  v.centre_W = {0, 0, 1.4};
  v.harmonic.amplitude = {0.8, 0.8, 0.2};
  v.harmonic.rate = {1.5, 1.5, 0.7};
  v.harmonic.phase = {0, 1.5707963267948966, 0};
  v.harmonic.ramp = 1;
  return v;
}
constexpr Vec kWind = {0.8, -0.4, 0.1};

template <class S> test::Deck<test::QuadLadder, S> make_deck() {
  engine::FlockSetup setup;
  setup.environment.wind_W = kWind;
  test::Deck<test::QuadLadder, S> d(test::crazyflie(), mission(), setup);
  d.enter(Mode::Mission);
  return d;
}

// ---------------------------------------------------------------- the second model

using V3 = std::array<double, 3>;
V3 operator+(const V3& a, const V3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
V3 operator-(const V3& a, const V3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
V3 operator*(double s, const V3& a) { return {s * a[0], s * a[1], s * a[2]}; }
V3 cross(const V3& a, const V3& b) { return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}; }
double dot(const V3& a, const V3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

struct State {
  V3 x, v, w;                  // m, m/s, rad/s
  std::array<double, 4> q, n;  // w x y z; rotor speeds
};
State along(const State& s, double h, const State& r) {
  State o;
  o.x = s.x + h * r.x, o.v = s.v + h * r.v, o.w = s.w + h * r.w;
  for (std::size_t k = 0; k < 4; ++k) o.q[k] = s.q[k] + h * r.q[k], o.n[k] = s.n[k] + h * r.n[k];
  return o;
}
// v turned by q, or back by its conjugate: v + 2 u x (u x v + w v)
V3 turn(const std::array<double, 4>& q, const V3& v, double way) {
  const V3 u = {way * q[1], way * q[2], way * q[3]};
  return v + 2.0 * cross(u, cross(u, v) + q[0] * v);
}

// Newton and Euler with Gestelt eq. 7-13, errata
State rate(const State& s, const std::array<double, 4>& command, const MultirotorDef& d) {
  const airframe::MotorDef& m = d.motor;
  const V3 air = turn(s.q, s.v - V3{kWind[0], kWind[1], kWind[2]}, -1);
  V3 force{}, torque{}, spin{};
  for (std::size_t k = 0; k < 3; ++k) force[k] = -d.quadratic_drag[k] * std::abs(air[k]) * air[k];
  State r;
  for (std::size_t i = 0; i < 4; ++i) {
    const double n = s.n[i], sense = d.rotors[i].spin;
    r.n[i] = (command[i] - n) / (command[i] > n ? m.time_constant_up : m.time_constant_down);
    const V3 arm = d.rotors[i].position, hub = air + cross(s.w, arm), axis = {0, 0, 1};
    const double thrust = m.thrust2 * n * n;
    const V3 across = hub - dot(hub, axis) * axis;
    const V3 f = thrust * std::clamp(1 - dot(hub, axis) / m.stall_speed, 0.0, 2.0) * axis - (m.drag * n) * across;
    force = force + f;
    torque = torque + cross(arm, f) - (sense * (m.torque_ratio * thrust + m.inertia * r.n[i])) * axis - (m.rolling * sense * n) * across;
    spin = spin + (m.inertia * sense * n) * axis;
  }
  r.x = s.v;
  r.v = (1 / d.mass) * turn(s.q, force, 1) + V3{0, 0, -kG};
  const V3 h = V3{d.inertia[0] * s.w[0], d.inertia[1] * s.w[1], d.inertia[2] * s.w[2]} + spin, net = torque - cross(s.w, h);
  for (std::size_t k = 0; k < 3; ++k) r.w[k] = net[k] / d.inertia[k];
  const auto& q = s.q;
  r.q = {-0.5 * (q[1] * s.w[0] + q[2] * s.w[1] + q[3] * s.w[2]), 0.5 * (q[0] * s.w[0] + q[2] * s.w[2] - q[3] * s.w[1]),
         0.5 * (q[0] * s.w[1] + q[3] * s.w[0] - q[1] * s.w[2]), 0.5 * (q[0] * s.w[2] + q[1] * s.w[1] - q[2] * s.w[0])};
  return r;
}
State stepped(const State& s, double h, const std::array<double, 4>& command, const MultirotorDef& d) {
  const State a = rate(s, command, d), b = rate(along(s, h / 2, a), command, d), c = rate(along(s, h / 2, b), command, d), e = rate(along(s, h, c), command, d);
  State o = along(along(along(along(s, h / 6, a), h / 3, b), h / 3, c), h / 6, e);
  const double n = std::sqrt(o.q[0] * o.q[0] + o.q[1] * o.q[1] + o.q[2] * o.q[2] + o.q[3] * o.q[3]);
  for (double& x : o.q) x /= n;
  return o;
}

// the controllers of the simulator in double, four times a tick, around the second model with ten steps each
std::vector<V3> second_model(int ticks) {
  const MultirotorDef d = test::crazyflie();
  auto deck = make_deck<double>();
  std::vector<V3> path;
  State s{};
  const auto& b = deck.agent.body;
  s.x = test::where(b), s.q = {b.q_WB.w, b.q_WB.x, b.q_WB.y, b.q_WB.z};
  for (std::size_t i = 0; i < 4; ++i) s.n[i] = deck.agent.rotors.speed[i];
  for (int k = 0; k < ticks; ++k) {
    auto& a = deck.agent;
    control::guide<double>(a.status, deck.plan, a.setpoint, {a.body.position_W, a.body.velocity_W, 0.0}, deck.p.guide, deck.table);
    const auto target = vehicles::outer_loops<test::QuadLadder::V>(a, deck.info, deck.p.ladder);
    for (int j = 0; j < 4; ++j) {
      const auto wanted = vehicles::inner_loops<test::QuadLadder::V, false>(a, target, deck.info, deck.p);
      const auto command = vehicles::rotor_command<test::QuadLadder::V, false>(a, wanted, deck.p);
      for (int step = 0; step < 10; ++step) s = stepped(s, 0.00025, {command.speed[0], command.speed[1], command.speed[2], command.speed[3]}, d);
      a.body = {vehicles::to_position<double>({s.x[0], s.x[1], s.x[2]}), {s.v[0], s.v[1], s.v[2]}, {s.q[0], s.q[1], s.q[2], s.q[3]}, {s.w[0], s.w[1], s.w[2]}};
    }
    path.push_back(s.x);
  }
  return path;
}

// ---------------------------------------------------------------- the tests

std::uint32_t bits(float x) {
  std::uint32_t b;
  std::memcpy(&b, &x, sizeof b);
  return b;
}

TEST(golden_multirotor, two_seconds_of_a_crazyflie_in_float_end_in_these_bits) {
  auto d = make_deck<float>();
  d.fly(2);
  const auto& b = d.agent.body;
  const auto& r = d.agent.rotors.speed;
  const auto &value = b.position_W.value, &rest = b.position_W.remainder;
  const float numbers[] = {value.x,  value.y,  value.z,  rest.x,      rest.y,      rest.z,      b.velocity_W.x, b.velocity_W.y, b.velocity_W.z, b.q_WB.w,
                           b.q_WB.x, b.q_WB.y, b.q_WB.z, b.omega_B.x, b.omega_B.y, b.omega_B.z, r[0],           r[1],           r[2],           r[3]};
  const std::uint32_t pinned[] = {0x3f259d7f, 0xbee740f7, 0x3fca67ff, 0x30e00000, 0xb0a00000, 0x335f2000, 0xbf349a2c, 0xbf60113e, 0x3dda0074, 0x3f7bf07c,
                                  0xbd490449, 0xbda9ab4a, 0x3e189293, 0xbe6287a1, 0x3e2b8f6b, 0x3d3d6d75, 0x44d7d058, 0x44d81c83, 0x44d7fc12, 0x44d804d3};
  static_assert(std::size(numbers) == std::size(pinned));
  std::string now;
  for (std::size_t k = 0; k < std::size(numbers); ++k) {
    char hex[16];
    std::snprintf(hex, sizeof hex, "0x%08x, ", bits(numbers[k]));
    now += hex;
    EXPECT_EQ(bits(numbers[k]), pinned[k]) << k << ": " << numbers[k];
  }
  if (HasFailure()) std::printf("  now: %s\n", now.c_str());
}

TEST(golden_multirotor, the_same_flight_by_a_second_model_in_double_differs_by_less_than_5_micrometres) {
  auto d = make_deck<float>();
  const std::vector<V3> second = second_model(200);
  double farthest = 0, travelled = 0;
  for (const V3& p : second) {
    d.tick();
    farthest = std::max(farthest, test::distance(test::where(d.agent.body), p));
    travelled = std::max(travelled, test::distance(p, {0.5, -0.3, 1}));
  }
  EXPECT_LT(farthest, 5e-6);
  EXPECT_GT(travelled, 0.5);
}

}  // namespace
}  // namespace volary
