// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Waiting for what a transport brings, and a broker for tests where Mosquitto is installed.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cluster/transport/broker.hpp"
#include "cluster/transport/mqtt.hpp"

// tests with a real broker are skipped, and say so, where none is installed
#define VOLARY_NEEDS_BROKER() \
  if (!volary::cluster::has_broker_program()) GTEST_SKIP() << "Mosquitto is not installed: run tools/install_broker.sh"

namespace volary::cluster::testing {

inline constexpr std::int64_t kPatience = 20'000'000'000;  // far longer than anything takes, for machines that are busy

inline std::vector<std::byte> bytes_of(std::string_view text) {
  const auto raw = std::as_bytes(std::span(text.data(), text.size()));
  return {raw.begin(), raw.end()};
}
inline std::string text_of(const std::vector<std::byte>& bytes) { return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()); }

// everything received, until `is_enough` says so or the patience ends
inline std::vector<Received> receive_until(Transport& transport, const std::function<bool(const std::vector<Received>&)>& is_enough,
                                           std::int64_t patience = kPatience) {
  std::vector<Received> all, batch;
  const std::int64_t until = monotonic_ns() + patience;
  while (!is_enough(all) && monotonic_ns() < until) {
    transport.wait(std::min<std::int64_t>(until - monotonic_ns(), 50'000'000));
    transport.receive(batch);
    for (Received& m : batch) all.push_back(std::move(m));
  }
  return all;
}
inline std::vector<Received> receive_count(Transport& transport, std::size_t n) {
  return receive_until(transport, [n](const auto& all) { return all.size() >= n; });
}
inline bool eventually(const std::function<bool()>& holds, std::int64_t patience = kPatience) {
  const std::int64_t until = monotonic_ns() + patience;
  while (!holds()) {
    if (monotonic_ns() > until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

inline std::unique_ptr<Broker> start_broker(BrokerOptions options = {}) {
  options.nodes = std::min(options.nodes, 8);
  auto broker = Broker::start(std::move(options));
  EXPECT_TRUE(broker) << broker.error().text();
  return broker ? std::move(broker).value() : nullptr;
}
inline MqttOptions options_for(const Broker& broker, const Account& account) {
  MqttOptions o;
  o.broker = broker.address();
  o.user = account.user;
  o.password = account.password;
  return o;
}
inline std::unique_ptr<Transport> connect(MqttOptions options) {
  auto link = connect_mqtt(std::move(options));
  EXPECT_TRUE(link) << link.error().text();
  return link ? std::move(link).value() : nullptr;
}

}  // namespace volary::cluster::testing
