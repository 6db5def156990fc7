// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/federation_orders.hpp"

#include <algorithm>
#include <random>

#include <fmt/format.h>

#include "cluster/health_json.hpp"
#include "cluster/topics.hpp"
#include "cluster/transport/broker_files.hpp"
#include "core/suggest.hpp"
#include "math/functions.hpp"
#include "server/action.hpp"

namespace volary::cli {

namespace {

using Json = nlohmann::json;
constexpr std::uint32_t kSource = 1'000'000;  // of inputs that are given by orders: far above the numbers of clients
constexpr std::size_t kMostOrder = 256 << 10;

core::Error refuse(std::string message, std::string suggestion = {}) { return {.message = std::move(message), .suggestion = std::move(suggestion)}; }

std::string text_in(const Json& json, const char* name) {
  const auto found = json.find(name);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// the inputs that a request stands for, checked against the world as it is now
core::Result<std::vector<Input>> inputs_of(const World& world, const server::Action& a, std::uint64_t next_tick) {
  std::vector<VehicleId> ids;
  for (const std::string& who : a.who) {
    const VehicleId id = world.find(who);
    if (!world.is_alive(id)) return refuse(fmt::format("ids: there is no vehicle '{}'", who));
    ids.push_back(id);
  }
  const double tick_s = static_cast<double>(world.def().tick_ns) * 1e-9;
  std::vector<std::pair<double, Payload>> given;
  if (a.series.empty()) given.emplace_back(0, a.payload);
  for (const server::Action::Moment& m : a.series) given.emplace_back(m.after, m.payload);
  std::vector<Input> inputs;
  for (auto& [after, payload] : given) {
    auto* bulk = std::get_if<SetMany>(&payload);
    if (bulk != nullptr) bulk->ids = ids;
    const std::uint64_t begin = a.tick == 0 && !a.series.empty() ? next_tick : a.tick;
    const std::uint64_t tick = begin + static_cast<std::uint64_t>(math::round(after / tick_s));
    for (const VehicleId id : bulk != nullptr || ids.empty() ? std::vector<VehicleId>(1) : ids) {
      inputs.push_back({.tick = tick, .source = kSource, .target = id, .payload = payload});
      if (const std::string why = world.why_not(inputs.back()); !why.empty()) return refuse(why);
    }
  }
  return inputs;
}

core::Result<Json> answered(const core::Status& done) { return done ? core::Result<Json>(Json::object()) : core::Result<Json>(done.error()); }

core::Result<Json> give_input(cluster::Hub& hub, const World& world, const Json& fields) {
  const auto action = server::parse_action("input", fields);
  if (!action) return action.error();
  const auto inputs = inputs_of(world, action.value(), hub.health().aligned + 2);
  if (!inputs) return inputs.error();
  Json given = Json::array();
  for (const Input& input : inputs.value()) {
    const auto done = hub.submit(input);
    if (!done) return done.error();
    given.push_back({{"sequence", done.value().sequence}, {"tick", done.value().tick}});
  }
  return Json{{"given", std::move(given)}};
}

core::Result<Json> steer(cluster::Hub& hub, const World& world, const std::string& word, const Json& fields) {
  static const std::vector<std::string> kOrders = {"status", "down", "kill", "leave", "pause", "resume", "speed", "input"};
  if (word == "input") return give_input(hub, world, fields);
  if (std::find(kOrders.begin(), kOrders.end(), word) == kOrders.end()) {
    const std::string similar = core::did_you_mean(word, kOrders);
    return refuse(fmt::format("there is no order '{}'", word), similar.empty() ? "'federation up' with --api or --watch takes all commands of the page" : similar);
  }
  const auto action = server::parse_action(word, fields);
  if (!action) return action.error();
  return answered(word == "speed" ? hub.set_speed(action.value().factor) : hub.set_paused(word == "pause"));
}

}  // namespace

// ---------------------------------------------------------------- where orders are carried out

Helm helm_of(cluster::Hub& hub, World& world) {
  return [&](const std::string& word, const Json& fields, const OrderAnswer& answer) { answer(steer(hub, world, word, fields)); };
}

void OrderDesk::take_all() {
  while (const auto order = hub_.take_order()) {
    const Json what = order->text.size() > kMostOrder ? Json() : Json::parse(order->text, nullptr, false);
    if (!what.is_object()) continue;  // nobody to answer
    carry_out(*order, what, [&hub = hub_, order = *order, id = what.value("id", Json())](const core::Result<Json>& done) {
      Json answer = done ? done.value() : Json{{"error", done.error().text()}};
      answer["ok"] = static_cast<bool>(done);
      if (!id.is_null()) answer["id"] = id;
      hub.answer(order, server::dump(answer));
    });
  }
}

void OrderDesk::carry_out(const cluster::Order& order, const Json& what, const OrderAnswer& answer) {
  const std::string word = text_in(what, "order"), node = text_in(what, "node");
  if (word == "status") return answer(Json{{"status", cluster::health_json(hub_.health())}});
  // everybody may look; who steers has the account for it
  if (order.account != cluster::kOperatorAccount && order.account != cluster::kCoordinatorAccount)
    return answer(refuse(fmt::format("account '{}' may ask for the status only", order.account)));
  if (word == "down") return is_down_ = true, answer(Json::object());
  if ((word == "kill" || word == "leave") && node.empty()) return answer(refuse("node: is missing"));
  if (word == "kill") return answer(answered(end_node(node)));
  if (word == "leave") return answer(answered(hub_.hand_over(node)));
  Json fields = what;
  fields.erase("id"), fields.erase("order");
  helm_(word, fields, answer);
}

// by the name or number of its place, then by its account: the account of one may be the number of another
core::Status OrderDesk::end_node(const std::string& node) {
  const std::vector<cluster::NodeHealth> nodes = hub_.health().nodes;
  const auto find = [&](auto&& is_meant) { return std::find_if(nodes.begin(), nodes.end(), is_meant); };
  auto found = find([&](const cluster::NodeHealth& n) { return n.name == node || std::to_string(n.member) == node; });
  if (found == nodes.end()) found = find([&](const cluster::NodeHealth& n) { return n.account == node; });
  if (found != nodes.end() && kill_(found->account)) return core::ok();
  return hub_.end(node);
}

// ---------------------------------------------------------------- where they come from

core::Result<Json> give_order(cluster::Transport& transport, const Connection& c, Json order, double patience) {
  const cluster::Topics topics{c.federation};
  std::random_device random;
  const std::string id = fmt::format("{:08x}{:08x}", random(), random());
  order["id"] = id;
  if (const core::Status done = transport.subscribe(topics.answer(c.account), 1); !done) return done.error();
  const std::string text = order.dump();
  if (const auto drop = transport.publish(topics.order(c.account), std::as_bytes(std::span(text)), {.qos = 1}); drop != cluster::LinkDrop::None)
    return refuse(fmt::format("the order could not be sent: {}", name_of(drop)));
  const std::int64_t until = cluster::monotonic_ns() + static_cast<std::int64_t>(patience * 1e9);
  std::vector<cluster::Received> batch;
  while (cluster::monotonic_ns() < until) {
    transport.wait(20'000'000);
    transport.receive(batch);
    for (const cluster::Received& r : batch) {
      const Json answer = Json::parse(std::string(reinterpret_cast<const char*>(r.bytes.data()), r.bytes.size()), nullptr, false);
      if (!answer.is_object() || text_in(answer, "id") != id) continue;
      if (answer.value("ok", false)) return answer;
      return refuse(text_in(answer, "error"));
    }
  }
  return refuse(fmt::format("federation '{}' did not answer within {:g} s", c.federation, patience));
}

}  // namespace volary::cli
