// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A station with its sockets: a source and a sink of the runner, and a thread that reads and answers whether the world moves or not. Heartbeats and answers go by the
// wall, telemetry by ticks. The runner never waits for a client. A page sees its vehicles and links, and is one client more.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "autopilot/link/links.hpp"
#include "autopilot/link_traffic.hpp"
#include "autopilot/station.hpp"
#include "core/result.hpp"
#include "runner/autopilots.hpp"
#include "runner/clock.hpp"
#include "runner/sink.hpp"
#include "runner/source.hpp"

namespace volary::autopilot {

// a link and the vehicles that are heard on it
struct StationLink {
  LinkAddress address;
  VehicleRange vehicles;
};
// "udpout:127.0.0.1:14550", or with ",vehicles=1-150" behind it
core::Result<StationLink> parse_station_link(std::string_view text);

struct StationOptions {
  std::vector<StationLink> links;
  std::optional<mavlink::Key> key;  // every message is signed, and unsigned ones are refused
};

class StationService final : public runner::Source, public runner::Sink, public runner::Autopilots {
 public:
  static core::Result<std::unique_ptr<StationService>> open(const StationOptions& options);
  ~StationService() override;

  std::string name() const override { return "MAVLink clients"; }
  core::Status give(const World& world, std::vector<Input>& inputs) override;

  void begin(World& world, bool again) override;
  void after_tick(World& world) override;
  void restored(World& world) override;

  bool is_used() const override { return true; }
  bool flies(VehicleId id) const override;
  runner::AutopilotReport report_of(VehicleId id) const override;
  std::vector<runner::LinkReport> link_reports() const override;
  core::Status order(VehicleId id, const runner::FlightOrder& order) override;

  std::vector<std::string> links() const;  // as they are, with the ports that were found
  StationCounts counts() const;
  std::size_t n_channels() const;

 private:
  StationService(Station station, const StationOptions& options, std::vector<std::size_t> network_of, std::unique_ptr<Links> sockets);
  LinkAddress address_of(std::size_t link) const;  // with the port that was found
  void serve();  // the thread
  void flush();  // under the lock
  void on_event(const LinkEvent& event);

  mutable std::mutex mutex_;  // of the station and of sending
  Station station_;
  std::vector<StationLink> addresses_;
  std::vector<std::size_t> network_of_;  // of each link
  bool is_signed_;
  LinkTraffic traffic_;
  std::unique_ptr<Links> sockets_;
  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

}  // namespace volary::autopilot
