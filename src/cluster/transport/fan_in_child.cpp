// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>
#include <time.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <sstream>

#include <fmt/format.h>

#include "cluster/transport/fan_in.hpp"
#include "cluster/transport/fan_in_plan.hpp"
#include "cluster/transport/mqtt.hpp"
#include "cluster/transport/udp.hpp"
#include "core/bytes.hpp"

namespace volary::cluster {

namespace {

constexpr std::int64_t kStartPatience = 60'000'000'000;
using Links = std::vector<std::unique_ptr<Transport>>;

core::Result<Links> open_links(const FanInPlan& plan) {
  Links links;
  if (plan.over_udp) {
    auto link = open_udp({.bind = plan.bind,
                          .id = static_cast<std::uint32_t>(plan.process),
                          .federation = kFanInFederation,
                          .peers = {{.id = kFanInSubscriber, .address = plan.subscriber_or_broker}}});
    if (!link) return link.error();
    links.push_back(std::move(link).value());
    return links;
  }
  for (int k = 0; k < plan.connections; ++k) {
    auto link =
        connect_mqtt({.broker = plan.subscriber_or_broker, .client_id = fmt::format("{}-{}", plan.process, k), .user = plan.user, .password = plan.password});
    if (!link) return link.error();
    links.push_back(std::move(link).value());
  }
  return links;
}

struct Schedule {
  std::int64_t begin_ns = 0, end_ns = 0;
};

// says that we are there until we are told when to begin
core::Result<Schedule> await_start(Transport& link, const std::string& life) {
  std::vector<Received> batch;
  for (const std::int64_t until = monotonic_ns() + kStartPatience; monotonic_ns() < until;) {
    link.publish(life, {}, {.qos = 1});
    link.wait(200'000'000);
    link.receive(batch);
    if (batch.empty()) continue;
    core::ByteReader in(batch.back().bytes);
    const Schedule out{.begin_ns = in.get<std::int64_t>(), .end_ns = in.get<std::int64_t>()};
    if (in.good()) return out;
  }
  return core::Error{.message = "the measurement did not begin"};
}

void sleep_until(std::int64_t at_ns) {
  const timespec at{.tv_sec = at_ns / 1'000'000'000, .tv_nsec = at_ns % 1'000'000'000};
  while (::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, nullptr) != 0) {}
}

void send_bundles(const FanInPlan& plan, const Links& links, Schedule schedule, const MakeBundles& make) {
  const auto period = static_cast<std::int64_t>(1e9 / plan.rate_hz);
  std::vector<std::string> topics;
  for (int c = 0; c < plan.connections; ++c) topics.push_back(fmt::format("sw/{}/st/{}/{}", kFanInFederation, plan.process, c));
  std::vector<std::vector<std::byte>> bundles(static_cast<std::size_t>(plan.connections));
  std::uint64_t number = 0;
  for (std::int64_t at = schedule.begin_ns; at < schedule.end_ns; at += period, ++number) {
    sleep_until(at);
    // the age of a state counts from when its computation begins
    const std::int64_t made = monotonic_ns();
    if (make) make(bundles);
    for (int c = 0; c < plan.connections; ++c) {
      std::vector<std::byte>& bundle = bundles[static_cast<std::size_t>(c)];
      bundle.resize(std::max(bundle.size(), plan.payload - kBundleHeader));
      core::ByteWriter out;
      out.put(made);
      out.put(number);
      out.put(static_cast<std::uint32_t>(plan.process * plan.connections + c));
      out.put_bytes(bundle);
      links[plan.over_udp ? 0 : static_cast<std::size_t>(c)]->publish(topics[static_cast<std::size_t>(c)], out.bytes(), {.qos = plan.qos});
    }
  }
}

}  // namespace

core::Status write_plan(const FanInPlan& p, const std::string& file) {
  std::ofstream out(file);
  ::chmod(file.c_str(), 0600);
  out << p.process << ' ' << p.connections << ' ' << p.qos << ' ' << p.rate_hz << ' ' << p.payload << ' ' << p.over_udp << ' ' << p.subscriber_or_broker.host
      << ' ' << p.subscriber_or_broker.port << ' ' << p.bind.host << ' ' << p.bind.port << ' ' << (p.user.empty() ? "-" : p.user) << ' '
      << (p.password.empty() ? "-" : p.password) << '\n';
  out.close();
  if (!out) return core::Error{.message = "cannot be written", .file = file};
  return core::ok();
}

core::Result<FanInPlan> read_plan(const std::string& file) {
  std::ifstream in(file);
  FanInPlan p;
  in >> p.process >> p.connections >> p.qos >> p.rate_hz >> p.payload >> p.over_udp >> p.subscriber_or_broker.host >> p.subscriber_or_broker.port >>
      p.bind.host >> p.bind.port >> p.user >> p.password;
  const bool is_sound = in && p.connections > 0 && p.connections <= 4096 && p.rate_hz > 0 && p.payload >= kBundleHeader && p.payload <= kMaxMessage;
  if (!is_sound) return core::Error{.message = "the file is no plan of a measurement", .file = file};
  return p;
}

core::Result<double> rate_of_plan(const std::string& file) {
  const auto plan = read_plan(file);
  if (!plan) return plan.error();
  return plan.value().rate_hz;
}

core::Status send_fan_in(const std::string& file, const MakeBundles& make) {
  const auto plan = read_plan(file);
  if (!plan) return plan.error();
  const auto links = open_links(plan.value());
  if (!links) return links.error();
  Transport& first = *links.value().front();
  if (const core::Status s = first.subscribe(fmt::format("sw/{}/trig", kFanInFederation), 1); !s) return s;
  const auto schedule = await_start(first, fmt::format("sw/{}/node/{}/life", kFanInFederation, plan.value().process));
  if (!schedule) return schedule.error();
  send_bundles(plan.value(), links.value(), schedule.value(), make);
  return core::ok();
}

}  // namespace volary::cluster
