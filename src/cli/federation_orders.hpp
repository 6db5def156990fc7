// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Orders to a running federation: JSON over its broker, under an account that may give them.
//   {"id": "1f", "order": "status"}      down, kill and leave (with "node"), pause, resume, speed (with "factor"), input (with the fields of POST /api/live/input)
//   {"id": "1f", "ok": true, ...}        or "ok": false with "error"
#pragma once

#include <functional>
#include <string>

#include <nlohmann/json.hpp>

#include "cli/federation_options.hpp"
#include "cluster/hub.hpp"

namespace volary::cli {

// where orders are carried out: with the coordinator, between two ticks
class OrderDesk {
 public:
  // `kill` ends the process of an account at once, where it is ours
  OrderDesk(cluster::Hub& hub, World& world, std::function<bool(const std::string&)> kill) : hub_(hub), world_(world), kill_(std::move(kill)) {}
  void take_all();
  bool is_down() const { return is_down_; }  // somebody has ordered the end

 private:
  core::Result<nlohmann::json> carry_out(const cluster::Order& order, const nlohmann::json& what);
  core::Result<nlohmann::json> give_input(const nlohmann::json& what);
  core::Status end_node(const std::string& node);
  cluster::Hub& hub_;
  World& world_;
  std::function<bool(const std::string&)> kill_;
  bool is_down_ = false;
};

// gives an order and waits for the answer
core::Result<nlohmann::json> give_order(cluster::Transport& transport, const Connection& connection, nlohmann::json order, double patience = 10);

}  // namespace volary::cli
