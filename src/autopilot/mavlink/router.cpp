// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/mavlink/router.hpp"

#include <algorithm>
#include <optional>

namespace volary::mavlink {

namespace {

constexpr std::size_t kHeader1 = 6, kHeader2 = 10;  // bytes before the payload

// The checksum behind the payload; a signature may follow it. It differs between links, the checksum does not.
std::optional<std::uint16_t> checksum_of(const Frame& frame) {
  const std::size_t at = (frame.is_version_1 ? kHeader1 : kHeader2) + frame.length;
  if (frame.bytes.size() < at + 2) return std::nullopt;
  return static_cast<std::uint16_t>(std::to_integer<unsigned>(frame.bytes[at]) | std::to_integer<unsigned>(frame.bytes[at + 1]) << 8);
}

}  // namespace

Router::Target Router::target_of(const Frame& frame) {
  const MessageInfo* info = find_message(frame.id);
  if (info == nullptr || info->target_system_at < 0) return {};
  const auto byte_at = [&](std::int16_t k) { return k < 0 ? std::uint8_t{0} : std::to_integer<std::uint8_t>(frame.payload[static_cast<std::size_t>(k)]); };
  return {.system = byte_at(info->target_system_at), .component = byte_at(info->target_component_at), .has_target = true};
}

bool Router::Senders::has(const Target& target) const {
  const std::bitset<256>& of_system = components[target.system];
  return target.component == 0 ? of_system.any() : of_system.test(target.component);
}

void Router::heard(ChannelId channel, const Frame& frame) {
  if (frame.system == 0) return;
  if (channels_.size() >= kMostChannels && !channels_.contains(channel)) return;
  channels_[channel].components[frame.system].set(frame.component);
}

void Router::route(const Frame& frame, ChannelId from, const std::vector<ChannelId>& all, std::vector<ChannelId>& to) const {
  const Target target = target_of(frame);
  to.clear();
  for (const ChannelId channel : all) {
    if (channel == from) continue;
    const auto known = channels_.find(channel);
    if (target.system == 0 || (known != channels_.end() && known->second.has(target))) to.push_back(channel);
  }
}

Router::Source& Router::source_of(const Frame& frame) {
  const auto key = static_cast<std::uint16_t>(frame.system << 8 | frame.component);
  const auto found = sources_.find(key);
  if (found != sources_.end()) return found->second;
  if (sources_.size() >= kMostSources) {
    sources_.erase(std::min_element(sources_.begin(), sources_.end(), [](const auto& a, const auto& b) { return a.second.last < b.second.last; }));
  }
  return sources_[key];
}

bool Router::is_repeat(const Frame& frame, ChannelId channel) {
  const std::optional<std::uint16_t> checksum = checksum_of(frame);
  if (!checksum) return false;
  Source& source = source_of(frame);
  source.last = ++n_frames_;
  Seen& seen = source.frames[frame.sequence];
  const bool is_recent = seen.number != 0 && source.n_frames - seen.number < kRemembered;
  const bool is_same = seen.id == frame.id && seen.checksum == *checksum;
  if (is_recent && is_same && seen.channel != channel) return true;
  seen = {.id = frame.id, .channel = channel, .number = ++source.n_frames, .checksum = *checksum};
  return false;
}

void Router::forget(ChannelId channel) { channels_.erase(channel); }

}  // namespace volary::mavlink
