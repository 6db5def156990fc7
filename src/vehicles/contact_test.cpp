// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Vehicles on the ground, at the default tick of 10 ms with four substeps; airframes as they are shipped.
#include "vehicles/contact.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "vehicles/multirotor_test_support.hpp"
#include "volary/scenario.hpp"

namespace volary {
namespace {

using math::Quat;
using test::kG;
using test::MultirotorDef;
using vehicles::Control;
using vehicles::Features;
using vehicles::RigidBody;

const char* const kShipped[] = {"crazyflie", "nuswarm", "x500", "f450", "p450", "hexacopter", "x8"};

MultirotorDef shipped(const std::string& name) {
  ScenarioPaths paths;
  paths.assets = "assets";  // tests run in the root of the repository
  const Loaded<Airframe> a = load_airframe(name, paths);
  if (!a) {
    ADD_FAILURE() << a.error;
    return test::x500();
  }
  return *static_cast<const MultirotorDef*>(a.value->definition.get());
}

// a vehicle whose rotors may number four, six or eight, tick by tick
struct Parked {
  virtual ~Parked() = default;
  virtual void tick() = 0;
  virtual void enter(Mode mode) = 0;
  virtual RigidBody<double> body() const = 0;
  virtual void set(const RigidBody<double>& b) = 0;
};
template <class P, class S> struct ParkedOf : Parked {
  test::Deck<P, S> deck;
  ParkedOf(const MultirotorDef& d, const VehicleDef& start, const engine::FlockSetup& setup) : deck(d, start, setup) {}
  void tick() override { deck.tick(); }
  RigidBody<double> body() const override {
    const auto& b = deck.agent.body;
    const auto p = test::where(b);
    return {{{p[0], p[1], p[2]}, {0, 0, 0}},
            {b.velocity_W.x, b.velocity_W.y, b.velocity_W.z},
            {b.q_WB.w, b.q_WB.x, b.q_WB.y, b.q_WB.z},
            {b.omega_B.x, b.omega_B.y, b.omega_B.z}};
  }
  void enter(Mode mode) override { deck.enter(mode); }
  void set(const RigidBody<double>& b) override {
    const auto v = [](const math::Vec3<double>& a) { return math::Vec3<S>{static_cast<S>(a.x), static_cast<S>(a.y), static_cast<S>(a.z)}; };
    deck.agent.body = {vehicles::to_position<S>({b.position_W.value.x, b.position_W.value.y, b.position_W.value.z}),
                       v(b.velocity_W),
                       {static_cast<S>(b.q_WB.w), static_cast<S>(b.q_WB.x), static_cast<S>(b.q_WB.y), static_cast<S>(b.q_WB.z)},
                       v(b.omega_B)};
  }
};
template <class S> std::unique_ptr<Parked> park(const MultirotorDef& d, double wind) {
  VehicleDef start;
  start.mode = Mode::Disarmed;
  start.yaw = 0.4;
  engine::FlockSetup setup;
  setup.environment.wind_W = {wind, 0, 0};
  const auto make = [&]<int N>() -> std::unique_ptr<Parked> {
    if (airframe::needed_features(d) == Features::Tilted)
      return std::make_unique<ParkedOf<vehicles::MultirotorProgram<N, Features::Tilted, Control::Ladder>, S>>(d, start, setup);
    return std::make_unique<ParkedOf<vehicles::MultirotorProgram<N, Features::Full, Control::Ladder>, S>>(d, start, setup);
  };
  const std::size_t n = d.rotors.size();
  return n <= 4 ? make.template operator()<4>() : n <= 6 ? make.template operator()<6>() : make.template operator()<8>();
}

std::array<double, 3> place(const RigidBody<double>& b) { return {b.position_W.value.x, b.position_W.value.y, b.position_W.value.z}; }
double energy(const RigidBody<double>& b, const MultirotorDef& d) {
  const auto& w = b.omega_B;
  const double spin = d.inertia[0] * w.x * w.x + d.inertia[1] * w.y * w.y + d.inertia[2] * w.z * w.z;
  return d.mass * (kG * b.position_W.value.z + math::dot(b.velocity_W, b.velocity_W) / 2) + spin / 2;
}

// ---------------------------------------------------------------- parked

// the farthest from where it stood, at any time
template <class S> double wandered(const MultirotorDef& d, double wind, double seconds, Mode mode = Mode::Disarmed) {
  const auto v = park<S>(d, wind);
  v->enter(mode);
  const std::array<double, 3> start = place(v->body());
  double farthest = 0;
  for (int k = 0; k < seconds * 100; ++k) {
    v->tick();
    farthest = std::max(farthest, test::distance(place(v->body()), start));
  }
  return farthest;
}

TEST(contact, a_parked_vehicle_moves_less_than_a_millimetre_in_a_minute) {
  for (const char* name : kShipped) {
    const MultirotorDef d = shipped(name);
    EXPECT_LT(wandered<float>(d, 0, 60), 1e-3) << name;
    EXPECT_LT(wandered<double>(d, 0, 60), 1e-3) << name;
  }
}

TEST(contact, a_parked_vehicle_stays_within_a_millimetre_in_a_wind_of_3_m_per_second) {
  for (const char* name : kShipped) EXPECT_LT(wandered<float>(shipped(name), 3, 60), 1e-3) << name;
}

TEST(contact, an_armed_vehicle_with_idling_rotors_stays_within_a_millimetre_for_a_minute) {
  for (const char* name : kShipped) EXPECT_LT(wandered<float>(shipped(name), 0, 60, Mode::Armed), 1e-3) << name;
}

// friction is not glue: the wind moves what it is strong enough to move
TEST(contact, a_storm_beyond_friction_blows_a_parked_vehicle_away) {
  const MultirotorDef d = test::x500();
  const double holds = std::sqrt(0.6 * d.mass * kG / d.quadratic_drag[0]);  // 19.8 m/s
  EXPECT_GT(wandered<double>(d, 1.3 * holds, 5), 1);
}

TEST(contact, friction_holds_a_push_below_its_limit_for_a_minute) {
  VehicleDef start;
  start.mode = Mode::Disarmed;
  test::Deck<test::QuadLadder, double> deck(test::x500(), start);
  deck.agent.outside.force_W = {5, 0, 0};  // of 11.8 N
  deck.fly(60);
  EXPECT_LT(std::abs(test::where(deck.agent.body)[0]), 1e-3);
}

TEST(contact, ground_carries_exactly_the_weight_of_a_parked_vehicle) {
  VehicleDef start;
  start.mode = Mode::Disarmed;
  test::Deck<test::QuadLadder, double> deck(test::x500(), start);
  deck.fly(2);
  EXPECT_NEAR(deck.agent.air.ground_force, 2 * kG, 1e-6);
}

// ---------------------------------------------------------------- landing

TEST(contact, a_landing_at_1_m_per_second_settles_within_a_second) {
  for (const char* name : kShipped) {
    const MultirotorDef d = shipped(name);
    const auto v = park<float>(d, 0);
    RigidBody<double> b = v->body();
    const double rest = b.position_W.value.z;
    b.velocity_W = {0, 0, -1};
    v->set(b);
    for (int k = 0; k < 100; ++k) v->tick();
    for (int k = 0; k < 100; ++k) {
      EXPECT_LT(math::norm(v->body().velocity_W), 0.01) << name << " " << k;
      EXPECT_LT(std::abs(v->body().position_W.value.z - rest), 0.02) << name << " " << k;
      v->tick();
    }
  }
}

TEST(contact, a_landing_on_one_foot_ends_on_all_of_them) {
  for (const char* name : kShipped) {
    const MultirotorDef d = shipped(name);
    const auto v = park<float>(d, 0);
    RigidBody<double> b = v->body();
    const double rest = b.position_W.value.z;
    b.position_W.value.z += 0.3;
    b.velocity_W = {0.1, 0, -0.3};
    b.q_WB = math::normalize(Quat<double>{1, 0.06, -0.07, 0});
    v->set(b);
    for (int k = 0; k < 500; ++k) v->tick();
    EXPECT_NEAR(v->body().position_W.value.z, rest, 1e-3) << name;
    EXPECT_LT(math::norm(v->body().velocity_W), 0.001) << name;
    EXPECT_LT(math::norm(v->body().omega_B), 0.01) << name;
    EXPECT_GT(math::body_z_W(v->body().q_WB).z, 0.9999) << name;
  }
}

// ---------------------------------------------------------------- sliding

// in vacuum, so that only friction brakes; feet wide and low, so that it does not tip
double slid(double friction, double speed, double direction) {
  MultirotorDef d = test::in_vacuum(test::x500());
  d.feet = {{0.2, 0.2, -0.05}, {-0.2, 0.2, -0.05}, {-0.2, -0.2, -0.05}, {0.2, -0.2, -0.05}};
  VehicleDef start;
  start.mode = Mode::Disarmed;
  engine::FlockSetup setup;
  setup.environment.ground_friction = friction;
  test::Deck<test::QuadLadder, double> deck(d, start, setup);
  deck.agent.body.velocity_W = {speed * std::cos(direction), speed * std::sin(direction), 0};
  deck.fly(speed / (friction * kG) + 2);
  EXPECT_LT(math::norm(deck.agent.body.velocity_W), 1e-6);
  const auto p = test::where(deck.agent.body);
  EXPECT_NEAR(std::atan2(p[1], p[0]), direction, 0.01);
  return std::hypot(p[0], p[1]);
}

TEST(contact, a_slide_ends_after_v_squared_over_two_mu_g) {
  for (double friction : {0.3, 0.6}) {
    const double far = 2.0 * 2.0 / (2 * friction * kG);
    for (double direction : {0.0, 0.7, 2.5}) EXPECT_NEAR(slid(friction, 2, direction), far, 0.05 * far) << friction << " " << direction;
  }
}

TEST(contact, without_friction_a_slide_does_not_end) {
  MultirotorDef d = test::in_vacuum(test::x500());
  VehicleDef start;
  start.mode = Mode::Disarmed;
  engine::FlockSetup setup;
  setup.environment.ground_friction = 0;
  test::Deck<test::QuadLadder, double> deck(d, start, setup);
  deck.agent.body.velocity_W = {2, 0, 0};
  deck.fly(3);
  EXPECT_NEAR(deck.agent.body.velocity_W.x, 2, 1e-9);
}

// ---------------------------------------------------------------- crashes

// energy over what it was before, at its worst; the vehicle must come to rest above the ground
void expect_calm_end(const char* name, const MultirotorDef& d, const RigidBody<double>& thrown, double seconds) {
  const auto v = park<float>(d, 0);
  v->set(thrown);
  const double before = energy(thrown, d);
  for (int k = 0; k < seconds * 100; ++k) {
    v->tick();
    const RigidBody<double> b = v->body();
    ASSERT_TRUE(std::isfinite(b.position_W.value.z) && std::isfinite(b.q_WB.w) && std::isfinite(b.omega_B.x)) << name << " " << k;
    ASSERT_LT(energy(b, d), 1.005 * before) << name << " after " << k * 0.01 << " s";
  }
  const RigidBody<double> b = v->body();
  EXPECT_LT(math::norm(b.velocity_W), 0.01) << name;
  EXPECT_LT(math::norm(b.omega_B), 0.1) << name;
  EXPECT_GT(b.position_W.value.z, 0) << name;
}

TEST(contact, a_vehicle_dropped_on_its_back_stays_there_without_gaining_energy) {
  for (const char* name : kShipped) {
    RigidBody<double> b = test::body_at<double>(0, 0, 0.8);
    b.q_WB = math::normalize(Quat<double>{0.03, 1, 0.02, 0});
    expect_calm_end(name, shipped(name), b, 5);
  }
}

TEST(contact, a_tumbling_crash_gains_no_energy_and_comes_to_rest) {
  for (const char* name : kShipped) {
    for (int k = 0; k < 8; ++k) {
      RigidBody<double> b = test::body_at<double>(0, 0, 1.5);
      b.velocity_W = {3.0 - k, 1, -2};
      b.q_WB = math::normalize(Quat<double>{std::cos(0.7 * k), std::sin(1.1 * k), 0.3, std::cos(2.3 * k)});
      b.omega_B = {4.0 - k, 3, 0.5 * k};
      expect_calm_end(name, shipped(name), b, 10);
    }
  }
}

}  // namespace
}  // namespace volary
