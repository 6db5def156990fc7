// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a sending process of a measurement is told, as a file that only its owner can read: it holds a password.
#pragma once

#include <cstdint>
#include <string>

#include "cluster/transport/address.hpp"
#include "cluster/transport/fan_in.hpp"
#include "core/result.hpp"

namespace volary::cluster {

struct FanInPlan {
  int process = 0, connections = 1, qos = 0;
  double rate_hz = 100;
  std::size_t payload = 900;
  bool over_udp = false;
  HostPort subscriber_or_broker = {}, bind = {};
  std::string user = {}, password = {};
};

core::Status write_plan(const FanInPlan& plan, const std::string& file);
core::Result<FanInPlan> read_plan(const std::string& file);

inline constexpr std::size_t kBundleHeader = kLeastPayload;  // made_ns, number, connection
inline constexpr const char* kFanInFederation = "bench";
inline constexpr std::uint32_t kFanInSubscriber = 1'000'000;

}  // namespace volary::cluster
