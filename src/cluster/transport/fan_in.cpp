// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/fan_in.hpp"

#include "cluster/age_meter.hpp"

#include <unistd.h>

#include <fstream>
#include <memory>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "cluster/transport/broker.hpp"
#include "cluster/transport/fan_in_plan.hpp"
#include "cluster/transport/mqtt.hpp"
#include "cluster/transport/udp.hpp"
#include "core/bytes.hpp"

namespace volary::cluster {

namespace {

constexpr std::int64_t kReadyPatience = 60'000'000'000, kLead = 300'000'000, kTail = 300'000'000;
constexpr QueueLimits kQueue = {.messages = 1u << 17, .bytes = 256u << 20};

struct Stage {
  core::ScratchFolder folder;
  std::unique_ptr<Broker> broker;
  std::unique_ptr<Transport> link;
  std::vector<std::unique_ptr<core::ChildProcess>> children;
};

// a number from a file of /proc such as "Pss:   123 kB", in megabytes
double memory_mb(pid_t pid, const char* file, const std::string& field) {
  std::ifstream in(fmt::format("/proc/{}/{}", pid, file));
  for (std::string line; std::getline(in, line);)
    if (line.starts_with(field)) return std::strtod(line.c_str() + field.size(), nullptr) / 1024;
  return 0;
}
double cpu_seconds(pid_t pid) {
  std::ifstream in(fmt::format("/proc/{}/stat", pid));
  std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  const std::size_t end = text.rfind(')');
  if (end == std::string::npos) return 0;
  std::istringstream words(text.substr(end + 2));
  std::string skip;
  for (int k = 0; k < 11; ++k) words >> skip;
  double user = 0, system = 0;
  words >> user >> system;
  return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

core::Status check_options(const FanInOptions& o) {
  if (o.child.empty()) return core::Error{.message = "no program for the sending processes", .field = "child"};
  if (o.processes < 1 || o.processes > 1000) return core::Error{.message = fmt::format("{} is out of range: 1 to 1000", o.processes), .field = "processes"};
  if (o.connections < 1 || o.connections > 4096)
    return core::Error{.message = fmt::format("{} is out of range: 1 to 4096", o.connections), .field = "connections"};
  if (!(o.rate_hz >= 1 && o.rate_hz <= 10'000)) return core::Error{.message = fmt::format("{} Hz is out of range: 1 to 10000", o.rate_hz), .field = "rate"};
  if (o.payload < kBundleHeader || o.payload > kMaxMessage)
    return core::Error{.message = fmt::format("{} bytes are out of range: {} to {}", o.payload, kBundleHeader, kMaxMessage), .field = "payload"};
  if (!(o.duration_s > 0 && o.warm_up_s >= 0)) return core::Error{.message = "the measured time must be positive", .field = "duration"};
  if (o.over_udp && o.processes > 256) return core::Error{.message = "at most 256 peers over UDP", .field = "processes"};
  return core::ok();
}

core::Status open_subscriber(const FanInOptions& o, Stage& stage, std::vector<FanInPlan>& plans) {
  plans.assign(static_cast<std::size_t>(o.processes),
               {.connections = o.connections, .qos = o.qos, .rate_hz = o.rate_hz, .payload = o.payload, .over_udp = o.over_udp});
  if (!o.over_udp) {
    auto broker = Broker::start({.federation = kFanInFederation, .nodes = o.processes, .installer = o.installer});
    if (!broker) return broker.error();
    stage.broker = std::move(broker).value();
    for (int k = 0; k < o.processes; ++k) {
      FanInPlan& p = plans[static_cast<std::size_t>(k)];
      const Account account = stage.broker->node(k);
      p.subscriber_or_broker = stage.broker->address();
      p.bind = {.host = "-", .port = 0};
      p.user = account.user;
      p.password = account.password;
    }
    const Account me = stage.broker->coordinator();
    auto link = connect_mqtt({.broker = stage.broker->address(), .user = me.user, .password = me.password, .queue = kQueue});
    if (!link) return link.error();
    stage.link = std::move(link).value();
  } else {
    UdpOptions udp{.id = kFanInSubscriber, .federation = kFanInFederation, .queue = kQueue};
    // all ports are found before one is given back, or the system might give the same again
    std::vector<std::unique_ptr<UdpTransport>> found;
    for (int k = 0; k < o.processes; ++k) {
      auto port = open_udp({.id = static_cast<std::uint32_t>(k), .federation = kFanInFederation});
      if (!port) return port.error();
      plans[static_cast<std::size_t>(k)].bind = {.host = "127.0.0.1", .port = port.value()->address().port()};
      udp.peers.push_back({.id = static_cast<std::uint32_t>(k), .address = plans[static_cast<std::size_t>(k)].bind});
      found.push_back(std::move(port).value());
    }
    auto link = open_udp(udp);
    if (!link) return link.error();
    for (FanInPlan& p : plans) p.subscriber_or_broker = {.host = "127.0.0.1", .port = link.value()->address().port()};
    stage.link = std::move(link).value();
  }
  return stage.link->subscribe(fmt::format("sw/{}/#", kFanInFederation), o.qos);
}

core::Status start_children(const FanInOptions& o, Stage& stage, std::vector<FanInPlan> plans) {
  for (int k = 0; k < o.processes; ++k) {
    plans[static_cast<std::size_t>(k)].process = k;
    const std::string file = stage.folder.file(fmt::format("plan{}", k));
    if (const core::Status s = write_plan(plans[static_cast<std::size_t>(k)], file); !s) return s;
    std::vector<std::string> command = o.child;
    command.push_back(file);
    auto child = core::ChildProcess::start({.command = std::move(command), .output_file = stage.folder.file("log")});
    if (!child) return child.error();
    stage.children.push_back(std::move(child).value());
  }
  // everybody says that it is there
  std::set<std::string> ready;
  std::vector<Received> batch;
  for (const std::int64_t until = monotonic_ns() + kReadyPatience; ready.size() < static_cast<std::size_t>(o.processes);) {
    if (monotonic_ns() > until) return core::Error{.message = fmt::format("only {} of {} sending processes came up", ready.size(), o.processes)};
    for (const auto& child : stage.children)
      if (!child->is_running()) {
        std::ifstream in(stage.folder.file("log"));
        return core::Error{.message = fmt::format("a sending process ended early ({}): {}", child->exit_text(),
                                                  std::string((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>()))};
      }
    stage.link->wait(50'000'000);
    stage.link->receive(batch);
    for (const Received& m : batch)
      if (m.topic.ends_with("/life")) ready.insert(m.topic);
  }
  return core::ok();
}

struct Tally {
  NodeAges ages;
  std::vector<double> latencies = {};
  double pss_mb = 0;  // half-way, while all of them run
};

double memory_of_all(const Stage& stage) {
  double sum = memory_mb(::getpid(), "smaps_rollup", "Pss:");
  if (stage.broker) sum += memory_mb(stage.broker->pid(), "smaps_rollup", "Pss:");
  for (const auto& child : stage.children) sum += memory_mb(child->pid(), "smaps_rollup", "Pss:");
  return sum;
}

// states that were made within the measured time count, also when they come after it
void listen(Stage& stage, std::size_t nodes, std::int64_t from, std::int64_t to, Tally& tally) {
  std::vector<Received> batch;
  while (monotonic_ns() < to + kTail) {
    stage.link->wait(20'000'000);
    if (tally.pss_mb == 0 && monotonic_ns() > (from + to) / 2) tally.pss_mb = memory_of_all(stage);
    stage.link->receive(batch);
    for (const Received& m : batch) {
      core::ByteReader in(m.bytes);
      const auto made = in.get<std::int64_t>();
      in.get<std::uint64_t>();
      const auto node = in.get<std::uint32_t>();
      if (!in.good() || node >= nodes || m.topic.ends_with("/life")) continue;
      if (m.arrival_ns <= to) tally.ages.update(node, m.arrival_ns, made);
      if (made >= from && made < to) tally.latencies.push_back(static_cast<double>(m.arrival_ns - made) * 1e-6);
    }
  }
  tally.ages.finish(to);
}

}  // namespace

core::Result<FanInReport> measure_fan_in(const FanInOptions& o) {
  if (const core::Status s = check_options(o); !s) return s.error();
  Stage stage;
  std::vector<FanInPlan> plans;
  if (const core::Status s = open_subscriber(o, stage, plans); !s) return s.error();
  if (const core::Status s = start_children(o, stage, std::move(plans)); !s) return s.error();
  const std::int64_t begin = monotonic_ns() + kLead, from = begin + static_cast<std::int64_t>(o.warm_up_s * 1e9),
                     to = from + static_cast<std::int64_t>(o.duration_s * 1e9);
  core::ByteWriter start;
  start.put(begin);
  start.put(to);
  if (stage.link->publish(fmt::format("sw/{}/trig", kFanInFederation), start.bytes(), {.qos = 1}) != LinkDrop::None)
    return core::Error{.message = "the start could not be sent"};
  const auto nodes = static_cast<std::size_t>(o.processes * o.connections);
  Tally tally{.ages = NodeAges(nodes, from)};
  const pid_t broker = stage.broker ? stage.broker->pid() : 0;
  const double cpu = broker != 0 ? cpu_seconds(broker) : 0;
  listen(stage, nodes, from, to, tally);
  FanInReport out;
  if (broker != 0) {
    out.broker_cpu = (cpu_seconds(broker) - cpu) / (o.warm_up_s + o.duration_s);
    out.broker_rss_mb = memory_mb(broker, "status", "VmRSS:");
  }
  out.pss_mb = tally.pss_mb;
  out.expected = nodes * static_cast<std::uint64_t>(o.duration_s * o.rate_hz + 0.5);
  out.received = tally.latencies.size();
  out.latency = summarise(std::move(tally.latencies));
  out.age = tally.ages.report();
  const double loss = out.received >= out.expected ? 0 : 1 - static_cast<double>(out.received) / static_cast<double>(out.expected);
  out.floor_ms = loss < 1 ? age_without_overtaking(1e3 / o.rate_hz, out.latency.mean, loss) : 0;
  out.is_saturated = loss > 0.01;
  return out;
}

}  // namespace volary::cluster
