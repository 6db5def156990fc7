// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a benchmark of alignment measures: messages of n members, out of order over eight ticks and one in twenty doubled, made before the clock runs.
#pragma once

#include <vector>

#include "cluster/aligner.hpp"

namespace volary::cluster {

class AlignmentLoad {
 public:
  AlignmentLoad(std::size_t nodes, Tick ticks);
  std::size_t messages() const { return messages_.size(); }
  // takes all messages in and returns the last aligned tick, which is `ticks`: what is timed
  Tick run();

 private:
  struct Answer {
    std::uint32_t place;
    std::uint32_t tick;
  };
  std::vector<Answer> messages_;
  Aligner aligner_;
};

}  // namespace volary::cluster
