// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Filters and rotor watches for one instruction set: many vehicles, a few ticks each, with every sensor, some readings absent and some far off, and every
// bit of what comes out is folded. Compiled once per row of ekf_lanes_test.cpp with VOLARY_ISA, VOLARY_LANES and the flags of that instruction set, and
// once plainly.
#include "estimation/residuals.hpp"
#include "estimation/updates.hpp"
#include "math/random.hpp"

#ifndef VOLARY_LANES
#define VOLARY_LANES 1
#endif
#define VOLARY_JOIN(A, B) A##B
#define VOLARY_CONCAT(A, B) VOLARY_JOIN(A, B)

namespace volary::inline VOLARY_ISA::ekf_lanes_unit {

using namespace estimation;

constexpr int kCases = 128, kTicks = 12;

inline std::uint64_t fold(std::uint64_t digest, std::uint64_t value) {
  std::uint64_t x = (digest ^ value) * 0x9E3779B97F4A7C15ull;
  x ^= x >> 29;
  return x * 0xBF58476D1CE4E5B9ull + digest;
}

// input `which` of case k, in -1..1; one in sixteen is 0
template <class S> S input(int k, int which) {
  const Words4<std::uint32_t> w = random_words<std::uint32_t>({7, 8}, static_cast<std::uint32_t>(k), 0, Purpose::Test, static_cast<std::uint32_t>(which), 0);
  return w.w[1] % 16 == 0 ? S(0) : static_cast<S>(w.w[0] * (1.0 / 2147483648.0) - 1);
}

// hands out the inputs of some cases, one after the other
template <class T> struct Inputs {
  using S = Scalar<T>;
  int first, next = 0;
  T take(double size) {
    S row[kBlock];
    for (int lane = 0; lane < kLanes<T>; ++lane) row[lane] = input<S>(first + lane, next);
    ++next;
    return load(row, T()) * splat<T>(size);
  }
  Vec3<T> vec(double size) {
    const T x = take(size), y = take(size), z = take(size);
    return {x, y, z};
  }
  // true in so many lanes of a hundred
  Mask<T> often(double percent) { return take(1) < splat<T>(percent / 50 - 1); }
};

template <class T> EkfParams<T> parameters() {
  EkfParams<T> p;
  p.dt = splat<T>(0.01), p.gravity = splat<T>(9.81);
  p.process = {splat<T>(1e-8), splat<T>(1e-6), splat<T>(1e-12), splat<T>(1e-10), splat<T>(1e-6)};
  p.start_tilt = splat<T>(0.01), p.start_yaw = splat<T>(0.04), p.start_velocity = splat<T>(0.3), p.start_position = splat<T>(0.7);
  p.start_gyro_bias = splat<T>(0.005), p.start_accel_bias = splat<T>(0.1), p.start_wind = splat<T>(5);
  p.attitude_limit = splat<T>(0.02), p.velocity_limit = splat<T>(0.2), p.position_limit = splat<T>(0.4);
  p.reset_after = splat<T>(0.035), p.reset_spread = splat<T>(5), p.sideslip = splat<T>(0.05);
  p.range_direction_B = {splat<T>(0), splat<T>(0.1), splat<T>(-0.99498743710662)};
  for (int k = 0; k < kSources; ++k) p.trust[k] = {splat<T>(0.09), splat<T>(0.04), splat<T>(3), splat<T>(0.01)};
  p.trust[kMagnetometer] = {splat<T>(1e-13), splat<T>(1e-3), splat<T>(3), splat<T>(0.01)};
  return p;
}

template <class T> struct Digest {
  std::uint64_t lanes[kBlock] = {};
  template <class X> void operator()(X& x) {
    using S = Scalar<T>;
    std::uint64_t bits[kBlock] = {};
    if constexpr (IsBits<X>::value) {
      Bits<S> row[kBlock];
      store(row, x);
      for (int lane = 0; lane < kLanes<T>; ++lane) bits[lane] = row[lane];
    } else {
      S row[kBlock];
      store(row, x);
      for (int lane = 0; lane < kLanes<T>; ++lane) bits[lane] = to_bits(row[lane]);
    }
    for (int lane = 0; lane < kLanes<T>; ++lane) lanes[lane] = fold(lanes[lane], bits[lane]);
  }
  template <class X> void operator()(const Field&, X& x) { each_scalar(x, *this); }
};

// Readings near the estimate, one in ten far off. Inputs are drawn in statements of their own: compilers differ in the order of arguments.
template <class T, int N> void fuse_all(Filter<T, N>& f, Watch<T> (&w)[kSources], Inputs<T>& in, const EkfParams<T>& p) {
  const T outlier = select(in.often(10), splat<T>(30), splat<T>(1));
  const Vec3<T> at = f.x.position_W.value, field{splat<T>(2e-6), splat<T>(2e-5), splat<T>(-4e-5)};
  const T up = splat<T>(0.4);
  Mask<T> due[kSources];
  for (Mask<T>& d : due) d = in.often(60);

  const Vec3<T> position = fma(outlier, in.vec(0.5), at), velocity = fma(outlier, in.vec(0.3), f.x.velocity_W);
  fuse_gnss(f, w[kGnss], position, velocity, up, up + up, p, due[kGnss]);
  fuse_barometer(f, w[kBarometer], fma(outlier, in.take(0.4), at.z), p, due[kBarometer]);
  fuse_magnetometer(f, w[kMagnetometer], transpose_times(rotation_matrix(f.x.q_WB), fma(outlier, in.vec(1e-6), field)), field, p, due[kMagnetometer]);
  if constexpr (N > kWind) fuse_airspeed(f, w[kAirspeed], splat<T>(15) + in.take(2), p, due[kAirspeed]);
  const T distance = at.z + in.take(1), ground = in.take(0.2);
  fuse_range_finder(f, w[kRangeFinder], distance, ground, p, due[kRangeFinder]);
  const T flow_x = in.take(0.3), flow_y = in.take(0.3);
  fuse_optical_flow(f, w[kOpticalFlow], flow_x, flow_y, in.vec(0.1), ground, p, due[kOpticalFlow]);
  AnchorRange<T> ranges[2];
  for (AnchorRange<T>& r : ranges) {
    r.place_W = in.vec(30), r.range = fma(outlier, in.take(0.3), norm(at - r.place_W));
    r.has = in.often(70), r.blocked = in.often(30);
  }
  fuse_anchors(f, w[kUwbAnchors], ranges, 2, p, due[kUwbAnchors]);
  const Vec3<T> partner = in.vec(30);
  const T sigma = in.take(1), range = norm(at - partner) + in.take(0.5);
  fuse_peer(f, w[kUwbPeers], partner, sigma, range, p, due[kUwbPeers]);
  const Vec3<T> seen = fma(outlier, in.vec(0.2), at), turned = in.vec(0.02);
  fuse_motion_capture(f, w[kMotionCapture], seen, turn_of(turned) * f.x.q_WB, p, due[kMotionCapture]);
  fuse_odometry(f, w[kOdometry], transpose_times(rotation_matrix(f.x.q_WB), f.x.velocity_W) + in.vec(0.5), p, due[kOdometry]);
}

template <class T, int N> std::uint64_t digest_of_filters() {
  using S = Scalar<T>;
  std::uint64_t all = 0;
  const EkfParams<T> p = parameters<T>();
  for (int k = 0; k < kCases; k += kLanes<T>) {
    Inputs<T> in{k};
    S rows[kPacked<N> * kBlock] = {};
    Filter<T, N> f;
    f.P = {rows};
    begin_covariance(f.P, p, splat<T>(0) < splat<T>(1));
    T normal[kStartDraws];
    for (T& n : normal) n = in.take(2);
    const Vec3<T> turned = in.vec(0.5), velocity = in.vec(20), place = in.vec(1000), rest = in.vec(1e-5);
    f.x = begin_estimate(turn_of(turned), velocity, Position<T>{place + Vec3<T>{splat<T>(0), splat<T>(0), splat<T>(1200)}, rest}, normal, p);
    Watch<T> w[kSources];
    for (Watch<T>& x : w) x = {splat<T>(0), splat<T>(0), splat<T>(0)};
    Residual<T> residual = no_residual<T>();
    const ResidualParams<T> rp{splat<T>(0.3), splat<T>(0.01), splat<T>(0.1), splat<T>(0.5), splat<T>(0.02)};
    Digest<T> d;
    for (int tick = 0; tick < kTicks; ++tick) {
      const Nominal<T> before = f.x;
      // a lane in a hundred measures what nothing measures, and begins anew
      const T broken = select(in.often(1), splat<T>(1e30), splat<T>(1));
      const Vec3<T> angle = in.vec(0.05), push = broken * in.vec(0.2);
      predict_tick(f, angle, push, p);
      fuse_all(f, w, in, p);
      finish_tick(f, before, p);
      for (Watch<T>& x : w) grow_older(x, p.dt), Watch<T>::fields(x, d);
      Wrench<T> share[4];
      for (Wrench<T>& s : share) s = {splat<T>(2.5) + in.take(0.5), in.vec(0.4)};
      const Mask<T> lost = watch_rotors(residual, Wrench<T>{splat<T>(7.5), in.vec(0.5)}, share, rp);
      T flag = select(lost, splat<T>(1), splat<T>(0));
      d(flag), d(f.health);
      Residual<T>::fields(residual, d);
      Nominal<T>::fields(f.x, d);
    }
    for (int e = 0; e < kPacked<N>; ++e) {
      T element = load(rows + e * kBlock, T());
      d(element);
    }
    for (int lane = 0; lane < kLanes<T>; ++lane) all += fold(static_cast<std::uint64_t>(k + lane), d.lanes[lane]);
  }
  return all;
}
template <class T> std::uint64_t digest_of_both() { return fold(digest_of_filters<T, 15>(), digest_of_filters<T, 17>()); }

}  // namespace volary::inline VOLARY_ISA::ekf_lanes_unit

namespace volary::ekf_lanes_units {

#if VOLARY_LANES == 1
std::uint64_t VOLARY_CONCAT(ekf_float_, VOLARY_ISA)() { return ekf_lanes_unit::digest_of_both<float>(); }
std::uint64_t VOLARY_CONCAT(ekf_double_, VOLARY_ISA)() { return ekf_lanes_unit::digest_of_both<double>(); }
#else
std::uint64_t VOLARY_CONCAT(ekf_float_, VOLARY_ISA)() { return ekf_lanes_unit::digest_of_both<math::Wide<float, VOLARY_LANES>>(); }
#if VOLARY_LANES == VOLARY_FOUR_DOUBLES_BESIDE
std::uint64_t VOLARY_CONCAT(ekf_double_, VOLARY_ISA)() { return ekf_lanes_unit::digest_of_both<math::Wide<double, 4>>(); }
#endif
#endif

}  // namespace volary::ekf_lanes_units
