// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// IAP's table VII flown again with our filter: noise of table VI (standard deviations of samples at 200 Hz), anchors of table X. The paper's "0 anchors" is
// stereo visual-inertial odometry; what stands in for it is a body velocity at 20 Hz whose integral drifts by a stated amount per root second. That amount
// is set so that 0 anchors come out as in the paper, so the first figure says nothing; the others do.
#include "validation/uwb_study.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "estimation/updates.hpp"
#include "math/normals.hpp"
#include "validation/check.hpp"

namespace volary::validation {

namespace {

using math::Vec3;

constexpr double kTick = 0.005, kDuration = 60, kGravity = 9.81;  // s, s, m/s2
constexpr int kOdometryEvery = 10;  // ticks
constexpr double kGyroNoise = 0.0212, kGyroWalk = 1.4e-5, kAccelNoise = 0.2828, kAccelWalk = 1.4e-3, kRangeNoise = 0.7071;  // of a sample: rad/s, m/s2, m
constexpr double kDrift = 0.061;  // m per sqrt(s) on each axis
constexpr Vec3<double> kAnchors[kStudyAnchors] = {{-8.17, -4.35, 1.38}, {2.93, -6.65, 3.3}, {8.76, 6.12, 1.59}, {-4.48, 1.17, 1.14}};

class Normals {
 public:
  explicit Normals(std::uint64_t seed) : key_(math::world_key(seed, 0)) {}
  double next() {
    if (at_ == 8) {
      drawn_ = math::normals8<double>(math::random_words<std::uint64_t>({key_.lo, key_.hi}, 1, 0, math::Purpose::Test, count_++, 0));
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

// a figure of eight 6 m by 4 m that climbs and sinks, with the nose along the way: position, velocity and acceleration
struct Path {
  Vec3<double> position, velocity, acceleration;
};
Path path_at(double t) {
  constexpr double w = 0.314159265358979, a = 3, b = 2, c = 0.8;
  double s, k, s2, k2, s3, k3;
  math::sincos(w * t, s, k), math::sincos(2 * w * t, s2, k2), math::sincos(0.25 * w * t, s3, k3);
  return {{a * s, b * s2, 2 - c * k3}, {a * w * k, 2 * b * w * k2, 0.25 * c * w * s3}, {-a * w * w * s, -4 * b * w * w * s2, 0.0625 * c * w * w * k3}};
}
// thrust along body z, as a multirotor flies, nose to the east
math::Quat<double> attitude_at(double t) {
  const Vec3<double> force = path_at(t).acceleration + Vec3<double>{0, 0, kGravity};
  const Vec3<double> z = (1 / math::norm(force)) * force, level = math::cross(z, Vec3<double>{1, 0, 0});
  const Vec3<double> y = (1 / math::norm(level)) * level, x = math::cross(y, z);
  return math::quat_from_matrix(math::Mat3<double>{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}});
}

estimation::EkfParams<double> study_params() {
  using namespace estimation;
  const auto square = [](double x) { return x * x; };
  EkfParams<double> p{};
  p.dt = kTick, p.gravity = kGravity;
  // a standard deviation s of a sample is a density s sqrt(T), so that a tick adds s2 T2; what the paper gives for the bias is its change per sample
  p.process = {square(kGyroNoise * kTick), square(kAccelNoise * kTick), square(kGyroWalk), square(kAccelWalk), 0};
  p.start_tilt = 0.0087, p.start_yaw = 0.0087, p.start_velocity = 0.1, p.start_position = 0.1, p.start_gyro_bias = 1e-3, p.start_accel_bias = 0.02,
  p.start_wind = 1;
  p.attitude_limit = 0.1, p.velocity_limit = 1, p.position_limit = 5, p.reset_after = 5, p.reset_spread = 5;
  p.trust[kUwbAnchors] = {square(kRangeNoise), 0, 5, kTick};
  p.trust[kOdometry] = {square(kDrift) / (kOdometryEvery * kTick), 0, 5, kOdometryEvery * kTick};
  return p;
}

// truth, sensors and filter of one flight
struct Study {
  explicit Study(std::uint64_t seed) : draw(seed), rows(static_cast<std::size_t>(estimation::kPacked<15> * math::kBlock)) {
    filter.P = {rows.data()};
    estimation::begin_covariance(filter.P, p, true);
    double normal[estimation::kStartDraws];
    for (double& n : normal) n = draw.next();
    const Path start = path_at(0);
    filter.x = estimation::begin_estimate(attitude_at(0), start.velocity, {start.position, {0, 0, 0}}, normal, p);
    gyro_bias = draw.vec(p.start_gyro_bias), accel_bias = draw.vec(p.start_accel_bias);
  }

  // increments from one tick to the next, with the errors of the samples
  void predict(double from) {
    gyro_bias = gyro_bias + draw.vec(kGyroWalk), accel_bias = accel_bias + draw.vec(kAccelWalk);
    const math::Quat<double> before = attitude_at(from), after = attitude_at(from + kTick);
    const Vec3<double> turn = estimation::rotation_vector(math::conjugate(before) * after);
    const Vec3<double> push = path_at(from + kTick).velocity - path_at(from).velocity + Vec3<double>{0, 0, kGravity * kTick};
    const Vec3<double> push_B = math::transpose_times(math::rotation_matrix(before), push);
    const Vec3<double> measured_turn = turn + kTick * (gyro_bias + draw.vec(kGyroNoise));
    const Vec3<double> measured_push = push_B + kTick * (accel_bias + draw.vec(kAccelNoise));
    estimation::predict_tick(filter, measured_turn, measured_push, p);
  }
  void fuse(int tick, double t, int anchors) {
    const Path now = path_at(t);
    if (tick % kOdometryEvery == 0) {
      const double sigma = kDrift / math::sqrt(kOdometryEvery * kTick);
      estimation::fuse_odometry(filter, odometry, math::transpose_times(math::rotation_matrix(attitude_at(t)), now.velocity) + draw.vec(sigma), p, true);
    }
    if (anchors == 0) return;
    estimation::AnchorRange<double> ranges[kStudyAnchors];
    for (int k = 0; k < anchors; ++k) ranges[k] = {kAnchors[k], math::norm(now.position - kAnchors[k]) + kRangeNoise * draw.next(), true, false};
    estimation::fuse_anchors(filter, uwb, ranges, anchors, p, true);
  }

  Normals draw;
  std::vector<double> rows;
  estimation::EkfParams<double> p = study_params();
  estimation::Filter<double, 15> filter;
  estimation::Watch<double> odometry{}, uwb{};
  Vec3<double> gyro_bias, accel_bias;
};

core::Result<CheckReport> run(const CheckOptions&) {
  constexpr int kSeeds = 20;
  CheckReport report;
  report.title = "UWB anchors: position error of an IMU, an odometry that drifts, and 0 to 4 anchors, beside IAP's table VII";
  report.header = {"anchors", "RMSE, m", "published, m", "lower quartile", "median", "upper quartile", "roll and pitch, deg"};
  double before = 0;
  for (int anchors = 0; anchors <= kStudyAnchors; ++anchors) {
    StudyErrors all;
    for (int seed = 1; seed <= kSeeds; ++seed) all.add(fly_study(anchors, static_cast<std::uint64_t>(seed)));
    const double rmse = all.rmse(), degrees = all.attitude_rms() * 57.29577951308232;
    report.table.push_back({fmt::format("{}", anchors), fmt::format("{:.2f}", rmse), fmt::format("{:.2f}", kPublishedRmse[anchors]),
                            fmt::format("{:.2f}", all.quantile(0.25)), fmt::format("{:.2f}", all.quantile(0.5)), fmt::format("{:.2f}", all.quantile(0.75)),
                            fmt::format("{:.2f}", degrees)});
    const std::string path = fmt::format("uwb/{}/", anchors);
    report.figures.push_back({path + "rmse", rmse, "m", before, anchors == 0 ? Sense::NoBar : Sense::AtMost});  // every anchor helps
    report.figures.push_back({path + "published", kPublishedRmse[anchors], "m", 0, Sense::NoBar});
    report.figures.push_back({path + "attitude", degrees, "deg", 0, Sense::NoBar});
    before = rmse;
  }
  report.remarks.push_back(fmt::format(
      "{} flights of {} s for each number of anchors, the same seeds for all. The odometry drifts by {} m per root second on each axis, set so that 0 "
      "anchors come out as published.",
      kSeeds, kDuration, kDrift));
  report.remarks.emplace_back(
      "The paper's path is not published in numbers. Ours is a figure of eight of 6 m by 4 m between heights of 1.2 and 2.8 m, inside of its anchors. Its "
      "noise is taken as standard "
      "deviations of samples at 200 Hz. Errors are distances from the truth without alignment. Its figure 18 of attitudes has no numbers; ours are in the last "
      "column.");
  return report;
}

}  // namespace

void StudyErrors::add(const StudyErrors& other) {
  position.insert(position.end(), other.position.begin(), other.position.end());
  attitude_square += other.attitude_square, attitude_count += other.attitude_count;
}
double StudyErrors::rmse() const {
  double sum = 0;
  for (const double x : position) sum += x * x;
  return math::sqrt(sum / static_cast<double>(position.size()));
}
double StudyErrors::quantile(double share) const {
  std::vector<double> sorted = position;
  std::sort(sorted.begin(), sorted.end());
  return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
}
double StudyErrors::attitude_rms() const { return math::sqrt(attitude_square / static_cast<double>(attitude_count)); }

StudyErrors fly_study(int anchors, std::uint64_t seed) {
  Study s(seed);
  StudyErrors out;
  const int ticks = static_cast<int>(kDuration / kTick);
  for (int tick = 1; tick <= ticks; ++tick) {
    const estimation::Nominal<double> before = s.filter.x;
    s.predict((tick - 1) * kTick);
    s.fuse(tick, tick * kTick, anchors);
    estimation::finish_tick(s.filter, before, s.p);
    if (tick % kOdometryEvery != 0) continue;
    out.position.push_back(math::norm(path_at(tick * kTick).position - (s.filter.x.position_W.value + s.filter.x.position_W.remainder)));
    const Vec3<double> off = estimation::rotation_vector(attitude_at(tick * kTick) * math::conjugate(s.filter.x.q_WB));
    out.attitude_square += off.x * off.x + off.y * off.y;
    out.attitude_count += 2;
  }
  return out;
}

const Check kUwbCheck = {
    "uwb",
    "an IMU, odometry that drifts and 0 to 4 UWB anchors through the estimator, beside IAP's study",
    "nothing: the figures of the paper are in it",
    [](const CheckOptions&) { return true; },
    run,
    false,
    nullptr,
    "No world flies: the truth is a formula. The sensors are white noise and random walks as in the paper, and the filter is that of flocks."};

}  // namespace volary::validation
