// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Who works on the same thing: a number made of a behaviour's name and of what it is to do. Roles and messages carry it, so that two flocks
// in range of each other, searching two fields or forming up beside a chain of relays, do not take one another for members.
#pragma once

#include <string_view>
#include <vector>

#include "math/hash.hpp"
#include "swarm/behaviours/steering.hpp"

namespace volary::swarm {

// Ten bits, never 0, the same for all that were given the same numbers. Numbers on the air are floats, which hold 24 bits: ten for the tag and 14 for the
// rest of a role. Two tasks share a tag by chance once in a thousand; then their flocks do mix, and another spacing or goal parts them.
class TaskTag {
 public:
  explicit TaskTag(std::string_view name) : hash_(math::mix64(topic(name))) {}
  TaskTag& with(double x) {
    hash_ = math::mix64(hash_ ^ math::to_bits(x));
    return *this;
  }
  template <std::size_t N> TaskTag& with(const std::array<double, N>& numbers) {
    for (double x : numbers) with(x);
    return *this;
  }
  TaskTag& with(const std::vector<std::array<double, 3>>& points) {
    for (const auto& point : points) with(point);
    return *this;
  }
  double value() const { return static_cast<double>(1 + hash_ % 1023); }

 private:
  std::uint64_t hash_;
};

// A role is a tag and a number from 1 to 2^14 - 1: a place, a row, a task. No number, no role.
inline double make_role(double tag, double number) { return number > 0 ? tag * 0x1p14 + number : 0; }
// the number, or 0 for a role of another kind
inline double role_number(double tag, double role) {
  const double number = role - tag * 0x1p14;
  return number > 0 && number < 0x1p14 ? number : 0;
}

}  // namespace volary::swarm
