// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What each sensor measures, besides the errors that all of them share (chain_test.cpp).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <string>
#include <vector>

#include "sensors/sensors_test_support.hpp"

namespace volary {
namespace {

using namespace sensors_test;
using V = Vec3<double>;
constexpr double kDegree = std::numbers::pi / 180;

// ---------------------------------------------------------------- GNSS

TEST(gnss, an_ideal_receiver_in_the_open_tells_the_truth) {
  Measuring<Gnss> m(GnssDef{});
  Truth<double> t = at_rest(120, -30, 55);
  t.velocity_W = {3, 4, -1};
  const auto& r = m.measure(t, 1);
  EXPECT_EQ(r.valid, 1u);
  EXPECT_EQ(r.position_W.x, 120);
  EXPECT_EQ(r.position_W.z, 55);
  EXPECT_EQ(r.velocity_W.y, 4);
  EXPECT_EQ(r.satellites, 12);
}

// 2.5 m CEP: half of the positions of a receiver with 2.12 m on each axis lie within 2.5 m (CEP = 1.1774 sigma)
TEST(gnss, half_of_all_positions_lie_within_the_circular_error) {
  GnssDef def;
  def.horizontal = 2.5 / 1.1774;
  int within = 0;
  for (std::uint32_t id = 1; id <= 10000; ++id) {
    Measuring<Gnss> m(def, 0.01, id);
    const auto& r = m.measure(at_rest(), 1);
    within += std::hypot(r.position_W.x, r.position_W.y) < 2.5;
  }
  EXPECT_NEAR(within / 10000.0, 0.5, 5 * 0.005);
}

TEST(gnss, the_slow_error_keeps_its_correlation_at_any_rate) {
  for (const double rate : {1.0, 10.0}) {
    GnssDef def;
    def.time.rate = rate, def.horizontal = 2, def.correlation = 5;
    std::vector<double> product;
    for (std::uint32_t id = 1; id <= 1000; ++id) {
      Measuring<Gnss> m(def, 0.01, id);
      const double first = m.measure(at_rest(), 0).position_W.x;
      const auto readings = static_cast<std::uint64_t>(5 * rate);
      for (std::uint64_t k = 1; k <= readings; ++k) m.measure(at_rest(), k * static_cast<std::uint64_t>(100 / rate));
      product.push_back(first * m.last.position_W.x);
    }
    EXPECT_NEAR(moments(product).mean, 4 * std::exp(-1), 5 * 4 / std::sqrt(1000)) << rate;
  }
}

TEST(gnss, a_hidden_sky_dilutes_reflects_and_at_last_takes_the_fix) {
  GnssDef def;
  def.horizontal = 1, def.white = 0.5, def.multipath = 4;
  Measuring<Gnss> m(def);
  EXPECT_NEAR(m.measure(at_rest(), 1).accuracy_h, std::hypot(1, 0.5), 1e-12);
  m.scene.sky = 0.5;
  EXPECT_NEAR(m.measure(at_rest(), 2).accuracy_h, std::sqrt(4 * 1.25 + 4), 1e-12);
  EXPECT_EQ(m.last.satellites, 6);
  m.scene.sky = 0.2;
  EXPECT_EQ(m.measure(at_rest(), 3).valid, 0u);
}

// what the receiver reports of its accuracy is what it has
TEST(gnss, the_reported_accuracy_is_the_standard_deviation_of_the_error) {
  GnssDef def;
  def.horizontal = 1.5, def.vertical = 3, def.white = 0.4, def.multipath = 5;
  std::vector<double> x, z;
  double accuracy_h = 0, accuracy_v = 0;
  for (std::uint32_t id = 1; id <= 10000; ++id) {
    Measuring<Gnss> m(def, 0.01, id);
    m.scene.sky = 0.6;
    const auto& r = m.measure(at_rest(), 1);
    x.push_back(r.position_W.x), z.push_back(r.position_W.z);
    accuracy_h = r.accuracy_h, accuracy_v = r.accuracy_v;
  }
  EXPECT_NEAR(moments(x).deviation, accuracy_h, 5 * accuracy_h / std::sqrt(20000));
  EXPECT_NEAR(moments(z).deviation, accuracy_v, 5 * accuracy_v / std::sqrt(20000));
}

TEST(gnss, a_planned_outage_begins_and_ends_at_its_tick) {
  GnssDef def;
  def.outages = {{{1, 2}, {5, 5.5}}};
  Measuring<Gnss> m(def);
  for (std::uint64_t k = 0; k < 700; ++k) {
    const bool out = (k >= 100 && k < 200) || (k >= 500 && k < 550);
    ASSERT_EQ(m.measure(at_rest(), k).valid, out ? 0u : 1u) << k;
  }
}

TEST(gnss, drawn_losses_last_for_whole_windows_and_have_their_share) {
  GnssDef def;
  def.loss = 0.3, def.loss_window = 0.5;
  Measuring<Gnss> m(def);
  int lost = 0, changes_inside = 0;
  for (std::uint64_t k = 0; k < 100000; ++k) {
    const bool before = m.last.valid != 0, now = m.measure(at_rest(), k).valid != 0;
    lost += !now;
    changes_inside += k % 50 != 0 && before != now;
  }
  EXPECT_EQ(changes_inside, 0);
  EXPECT_NEAR(lost / 1e5, 0.3, 5 * std::sqrt(0.21 / 2000));
}

// ---------------------------------------------------------------- barometer

// U.S. Standard Atmosphere 1976, table I: 101325 Pa at 0 m, 89876 Pa at 1000 m, 79501 Pa at 2000 m
TEST(barometer, the_pressure_is_that_of_the_standard_atmosphere) {
  Measuring<Barometer> m(BarometerDef{});
  const double origin = Measuring<Barometer>::site().origin_height;
  EXPECT_NEAR(m.measure(at_rest(0, 0, -origin), 1).pressure, 101325, 1);
  EXPECT_NEAR(m.measure(at_rest(0, 0, 1000 - origin), 2).pressure, 89876, 1);
  EXPECT_NEAR(m.measure(at_rest(0, 0, 2000 - origin), 3).pressure, 79501, 1);
}

TEST(barometer, the_height_is_that_above_the_origin) {
  Measuring<Barometer> m(BarometerDef{});
  for (const double z : {-100.0, 0.0, 3.5, 120.0, 2500.0}) EXPECT_NEAR(m.measure(at_rest(0, 0, z), 1).height, z, 1e-6 * (1 + std::abs(z)));
}

// a pressure that is not the standard one is set to zero before the flight; a warm column is taller than a barometer thinks
TEST(barometer, weather_moves_no_height_and_warm_air_stretches_it) {
  EnvironmentDef low, warm;
  low.weather.atmosphere.pressure = -2000, warm.weather.atmosphere.temperature = 15;
  Measuring<Barometer> m(BarometerDef{});
  const auto height = [&](const EnvironmentDef& e, double z) {
    return Barometer::measure(at_rest(0, 0, z), make_site(e), m.scene, m.memory, m.last, m.params, m.fault, m.who.at(1)).height;
  };
  EXPECT_NEAR(height(low, 0), 0, 1e-6);
  EXPECT_NEAR(height(low, 100), 100, 0.5);
  EXPECT_NEAR(height(warm, 0), 0, 1e-6);
  EXPECT_NEAR(height(warm, 100), 100 * 285.0 / 300.0, 0.5);
}

TEST(barometer, dynamic_pressure_reaches_a_bad_static_port) {
  BarometerDef def;
  def.position_error = 0.1;
  Measuring<Barometer> m(def);
  const double still = m.measure(at_rest(), 1).pressure;
  Truth<double> t = at_rest();
  t.velocity_W = {20, 0, 0};
  EXPECT_NEAR(m.measure(t, 2).pressure - still, 24.5, 1e-6);
  t.q_WB = turned(0, 0, std::numbers::pi / 2);  // the air comes from the side
  EXPECT_NEAR(m.measure(t, 3).pressure - still, 0, 1e-6);
}

// ---------------------------------------------------------------- magnetometer

// World Magnetic Model at the default site (Zurich): about 48.5 uT, dipping 63 degrees, 3 to 4 degrees east
TEST(magnetometer, a_level_vehicle_sees_the_field_of_the_place) {
  Measuring<Magnetometer> m(MagnetometerDef{});
  const V b = m.measure(at_rest(), 1).field_B;
  EXPECT_NEAR(norm(b) * 1e6, 48.5, 0.8);
  EXPECT_NEAR(std::atan2(-b.z, std::hypot(b.x, b.y)) / kDegree, 63, 1);
  EXPECT_NEAR(std::atan2(b.x, b.y) / kDegree, 3.5, 1);
}

TEST(magnetometer, the_field_turns_against_the_vehicle) {
  Measuring<Magnetometer> m(MagnetometerDef{});
  const V level = m.measure(at_rest(), 1).field_B;
  Truth<double> t = at_rest();
  t.q_WB = turned(0.3, -0.5, 2);
  const V seen = m.measure(t, 2).field_B, back = rotation_matrix(t.q_WB) * seen;
  EXPECT_NEAR(back.x, level.x, 1e-15);
  EXPECT_NEAR(back.y, level.y, 1e-15);
  EXPECT_NEAR(back.z, level.z, 1e-15);
}

// hard iron: the centre of the sphere moves; soft iron: the sphere becomes an ellipsoid with axes at right angles
TEST(magnetometer, iron_moves_and_stretches_the_sphere_of_all_headings) {
  MagnetometerDef def;
  def.hard_iron = 3e-6, def.soft_iron = 0.02;
  std::vector<double> hard, diagonal, off;
  for (std::uint32_t id = 1; id <= 5000; ++id) {
    const Measuring<Magnetometer> m(def, 0.01, id);
    hard.push_back(m.memory.turn_on.x), diagonal.push_back(m.memory.matrix.row0.x - 1), off.push_back(m.memory.matrix.row0.z);
    ASSERT_EQ(m.memory.matrix.row0.y, m.memory.matrix.row1.x);
    ASSERT_EQ(m.memory.matrix.row1.z, m.memory.matrix.row2.y);
  }
  EXPECT_NEAR(moments(hard).deviation, 3e-6, 1.5e-7);
  EXPECT_NEAR(moments(diagonal).deviation, 0.02, 1e-3);
  EXPECT_NEAR(moments(off).deviation, 0.02, 1e-3);
}

TEST(magnetometer, supply_currents_add_a_field_with_the_load) {
  MagnetometerDef def;
  def.current_B = {2e-6, 0, -1e-6};
  Measuring<Magnetometer> m(def);
  const V still = m.measure(at_rest(), 1).field_B;
  Truth<double> t = at_rest();
  t.rotor_load = 0.5;
  const V loaded = m.measure(t, 2).field_B;
  EXPECT_NEAR(loaded.x - still.x, 1e-6, 1e-15);
  EXPECT_NEAR(loaded.z - still.z, -0.5e-6, 1e-15);
}

// ---------------------------------------------------------------- airspeed

TEST(airspeed, the_airspeed_is_that_along_the_nose) {
  Measuring<Airspeed> m(AirspeedDef{});
  Truth<double> t = at_rest();
  t.velocity_W = {15, 0, 0}, t.wind_W = {-5, 3, 0}, t.density = 1.0;
  EXPECT_NEAR(m.measure(t, 1).airspeed, 20, 1e-12);
  EXPECT_NEAR(m.last.pressure, 200, 1e-10);
  t.q_WB = turned(0, 0, std::numbers::pi);  // it flies backwards: nothing enters the tube
  EXPECT_EQ(m.measure(t, 2).airspeed, 0);
}

// ---------------------------------------------------------------- range finder and flow

TEST(range_finder, a_tilted_ray_is_longer_and_a_wide_beam_does_not_notice) {
  RangeFinderDef thin, wide;
  wide.field_of_view = 27 * kDegree;
  Measuring<RangeFinder> a(thin), b(wide);
  Truth<double> t = at_rest(0, 0, 2);
  EXPECT_NEAR(a.measure(t, 1).distance, 2, 1e-12);
  t.q_WB = turned(10 * kDegree, 0, 0);
  EXPECT_NEAR(a.measure(t, 2).distance, 2 / std::cos(10 * kDegree), 1e-12);
  EXPECT_NEAR(b.measure(t, 2).distance, 2, 1e-12);
  t.q_WB = turned(0, 30 * kDegree, 0);
  EXPECT_NEAR(b.measure(t, 3).distance, 2 / std::cos(16.5 * kDegree), 1e-12);
}

TEST(range_finder, there_is_no_reading_out_of_range_or_into_the_sky) {
  RangeFinderDef def;
  def.min = 0.3, def.max = 12;
  Measuring<RangeFinder> m(def);
  EXPECT_EQ(m.measure(at_rest(0, 0, 0.2), 1).valid, 0u);
  EXPECT_EQ(m.measure(at_rest(0, 0, 5), 2).valid, 1u);
  EXPECT_EQ(m.measure(at_rest(0, 0, 13), 3).valid, 0u);
  EXPECT_EQ(m.last.distance, 5);
  EXPECT_EQ(m.last.tick, 2u);
  Truth<double> t = at_rest(0, 0, 5);
  t.q_WB = turned(std::numbers::pi, 0, 0);
  EXPECT_EQ(m.measure(t, 4).valid, 0u);
}

TEST(range_finder, what_the_engine_saw_along_the_ray_goes_before_flat_ground) {
  Measuring<RangeFinder> m(RangeFinderDef{});
  m.scene.distance = 1.25;
  EXPECT_EQ(m.measure(at_rest(0, 0, 5), 1).distance, 1.25);
  m.scene.distance = kNoHit;
  EXPECT_EQ(m.measure(at_rest(0, 0, 5), 2).valid, 0u);
}

TEST(range_finder, noise_grows_with_the_distance) {
  RangeFinderDef def;
  def.error.noise = 0.03, def.relative_noise = 0.01;
  Measuring<RangeFinder> m(def);
  std::vector<double> x;
  for (std::uint64_t k = 0; k < 20000; ++k) x.push_back(m.measure(at_rest(0, 0, 4), k).distance);
  EXPECT_NEAR(moments(x).deviation, 0.05, 5 * 0.05 / 200);
}

// flying ahead at 2 m/s in 4 m over the ground, it passes at half a radian per second
TEST(optical_flow, the_rate_is_the_velocity_over_the_distance_and_turns_are_in_it) {
  Measuring<OpticalFlow> m(OpticalFlowDef{});
  Truth<double> t = at_rest(0, 0, 4);
  t.velocity_W = {2, -1, 0};
  EXPECT_NEAR(m.measure(t, 1).rate[0], 0.5, 1e-12);
  EXPECT_NEAR(m.last.rate[1], -0.25, 1e-12);
  t.omega_B = {0.3, 0.2, 9};
  EXPECT_NEAR(m.measure(t, 2).rate[0], 0.5 - 0.2, 1e-12);
  EXPECT_NEAR(m.last.rate[1], -0.25 + 0.3, 1e-12);
}

// a camera that pitches about a point on the ground sees it stand still
TEST(optical_flow, a_turn_about_a_point_on_the_ground_shows_no_flow) {
  Measuring<OpticalFlow> m(OpticalFlowDef{});
  Truth<double> t = at_rest(0, 0, 3);
  t.omega_B = {0, 0.4, 0}, t.velocity_W = cross(t.omega_B, V{0, 0, 3});
  EXPECT_NEAR(m.measure(t, 1).rate[0], 0, 1e-12);
}

TEST(optical_flow, there_is_none_too_high_too_fast_or_too_tilted) {
  OpticalFlowDef def;
  def.min = 0.1, def.max = 10, def.max_rate = 2, def.max_tilt = 0.5;
  Measuring<OpticalFlow> m(def);
  Truth<double> t = at_rest(0, 0, 5);
  EXPECT_EQ(m.measure(t, 1).valid, 1u);
  EXPECT_EQ(m.last.quality, 1);
  EXPECT_EQ(m.measure(at_rest(0, 0, 11), 2).valid, 0u);
  t.velocity_W = {11, 0, 0};
  EXPECT_EQ(m.measure(t, 3).valid, 0u);
  t = at_rest(0, 0, 5), t.q_WB = turned(0.6, 0, 0);
  EXPECT_EQ(m.measure(t, 4).valid, 0u);
}

// ---------------------------------------------------------------- UWB

std::vector<AnchorDef> hall() { return {{"a", {0, 0, 0}}, {"b", {10, 0, 0}}, {"c", {0, 10, 0}}, {"d", {0, 0, 10}}, {"e", {-10, 0, 0}}}; }
Measuring<UwbAnchors> ranging(const UwbDef& def, const std::vector<AnchorDef>& anchors, std::uint32_t id = 1) {
  return {UwbAnchors::derive_from(def, anchors, 0.01), id};
}

TEST(uwb_anchors, ranges_are_distances_and_anchors_come_in_turn) {
  UwbDef def;
  def.per_reading = 2, def.time.rate = 50;
  auto m = ranging(def, hall());
  const auto anchors = hall();
  std::set<std::uint64_t> seen;
  for (std::uint64_t k = 0; k < 5; ++k) {
    const auto& r = m.measure(at_rest(3, 4, 0), 2 * k);
    EXPECT_EQ(r.first, 2 * k % 5);
    EXPECT_EQ(r.valid, 3u);
    for (std::uint64_t i = 0; i < 2; ++i) {
      const Vec& a = anchors[(r.first + i) % 5].position_W;
      EXPECT_NEAR(r.range[i], std::hypot(a[0] - 3, a[1] - 4, a[2]), 1e-12);
      seen.insert((r.first + i) % 5);
    }
  }
  EXPECT_EQ(seen.size(), 5u);
}

TEST(uwb_anchors, an_anchor_out_of_reach_gives_no_range_and_the_others_do) {
  UwbDef def;
  def.reach = 12;
  auto m = ranging(def, hall());
  EXPECT_EQ(m.measure(at_rest(8, 0, 0), 0).valid, 0b0011u);  // c and d are 12.8 m away
  EXPECT_EQ(m.measure(at_rest(80, 0, 0), 1).valid, 0u);
}

// an obstructed signal comes late: never early, by the mean of an exponential distribution
TEST(uwb_anchors, an_obstruction_makes_ranges_longer) {
  UwbDef def;
  def.error.noise = 0.1, def.blocked_bias = 0.3, def.blocked_noise = 1e-9;
  auto m = ranging(def, hall());
  m.scene.blocked = 0b0010;
  std::vector<double> free, blocked;
  for (std::uint64_t k = 0; k < 20000; k += 5) {  // the first anchor is `a` again every fifth reading
    const auto& r = m.measure(at_rest(5, 0, 0), k);
    ASSERT_EQ(r.blocked, 0b0010u);
    free.push_back(r.range[0] - 5), blocked.push_back(r.range[1] - 5);
  }
  EXPECT_NEAR(moments(free).mean, 0, 5 * 0.1 / std::sqrt(4000));
  EXPECT_NEAR(moments(free).deviation, 0.1, 5 * 0.1 / std::sqrt(8000));
  EXPECT_GE(*std::min_element(blocked.begin(), blocked.end()), -1e-7);
  EXPECT_NEAR(moments(blocked).mean, 0.3, 5 * 0.3 / std::sqrt(4000));
  EXPECT_NEAR(moments(blocked).deviation, 0.3, 0.03);
}

TEST(uwb_anchors, a_world_without_anchors_gives_no_range) {
  auto m = ranging(UwbDef{}, {});
  EXPECT_EQ(m.measure(at_rest(), 3).valid, 0u);
}

TEST(uwb_anchors, fewer_anchors_than_ranges_are_each_measured_once) {
  auto m = ranging(UwbDef{}, {{"a", {1, 0, 0}}, {"b", {2, 0, 0}}});
  EXPECT_EQ(m.measure(at_rest(), 0).valid, 0b0011u);
}

TEST(uwb_peers, a_range_comes_with_what_the_partner_believes) {
  Measuring<UwbPeers> m(UwbDef{});
  EXPECT_EQ(m.measure(at_rest(), 1).valid, 0u);
  m.scene = {7, 1, 12.5, 0, {1, 2, 3}, 0.4};
  const auto& r = m.measure(at_rest(), 2);
  EXPECT_EQ(r.valid, 1u);
  EXPECT_EQ(r.partner_low, 7u);
  EXPECT_EQ(r.partner_high, 1u);
  EXPECT_EQ(r.range, 12.5);
  EXPECT_EQ(r.partner_W.y, 2);
  EXPECT_EQ(r.partner_sigma, 0.4);
  m.scene.distance = 61;
  EXPECT_EQ(m.measure(at_rest(), 3).valid, 0u);
}

// ---------------------------------------------------------------- motion capture and odometry

TEST(motion_capture, cameras_see_position_and_attitude_in_their_volume_only) {
  MotionCaptureDef def;
  def.min_W = {-2, -2, 0}, def.max_W = {2, 2, 3}, def.position = 0.001, def.attitude = 0.01;
  Measuring<MotionCapture> m(def);
  Truth<double> t = at_rest(1, 1, 1);
  t.q_WB = turned(0.1, 0.2, 3);
  std::vector<double> x, angle;
  for (std::uint64_t k = 0; k < 20000; ++k) {
    const auto& r = m.measure(t, k);
    x.push_back(r.position_W.x), angle.push_back(rotation_vector(conjugate(t.q_WB) * r.q_WB).y);
  }
  EXPECT_NEAR(moments(x).deviation, 0.001, 5e-3 * 0.01);
  EXPECT_NEAR(moments(x).mean, 1, 5e-5);
  EXPECT_NEAR(moments(angle).deviation, 0.01, 5 * 0.01 / 200);
  EXPECT_EQ(m.measure(at_rest(3, 0, 1), 20001).valid, 0u);
}

// flown straight ahead for 100 m in 50 s: 0.05 m per sqrt(m) is half a metre, 0.02 m per sqrt(s) is 0.14 m
TEST(odometry, the_integrated_position_drifts_as_stated) {
  for (const bool by_distance : {true, false}) {
    OdometryDef def;
    def.time.rate = 20;
    (by_distance ? def.drift_distance : def.drift_time) = by_distance ? 0.05 : 0.02;
    std::vector<double> ends;
    for (std::uint32_t id = 1; id <= 200; ++id) {
      Measuring<Odometry> m(def, 0.01, id);
      Truth<double> t = at_rest();
      t.velocity_W = {2, 0, 0};
      double at = 0;
      for (std::uint64_t k = 0; k < 1000; ++k) at += 0.05 * m.measure(t, 5 * k).velocity_B.x;
      ends.push_back(at);
    }
    const double wanted = by_distance ? 0.5 : 0.02 * std::sqrt(50);
    EXPECT_NEAR(moments(ends).mean, 100, 5 * wanted / std::sqrt(200));
    EXPECT_NEAR(moments(ends).deviation, wanted, 5 * wanted / std::sqrt(400));
  }
}

TEST(odometry, yaw_drifts_with_the_square_root_of_time) {
  OdometryDef def;
  def.yaw_drift = 0.01;
  std::vector<double> ends;
  for (std::uint32_t id = 1; id <= 500; ++id) {
    Measuring<Odometry> m(def, 0.01, id);
    double yaw = 0;
    for (std::uint64_t k = 0; k < 400; ++k) yaw += 0.01 * m.measure(at_rest(), k).yaw_rate;
    ends.push_back(yaw);
  }
  EXPECT_NEAR(moments(ends).deviation, 0.02, 5 * 0.02 / std::sqrt(1000));
}

// ---------------------------------------------------------------- all of them

struct Names {
  std::vector<std::string> list;
  template <class X> void operator()(const Field& f, X&) {
    list.emplace_back(f.name);
    EXPECT_GT(std::string(f.doc).size(), 5u) << f.name;
  }
};

TEST(sensors, columns_of_readings_begin_with_the_name_of_their_sensor_and_end_with_valid_and_tick) {
  std::set<std::string> all;
  core::for_each_type(AllSensors{}, [&]<class X>() {
    typename X::template Reading<double> r{};
    Names names;
    X::template Reading<double>::fields(r, names);
    const std::string prefix = std::string(X::name) + ".";
    for (const std::string& n : names.list) {
      EXPECT_TRUE(n.starts_with(prefix)) << n;
      EXPECT_TRUE(all.insert(n).second) << n;
    }
    ASSERT_GE(names.list.size(), 3u);
    EXPECT_EQ(names.list[names.list.size() - 2], prefix + "valid");
    EXPECT_EQ(names.list.back(), prefix + "tick");
  });
}

TEST(sensors, a_reading_carries_the_tick_of_its_state) {
  core::for_each_type(AllSensors{}, [&]<class X>() {
    if constexpr (!std::is_same_v<X, UwbAnchors> && !std::is_same_v<X, UwbPeers>) {
      Measuring<X> m(typename X::Def{});
      EXPECT_EQ(m.measure(at_rest(0, 0, 2), 0x100000007ull).tick, 7u) << X::name;
      EXPECT_EQ(m.last.valid, 1u) << X::name;
    }
  });
}

}  // namespace
}  // namespace volary
