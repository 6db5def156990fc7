// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "validation/rotor_log.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "math/functions.hpp"
#include "scenario/csv_columns.hpp"
#include "scenario/node.hpp"

namespace volary::validation {

namespace {

constexpr double kDegree = 0.017453292519943295;
constexpr double kFullCommand = 65535;

constexpr double kMotorsOn = 0.1;     // mean command above which the vehicle may fly
constexpr double kOff = 0.3;          // s below it that end a flight
constexpr double kStirs = 10;         // deg/s about x or y, smoothed: nothing on the ground turns like this
constexpr double kStirCutoff = 5;     // Hz
constexpr double kImpact = 40;        // m/s2: specific force that no rotor gives
constexpr double kSettle = 1;         // s after lift-off: ground effect is over, the feet are free
constexpr double kBeforeEnd = 0.15;   // s before landing, impact or the end of the recording
constexpr double kShortest = 2;       // s: less is a hop, not a flight
constexpr double kWindow = 2, kGap = 0.1;  // s
constexpr double kRestNeeded = 0.5;   // s at rest that give a bias

double mean_command(const std::array<double, 4>& u) { return (u[0] + u[1] + u[2] + u[3]) / 4; }

math::Vec3<double> rest_bias(const RotorLog& log) {
  std::size_t n = 0;
  while (n < log.size() && mean_command(log.command[n]) == 0) ++n;
  math::Vec3<double> sum{0, 0, 0};
  if (static_cast<double>(n) * kLogStep < kRestNeeded) return sum;
  for (std::size_t k = 0; k < n; ++k) sum = sum + log.rate[k];
  return (1 / static_cast<double>(n)) * sum;
}

// The next row, from `at` on, at which the motors have been off for kOff; excitation cuts them for less without a landing.
std::size_t motors_off(const RotorLog& log, std::size_t at) {
  const auto needed = static_cast<std::size_t>(kOff / kLogStep);
  for (std::size_t quiet = 0; at < log.size(); ++at) {
    quiet = mean_command(log.command[at]) < kMotorsOn ? quiet + 1 : 0;
    if (quiet == needed) return at + 1 - needed;
  }
  return log.size();
}

// from lift-off to motors off or an impact, whichever comes first
std::vector<Flown> find_flown(const RotorLog& log) {
  std::vector<Flown> flown;
  Samples turning[2];
  for (const math::Vec3<double>& w : log.rate) turning[0].push_back(w.x), turning[1].push_back(w.y);
  for (Samples& s : turning) s = smooth(s, kStirCutoff, kLogStep);
  for (std::size_t on = 0; on < log.size(); ++on) {
    if (mean_command(log.command[on]) < kMotorsOn) continue;
    const std::size_t off = motors_off(log, on);
    const bool in_the_air = on == 0;  // the recording begins in flight
    std::size_t lift = on;
    while (!in_the_air && lift < off && std::max(math::abs(turning[0][lift]), math::abs(turning[1][lift])) < kStirs * kDegree) ++lift;
    std::size_t end = lift;
    while (end < off && math::norm(log.specific_force[end]) < kImpact) ++end;
    const Flown f{log.time(lift), {log.time(lift) + (in_the_air ? 2 : 1) * kSettle, log.time(end) - kBeforeEnd}};
    if (f.airborne.length() >= kShortest) flown.push_back(f);
    on = off;
  }
  return flown;
}

core::Error no_growth(const scenario::CsvFile& csv, std::size_t row) {
  return csv.error(csv.rows[row].front(), "time does not go forward");
}

}  // namespace

std::size_t RotorLog::row(double t) const {
  const double at = math::round((t - start) / kLogStep);
  return static_cast<std::size_t>(std::clamp(at, 0.0, static_cast<double>(size() - 1)));
}

const std::vector<std::string>& rotor_log_columns() {
  static const std::vector<std::string> names = {"t_s",        "acc_x_g",  "acc_y_g",  "acc_z_g",  "gyro_x_dps", "gyro_y_dps",
                                                 "gyro_z_dps", "m1_pwm16", "m2_pwm16", "m3_pwm16", "m4_pwm16"};
  return names;
}

core::Result<RotorLog> read_rotor_log(const std::string& path) {
  const core::Result<std::string> text = scenario::read_file(path);
  if (!text) return text.error();
  const core::Result<scenario::CsvFile> csv = scenario::parse_csv(text.value(), path);
  if (!csv) return csv.error();
  std::vector<Samples> columns;
  for (const std::string& name : rotor_log_columns()) {
    core::Result<std::vector<double>> column = scenario::csv_column(csv.value(), name);
    if (!column) return column.error();
    columns.push_back(std::move(column).value());
  }
  const Samples& time = columns[0];
  for (std::size_t k = 1; k < time.size(); ++k)
    if (!(time[k] > time[k - 1])) return no_growth(csv.value(), k);

  RotorLog log;
  log.file = path;
  log.name = std::filesystem::path(path).stem().string();
  log.start = time.front();
  for (std::size_t c = 1; c < columns.size(); ++c) columns[c] = c < 7 ? resample(time, columns[c], kLogStep) : resample_held(time, columns[c], kLogStep);
  for (std::size_t k = 0; k < columns[1].size(); ++k) {
    log.specific_force.push_back(kGravity * math::Vec3<double>{columns[1][k], columns[2][k], columns[3][k]});
    log.rate.push_back(kDegree * math::Vec3<double>{columns[4][k], columns[5][k], columns[6][k]});
    log.command.push_back({columns[7][k] / kFullCommand, columns[8][k] / kFullCommand, columns[9][k] / kFullCommand, columns[10][k] / kFullCommand});
  }
  prepare(log);
  return log;
}

void prepare(RotorLog& log) {
  const math::Vec3<double> bias = rest_bias(log);
  AxisSamples raw;
  for (std::size_t k = 0; k < log.size(); ++k) {
    log.rate[k] = log.rate[k] - bias;
    raw[0].push_back(log.specific_force[k].z);
    raw[1].push_back(log.rate[k].x);
    raw[2].push_back(log.rate[k].y);
    raw[3].push_back(log.rate[k].z);
  }
  for (std::size_t a = 0; a < kAxesCompared; ++a) {
    log.measured[a] = smooth(raw[a], kCompareCutoff, kLogStep);
    if (a > 0) log.measured[a] = slope(log.measured[a], kLogStep);
  }
  log.flown = find_flown(log);
}

Windows plan_windows(const RotorLog& log, const std::optional<Span>& chosen) {
  Windows w;
  const auto add = [](std::vector<Span>& to, double from, double until) {
    if (until - from >= 2 * kGap) to.push_back({from, until});
  };
  for (const Flown& f : log.flown) {
    const Span& a = f.airborne;
    if (chosen) {
      add(w.score, std::max(a.from, chosen->from), std::min(a.to, chosen->to));
      add(w.fit, a.from, std::min(a.to, chosen->from - kGap));
      add(w.fit, std::max(a.from, chosen->to + kGap), a.to);
      continue;
    }
    bool fits = true;
    for (double t = a.from; t < a.to; t += kWindow, fits = !fits) {
      const double end = std::min(t + kWindow, a.to);
      if (fits)
        add(w.fit, t, end);
      else
        add(w.score, t + kGap, end - kGap);
    }
  }
  return w;
}

}  // namespace volary::validation
