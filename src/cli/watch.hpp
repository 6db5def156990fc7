// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A flight in the browser: the live session, its recording and the library of runs, put together. The only place that
// knows both the server and the recorder.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "cli/flight.hpp"
#include "cli/flight_trace.hpp"
#include "cli/run_recorder.hpp"
#include "server/service.hpp"

namespace volary::cli {

// folders of the page, the scenarios and the API's description, as `run` and `serve` offer them
server::ServeOptions page_options();

// the library of runs for the API, with the run that is being recorded; the recorder must outlive it
server::RunStore run_store(const RunRecorder& now);

// how a run ended: what the closing table needs, taken before the world goes away
struct Ending {
  struct Flock {
    std::string name, airframe, model;
    std::size_t vehicles = 0;  // at the start
  };
  std::string name;
  std::uint64_t tick = 0, hash = 0;
  double time = 0;
  std::size_t vehicles = 0;
  std::vector<StageTime> profile;
  std::vector<TaskStanding> tasks;  // over all worlds
  RadioReport radio;
  SwarmReport swarm;
  std::string worst_sender;  // its name
  std::optional<OriginDef> origin;
  // the scenario
  std::string description;
  std::uint64_t seed = 1;
  double duration = 0, tick_s = 0.01;  // s
  int substeps = 1, worlds = 1;
  std::vector<Flock> flocks;
  std::vector<std::string> warnings;
};
Ending ending_of(const World& world, std::size_t vehicles);

// Records every run of a session and keeps the figures of the last one that ended.
class Watched final : private runner::Sink {
 public:
  // `traces`: a report will draw what was flown
  explicit Watched(RecordOptions options, bool traces = false) : recorder_(std::move(options), log_), traces_(traces) {}

  RunRecorder& recorder() { return recorder_; }
  // recorder, run id and loader of scenarios for a session
  void plug_into(server::ServeOptions& options);

  struct Finished {
    Ending ending;
    Flight flight;
    FlightTrace trace;
    std::string recording;  // path, empty: none
    std::uint64_t bytes = 0;
  };
  // each finished run once
  std::optional<Finished> take_finished();

 private:
  void begin(World& world, bool again) override;
  void event(World& world, const Event& event) override;
  void after_tick(World& world) override;
  void restored(World& world) override;
  void notice(World& world, const std::string& text) override;
  void end(World& world) override;

  FlightLog log_;
  RunRecorder recorder_;
  bool traces_;
  FlightTrace trace_;
  std::optional<scenario::Bundle> loaded_;  // of the world that begins next
  double began_ = 0;  // s, wall
  std::size_t vehicles_ = 0;
  std::mutex mutex_;
  std::optional<Finished> finished_;
};

}  // namespace volary::cli
