// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/health.hpp"

#include <algorithm>
#include <iterator>

namespace volary::cluster {

const char* name_of(NodeState state) {
  static constexpr const char* kNames[] = {"missing", "starting", "running", "silent", "frozen", "extrapolated", "removed", "left"};
  return kNames[static_cast<std::size_t>(state)];
}

void NodeMeter::begin(Time now) {
  *this = {};
  began_ = heard_ = now;
}

void NodeMeter::hear(const Bundle& b, Time now) {
  if (now - began_ >= kWindow) close(now);
  heard_ = now, memory_ = b.memory, rollbacks_ = b.rollbacks;
  ++bundles_;
  compute_sum_ += static_cast<double>(b.compute_us) * 1e-6;

  // without a trigger that it has heard there is no way there and back
  const Time trip = now - b.echo - b.held;
  if (b.echo != 0 && trip >= 0) {
    round_trip_sum_ += static_cast<double>(trip), ++n_trips_;
    if (trip < shortest_) shortest_ = trip, offset_ = b.sent - now + trip / 2;
  }
  const Time offset = std::min(shortest_, old_shortest_) == kForever ? 0 : shortest_ <= old_shortest_ ? offset_ : old_offset_;
  const Time sent = std::min(now, b.sent - offset);  // on the coordinator's clock
  latency_sum_ += static_cast<double>(now - sent);
  if (b.advanced <= advanced_ && generated_ != kForever) return;
  grow_old(now);
  advanced_ = std::max(advanced_, b.advanced), generated_ = sent;
}

void NodeMeter::grow_old(Time now) {
  if (generated_ != kForever && now > aged_until_) {
    const Time from = aged_until_ - generated_, to = now - generated_;
    age_area_ += 0.5 * (static_cast<double>(from) + static_cast<double>(to)) * static_cast<double>(to - from);
    aged_ += to - from;
  }
  aged_until_ = std::max(aged_until_, now);
}

// the figures of the window that is over
void NodeMeter::close(Time now) {
  grow_old(now);
  const double seconds = static_cast<double>(now - began_) * 1e-9;
  const auto n = static_cast<double>(std::max<std::uint64_t>(bundles_, 1));
  last_.rate = static_cast<double>(advanced_ - std::min(advanced_at_, advanced_)) / seconds;
  last_.compute = compute_sum_ / n;
  last_.latency = latency_sum_ / n * 1e-9;
  last_.age = aged_ > 0 ? age_area_ / static_cast<double>(aged_) * 1e-9 : 0;
  last_.round_trip = n_trips_ > 0 ? static_cast<Time>(round_trip_sum_ / static_cast<double>(n_trips_)) : 0;
  if (shortest_ != kForever) old_shortest_ = shortest_, old_offset_ = offset_;
  began_ = now, advanced_at_ = advanced_, bundles_ = n_trips_ = 0, shortest_ = kForever;
  compute_sum_ = latency_sum_ = round_trip_sum_ = age_area_ = 0, aged_ = 0;
  has_window_ = true;
}

void NodeMeter::fill(NodeHealth& h, Time now, Time period) const {
  NodeMeter seen = *this;  // a window that nobody closes because nothing is heard, or the first one before it is over
  if (now - began_ >= kWindow || (!has_window_ && now > began_)) seen.close(now);
  h.rate = seen.last_.rate, h.compute = seen.last_.compute, h.latency = seen.last_.latency, h.age = seen.last_.age;
  h.load = period > 0 ? h.compute / (static_cast<double>(period) * 1e-9) : 0;
  const Time shortest = std::min(seen.shortest_, seen.old_shortest_);
  if (shortest != kForever) {
    h.clock_offset = static_cast<double>(seen.shortest_ <= seen.old_shortest_ ? seen.offset_ : seen.old_offset_) * 1e-9;
    h.clock_error = 0.5 * static_cast<double>(shortest) * 1e-9;
  }
  h.silence = static_cast<double>(std::max<Time>(now - heard_, 0)) * 1e-9;
  h.memory = memory_, h.rollbacks = rollbacks_;
}

void RateMeter::add(std::uint64_t count, Time now) {
  constexpr Time kWindow = 1'000'000'000;
  if (!has_any_) from_ = count, since_ = now, has_any_ = true;
  if (now - since_ < kWindow) return;
  rate_ = static_cast<double>(count - std::min(from_, count)) / (static_cast<double>(now - since_) * 1e-9);
  from_ = count, since_ = now;
}

}  // namespace volary::cluster
