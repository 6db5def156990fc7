// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Crazyflie flights at 1 kHz (J. Eschmann and others, Data-Driven System Identification of Quadrotors Subject to Motor Delays, IROS 2024): our multirotor
// driven by the recorded motor commands, fitted on some windows and scored on others, beside a linear regression on the same windows.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "math/functions.hpp"
#include "scenario/airframe.hpp"
#include "validation/check.hpp"
#include "validation/flight_files.hpp"
#include "validation/rotor_fit.hpp"

namespace volary::validation {

namespace {

namespace fs = std::filesystem;

// the aims of the project, and how much an axis must move before its score says something: below, it is air and vibration
constexpr double kAim[kAxesCompared] = {0.97, 0.85, 0.92, 0.93};
constexpr double kExcited[kAxesCompared] = {1, 15, 15, 5};  // m/s2, rad/s2

bool finds_data(const CheckOptions& options) { return !find_flights(options, rotor_log_columns()).empty(); }

core::Result<RotorVehicle> load_vehicle(const CheckOptions& options) {
  const std::string path = (fs::path(options.assets) / "vehicles" / "crazyflie.yaml").string();
  const core::Result<Airframe> airframe = scenario::load_airframe(path);
  if (!airframe) return airframe.error();
  return make_rotor_vehicle(*static_cast<const airframe::MultirotorDef*>(airframe.value().definition.get()));
}

struct Flights {
  std::vector<RotorLog> logs;
  std::vector<Windows> windows;
};

core::Error error_in(const std::string& file, std::string message, std::string suggestion = "") {
  core::Error error;
  error.file = file;
  error.message = std::move(message);
  error.suggestion = std::move(suggestion);
  return error;
}

Flights read_flights(const CheckOptions& options, CheckReport& report) {
  Flights flights;
  std::optional<Span> chosen;
  if (options.window) chosen = Span{options.window->first, options.window->second};
  for (const FlightFile& file : find_flights(options, rotor_log_columns())) {
    if (!file.copy_of.empty()) {
      report.remarks.push_back(fmt::format("{} has rows of {}, which is scored: it is not used.", file.path, file.copy_of));
      continue;
    }
    core::Result<RotorLog> log = read_rotor_log(file.path);
    if (!log) {
      report.errors.push_back(log.error());
      continue;
    }
    if (log.value().flown.empty()) {
      report.errors.push_back(error_in(file.path, "nothing flies in this recording for long enough to be compared"));
      continue;
    }
    Windows windows = plan_windows(log.value(), file.scored ? chosen : std::nullopt);
    if (!file.scored) {  // all of it may be fitted
      windows.fit.clear(), windows.score.clear();
      for (const Flown& f : log.value().flown) windows.fit.push_back(f.airborne);
    }
    flights.logs.push_back(std::move(log).value());
    flights.windows.push_back(std::move(windows));
  }
  return flights;
}

// measured, ours and the regression's, of one axis of one flight
struct Score {
  Explained ours, regression;
  bool counts = false;
};
using Scores = std::array<Score, kAxesCompared>;

Scores score(const RotorLog& log, const Windows& windows, const AxisSamples& ours, const AxisSamples& regression) {
  Scores scores;
  for (std::size_t a = 0; a < kAxesCompared; ++a) {
    for (const Span& s : windows.score) {
      for (std::size_t k = log.row(s.from), end = log.row(s.to); k < end; ++k) {
        scores[a].ours.add(log.measured[a][k], ours[a][k]);
        scores[a].regression.add(log.measured[a][k], regression[a][k]);
      }
    }
    scores[a].counts = scores[a].ours.deviation() >= kExcited[a];
  }
  return scores;
}

void add_picture(const RotorLog& log, const Windows& windows, const AxisSamples& ours, CheckReport& report) {
  if (windows.score.empty()) return;
  const double from = std::max(log.flown.front().airborne.from, windows.score.front().from - 2), to = std::min(from + 12, log.flown.back().airborne.to);
  Picture picture;
  picture.name = "crazyflie_" + log.name;
  picture.title = fmt::format("{}: measured and simulated from the motor commands, smoothed at {} Hz", log.name, kCompareCutoff);
  picture.x_title = "time, s";
  constexpr std::size_t kEvery = 10;
  for (std::size_t k = log.row(from); k < log.row(to); k += kEvery) picture.x.push_back(log.time(k));
  for (std::size_t a = 0; a < kAxesCompared; ++a) {
    Panel panel{a == 0 ? fmt::format("{} less g", kAxisInfo[a].title) : kAxisInfo[a].title, kAxisInfo[a].unit, {{"measured", {}}, {"simulated", {}}}, {}};
    const double off = a == 0 ? kGravity : 0;
    for (std::size_t k = log.row(from); k < log.row(to); k += kEvery) {
      panel.curves[0].values.push_back(log.measured[a][k] - off);
      panel.curves[1].values.push_back(ours[a][k] - off);
    }
    picture.panels.push_back(std::move(panel));
  }
  report.pictures.push_back(std::move(picture));
}

std::string spans_text(const std::vector<Span>& spans) {
  std::string out;
  for (const Span& s : spans) out += fmt::format("{}{:.1f}-{:.1f}", out.empty() ? "" : ", ", s.from, s.to);
  return out.empty() ? "none" : out + " s";
}

void add_remarks(const Flights& flights, const RotorFit& fit, const RegressionFit& regression, CheckReport& report) {
  report.remarks.push_back(
      fmt::format("Both sides are smoothed by a Butterworth low-pass of {} Hz, forwards and backwards; angular accelerations are slopes of the "
                  "smoothed rates. R2 is over all scored windows of the flights that excite an axis: a deviation of at least {} m/s2, "
                  "{} rad/s2 (roll, pitch) or {} rad/s2 (yaw).",
                  kCompareCutoff, kExcited[0], kExcited[1], kExcited[3]));
  report.remarks.push_back(fmt::format(
      "The regression has 11 coefficients for each axis: squared commands at once, squared commands behind a lag, and the three rates. The lags are {:.2f}, "
      "{:.2f}, {:.2f} and {:.2f} s. There is a constant for each flight as well.",
      regression.axis[0].lag, regression.axis[1].lag, regression.axis[2].lag, regression.axis[3].lag));
  report.remarks.emplace_back(
      "The motor commands are not the only inputs, in the scored windows too. The recorded body rates turn the attitude and act on rotors, gyroscopic moments "
      "and drag. The recorded specific force along x and y enters an observer, which keeps tilt and airspeed from drifting. The regression has the same rates "
      "as inputs, but not the specific force. The vertical specific force and the angular accelerations, which are scored, are not inputs. Angular "
      "accelerations are the slopes of those rates.");
  report.remarks.emplace_back(
      "A flight by itself has no threshold. Brackets mark axes that it hardly excites, for which R2 says little. All flights together must reach the aim and "
      "the regression.");
  std::string fitted;
  for (std::size_t k = 0; k < kCommonCount; ++k)
    fitted += fmt::format("{}{} {:.4g} {}", k > 0 ? ", " : "", kCommonInfo[k].name, fit.common[k], kCommonInfo[k].unit);
  report.remarks.push_back(fmt::format("Fitted in {} rounds for all flights: {}.", fit.rounds, fitted));
  for (std::size_t f = 0; f < flights.logs.size(); ++f) {
    std::string own;
    for (std::size_t k = 0; k < kOwnCount; ++k) own += fmt::format("{}{} {:.4g} {}", k > 0 ? ", " : "", kOwnInfo[k].name, fit.own[f][k], kOwnInfo[k].unit);
    report.remarks.push_back(fmt::format("{}: {}. Fitted on {}; scored on {}.", flights.logs[f].name, own, spans_text(flights.windows[f].fit),
                                         spans_text(flights.windows[f].score)));
  }
}

// `verdict` is empty for a flight by itself, which has no threshold
void add_row(const std::string& name, const Scores& scores, const std::string& verdict, CheckReport& report) {
  std::vector<std::string> row = {name};
  for (const Score& s : scores) {
    if (s.ours.count() == 0) {
      row.insert(row.end(), {"-", "-"});
      continue;
    }
    // in brackets: an axis that is hardly excited
    const char* form = s.counts ? "{:.3f}" : "({:.3f})";
    row.push_back(fmt::format(fmt::runtime(form), s.ours.r2()));
    row.push_back(fmt::format(fmt::runtime(form), s.regression.r2()));
  }
  row.push_back(verdict);
  report.table.push_back(std::move(row));
}

// one flight by itself: told without a threshold, because what an axis is worth depends on how much the flight excites it
void add_flight_figures(const std::string& name, const Scores& scores, CheckReport& report) {
  for (std::size_t a = 0; a < kAxesCompared; ++a) {
    if (scores[a].ours.count() == 0) continue;
    const std::string path = fmt::format("crazyflie/{}/{}/", name, kAxisInfo[a].name);
    report.figures.push_back({path + "r2", scores[a].ours.r2(), "-", 0, Sense::NoBar});
    report.figures.push_back({path + "regression_r2", scores[a].regression.r2(), "-", 0, Sense::NoBar});
    report.figures.push_back({path + "deviation", scores[a].ours.deviation(), kAxisInfo[a].unit, 0, Sense::NoBar});
  }
}

// of all flights: at least the aim, and at least the regression
void add_figures(const Scores& all, CheckReport& report) {
  for (std::size_t a = 0; a < kAxesCompared; ++a) {
    if (all[a].ours.count() == 0) {
      report.remarks.push_back(fmt::format("No scored window excites {}, so it has no figure.", kAxisInfo[a].title));
      continue;
    }
    report.figures.push_back({fmt::format("crazyflie/{}/r2", kAxisInfo[a].name), all[a].ours.r2(), "-", kAim[a], Sense::AtLeast});
    report.figures.push_back(
        {fmt::format("crazyflie/{}/r2_beside_regression", kAxisInfo[a].name), all[a].ours.r2(), "-", all[a].regression.r2(), Sense::AtLeast});
  }
}

core::Result<CheckReport> run(const CheckOptions& options) {
  const core::Result<RotorVehicle> vehicle = load_vehicle(options);
  if (!vehicle) return vehicle.error();
  CheckReport report;
  report.title = "Crazyflie flights at 1 kHz, driven open loop by the recorded motor commands (R2)";
  report.header = {"flight", "vertical force", "regression", "roll", "regression", "pitch", "regression", "yaw", "regression", ""};
  const Flights flights = read_flights(options, report);
  const auto any = [&](auto member) {
    return std::any_of(flights.windows.begin(), flights.windows.end(), [&](const Windows& w) { return !(w.*member).empty(); });
  };
  if (!any(&Windows::score))
    return error_in(options.data, "no flight is in the air in the given window", "leave --window out to see when they fly");
  if (!any(&Windows::fit))
    return error_in(options.data, "nothing is left to fit the model with",
                    "ask for a shorter --window, or put other flights of the vehicle into the data folder");

  const RotorFit fit = fit_rotor_model(flights.logs, flights.windows, vehicle.value());
  const RegressionFit regression = fit_regression(flights.logs, flights.windows);
  Scores all;
  for (std::size_t f = 0; f < flights.logs.size(); ++f) {
    if (flights.windows[f].score.empty()) continue;
    const AxisSamples ours = fly(flights.logs[f], vehicle.value(), fit.of(f));
    const Scores scores = score(flights.logs[f], flights.windows[f], ours, predict(regression, flights.logs, f));
    add_row(flights.logs[f].name, scores, "", report);
    add_flight_figures(flights.logs[f].name, scores, report);
    add_picture(flights.logs[f], flights.windows[f], ours, report);
    for (std::size_t a = 0; a < kAxesCompared; ++a) {
      if (!scores[a].counts) continue;
      all[a].ours.add(scores[a].ours), all[a].regression.add(scores[a].regression);
      all[a].counts = true;
    }
  }
  add_figures(all, report);
  add_row("all that excite it", all, std::all_of(report.figures.begin(), report.figures.end(), [](const Figure& x) { return x.holds(); }) ? "ok" : "FAILED",
          report);
  std::vector<std::string> aims = {"at least"};
  for (const double aim : kAim) aims.insert(aims.end(), {fmt::format("{:.2f}", aim), "the regression"});
  aims.resize(report.header.size());
  report.table.push_back(std::move(aims));
  add_remarks(flights, fit, regression, report);
  return report;
}

}  // namespace

const Check kCrazyflieCheck = {"crazyflie",
                               "Crazyflie flights at 1 kHz, driven by their motor commands, compared with a linear regression",
                               "CSV files with the columns t_s, acc_x_g, acc_y_g, acc_z_g, gyro_x_dps, gyro_y_dps, gyro_z_dps, m1_pwm16 to m4_pwm16",
                               finds_data,
                               run,
                               true,
                               [](const std::string& path) { return has_columns(path, rotor_log_columns()); },
                               "The motor model has command delay, battery sag and drain, and a rotor lag that depends on the air load. No scenario can use this "
                               "model. Its parameters are fitted on other windows of the same flights that are scored."};

}  // namespace volary::validation
