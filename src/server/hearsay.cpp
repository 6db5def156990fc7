// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "server/hearsay.hpp"

#include <algorithm>
#include <bit>

namespace volary::server {

void Hearsay::note(std::span<const Heard> heard, std::span<const VehicleId> minds) {
  std::erase_if(letters_, [&](const auto& kept) { return std::find(minds.begin(), minds.end(), kept.first) == minds.end(); });
  for (const VehicleId id : minds) letters_.try_emplace(id);
  for (const Heard& h : heard) {
    for (auto& [id, list] : letters_) {
      if (h.sender != id && h.receiver != id) continue;
      list.push_back(h);
      if (list.size() > kMostLetters) list.pop_front();
    }
    if (!h.receiver) continue;
    if (links_.size() >= kMostLinks) links_.clear();  // begins anew rather than grow for ever
    Link& link = links_[{h.receiver.value, h.sender.value}];
    link.bits = (link.bits << 1 | (h.delivered ? 1u : 0u)) & ((1u << kRemembered) - 1);
    link.count = std::min(link.count + 1, kRemembered);
  }
}

void Hearsay::clear() {
  links_.clear();
  letters_.clear();
}

int Hearsay::quality(VehicleId receiver, VehicleId sender) const {
  const auto it = links_.find({receiver.value, sender.value});
  return it == links_.end() ? -1 : 100 * std::popcount(it->second.bits) / it->second.count;
}

const std::deque<Heard>& Hearsay::letters(VehicleId id) const {
  static const std::deque<Heard> kNone;
  const auto it = letters_.find(id);
  return it == letters_.end() ? kNone : it->second;
}

}  // namespace volary::server
