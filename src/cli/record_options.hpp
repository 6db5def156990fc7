// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The options of recording, the same for every command that flies.
#pragma once

#include <memory>
#include <string>

#include "core/result.hpp"
#include "replay/recorder.hpp"
#include "scenario/files.hpp"

namespace CLI {
class App;
}

namespace volary::cli {

struct RecordOptions {
  bool off = false, no_view = false;
  std::string file;            // empty: a new name in the library
  std::string limit = "4GB";   // size budget
  bool continues = false;      // the world was put to the moment at which the recording begins
  bool no_checkpoints = false; // the world is shared: this process has no whole state of it
  double position = 0.05, velocity = 0.1, angle_deg = 0.5;
};

// --no-record, --record FILE, --record-limit SIZE, --record-no-view, --record-position M, --record-velocity M/S, --record-angle DEG
void add_record_options(CLI::App& command, RecordOptions& options);

// what the recorder is told; the size is checked here
core::Result<replay::RecorderOptions> recorder_options(const RecordOptions& options);

// "500MB", "2.5 GB", "1e9", "none"; 0 is no limit
core::Result<std::uint64_t> parse_size(const std::string& text);

// the folder of the user's recordings: VOLARY_RUNS, else XDG_DATA_HOME/volary/runs, else ~/.local/share/volary/runs
std::string runs_folder();
// what people save is theirs, not the program's
std::string user_folder();

// Opens the recorder at options.file, or under a new name in runs_folder() (made when it is not there). An empty pointer
// when recording is off.
core::Result<std::unique_ptr<replay::Recorder>> start_recording(const RecordOptions& options, World& world, const scenario::Bundle& bundle,
                                                                const std::string& extra_json = "");

// prints what the recorder has to say, each once, on stderr
void show_notices(replay::Recorder& recorder);

}  // namespace volary::cli
