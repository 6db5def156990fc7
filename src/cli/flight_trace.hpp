// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a report draws of a flight: some hundred samples of the swarm, the tracks of some vehicles, and the first events.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "runner/sink.hpp"

namespace volary::cli {

class FlightTrace final : public runner::Sink {
 public:
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  static constexpr std::size_t kMostSamples = 600, kMostTracks = 100, kMostEvents = 500;

  struct Spread {
    double low = kNone, mean = kNone, high = kNone;
  };
  struct Sample {
    std::uint64_t tick = 0;
    double time = 0;             // s
    Spread up, speed;            // m in the world frame, m/s; over all vehicles alive
    double error = kNone;        // m: greatest tracking error since the sample before, from metrics_from on
    double closest = kNone;      // m between the centres of two vehicles of a world that are neither parked nor crashed
  };
  struct Place {
    std::uint64_t tick;
    double time, east, north, up, speed;  // s, m, m/s
  };
  struct Track {
    std::string name;
    std::vector<Place> places;
  };
  struct Happening {
    std::uint64_t tick;
    double time;  // s
    std::string vehicle, what;
  };

  void begin(World& world, bool again) override;
  void event(World& world, const Event& event) override;
  void after_tick(World& world) override;
  void restored(World& world) override;  // what comes after the present tick is forgotten
  void end(World& world) override;

  const std::vector<Sample>& samples() const { return samples_; }
  const std::vector<Track>& tracks() const { return tracks_; }  // of the first world of a batch
  const std::vector<Happening>& events() const { return events_; }
  std::uint64_t n_events() const { return n_events_; }  // also those that are not kept
  double interval() const { return interval_; }         // s between two samples

 private:
  void look(const World& world);
  void follow(const World& world, VehicleId id, const Place& place);

  std::uint64_t every_ = 1, errors_every_ = 1;  // ticks
  double interval_ = 0, tick_ = 0.01;           // s
  std::size_t stride_ = 1;                      // every how many vehicles one is followed
  double error_ = kNone;
  std::vector<Sample> samples_;
  std::vector<Track> tracks_;
  std::map<std::uint64_t, std::size_t> track_of_;  // by id
  std::vector<Happening> events_;
  std::uint64_t n_events_ = 0;
};

}  // namespace volary::cli
