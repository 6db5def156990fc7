// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/run_report.hpp"

#include <limits>

#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/event_rows.hpp"
#include "math/functions.hpp"

namespace volary::cli {

namespace {

// "35.28 S, 149.13 E"
std::string place_of(const OriginDef& o) {
  return fmt::format("{} {}, {} {}", math::abs(o.latitude), o.latitude < 0 ? "S" : "N", math::abs(o.longitude), o.longitude < 0 ? "W" : "E");
}

}  // namespace

void add_figures(const Ending& end, const Flight& f, Report& report) {
  report.add("scenario", end.name);
  if (end.origin) report.add("origin", place_of(*end.origin), "deg", {{"note", fmt::format("{} m above the ellipsoid", end.origin->height)}});
  report.add("vehicles", static_cast<std::int64_t>(end.vehicles));
  report.add("simulated time", f.simulated, "s");
  report.add("wall time", f.wall, "s");
  report.add("real-time factor", f.factor, "");
  if (f.overruns > 0) report.add("overruns", static_cast<std::int64_t>(f.overruns), "ticks");
  const TrackingError& error = f.log.error;
  if (error.samples > 0) {
    const std::string note = error.every > 1 ? fmt::format("sampled every {} ticks", error.every) : "";
    report.add("tracking error/max", error.max, "m", {{"note", note}});
    report.add("tracking error/rms", error.rms(), "m", {{"note", note}});
  }
  add_event_rows(f.log, report);
  report.add("ticks", static_cast<std::int64_t>(end.tick), "", {{"note", std::string(f.interrupted ? "interrupted" : "")}});
  report.add("state hash", hex64(end.hash));
}

void add_swarm(const Ending& end, const ClosestPair& closest, Report& report) {
  const SwarmReport& s = end.swarm;
  const auto put = [&](const char* name, std::optional<double> value, const char* unit = "", std::string note = {}) {
    if (value) report.add(name, *value, unit, {{"note", std::move(note)}});
  };
  if (const ClosestPair::Result pair = closest.result(s); pair.distance < std::numeric_limits<double>::infinity()) {
    const std::string who = pair.names.empty() ? "" : pair.names + " ";
    report.add("closest pair", pair.distance, "m", {{"note", fmt::format("{}at {:.2f} s", who, pair.time)}});
    report.add("passes below the sum of radii", static_cast<std::int64_t>(pair.passes), "",
               {{"note", std::string(pair.in_every_tick ? "checked in every tick" : "pairs without contact checked every 0.1 s")}});
  }
  if (end.radio.sent == 0) return;
  report.add("radio/sent", static_cast<std::int64_t>(end.radio.sent), "messages");
  for (const auto& [outcome, n] : end.radio.outcomes)
    if (n > 0) report.add("radio/" + outcome, static_cast<std::int64_t>(n));
  put("radio/delivery ratio", s.delivery_ratio);
  for (const RadioReport::Distance& at : end.radio.by_distance) {
    std::uint64_t delivered = 0;
    std::string lost;
    for (const auto& [outcome, n] : at.outcomes)
      if (outcome == "delivered")
        delivered = n;
      else
        lost += fmt::format("{}{} {:.1f} %", lost.empty() ? "lost: " : ", ", outcome, 100 * static_cast<double>(n) / static_cast<double>(at.receivers));
    report.add(fmt::format("radio/delivery ratio/{:g} to {:g} m", at.from, at.to), static_cast<double>(delivered) / static_cast<double>(at.receivers), "",
               {{"n", static_cast<std::int64_t>(at.receivers)}, {"note", lost}});
  }
  put("radio/delivery ratio/worst node", s.worst_delivery_ratio, "", end.worst_sender);
  put("radio/age of information/mean", s.age_mean, "s");
  put("radio/age of information/max", s.age_max, "s");
  put("radio/components/mean", s.components_mean);
  if (s.components_max) report.add("radio/components/max", static_cast<std::int64_t>(*s.components_max));
  put("radio/largest component/mean", s.largest_share_mean);
  put("radio/largest component/min", s.largest_share_min);
  put("radio/algebraic connectivity", s.algebraic_connectivity, "", "at the end");
}

void add_mission(const Ending& end, Report& report) {
  for (const TaskStanding& t : end.tasks) {
    std::vector<std::pair<std::string, Value>> extra = {{"note", t.detail}, {"required", t.required}, {"since", static_cast<std::int64_t>(t.since)}};
    report.add("tasks/" + t.name, t.state, "", std::move(extra));
  }
}

void add_recording(const std::string& path, std::uint64_t bytes, Report& report) {
  if (!path.empty()) report.add("recording", path, "", {{"note", bytes_text(static_cast<double>(bytes))}});
}

int outcome_of(const Flight& flight, const Verdict& verdict) {
  if (!flight.failure.empty()) return fail(flight.failure, kFailed);
  if (!verdict.is_failure()) return kDone;
  return tell_stopped(flight.log) ? kFailed : fail(verdict.line(), kFailed);
}

}  // namespace volary::cli
