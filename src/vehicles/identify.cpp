// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "vehicles/identify.hpp"

#include <algorithm>

#include "math/functions.hpp"
#include "math/scalar.hpp"

namespace volary::airframe {

namespace {

constexpr double kSettle = 0.5;      // s
constexpr double kSteady = 0.02;     // of the fastest speed
constexpr double kAtRest = 1;        // rad/s
constexpr std::size_t kLeast = 5;    // points that a curve needs

constexpr int kLeastSteps = 3;       // that a time constant needs
constexpr double kLeastStep = 0.05;  // of the fastest speed
constexpr double kSlowest = 0.1;     // of the fastest speed: below it a motor without sensors is still starting

double fastest_of(const std::vector<BenchPoint>& points) {
  double fastest = 0;
  for (const BenchPoint& p : points) fastest = std::max(fastest, p.speed);
  return fastest;
}

// numbers of the points at which nothing changed
std::vector<std::size_t> steady_places(const std::vector<BenchPoint>& all, double fastest) {
  std::vector<std::size_t> out;
  std::size_t first = 0, after = 0;
  for (std::size_t at = 0; at < all.size(); ++at) {
    const BenchPoint& p = all[at];
    while (first < all.size() && all[first].time < p.time - kSettle) ++first;
    while (after < all.size() && all[after].time <= p.time + 0.2 * kSettle) ++after;
    double low = p.speed, high = p.speed;
    for (std::size_t k = first; k < after; ++k) low = std::min(low, all[k].speed), high = std::max(high, all[k].speed);
    if (high - low < kSteady * fastest) out.push_back(at);
  }
  return out;
}
std::vector<BenchPoint> steady_points(const std::vector<BenchPoint>& all, bool timed, double fastest) {
  if (!timed) return all;
  std::vector<BenchPoint> out;
  for (const std::size_t at : steady_places(all, fastest)) out.push_back(all[at]);
  return out;
}

double mean_at_rest(const std::vector<BenchPoint>& points) {
  double sum = 0, n = 0;
  for (const BenchPoint& p : points)
    if (p.speed < kAtRest) sum += p.value, n += 1;
  return n > 0 ? sum / n : 0;
}

// thrust = a w^2 + b w
void solve_curve(ThrustFit& fit) {
  double s4 = 0, s3 = 0, s2 = 0, f2 = 0, f1 = 0;
  for (const BenchPoint& p : fit.steady) {
    const double w = p.speed, w2 = w * w;
    s4 += w2 * w2, s3 += w2 * w, s2 += w2, f2 += w2 * p.value, f1 += w * p.value;
  }
  const double det = s4 * s2 - s3 * s3;
  fit.motor_constant = f2 / s4;
  fit.thrust2 = (f2 * s2 - f1 * s3) / det;
  fit.thrust1 = (s4 * f1 - s3 * f2) / det;
}

void score(ThrustFit& fit) {
  double mean = 0, left = 0, all = 0, square = 0;
  const double n = static_cast<double>(fit.steady.size());
  for (const BenchPoint& p : fit.steady) mean += p.value / n;
  for (const BenchPoint& p : fit.steady) {
    const double e = p.value - thrust_at(fit, p.speed), s = p.value - fit.motor_constant * p.speed * p.speed;
    left += e * e, square += s * s, all += (p.value - mean) * (p.value - mean);
    fit.worst = std::max(fit.worst, math::abs(e) / fit.full_scale);
  }
  fit.rms = math::sqrt(left / n) / fit.full_scale;
  fit.square_rms = math::sqrt(square / n) / fit.full_scale;
  fit.r2 = 1 - left / all;
}

// Torque as a share of the thrust that the curve gives at the same speed: the two need not have been measured at the same moments.
void add_torque(ThrustFit& fit, const BenchLog& log) {
  const std::vector<BenchPoint> steady = steady_points(log.torque, log.timed, fit.speed_max);
  fit.torque_tare = mean_at_rest(steady);
  double ff = 0, qf = 0, qw = 0, w4 = 0;
  for (BenchPoint p : steady) {
    if (p.speed < kAtRest) continue;
    p.value -= fit.torque_tare;
    const double f = thrust_at(fit, p.speed), w2 = p.speed * p.speed;
    ff += f * f, qf += p.value * f, qw += p.value * w2, w4 += w2 * w2;
    fit.steady_torque.push_back(p);
  }
  if (fit.steady_torque.size() < kLeast || !(ff > 0) || qf == 0) return;
  // the side on which a stand shows torque depends on how the motor was mounted
  const double sign = qf < 0 ? -1 : 1, n = static_cast<double>(fit.steady_torque.size());
  fit.torque_ratio = sign * qf / ff, fit.torque_constant = sign * qw / w4;
  double most = 0, left = 0, mean = 0, all = 0;
  for (BenchPoint& p : fit.steady_torque) p.value *= sign, most = std::max(most, p.value), mean += p.value / n;
  for (const BenchPoint& p : fit.steady_torque) {
    const double e = p.value - *fit.torque_ratio * thrust_at(fit, p.speed);
    left += e * e, all += (p.value - mean) * (p.value - mean);
  }
  fit.torque_rms = math::sqrt(left / n) / most, fit.torque_r2 = 1 - left / all;
}

// Time constant of one step: the line through log(1 - share of the step done), from a tenth to four fifths of it; 0 where too few points lie there.
double lag_of(const std::vector<BenchPoint>& all, std::size_t from, std::size_t to, double start, double end) {
  double n = 0, t = 0, y = 0, tt = 0, ty = 0;
  for (std::size_t k = from; k < to; ++k) {
    const double done = (all[k].speed - start) / (end - start), since = all[k].time - all[from].time;
    if (done > 0.8) break;
    if (done < 0.1) continue;
    const double left = math::log(1 - done);
    n += 1, t += since, y += left, tt += since * since, ty += since * left;
  }
  const double spread = n * tt - t * t, slope = n < 3 || !(spread > 0) ? 0 : (n * ty - t * y) / spread;
  return slope < 0 ? -1 / slope : 0;
}

// mean speed of the settling time before a steady point
double level_before(const std::vector<BenchPoint>& all, std::size_t at) {
  double sum = 0, n = 0;
  for (std::size_t k = at + 1; k-- > 0 && all[k].time >= all[at].time - 0.8 * kSettle;) sum += all[k].speed, n += 1;
  return sum / n;
}

std::optional<double> median_lag(std::vector<double> lags) {
  if (lags.size() < static_cast<std::size_t>(kLeastSteps)) return {};
  std::sort(lags.begin(), lags.end());
  return 0.5 * (lags[(lags.size() - 1) / 2] + lags[lags.size() / 2]);
}

}  // namespace

double thrust_at(const ThrustFit& fit, double speed) { return (fit.thrust2 * speed + fit.thrust1) * speed; }

LagFit fit_lag(const BenchLog& log) {
  LagFit fit;
  if (!log.timed) return fit;
  const double fastest = fastest_of(log.speed);
  const std::vector<std::size_t> steady = steady_places(log.speed, fastest);
  std::vector<double> up, down;
  for (std::size_t k = 1; k < steady.size(); ++k) {
    const std::size_t from = steady[k - 1], to = steady[k];
    if (to == from + 1) continue;
    const double start = log.speed[from].speed, end = level_before(log.speed, to);
    if (math::abs(end - start) < kLeastStep * fastest || std::min(start, end) < kSlowest * fastest) continue;
    const double lag = lag_of(log.speed, from, to, start, end);
    if (lag > 0) (end > start ? up : down).push_back(lag);
  }
  fit.steps_up = static_cast<int>(up.size()), fit.steps_down = static_cast<int>(down.size());
  fit.up = median_lag(up), fit.down = median_lag(down);
  return fit;
}

core::Result<ThrustFit> fit_thrust(const BenchLog& log) {
  ThrustFit fit;
  fit.speed_max = fastest_of(log.thrust);
  const std::vector<BenchPoint> steady = steady_points(log.thrust, log.timed, fit.speed_max);
  fit.tare = mean_at_rest(steady);
  for (BenchPoint p : steady) {
    if (p.speed < kAtRest) continue;
    p.value -= fit.tare;
    fit.full_scale = std::max(fit.full_scale, p.value);
    fit.steady.push_back(p);
  }
  if (fit.steady.size() < kLeast)
    return core::Error{.message = "only " + std::to_string(fit.steady.size()) + " moments at which the rotor turns steadily",
                       .suggestion = "hold each throttle for a second or more"};
  if (!(fit.full_scale > 0)) return core::Error{.message = "the rotor gives no thrust", .suggestion = "is the sign of the thrust reversed?"};
  solve_curve(fit);
  if (!(fit.thrust2 > 0))
    return core::Error{.message = "thrust does not grow with the square of the speed",
                       .suggestion = "do the speeds cover more than a small part of the range?"};
  score(fit);
  add_torque(fit, log);
  return fit;
}

}  // namespace volary::airframe
