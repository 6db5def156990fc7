// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The state rows of an agent, to the last bit, for tests that compare two of them.
#pragma once

#include <cstdint>
#include <vector>

#include "math/rows.hpp"

namespace volary::test {

struct Words {
  std::vector<std::uint64_t> all;
  void operator()(std::uint64_t& x) { all.push_back(x); }
  void operator()(double& x) { all.push_back(math::to_bits(x)); }
  void operator()(const math::Field&, auto& x) {
    using math::each_scalar;  // and those of rooms with types of their own
    each_scalar(x, *this);
  }
};
template <class Agent> std::vector<std::uint64_t> words_of(Agent a) {
  Words w;
  Agent::state(a, w);
  return w.all;
}

}  // namespace volary::test
