// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Which process simulates which vehicle, where several share a world. Whose a vehicle is follows from its flock and its place in it, so that all processes agree about
// vehicles that come during the run, too.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/result.hpp"
#include "volary/sharing.hpp"

namespace volary {
class World;
}
namespace volary::engine {

struct Data;

struct Shared {
  struct From {
    std::uint64_t first_place;
    std::uint32_t member;
  };
  std::uint32_t member = Sharing::kNobody;  // this process
  std::uint32_t members = 0;  // 0: nobody shares the world
  std::vector<std::vector<From>> parts;  // by flock, the lowest place first
  std::vector<std::uint32_t> stand_in = {};  // by member: who simulates its vehicles; empty: every member for itself
  bool is_between = false;  // advanced, and not settled yet
  bool is_live = false;  // this process is member 0, and others report what they simulate (elsewhere.hpp)
  bool is_ahead = false;  // nothing is settled here, and others are as they once were (ahead.hpp)
  std::uint64_t sum = 0;  // of the hashes of all members' vehicles, where somebody told it
  std::uint64_t sum_tick = ~std::uint64_t{0};
  bool is_on() const { return members > 0; }
};

core::Status share(Data& d, const Sharing& sharing);
void find_owner(Data& d, std::size_t flock, std::size_t slot);  // of a new vehicle
void find_owners(Data& d);  // of all, after a roster was put back
void stand_in(Data& d, std::span<const std::uint32_t> by_member);
bool is_own(const Data& d, std::size_t flock, std::size_t slot);

// f(first, last) for stretches of blocks with vehicles of this process
template <class Flock, class F> void each_own_stretch(const Flock& f, std::size_t first, std::size_t last, std::uint32_t member, F&& visit) {
  constexpr std::size_t kLanes = 16;
  const auto has_own = [&](std::size_t block) {
    for (std::size_t s = block * kLanes; s < (block + 1) * kLanes && s < f.owners.size(); ++s)
      if (f.owners[s] == member) return true;
    return false;
  };
  for (std::size_t from = first, to = first; from < last; from = to) {
    const bool own = has_own(from);
    for (to = from + 1; to < last && has_own(to) == own;) ++to;
    if (own) visit(from, to);
  }
}

}  // namespace volary::engine
