// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "validation/plane_log.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/suggest.hpp"
#include "math/functions.hpp"
#include "scenario/csv_file.hpp"
#include "scenario/node.hpp"

namespace volary::validation {

namespace {

namespace fs = std::filesystem;

constexpr double kDegree = 0.017453292519943295;
constexpr double kFullTravel = 45;  // deg of ArduPlane's servo output that are full travel
// modes in which the demanded roll and pitch are what the control laws fly: fly by wire A and B, cruise, auto, return, loiter, guided
constexpr int kControlled[] = {5, 6, 7, kAutomaticMode, 11, 12, 15};

// one column of one file, times a factor
struct Column {
  const char* name;
  double factor;
  Signal* signal;
};

core::Status read_columns(const std::string& folder, const char* message, const std::vector<Column>& columns) {
  const std::string path = (fs::path(folder) / (std::string(message) + ".csv")).string();
  const core::Result<std::string> text = scenario::read_file(path);
  if (!text) return text.error();
  const core::Result<scenario::CsvFile> parsed = scenario::parse_csv(text.value(), path);
  if (!parsed) return parsed.error();
  const scenario::CsvFile& csv = parsed.value();
  const auto find = [&](const char* name) -> core::Result<std::size_t> {
    const int at = csv.find(name);
    if (at >= 0) return static_cast<std::size_t>(at);
    return csv.error(csv.names.front(), fmt::format("there is no column '{}'", name), core::did_you_mean(name, csv.column_names()));
  };
  const core::Result<std::size_t> time = find("t_s");
  if (!time) return time.error();
  for (const Column& c : columns) {
    const core::Result<std::size_t> at = find(c.name);
    if (!at) return at.error();
    for (const std::vector<scenario::CsvCell>& row : csv.rows) {
      const core::Result<double> t = csv.number(row[time.value()]), x = csv.number(row[at.value()]);
      if (!t) return t.error();
      if (!x) return x.error();
      if (!c.signal->time.empty() && t.value() < c.signal->time.back()) return csv.error(row[time.value()], "time goes backwards");
      c.signal->time.push_back(t.value());
      c.signal->value.push_back(c.factor * x.value());
    }
  }
  return core::ok();
}

core::Status read_parameters(const std::string& path, std::map<std::string, double>& out) {
  const core::Result<std::string> text = scenario::read_file(path);
  if (!text) return text.error();
  core::Error error;
  error.file = path;
  const nlohmann::json tree = nlohmann::json::parse(text.value(), nullptr, false);
  if (tree.is_discarded() || !tree.is_object()) {
    error.message = "is not an object of parameters in JSON";
    error.suggestion = R"(it looks like {"RLL2SRV_P": 2.0, ...})";
    return error;
  }
  for (const auto& [name, value] : tree.items()) {
    if (!value.is_number()) {
      error.field = name;
      error.message = "is not a number";
      return error;
    }
    out[name] = value.get<double>();
  }
  return core::ok();
}

bool is_controlled(int mode) { return std::find(std::begin(kControlled), std::end(kControlled), mode) != std::end(kControlled); }

// reads parameters by name and remembers the first that is missing
struct Parameters {
  const PlaneLog& log;
  std::string missing = {};
  double operator()(const char* name) {
    const auto at = log.parameters.find(name);
    if (at != log.parameters.end()) return at->second;
    if (missing.empty()) missing = name;
    return 0;
  }
};

// Gains of one axis. ArduPlane keeps the names of an older law: what it calls D answers to the error of the rate, P less the others becomes feed-forward,
// I is divided by the time constant when it integrates rates. Per degree and degree per second of 45, here per radian of full travel.
struct AxisGains {
  double time, p, i, ff, limit;
};
AxisGains axis_gains(double tau, double p, double i, double d, double integral_max) {
  const double per = 1 / (kDegree * kFullTravel), time = std::max(tau, 0.1);
  return {time, d * per, i * time * per, std::max((p - i * time) * time - d, 0.0) * per, integral_max * 0.01 / kFullTravel};
}
// 0 stands for no limit
double rate_limit(double degrees) { return degrees > 0 ? degrees * kDegree : 20; }

void set_attitude(Parameters& of, control::WingGains<double>& g) {
  const AxisGains roll = axis_gains(of("RLL2SRV_TCONST"), of("RLL2SRV_P"), of("RLL2SRV_I"), of("RLL2SRV_D"), of("RLL2SRV_IMAX"));
  const AxisGains pitch = axis_gains(of("PTCH2SRV_TCONST"), of("PTCH2SRV_P"), of("PTCH2SRV_I"), of("PTCH2SRV_D"), of("PTCH2SRV_IMAX"));
  const double yaw = of("YAW2SRV_DAMP") / (kDegree * kFullTravel);
  g.roll_time = roll.time, g.pitch_time = pitch.time;
  g.roll_rate = rate_limit(of("RLL2SRV_RMAX"));
  g.pitch_rate_up = rate_limit(of("PTCH2SRV_RMAX_UP")), g.pitch_rate_down = rate_limit(of("PTCH2SRV_RMAX_DN"));
  g.rate_p = {roll.p, pitch.p, yaw};
  g.rate_i = {roll.i, pitch.i, yaw * of("YAW2SRV_INT")};
  g.rate_ff = {roll.ff, pitch.ff, 0};
  g.integral_limit = {roll.limit, pitch.limit, of("YAW2SRV_IMAX") * 0.01 / kFullTravel};
  g.scaling_speed = of("SCALING_SPEED"), g.turn_pitch = of("PTCH2SRV_RLL"), g.turn_yaw = of("YAW2SRV_RLL");
  g.yaw_washout = 0.2, g.rudder_mix = of("KFF_RDDRMIX");
}

void set_guidance(Parameters& of, control::WingGains<double>& g) {
  g.airspeed_min = of("ARSPD_FBW_MIN"), g.airspeed_cruise = 0.01 * of("TRIM_ARSPD_CM"), g.airspeed_max = of("ARSPD_FBW_MAX");
  g.period = of("NAVL1_PERIOD"), g.damping = of("NAVL1_DAMPING");
  g.max_bank = 0.01 * kDegree * of("LIM_ROLL_CD");
  g.pitch_min = 0.01 * kDegree * of("LIM_PITCH_MIN"), g.pitch_max = 0.01 * kDegree * of("LIM_PITCH_MAX");
  g.climb_max = of("TECS_CLMB_MAX"), g.sink_idle = of("TECS_SINK_MIN"), g.sink_max = of("TECS_SINK_MAX");
  g.height_time = g.speed_time = of("TECS_TIME_CONST");
  g.throttle_trim = 0.01 * of("TRIM_THROTTLE"), g.throttle_min = 0.01 * of("THR_MIN"), g.throttle_max = 0.01 * of("THR_MAX");
  g.throttle_damping = of("TECS_THR_DAMP"), g.pitch_damping = of("TECS_PTCH_DAMP");
  g.throttle_integral = g.pitch_integral = of("TECS_INTEG_GAIN");
  g.speed_weight = of("TECS_SPDWEIGHT"), g.bank_power = of("TECS_RLL2THR");
}

// from the first to the last time in a..b at which it is faster than its least airspeed
Stretch airborne(const PlaneLog& log, double a, double b, int mode) {
  const auto least = log.parameters.find("ARSPD_FBW_MIN");
  Stretch s{b, a, mode};
  for (std::size_t k = 0; k < log.airspeed.time.size(); ++k) {
    const double t = log.airspeed.time[k];
    if (t < a || t >= b || least == log.parameters.end() || log.airspeed.value[k] < least->second) continue;
    s.from = std::min(s.from, t), s.to = std::max(s.to, t);
  }
  return s;
}

}  // namespace

double Signal::at(double t) const {
  const std::size_t after = static_cast<std::size_t>(std::upper_bound(time.begin(), time.end(), t) - time.begin());
  if (after == 0) return value.front();
  if (after == time.size()) return value.back();
  const double gap = time[after] - time[after - 1];
  return value[after - 1] + (t - time[after - 1]) / gap * (value[after] - value[after - 1]);
}

double PlaneLog::mode_since(double t) const {
  double since = begin();
  for (const ModeChange& m : modes)
    if (m.time <= t) since = m.time;
  return since;
}

std::vector<std::string> find_plane_logs(const std::string& folder) {
  std::vector<std::string> found;
  const auto add = [&](const fs::path& path) {
    for (const char* name : {"ATT.csv", "CTUN.csv", "NTUN.csv"})
      if (!fs::is_regular_file(path / name)) return;
    found.push_back(path.string());
  };
  std::error_code ignored;
  add(fs::path(folder));
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied, ignored))
    if (entry.is_directory(ignored)) add(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

core::Result<PlaneLog> read_plane_log(const std::string& folder) {
  PlaneLog log;
  log.folder = folder;
  Signal mode;
  const core::Status steps[] = {
      read_columns(folder, "ATT", {{"Roll", kDegree, &log.roll}, {"Pitch", kDegree, &log.pitch}}),
      read_columns(folder, "IMU", {{"GyrX", 1, &log.p}, {"GyrY", 1, &log.q}, {"GyrZ", 1, &log.r}}),
      read_columns(folder, "CTUN",
                   {{"NavRoll", kDegree, &log.wanted_roll},
                    {"NavPitch", kDegree, &log.wanted_pitch},
                    {"ThrOut", 0.01, &log.throttle},
                    {"RdrOut", 0.01 / kFullTravel, &log.rudder}}),
      read_columns(folder, "NTUN", {{"Arspd", 1, &log.airspeed}, {"Alt", 1, &log.height}}),
      read_columns(folder, "MODE", {{"mode", 1, &mode}}),
      read_parameters((fs::path(folder) / "parameters.json").string(), log.parameters),
  };
  for (const core::Status& s : steps)
    if (!s) return s.error();
  for (std::size_t k = 0; k < mode.time.size(); ++k) {
    const int now = static_cast<int>(mode.value[k]);
    if (log.modes.empty() || log.modes.back().mode != now) log.modes.push_back({mode.time[k], now});
  }
  return log;
}

std::vector<Stretch> controlled_stretches(const PlaneLog& log) {
  std::vector<Stretch> out;
  for (std::size_t k = 0; k < log.modes.size(); ++k) {
    const double end = k + 1 < log.modes.size() ? log.modes[k + 1].time : log.end();
    if (!is_controlled(log.modes[k].mode)) continue;
    const Stretch s = airborne(log, log.modes[k].time, end, log.modes[k].mode);
    if (s.length() > 0) out.push_back(s);
  }
  return out;
}

core::Result<control::WingGains<double>> gains_of(const PlaneLog& log, const control::WingGains<double>& base) {
  Parameters of{log};
  control::WingGains<double> g = base;
  set_attitude(of, g);
  set_guidance(of, g);
  core::Error error;
  error.file = (fs::path(log.folder) / "parameters.json").string();
  if (!of.missing.empty()) {
    std::vector<std::string> known;
    for (const auto& [name, value] : log.parameters) known.push_back(name);
    error.message = "there is no parameter '" + of.missing + "'";
    error.suggestion = core::did_you_mean(of.missing, known);
    return error;
  }
  // it feeds back the sideways acceleration, which our laws do not measure
  if (of("YAW2SRV_SLIP") != 0) {
    error.field = "YAW2SRV_SLIP";
    error.message = "is not 0: our yaw damper has no feedback of sideways acceleration";
    return error;
  }
  return g;
}

}  // namespace volary::validation
