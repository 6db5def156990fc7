// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/station.hpp"

#include <utility>

#include <fmt/format.h>

namespace volary::autopilot {

using mavlink::Frame;
using mavlink::Router;

Station::Station(std::vector<VehicleRange> networks, std::optional<mavlink::Key> key) : key_(key) {
  if (key) verifier_.emplace(*key);
  for (const VehicleRange& range : networks) {
    Network& n = networks_.emplace_back();
    n.range = range;
    if (key) n.outbox.use_key(*key);
  }
}

// ---------------------------------------------------------------- the world

void Station::begin(World& world) {
  place_.emplace(world.def().environment.weather.origin);
  for (Network& n : networks_) n.vehicles.clear();
  is_warned_ = false;
  follow_roster(world);
  show_states(world);
}

void Station::follow_roster(World& world) {
  roster_ = world.roster_version();
  for (Network& n : networks_) std::erase_if(n.vehicles, [&](const auto& v) { return !world.is_alive(v.second->facts().id); });
  for (const VehicleId id : world.vehicles()) {
    bool has_room = false;
    for (Network& n : networks_) {
      const std::uint64_t number = id.number();
      if (number < n.range.first || number > n.range.last || number - n.range.first >= kMostSystems) continue;
      has_room = true;
      const auto system = static_cast<std::uint8_t>(number - n.range.first + 1);
      const auto it = n.vehicles.find(system);
      if (it != n.vehicles.end() && it->second->facts().id == id) continue;
      n.vehicles[system] = std::make_unique<VirtualAutopilot>(facts_of(world, id), system, *place_, n.outbox);
    }
    if (!has_room && !std::exchange(is_warned_, true))
      warning_ = fmt::format(
          "{} (number {}) and perhaps others are on no MAVLink network: give them a link of their own, such as --mavlink udpout:127.0.0.1:14541,vehicles={}-{}",
          world.name_of(id), id.number(), id.number(), id.number() + kMostSystems - 1);
  }
}

std::optional<std::string> Station::take_warning() { return std::exchange(warning_, std::nullopt); }

void Station::show_states(World& world) {
  struct Columns {
    std::optional<View> attitude, omega;
  };
  std::map<std::string, Columns> columns;
  for (const std::string& flock : world.flocks()) columns[flock] = {world.find_view(flock, "attitude"), world.find_view(flock, "omega")};
  for (Network& n : networks_) {
    for (auto& [system, vehicle] : n.vehicles) {
      const VehicleId id = vehicle->facts().id;
      const Columns& c = columns[world.flock_of(id)];
      const std::size_t slot = world.slot_of(id);
      VehicleState s;
      s.time = world.time();
      s.mode = world.mode_of(id);
      s.is_alive = world.is_alive(id);
      s.has_crashed = world.has_crashed(id);
      s.position_W = world.position_of(id);
      s.velocity_W = world.velocity_of(id);
      for (std::size_t k = 0; c.attitude && k < 4; ++k) s.attitude[k] = c.attitude->at(slot, k);
      for (std::size_t k = 0; c.omega && k < 3; ++k) s.omega_B[k] = c.omega->at(slot, k);
      vehicle->see(s);
    }
  }
}

void Station::see(World& world) {
  if (world.roster_version() != roster_) follow_roster(world);
  show_states(world);
}

void Station::take_inputs(std::vector<Input>& inputs) {
  for (Network& n : networks_)
    for (auto& [system, vehicle] : n.vehicles)
      for (Payload& p : vehicle->take_orders()) inputs.push_back({.source = kSource, .target = vehicle->facts().id, .payload = std::move(p)});
}

// ---------------------------------------------------------------- the wire

void Station::opened(ChannelId channel, std::size_t network) {
  parsers_[channel].network = network;
  networks_[network].outbox.open(channel);
}

void Station::closed(ChannelId channel) {
  const auto it = parsers_.find(channel);
  if (it == parsers_.end()) return;
  Network& n = networks_[it->second.network];
  n.outbox.close(channel);
  n.router.forget(channel);
  const mavlink::Parser::Counts& c = it->second.parser.counts();
  counts_.frames += c.frames, counts_.unknown += c.unknown, counts_.bad += c.bad_checksum + c.bad_flags;
  parsers_.erase(it);
}

void Station::received(ChannelId channel, std::span<const std::byte> bytes, double now, std::int64_t unix_us) {
  const auto it = parsers_.find(channel);
  if (it == parsers_.end()) return;
  it->second.parser.feed(bytes, [&](const Frame& frame) { take_frame(channel, frame, now, unix_us); });
}

void Station::take_frame(ChannelId channel, const Frame& frame, double now, std::int64_t unix_us) {
  Channel& from = parsers_[channel];
  Network& n = networks_[from.network];
  from.gaps.count(frame);
  if (verifier_ && verifier_->check(frame, mavlink::signing_time(unix_us)) != mavlink::Verdict::Good) {
    ++counts_.refused, ++from.refused;
    return;
  }
  // nobody speaks for the autopilot of a vehicle of this station; other components of the vehicle, such as companion computers, are clients
  constexpr std::uint8_t kAutopilot = mavlink::number_of(mavlink::Component::Autopilot1);
  if (frame.system == 0 || (frame.component == kAutopilot && n.vehicles.contains(frame.system))) {
    ++counts_.refused, ++from.refused;
    return;
  }
  n.router.heard(channel, frame);
  // Clients that began alike send the same frames: a repeat is not passed on, but answered.
  if (!n.router.is_repeat(frame, channel)) {
    std::vector<ChannelId> to;
    n.router.route(frame, channel, n.outbox.channels(), to);
    for (const ChannelId other : to) n.outbox.pass_on(other, frame.bytes);
  }
  if (!frame.is_known) return;
  const Router::Target target = Router::target_of(frame);
  if (target.component != 0 && target.component != kAutopilot) return;
  const Sender sender{channel, frame.system, frame.component};
  for (auto& [system, vehicle] : n.vehicles) {
    if (target.system != 0 && target.system != system) continue;
    ++counts_.answered;
    vehicle->hear(frame, sender, now);
  }
}

void Station::beat(double now, std::int64_t unix_us) {
  for (Network& n : networks_) {
    n.outbox.set_signing_time(mavlink::signing_time(unix_us));
    for (auto& [system, vehicle] : n.vehicles) vehicle->beat(now);
  }
}

void Station::take_sends(const std::function<void(ChannelId, std::span<const std::byte>)>& send) {
  for (Network& n : networks_) n.outbox.take(send);
}

FrameCounts Station::frames_of(ChannelId id) const {
  const auto it = parsers_.find(id);
  if (it == parsers_.end()) return {};
  const Channel& channel = it->second;
  const mavlink::Parser::Counts& c = channel.parser.counts();
  return {c.frames, networks_[channel.network].outbox.n_sent(id), channel.gaps.lost(), c.bad_checksum + c.bad_flags, channel.refused};
}

StationCounts Station::counts() const {
  StationCounts sum = counts_;
  for (const auto& [id, channel] : parsers_) {
    const mavlink::Parser::Counts& c = channel.parser.counts();
    sum.frames += c.frames, sum.unknown += c.unknown, sum.bad += c.bad_checksum + c.bad_flags;
  }
  return sum;
}

}  // namespace volary::autopilot
