// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A measurement: N processes send a bundle at f Hz to one subscriber, over a broker or directly. Figures of one machine: all processes
// share a clock, so latencies are exact; there is no wire.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cluster/transport/node_ages.hpp"
#include "core/result.hpp"

namespace volary::cluster {

struct FanInOptions {
  int processes = 10;
  int connections = 1;  // per process: one bundle each, as when every vehicle has a connection of its own
  double rate_hz = 100;
  std::size_t payload = 900;  // bytes of a bundle
  int qos = 0;
  double duration_s = 5, warm_up_s = 1;
  bool over_udp = false;
  std::string installer = {};  // of the broker, where it may be installed
  // the program of a sending process, with arguments of its own; the name of a file follows, which it hands to send_fan_in
  std::vector<std::string> child;
};

struct FanInReport {
  std::uint64_t expected = 0, received = 0;  // bundles within the measured time
  Distribution latency;                      // ms, from its making to our reading of it
  NodeAges::Report age;                      // ms, per node (connection)
  double floor_ms = 0;                       // equation (A) with the measured delay and loss
  double broker_rss_mb = 0, broker_cpu = 0;  // of the broker: memory, share of one core
  double pss_mb = 0;                         // of all processes together
  bool is_saturated = false;                 // less than 99 % arrived, or senders could not keep their pace
};

core::Result<FanInReport> measure_fan_in(const FanInOptions& options);
inline constexpr std::size_t kLeastPayload = 20;  // bytes: time, number and connection, which every bundle begins with
core::Result<double> rate_of_plan(const std::string& file);  // Hz
// Fills the bundle of every connection with the states of the next tick; each becomes as long as the payload where it is shorter.
using MakeBundles = std::function<void(std::vector<std::vector<std::byte>>& bundles)>;
// what a sending process does: connect, wait for the start, make and send bundles until the end; without `make` they are empty
core::Status send_fan_in(const std::string& file, const MakeBundles& make = {});

}  // namespace volary::cluster
