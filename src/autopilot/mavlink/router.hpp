// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Which channels a frame goes to (https://mavlink.io/en/guide/routing.html), without sockets or clocks.
//
//   router.heard(channel, frame);                      // of every frame that comes in
//   if (router.is_repeat(frame, channel)) return;      // it came already over another channel
//   router.route(frame, channel, all, to);             // for each of `to`: send(frame.bytes)
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <map>
#include <vector>

#include "autopilot/link/links.hpp"
#include "autopilot/mavlink/frame.hpp"

namespace volary::mavlink {

using autopilot::ChannelId;

// Memory is bounded: 8 kB for each of at most kMostChannels channels, and 4 kB for each of the kMostSources (system, component) pairs heard last.
class Router {
 public:
  static constexpr std::size_t kMostChannels = 1024;  // frames of further channels are not learned from
  static constexpr std::size_t kMostSources = 1024;   // of repeats; the pair that has been silent longest makes room
  // frames of one source that are remembered: less than a round of the sequence number, so that an equal frame of the next round is a new one
  static constexpr std::uint32_t kRemembered = 128;

  struct Target {
    std::uint8_t system = 0, component = 0;  // 0: all
    bool has_target = false;                 // the message has a field for the system
  };
  // of a message that is not in the table: none
  static Target target_of(const Frame& frame);

  // Learns that the sender of the frame is reached over the channel. System 0 means all systems and is not learned.
  void heard(ChannelId channel, const Frame& frame);

  // Replaces `to` by the channels that get the frame, in the order of `all`: every channel if the frame has no target or the target is system 0,
  // otherwise the channels on which the target was heard (component 0: any component of that system). Never the channel that it came from.
  void route(const Frame& frame, ChannelId from, const std::vector<ChannelId>& all, std::vector<ChannelId>& to) const;

  // Whether the same frame came over another channel lately, as with redundant links; remembers the frame if not. The same frame over the same
  // channel is not a repeat, because simple senders do not count their frames. A frame without `bytes` has no checksum and is never a repeat.
  bool is_repeat(const Frame& frame, ChannelId channel);

  void forget(ChannelId channel);  // it has closed

 private:
  // one bit for each component of each system
  struct Senders {
    std::array<std::bitset<256>, 256> components = {};
    bool has(const Target& target) const;
  };
  struct Seen {
    std::uint32_t id = 0;
    ChannelId channel = 0;
    std::uint32_t number = 0;  // of the frame among those of its source, counted from 1; 0: none
    std::uint16_t checksum = 0;
  };
  struct Source {
    std::array<Seen, 256> frames = {};  // by sequence
    std::uint32_t n_frames = 0;
    std::uint64_t last = 0;  // frame of all sources
  };
  Source& source_of(const Frame& frame);

  std::map<ChannelId, Senders> channels_;
  std::map<std::uint16_t, Source> sources_;  // by system and component
  std::uint64_t n_frames_ = 0;
};

}  // namespace volary::mavlink
