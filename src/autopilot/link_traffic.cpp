// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/link_traffic.hpp"

namespace volary::autopilot {

namespace {

constexpr double kMeasure = 1;  // s over which rates are means

}  // namespace

FrameCounts& FrameCounts::operator+=(const FrameCounts& other) {
  received += other.received, sent += other.sent, lost += other.lost, bad += other.bad, refused += other.refused, dropped += other.dropped;
  return *this;
}

FrameCounts FrameCounts::operator-(const FrameCounts& before) const {
  return {received - before.received, sent - before.sent, lost - before.lost, bad - before.bad, refused - before.refused, dropped - before.dropped};
}

void LinkTraffic::heard(ChannelId channel, double now) {
  const auto it = peers_.find(channel);
  if (it != peers_.end()) it->second.heard = now;
}

void LinkTraffic::closed(ChannelId channel) {
  const auto it = peers_.find(channel);
  if (it == peers_.end()) return;
  links_[it->second.link].closed += counts_of_(channel);
  peers_.erase(it);
}

FrameCounts LinkTraffic::counts_of(std::size_t link) const {
  FrameCounts sum = links_[link].closed;
  for (const auto& [channel, peer] : peers_)
    if (peer.link == link) sum += counts_of_(channel);
  return sum;
}

void LinkTraffic::measure(double now) {
  const double passed = now - marked_;
  if (passed < kMeasure) return;
  marked_ = now;
  for (std::size_t k = 0; k < links_.size(); ++k) {
    Link& l = links_[k];
    const FrameCounts sum = counts_of(k);
    l.received_rate = static_cast<double>(sum.received - l.marked.received) / passed;
    l.sent_rate = static_cast<double>(sum.sent - l.marked.sent) / passed;
    l.marked = sum;
  }
}

std::string LinkTraffic::state_of(std::size_t link, const LinkAddress& address, double now) const {
  bool is_open = false;
  for (const auto& [channel, peer] : peers_) {
    if (peer.link != link) continue;
    if (now - peer.heard <= kSilence) return "connected";
    is_open = true;
  }
  if (is_open) return "no answer";
  return address.kind == LinkAddress::Kind::UdpIn || address.kind == LinkAddress::Kind::TcpIn ? "listening" : "connecting";
}

runner::LinkReport LinkTraffic::report(std::size_t link, const LinkAddress& address, double now) const {
  const FrameCounts f = counts_of(link);
  runner::LinkReport s;
  s.address = address.text();
  s.state = state_of(link, address, now);
  for (const auto& [channel, peer] : peers_)
    if (peer.link == link && now - peer.heard <= kSilence) s.peers.push_back(peer.name);
  s.received = f.received, s.sent = f.sent, s.lost = f.lost, s.bad = f.bad, s.refused = f.refused, s.dropped = f.dropped;
  s.received_rate = links_[link].received_rate, s.sent_rate = links_[link].sent_rate;
  return s;
}

}  // namespace volary::autopilot
