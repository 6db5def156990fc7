// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The coaxial X8 of the Advanced Control Systems Lab, Virginia Tech, on a stadium path indoors: our multirotor under our control ladder with the recorded
// gains and reference, beside the real flight. Nobody published how near a simulation should come; the thresholds are ours.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "math/functions.hpp"
#include "scenario/airframe.hpp"
#include "validation/check.hpp"
#include "validation/flight_files.hpp"
#include "validation/tracking_flight.hpp"

namespace volary::validation {

namespace {

namespace fs = std::filesystem;

// ours: a tenth of the path's height and width, a quarter of the real error, and what a pilot would call the same flight
constexpr double kMostDistance = 0.2;     // m, root mean square
constexpr double kMostErrorRatio = 0.25;  // of the real tracking error
constexpr double kLeastR2[] = {0.9, 0.8, 0.5, 0.9};
constexpr const char* kResponses[] = {"position", "velocity", "lean", "heading"};

bool finds_data(const CheckOptions& options) { return !find_flights(options, tracking_log_columns()).empty(); }

double heading(const math::Quat<double>& q) {
  const math::Mat3<double> m = math::rotation_matrix(q);
  return math::atan2(m.row1.x, m.row0.x);
}

double squared(const math::Vec3<double>& v) { return math::dot(v, v); }

struct Comparison {
  double distance = 0, our_error = 0, real_error = 0;  // m, root mean square: ours to the real flight, each to the reference
  std::array<Explained, 4> response;                   // as in kResponses; all axes of a response together, each about its own mean
};

// pooled over axes, so that one that hardly moves counts for little
void add_axes(const std::vector<math::Vec3<double>>& real, const std::vector<math::Vec3<double>>& ours, int axes, Explained& out) {
  math::Vec3<double> mean{0, 0, 0};
  for (const math::Vec3<double>& v : real) mean = mean + (1 / static_cast<double>(real.size())) * v;
  for (std::size_t k = 0; k < real.size(); ++k) {
    const math::Vec3<double> a = real[k] - mean, b = ours[k] - mean;
    out.add(a.x, b.x), out.add(a.y, b.y);
    if (axes == 3) out.add(a.z, b.z);
  }
}

Comparison compare(const TrackingLog& log, const TrackingFlight& flight) {
  Comparison c;
  std::vector<math::Vec3<double>> real[3], ours[3];
  double turns = 0;  // the real heading without jumps
  for (std::size_t k = 0; k < flight.rows.size(); ++k) {
    const TrackedRow &r = log.rows[flight.first + k], &s = flight.rows[k];
    c.distance += squared(s.position - r.position);
    c.our_error += squared(s.position - r.wanted_position), c.real_error += squared(r.position - r.wanted_position);
    real[0].push_back(r.position), ours[0].push_back(s.position);
    real[1].push_back(r.velocity), ours[1].push_back(s.velocity);
    real[2].push_back(math::body_z_W(r.attitude)), ours[2].push_back(math::body_z_W(s.attitude));
    const auto short_way = [](double angle) { return angle - 6.283185307179586 * math::round(angle / 6.283185307179586); };
    turns += k > 0 ? short_way(heading(r.attitude) - heading(log.rows[flight.first + k - 1].attitude)) : heading(r.attitude);
    c.response[3].add(turns, turns + short_way(heading(s.attitude) - heading(r.attitude)));
  }
  for (int k = 0; k < 3; ++k) add_axes(real[k], ours[k], k == 2 ? 2 : 3, c.response[static_cast<std::size_t>(k)]);
  const double n = static_cast<double>(flight.rows.size());
  c.distance = math::sqrt(c.distance / n), c.our_error = math::sqrt(c.our_error / n), c.real_error = math::sqrt(c.real_error / n);
  return c;
}

void add_picture(const TrackingLog& log, const TrackingFlight& flight, CheckReport& report) {
  Picture picture{"tracking_" + log.name, fmt::format("{}: the real flight and ours under the recorded gains", log.name), "time, s", {}, {}};
  const char* titles[] = {"east", "north", "up, less 1 m", "lean to the east", "lean to the north"};
  for (const char* title : titles)
    picture.panels.push_back({title, picture.panels.size() < 3 ? "m" : "-", {{"real", {}}, {"simulated", {}}, {"wanted", {}}}, {}});
  for (int k = 3; k < 5; ++k) picture.panels[static_cast<std::size_t>(k)].curves.pop_back();
  for (std::size_t k = 0; k < flight.rows.size(); ++k) {
    const TrackedRow &r = log.rows[flight.first + k], &s = flight.rows[k];
    picture.x.push_back(r.time);
    const math::Vec3<double> wanted{0, 0, 1}, a = r.position - wanted, b = s.position - wanted, c = r.wanted_position - wanted;
    const math::Vec3<double> lean = math::body_z_W(r.attitude), our_lean = math::body_z_W(s.attitude);
    const double rows[5][3] = {{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}, {lean.x, our_lean.x, 0}, {lean.y, our_lean.y, 0}};
    for (std::size_t p = 0; p < 5; ++p)
      for (std::size_t j = 0; j < picture.panels[p].curves.size(); ++j) picture.panels[p].curves[j].values.push_back(rows[p][j]);
  }
  report.pictures.push_back(std::move(picture));
}

void add_remark(const TrackingLog& log, const TrackingFlight& flight, CheckReport& report) {
  const std::string flown =
      fmt::format("{}: in the air from {:.2f} to {:.2f} s, scored from {:.2f} to {:.2f} s, simulated from the recorded state on.", log.name, log.airborne.from,
                  log.airborne.to, flight.rows.front().time, flight.rows.back().time);
  if (flight.identified < kLeastIdentified) {
    report.remarks.push_back(
        fmt::format("{} Only {:.1f} s lie outside the scored part, less than {:g} s, so nothing is identified. Its rotors deliver the commanded thrust, and "
                    "its integrals run at the rate of its clock.",
                    flown, flight.identified, kLeastIdentified));
    return;
  }
  report.remarks.push_back(
      fmt::format("{} Identified on the {:.1f} s that are not scored. Its rotors deliver {:.3f} of the commanded thrust (mean command compared with the "
                  "published mass). Its integrals run {:.2f} times as fast as its clock (commanded thrust compared with the logged gain).",
                  flown, flight.identified, flight.delivered, flight.integral_rate));
}

// what becomes of logged gains before they are flown: validation/tracking_flight.cpp has the reasons
constexpr const char* kTransform =
    "The logged gains are converted before they are used. The recorded law turns the wanted force into body axes and takes its angles as the attitude to "
    "reach. At attitude a, with w wanted, it therefore aims at w - a: P (w - 2 a) = 2 P (w/2 - a). Ours aims at w/2. The horizontal position gains P, D, I and "
    "the wanted horizontal acceleration are halved; P and I of roll and pitch are doubled. The recorded clock for slopes runs k times too fast, where k is the "
    "rate of its integrals. I is therefore multiplied by k, and D of roll and pitch by 1 + 1/k. Of the slope of the target, 2 / (k + 1) is fed forward. A PID "
    "on angles (p, d, i) becomes P on attitude (a) over PI on rates (r, j). The conversion is r = d, a r + j = p, a j = i. Height and yaw gains are unchanged "
    "but for k.";

void add_flight(const TrackingLog& log, const TrackingFlight& flight, CheckReport& report) {
  const Comparison c = compare(log, flight);
  const std::string path = "tracking/" + log.name + "/";
  const std::size_t before = report.figures.size();
  report.figures.push_back({path + "distance_to_real", c.distance, "m", kMostDistance, Sense::AtMost});
  report.figures.push_back({path + "error_beside_real", math::abs(c.our_error / c.real_error - 1), "-", kMostErrorRatio, Sense::AtMost});
  for (std::size_t k = 0; k < 4; ++k)
    report.figures.push_back({fmt::format("{}{}_r2", path, kResponses[k]), c.response[k].r2(), "-", kLeastR2[k], Sense::AtLeast});
  const bool holds = std::all_of(report.figures.begin() + static_cast<std::ptrdiff_t>(before), report.figures.end(), [](const Figure& f) { return f.holds(); });
  report.table.push_back({log.name, fmt::format("{:.3f}", c.distance), fmt::format("{:.3f}", c.our_error), fmt::format("{:.3f}", c.real_error),
                          fmt::format("{:.3f}", c.response[0].r2()), fmt::format("{:.3f}", c.response[1].r2()), fmt::format("{:.3f}", c.response[2].r2()),
                          fmt::format("{:.3f}", c.response[3].r2()), holds ? "ok" : "FAILED"});
  add_remark(log, flight, report);
  add_picture(log, flight, report);
}

core::Result<CheckReport> run(const CheckOptions& options) {
  const core::Result<Airframe> airframe = scenario::load_airframe((fs::path(options.assets) / "vehicles" / "x8.yaml").string());
  if (!airframe) return airframe.error();
  const auto& def = *static_cast<const airframe::MultirotorDef*>(airframe.value().definition.get());
  CheckReport report;
  report.title = "Coaxial X8 on a path, in closed loop with the recorded gains";
  report.header = {"flight", "ours to real m", "our error m", "real error m", "position R2", "velocity R2", "lean R2", "heading R2", ""};
  for (const FlightFile& file : find_flights(options, tracking_log_columns())) {
    if (!file.scored) continue;
    const core::Result<TrackingLog> log = read_tracking_log(file.path);
    if (!log) {
      report.errors.push_back(log.error());
      continue;
    }
    const Span& air = log.value().airborne;
    const Span span = options.window ? Span{std::max(air.from, options.window->first), std::min(air.to, options.window->second)} : scored_span(log.value());
    if (span.length() < 1) {
      core::Error error;
      error.file = file.path;
      error.message =
          fmt::format("is not in the air for a second of the window; it flies from {:.2f} to {:.2f} s", log.value().airborne.from, log.value().airborne.to);
      report.errors.push_back(error);
      continue;
    }
    const core::Result<TrackingFlight> flight = fly_again(log.value(), def, span);
    if (!flight) return flight.error();
    add_flight(log.value(), flight.value(), report);
  }
  report.remarks.emplace_back(kTransform);
  report.remarks.emplace_back("The thresholds are our own: no publication says how near a simulation should come.");
  return report;
}

}  // namespace

const Check kTrackingCheck = {"tracking",
                              "a coaxial X8 on a path in closed loop, with its logged gains and reference",
                              "CSV files of the ACSL flight stack (User-defined position x [m], ...) with gains_*.json beside them",
                              finds_data,
                              run,
                              true,
                              [](const std::string& path) { return has_columns(path, tracking_log_columns()); },
                              "The vehicle has a thrust loss that the controller does not know, and the controller an extra feed-forward between its loops. No scenario "
                              "can use either. Both are identified on the same flights, outside the scored window."};

}  // namespace volary::validation
