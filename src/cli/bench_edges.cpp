// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/bench_edges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/flight.hpp"
#include "cli/paths.hpp"
#include "core/scratch_folder.hpp"
#include "math/scalar.hpp"
#include "replay/interpolate.hpp"
#include "replay/measure.hpp"
#include "replay/view_bench.hpp"
#include "server/service.hpp"

namespace volary::cli {

namespace {

namespace fs = std::filesystem;
constexpr double kDegree = 0.017453292519943295;

core::Result<WorldDef> scenario_named(const std::string& name, const std::vector<std::string>& overrides = {}) {
  const core::Result<std::string> path = find_scenario(name);
  if (!path) return path.error();
  const Loaded<WorldDef> def = load_scenario(path.value(), scenario_paths(), overrides);
  if (!def) return core::Error{.message = def.error};
  return *def.value;
}

core::Result<replay::Flights> fly(const std::string& name) {
  const auto def = scenario_named(name);
  if (!def) return def.error();
  std::string error;
  const auto world = World::create(def.value(), {}, &error);
  if (world == nullptr) return core::Error{.message = name + ": " + error};
  return replay::fly_and_keep(*world, planned_ticks(def.value()));
}

// a figure with the threshold that the project holds itself to; `most`: it may be no more than that, else no less
void add_threshold(Report& report, const std::string& name, double value, const std::string& unit, double threshold, bool most) {
  report.add(name, value, unit, {{"threshold", threshold}, {"reached", most ? value <= threshold : value >= threshold}});
}

void add_view(Report& report, const replay::Flights& flights, double degrees, double threshold) {
  const replay::CodecFigures f = replay::measure_codec(flights, {.angle = degrees * kDegree});
  const std::string at = fmt::format("view/scenario=log_gusts/position=0.05/velocity=0.1/angle={}/", degrees);
  add_threshold(report, at + "size", f.bytes_per_agent_second, "B per agent-second", threshold, true);
  add_threshold(report, at + "encode", f.encode_rate, "agent-ticks/s", 2e6, false);
  add_threshold(report, at + "decode", f.decode_rate, "agent-ticks/s", 20e6, false);
}

// SIGMA's Table III on our own flights: RMSE over all ticks of all tracks
void add_interpolators(Report& report, const std::string& scenario, const replay::Flights& flights, double knots) {
  double sum[std::size(replay::kInterpolators)] = {}, max[std::size(replay::kInterpolators)] = {};
  double n = 0;
  const std::size_t tracks = std::min<std::size_t>(flights.tracks.size(), 12);
  for (std::size_t k = 0; k < tracks; ++k) {
    const auto count = static_cast<std::uint32_t>(flights.tracks[k].position.size());
    const auto errors = replay::compare_interpolators(flights.tracks[k].part(0, 0, count), flights.tick, knots);
    for (std::size_t m = 0; m < errors.size(); ++m) {
      sum[m] += errors[m].rmse * errors[m].rmse * count;
      max[m] = std::max(max[m], errors[m].max);
    }
    n += count;
  }
  double sigma = 0;
  for (std::size_t m = 0; m < std::size(replay::kInterpolators); ++m) {
    const double rmse = math::sqrt(sum[m] / n);
    if (replay::kInterpolators[m] == replay::Interpolator::Sigma) sigma = rmse;
    const std::string name = fmt::format("interpolate/scenario={}/knots={}/method={}", scenario, knots, replay::name_of(replay::kInterpolators[m]));
    Row& row = report.add(name, rmse, "m RMSE", {{"max", max[m]}});
    if (replay::kInterpolators[m] != replay::Interpolator::Ours) continue;
    row.extra.push_back({"threshold", sigma / 2});
    row.extra.push_back({"reached", rmse <= sigma / 2});
  }
}

core::Status add_cost(Report& report) {
  const auto def = scenario_named("log_gusts", {"flocks[0].vehicles.grid.count=952"});  // 1,000 with the other flock
  if (!def) return def.error();
  const core::ScratchFolder folder;
  const auto f = replay::measure_recorder(def.value(), 3000, folder.path());
  if (!f) return f.error();
  const replay::RecorderFigures& r = f.value();
  const std::string at = fmt::format("record/scenario=log_gusts/agents={}/", r.vehicles);
  add_threshold(report, at + "real_time", r.real_time_core, "of a core", 0.10, true);
  report.add(at + "hash", r.hash_cost, "of the run");
  add_threshold(report, at + "layer1", r.truth_cost, "of the run, hash included", 0.10, true);
  report.add(at + "plain", r.plain_rate, "agent-ticks/s");
  report.add(at + "layer1/rate", r.truth_rate, "agent-ticks/s");
  report.add(at + "layers1+2/rate", r.view_rate, "agent-ticks/s");
  report.add(at + "file", r.bytes_rate, "B per agent-second",
             {{"view", r.view_bytes_rate}, {"checkpoints", r.checkpoint_bytes_rate}, {"truth", r.truth_bytes_rate}});
  return core::ok();
}

}  // namespace

core::Status bench_recording(Report& report) {
  const auto gusts = fly("log_gusts");
  if (!gusts) return gusts.error();
  add_view(report, gusts.value(), 0.5, 30);
  add_view(report, gusts.value(), 1, 20);
  if (const core::Status s = add_cost(report); !s) return s;
  for (const char* scenario : {"waypoints_delivery", "hover_gusts"}) {
    const auto flights = fly(scenario);
    if (!flights) return flights.error();
    for (const double knots : {1.0, 2.0}) add_interpolators(report, scenario, flights.value(), knots);
  }
  return core::ok();
}

core::Status bench_stream(Report& report) {
  const auto def = scenario_named("grid_1000", {"flocks[0].vehicles.grid.count=10000"});
  if (!def) return def.error();
  const auto f = server::measure_stream(def.value(), 4, 30, 5, true);
  if (!f) return f.error();
  const server::StreamFigures& s = f.value();
  const std::string at = "stream/agents=10000/clients=4/rate=30/";
  add_threshold(report, at + "frame", s.bytes_per_vehicle, "B per vehicle, header included", 24.1, true);
  add_threshold(report, at + "cost", s.share_of_core, "of a core", 0.15, true);
  report.add(at + "encode", s.encode_us, "us per frame");
  report.add(at + "delivered", s.frames_per_client, "frames/s to the slowest client that reads");
  return core::ok();
}

core::Status bench_viewer(Report& report) {
  const fs::path home = home_folder(), figures = home / "web/test-output/figures.json";
  std::error_code code;
  fs::remove(figures, code);
  const std::string command = fmt::format("VOLARY_PROGRAM='{}/volary' bash '{}' browser tests/browser.test.mjs >/dev/null 2>&1", program_folder(),
                                          (home / "tools/web_tests.sh").string());
  const int failed = std::system(command.c_str());
  std::ifstream in(figures);
  const nlohmann::json j = nlohmann::json::parse(in, nullptr, false);
  if (!j.is_object()) return core::Error{.message = "the browser tests wrote no figures", .file = figures.string(), .suggestion = "./volary test -R web"};
  for (const auto& [count, threshold] : {std::pair{"1000", 10.0}, {"10000", 5.0}}) {
    const auto found = j.find(std::string("vehicles_") + count);
    if (found == j.end() || !found->is_object()) continue;
    const std::string at = fmt::format("viewer/software_gl/agents={}/", count);
    if (found->contains("fps_live")) add_threshold(report, at + "frames", found->at("fps_live").get<double>(), "frames/s", threshold, false);
    if (found->contains("draw_ms_median")) report.add(at + "draw", found->at("draw_ms_median").get<double>(), "ms, median");
    if (found->contains("resolution")) report.add(at + "resolution", found->at("resolution").get<double>(), "of the window size");
  }
  if (failed != 0) report.add("viewer/tests", std::string("some failed"));
  return core::ok();
}

void print_edges(const Report& report) {
  std::vector<std::vector<std::string>> cells;
  for (const Row& row : report.rows) {
    const std::string kind = row.name.substr(0, row.name.find('/'));
    static constexpr std::string_view kKinds[] = {"view",  "record",     "interpolate", "stream", "swarm",  "inputs",
                                                  "state", "federation", "serial",      "broker", "viewer", "platforms"};
    if (std::find(std::begin(kKinds), std::end(kKinds), kind) == std::end(kKinds)) continue;
    std::string threshold, reached, note;
    for (const auto& [name, value] : row.extra) {
      if (name == "threshold") threshold = text_of(value);
      if (name == "reached") reached = std::get<bool>(value) ? "reached" : "NOT reached";
      if (name == "floor_ms") note = fmt::format("least possible {} ms", text_of(value));
      if (name == "ratio_to_yardstick") note = fmt::format("{:.3f} x yardstick", std::get<double>(value));
      if (name == "saturated") note = "saturated";
    }
    cells.push_back({row.name, text_of(row.value), row.unit, threshold, reached, note});
  }
  if (cells.empty()) return;
  fmt::print("\n");
  print_table({"figure", "", "", "threshold", "", ""}, cells, true);
}

}  // namespace volary::cli
