// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A network with the functions of Network<StateMessage> whose messages travel through a real broker, in real time: the coordinator, the consumer and every node have a
// connection of their own. What arrives is then lost, late or doubled as the impairment of its leg says, as on impaired transports.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "cluster/impairment.hpp"
#include "cluster/mode_table.hpp"
#include "cluster/transport/broker.hpp"
#include "cluster/transport/transport.hpp"

namespace volary::cluster {

class BrokerNetwork {
 public:
  static constexpr std::uint32_t kTimer = ~0u;
  struct Event {
    std::uint16_t to, timer;
    std::uint32_t content;  // a slot, or kTimer
  };

  static core::Result<std::unique_ptr<BrokerNetwork>> connect(std::size_t nodes, const std::string& installer);

  Time now() const { return now_; }
  // one message at a time is written, and one is read
  std::uint32_t take() { return kOut; }
  void drop(std::uint32_t) {}
  StateMessage& content(std::uint32_t slot) { return slot == kOut ? out_ : in_; }
  void send(std::uint32_t slot, std::uint16_t to, const Impairment& leg, std::uint64_t link);
  void set_timer(std::uint16_t to, std::uint16_t timer, Time at) { events_.emplace(at, Item{{to, timer, kTimer}, {}}); }
  bool empty() const { return false; }
  // waits until something is due, and says when that is
  Time next_time();
  Event pop();
  void done(const Event&) {}

 private:
  static constexpr std::uint32_t kOut = 0, kIn = 1;
  struct Item {
    Event event;
    StateMessage message;
  };
  void take_in(Transport& link);

  std::unique_ptr<Broker> broker_;
  std::unique_ptr<Transport> coordinator_, consumer_;
  std::vector<std::unique_ptr<Transport>> nodes_;
  std::multimap<Time, Item> events_;  // by the time at which they are due
  std::map<std::uint64_t, const Impairment*> legs_;  // by link
  StateMessage out_, in_;
  Time begin_ = 0, now_ = 0;
  std::uint64_t sent_ = 0;
  std::vector<Received> batch_;
};

// a row of the table of modes, measured over a Mosquitto of its own; takes as long as it says
core::Result<ModeRow> run_mode_over_broker(const Mode& mode, bool both_legs, const ModeTableOptions& options, const std::string& installer);

}  // namespace volary::cluster
