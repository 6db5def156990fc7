// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/node_ages.hpp"

#include <algorithm>
#include <cmath>

namespace volary::cluster {

namespace {
constexpr double kBin = 20e-6;
constexpr std::size_t kBins = 100'000;  // up to 2 s; older counts as that
}  // namespace

Distribution summarise(std::vector<double> samples) {
  if (samples.empty()) return {};
  std::sort(samples.begin(), samples.end());
  double sum = 0;
  for (const double s : samples) sum += s;
  const auto at = [&](double q) { return samples[std::min(samples.size() - 1, static_cast<std::size_t>(q * static_cast<double>(samples.size())))]; };
  return {.mean = sum / static_cast<double>(samples.size()), .p50 = at(0.5), .p95 = at(0.95), .p99 = at(0.99), .max = samples.back()};
}

NodeAges::NodeAges(std::size_t nodes, std::int64_t begin_ns) : begin_ns_(begin_ns), nodes_(nodes), histogram_(kBins) {}

void NodeAges::advance(Node& node, std::int64_t now_ns) {
  const std::int64_t from = std::max(node.since_ns, begin_ns_);
  node.since_ns = std::max(node.since_ns, now_ns);
  if (!node.is_known || now_ns <= from) return;
  const double first = static_cast<double>(from - node.made_ns) * 1e-9, last = static_cast<double>(now_ns - node.made_ns) * 1e-9;
  node.area += (last * last - first * first) / 2;
  node.time += last - first;
  node.oldest = std::max(node.oldest, last);
  // the tooth passes through its bins at the same pace
  for (std::size_t bin = std::min(kBins - 1, static_cast<std::size_t>(std::max(first, 0.0) / kBin));; ++bin) {
    const double low = std::max(first, static_cast<double>(bin) * kBin), high = bin == kBins - 1 ? last : std::min(last, static_cast<double>(bin + 1) * kBin);
    if (high > low) histogram_[bin] += high - low;
    if (high >= last || bin == kBins - 1) break;
  }
}

void NodeAges::update(std::size_t node_index, std::int64_t now_ns, std::int64_t made_ns) {
  Node& node = nodes_[node_index];
  if (node.is_known && made_ns <= node.made_ns) return;
  advance(node, now_ns);
  node.is_known = true;
  node.made_ns = made_ns;
}

void NodeAges::finish(std::int64_t now_ns) {
  for (Node& node : nodes_) advance(node, now_ns);
}

NodeAges::Report NodeAges::report() const {
  Report out;
  double area = 0, time = 0, oldest = 0, sum = 0, squares = 0;
  std::size_t n = 0;
  for (const Node& node : nodes_) {
    if (node.time <= 0) {
      ++out.silent;
      continue;
    }
    area += node.area;
    time += node.time;
    oldest = std::max(oldest, node.oldest);
    const double mean = node.area / node.time;
    sum += mean;
    squares += mean * mean;
    ++n;
  }
  if (n == 0) return out;
  const auto at = [&](double q) {
    double left = q * time;
    for (std::size_t bin = 0; bin < kBins; ++bin)
      if ((left -= histogram_[bin]) <= 0) return (static_cast<double>(bin) + 0.5) * kBin * 1e3;
    return oldest * 1e3;
  };
  out.age = {.mean = area / time * 1e3, .p50 = at(0.5), .p95 = at(0.95), .p99 = at(0.99), .max = oldest * 1e3};
  const double mean = sum / static_cast<double>(n);
  out.sd = std::sqrt(std::max(0.0, squares / static_cast<double>(n) - mean * mean)) * 1e3;
  return out;
}

}  // namespace volary::cluster
