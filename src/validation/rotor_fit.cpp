// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "validation/rotor_fit.hpp"

#include <algorithm>

#include "math/least_squares.hpp"

namespace volary::validation {

namespace {

constexpr std::size_t kStride = 10;   // rows from one residual to the next: smoothed at 20 Hz, 100 Hz say it all
constexpr int kMostRounds = 60;
constexpr double kPriorWeight = 0.5;  // residuals that one spread away from the start counts as

template <class F> void each_row(const RotorLog& log, const std::vector<Span>& spans, std::size_t stride, F&& f) {
  for (const Span& s : spans)
    for (std::size_t k = log.row(s.from), end = log.row(s.to); k < end; k += stride) f(k);
}

std::array<double, kAxesCompared> deviations(const std::vector<RotorLog>& logs, const std::vector<Windows>& windows) {
  std::array<double, kAxesCompared> out{};
  for (std::size_t a = 0; a < kAxesCompared; ++a) {
    Explained all;
    for (std::size_t f = 0; f < logs.size(); ++f) each_row(logs[f], windows[f].fit, kStride, [&](std::size_t k) { all.add(logs[f].measured[a][k], 0); });
    out[a] = std::max(all.deviation(), 1e-6);
  }
  return out;
}

struct FitProblem {
  const std::vector<RotorLog>& logs;
  const std::vector<Windows>& windows;
  const RotorVehicle& vehicle;
  std::array<double, kAxesCompared> deviation;
  std::vector<double> start;

  RotorModel model(const std::vector<double>& x, std::size_t flight) const {
    RotorModel m;
    std::copy_n(x.begin(), kCommonCount, m.common.begin());
    std::copy_n(x.begin() + static_cast<std::ptrdiff_t>(kCommonCount + flight * kOwnCount), kOwnCount, m.own.begin());
    return m;
  }
  const ParameterInfo& info(std::size_t unknown) const {
    return unknown < kCommonCount ? kCommonInfo[unknown] : kOwnInfo[(unknown - kCommonCount) % kOwnCount];
  }
  // one block for each flight, and one for what is known beforehand
  bool uses(std::size_t block, std::size_t unknown) const {
    return block == logs.size() || unknown < kCommonCount || (unknown - kCommonCount) / kOwnCount == block;
  }
  std::vector<double> residuals(std::size_t block, const std::vector<double>& x) const {
    std::vector<double> r;
    if (block == logs.size()) {
      for (std::size_t k = 0; k < x.size(); ++k) r.push_back(kPriorWeight * (x[k] - start[k]) / info(k).spread);
      return r;
    }
    const AxisSamples ours = fly(logs[block], vehicle, model(x, block));
    for (std::size_t a = 0; a < kAxesCompared; ++a)
      each_row(logs[block], windows[block].fit, kStride, [&](std::size_t k) { r.push_back((ours[a][k] - logs[block].measured[a][k]) / deviation[a]); });
    return r;
  }
};

}  // namespace

RotorFit fit_rotor_model(const std::vector<RotorLog>& logs, const std::vector<Windows>& windows, const RotorVehicle& vehicle) {
  FitProblem problem{logs, windows, vehicle, deviations(logs, windows), {}};
  const RotorModel guess = first_guess(vehicle);
  problem.start.assign(guess.common.begin(), guess.common.end());
  for (std::size_t f = 0; f < logs.size(); ++f) problem.start.insert(problem.start.end(), guess.own.begin(), guess.own.end());

  math::LeastSquaresProblem p;
  p.blocks = logs.size() + 1;
  p.residuals = [&](std::size_t block, const std::vector<double>& x) { return problem.residuals(block, x); };
  p.uses = [&](std::size_t block, std::size_t unknown) { return problem.uses(block, unknown); };
  for (std::size_t k = 0; k < problem.start.size(); ++k) p.step.push_back(problem.info(k).step);
  const math::LeastSquaresResult result = math::minimise(p, problem.start, kMostRounds);

  RotorFit fit;
  fit.rounds = result.rounds;
  std::array<double, kOwnCount> mean{};
  std::size_t fitted = 0;
  for (std::size_t f = 0; f < logs.size(); ++f) {
    const RotorModel m = problem.model(result.x, f);
    fit.common = m.common;
    fit.own.push_back(m.own);
    if (windows[f].fit.empty()) continue;
    ++fitted;
    for (std::size_t k = 0; k < kOwnCount; ++k) mean[k] += (m.own[k] - mean[k]) / static_cast<double>(fitted);
  }
  for (std::size_t f = 0; f < logs.size(); ++f)
    if (windows[f].fit.empty() && fitted > 0) fit.own[f] = mean;
  return fit;
}

// ---------------------------------------------------------------- regression

namespace {

constexpr double kLags[] = {0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.1, 0.13, 0.17, 0.22};  // s

// signals that an axis is regressed on, smoothed like what they explain; constants come after them
std::vector<Samples> features(const RotorLog& log, double lag) {
  std::vector<Samples> out;
  for (std::size_t m = 0; m < 4; ++m) {
    Samples square;
    for (const std::array<double, 4>& u : log.command) square.push_back(u[m] * u[m]);
    out.push_back(smooth(lagged(square, lag, kLogStep), kCompareCutoff, kLogStep));
    out.push_back(smooth(square, kCompareCutoff, kLogStep));
  }
  Samples rate[3];
  for (const math::Vec3<double>& w : log.rate) rate[0].push_back(w.x), rate[1].push_back(w.y), rate[2].push_back(w.z);
  for (const Samples& r : rate) out.push_back(smooth(r, kCompareCutoff, kLogStep));
  return out;
}

std::vector<double> row_of(const std::vector<Samples>& signals, std::size_t k, std::size_t flight, std::size_t flights) {
  std::vector<double> row;
  for (const Samples& s : signals) row.push_back(s[k]);
  for (std::size_t f = 0; f < flights; ++f) row.push_back(f == flight ? 1 : 0);
  return row;
}

double product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

// a flight that nothing was fitted on gets the mean of the others' constants, as the physical model does with its own parameters
void fill_constants(const std::vector<Windows>& windows, std::vector<double>& x) {
  const std::size_t first = x.size() - windows.size();
  double mean = 0, n = 0;
  for (std::size_t f = 0; f < windows.size(); ++f)
    if (!windows[f].fit.empty()) n += 1, mean += (x[first + f] - mean) / n;
  for (std::size_t f = 0; f < windows.size(); ++f)
    if (windows[f].fit.empty()) x[first + f] = mean;
}

}  // namespace

RegressionFit fit_regression(const std::vector<RotorLog>& logs, const std::vector<Windows>& windows) {
  RegressionFit fit;
  std::array<double, kAxesCompared> least;
  least.fill(1e300);
  for (const double lag : kLags) {
    std::vector<std::vector<Samples>> signals;
    for (const RotorLog& log : logs) signals.push_back(features(log, lag));
    for (std::size_t a = 0; a < kAxesCompared; ++a) {
      math::NormalEquations equations(signals[0].size() + logs.size());
      std::vector<std::pair<std::vector<double>, double>> rows;
      for (std::size_t f = 0; f < logs.size(); ++f)
        each_row(logs[f], windows[f].fit, kStride, [&](std::size_t k) { rows.emplace_back(row_of(signals[f], k, f, logs.size()), logs[f].measured[a][k]); });
      for (const auto& [row, y] : rows) equations.add(row.data(), y);
      const std::vector<double> x = math::solve(equations, 1e-9);
      if (x.empty()) continue;
      double sum = 0;
      for (const auto& [row, y] : rows) sum += (y - product(row, x)) * (y - product(row, x));
      if (sum >= least[a]) continue;
      least[a] = sum;
      fit.axis[a] = {lag, x};
    }
  }
  for (RegressionFit::Axis& axis : fit.axis)
    if (!axis.coefficient.empty()) fill_constants(windows, axis.coefficient);
  return fit;
}

AxisSamples predict(const RegressionFit& fit, const std::vector<RotorLog>& logs, std::size_t flight) {
  AxisSamples out;
  for (std::size_t a = 0; a < kAxesCompared; ++a) {
    const RegressionFit::Axis& axis = fit.axis[a];
    out[a].assign(logs[flight].size(), 0.0);
    if (axis.coefficient.empty()) continue;
    const std::vector<Samples> signals = features(logs[flight], axis.lag);
    for (std::size_t k = 0; k < logs[flight].size(); ++k) out[a][k] = product(row_of(signals, k, flight, logs.size()), axis.coefficient);
  }
  return out;
}

}  // namespace volary::validation
