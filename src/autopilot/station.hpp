// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The vehicles of a world as systems on MAVLink networks, without sockets, threads and clocks. A network is a set of channels on which the same vehicles are heard;
// a vehicle's system id is its number in the network. Messages go in and out by channel, ticks by see(), and what clients command comes out as inputs.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "autopilot/link_traffic.hpp"
#include "autopilot/mavlink/router.hpp"
#include "autopilot/mavlink/signing.hpp"
#include "autopilot/virtual_autopilot.hpp"
#include "core/result.hpp"
#include "runner/autopilots.hpp"
#include "volary/world.hpp"

namespace volary::autopilot {

// system ids above are for ground stations and programs
inline constexpr std::uint64_t kMostSystems = 250;

// the vehicles of a network by their numbers; system id 1 is the first
struct VehicleRange {
  std::uint64_t first = 1, last = kMostSystems;

  friend bool operator==(const VehicleRange&, const VehicleRange&) = default;
};

struct StationCounts {
  std::uint64_t frames = 0, answered = 0;  // received; for a vehicle of this station
  std::uint64_t bad = 0, unknown = 0;  // wrong checksum or flags; messages that the table does not have
  std::uint64_t refused = 0;  // not signed as they must be, or repeated
};

class Station {
 public:
  static constexpr std::uint32_t kSource = 0x4d41564c;  // of its inputs

  Station(std::vector<VehicleRange> networks, std::optional<mavlink::Key> key);

  // the world
  void begin(World& world);
  void see(World& world);  // after every tick
  void take_inputs(std::vector<Input>& inputs);
  // a vehicle that no network has room for; said once
  std::optional<std::string> take_warning();

  // the wire; `now` in seconds of the wall, `unix_us` for signatures
  void opened(ChannelId channel, std::size_t network);
  void closed(ChannelId channel);
  void received(ChannelId channel, std::span<const std::byte> bytes, double now, std::int64_t unix_us);
  void beat(double now, std::int64_t unix_us);
  void take_sends(const std::function<void(ChannelId, std::span<const std::byte>)>& send);

  // Somebody in this process, such as a page (station_orders.cpp). An order is what a ground station would send for it, so that modes, texts and answers are the
  // same for all clients. The error is the refusal in words.
  core::Status order(VehicleId id, const runner::FlightOrder& order, double now);
  bool has(VehicleId id) const { return find(id) != nullptr; }
  runner::AutopilotReport report_of(VehicleId id) const;

  FrameCounts frames_of(ChannelId channel) const;
  std::size_t n_channels() const { return parsers_.size(); }
  StationCounts counts() const;
  const Place& place() const { return *place_; }

 private:
  struct Network {
    VehicleRange range;
    Outbox outbox;
    mavlink::Router router;
    std::map<std::uint8_t, std::unique_ptr<VirtualAutopilot>> vehicles;  // by system
  };
  struct Channel {
    std::size_t network = 0;
    mavlink::Parser parser;
    mavlink::GapCounter gaps;
    std::uint64_t refused = 0;
  };
  VirtualAutopilot* find(VehicleId id) const;
  void follow_roster(World& world);
  void take_frame(ChannelId channel, const mavlink::Frame& frame, double now, std::int64_t unix_us);
  void show_states(World& world);

  std::vector<Network> networks_;
  std::optional<mavlink::Key> key_;
  std::optional<mavlink::Verifier> verifier_;
  std::optional<Place> place_;
  std::uint64_t roster_ = 0;
  std::map<ChannelId, Channel> parsers_;
  StationCounts counts_;
  std::optional<std::string> warning_;
  bool is_warned_ = false;
};

// what does not change of a vehicle, from its world
VehicleFacts facts_of(const World& world, VehicleId id);

}  // namespace volary::autopilot
