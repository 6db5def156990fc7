// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/record_options.hpp"

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdlib>
#include <filesystem>

#include "cli/command.hpp"
#include "core/suggest.hpp"
#include "replay/library.hpp"

namespace volary::cli {

namespace fs = std::filesystem;

void add_record_options(CLI::App& c, RecordOptions& o) {
  c.add_flag("--no-record", o.off, "do not record the run");
  c.add_option("--record", o.file, "path of the recording; default: a new file in the library of runs");
  c.add_option("--record-limit", o.limit, "size limit such as 500MB, or none; at 7/8 of the limit no more trajectories are stored, and at the limit the recording ends")
      ->capture_default_str();
  c.add_flag("--record-no-view", o.no_view, "record only the data that a bit-exact replay needs, without trajectories to draw");
  c.add_option("--record-position", o.position, "largest error of a recorded position in m")->check(CLI::Range(1e-4, 100.0))->capture_default_str();
  c.add_option("--record-velocity", o.velocity, "largest error of a recorded velocity in m/s")->check(CLI::Range(1e-4, 100.0))->capture_default_str();
  c.add_option("--record-angle", o.angle_deg, "largest error of a recorded attitude in degrees")->check(CLI::Range(1e-2, 90.0))->capture_default_str();
}

core::Result<std::uint64_t> parse_size(const std::string& text) {
  if (text == "none") return std::uint64_t{0};
  double number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string unit(end, text.data() + text.size());
  while (unit.starts_with(' ')) unit.erase(0, 1);
  double scale = 0;
  for (const auto& [name, value] : {std::pair{"", 1.0}, {"B", 1.0}, {"kB", 1e3}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}})
    if (unit == name) scale = value;
  const double bytes = number * scale;
  if (code != std::errc() || scale == 0 || !(bytes >= 65'536 && bytes < 1e18)) {
    return core::Error{.message = "'" + text.substr(0, 60) + "' is not a size of at least 64 kB", .suggestion = "such as 500MB, 2GB or none"};
  }
  return static_cast<std::uint64_t>(bytes);
}

core::Result<replay::RecorderOptions> recorder_options(const RecordOptions& o) {
  const auto limit = parse_size(o.limit);
  if (!limit) {
    core::Error error = limit.error();
    error.field = "--record-limit";
    return error;
  }
  replay::RecorderOptions r;
  r.program = VOLARY_VERSION;
  r.view = !o.no_view;
  r.max_bytes = limit.value();
  r.bounds = {o.position, o.velocity, o.angle_deg * 0.017453292519943295};
  return r;
}

std::string runs_folder() {
  if (const char* runs = std::getenv("VOLARY_RUNS"); runs != nullptr && *runs != '\0') return runs;
  if (const char* xdg = std::getenv("XDG_DATA_HOME"); xdg != nullptr && *xdg == '/') return (fs::path(xdg) / "volary" / "runs").string();
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') return (fs::path(home) / ".local/share/volary/runs").string();
  return "runs";
}

std::string user_folder() {
  if (const char* data = std::getenv("VOLARY_DATA"); data != nullptr && *data != '\0') return data;
  return fs::path(runs_folder()).parent_path().string();
}

core::Result<std::unique_ptr<replay::Recorder>> start_recording(const RecordOptions& o, World& world, const scenario::Bundle& bundle,
                                                                const std::string& extra_json) {
  if (o.off) return std::unique_ptr<replay::Recorder>();
  auto options = recorder_options(o);
  if (!options) return options.error();
  options.value().extra = extra_json;
  options.value().continues = o.continues;
  if (o.no_checkpoints) options.value().checkpoint_seconds = 1e12;
  std::string path = o.file;
  if (path.empty()) {
    std::error_code code;
    fs::create_directories(runs_folder(), code);
    if (code) return core::Error{.message = "cannot be made: " + code.message(), .file = runs_folder(), .suggestion = "--record FILE, or --no-record"};
    path = (fs::path(runs_folder()) / (replay::new_run_id(fs::path(bundle.main).stem().string()) + ".vrec")).string();
  }
  return replay::Recorder::open(path, world, bundle, std::move(options).value());
}

void show_notices(replay::Recorder& recorder) {
  for (const std::string& text : recorder.take_notices()) std::fprintf(stderr, "volary: %s\n", text.c_str());
}

}  // namespace volary::cli
