// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Records whatever flies into the library of runs: a flight on its own, or one live run after another. A recording that
// cannot be made or cannot go on is a message, never the end of the run.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cli/flight.hpp"
#include "cli/record_options.hpp"

namespace volary::cli {

class RunRecorder final : public runner::Sink {
 public:
  // a recording ends with the figures of the log, which must outlive it
  RunRecorder(RecordOptions options, const FlightLog& log) : options_(std::move(options)), log_(log) {}

  // what the next world was made of
  void set_bundle(scenario::Bundle bundle) { bundle_ = std::move(bundle); }

  // on the thread that steps
  void begin(World& world, bool again) override;
  void event(World& world, const Event& event) override;
  void after_tick(World& world) override;
  void restored(World& world) override;  // this recording ends, and another begins at the world's tick
  void end(World& world) override;

  // from any thread
  std::string id() const;    // of the run being recorded, or the last one; empty: none
  std::string path() const;
  bool recording() const;
  std::uint64_t bytes() const;

 private:
  void open(World& world, bool continues);
  void add_figures(std::uint64_t tick);
  void close();

  RecordOptions options_;
  const FlightLog& log_;
  int part_ = 1;  // of the run that was begun last
  scenario::Bundle bundle_;
  mutable std::mutex mutex_;
  std::unique_ptr<replay::Recorder> recorder_;
  std::string id_, path_;
  std::uint64_t bytes_ = 0;
};

}  // namespace volary::cli
