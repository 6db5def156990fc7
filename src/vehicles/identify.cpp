// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "vehicles/identify.hpp"

#include <algorithm>

#include "math/scalar.hpp"

namespace volary::airframe {

namespace {

constexpr double kSettle = 0.5;      // s
constexpr double kSteady = 0.02;     // of the fastest speed
constexpr double kAtRest = 1;        // rad/s
constexpr std::size_t kLeast = 5;    // points that a curve needs

std::vector<BenchPoint> steady_points(const std::vector<BenchPoint>& all, bool timed, double fastest) {
  if (!timed) return all;
  std::vector<BenchPoint> out;
  std::size_t first = 0, after = 0;
  for (const BenchPoint& p : all) {
    while (first < all.size() && all[first].time < p.time - kSettle) ++first;
    while (after < all.size() && all[after].time <= p.time + 0.2 * kSettle) ++after;
    double low = p.speed, high = p.speed;
    for (std::size_t k = first; k < after; ++k) low = std::min(low, all[k].speed), high = std::max(high, all[k].speed);
    if (high - low < kSteady * fastest) out.push_back(p);
  }
  return out;
}

double mean_at_rest(const std::vector<BenchPoint>& points) {
  double sum = 0, n = 0;
  for (const BenchPoint& p : points)
    if (p.speed < kAtRest) sum += p.thrust, n += 1;
  return n > 0 ? sum / n : 0;
}

// thrust = a w^2 + b w
void solve_curve(ThrustFit& fit) {
  double s4 = 0, s3 = 0, s2 = 0, f2 = 0, f1 = 0;
  for (const BenchPoint& p : fit.steady) {
    const double w = p.speed, w2 = w * w;
    s4 += w2 * w2, s3 += w2 * w, s2 += w2, f2 += w2 * p.thrust, f1 += w * p.thrust;
  }
  const double det = s4 * s2 - s3 * s3;
  fit.motor_constant = f2 / s4;
  fit.thrust2 = (f2 * s2 - f1 * s3) / det;
  fit.thrust1 = (s4 * f1 - s3 * f2) / det;
}

void score(ThrustFit& fit) {
  double mean = 0, left = 0, all = 0, square = 0;
  const double n = static_cast<double>(fit.steady.size());
  for (const BenchPoint& p : fit.steady) mean += p.thrust / n;
  for (const BenchPoint& p : fit.steady) {
    const double e = p.thrust - thrust_at(fit, p.speed), s = p.thrust - fit.motor_constant * p.speed * p.speed;
    left += e * e, square += s * s, all += (p.thrust - mean) * (p.thrust - mean);
    fit.worst = std::max(fit.worst, math::abs(e) / fit.full_scale);
  }
  fit.rms = math::sqrt(left / n) / fit.full_scale;
  fit.square_rms = math::sqrt(square / n) / fit.full_scale;
  fit.r2 = 1 - left / all;
}

void add_torque(ThrustFit& fit) {
  double ff = 0, qf = 0, most = 0, left = 0, n = 0;
  for (const BenchPoint& p : fit.steady)
    if (p.torque) ff += p.thrust * p.thrust, qf += *p.torque * p.thrust, most = std::max(most, *p.torque), n += 1;
  if (n < static_cast<double>(kLeast) || !(ff > 0)) return;
  fit.torque_ratio = qf / ff;
  for (const BenchPoint& p : fit.steady)
    if (p.torque) left += (*p.torque - *fit.torque_ratio * p.thrust) * (*p.torque - *fit.torque_ratio * p.thrust);
  fit.torque_rms = math::sqrt(left / n) / most;
}

}  // namespace

double thrust_at(const ThrustFit& fit, double speed) { return (fit.thrust2 * speed + fit.thrust1) * speed; }

core::Result<ThrustFit> fit_thrust(const std::vector<BenchPoint>& points, bool timed) {
  ThrustFit fit;
  for (const BenchPoint& p : points) fit.speed_max = std::max(fit.speed_max, p.speed);
  const std::vector<BenchPoint> steady = steady_points(points, timed, fit.speed_max);
  fit.tare = mean_at_rest(steady);
  for (BenchPoint p : steady) {
    if (p.speed < kAtRest) continue;
    p.thrust -= fit.tare;
    fit.full_scale = std::max(fit.full_scale, p.thrust);
    fit.steady.push_back(p);
  }
  if (fit.steady.size() < kLeast)
    return core::Error{.message = "only " + std::to_string(fit.steady.size()) + " moments at which the rotor turns steadily",
                       .suggestion = "hold each throttle for a second or more"};
  if (!(fit.full_scale > 0)) return core::Error{.message = "the rotor gives no thrust", .suggestion = "is the sign of the thrust turned round?"};
  solve_curve(fit);
  if (!(fit.thrust2 > 0))
    return core::Error{.message = "thrust does not grow with the square of the speed",
                       .suggestion = "do the speeds cover more than a small part of the range?"};
  score(fit);
  add_torque(fit);
  return fit;
}

}  // namespace volary::airframe
