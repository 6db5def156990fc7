// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A federation for programs that are no part of it, over its broker (docs/federation-api.md). Rendering: aligned frames, vehicles, status and events are published.
// Physics: setpoints and modes of vehicles, and their telemetry. Orders are taken by the OrderDesk.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>

#include "cluster/topics.hpp"
#include "cluster/transport/transport.hpp"
#include "server/service.hpp"

namespace volary::cli {

inline constexpr std::uint32_t kFirstProgram = 0x40000000;  // number of a client: beyond those of the page

// what a message to a vehicle asks for
struct PhysicsWish {
  std::optional<server::Action> action = {};
  std::vector<std::string> watched = {};  // vehicles whose telemetry is wanted, by name or number
  double telemetry = 0;  // Hz; 0: no more
};
// {"id": 1, "vehicle": "inner[0]", "setpoint": {...}}, {"vehicles": [...], "mode": "land"}, {"vehicle": 7, "telemetry": 10}
core::Result<PhysicsWish> parse_physics(const nlohmann::json& message);
// a command of the page that a program may give: one that does not end with a connection
core::Result<server::Action> parse_command(const std::string& name, const nlohmann::json& fields);

class FederationApi {
 public:
  // `transport` writes under every topic of the federation. Frames are published at `rate` Hz.
  FederationApi(std::unique_ptr<cluster::Transport> transport, std::string federation, double rate);
  ~FederationApi() { stop(); }

  server::Listener listener();
  // orders are taken from now on; `live` outlives stop()
  core::Status start(server::Live& live);
  void stop();
  void publish_nodes(const std::string& text);  // JSON, as GET /api/live/nodes
  void set_view_every(std::uint32_t ticks) { view_every_ = ticks; }  // between two frames; an overloaded federation has fewer of them

 private:
  struct Account {
    std::uint32_t client = 0;
    double tokens = 0, time = 0;  // messages that it may still send now
  };
  struct Telemetry {
    std::string name;  // as the client called it
    double rate = 0, next = 0;  // Hz, s
  };
  void run();
  void take(const cluster::Received& message);
  void act(const std::string& account, const nlohmann::json& id, PhysicsWish wish);
  void answer(const std::string& account, const nlohmann::json& id, const std::string& error);
  Account* admit(const std::string& account);
  void hear(const std::vector<server::Outgoing>& messages);
  void show(const std::shared_ptr<const server::Frame>& frame);
  void tell_of_vehicles(const server::Frame& frame);
  void publish(const std::string& topic, std::string_view text, cluster::Delivery delivery = {});
  void publish_kept();

  std::atomic<std::uint32_t> view_every_ = 1;
  std::uint64_t shown_tick_ = 0;
  std::unique_ptr<cluster::Transport> transport_;
  cluster::Topics topics_;
  double rate_;
  server::Live* live_ = nullptr;
  std::map<std::string, Account> accounts_;
  std::atomic<bool> is_stopping_ = false;
  std::thread thread_;

  std::mutex mutex_;  // what the thread that steps and this one share
  std::map<std::string, std::string> kept_;  // retained texts by topic: a broker that was restarted has forgotten them
  std::uint32_t roster_ = 0;
  std::vector<std::pair<std::string, std::string>> vehicles_;  // number and name, by place
  std::map<std::string, Telemetry> watched_;  // by name or number
};

}  // namespace volary::cli
