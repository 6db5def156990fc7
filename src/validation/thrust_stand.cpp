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
  std::vector<airframe::BenchPoint> points;
  for (const scenario::BenchSample& s : bench.samples) points.push_back({s.time, s.speed, s.thrust, s.torque});
  core::Result<airframe::ThrustFit> fit = airframe::fit_thrust(points, bench.timed);
  if (!fit) {
    core::Error e = fit.error();
    e.file = path;
    return e;
  }
  const std::string torque = bench.torque_column.empty() ? "" : ", " + bench.torque_column;
  return ThrustStand{std::move(fit).value(), fmt::format("{}, {}{}", bench.speed_column, bench.thrust_column, torque)};
}

Picture picture_of(const airframe::ThrustFit& fit, const std::string& name) {
  std::vector<airframe::BenchPoint> sorted = fit.steady;
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.speed < b.speed; });
  Picture p;
  p.name = "bench_" + name, p.title = name + ": thrust over rotor speed", p.x_title = "rotor speed, rad/s";
  std::vector<double> measured, curve, left;
  for (const airframe::BenchPoint& at : sorted) {
    p.x.push_back(at.speed), measured.push_back(at.thrust), curve.push_back(airframe::thrust_at(fit, at.speed));
    left.push_back(100 * (at.thrust - curve.back()) / fit.full_scale);
  }
  p.panels = {{"thrust", "N", {{"measured", measured}, {"curve", curve}}, {}}, {"left over", "% of full scale", {{"measured less curve", left}}, {2, -2}}};
  return p;
}

}  // namespace volary::validation
