// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A model aeroplane flown by our control laws with the gains and the demands of a logged flight (ArduPlane): how near its roll and pitch come to those
// of the real one. The threshold is the fit that SIGMA reports for its Talon, R2 = 0.91 (S-95).
#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "math/functions.hpp"
#include "scenario/airframe.hpp"
#include "validation/check.hpp"
#include "validation/plane_flight.hpp"

namespace volary::validation {

namespace {

namespace fs = std::filesystem;

constexpr const char* kAirframe = "ultra_stick";  // 1.27 m span, trimmed at 17 m/s: the size and the speed of such a log
constexpr double kSigma = 0.91;                   // S-95
constexpr double kLawBar = 0.95;                  // ours
constexpr double kDegrees = 57.29577951308232;
constexpr double kShortest = 2;                   // s of a stretch that is worth fitting
constexpr double kEdge = 0.01;                    // s: stretches are told to two decimals

using Values = std::vector<double>;

double r2(const Values& truth, const Values& model) {
  double mean = 0, left = 0, all = 0;
  for (const double x : truth) mean += x / static_cast<double>(truth.size());
  for (std::size_t k = 0; k < truth.size(); ++k) {
    left += (truth[k] - model[k]) * (truth[k] - model[k]);
    all += (truth[k] - mean) * (truth[k] - mean);
  }
  return 1 - left / all;
}
double rms(const Values& a, const Values& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return math::sqrt(sum / static_cast<double>(a.size()));
}
Values samples(const Signal& s, const Values& times, double factor = 1) {
  Values out;
  for (const double t : times) out.push_back(factor * s.at(t));
  return out;
}
Values times_of(const Signal& s, const Stretch& w) {
  Values out;
  for (const double t : s.time)
    if (t >= w.from && t < w.to) out.push_back(t);
  return out;
}
Values scaled(Values values, double factor) {
  for (double& x : values) x *= factor;
  return values;
}

core::Error error_of(const PlaneLog& log, std::string message, std::string suggestion) {
  core::Error error;
  error.file = log.folder;
  error.message = std::move(message);
  error.suggestion = std::move(suggestion);
  return error;
}

std::string stretches_text(const std::vector<Stretch>& stretches) {
  std::string out;
  for (const Stretch& s : stretches)
    if (s.length() >= kShortest) out += fmt::format("{}{:.2f} to {:.2f} s (mode {})", out.empty() ? "" : ", ", s.from, s.to, s.mode);
  return out.empty() ? "there is none" : out;
}

// the longest automatic flight, or what was asked for, which must have been flown by the laws: nothing answers to the demands in manual mode
core::Result<Stretch> scored_window(const PlaneLog& log, const std::vector<Stretch>& stretches, const CheckOptions& options) {
  if (options.window) {
    const auto [from, to] = *options.window;
    for (const Stretch& s : stretches)
      if (from >= s.from - kEdge && to <= s.to + kEdge && to - from >= kShortest) return Stretch{from, to, s.mode};
    return error_of(
        log, fmt::format("the window from {:.6g} to {:.6g} s cannot be scored", from, to),
        fmt::format(
            "a window must last {:g} s or more. It must lie within one stretch in which the autopilot held roll and pitch above ARSPD_FBW_MIN: {}. "
            "The log goes from {:.6g} to {:.6g} s",
            kShortest, stretches_text(stretches), log.begin(), log.end()));
  }
  std::optional<Stretch> longest;
  for (const Stretch& s : stretches)
    if (s.mode == kAutomaticMode && (!longest || s.length() > longest->length())) longest = s;
  if (longest && longest->length() >= kShortest) return *longest;
  return error_of(log, "it was never flown automatically above its least airspeed", "give the part to score with --window FROM:TO");
}

// what of the other stretches is left outside the window
std::vector<Stretch> fitted_windows(const std::vector<Stretch>& stretches, const Stretch& scored) {
  std::vector<Stretch> out;
  for (const Stretch& s : stretches)
    for (const Stretch& part : {Stretch{s.from, std::min(s.to, scored.from), s.mode}, Stretch{std::max(s.from, scored.to), s.to, s.mode}})
      if (part.length() >= kShortest) out.push_back(part);
  return out;
}

struct Scores {
  Stretch window;
  std::vector<Stretch> fitted;
  Identified x{};
  airframe::AircraftDef plane;
  PlaneResponse flown;
  Values roll, pitch, wanted_roll, wanted_pitch;  // deg, at the times of `flown`
  double roll_r2 = 0, pitch_r2 = 0, roll_rms = 0, pitch_rms = 0, demand_roll_rms = 0, demand_pitch_rms = 0;
  double demand_roll_r2 = 0, demand_pitch_r2 = 0;
  double p_rms = 0, q_rms = 0;  // rad/s
  std::optional<double> law_r2;
};

core::Status score_laws(const PlaneLog& log, Scores& s) {
  if (log.parameters.at("KFF_RDDRMIX") == 0) return core::ok();  // the rudder says nothing about the aileron
  const Values times = times_of(log.rudder, s.window), logged = samples(log.rudder, times);
  if (times.size() < 10 || rms(logged, Values(logged.size(), 0)) == 0) return core::ok();
  const core::Result<Values> ours = rudder_of_laws(s.plane, log, times);
  if (!ours) return ours.error();
  s.law_r2 = r2(logged, ours.value());
  return core::ok();
}

core::Result<Scores> score(const PlaneLog& log, const airframe::AircraftDef& plane, const CheckOptions& options) {
  const std::vector<Stretch> stretches = controlled_stretches(log);
  const core::Result<Stretch> window = scored_window(log, stretches, options);
  if (!window) return window.error();
  Scores s;
  s.window = window.value(), s.plane = plane;
  s.fitted = fitted_windows(stretches, s.window);
  if (!s.fitted.empty()) {
    const core::Result<Identified> x = identify_plane(plane, log, s.fitted);
    if (!x) return x.error();
    s.x = x.value(), s.plane = with(plane, s.x);
  }
  core::Result<PlaneResponse> flown = fly_log(s.plane, log, s.window.from, s.window.to);
  if (!flown) return flown.error();
  s.flown = std::move(flown).value();
  const Values& t = s.flown.time;
  s.roll = samples(log.roll, t, kDegrees), s.pitch = samples(log.pitch, t, kDegrees);
  s.wanted_roll = samples(log.wanted_roll, t, kDegrees), s.wanted_pitch = samples(log.wanted_pitch, t, kDegrees);
  const Values roll = scaled(s.flown.roll, kDegrees), pitch = scaled(s.flown.pitch, kDegrees);
  s.roll_r2 = r2(s.roll, roll), s.pitch_r2 = r2(s.pitch, pitch), s.roll_rms = rms(s.roll, roll), s.pitch_rms = rms(s.pitch, pitch);
  s.demand_roll_rms = rms(s.roll, s.wanted_roll), s.demand_pitch_rms = rms(s.pitch, s.wanted_pitch);
  s.demand_roll_r2 = r2(s.roll, s.wanted_roll), s.demand_pitch_r2 = r2(s.pitch, s.wanted_pitch);
  s.p_rms = rms(samples(log.p, t), s.flown.p), s.q_rms = rms(samples(log.q, t), s.flown.q);
  if (const core::Status laws = score_laws(log, s); !laws) return laws.error();
  return s;
}

void add_figures(const std::string& name, const Scores& s, CheckReport& report) {
  const auto add = [&](const char* what, double value, const char* unit, double threshold, Sense sense) {
    report.figures.push_back({fmt::format("aeroplane/{}/{}", name, what), value, unit, threshold, sense});
  };
  add("roll_r2", s.roll_r2, "-", kSigma, Sense::AtLeast);
  add("pitch_r2", s.pitch_r2, "-", kSigma, Sense::AtLeast);
  add("roll_rms", s.roll_rms, "deg", s.demand_roll_rms, Sense::AtMost);
  add("pitch_rms", s.pitch_rms, "deg", s.demand_pitch_rms, Sense::AtMost);
  if (s.law_r2) add("law_r2", *s.law_r2, "-", kLawBar, Sense::AtLeast);
  const bool all_hold = std::all_of(report.figures.end() - (s.law_r2 ? 5 : 4), report.figures.end(), [](const Figure& f) { return f.holds(); });
  report.table.push_back({fmt::format("{} {:.1f} to {:.1f} s", name, s.window.from, s.window.to), fmt::format("{:.3f}", s.roll_r2),
                          fmt::format("{:.3f}", s.pitch_r2), fmt::format("{:.2f}", kSigma), fmt::format("{:.2f}", s.roll_rms),
                          fmt::format("{:.2f}", s.demand_roll_rms), fmt::format("{:.2f}", s.pitch_rms), fmt::format("{:.2f}", s.demand_pitch_rms),
                          s.law_r2 ? fmt::format("{:.3f}", *s.law_r2) : "-", all_hold ? "ok" : "FAILED"});
}

void add_remarks(const std::string& name, const Scores& s, CheckReport& report) {
  if (s.fitted.empty()) {
    report.remarks.push_back(name + ": there are no data outside the window to identify the aeroplane; the parameters of its file are used.");
  } else {
    std::string where, what;
    for (const Stretch& f : s.fitted) where += fmt::format("{}{:.1f} to {:.1f} s", where.empty() ? "" : ", ", f.from, f.to);
    airframe::AircraftDef d = s.plane;
    for (std::size_t k = 0; k < kUnknowns; ++k)
      what += fmt::format("{}{} {:.3g}{}{}", what.empty() ? "" : ", ", unknowns()[k].name, unknowns()[k].of(d), unknowns()[k].unit[0] == '-' ? "" : " ",
                          unknowns()[k].unit[0] == '-' ? "" : unknowns()[k].unit);
    report.remarks.push_back(fmt::format("{}: identified on {}, which is not scored: {}.", name, where, what));
  }
  report.remarks.push_back(
      fmt::format("{}: the demands themselves, followed without any lag, would have R2 {:.3f} and {:.3f}.", name, s.demand_roll_r2, s.demand_pitch_r2));
  report.remarks.push_back(
      fmt::format("{}: unfiltered body rates, gusts of the real air included, differ by {:.3f} rad/s RMS in roll and {:.3f} in pitch (SIGMA: 0.073 and 0.062).",
                  name, s.p_rms, s.q_rms));
}

void add_picture(const std::string& name, const PlaneLog& log, const Scores& s, CheckReport& report) {
  Picture picture;
  picture.name = "aeroplane_" + name;
  picture.title = fmt::format("{}: logged flight, demand, and our aeroplane under our control laws", name);
  picture.x_title = "time, s";
  picture.x = s.flown.time;
  picture.panels = {{"roll", "deg", {{"flight", s.roll}, {"demand", s.wanted_roll}, {"ours", scaled(s.flown.roll, kDegrees)}}, {}},
                    {"pitch", "deg", {{"flight", s.pitch}, {"demand", s.wanted_pitch}, {"ours", scaled(s.flown.pitch, kDegrees)}}, {}},
                    {"airspeed", "m/s", {{"flight", samples(log.airspeed, s.flown.time)}}, {}}};
  report.pictures.push_back(std::move(picture));
}

core::Result<airframe::AircraftDef> load_plane(const CheckOptions& options) {
  const core::Result<Airframe> loaded = scenario::load_airframe((fs::path(options.assets) / "vehicles" / (std::string(kAirframe) + ".yaml")).string());
  if (!loaded) return loaded.error();
  return *static_cast<const airframe::AircraftDef*>(loaded.value().definition.get());
}

// those that were named, else all below the data folder
std::vector<std::string> folders_of(const CheckOptions& options) {
  if (options.flights.empty()) return options.data.empty() ? std::vector<std::string>() : find_plane_logs(options.data);
  std::vector<std::string> folders;
  for (const std::string& flight : options.flights) {
    const std::vector<std::string> found = find_plane_logs(flight);
    folders.insert(folders.end(), found.begin(), found.end());
  }
  return folders;
}

bool finds_data(const CheckOptions& options) { return !folders_of(options).empty(); }

core::Result<CheckReport> run(const CheckOptions& options) {
  const core::Result<airframe::AircraftDef> plane = load_plane(options);
  if (!plane) return plane.error();
  CheckReport report;
  report.title = "A model aeroplane under our control laws, with the gains and demands of a logged flight";
  report.header = {"flight", "roll R2", "pitch R2", "threshold", "roll rms deg", "threshold", "pitch rms deg", "threshold", "law R2", ""};
  for (const std::string& folder : folders_of(options)) {
    const std::string name = fs::weakly_canonical(folder).filename().string();
    const core::Result<PlaneLog> log = read_plane_log(folder);
    const core::Result<Scores> s = log ? score(log.value(), plane.value(), options) : core::Result<Scores>(log.error());
    if (!s) {
      report.errors.push_back(s.error());
      report.table.push_back({name, "-", "-", "-", "-", "-", "-", "-", "-", "ERROR"});
      continue;
    }
    add_figures(name, s.value(), report);
    add_remarks(name, s.value(), report);
    add_picture(name, log.value(), s.value(), report);
  }
  return report;
}

}  // namespace

const Check kAeroplaneCheck = {"aeroplane",
                               "a logged flight of a model aeroplane, flown again with its gains and demands",
                               "folders with ATT.csv, CTUN.csv, NTUN.csv, IMU.csv, MODE.csv and parameters.json of an ArduPlane log",
                               finds_data,
                               run,
                               true,
                               [](const std::string& path) { return !find_plane_logs(path).empty(); }};

}  // namespace volary::validation
