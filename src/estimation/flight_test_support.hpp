// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A simulated flight for tests of the filter: a body on a smooth path whose sensors have exactly the errors that the filter assumes. In double, without a
// world.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "estimation/consistency.hpp"
#include "estimation/updates.hpp"
#include "math/normals.hpp"

namespace volary::test {

using math::Quat;
using math::Vec3;

// keyed normal numbers, one after the other
class Normals {
 public:
  explicit Normals(std::uint64_t seed) : key_(math::world_key(seed, 0)) {}
  double next() {
    if (at_ == 8) {
      const std::uint64_t n = count_++;
      drawn_ = math::normals8<double>(math::random_words<std::uint64_t>({key_.lo, key_.hi}, 1, 0, math::Purpose::Test, n, 0));
      at_ = 0;
    }
    return drawn_.n[at_++];
  }
  Vec3<double> vec(double sigma) {
    const double x = sigma * next(), y = sigma * next(), z = sigma * next();
    return {x, y, z};
  }

 private:
  math::RandomKey<std::uint32_t> key_;
  std::uint64_t count_ = 0;
  math::Normals8<double> drawn_{};
  int at_ = 8;
};

// densities, walks and standard deviations of the simulated sensors
struct SimulatedErrors {
  double gyro_noise = 1e-3, accel_noise = 1e-2;  // rad/s/sqrt(Hz), m/s2/sqrt(Hz)
  double gyro_walk = 1e-5, accel_walk = 1e-4;  // rad/s/sqrt(s), m/s2/sqrt(s)
  double gyro_turn_on = 5e-3, accel_turn_on = 0.05;
  double gnss_position = 0.8, gnss_height = 1.2, gnss_velocity = 0.1;
  double height = 0.3;  // m, of the barometer
  double field = 3e-7;  // T, of the magnetometer
  double range = 0.1;  // m, of UWB
  double airspeed = 0.5, body_velocity = 0.05;  // m/s
};
inline constexpr Vec3<double> kField{1.2e-6, 2.0e-5, -4.4e-5};  // T, east north up
inline constexpr double kGravity = 9.81, kTick = 0.01;

inline estimation::EkfParams<double> params_of(const SimulatedErrors& e) {
  using namespace estimation;
  EkfParams<double> p{};
  p.dt = kTick, p.gravity = kGravity;
  const auto square = [](double x) { return x * x; };
  p.process = {square(e.gyro_noise) * kTick, square(e.accel_noise) * kTick, square(e.gyro_walk) * kTick, square(e.accel_walk) * kTick, 1e-4 * kTick};
  p.start_tilt = 0.0087, p.start_yaw = 0.035, p.start_velocity = 0.1, p.start_position = 0.5;
  p.start_gyro_bias = e.gyro_turn_on, p.start_accel_bias = e.accel_turn_on, p.start_wind = 5;
  p.attitude_limit = 0.1, p.velocity_limit = 1, p.position_limit = 5;
  p.reset_after = 5, p.reset_spread = 10, p.sideslip = 0.05, p.range_direction_B = {0, 0, -1};
  p.trust[kGnss] = {1, square(e.gnss_velocity), 5, 0.1};
  p.trust[kBarometer] = {square(e.height), 0, 5, 0.02};
  p.trust[kMagnetometer] = {square(e.field), 0, 5, 0.1};
  p.trust[kAirspeed] = {square(e.airspeed), 0, 5, 0.1};
  p.trust[kRangeFinder] = {0.01, 0, 5, 0.05};
  p.trust[kOpticalFlow] = {0.01, 0, 5, 0.05};
  p.trust[kUwbAnchors] = {square(e.range), 0, 5, 0.1};
  p.trust[kUwbPeers] = {square(e.range), 0, 5, 0.1};
  p.trust[kMotionCapture] = {1e-6, 1e-6, 5, 0.01};
  p.trust[kOdometry] = {square(e.body_velocity), 0, 5, 0.05};
  return p;
}

// the same numbers in another scalar
template <class T> Vec3<T> vec_as(const Vec3<double>& v) { return {static_cast<T>(v.x), static_cast<T>(v.y), static_cast<T>(v.z)}; }
template <class To, class From> estimation::Nominal<To> nominal_as(const estimation::Nominal<From>& x) {
  const auto to = [](From a) { return static_cast<To>(a); };
  const auto vec = [&](const Vec3<From>& v) { return Vec3<To>{to(v.x), to(v.y), to(v.z)}; };
  const auto place = [&](From value, From remainder, To& out, To& rest) {
    const double all = static_cast<double>(value) + static_cast<double>(remainder);
    out = static_cast<To>(all), rest = static_cast<To>(all - static_cast<double>(out));
  };
  estimation::Nominal<To> y{
      {to(x.q_WB.w), to(x.q_WB.x), to(x.q_WB.y), to(x.q_WB.z)}, vec(x.velocity_W), {}, vec(x.gyro_bias), vec(x.accel_bias), {to(x.wind[0]), to(x.wind[1])}};
  const auto &v = x.position_W.value, &r = x.position_W.remainder;
  place(v.x, r.x, y.position_W.value.x, y.position_W.remainder.x);
  place(v.y, r.y, y.position_W.value.y, y.position_W.remainder.y);
  place(v.z, r.z, y.position_W.value.z, y.position_W.remainder.z);
  return y;
}
template <class T> estimation::EkfParams<T> params_as(const estimation::EkfParams<double>& p) {
  estimation::EkfParams<T> out;
  const auto* from = reinterpret_cast<const double*>(&p);
  auto* to = reinterpret_cast<T*>(&out);
  for (std::size_t k = 0; k < sizeof p / sizeof(double); ++k) to[k] = static_cast<T>(from[k]);
  return out;
}

// The truth and what its inertial measurement unit sums up in a tick of four samples.
class SimulatedFlight {
 public:
  SimulatedFlight(const SimulatedErrors& errors, std::uint64_t seed) : errors_(errors), draw(seed) {
    truth.q_WB = math::identity_quat<double>();
    truth.velocity_W = {1, 0.5, 0}, truth.position_W = {{3, -4, 20}, {0, 0, 0}};
    truth.gyro_bias = draw.vec(errors.gyro_turn_on), truth.accel_bias = draw.vec(errors.accel_turn_on);
    truth.wind[0] = truth.wind[1] = 0;
  }

  // velocities and accelerations stay bounded; the body turns about all axes
  void step() {
    constexpr int kSamples = 4;
    constexpr double h = kTick / kSamples;
    truth.gyro_bias = truth.gyro_bias + draw.vec(errors_.gyro_walk * math::sqrt(kTick));
    truth.accel_bias = truth.accel_bias + draw.vec(errors_.accel_walk * math::sqrt(kTick));
    Quat<double> turned = math::identity_quat<double>();
    delta_velocity = {0, 0, 0};
    for (int k = 0; k < kSamples; ++k) {
      const double t = time + (k + 0.5) * h;
      const Vec3<double> omega = liveliness * rates_at(t), acceleration = liveliness * acceleration_at(t);
      const Quat<double> middle = truth.q_WB * estimation::turn_of((0.5 * h) * omega);
      const Vec3<double> force = math::transpose_times(math::rotation_matrix(middle), acceleration + Vec3<double>{0, 0, kGravity});
      truth.position_W = math::advance(truth.position_W, h * truth.velocity_W + (0.5 * h * h) * acceleration);
      truth.velocity_W = truth.velocity_W + h * acceleration;
      truth.q_WB = math::normalize(truth.q_WB * estimation::turn_of(h * omega));

      const Vec3<double> gyro = omega + truth.gyro_bias + draw.vec(errors_.gyro_noise / math::sqrt(h));
      const Vec3<double> accelerometer = force + truth.accel_bias + draw.vec(errors_.accel_noise / math::sqrt(h));
      delta_velocity = delta_velocity + h * (math::rotation_matrix(turned * estimation::turn_of((0.5 * h) * gyro)) * accelerometer);
      turned = math::normalize(turned * estimation::turn_of(h * gyro));
    }
    delta_angle = estimation::rotation_vector(turned);
    time += kTick;
    ++tick;
  }
  bool due(int every) const { return tick % every == 0; }

  Vec3<double> gnss_position() {
    const double x = draw.next(), y = draw.next(), z = draw.next();
    return truth.position_W.value + truth.position_W.remainder + Vec3<double>{errors_.gnss_position * x, errors_.gnss_position * y, errors_.gnss_height * z};
  }
  Vec3<double> gnss_velocity() { return truth.velocity_W + draw.vec(errors_.gnss_velocity); }
  double height() { return truth.position_W.value.z + truth.position_W.remainder.z + errors_.height * draw.next(); }
  Vec3<double> field() { return math::transpose_times(math::rotation_matrix(truth.q_WB), kField) + draw.vec(errors_.field); }
  double range_to(const Vec3<double>& place) { return math::norm(truth.position_W.value + truth.position_W.remainder - place) + errors_.range * draw.next(); }

  estimation::Nominal<double> truth;
  Vec3<double> delta_angle{}, delta_velocity{};
  double time = 0, liveliness = 1;
  int tick = 0;

 private:
  static Vec3<double> rates_at(double t) { return {0.4 * math::sin(0.9 * t), 0.3 * math::cos(0.7 * t), 0.3 * math::sin(0.23 * t) + 0.05}; }
  static Vec3<double> acceleration_at(double t) { return {2 * math::sin(0.45 * t), 1.5 * math::cos(0.6 * t), 0.5 * math::sin(0.8 * t)}; }
  SimulatedErrors errors_;

 public:
  Normals draw;
};

// A filter over rows of its own, one vehicle.
template <class T, int N> struct OwnFilter {
  explicit OwnFilter(const estimation::EkfParams<T>& params) : p(params), rows(estimation::kPacked<N> * math::kBlock) {
    f.P = {rows.data()};
    estimation::begin_covariance(f.P, p, true);
    for (T& d : f.dx) d = 0;
    f.health = 0;
  }
  OwnFilter(const OwnFilter&) = delete;
  // starts off from the truth by what its covariance says
  void begin(const estimation::Nominal<double>& truth, Normals& draw) {
    T normal[estimation::kStartDraws];
    for (T& n : normal) n = static_cast<T>(draw.next());
    const estimation::Nominal<T> there = nominal_as<T>(truth);
    f.x = estimation::begin_estimate(there.q_WB, there.velocity_W, there.position_W, normal, p);
  }
  void predict(const Vec3<T>& delta_angle, const Vec3<T>& delta_velocity) {
    before = f.x;
    estimation::predict_tick(f, delta_angle, delta_velocity, p);
    for (auto& w : watch) estimation::grow_older(w, p.dt);
  }
  void finish() { estimation::finish_tick(f, before, p); }
  double element(int i, int j) const { return static_cast<double>(f.P.get(i, j)); }
  double sigma(int i) const { return math::sqrt(element(i, i)); }
  std::vector<double> packed() const {
    std::vector<double> out;
    for (int i = 0; i < N; ++i)
      for (int j = i; j < N; ++j) out.push_back(element(i, j));
    return out;
  }

  estimation::EkfParams<T> p;
  std::vector<T> rows;
  estimation::Filter<T, N> f;
  estimation::Nominal<T> before;
  estimation::Watch<T> watch[estimation::kSources] = {};
};

// GNSS at 10 Hz, barometer at 50 Hz, magnetometer at 10 Hz
template <class T, int N> void fuse_usual(OwnFilter<T, N>& own, SimulatedFlight& flight, const SimulatedErrors& e, bool with_gnss = true) {
  using namespace estimation;
  if (flight.due(10) && with_gnss) {
    const Vec3<T> position = vec_as<T>(flight.gnss_position()), velocity = vec_as<T>(flight.gnss_velocity());
    fuse_gnss(own.f, own.watch[kGnss], position, velocity, static_cast<T>(e.gnss_position), static_cast<T>(e.gnss_height), own.p, true);
  }
  if (flight.due(2)) fuse_barometer(own.f, own.watch[kBarometer], static_cast<T>(flight.height()), own.p, true);
  if (flight.due(10)) fuse_magnetometer(own.f, own.watch[kMagnetometer], vec_as<T>(flight.field()), vec_as<T>(kField), own.p, true);
}

}  // namespace volary::test
