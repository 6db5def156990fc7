// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Age of information: how old the newest state of every node is, at every moment. Between two updates the age grows by a second per
// second, so its mean over time is computed exactly, and its distribution from the sawtooth. Pure: times are given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace volary::cluster {

// mean, and quantiles of what was added, in the unit of what was added
struct Distribution {
  double mean = 0, p50 = 0, p95 = 0, p99 = 0, max = 0;
};
Distribution summarise(std::vector<double> samples);

class NodeAges {
 public:
  // nothing before `begin_ns` counts
  NodeAges(std::size_t nodes, std::int64_t begin_ns);

  // at `now_ns` a state of that node arrived that was made at `made_ns`; an older one than is known changes nothing
  void update(std::size_t node, std::int64_t now_ns, std::int64_t made_ns);
  void finish(std::int64_t now_ns);

  struct Report {
    Distribution age;   // ms, over time and nodes
    double sd = 0;      // ms, of the nodes' means
    std::size_t silent = 0;  // nodes that never said anything: they are in no figure
  };
  Report report() const;

 private:
  struct Node {
    bool is_known = false;
    std::int64_t made_ns = 0, since_ns = 0;
    double area = 0, time = 0, oldest = 0;  // s^2, s, s
  };
  void advance(Node& node, std::int64_t now_ns);

  std::int64_t begin_ns_;
  std::vector<Node> nodes_;
  std::vector<double> histogram_;  // seconds spent at an age, in bins of kBin
};

}  // namespace volary::cluster
