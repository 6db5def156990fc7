// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "validation/estimator_log.hpp"

#include <algorithm>

#include "environment/local_magnetic.hpp"
#include "estimation/updates.hpp"
#include "math/euler.hpp"
#include "math/frames.hpp"

namespace volary::validation {

namespace {

using namespace estimation;

constexpr double kGravity = 9.80;      // m/s2
constexpr double kDelay = 0.2;         // s from a satellite measurement to its row in the log; usual for receivers of that time
constexpr double kSurelyFlying = 8;    // m/s over ground
constexpr double kFlyingSpeed = 5;     // m/s over ground
constexpr double kPi = 3.14159265358979324;

double wrapped(double angle) { return angle - 2 * kPi * math::round(angle / (2 * kPi)); }

// the last sample not after t; `k` moves forward only
template <class S> const S& sample_at(const std::vector<S>& samples, double t, std::size_t& k) {
  while (k + 1 < samples.size() && samples[k + 1].time <= t) ++k;
  return samples[k];
}

// rates of the body that the change of Euler angles means
Vec3<double> rates_between(const TimedVector& a, const TimedVector& b) {
  const double dt = b.time - a.time, roll = 0.5 * (a.value.x + b.value.x), pitch = 0.5 * (a.value.y + b.value.y);
  const double dr = (b.value.x - a.value.x) / dt, dp = (b.value.y - a.value.y) / dt, dy = wrapped(b.value.z - a.value.z) / dt;
  double sr, cr, sp, cp;
  math::sincos(roll, sr, cr), math::sincos(pitch, sp, cp);
  return {dr - dy * sp, dp * cr + dy * sr * cp, -dp * sr + dy * cr * cp};
}
double part(const Vec3<double>& v, int axis) { return axis_of(v, axis); }

// noise of small autopilots in aeroplanes with piston or electric motors: vibration, not the data sheet
EkfParams<double> log_params() {
  const auto square = [](double x) { return x * x; };
  EkfParams<double> p{};
  p.gravity = kGravity;
  p.start_tilt = 0.15, p.start_yaw = 0.2, p.start_velocity = 1, p.start_position = 3, p.start_gyro_bias = 0.02, p.start_accel_bias = 0.5, p.start_wind = 5;
  p.attitude_limit = 0.1, p.velocity_limit = 2, p.position_limit = 10, p.reset_after = 5, p.reset_spread = 10, p.sideslip = 0.1;
  p.trust[kGnss] = {4, square(0.5), 5, 0.2};
  p.trust[kBarometer] = {square(2), 0, 5, 0.02};
  p.trust[kMagnetometer] = {square(1e-6), square(0.2), 5, 0.1};
  p.trust[kAirspeed] = {square(1.5), 0, 5, 0.1};
  return p;
}
void set_step(EkfParams<double>& p, double dt) {
  constexpr double kGyro = 3e-3, kAccel = 0.2, kGyroWalk = 1e-4, kAccelWalk = 3e-3, kWindWalk = 0.2;  // per sqrt(Hz) and sqrt(s)
  p.dt = dt;
  p.process = {kGyro * kGyro * dt, kAccel * kAccel * dt, kGyroWalk * kGyroWalk * dt, kAccelWalk * kAccelWalk * dt, kWindWalk * kWindWalk * dt};
}

struct Sums {
  double roll = 0, pitch = 0, yaw = 0, position = 0, velocity = 0;
  int attitudes = 0, fixes = 0;
  double seconds = 0;
  Compared rms() const {
    Compared c;
    const auto root = [](double sum, int n) { return n > 0 ? math::sqrt(sum / n) : 0; };
    c.roll = root(roll, attitudes), c.pitch = root(pitch, attitudes), c.yaw = root(yaw, attitudes), c.seconds = seconds;
    c.position = root(position, fixes), c.velocity = root(velocity, fixes);
    return c;
  }
};

class Replay {
 public:
  explicit Replay(const SensorLog& log)
      : log_(log),
        frame_(environment::local_frame(environment::kWgs84,
                                        environment::Geodetic<double>{log.gnss.front().latitude, log.gnss.front().longitude, log.gnss.front().height})),
        field_W_(1e-9 * environment::magnetic_field_W(magnetic::wmm2025(), frame_, {0, 0, 0}, magnetic::wmm2025().epoch)),
        rows_(static_cast<std::size_t>(kPacked<17> * kBlock)) {
    filter_.P = {rows_.data()};
    begin_covariance(filter_.P, p_, true);
    begin();
  }

  Replayed run() {
    for (std::size_t k = first_ + 1; k < log_.imu.size(); ++k) {
      const InertialSample &a = log_.imu[k - 1], &b = log_.imu[k];
      const double dt = b.time - a.time;
      if (!(dt > 0)) continue;
      set_step(p_, dt);
      const Nominal<double> before = filter_.x;
      predict_tick(filter_, (0.5 * dt) * flu_from_frd(a.gyro + b.gyro), (0.5 * dt) * flu_from_frd(a.force + b.force), p_);
      fuse(b.time);
      finish_tick(filter_, before, p_);
      resets_ += (filter_.health & kWasReset) != 0;
      compare(b.time, dt);
    }
    Replayed out{all_.rms(), flying_.rms()};
    out.all.gyro_bias = frd_from_flu(filter_.x.gyro_bias), out.all.accel_bias = frd_from_flu(filter_.x.accel_bias);
    out.all.wind[0] = filter_.x.wind[0], out.all.wind[1] = filter_.x.wind[1], out.all.resets = resets_;
    return out;
  }

 private:
  // At the first fix: level by the accelerometer of one second, heading of the autopilot. A log whose magnetometer cannot be used begins in flight: heading along
  // the course, level by the autopilot.
  void begin() {
    const bool at_rest = has_usable_field(log_);
    while (!at_rest && start_ + 1 < log_.gnss.size() && log_.gnss[start_].speed() < kSurelyFlying) ++start_;
    const SatelliteSample& fix = log_.gnss[start_];
    Vec3<double> force{0, 0, 0};
    for (const InertialSample& s : log_.imu) {
      if (s.time < fix.time) ++first_;
      if (s.time <= fix.time + 1) force = force + s.force;
    }
    std::size_t k = 0;
    const Vec3<double> theirs = sample_at(log_.attitude, fix.time, k).value;
    EulerAngles<double> angles{theirs.z, math::atan2(force.x, math::sqrt(force.y * force.y + force.z * force.z)), math::atan2(-force.y, -force.z)};
    if (!at_rest) angles = {math::atan2(fix.east, fix.north), theirs.y, theirs.x};
    const Vec3<double> position = place_of(fix);
    filter_.x = {enu_flu_from_ned_frd(quat_from_euler(angles)), velocity_of(fix), {position, {0, 0, 0}}, {0, 0, 0}, {0, 0, 0}, {0, 0}};
    skip_to(fix.time);
    height_offset_ = next_height_ < log_.height.size() ? log_.height[next_height_].value - position.z : 0;
    uses_field_ = at_rest, next_gnss_ = start_ + 1;
  }
  void skip_to(double t) {
    while (next_field_ < log_.field.size() && log_.field[next_field_].time < t) ++next_field_;
    while (next_height_ < log_.height.size() && log_.height[next_height_].time < t) ++next_height_;
    while (next_air_ < log_.airspeed.size() && log_.airspeed[next_air_].time < t) ++next_air_;
  }
  Vec3<double> place_of(const SatelliteSample& s) const {
    return environment::enu_from_geodetic(frame_, environment::Geodetic<double>{s.latitude, s.longitude, s.height});
  }
  static Vec3<double> velocity_of(const SatelliteSample& s) { return {s.east, s.north, -s.down}; }

  void fuse(double t) {
    while (next_gnss_ < log_.gnss.size() && log_.gnss[next_gnss_].time - kDelay <= t) take(log_.gnss[next_gnss_++]);
    while (uses_field_ && next_field_ < log_.field.size() && log_.field[next_field_].time <= t)
      fuse_magnetometer(filter_, watch_[kMagnetometer], flu_from_frd(log_.field[next_field_++].value), field_W_, p_, true);
    for (; next_height_ < log_.height.size() && log_.height[next_height_].time <= t; next_height_ += 10)
      fuse_barometer(filter_, watch_[kBarometer], log_.height[next_height_].value - height_offset_, p_, true);
    for (; next_air_ < log_.airspeed.size() && log_.airspeed[next_air_].time <= t; ++next_air_) {
      const bool due = is_flying_ && log_.airspeed[next_air_].time - last_air_ >= 0.1;
      if (!due) continue;
      last_air_ = log_.airspeed[next_air_].time;
      fuse_airspeed(filter_, watch_[kAirspeed], log_.airspeed[next_air_].value, p_, true);
    }
  }
  void take(const SatelliteSample& s) {
    is_flying_ = s.speed() > kFlyingSpeed;
    const Vec3<double> position = place_of(s), velocity = velocity_of(s);
    const Vec3<double> off = position_innovation(filter_.x, position), faster = velocity - filter_.x.velocity_W;
    for (Sums* sums : {&all_, &flying_}) {
      if (sums == &flying_ && !is_flying_) continue;
      sums->position += dot(off, off), sums->velocity += dot(faster, faster), ++sums->fixes;
    }
    fuse_gnss(filter_, watch_[kGnss], position, velocity, 2.5, 4.0, p_, true);
  }
  void compare(double t, double dt) {
    const TimedVector& theirs = sample_at(log_.attitude, t, attitude_);
    const EulerAngles<double> ours = euler_from_quat(ned_frd_from_enu_flu(filter_.x.q_WB));
    const double roll = wrapped(ours.roll - theirs.value.x), pitch = wrapped(ours.pitch - theirs.value.y), yaw = wrapped(ours.yaw - theirs.value.z);
    for (Sums* sums : {&all_, &flying_}) {
      if (sums == &flying_ && !is_flying_) continue;
      sums->roll += roll * roll, sums->pitch += pitch * pitch, sums->yaw += yaw * yaw, sums->seconds += dt, ++sums->attitudes;
    }
  }

  const SensorLog& log_;
  environment::LocalFrame<double> frame_;
  Vec3<double> field_W_;
  std::vector<double> rows_;
  EkfParams<double> p_ = log_params();
  Filter<double, 17> filter_{};
  Watch<double> watch_[kSources] = {};
  std::size_t start_ = 0, first_ = 0, next_gnss_ = 1, next_field_ = 0, next_height_ = 0, next_air_ = 0, attitude_ = 0;
  double height_offset_ = 0, last_air_ = -1e9;
  bool is_flying_ = false, uses_field_ = false;
  int resets_ = 0;
  Sums all_, flying_;
};

}  // namespace

bool GyroAxes::as_expected() const {
  for (int k = 0; k < 3; ++k)
    if (axis[k] != k || sign[k] < 0) return false;
  return upright < 0;
}

bool has_usable_field(const SensorLog& log) {
  double sum = 0, square = 0;
  for (const TimedVector& f : log.field) sum += math::norm(f.value), square += dot(f.value, f.value);
  const double n = static_cast<double>(log.field.size()), mean = sum / n;
  return square / n - mean * mean < 0.05 * 0.05 * mean * mean;
}

GyroAxes find_gyro_axes(const SensorLog& log) {
  constexpr double kWindow = 0.1;  // s: differences of angles over less are noise
  double n = 0, rate_sum[3] = {}, gyro_sum[3] = {}, rate_square[3] = {}, gyro_square[3] = {}, product[3][3] = {};
  std::size_t from = 0, imu = 0;
  for (std::size_t to = 1; to < log.attitude.size(); ++to) {
    if (log.attitude[to].time - log.attitude[from].time < kWindow) continue;
    const double begin = log.attitude[from].time, end = log.attitude[to].time;
    Vec3<double> gyro{0, 0, 0};
    double samples = 0;
    while (imu < log.imu.size() && log.imu[imu].time < begin) ++imu;
    for (; imu < log.imu.size() && log.imu[imu].time < end; ++imu) gyro = gyro + log.imu[imu].gyro, ++samples;
    if (samples > 0 && end - begin < 3 * kWindow) {
      const Vec3<double> rate = rates_between(log.attitude[from], log.attitude[to]), mean = (1 / samples) * gyro;
      ++n;
      for (int i = 0; i < 3; ++i) {
        rate_sum[i] += part(rate, i), gyro_sum[i] += part(mean, i);
        rate_square[i] += part(rate, i) * part(rate, i), gyro_square[i] += part(mean, i) * part(mean, i);
        for (int j = 0; j < 3; ++j) product[i][j] += part(rate, i) * part(mean, j);
      }
    }
    from = to;
  }
  GyroAxes out;
  const auto variance = [n](double square, double sum) { return math::max(square - sum * sum / n, 1e-12); };
  double bias[3];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const double c =
          (product[i][j] - rate_sum[i] * gyro_sum[j] / n) / math::sqrt(variance(rate_square[i], rate_sum[i]) * variance(gyro_square[j], gyro_sum[j]));
      if (math::abs(c) <= math::abs(out.correlation[i])) continue;
      out.correlation[i] = c, out.axis[i] = j, out.sign[i] = c < 0 ? -1 : 1;
    }
    bias[i] = (out.sign[i] * gyro_sum[out.axis[i]] - rate_sum[i]) / n;
  }
  out.bias = {bias[0], bias[1], bias[2]};
  Vec3<double> force{0, 0, 0};
  for (const InertialSample& s : log.imu) force = force + s.force;
  out.upright = force.z / math::norm(force);
  return out;
}

Replayed replay_sensors(const SensorLog& log) { return Replay(log).run(); }

}  // namespace volary::validation
