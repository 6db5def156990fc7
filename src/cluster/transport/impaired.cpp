// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/impaired.hpp"

#include <algorithm>

namespace volary::cluster {

void ImpairedTransport::take_in() {
  inner_->receive(batch_);
  for (Received& r : batch_) {
    if (r.qos > 0) {
      held_.emplace(r.arrival_ns, std::move(r));
      continue;
    }
    for (const Time at : impairment_.deliver(link_, number_++, r.arrival_ns)) {
      Received late = r;
      late.arrival_ns = at;
      held_.emplace(at, std::move(late));
    }
  }
}

bool ImpairedTransport::receive(std::vector<Received>& out) {
  const std::scoped_lock lock(mutex_);
  take_in();
  out.clear();
  const auto due = held_.upper_bound(monotonic_ns());
  for (auto it = held_.begin(); it != due; it = held_.erase(it)) out.push_back(std::move(it->second));
  return !out.empty();
}

// Whoever was woken looks again: something may be due, or may have arrived that is due soon.
bool ImpairedTransport::wait(std::int64_t timeout_ns) {
  const std::int64_t now = monotonic_ns();
  std::int64_t next = now + timeout_ns;
  {
    const std::scoped_lock lock(mutex_);
    if (!held_.empty()) next = std::min(next, held_.begin()->first);
  }
  return (next > now && inner_->wait(next - now)) || next < now + timeout_ns;
}

}  // namespace volary::cluster
