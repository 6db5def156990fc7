// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/companions.hpp"

#include <fmt/format.h>

namespace volary::autopilot {

Companions::Companions(std::size_t n_links, std::optional<mavlink::Key> key) : links_(n_links) {
  if (!key) return;
  verifier_.emplace(*key);
  for (Link& l : links_) l.outbox.use_key(*key);
}

void Companions::add(std::size_t link, VehicleId id, CompanionOptions options) {
  const std::uint8_t system = options.system;
  list_[{link, system}] = std::make_unique<One>(One{id, Companion(std::move(options), links_[link].outbox)});
}

void Companions::clear() {
  list_.clear();
  for (Link& l : links_) l.strangers.clear();
}

// ---------------------------------------------------------------- the wire

void Companions::opened(ChannelId channel, std::size_t link) {
  channels_[channel].link = link;
  links_[link].outbox.open(channel);
}

void Companions::closed(ChannelId channel) {
  const auto it = channels_.find(channel);
  if (it == channels_.end()) return;
  links_[it->second.link].outbox.close(channel);
  for (auto& [key, one] : list_) one->companion.closed(channel);
  channels_.erase(it);
}

void Companions::received(ChannelId channel, std::span<const std::byte> bytes, double now, std::int64_t unix_us) {
  const auto it = channels_.find(channel);
  if (it == channels_.end()) return;
  const std::size_t link = it->second.link;
  it->second.parser.feed(bytes, [&](const mavlink::Frame& frame) { take_frame(channel, link, frame, now, unix_us); });
}

FrameCounts Companions::frames_of(ChannelId id) const {
  const auto it = channels_.find(id);
  if (it == channels_.end()) return {};
  const Channel& channel = it->second;
  const mavlink::Parser::Counts& c = channel.parser.counts();
  return {c.frames, links_[channel.link].outbox.n_sent(id), channel.gaps.lost(), c.bad_checksum + c.bad_flags, channel.refused};
}

void Companions::take_frame(ChannelId channel, std::size_t link, const mavlink::Frame& frame, double now, std::int64_t unix_us) {
  channels_[channel].gaps.count(frame);
  if (!frame.is_known || frame.component != mavlink::number_of(mavlink::Component::Autopilot1)) return;
  if (verifier_ && verifier_->check(frame, mavlink::signing_time(unix_us)) != mavlink::Verdict::Good) {
    ++channels_[channel].refused;
    return;
  }
  const auto it = list_.find({link, frame.system});
  if (it != list_.end()) return it->second->companion.hear(frame, channel, now);
  if (frame.id == mavlink::Heartbeat::kId && links_[link].strangers.insert(frame.system).second)
    reports_.push_back(fmt::format("system {} is heard, and no mirror of this world has its number", frame.system));
}

void Companions::beat(double now, std::int64_t unix_us) {
  for (Link& l : links_) l.outbox.set_signing_time(mavlink::signing_time(unix_us));
  for (auto& [key, one] : list_) one->companion.beat(now);
}

void Companions::leave() {
  for (auto& [key, one] : list_) one->companion.leave();
}

void Companions::take_sends(const std::function<void(ChannelId, std::span<const std::byte>)>& send) {
  for (Link& l : links_) l.outbox.take(send);
}

// ---------------------------------------------------------------- the world

void Companions::want(const World& world) {
  for (auto& [key, one] : list_) one->companion.want(world.guidance_of(one->id));
}

void Companions::want_hold() {
  for (auto& [key, one] : list_) one->companion.want_hold();
}

void Companions::take_inputs(const World& world, std::vector<Input>& inputs) {
  std::map<std::string, std::vector<std::pair<VehicleId, SetState>>> moved;  // by flock
  for (auto& [key, one] : list_) {
    if (!world.is_alive(one->id)) continue;
    if (const AutopilotState& state = one->companion.state(); state.has_spoken() && one->is_armed != state.is_armed) {
      inputs.push_back({.source = kSource, .target = one->id, .payload = SetMode{state.is_armed ? Mode::Armed : Mode::Disarmed}});
      one->is_armed = state.is_armed;
    }
    if (const auto state = one->companion.take_motion()) moved[world.flock_of(one->id)].emplace_back(one->id, *state);
  }
  for (const auto& [flock, list] : moved) {
    SetMany many{.what = Many::State, .flock = flock};
    for (const auto& [id, state] : list) many.ids.push_back(id);
    const auto add = [&](const auto& column, std::size_t n) {
      for (std::size_t k = 0; k < n; ++k)
        for (const auto& [id, state] : list) many.values.push_back((state.*column)[k]);
    };
    add(&SetState::position_W, 3), add(&SetState::velocity_W, 3), add(&SetState::attitude, 4), add(&SetState::omega_B, 3);
    inputs.push_back({.source = kSource, .payload = std::move(many)});
  }
}

std::vector<std::string> Companions::take_reports() {
  std::vector<std::string> all = std::exchange(reports_, {});
  for (auto& [key, one] : list_)
    for (std::string& text : one->companion.take_reports()) all.push_back(std::move(text));
  return all;
}

const Companion* Companions::find(VehicleId id) const {
  for (const auto& [key, one] : list_)
    if (one->id == id) return &one->companion;
  return nullptr;
}

core::Status Companions::order(VehicleId id, const runner::FlightOrder& order, double now) {
  for (auto& [key, one] : list_)
    if (one->id == id) return one->companion.order(order, now);
  return core::Error{.message = "no link leads to its autopilot"};
}

std::vector<runner::Autopilots::Refusal> Companions::take_refusals() {
  std::vector<runner::Autopilots::Refusal> all;
  for (auto& [key, one] : list_)
    for (std::string& text : one->companion.take_refusals()) all.push_back({one->id, std::move(text)});
  return all;
}

std::vector<Companions::Line> Companions::lines() const {
  std::vector<Line> list;
  for (const auto& [key, one] : list_) list.push_back({one->id, key.second, one->companion.status()});
  return list;
}

}  // namespace volary::autopilot
