// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Frames that the vehicles of a station send, gathered by channel until somebody takes them. Every component counts its frames on every channel for
// itself, so that a client sees no gaps where an answer went to another.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "autopilot/link/links.hpp"
#include "autopilot/mavlink/frame.hpp"
#include "autopilot/mavlink/signing.hpp"

namespace volary::autopilot {

class Outbox {
 public:
  // that its systems send as
  explicit Outbox(mavlink::Component component = mavlink::Component::Autopilot1) : component_(mavlink::number_of(component)) {}

  // hands over datagrams of at most this many bytes, none of which cuts a frame
  static constexpr std::size_t kDatagram = 1400;

  // signs every frame from now on with this key; time in units of 10 us since 2015
  void use_key(const mavlink::Key& key) { key_ = key; }
  void set_signing_time(std::uint64_t time) { signing_time_ = time; }

  void open(ChannelId channel);
  void close(ChannelId channel) { channels_.erase(channel); }
  bool has_channels() const { return !channels_.empty(); }
  std::vector<ChannelId> channels() const;

  template <class M> void send(ChannelId to, std::uint8_t system, const M& message) {
    const auto it = channels_.find(to);
    if (it != channels_.end()) append(it->second, system, message);
  }
  template <class M> void send_all(std::uint8_t system, const M& message) {
    for (auto& [id, channel] : channels_) append(channel, system, message);
  }
  std::uint64_t n_sent(ChannelId channel) const;  // frames since it was opened
  // a frame of somebody else, as it came
  void pass_on(ChannelId to, std::span<const std::byte> frame);

  void take(const std::function<void(ChannelId, std::span<const std::byte>)>& send);

 private:
  struct Channel {
    std::optional<mavlink::Signer> signer = {};
    std::map<std::uint8_t, mavlink::Writer> writers = {};  // by system
    mavlink::Bytes bytes = {};
    std::vector<std::size_t> ends = {};                    // of the frames in it
    std::uint64_t n_sent = 0;
  };
  template <class M> void append(Channel& channel, std::uint8_t system, const M& message) {
    const std::size_t begin = channel.bytes.size();
    channel.writers.try_emplace(system, system, component_).first->second.append(message, channel.bytes);
    if (channel.signer) channel.signer->sign(channel.bytes, signing_time_, begin);
    channel.ends.push_back(channel.bytes.size());
    ++channel.n_sent;
  }

  std::uint8_t component_;
  std::map<ChannelId, Channel> channels_;
  std::optional<mavlink::Key> key_;
  std::uint64_t signing_time_ = 0;
};

}  // namespace volary::autopilot
