// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The filter as a whole, on simulated flights.
#include "estimation/ekf.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "estimation/flight_test_support.hpp"

namespace volary {
namespace {

using namespace estimation;
using test::OwnFilter;
using test::SimulatedErrors;
using test::SimulatedFlight;

// ---------------------------------------------------------------- consistency

// mean NEES and NIS over seeds, at ten instants of a flight of 30 s
struct Means {
  double nees[10] = {}, gnss[10] = {}, barometer[10] = {};
};
template <class T = double> Means fly_seeds(const SimulatedErrors& simulated, const EkfParams<double>& p, int seeds) {
  Means m;
  for (int seed = 1; seed <= seeds; ++seed) {
    SimulatedFlight flight(simulated, static_cast<std::uint64_t>(seed));
    OwnFilter<T, 15> own(test::params_as<T>(p));
    own.begin(flight.truth, flight.draw);
    for (std::size_t k = 0; k < 10; ++k) {
      for (int tick = 0; tick < 300; ++tick) {
        flight.step();
        own.predict(test::vec_as<T>(flight.delta_angle), test::vec_as<T>(flight.delta_velocity));
        test::fuse_usual(own, flight, simulated);
        own.finish();
      }
      m.nees[k] += nees(flight.truth, test::nominal_as<double>(own.f.x), own.packed(), 15) / seeds;
      m.gnss[k] += own.watch[kGnss].nis / seeds, m.barometer[k] += own.watch[kBarometer].nis / seeds;
    }
  }
  return m;
}
int count_inside(const double (&means)[10], const Bounds& b) {
  int inside = 0;
  for (const double x : means) inside += b.hold(x);
  return inside;
}

TEST(Consistency, TheBoundsOfAHundredRunsAreThoseOfTheChiSquareDistribution) {
  const Bounds b = mean_bounds(15, 100);
  EXPECT_NEAR(b.low, 13.95, 0.01);
  EXPECT_NEAR(b.high, 16.09, 0.01);
}

TEST(Consistency, AFilterThatKnowsItsSensorsIsAsFarOffAsItSays) {
  const SimulatedErrors e;
  const Means m = fly_seeds(e, test::params_of(e), 100);
  EXPECT_GE(count_inside(m.nees, mean_bounds(15, 100)), 9);
  EXPECT_GE(count_inside(m.gnss, mean_bounds(6, 100)), 9);
  EXPECT_GE(count_inside(m.barometer, mean_bounds(1, 100)), 8);
  for (std::size_t k = 0; k < 10; ++k) RecordProperty("nees_" + std::to_string(k), std::to_string(m.nees[k]));
}

// what a float loses is small against the errors of the sensors
TEST(Consistency, AFilterOfFloatsIsAsFarOffAsItSays) {
  const SimulatedErrors e;
  EXPECT_GE(count_inside(fly_seeds<float>(e, test::params_of(e), 100).nees, mean_bounds(15, 100)), 9);
}

TEST(Consistency, AFilterThatTrustsItsSensorsTooMuchFallsOutside) {
  const SimulatedErrors e;
  SimulatedErrors believed = e;
  believed.gyro_noise *= 0.5, believed.accel_noise *= 0.5;
  EXPECT_LE(count_inside(fly_seeds(e, test::params_of(believed), 20).nees, mean_bounds(15, 20)), 2);
  EkfParams<double> p = test::params_of(e);
  p.trust[kGnss].variance = 0.25;
  EXPECT_LE(count_inside(fly_seeds(e, p, 20).gnss, mean_bounds(6, 20)), 1);
}

// ---------------------------------------------------------------- gates and resets

// a filter that has flown with all its sensors for 20 s
struct Settled {
  SimulatedErrors e;
  SimulatedFlight flight{e, 5};
  OwnFilter<double, 15> own{test::params_of(e)};
  Settled() {
    own.begin(flight.truth, flight.draw);
    fly(2000);
  }
  void fly(int ticks, bool with_gnss = true) {
    for (int k = 0; k < ticks; ++k) {
      flight.step();
      own.predict(flight.delta_angle, flight.delta_velocity);
      test::fuse_usual(own, flight, e, with_gnss);
      own.finish();
    }
  }
  // what GNSS says is off by so much
  void fly_fooled(int ticks, const Vec3<double>& by) {
    for (int k = 0; k < ticks; ++k) {
      flight.step();
      own.predict(flight.delta_angle, flight.delta_velocity);
      test::fuse_usual(own, flight, e, false);
      if (flight.due(10)) {
        const Vec3<double> position = flight.gnss_position() + by, velocity = flight.gnss_velocity();
        fuse_gnss(own.f, own.watch[kGnss], position, velocity, e.gnss_position, e.gnss_height, own.p, true);
      }
      own.finish();
    }
  }
  double off() const { return math::norm(flight.truth.position_W - own.f.x.position_W); }
};

TEST(Ekf, AGateRefusesAnOutlier) {
  Settled s;
  const double before = s.off();
  s.fly_fooled(50, {200, 0, 0});
  EXPECT_LT(s.off(), before + 1.5);
  EXPECT_GT(s.own.watch[kGnss].refused, 0.3);
  EXPECT_GT(s.own.watch[kGnss].nis, 25);
  s.fly(100);
  EXPECT_EQ(s.own.watch[kGnss].refused, 0);  // and is taken again when it fits
}

TEST(Ekf, ASourceThatIsRefusedForTooLongResetsWhatItMeasures) {
  Settled s;
  s.fly_fooled(490, {200, 0, 0});
  EXPECT_LT(s.off(), 10);
  bool reset = false;
  for (int k = 0; k < 40; ++k) s.fly_fooled(1, {200, 0, 0}), reset |= (s.own.f.health & kWasReset) != 0;
  EXPECT_TRUE(reset);
  EXPECT_NEAR(s.own.f.x.position_W.value.x - s.flight.truth.position_W.value.x, 200, 5);
  EXPECT_TRUE(is_positive_definite(s.own.packed(), 15));
}

TEST(Ekf, AbsenceIsNotRefusal) {
  Settled s;
  s.fly(1000, false);
  EXPECT_EQ(s.own.watch[kGnss].refused, 0);
  EXPECT_NEAR(s.own.watch[kGnss].age, 10, 0.11);
}

TEST(Ekf, WithoutGnssThePositionDriftsAndTheFilterKnowsIt) {
  Settled s;
  EXPECT_NE(s.own.f.health & kPositionKnown, 0u);
  const double height = s.own.sigma(kPosition + 2);
  s.fly(2000, false);
  EXPECT_GT(s.own.sigma(kPosition), 2);
  EXPECT_LT(s.off(), 4 * std::sqrt(s.own.element(6, 6) + s.own.element(7, 7) + s.own.element(8, 8)));
  EXPECT_LT(s.own.sigma(kPosition + 2), 2 * height);  // the barometer goes on
  s.fly(3000, false);
  EXPECT_EQ(s.own.f.health & kPositionKnown, 0u);
  s.fly(1000);
  EXPECT_NE(s.own.f.health & kPositionKnown, 0u);
  EXPECT_LT(s.off(), 3);
}

TEST(Ekf, AMagnetometerTurnsALostHeadingRound) {
  SimulatedErrors e;
  SimulatedFlight flight(e, 9);
  OwnFilter<double, 15> own(test::params_of(e));
  own.begin(flight.truth, flight.draw);
  own.f.x.q_WB = turn_of(Vec3<double>{0, 0, 1.0}) * (turn_of(Vec3<double>{0, 0, 1.0}) * own.f.x.q_WB);
  for (int k = 0; k < 3000; ++k) {
    flight.step();
    own.predict(flight.delta_angle, flight.delta_velocity);
    test::fuse_usual(own, flight, e);
    own.finish();
  }
  EXPECT_LT(math::norm(rotation_vector(flight.truth.q_WB * math::conjugate(own.f.x.q_WB))), 0.05);
}

TEST(Ekf, ALaneWithBadNumbersKeepsItsEstimateAndBeginsAnew) {
  Settled s;
  const Nominal<double> before = s.own.f.x;
  s.own.predict({std::numeric_limits<double>::quiet_NaN(), 0, 0}, {0, 0, 0.1});
  s.own.finish();
  EXPECT_NE(s.own.f.health & kUnsound, 0u);
  EXPECT_EQ(s.own.f.x.position_W.value.x, before.position_W.value.x);
  EXPECT_EQ(s.own.f.x.q_WB.w, before.q_WB.w);
  EXPECT_NEAR(s.own.sigma(kPosition), 0.5, 1e-12);
  for (const double x : s.own.packed()) EXPECT_TRUE(std::isfinite(x));
  s.fly(500);
  EXPECT_EQ(s.own.f.health & kUnsound, 0u);
  EXPECT_LT(s.off(), 3);
}

// ---------------------------------------------------------------- other senses

// nothing but ranges to four anchors of a hall, 1 m off at the start
TEST(Ekf, RangesToAnchorsAloneFindThePlace) {
  SimulatedErrors e;
  SimulatedFlight flight(e, 21);
  flight.truth.position_W = {{0, 0, 2}, {0, 0, 0}}, flight.truth.velocity_W = {0, 0, 0};
  flight.liveliness = 0.3;
  EkfParams<double> p = test::params_of(e);
  p.start_position = 1;
  OwnFilter<double, 15> own(p);
  own.begin(flight.truth, flight.draw);
  const Vec3<double> anchors[4] = {{-8, -4, 0.5}, {8, -6, 5}, {8, 6, 0.5}, {-8, 6, 5}};
  double square = 0;
  for (int k = 0; k < 4000; ++k) {
    flight.step();
    own.predict(flight.delta_angle, flight.delta_velocity);
    if (flight.due(10)) {
      AnchorRange<double> ranges[4];
      for (int a = 0; a < 4; ++a) ranges[a] = {anchors[a], flight.range_to(anchors[a]), true, false};
      fuse_anchors(own.f, own.watch[kUwbAnchors], ranges, 4, own.p, true);
    }
    own.finish();
    if (k >= 1000) square += std::pow(math::norm(flight.truth.position_W - own.f.x.position_W), 2) / 3000;
  }
  EXPECT_LT(std::sqrt(square), 0.2);
  EXPECT_LT(own.sigma(kAttitude + 2), 0.035);  // motion shows the heading
}

TEST(Ekf, ALaneTakesOnlyTheAnchorsThatItMeasured) {
  Settled s;
  const double before = s.own.sigma(kPosition);
  const Vec3<double> east{1000, 0, 20};
  AnchorRange<double> ranges[2] = {{east, s.flight.range_to(east), true, false}, {{0, 1000, 20}, -1, false, false}};
  s.own.predict({0, 0, 0}, {0, 0, test::kGravity * test::kTick});
  fuse_anchors(s.own.f, s.own.watch[kUwbAnchors], ranges, 2, s.own.p, true);
  EXPECT_LT(s.own.sigma(kPosition), before);
  EXPECT_EQ(s.own.watch[kUwbAnchors].refused, 0);
}

TEST(Ekf, APartnerThatKnowsLittleSaysLittle) {
  double left[2];
  for (int k = 0; k < 2; ++k) {
    Settled s;
    const Vec3<double> partner = s.flight.truth.position_W.value + Vec3<double>{100, 0, 0};
    s.own.predict({0, 0, 0}, {0, 0, test::kGravity * test::kTick});
    fuse_peer(s.own.f, s.own.watch[kUwbPeers], partner, k == 0 ? 0.01 : 10.0, s.flight.range_to(partner), s.own.p, true);
    left[k] = s.own.sigma(kPosition);
  }
  EXPECT_LT(left[0], 0.8 * left[1]);
}

// a wing that flies circles with GNSS and a pitot tube finds the wind
TEST(Ekf, AirspeedAndGnssFindTheWind) {
  const SimulatedErrors e;
  EkfParams<double> p = test::params_of(e);
  OwnFilter<double, 17> own(p);
  test::Normals draw(31);
  Nominal<double> truth{};
  truth.wind[0] = 4, truth.wind[1] = -3;
  constexpr double kSpeed = 18, kTurn = 0.3;
  for (int k = 0; k < 4000; ++k) {
    const double t = k * test::kTick, heading = kTurn * t;
    truth.q_WB = {math::cos(heading / 2), 0, 0, math::sin(heading / 2)};
    truth.velocity_W = {kSpeed * math::cos(heading) + 4, kSpeed * math::sin(heading) - 3, 0};
    truth.position_W = {{kSpeed / kTurn * math::sin(heading) + 4 * t, -kSpeed / kTurn * math::cos(heading) - 3 * t, 100}, {0, 0, 0}};
    if (k == 0) {
      own.begin(truth, draw);
      continue;
    }
    // a flat turn: the force points to the left
    own.predict({0, 0, kTurn * test::kTick}, Vec3<double>{0, kSpeed * kTurn * test::kTick, test::kGravity * test::kTick});
    if (k % 10 == 0) {
      const Vec3<double> position = truth.position_W.value + draw.vec(0.8), velocity = truth.velocity_W + draw.vec(0.1);
      fuse_gnss(own.f, own.watch[kGnss], position, velocity, 0.8, 0.8, own.p, true);
      fuse_airspeed(own.f, own.watch[kAirspeed], kSpeed + e.airspeed * draw.next(), own.p, true);
    }
    own.finish();
  }
  EXPECT_NEAR(own.f.x.wind[0], 4, 0.5);
  EXPECT_NEAR(own.f.x.wind[1], -3, 0.5);
  EXPECT_LT(own.sigma(kWind), 0.5);
}

// flow and a range finder hold the velocity where there is no GNSS
TEST(Ekf, FlowAndARangeFinderHoldTheVelocity) {
  Settled s;
  for (int k = 0; k < 2000; ++k) {
    s.flight.step();
    s.own.predict(s.flight.delta_angle, s.flight.delta_velocity);
    const Nominal<double>& t = s.flight.truth;
    const double upright = math::body_z_W(t.q_WB).z, distance = t.position_W.value.z / upright;
    if (s.flight.due(5) && upright > 0.6) {
      const Vec3<double> v = math::transpose_times(math::rotation_matrix(t.q_WB), t.velocity_W);
      fuse_range_finder(s.own.f, s.own.watch[kRangeFinder], distance + 0.1 * s.flight.draw.next(), 0.0, s.own.p, true);
      // a body that does not turn in this sample: the gyroscope shows its bias
      const double flow_x = v.x / distance + 0.1 * s.flight.draw.next(), flow_y = v.y / distance + 0.1 * s.flight.draw.next();
      fuse_optical_flow(s.own.f, s.own.watch[kOpticalFlow], flow_x, flow_y, s.own.f.x.gyro_bias, 0.0, s.own.p, true);
    }
    s.own.finish();
  }
  EXPECT_LT(math::norm(s.flight.truth.velocity_W - s.own.f.x.velocity_W), 1.5);
  EXPECT_LT(s.own.sigma(kVelocity), 1);
}

TEST(Ekf, MotionCaptureIsBelieved) {
  Settled s;
  for (int k = 0; k < 100; ++k) {
    s.flight.step();
    s.own.predict(s.flight.delta_angle, s.flight.delta_velocity);
    const Vec3<double> position = s.flight.truth.position_W.value + s.flight.truth.position_W.remainder + s.flight.draw.vec(1e-3);
    fuse_motion_capture(s.own.f, s.own.watch[kMotionCapture], position, s.flight.truth.q_WB, s.own.p, true);
    s.own.finish();
  }
  EXPECT_LT(s.off(), 3e-3);
  EXPECT_TRUE(is_positive_definite(s.own.packed(), 15));
}

TEST(Ekf, OdometryHoldsTheVelocityAndThePositionDriftsSlowly) {
  Settled s;
  const double before = s.own.sigma(kPosition);
  for (int k = 0; k < 2000; ++k) {
    s.flight.step();
    s.own.predict(s.flight.delta_angle, s.flight.delta_velocity);
    const Vec3<double> v = math::transpose_times(math::rotation_matrix(s.flight.truth.q_WB), s.flight.truth.velocity_W);
    if (s.flight.due(5)) fuse_odometry(s.own.f, s.own.watch[kOdometry], v + s.flight.draw.vec(s.e.body_velocity), s.own.p, true);
    s.own.finish();
  }
  EXPECT_LT(math::norm(s.flight.truth.velocity_W - s.own.f.x.velocity_W), 0.1);
  EXPECT_LT(s.own.sigma(kPosition), before + 1);
}

}  // namespace
}  // namespace volary
