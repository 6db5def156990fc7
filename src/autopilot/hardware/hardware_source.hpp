// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Flocks whose vehicles are flown by PX4 on real boards, each at a serial line of its own, as a source of the runner. A board cannot wait, so a run with boards goes in
// real time: when a tick is done its sensors are sent, and when the next one begins the newest outputs that have arrived are flown. The run never waits for a board. A
// thread reads the lines, so that arrivals are timed when they happen. Outputs become the same inputs as those of autopilots in lock-step: the recording replays without
// any board.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "autopilot/hardware/board.hpp"
#include "autopilot/link/links.hpp"
#include "autopilot/link_traffic.hpp"
#include "autopilot/lockstep/flown_vehicle.hpp"
#include "runner/autopilots.hpp"
#include "runner/clock.hpp"
#include "runner/source.hpp"

namespace volary::autopilot {

struct HardwareOptions {
  std::vector<LinkAddress> devices;  // serial lines of the vehicles, in the order of flocks and vehicles
  BoardLimits limits = {};
  double retry = 1;  // s between two attempts to open a device again
  std::function<void(const std::string&)> tell = {};  // people
  std::function<double()> now = runner::steady_now;  // s; from two threads
};

// "/dev/ttyACM0" or "/dev/ttyS1:921600"
core::Result<LinkAddress> parse_device(std::string_view text);
// An error where vehicles and devices are not as many, or where a line is too slow for the tick.
core::Status check_devices(const std::vector<LinkAddress>& devices, std::size_t n_vehicles, std::int64_t tick_ns);

class HardwareSource final : public runner::Source, public runner::Autopilots {
 public:
  explicit HardwareSource(HardwareOptions options);
  ~HardwareSource() override;

  // whether its devices fit so many vehicles and such a tick
  core::Status check(std::size_t n_vehicles, std::int64_t tick_ns) const { return check_devices(options_.devices, n_vehicles, tick_ns); }
  // the flocks of the world that begins next; those that PX4 does not fly are left out
  void fly(const std::vector<FlockAutopilot>& flocks);

  std::string name() const override { return "PX4 boards"; }
  void start(const World& world) override;
  void ask(const World& world) override;
  core::Status give(const World& world, std::vector<Input>& inputs) override;
  void reset(const World& world) override;
  void stop(const World& world) override;

  bool is_used() const override { return lines_ != nullptr; }
  bool flies(VehicleId id) const override { return is_used() && find(id) != nullptr; }
  runner::AutopilotReport report_of(VehicleId id) const override;
  std::vector<runner::LinkReport> link_reports() const override;
  core::Status order(VehicleId id, const runner::FlightOrder& order) override;

  // of the run that flies, or of the last one; from any thread
  std::vector<BoardFigures> figures() const;

 private:
  struct Seat {
    FlownVehicle vehicle;
    Board board;
    std::string device;
    std::optional<ChannelId> channel = {};
    std::uint64_t dropped = 0;  // bytes of the channel
    FrameCounts before = {};    // those of earlier channels
  };
  struct FlockOf {
    std::string name;
    ActuatorMap actuators;
    std::size_t first = 0, count = 0;  // of the seats
  };
  const Seat* find(VehicleId id) const;
  FrameCounts frames_of(ChannelId channel) const;
  core::Status open(const World& world);
  void serve();  // the thread
  void on_event(const LinkEvent& event);
  bool send(Seat& seat, std::span<const std::byte> bytes);  // under the lock; false: dropped
  void end();
  void watch_pace(const World& world);
  bool is_asked(const World& world) const { return world.tick() % every_ == 0; }

  HardwareOptions options_;
  std::vector<FlockAutopilot> wanted_;
  std::vector<FlockOf> flocks_;
  std::unique_ptr<SensorSite> site_;
  std::uint64_t every_ = 1;  // ticks between two readings of the sensors
  double period_ = 0;  // s between two readings
  std::string failure_;  // ends the run

  // of the pace of the run
  double asked_ = 0, window_ = 0, pace_told_ = -1e9;  // s
  std::uint64_t window_tick_ = 0;
  bool has_window_ = false;

  mutable std::mutex mutex_;  // of seats and of sending
  std::vector<Seat> seats_;
  LinkTraffic traffic_{0, 0, {}};  // of the run
  std::unique_ptr<Links> lines_;
  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

}  // namespace volary::autopilot
