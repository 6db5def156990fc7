// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "replay/summary.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <filesystem>

#include "replay/recording.hpp"

namespace volary::replay {

RunSummary summary_of(const Recording& r) {
  RunSummary s;
  s.id = std::filesystem::path(r.path()).stem().string();
  s.scenario = r.head().scenario;
  s.seed = r.head().seed;
  if (const auto hash = r.hash(r.last_tick())) s.hash = fmt::format("{:016x}", *hash);
  const auto started = static_cast<std::time_t>(r.head().started);
  std::tm utc{};
  if (gmtime_r(&started, &utc) != nullptr) s.started = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", utc);
  s.ticks = r.last_tick() - r.first_tick();
  s.duration = r.seconds(s.ticks);
  s.planned = std::max(0.0, r.head().duration - r.seconds(r.first_tick()));
  if (const EndNote* end = r.end()) s.verdict = end->verdict, s.reason = end->reason;
  for (const std::string& o : r.head().bundle.overrides)
    if (!o.starts_with("seed=")) s.overrides.push_back(o);
  s.vehicles = r.head().vehicles;
  s.bytes = r.scan().bytes;
  s.state = r.damaged() ? "damaged" : r.closed() ? "finished" : "interrupted";
  for (const Metric& m : r.metrics()) s.metrics[m.name] = m.value;  // the last value counts
  return s;
}

core::Result<RunSummary> summarise(const std::string& path) {
  const auto r = Recording::open(path);
  if (!r) return r.error();
  return summary_of(*r.value());
}

}  // namespace volary::replay
