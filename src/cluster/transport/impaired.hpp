// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A transport whose messages are lost, late, doubled and out of order, as a seed says: what arrives is held back until its time, or dropped. It stands around a real transport.
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "cluster/impairment.hpp"
#include "cluster/transport/transport.hpp"

namespace volary::cluster {

class ImpairedTransport final : public Transport {
 public:
  // messages at quality 1, such as the scenario, come through unharmed: it is the state and its triggers that are tried
  ImpairedTransport(std::unique_ptr<Transport> inner, const ImpairmentOptions& options, std::uint64_t link)
      : inner_(std::move(inner)), impairment_(options), link_(link) {}

  LinkDrop publish(std::string_view topic, std::span<const std::byte> bytes, Delivery delivery = {}) override {
    return inner_->publish(topic, bytes, delivery);
  }
  core::Status subscribe(std::string_view pattern, int qos = 0) override { return inner_->subscribe(pattern, qos); }
  void close() override { inner_->close(); }
  bool receive(std::vector<Received>& out) override;
  std::vector<LinkChange> link_changes() override { return inner_->link_changes(); }
  LinkReport state() const override { return inner_->state(); }
  bool wait(std::int64_t timeout_ns) override;
  void wake() override { inner_->wake(); }
  int wake_fd() const override { return inner_->wake_fd(); }
  TransportCounts counts() const override { return inner_->counts(); }

 private:
  void take_in();

  std::unique_ptr<Transport> inner_;
  Impairment impairment_;
  std::uint64_t link_, number_ = 0;
  std::mutex mutex_;
  std::multimap<std::int64_t, Received> held_;  // by the time at which they arrive
  std::vector<Received> batch_;
};

}  // namespace volary::cluster
