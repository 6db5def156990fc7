// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// federation_load [name=value ...]   measures N processes that send to one subscriber, and prints one line
// federation_load child FILE         one of the sending processes
// Names: processes, connections, rate, payload, qos, duration, udp (0 or 1).
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "cluster/transport/fan_in.hpp"

using namespace volary;

namespace {

bool set(cluster::FanInOptions& o, const std::string& word) {
  const std::size_t equal = word.find('=');
  if (equal == std::string::npos) return false;
  const std::string name = word.substr(0, equal);
  const double value = std::atof(word.c_str() + equal + 1);
  if (name == "processes")
    o.processes = static_cast<int>(value);
  else if (name == "connections")
    o.connections = static_cast<int>(value);
  else if (name == "rate")
    o.rate_hz = value;
  else if (name == "payload")
    o.payload = static_cast<std::size_t>(value);
  else if (name == "qos")
    o.qos = static_cast<int>(value);
  else if (name == "duration")
    o.duration_s = value;
  else if (name == "udp")
    o.over_udp = value != 0;
  else
    return false;
  return true;
}

void print(const cluster::FanInOptions& o, const cluster::FanInReport& r) {
  std::printf("%s: %d processes x %d connections x %zu B at %g Hz, qos %d: ", o.over_udp ? "UDP" : "MQTT", o.processes, o.connections, o.payload, o.rate_hz,
              o.qos);
  std::printf("received %llu of %llu%s; latency mean %.3f p50 %.3f p99 %.3f max %.3f ms; ", static_cast<unsigned long long>(r.received),
              static_cast<unsigned long long>(r.expected), r.is_saturated ? " (saturated)" : "", r.latency.mean, r.latency.p50, r.latency.p99, r.latency.max);
  std::printf("age mean %.3f sd %.3f p50 %.3f p95 %.3f p99 %.3f ms, floor (A) %.3f ms; ", r.age.age.mean, r.age.sd, r.age.age.p50, r.age.age.p95, r.age.age.p99,
              r.floor_ms);
  std::printf("broker %.1f MB, %.0f %% of a core; PSS of all %.1f MB\n", r.broker_rss_mb, r.broker_cpu * 100, r.pss_mb);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::strcmp(argv[1], "child") == 0) {
    const core::Status s = cluster::send_fan_in(argv[2]);
    if (!s) std::fprintf(stderr, "%s\n", s.error().text().c_str());
    return s ? 0 : 1;
  }
  cluster::FanInOptions options;
  options.child = {"/proc/self/exe", "child"};
  for (int k = 1; k < argc; ++k) {
    if (set(options, argv[k])) continue;
    std::fprintf(stderr, "unknown: %s\n", argv[k]);
    return 2;
  }
  const auto report = cluster::measure_fan_in(options);
  if (!report) {
    std::fprintf(stderr, "%s\n", report.error().text().c_str());
    return 1;
  }
  print(options, report.value());
}
