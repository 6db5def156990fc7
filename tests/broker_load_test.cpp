// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The sending processes of `volary bench broker`: vehicles that fly, in processes of their own.
#include <gtest/gtest.h>

#include "cluster/transport/broker.hpp"
#include "cluster/transport/fan_in.hpp"

namespace volary::cluster {
namespace {

TEST(BrokerLoad, FlyingVehiclesSendTheirStatesInOneMessageOrOneByOne) {
  if (!has_broker_program()) GTEST_SKIP() << "no MQTT broker is installed";
  for (const int connections : {1, 3}) {
    FanInOptions o;
    o.processes = 2;
    o.connections = connections;
    o.rate_hz = 50;
    o.payload = kLeastPayload;
    o.duration_s = 0.5;
    o.warm_up_s = 0.2;
    o.child = {VOLARY_PROGRAM, "bench", "broker", "--vehicles", "3", "--load"};
    const auto report = measure_fan_in(o);
    ASSERT_TRUE(report) << report.error().text();
    EXPECT_EQ(report.value().expected, static_cast<std::uint64_t>(50 * connections));
    EXPECT_GT(report.value().received, report.value().expected / 2);
    EXPECT_EQ(report.value().age.silent, 0u);
  }
}

}  // namespace
}  // namespace volary::cluster
