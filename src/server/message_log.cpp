// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "server/message_log.hpp"

#include <algorithm>
#include <bit>

namespace volary::server {

void MessageLog::note(std::span<const MessageOutcome> heard, std::span<const VehicleId> watched) {
  std::erase_if(messages_, [&](const auto& kept) { return std::find(watched.begin(), watched.end(), kept.first) == watched.end(); });
  for (const VehicleId id : watched) messages_.try_emplace(id);
  for (const MessageOutcome& h : heard) {
    for (auto& [id, list] : messages_) {
      if (h.sender != id && h.receiver != id) continue;
      list.push_back(h);
      if (list.size() > kMostMessages) list.pop_front();
    }
    if (!h.receiver) continue;
    if (links_.size() >= kMostLinks) links_.clear();  // begins anew rather than grow for ever
    Link& link = links_[{h.receiver.value, h.sender.value}];
    link.bits = (link.bits << 1 | (h.delivered ? 1u : 0u)) & ((1u << kRemembered) - 1);
    link.count = std::min(link.count + 1, kRemembered);
  }
}

void MessageLog::clear() {
  links_.clear();
  messages_.clear();
}

int MessageLog::quality(VehicleId receiver, VehicleId sender) const {
  const auto it = links_.find({receiver.value, sender.value});
  return it == links_.end() ? -1 : 100 * std::popcount(it->second.bits) / it->second.count;
}

const std::deque<MessageOutcome>& MessageLog::messages(VehicleId id) const {
  static const std::deque<MessageOutcome> kNone;
  const auto it = messages_.find(id);
  return it == messages_.end() ? kNone : it->second;
}

}  // namespace volary::server
