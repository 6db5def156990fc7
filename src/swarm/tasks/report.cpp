// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// How a mission went, for people and for programs.
#include <algorithm>
#include <cstdio>

#include "swarm/tasks/judge.hpp"

namespace volary::swarm {

namespace {

std::string seconds(std::uint64_t tick, double tick_seconds) {
  char text[48];
  std::snprintf(text, sizeof text, "%.2f s", static_cast<double>(tick) * tick_seconds);
  return text;
}

std::string headline(const Judge& judge, const std::vector<TaskResult>& results, double tick_seconds) {
  std::size_t open = 0, failed = 0;
  for (const TaskResult& r : results) {
    open += r.required && r.state == TaskState::Open ? 1 : 0;
    failed += r.required && r.state == TaskState::Failed ? 1 : 0;
  }
  const std::string failures = std::to_string(failed) + " required task(s) failed";
  if (judge.completed_at() == kNotYet) return "mission not complete: " + std::to_string(open) + " required task(s) open, " + failures;
  // what only had to be kept was complete from the start: that it still is at the end is what counts
  const bool kept = std::all_of(results.begin(), results.end(), [](const TaskResult& r) { return r.kept || !r.required; });
  if (kept && failed == 0 && open == 0) return "mission complete: all that had to be kept was kept to the end";
  const std::string at = "mission complete at " + seconds(judge.completed_at(), tick_seconds);
  return failed == 0 ? at : at + ", but then " + failures;
}

}  // namespace

std::string report_text(const Judge& judge, double tick_seconds) {
  const std::vector<TaskResult> results = judge.results();
  std::size_t width = 0;
  for (const TaskResult& r : results) width = std::max(width, r.name.size());
  std::string text = headline(judge, results, tick_seconds) + "\n";
  for (const TaskResult& r : results) {
    std::string state = r.kept && r.state == TaskState::Done ? "kept" : name_of(r.state);
    state.resize(6, ' ');
    text += "  " + state + "  " + r.name + std::string(width - r.name.size(), ' ') + "  since " + seconds(r.since, tick_seconds);
    if (!r.detail.empty()) text += "  " + r.detail;
    if (!r.required) text += "  (not required)";
    text += "\n";
  }
  return text;
}

std::vector<TaskRow> report_rows(const Judge& judge, double tick_seconds) {
  std::vector<TaskRow> rows;
  for (const TaskResult& r : judge.results())
    rows.push_back({"tasks/" + r.name, name_of(r.state), static_cast<double>(r.since) * tick_seconds, r.required, r.detail});
  return rows;
}

}  // namespace volary::swarm
