// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// How far a node's clock is ahead of the coordinator's, including the shortest way between them: the least of (received - sent) over the last one to two
// seconds. Delay only ever adds, so the least is the best; the window lets it follow clocks that drift.
#pragma once

#include <algorithm>

#include "cluster/message.hpp"

namespace volary::cluster {

class ClockFilter {
 public:
  void add(Time received, Time sent) {
    const Time offset = received - sent;
    if (!has_any_ || received - began_ >= kWindow) {
      previous_ = has_any_ ? current_ : offset;
      current_ = offset;
      began_ = received;
      has_any_ = true;
    }
    current_ = std::min(current_, offset);
  }
  Time offset() const { return std::min(previous_, current_); }

 private:
  static constexpr Time kWindow = 1'000'000'000;
  Time previous_ = 0, current_ = 0, began_ = 0;
  bool has_any_ = false;
};

}  // namespace volary::cluster
