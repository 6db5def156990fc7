// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// SIGMA's Table III for fixed wings: how far a flight that is redrawn from a few knots is from the flight, by method. The paper's logs are not public and
// it does not say how far apart their knots were, so the same methods redraw the formation flight, at a spacing at which straight lines err by at least
// as much as in the paper.
#include "cli/interpolation_check.hpp"

#include <algorithm>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include "replay/interpolate.hpp"
#include "replay/view_flights.hpp"
#include "math/scalar.hpp"
#include "volary/scenario.hpp"

namespace volary::cli {

namespace {

namespace fs = std::filesystem;
using replay::InterpolationError;
using replay::Interpolator;
using validation::CheckOptions;
using validation::CheckReport;
using validation::Sense;

constexpr const char* kScenario = "sigma_formation.yaml";

// Table III, fixed wing: mean, largest and root mean square error, m
struct Printed {
  Interpolator method;
  double mean, max, rmse;
};
constexpr Printed kPaper[] = {{Interpolator::Line, 3.311, 11.626, 4.092},
                              {Interpolator::NaturalCubic, 2.187, 10.204, 2.796},
                              {Interpolator::Pchip, 1.389, 6.711, 1.895},
                              {Interpolator::Akima, 0.609, 4.089, 0.993},
                              {Interpolator::Sigma, 0.256, 1.798, 0.433}};
constexpr double kSpacings[] = {2, 3, 4, 5, 6, 8, 10};  // s from knot to knot

std::string scenario_of(const CheckOptions& options) { return (fs::path(options.assets).parent_path() / "scenarios" / kScenario).string(); }
bool finds_data(const CheckOptions& options) { return fs::exists(scenario_of(options)); }

core::Result<replay::Flights> fly(const CheckOptions& options) {
  const std::string path = scenario_of(options);
  const Loaded<WorldDef> def = load_scenario(path, {.assets = options.assets});
  if (!def) return core::Error{.message = def.error};
  std::string error;
  const auto world = World::create(*def.value, {}, &error);
  if (world == nullptr) return core::Error{.message = path + ": " + error};
  return replay::fly_and_keep(*world, planned_ticks(*def.value));
}

// one method on all tracks, over every tick
InterpolationError error_of(const replay::Flights& flights, Interpolator method, double spacing) {
  InterpolationError all{.method = method};
  double n = 0, squares = 0, sum = 0;
  for (const replay::FlownTrack& track : flights.tracks) {
    const auto count = static_cast<std::uint32_t>(track.position.size());
    const replay::TrackIn in = track.part(0, 0, count);
    const replay::Redrawn drawn = replay::redraw(method, in, flights.tick, 1 / spacing);
    all.knots += drawn.knots;
    for (std::uint32_t k = 0; k < count; ++k) {
      double e2 = 0;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const double e = drawn.positions[k][axis] - track.position[k][axis];
        e2 += e * e;
      }
      squares += e2, sum += math::sqrt(e2), n += 1;
      all.max = std::max(all.max, math::sqrt(e2));
    }
  }
  all.mean = sum / n, all.rmse = math::sqrt(squares / n);
  return all;
}

// the shortest spacing at which straight lines err as much as in the paper: without one the methods cannot be compared
core::Result<double> spacing_of(const replay::Flights& flights) {
  for (const double spacing : kSpacings)
    if (error_of(flights, Interpolator::Line, spacing).rmse >= kPaper[0].rmse) return spacing;
  const double longest = kSpacings[std::size(kSpacings) - 1];
  return core::Error{
      .message = fmt::format(
          "interpolation: {2} is too smooth: straight lines between knots {0:g} s apart have an RMSE of {1:.3g} m, less than the paper's {3:g} m",
          longest, error_of(flights, Interpolator::Line, longest).rmse, kScenario, kPaper[0].rmse)};
}

std::string cell(double mean, double max, double rmse) { return fmt::format("{:.3f}, {:.3f}, {:.3f}", mean, max, rmse); }

core::Result<CheckReport> run(const CheckOptions& options) {
  const core::Result<replay::Flights> flights = fly(options);
  if (!flights) return flights.error();
  const core::Result<double> found = spacing_of(flights.value());
  if (!found) return found.error();
  const double spacing = found.value();
  CheckReport report;
  report.title = "Flights redrawn from a few knots: SIGMA's Table III for fixed wings";
  report.header = {"method", "ours: mean, max, RMSE, m", "paper: mean, max, RMSE, m"};
  double sigma = 0;
  for (const Interpolator method : replay::kInterpolators) {
    const InterpolationError e = error_of(flights.value(), method, spacing);
    const auto* printed = std::find_if(std::begin(kPaper), std::end(kPaper), [&](const Printed& p) { return p.method == method; });
    const bool known = printed != std::end(kPaper);
    report.table.push_back({replay::name_of(method), cell(e.mean, e.max, e.rmse), known ? cell(printed->mean, printed->max, printed->rmse) : "-"});
    if (method == Interpolator::Sigma) sigma = e.rmse;
    if (method != Interpolator::Ours) continue;
    const Printed& best = kPaper[std::size(kPaper) - 1];
    report.figures.push_back({"interpolation/fixed wing/mean", e.mean, "m", best.mean, Sense::AtMost});
    report.figures.push_back({"interpolation/fixed wing/max", e.max, "m", best.max, Sense::AtMost});
    report.figures.push_back({"interpolation/fixed wing/rmse", e.rmse, "m", best.rmse, Sense::AtMost});
    report.figures.push_back({"interpolation/fixed wing/rmse of SIGMA's method", e.rmse / sigma, "-", 0.5, Sense::AtMost});
  }
  report.remarks.push_back(fmt::format("Five aircraft of scenarios/{} fly for {:.0f} s. Each method has one knot for every {:.0f} s of flight.", kScenario,
                                       flights.value().tick * static_cast<double>(flights.value().tracks[0].position.size()), spacing));
  report.remarks.push_back(
      "The paper's logs are not public, and it does not give the spacing of its knots. "
      "Ours is the shortest of seven spacings from 2 to 10 s at which straight lines have at least the paper's RMSE.");
  report.remarks.push_back("SIGMA is its eq. (15), in the best of eight readings for each track. Ours is the method of recordings (docs/recording-view.md).");
  return report;
}

}  // namespace

const validation::Check kInterpolationCheck = {
    "interpolation", "flights redrawn from a few knots: SIGMA's Table III for fixed wings", "scenarios/sigma_formation.yaml", finds_data, run, false};

}  // namespace volary::cli
