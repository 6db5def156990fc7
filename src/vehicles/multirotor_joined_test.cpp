// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A multirotor whose body somebody else moves: what pushes it accelerates it as the pure form does, and all the rest of it is what the pure form makes of it.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "vehicles/joined_test_support.hpp"
#include "vehicles/multirotor_test_support.hpp"

namespace volary {
namespace {

using math::Quat;
using math::Vec3;
using test::kG;
using test::MultirotorDef;
using vehicles::Control;
using vehicles::Features;
using vehicles::MultirotorProgram;
using vehicles::Wrench;

using Full4 = MultirotorProgram<4, Features::Full, Control::Ladder>;
using Full6 = MultirotorProgram<6, Features::Full, Control::Ladder>;
using Tilted8 = MultirotorProgram<8, Features::Tilted, Control::Ladder>;

static_assert(Full4::kBodies == 1 && Full6::kBodies == 1 && Tilted8::kBodies == 1);
static_assert(MultirotorProgram<4, Features::Basic, Control::Ladder>::kBodies == 0, "it knows no air and no ground");
static_assert(MultirotorProgram<4, Features::Full, Control::Rate>::kBodies == 0 && MultirotorProgram<4, Features::Full, Control::Ladder, true>::kBodies == 1);

template <class P> test::Deck<P, double> flying(const MultirotorDef& d, double height = 5, Mode mode = Mode::Hold) {
  VehicleDef v;
  v.position_W = {1, 2, height}, v.yaw = 0.4, v.mode = mode;
  test::Deck<P, double> deck(d, v);
  deck.agent.status = control::kAlive | static_cast<std::uint64_t>(mode);
  return deck;
}
// it tumbles in a gust while somebody pushes it, and is told to go elsewhere
template <class Agent> void stir(Agent& a, std::mt19937& g) {
  std::normal_distribution<double> n;
  const auto around = [&](double size) { return Vec3<double>{size * n(g), size * n(g), size * n(g)}; };
  const auto attitude = [&] { return math::normalize(Quat<double>{3, n(g), n(g), n(g)}); };
  a.body.velocity_W = around(2), a.body.q_WB = attitude(), a.body.omega_B = around(2);
  for (double& w : a.rotors.speed) w = std::abs(600 + 100 * n(g));
  a.air.gust_W = around(1), a.outside.wind_W = around(2);
  a.outside.force_W = around(3), a.outside.torque_B = around(0.5);
  a.setpoint.position_W = {a.body.position_W.value + around(0.5), math::zero3<double>()};
  a.setpoint.q_WB = attitude(), a.setpoint.rate_B = around(0.5);
  for (double& w : a.setpoint.motor_speed) w = std::abs(500 + 300 * n(g));
}

template <class P> double worst_against_pure_form(const MultirotorDef& d, unsigned seed) {
  std::mt19937 g(seed);
  double worst = 0;
  for (int trial = 0; trial < 100; ++trial) {
    auto deck = flying<P>(d);
    stir(deck.agent, g);
    const auto targets = P::begin(deck.agent, deck.info, deck.p);
    auto before = deck.agent;
    Wrench<double> on[1];
    P::drive(deck.agent, targets, false, deck.info, deck.p, on);
    // Newton and Euler
    const Vec3<double>& omega = before.body.omega_B;
    const Vec3<double> momentum = vehicles::times_symmetric(deck.p.inertia, deck.p.inertia_products, omega);
    const Vec3<double> spin_up = vehicles::times_symmetric(deck.p.inv_inertia, deck.p.inv_inertia_products, on[0].torque_B - math::cross(omega, momentum));
    const Vec3<double> acceleration = (1 / d.mass) * (math::rotation_matrix(before.body.q_WB) * on[0].force_B) + Vec3<double>{0, 0, -kG};

    const auto surroundings = vehicles::surroundings(before, deck.p);
    const auto command = vehicles::general_command<typename P::V>(before, targets.attitude, false, false, deck.info, deck.p);
    const auto track = vehicles::track_rotors<typename P::V>(before.rotors, command, deck.p.rotor);
    const auto loads = vehicles::rotor_loads<typename P::V>(track.middle, track.middle_rate, deck.p.rotor);
    const auto want = vehicles::derivative_full<typename P::V>(vehicles::begin_motion(before.body), loads, surroundings, deck.p);
    worst = std::max({worst, math::norm(acceleration - want.velocity_W), math::norm(spin_up - want.omega_B)});
  }
  return worst;
}

TEST(multirotor_joined, its_body_is_pushed_as_the_pure_form_is_with_rotors_of_the_middle_of_a_substep) {
  EXPECT_LT(worst_against_pure_form<Full4>(test::x500(), 1), 1e-9);
  EXPECT_LT(worst_against_pure_form<Full6>(test::star(6, 0.3, 0.5), 2), 1e-9);
  EXPECT_LT(worst_against_pure_form<Tilted8>(test::coaxial_x8(), 3), 1e-9);
}

// ---------------------------------------------------------------- everything but the body

using FaultRows = std::vector<double>;  // of a vehicle that is alone in its block

// a tick of the pure form, and the same tick with a body that is moved as the pure form moves it
template <class P> void expect_same(const test::Deck<P, double>& start, const FaultRows& faults, const char* what) {
  using V = typename P::V;
  test::Deck<P, double> pure = start, joined = start;
  FaultRows of_pure = faults, of_joined = faults;
  if (!faults.empty()) pure.info.faults = of_pure.data(), joined.info.faults = of_joined.data();
  P::advance(pure.agent, pure.info, pure.p);
  const auto targets = P::begin(joined.agent, joined.info, joined.p);
  for (int k = 0; k < joined.info.substeps; ++k) {
    auto whole = joined.agent;
    FaultRows spare = of_joined;
    vehicles::TickInfo beside = joined.info;
    if (!faults.empty()) beside.faults = spare.data();
    Wrench<double> on[1];
    P::drive(joined.agent, targets, k + 1 == joined.info.substeps, joined.info, joined.p, on);
    const auto command =
        vehicles::general_command<V>(whole, targets.attitude, vehicles::has_still_rotors<double>(whole.status), false, beside, joined.p);
    vehicles::substep_on_ground<V>(whole.body, whole.rotors, command, vehicles::surroundings(whole, joined.p), targets.is_low > 0.5, joined.p);
    joined.agent.body = whole.body;
  }
  EXPECT_EQ(test::words_of(joined.agent), test::words_of(pure.agent)) << what;
  EXPECT_EQ(of_joined, of_pure) << what;
}

// the second rotor weak, the third late by two ticks
template <int Rotors> FaultRows weak_and_late() {
  FaultRows rows(static_cast<std::size_t>(Rotors * vehicles::kActuatorRows * math::kBlock), 0.0);
  const auto row = [&](int rotor, int k) -> double& { return rows[static_cast<std::size_t>((rotor * vehicles::kActuatorRows + k) * math::kBlock)]; };
  for (int i = 0; i < Rotors; ++i) {
    row(i, 0) = i == 1 ? 0.7 : 1, row(i, 1) = i == 1 ? 0.05 : 0, row(i, 2) = i == 2 ? 2 : 0;
    for (int k = 0; k < vehicles::kMostFaultDelay; ++k) row(i, 3 + k) = 400 + 10 * k;
  }
  return rows;
}

template <class P> void expect_same_in_the_air(const MultirotorDef& d, unsigned seed) {
  std::mt19937 g(seed);
  for (int level = 0; level <= 6; ++level)
    for (int law = 0; law < 3; ++law)
      for (const Mode mode : {Mode::Hold, Mode::Armed, Mode::Disarmed, Mode::EmergencyStop}) {
        auto deck = flying<P>(d, 5, mode);
        stir(deck.agent, g);
        deck.agent.setpoint.level = static_cast<std::uint64_t>(level), deck.info.law = static_cast<control::Law>(law);
        expect_same(deck, {}, "in the air");
        expect_same(deck, weak_and_late<P::kRotors>(), "with faults");
      }
}
TEST(multirotor_joined, all_but_its_body_is_what_the_pure_form_makes_of_it) {
  expect_same_in_the_air<Full4>(test::x500(), 4);
  expect_same_in_the_air<Tilted8>(test::coaxial_x8(), 5);
}

TEST(multirotor_joined, an_imu_measures_what_that_of_the_pure_form_does) {
  using Sensed4 = MultirotorProgram<4, Features::Full, Control::Ladder, true>;
  using V = Sensed4::V;
  std::mt19937 g(6);
  VehicleDef v;
  v.position_W = {1, 2, 5}, v.mode = Mode::Hold;
  for (const bool by_truth : {true, false})
    for (const bool believes : {true, false}) {
      const engine::FlockSetup setup = test::shaken(by_truth);
      const auto p = vehicles::Multirotor::derive<Sensed4>(test::x500(), setup).value();
      Sensed4::Agent<double> pure{};
      Sensed4::Plan<double> plan{};
      vehicles::Multirotor::initialise<Sensed4>(pure, plan, v, test::x500(), setup, p);
      pure.status = control::kAlive | static_cast<std::uint64_t>(Mode::Hold);
      stir(pure, g);
      vehicles::TickInfo info;
      info.substeps = setup.substeps;
      info.who = test::kAnyone.data(), info.by_truth = by_truth, info.believes = believes;
      auto joined = pure;
      Sensed4::advance(pure, info, p);
      const auto targets = Sensed4::begin(joined, info, p);
      auto samples = Sensed4::begin_samples(joined, info, p);
      for (int k = 0; k < info.substeps; ++k) {
        auto whole = joined;
        const bool is_last = k + 1 == info.substeps;
        Wrench<double> on[1];
        Sensed4::drive(joined, targets, is_last, info, p, on);
        const auto command = vehicles::general_command<V>(whole, targets.attitude, false, false, info, p);
        vehicles::substep_on_ground<V>(whole.body, whole.rotors, command, vehicles::surroundings(whole, p), false, p);
        joined.body = whole.body;
        Sensed4::sample(joined, samples, k, is_last, info, p);
      }
      EXPECT_EQ(test::words_of(joined), test::words_of(pure)) << by_truth << believes;
      EXPECT_NE(math::norm(pure.sensed.imu.delta_velocity), 0);
    }
}

TEST(multirotor_joined, the_ground_does_to_it_what_it_does_to_the_pure_form) {
  int pressed = 0, hit = 0;
  for (int trial = 0; trial < 40; ++trial) {
    auto deck = flying<Full4>(test::x500(), 0, trial % 2 == 0 ? Mode::Disarmed : Mode::Hold);
    deck.agent.body.position_W.value.z += 0.004 * (trial % 8) - 0.02;
    deck.agent.body.velocity_W = {0.1 * trial, 0, 0.4 - 0.04 * trial};
    deck.info.impact_speed = 0.5;
    expect_same(deck, {}, "on the ground");
    Full4::advance(deck.agent, deck.info, deck.p);
    pressed += deck.agent.air.ground_force > 0 ? 1 : 0;
    hit += (deck.agent.status & control::kImpact) != 0 ? 1 : 0;
  }
  EXPECT_GT(pressed, 10);
  EXPECT_GT(hit, 5);
}

TEST(multirotor_joined, the_ground_carries_one_that_stands_on_it) {
  auto deck = flying<Full4>(test::x500(), 0, Mode::Disarmed);
  Wrench<double> on[1];
  const auto targets = Full4::begin(deck.agent, deck.info, deck.p);
  Full4::drive(deck.agent, targets, false, deck.info, deck.p, on);
  EXPECT_NEAR(on[0].force_B.z, deck.p.mass * kG, 0.02 * deck.p.mass * kG);
  EXPECT_NEAR(deck.agent.air.ground_force, on[0].force_B.z, 1e-9);
}

}  // namespace
}  // namespace volary
