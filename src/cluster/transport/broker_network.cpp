// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/broker_network.hpp"

#include <poll.h>

#include <algorithm>

#include <fmt/format.h>

#include "cluster/mode_run.hpp"
#include "cluster/transport/mqtt.hpp"
#include "core/bytes.hpp"

namespace volary::cluster {

namespace {

constexpr const char* kName = "modes";
std::string state_topic(std::size_t node) { return fmt::format("sw/{}/st/{}", kName, node); }
std::string trigger_topic(std::size_t node) { return fmt::format("sw/{}/trig/{}", kName, node); }

}  // namespace

core::Result<std::unique_ptr<BrokerNetwork>> BrokerNetwork::connect(std::size_t nodes, const std::string& installer) {
  auto out = std::make_unique<BrokerNetwork>();
  auto broker = Broker::start({.federation = kName, .nodes = static_cast<int>(nodes), .installer = installer});
  if (!broker) return broker.error();
  out->broker_ = std::move(broker).value();
  const auto open = [&](const Account& a, std::string id, std::unique_ptr<Transport>& link, const std::string& pattern) -> core::Status {
    auto connected = connect_mqtt({.broker = out->broker_->address(), .client_id = std::move(id), .user = a.user, .password = a.password});
    if (!connected) return connected.error();
    link = std::move(connected).value();
    return pattern.empty() ? core::ok() : link->subscribe(pattern);
  };
  if (const core::Status s = open(out->broker_->coordinator(), "coordinator", out->coordinator_, ""); !s) return s.error();
  if (const core::Status s = open(out->broker_->view(), "consumer", out->consumer_, fmt::format("sw/{}/st/+", kName)); !s) return s.error();
  out->nodes_.resize(nodes);
  for (std::size_t k = 0; k < nodes; ++k)
    if (const core::Status s = open(out->broker_->node(static_cast<int>(k)), fmt::format("node-{}", k), out->nodes_[k], trigger_topic(k)); !s) return s.error();
  out->begin_ = monotonic_ns();
  return out;
}

void BrokerNetwork::send(std::uint32_t slot, std::uint16_t to, const Impairment& leg, std::uint64_t link) {
  const StateMessage& m = content(slot);
  legs_[link] = &leg;
  core::ByteWriter bytes;
  bytes.put(link);
  bytes.put(sent_++);
  bytes.put(to);
  bytes.put(m.node);
  bytes.put(m.first);
  bytes.put(m.last);
  bytes.put(m.generated);
  if (to == kConsumer)
    nodes_[m.node]->publish(state_topic(m.node), bytes.bytes());
  else
    coordinator_->publish(trigger_topic(to), bytes.bytes());
}

void BrokerNetwork::take_in(Transport& link) {
  if (!link.receive(batch_)) return;
  for (const Received& r : batch_) {
    core::ByteReader in(r.bytes);
    const auto number = in.get<std::uint64_t>();
    const auto message = in.get<std::uint64_t>();
    const auto to = in.get<std::uint16_t>();
    StateMessage m;
    m.node = in.get<std::uint16_t>();
    m.first = in.get<Tick>();
    m.last = in.get<Tick>();
    m.generated = in.get<Time>();
    const auto leg = legs_.find(number);
    if (!in.good() || leg == legs_.end()) continue;
    for (const Time at : leg->second->deliver(number, message, r.arrival_ns - begin_)) events_.emplace(at, Item{{to, 0, kIn}, m});
  }
}

Time BrokerNetwork::next_time() {
  for (;;) {
    std::vector<pollfd> waiting = {{consumer_->wake_fd(), POLLIN, 0}};
    for (const auto& n : nodes_) waiting.push_back({n->wake_fd(), POLLIN, 0});
    const Time left = events_.empty() ? 1'000'000'000 : std::max<Time>(events_.begin()->first - (monotonic_ns() - begin_), 0);
    const timespec patience{.tv_sec = left / 1'000'000'000, .tv_nsec = left % 1'000'000'000};
    if (::ppoll(waiting.data(), waiting.size(), &patience, nullptr) > 0) {
      take_in(*consumer_);
      for (const auto& n : nodes_) take_in(*n);
    }
    now_ = monotonic_ns() - begin_;
    if (!events_.empty() && events_.begin()->first <= now_) return now_;
  }
}

BrokerNetwork::Event BrokerNetwork::pop() {
  const auto first = events_.begin();
  const Item item = first->second;
  events_.erase(first);
  in_ = item.message;
  return item.event;
}

core::Result<ModeRow> run_mode_over_broker(const Mode& mode, bool both_legs, const ModeTableOptions& options, const std::string& installer) {
  ModeRow row = row_of(mode, both_legs, options);
  for (std::uint64_t seed = 1; seed <= options.seeds; ++seed) {
    auto net = BrokerNetwork::connect(options.nodes, installer);
    if (!net) return net.error();
    ModeRun run(*net.value(), mode, both_legs, options, seed);
    run.run();
    run.add_to(row);
  }
  return row;
}

}  // namespace volary::cluster
