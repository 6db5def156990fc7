// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/event_rows.hpp"

#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/verdict.hpp"

namespace volary::cli {

namespace {
constexpr std::size_t kMostTexts = 10;
}  // namespace

void add_event_rows(const FlightLog& log, Report& report) {
  for (const auto& [kind, n] : log.events) {
    const auto first = log.first.find(kind);
    const std::string note = kind == "diverged" ? list_of(log.diverged) : first != log.first.end() ? first->second : "";
    report.add("events/" + kind, static_cast<std::int64_t>(n), "", {{"note", note}});
  }
}

void tell_log(const FlightLog& log) {
  for (const FlightLog::Line& line : log.lines) fmt::print(stderr, "volary: log: {:.2f} s {}: {}\n", line.time, line.vehicle, line.text);
  const auto all = log.events.find("log");
  if (all != log.events.end() && all->second > log.lines.size())
    fmt::print(stderr, "volary: log: {} more lines; volary replay FILE --events lists them all\n", all->second - log.lines.size());
}

bool tell_stopped(const FlightLog& log) {
  for (std::size_t k = 0; k < log.stopped.size() && k < kMostTexts; ++k) {
    const FlightLog::Stopped& s = log.stopped[k];
    fail(fmt::format("stopped deciding: {} ({} vehicle(s), first {} at {:.2f} s)", s.text, s.vehicles, s.first, s.time));
  }
  if (log.stopped.size() > kMostTexts)
    fail(fmt::format("stopped deciding: {} other texts; volary replay FILE --events lists them all", log.stopped.size() - kMostTexts));
  return !log.stopped.empty();
}

}  // namespace volary::cli
