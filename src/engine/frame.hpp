// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The published frame: every living vehicle with its place and velocity, the lowest id first. What one vehicle may learn of
// another comes from here, so that nobody reads a state that somebody else is changing.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/numbers.hpp"
#include "volary/def.hpp"

namespace volary::engine {

struct Data;

struct Frame {
  std::vector<std::uint64_t> id;     // numbers
  std::vector<std::uint32_t> flock, world;
  std::vector<std::size_t> slot;
  std::vector<Vec> position, velocity;  // m, m/s
  Numbers numbers;
  std::vector<std::uint32_t> at;     // place in this list by the place of the number; kNobody where there is none
  std::uint64_t roster = ~std::uint64_t{0};

  static constexpr std::uint32_t kNobody = 0xffffffffu;
  std::size_t size() const { return id.size(); }
  std::uint32_t find(std::uint64_t number) const {
    const std::size_t place = numbers.find(number);
    return place == Numbers::kNone ? kNobody : at[place];
  }
};

bool reads_frame(const Data& d);  // whether anybody does
// brings it up to the present state
void refresh_frame(Data& d);
// the same at the start of a tick, after inputs that put vehicles elsewhere or changed who is there
void follow_inputs(Data& d);

}  // namespace volary::engine
