// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What people are told of links: which peers are heard, how many frames came and went, and how many per second. Whoever owns the links says what happens on them, and
// keeps the counts of each channel for as long as it is open. Times are s of one clock.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "autopilot/link/links.hpp"
#include "runner/autopilots.hpp"

namespace volary::autopilot {

// of one channel
struct FrameCounts {
  std::uint64_t received = 0, sent = 0;
  std::uint64_t lost = 0;  // missing in the count of their sender
  std::uint64_t bad = 0, refused = 0;
  std::uint64_t dropped = 0;  // that the line did not take

  FrameCounts& operator+=(const FrameCounts& other);
  FrameCounts operator-(const FrameCounts& before) const;
};

class LinkTraffic {
 public:
  using CountsOf = std::function<FrameCounts(ChannelId)>;
  static constexpr double kSilence = 5;  // s without a frame, after which a peer does not answer: MAVLink has a heartbeat every second

  LinkTraffic(std::size_t n_links, double now, CountsOf counts_of) : counts_of_(std::move(counts_of)), links_(n_links), marked_(now) {}

  void opened(ChannelId channel, std::size_t link, std::string peer) { peers_[channel] = {link, std::move(peer)}; }
  void heard(ChannelId channel, double now);
  void closed(ChannelId channel);  // while its counts are still known
  void measure(double now);        // rates, about once a second
  runner::LinkReport report(std::size_t link, const LinkAddress& address, double now) const;  // all but the signature

 private:
  struct Peer {
    std::size_t link = 0;
    std::string name = {};
    double heard = -1e9;  // s
  };
  struct Link {
    FrameCounts closed;  // of channels that are no more
    FrameCounts marked;  // at the last mark
    double received_rate = 0, sent_rate = 0;
  };
  FrameCounts counts_of(std::size_t link) const;
  std::string state_of(std::size_t link, const LinkAddress& address, double now) const;

  CountsOf counts_of_;
  std::map<ChannelId, Peer> peers_;
  std::vector<Link> links_;
  double marked_;  // s
};

}  // namespace volary::autopilot
