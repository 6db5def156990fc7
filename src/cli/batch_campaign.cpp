// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/batch_campaign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "cli/batch_statistics.hpp"
#include "vehicles/components.hpp"

namespace volary::cli {

namespace {

constexpr const char* kNone = "none";

// what became of a vehicle by the end of the run
std::string outcome_of(const World& world, VehicleId id, bool has_reacted) {
  if (!world.is_alive(id)) return "diverged";
  switch (world.condition_of(id)) {
    case Condition::Crashed: return "crashed";
    case Condition::TippedOver:
    case Condition::UpsideDown: return "lies";
    case Condition::Stuck: return "stuck";
    case Condition::Fine: break;
  }
  const Mode mode = world.mode_of(id);
  if (mode == Mode::Disarmed) return "landed";
  if (mode == Mode::EmergencyStop) return "stopped";
  return has_reacted ? "failsafe" : "flies";
}
bool has_survived(const std::string& outcome) { return outcome == "flies" || outcome == "landed" || outcome == "failsafe"; }

std::string without_index(const std::string& component) { return component.substr(0, component.find('[')); }

// kinds whose severity means something
bool has_severity(const std::string& kind) { return kind != "off" && kind != "stuck" && kind != kNone; }
int third_of(const FaultOutcome& f) { return has_severity(f.kind) ? std::clamp(static_cast<int>(3 * f.severity), 0, 2) : -1; }
std::string words_for(int third) { return third < 0 ? "-" : third == 0 ? "low" : third == 1 ? "middle" : "high"; }

std::string list_of(const std::map<std::string, std::uint64_t>& outcomes) {
  std::string text;
  for (const auto& [outcome, n] : outcomes) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", outcome, n);
  return text;
}

}  // namespace

void FaultWatcher::event(World&, const Event& e) {
  if (e.vehicle && e.what.find("failsafe:") != std::string::npos) noticed_[e.vehicle.number()].push_back(e.tick);
}

std::vector<FaultOutcome> FaultWatcher::outcomes(const World& world) const {
  const WorldDef& def = world.def();
  std::vector<FaultOutcome> list;
  if (def.faults.random.per_vehicle <= 0) return list;
  const double tick = static_cast<double>(def.tick_ns) * 1e-9;
  for (int w = 0; w < def.worlds; ++w) {
    const auto at = static_cast<std::uint32_t>(w);
    const std::vector<DrawnFault> drawn = world.random_faults(at);
    for (const FlockDef& flock : def.flocks)
      for (const VehicleId id : world.vehicles(flock.name)) {
        if (world.world_of(id) != at) continue;
        const auto reacted = noticed_.find(id.number());
        const std::string outcome = outcome_of(world, id, reacted != noticed_.end());
        bool has_fault = false;
        for (const DrawnFault& f : drawn) {
          if (f.flock != flock.name || f.place != world.place_of(id)) continue;
          has_fault = true;
          FaultOutcome one{world.name_of(id), f.fault.component, names(f.fault.kind)[static_cast<std::size_t>(f.fault.kind)], outcome, f.severity, f.time, -1};
          if (reacted != noticed_.end())
            for (const std::uint64_t t : reacted->second)
              if (const double when = static_cast<double>(t) * tick; when >= f.time && one.noticed < 0) one.noticed = when - f.time;
          list.push_back(std::move(one));
        }
        if (!has_fault) list.push_back({world.name_of(id), kNone, kNone, outcome, 0, 0, -1});
      }
  }
  return list;
}

std::vector<CampaignRow> campaign_of(const std::vector<RunResult>& results) {
  std::map<std::tuple<std::string, std::string, int>, CampaignRow> rows;
  for (const RunResult& r : results)
    for (const FaultOutcome& f : r.faults) {
      const std::string component = without_index(f.component);
      CampaignRow& row = rows[{component, f.kind, third_of(f)}];
      row.component = component, row.kind = f.kind, row.third = third_of(f);
      ++row.n;
      row.survived += has_survived(f.outcome) ? 1 : 0;
      ++row.outcomes[f.outcome];
      if (f.noticed >= 0) ++row.noticed, row.delay_sum += f.noticed;
    }
  std::vector<CampaignRow> list;
  for (auto& [key, row] : rows) list.push_back(std::move(row));
  return list;
}

void add_campaign_rows(const std::vector<CampaignRow>& rows, Report& report) {
  for (const CampaignRow& r : rows) {
    const Interval i = wilson_interval(static_cast<double>(r.survived), r.n);
    Row& row = report.add(fmt::format("faults/{}/{}{}", r.component, r.kind, r.third < 0 ? "" : "/" + words_for(r.third)),
                          static_cast<double>(r.survived) / static_cast<double>(r.n), "",
                          {{"n", static_cast<std::int64_t>(r.n)}, {"survived", static_cast<std::int64_t>(r.survived)}, {"low", i.low}, {"high", i.high}});
    for (const auto& [outcome, n] : r.outcomes) row.extra.push_back({outcome, static_cast<std::int64_t>(n)});
    row.extra.push_back({"noticed", static_cast<std::int64_t>(r.noticed)});
    if (r.noticed > 0) row.extra.push_back({"noticed after", r.delay_sum / static_cast<double>(r.noticed)});
  }
}

void print_campaign(const std::vector<CampaignRow>& rows) {
  if (rows.empty()) return;
  fmt::print("{}\n", painted(stdout, Paint::Heading, "faults: what survived"));
  std::vector<std::vector<std::string>> cells;
  for (const CampaignRow& r : rows) {
    const Interval i = wilson_interval(static_cast<double>(r.survived), r.n);
    const std::string noticed = r.noticed == 0 ? "-" : fmt::format("{} after {:.2f} s", r.noticed, r.delay_sum / static_cast<double>(r.noticed));
    cells.push_back({r.component, r.kind, words_for(r.third), std::to_string(r.n), fmt::format("{:.3f}", static_cast<double>(r.survived) / static_cast<double>(r.n)),
                     fmt::format("{:.3f} to {:.3f}", i.low, i.high), noticed, list_of(r.outcomes)});
  }
  print_table({"component", "kind", "severity", "n", "survived", "95 % interval", "noticed", "outcomes"}, cells);
  fmt::print("\n");
}

}  // namespace volary::cli
