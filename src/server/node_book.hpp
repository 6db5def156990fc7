// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The nodes of a federation as clients are told them: how each does now, and how it did in the last minutes. Whoever knows the federation adds figures now and
// then; a page asks from another thread.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "server/remote.hpp"

namespace volary::server {

struct NodeFigures {
  std::size_t member = 0;
  std::string name = {}, host = {}, state = {};
  std::uint32_t incarnation = 0;
  std::uint64_t tick = 0, skew = 0;  // newest tick that it has simulated; ticks behind the furthest node
  double rate = 0, latency = 0, age = 0, silence = 0, load = 0;  // 1/s, s, s, s, share of the period
  std::uint64_t memory = 0, rollbacks = 0;  // bytes
};

// what a view shows at one moment
struct ViewFigures {
  LiveView view = LiveView::Committed;
  std::uint64_t tick = 0, skew = 0;
  std::size_t nodes = 0;  // that are in it
  std::optional<double> age = {};  // s since the message with the oldest state in it was sent; none: not measured
};

struct FederationFigures {
  std::string federation = {}, mode = "strict";  // or "live"
  std::uint64_t committed = 0, aligned = 0;
  double rate = 0, period = 0;  // 1/s, s
  bool is_overloaded = false;
  std::vector<NodeFigures> nodes = {};
  std::vector<ViewFigures> views = {};
};

class NodeBook {
 public:
  static constexpr std::size_t kMost = 1200;  // samples

  void add(FederationFigures figures, double time);  // s since the federation began
  std::string text(std::uint64_t after) const;       // JSON: the newest figures, and the samples after a number

 private:
  struct Sample {
    std::uint64_t number = 0;
    double time = 0;
    std::vector<NodeFigures> nodes;
  };
  mutable std::mutex mutex_;
  FederationFigures now_;
  std::deque<Sample> samples_;
  std::uint64_t last_ = 0;
};

}  // namespace volary::server
