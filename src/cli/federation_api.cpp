// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/federation_api.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cluster/transport/broker_files.hpp"
#include "runner/clock.hpp"
#include "server/wire.hpp"

namespace volary::cli {

using Json = nlohmann::json;
namespace wire = server::wire;

namespace {

constexpr std::int64_t kNap = 50'000'000;              // ns
constexpr double kPerSecond = 200;                      // messages of one account
constexpr std::size_t kMostAccounts = 64, kMostWatched = 256;
constexpr cluster::Delivery kRetained = {.qos = 1, .retained = true};

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text.data(), text.size())); }

}  // namespace

FederationApi::FederationApi(std::unique_ptr<cluster::Transport> transport, std::string federation, double rate)
    : transport_(std::move(transport)), topics_{std::move(federation)}, rate_(rate) {}

server::Listener FederationApi::listener() {
  server::Listener l;
  l.rate = rate_;
  l.view = server::LiveView::Aligned;
  l.messages = [this](const std::vector<server::Outgoing>& messages) { hear(messages); };
  l.frame = [this](const std::shared_ptr<const server::Frame>& frame) { show(frame); };
  return l;
}

core::Status FederationApi::start(server::Live& live) {
  live_ = &live;
  if (const core::Status done = transport_->subscribe(topics_.every_physics(), 1); !done) return done;
  // what a client that just comes is told: the first texts that are kept for later ones
  live.join(kFirstProgram, server::Scope::View, [this](server::Welcome w) {
    std::vector<server::Outgoing> messages;
    for (const auto& text : w.texts) messages.push_back({0, 0, text, nullptr, false});
    hear(messages);
    if (w.frame) show(w.frame);
  });
  thread_ = std::thread([this] { run(); });
  return core::ok();
}

void FederationApi::stop() {
  is_stopping_ = true;
  transport_->wake();
  if (!thread_.joinable()) return;
  thread_.join();
  // a broker that outlives us keeps nothing for those who come later
  for (const auto& [topic, text] : kept_) publish(topic, {}, kRetained);
  transport_->close();
}

void FederationApi::publish(const std::string& topic, std::string_view text, cluster::Delivery delivery) {
  transport_->publish(topic, bytes_of(text), delivery);
}

void FederationApi::publish_nodes(const std::string& text) { publish(topics_.rendering("nodes"), text); }

// ---------------------------------------------------------------- Physics

void FederationApi::run() {
  std::vector<cluster::Received> batch;
  while (!is_stopping_) {
    transport_->wait(kNap);
    for (const cluster::LinkChange& c : transport_->link_changes())
      if (c.state == cluster::LinkReport::Up) publish_kept();
    transport_->receive(batch);
    for (const cluster::Received& r : batch) take(r);
  }
}

// A message that was kept for us is from somebody who is gone. Who may steer is decided here as for orders, for another's broker may know only topics.
void FederationApi::take(const cluster::Received& r) {
  const std::string account = cluster::Topics::account_of(r.topic);
  const std::string_view text(reinterpret_cast<const char*>(r.bytes.data()), r.bytes.size());
  if (r.retained || account.empty() || account == cluster::kViewAccount) return;
  Account* known = admit(account);
  if (known == nullptr) return;
  const bool is_long = text.size() > static_cast<std::size_t>(wire::kMessageBytes);
  const core::Error too_long{.message = fmt::format("the message is longer than {} bytes", wire::kMessageBytes)};
  const core::Result<Json> message = is_long ? core::Result<Json>(too_long) : server::parse_json(text);
  if (!message) return answer(account, {}, message.error().text());
  const Json id = message.value().is_object() ? message.value().value("id", Json()) : Json();
  if (account != cluster::kOperatorAccount && account != cluster::kCoordinatorAccount)
    return answer(account, id, fmt::format("account '{}' may not steer vehicles", account));
  if (known->tokens < 1) return answer(account, id, fmt::format("too many messages: at most {:g} a second", kPerSecond));
  known->tokens -= 1;
  core::Result<PhysicsWish> wish = parse_physics(message.value());
  if (!wish) return answer(account, id, wish.error().text());
  act(account, id, std::move(wish).value());
}

FederationApi::Account* FederationApi::admit(const std::string& account) {
  const double time = runner::steady_now();
  auto it = accounts_.find(account);
  if (it == accounts_.end()) {
    if (accounts_.size() >= kMostAccounts) return nullptr;
    it = accounts_.emplace(account, Account{kFirstProgram + 1 + static_cast<std::uint32_t>(accounts_.size()), kPerSecond, time}).first;
  }
  Account& a = it->second;
  a.tokens = std::min(kPerSecond, a.tokens + (time - a.time) * kPerSecond);
  a.time = time;
  return &a;
}

void FederationApi::act(const std::string& account, const Json& id, PhysicsWish wish) {
  for (const std::string& name : wish.watched) {
    const std::scoped_lock lock(mutex_);
    if (wish.telemetry <= 0)
      watched_.erase(name);
    else if (watched_.contains(name) || watched_.size() < kMostWatched)
      watched_[name] = {name, std::min(wish.telemetry, rate_), 0};
  }
  if (!wish.action) return answer(account, id, "");
  live_->act(accounts_[account].client, std::move(*wish.action),
             [this, account, id](const core::Status& done, const std::string&) { answer(account, id, done ? "" : done.error().text()); });
}

// what was refused is always answered, what was done only where somebody asks
void FederationApi::answer(const std::string& account, const Json& id, const std::string& error) {
  if (id.is_null() && error.empty()) return;
  Json text = {{"ok", error.empty()}};
  if (!id.is_null()) text["id"] = id;
  if (!error.empty()) text["error"] = error;
  publish(topics_.answer(account), server::dump(text), {.qos = 1});
}

// ---------------------------------------------------------------- Rendering

void FederationApi::hear(const std::vector<server::Outgoing>& messages) {
  for (const server::Outgoing& m : messages) {
    if (m.client != 0) continue;
    const std::string& text = m.view_text ? *m.view_text : *m.text;
    const std::string type = Json::parse(text, nullptr, false).value("type", "");
    if (type == wire::kEvent) publish(topics_.rendering("event"), text, {.qos = 1});
    if (type != wire::kHello && type != wire::kStatus) continue;
    const std::string topic = topics_.rendering(type);
    const std::scoped_lock lock(mutex_);
    publish(topic, kept_[topic] = text, type == wire::kHello ? kRetained : cluster::Delivery{.retained = true});
  }
}

void FederationApi::show(const std::shared_ptr<const server::Frame>& frame) {
  // a quarter of leeway: frames come at times of the wall
  const std::uint64_t every = view_every_, least = every - every / 4;
  if (frame->tick > shown_tick_ && frame->tick - shown_tick_ < least) return;
  shown_tick_ = frame->tick;
  if (frame->roster != roster_) {
    // a frame means nothing without its roster
    const std::string topic = topics_.rendering("roster");
    const std::scoped_lock lock(mutex_);
    publish(topic, kept_[topic] = *frame->roster_text, kRetained);
    roster_ = frame->roster;
    vehicles_.clear();
    const Json roster = Json::parse(*frame->roster_text);
    for (const Json& v : roster["vehicles"]) vehicles_.emplace_back(v["id"], v["name"]);
  }
  transport_->publish(topics_.rendering("frame"), frame->bytes);
  tell_of_vehicles(*frame);
}

void FederationApi::tell_of_vehicles(const server::Frame& frame) {
  const std::scoped_lock lock(mutex_);
  const double time = runner::steady_now();
  const bool is_due = std::any_of(watched_.begin(), watched_.end(), [&](const auto& w) { return w.second.next <= time; });
  if (!is_due) return;
  const core::Result<server::DecodedFrame> decoded = server::decode_frame(frame.bytes);
  if (!decoded) return;
  for (std::size_t k = 0; k < std::min(vehicles_.size(), decoded.value().vehicles.size()); ++k) {
    const auto& [id, name] = vehicles_[k];
    auto it = watched_.find(name);
    if (it == watched_.end()) it = watched_.find(id);
    if (it == watched_.end() || it->second.next > time) continue;
    it->second.next = time + 0.9 / it->second.rate;
    const server::DecodedFrame::Vehicle& v = decoded.value().vehicles[k];
    const Json text = {{"id", id},
                       {"name", name},
                       {"tick", decoded.value().tick},
                       {"time", decoded.value().time},
                       {"mode", wire::kModes[std::min<std::size_t>(v.state & wire::kModeMask, std::size(wire::kModes) - 1)]},
                       {"position", v.position_W},
                       {"velocity", {v.velocity_W[0], v.velocity_W[1], v.velocity_W[2]}},
                       {"attitude", {v.attitude[0], v.attitude[1], v.attitude[2], v.attitude[3]}}};
    publish(topics_.telemetry(id), server::dump(text));
  }
}

void FederationApi::publish_kept() {
  const std::scoped_lock lock(mutex_);
  for (const auto& [topic, text] : kept_) publish(topic, text, kRetained);
}

}  // namespace volary::cli
