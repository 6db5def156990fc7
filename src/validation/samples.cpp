// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "validation/samples.hpp"

#include <algorithm>
#include <limits>

#include "math/functions.hpp"

namespace volary::validation {

namespace {

constexpr double kPi = 3.141592653589793;

template <class F> Samples on_even_steps(const Samples& time, double step, F&& value) {
  Samples out;
  if (time.empty()) return out;
  const auto n = static_cast<std::size_t>((time.back() - time.front()) / step) + 1;
  out.reserve(n);
  std::size_t at = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const double t = time.front() + static_cast<double>(k) * step;
    while (at + 2 < time.size() && time[at + 1] <= t) ++at;
    out.push_back(value(at, t));
  }
  return out;
}

}  // namespace

Samples resample(const Samples& time, const Samples& values, double step) {
  return on_even_steps(time, step, [&](std::size_t at, double t) {
    if (time.size() < 2) return values[at];
    const double part = std::clamp((t - time[at]) / (time[at + 1] - time[at]), 0.0, 1.0);
    return values[at] + part * (values[at + 1] - values[at]);
  });
}

Samples resample_held(const Samples& time, const Samples& values, double step) {
  return on_even_steps(time, step, [&](std::size_t at, double t) { return at + 1 < time.size() && t >= time[at + 1] ? values[at + 1] : values[at]; });
}

// bilinear transform with the cut-off kept in place
Samples low_pass(const Samples& x, double cutoff, double step) {
  const double k = math::tan(kPi * cutoff * step), root2 = 1.4142135623730951;
  const double norm = 1 / (1 + root2 * k + k * k), b = k * k * norm, a1 = 2 * (k * k - 1) * norm, a2 = (1 - root2 * k + k * k) * norm;
  Samples y(x.size());
  double x1 = x.empty() ? 0 : x[0], x2 = x1, y1 = x1, y2 = x1;
  for (std::size_t i = 0; i < x.size(); ++i) {
    y[i] = b * (x[i] + 2 * x1 + x2) - a1 * y1 - a2 * y2;
    x2 = x1, x1 = x[i], y2 = y1, y1 = y[i];
  }
  return y;
}

Samples smooth(const Samples& x, double cutoff, double step) {
  Samples y = low_pass(x, cutoff, step);
  std::reverse(y.begin(), y.end());
  y = low_pass(y, cutoff, step);
  std::reverse(y.begin(), y.end());
  return y;
}

Samples lagged(const Samples& x, double time_constant, double step) {
  const double left = math::exp(-step / time_constant);
  Samples y(x.size());
  double at = x.empty() ? 0 : x[0];
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = at = x[i] + left * (at - x[i]);
  return y;
}

Samples slope(const Samples& x, double step) {
  Samples y(x.size(), 0.0);
  if (x.size() < 2) return y;
  for (std::size_t i = 1; i + 1 < x.size(); ++i) y[i] = (x[i + 1] - x[i - 1]) / (2 * step);
  y.front() = (x[1] - x[0]) / step;
  y.back() = (x[x.size() - 1] - x[x.size() - 2]) / step;
  return y;
}

void Explained::add(double measured, double model) {
  ++n_;
  const double off = measured - mean_;
  mean_ += off / static_cast<double>(n_);
  squares_ += off * (measured - mean_);
  errors_ += (measured - model) * (measured - model);
}

void Explained::add(const Explained& other) {
  if (other.n_ == 0) return;
  const double a = static_cast<double>(n_), b = static_cast<double>(other.n_), off = other.mean_ - mean_;
  n_ += other.n_;
  mean_ += off * b / (a + b);
  squares_ += other.squares_ + off * off * a * b / (a + b);
  errors_ += other.errors_;
}

double Explained::r2() const { return squares_ > 0 ? 1 - errors_ / squares_ : std::numeric_limits<double>::quiet_NaN(); }
double Explained::deviation() const { return n_ > 0 ? math::sqrt(squares_ / static_cast<double>(n_)) : 0; }
double Explained::error() const { return n_ > 0 ? math::sqrt(errors_ / static_cast<double>(n_)) : 0; }

}  // namespace volary::validation
