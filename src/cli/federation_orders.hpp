// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Orders to a running federation: JSON over its broker, under an account that may give them.
//   {"id": "1f", "order": "status"}      down; kill and leave (with "node"); and commands to the world with the fields of REST: pause, resume, speed, input
//   {"id": "1f", "ok": true, ...}        or "ok": false with "error"
// A federation that is shown takes every command of the page.
#pragma once

#include <functional>
#include <string>

#include <nlohmann/json.hpp>

#include "cli/federation_options.hpp"
#include "cluster/hub.hpp"

namespace volary::cli {

using OrderAnswer = std::function<void(const core::Result<nlohmann::json>&)>;
// Commands to the world: the answer may come later, from another thread.
using Helm = std::function<void(const std::string& word, const nlohmann::json& fields, OrderAnswer answer)>;
// of a world that nobody shows: pause, resume, speed and input; called between two ticks
Helm helm_of(cluster::Hub& hub, World& world);

// where orders are carried out: with the coordinator
class OrderDesk {
 public:
  // `kill` ends the process of an account at once, where it is ours
  OrderDesk(cluster::Hub& hub, Helm helm, std::function<bool(const std::string&)> kill) : hub_(hub), helm_(std::move(helm)), kill_(std::move(kill)) {}
  void take_all();
  bool is_down() const { return is_down_; }  // somebody has ordered the end

 private:
  void carry_out(const cluster::Order& order, const nlohmann::json& what, const OrderAnswer& answer);
  core::Status end_node(const std::string& node);
  cluster::Hub& hub_;
  Helm helm_;
  std::function<bool(const std::string&)> kill_;
  bool is_down_ = false;
};

// gives an order and waits for the answer
core::Result<nlohmann::json> give_order(cluster::Transport& transport, const Connection& connection, nlohmann::json order, double patience = 10);

}  // namespace volary::cli
