// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Recordings. A Recorder writes one while a world is stepped. A Recording reads it, flies it again to the same bits, and exports it for other programs.
// docs/recording.md describes the file. No function here throws. An error is a text with the file and advice.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "volary/api.hpp"
#include "volary/scenario.hpp"
#include "volary/world.hpp"

namespace volary {

// Contents and limits of a recording.
struct RecordOptions {
  bool trajectories = true;                 // false: only what a bit-exact replay needs, nothing to draw
  double position_error = 0.05;             // m, greatest error of a recorded position
  double velocity_error = 0.1;              // m/s, greatest error of a recorded velocity
  double attitude_error = 0.008726646;      // rad, greatest error of a recorded attitude
  double checkpoint_interval = 10;          // s of simulated time between two stored states
  std::uint64_t max_bytes = 4'000'000'000;  // size at which the recording ends; 0: no limit
};

// Steps a world and writes it to a file. Inputs that the program submits to the world are recorded.
class VOLARY_API Recorder {
 public:
  // Makes a new file and begins at the present tick of the world. `files` are those of load_scenario(). Without them, the recording can be flown again only by a
  // program that gives the definition. The world outlives the recorder and should be made with RunOptions::hash_every_tick. Returns an empty pointer, and a message in `error`, when the file
  // cannot be made.
  static std::unique_ptr<Recorder> create(const std::string& path, World& world, const ScenarioFiles& files, const RecordOptions& options, std::string* error);
  ~Recorder();  // closes the file
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // Advances the world by a number of ticks and records each. A tick that the world makes by World::step() is missing, and ends the recording.
  void step(std::uint64_t ticks = 1);
  std::vector<Event> take_events();  // events since the last call; they are recorded, and World::take_events() returns none of them
  void metric(const std::string& name, double value, const std::string& unit = "");  // adds a figure of this tick
  void judge(const std::string& verdict, const std::string& reason);  // the result of the run, for the end of the file, such as "passed"
  bool is_recording() const;               // false: the recording has ended; the world can still be stepped
  std::vector<std::string> take_notices();  // reasons why the recording, or its trajectories, ended early, each once
  std::uint64_t bytes() const;             // size of the file so far
  bool close(std::string* error = nullptr);  // writes the rest. Returns false, with a message, when the file lacks something

 private:
  Recorder();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The head of a recording, and its state.
struct RecordingInfo {
  std::string path, program;           // path of the file, version of the program that wrote it
  std::string scenario, description;   // name and description of the world
  std::uint64_t seed = 0;
  std::int64_t tick_ns = 0;            // length of a tick in nanoseconds
  std::uint64_t first_tick = 0, last_tick = 0;
  int worlds = 1;
  std::vector<std::string> flocks;     // names of the flocks
  bool closed = false;                 // the run ended in order
  bool damaged = false;                // data in the middle of the file are missing
  std::vector<std::string> problems;   // a sentence for each fault of the file
  bool has_trajectories = false;
  double position_error = 0, velocity_error = 0, attitude_error = 0;  // m, m/s, rad: greatest errors of the trajectories
  std::string verdict, reason;         // result of the run; empty: none was given
};

// A vehicle of a recording.
struct RecordedVehicle {
  VehicleId id;
  std::string name, flock;
  std::uint32_t world = 0;                    // index of its world in the batch
  std::uint64_t spawn_tick = 0;               // first tick whose state has the vehicle
  std::optional<std::uint64_t> removal_tick;  // first tick whose state does not have it any more; absent: it stayed to the end
};

// A figure that the recording program added.
struct RecordedMetric {
  std::uint64_t tick = 0;
  std::string name;
  double value = 0;
  std::string unit;
};

// The pose of a vehicle at a moment, within the error bounds of the recording.
struct RecordedPose {
  std::size_t vehicle = 0;                                // index in Recording::vehicles()
  Vec position_W = {0, 0, 0}, velocity_W = {0, 0, 0};     // m, m/s
  std::array<double, 4> attitude_WB = {1, 0, 0, 0};       // w x y z
  std::optional<Mode> mode;                               // absent: not recorded
};

// How a recording is flown again.
struct ReplayOptions {
  int threads = 1;
  bool allow_plugins = false;     // true: shared libraries in the recording may run. Set it only for recordings whose source you trust
  const WorldDef* def = nullptr;  // definition of a world that was recorded without files
};

// The result of flying a recording again and comparing the state hash of every tick.
struct RecordingCheck {
  bool exact = false;                        // every tick was compared and none differs
  std::uint64_t compared = 0, skipped = 0;   // ticks that were compared, and ticks whose data are damaged
  std::optional<std::uint64_t> difference;   // first tick that differs
  std::vector<std::string> notes;
};

// Exact values of the vehicles of one flock, a row for each vehicle and moment. Rows are in the order of time, then of vehicles.
struct RecordedTable {
  std::string flock;
  std::vector<std::uint64_t> tick;       // of each row
  std::vector<std::size_t> vehicle;      // of each row: index in Recording::vehicles()
  std::vector<ColumnDoc> columns;
  std::vector<std::vector<double>> values;  // by column: values[c][row * columns[c].components + k]
};

// Format of an export. Tum and Ulog are folders with a file for each vehicle; all others are one file, and Csv adds files for events, tasks and messages.
enum class ExportFormat { Csv, Npz, Mcap, Tum, Kml, Html, Ulog };

// Contents of an export.
struct ExportOptions {
  ReplayOptions replay = {};
  double rate = 0;                        // samples per second of simulated time; 0: every tick
  bool trajectories = false;              // true: from the recorded trajectories, within their error bounds; false: exact, flown again
  std::vector<std::string> columns = {};  // of Csv, Npz and Mcap, such as "position"; empty: a default set; "all": every column
  bool events = true, tasks = true, messages = true;  // tables besides that of the vehicles, where the format has them
};

// The size of an export.
struct ExportResult {
  std::uint64_t files = 0, bytes = 0;
  std::uint64_t samples = 0;              // rows of vehicles
};

// A recording that is read.
class VOLARY_API Recording {
 public:
  // Opens a file and checks it. A damaged file can be opened as long as its head is left. Returns an empty pointer, and a message in `error`, when it cannot be read.
  static std::unique_ptr<Recording> open(const std::string& path, std::string* error);
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  const RecordingInfo& info() const;
  const std::vector<RecordedVehicle>& vehicles() const;  // every vehicle that was ever in it
  const std::vector<Event>& events() const;
  std::vector<RecordedMetric> metrics() const;
  std::optional<std::uint64_t> hash(std::uint64_t tick) const;  // state hash after a tick; absent: not in the recording
  // Poses at a time in s since the start of the scenario, from the recorded trajectories; moments between two ticks are interpolated.
  Loaded<std::vector<RecordedPose>> poses(double time) const;

  // These need the scenario in the recording, or ReplayOptions::def.
  Loaded<WorldDef> scenario(const ReplayOptions& options = {}) const;  // definition of the world
  // The world at a time in s, flown there. Later inputs of the recording are not part of it. Returns an empty pointer, and a message in `error`, when the moment cannot be reached.
  std::unique_ptr<World> world_at(double time, const ReplayOptions& options, std::string* error) const;
  Loaded<RecordingCheck> verify(const ReplayOptions& options = {}) const;
  // Exact values of columns, flown again. Names are those of World::columns(), "mode" and "tracking_error"; none: a default set. `rate` in samples per
  // second of simulated time; 0: every tick. All of it is kept in memory: for long runs of large swarms, export a file.
  Loaded<std::vector<RecordedTable>> columns(const std::vector<std::string>& names, double rate = 0, const ReplayOptions& options = {}) const;
  // Writes a new file. An error leaves nothing behind. Html needs the built page.
  Loaded<ExportResult> export_to(ExportFormat format, const std::string& path, const ExportOptions& options = {}) const;

 private:
  Recording();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace volary
