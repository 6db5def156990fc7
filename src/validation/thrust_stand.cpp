// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "validation/thrust_stand.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "scenario/thrust_bench.hpp"

namespace volary::validation {

core::Result<ThrustStand> fit_stand(const std::string& path, int rotors) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return core::Error{.message = "cannot be read", .file = path};
  std::stringstream text;
  text << in.rdbuf();
  const std::string all = text.str();
  const core::Result<scenario::ThrustBench> read = scenario::read_thrust_bench(all, path, rotors);
  if (!read) return read.error();
  const scenario::ThrustBench& bench = read.value();
  const auto series = [](const std::vector<scenario::BenchSample>& samples) {
    std::vector<airframe::BenchPoint> points;
    for (const scenario::BenchSample& s : samples) points.push_back({s.time, s.speed, s.value});
    return points;
  };
  const airframe::BenchLog log{bench.timed, series(bench.thrust), series(bench.torque), series(bench.speed)};
  core::Result<airframe::ThrustFit> fit = airframe::fit_thrust(log);
  if (!fit) {
    core::Error e = fit.error();
    e.file = path;
    return e;
  }
  const std::string torque = bench.torque_column.empty() ? "" : ", " + bench.torque_column;
  return ThrustStand{std::move(fit).value(), fmt::format("{}, {}{}", bench.speed_column, bench.thrust_column, torque), airframe::fit_lag(log),
                     bench.torque_column, bench.torque.size()};
}

namespace {

using Points = std::vector<airframe::BenchPoint>;

Points by_speed(Points points) {
  std::sort(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.speed < b.speed; });
  return points;
}

// of points in order of speed, on the line between the two nearest
double value_at(const Points& sorted, double speed) {
  const auto after = std::lower_bound(sorted.begin(), sorted.end(), speed, [](const airframe::BenchPoint& p, double w) { return p.speed < w; });
  if (after == sorted.begin()) return sorted.front().value;
  if (after == sorted.end()) return sorted.back().value;
  const airframe::BenchPoint& low = *(after - 1);
  return low.value + (after->value - low.value) * (speed - low.speed) / (after->speed - low.speed);
}

// measured, the curve, and what is left over as a share of the greatest
void add_panels(Picture& p, const Points& sorted, const airframe::ThrustFit& fit, const std::string& what, const char* unit, double factor) {
  std::vector<double> measured, curve, left;
  double greatest = 0;
  for (const airframe::BenchPoint& at : sorted) greatest = std::max(greatest, at.value);
  for (const double speed : p.x) {
    measured.push_back(value_at(sorted, speed)), curve.push_back(factor * airframe::thrust_at(fit, speed));
    left.push_back(100 * (measured.back() - curve.back()) / greatest);
  }
  p.panels.push_back({what, unit, {{"measured", measured}, {"curve", curve}}, {}});
  p.panels.push_back({"left over of the " + what, "% of full scale", {{"measured less curve", left}}, {2, -2}});
}

}  // namespace

Picture picture_of(const airframe::ThrustFit& fit, const std::string& name) {
  const bool torque = fit.torque_ratio.has_value();
  const Points sorted = by_speed(fit.steady);
  Picture p;
  p.name = "bench_" + name, p.title = name + (torque ? ": thrust and torque over rotor speed" : ": thrust over rotor speed");
  p.x_title = "rotor speed, rad/s";
  for (const airframe::BenchPoint& at : sorted)
    if (p.x.empty() || at.speed > p.x.back()) p.x.push_back(at.speed);
  add_panels(p, sorted, fit, "thrust", "N", 1);
  if (torque) add_panels(p, by_speed(fit.steady_torque), fit, "torque", "N m", *fit.torque_ratio);
  return p;
}

}  // namespace volary::validation
