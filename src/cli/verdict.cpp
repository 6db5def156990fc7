// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/verdict.hpp"

#include <fmt/format.h>

namespace volary::cli {

namespace {

std::vector<std::string> faults_of(const std::vector<TaskStanding>& tasks, const FlightLog& log, bool complete) {
  std::vector<std::string> faults;
  if (!log.diverged.empty()) faults.push_back(fmt::format("{} vehicle(s) diverged: {}", log.diverged.size(), list_of(log.diverged)));
  std::uint64_t stopped = 0;
  for (const FlightLog::Stopped& s : log.stopped) stopped += s.vehicles;
  if (stopped > 0) faults.push_back(fmt::format("{} vehicle(s) stopped deciding", stopped));
  for (const TaskStanding& t : tasks) {
    const bool is_open = t.state == "open";
    if (!t.required || !(t.state == "failed" || (is_open && complete))) continue;
    faults.push_back(t.name + (is_open ? " is still open" : "") + (t.detail.empty() ? "" : " (" + t.detail + ")"));
  }
  return faults;
}

}  // namespace

std::string list_of(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 10;
  std::string text;
  for (std::size_t k = 0; k < names.size() && k < kMost; ++k) text += (k == 0 ? "" : ", ") + names[k];
  return names.size() > kMost ? text + fmt::format(" and {} more", names.size() - kMost) : text;
}

Verdict verdict_of(const std::vector<TaskStanding>& tasks, const FlightLog& log, bool complete) {
  if (const std::vector<std::string> faults = faults_of(tasks, log, complete); !faults.empty()) return {"failed", list_of(faults)};
  std::size_t required = 0, done = 0;
  for (const TaskStanding& t : tasks) {
    required += t.required ? 1 : 0;
    done += t.required && t.state == "done" ? 1 : 0;
  }
  const std::string count = required == 0 ? "no task is required" : fmt::format("{} of {} required tasks done", done, required);
  if (!complete) return {"incomplete", "the run ended before its planned time" + (tasks.empty() ? "" : "; " + count)};
  if (tasks.empty()) return {"no tasks", ""};
  return {"passed", count};
}

}  // namespace volary::cli
