// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The companions of the vehicles of a world, by link and system, without sockets, threads and clocks: what Station is for vehicles that are heard, this is for
// vehicles that are heard of.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "autopilot/companion.hpp"
#include "autopilot/link_traffic.hpp"
#include "autopilot/mavlink/signing.hpp"

namespace volary::autopilot {

class Companions {
 public:
  static constexpr std::uint32_t kSource = 0x4d495252;  // of its inputs

  explicit Companions(std::size_t n_links, std::optional<mavlink::Key> key = {});

  // a vehicle whose autopilot is heard on a link
  void add(std::size_t link, VehicleId id, CompanionOptions options);
  void clear();  // all vehicles; channels stay
  bool is_empty() const { return list_.empty(); }

  // the wire; `now` in seconds of one clock, `unix_us` for signatures
  void opened(ChannelId channel, std::size_t link);
  void closed(ChannelId channel);
  void received(ChannelId channel, std::span<const std::byte> bytes, double now, std::int64_t unix_us = 0);
  void beat(double now, std::int64_t unix_us = 0);
  void leave();
  void take_sends(const std::function<void(ChannelId, std::span<const std::byte>)>& send);

  FrameCounts frames_of(ChannelId channel) const;

  // the world
  void want(const World& world);  // what behaviours ask for after the last tick
  void want_hold();               // whatever behaviours asked for: the world stands still
  // where the vehicles are, one input per flock, and whether they are armed
  void take_inputs(const World& world, std::vector<Input>& inputs);
  std::vector<std::string> take_reports();

  // people
  const Companion* find(VehicleId id) const;  // none: null
  core::Status order(VehicleId id, const runner::FlightOrder& order, double now);  // as Companion has it
  std::vector<runner::Autopilots::Refusal> take_refusals();

  struct Line {
    VehicleId id;
    std::uint8_t system = 0;
    std::string status;
  };
  std::vector<Line> lines() const;

 private:
  struct One {
    VehicleId id;
    Companion companion;
    std::optional<bool> is_armed = {};  // as given last
  };
  struct Link {
    Outbox outbox{mavlink::Component::OnboardComputer};
    std::set<std::uint8_t> strangers;  // systems that are no vehicle of this world
  };
  struct Channel {
    std::size_t link = 0;
    mavlink::Parser parser;
    mavlink::GapCounter gaps;
    std::uint64_t refused = 0;
  };
  void take_frame(ChannelId channel, std::size_t link, const mavlink::Frame& frame, double now, std::int64_t unix_us);

  std::vector<Link> links_;
  std::optional<mavlink::Verifier> verifier_;
  std::map<std::pair<std::size_t, std::uint8_t>, std::unique_ptr<One>> list_;  // by link and system
  std::map<ChannelId, Channel> channels_;
  std::vector<std::string> reports_;
};

}  // namespace volary::autopilot
