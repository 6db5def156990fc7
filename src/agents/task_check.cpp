// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "agents/task_check.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "control/names.hpp"
#include "core/faults.hpp"
#include "core/suggest.hpp"

namespace volary {

std::span<const char* const> names(GoalKind) {
  static constexpr const char* kNames[] = {"point", "waypoints", "curve", "gates"};
  return kNames;
}

}  // namespace volary

namespace volary::agents {

namespace {

constexpr std::size_t kMostEnds = 254;  // their numbers are bytes, and 255 is a vehicle that is gone
constexpr std::uint32_t kMostGoals = 10'000;

template <class L, std::size_t N> const L* find(const L (&list)[N], const std::string& name) {
  const L* at = std::find_if(std::begin(list), std::end(list), [&](const L& x) { return x.name == name; });
  return at == std::end(list) ? nullptr : at;
}

// what there is, and what was probably meant
template <class L, std::size_t N> core::Error unknown(const char* kind, const L (&list)[N], const std::string& name, const std::string& field) {
  std::vector<std::string> known;
  std::string all;
  for (const L& x : list) {
    known.emplace_back(x.name);
    all += (all.empty() ? "" : ", ") + std::string(x.name);
  }
  core::Error e{.message = fmt::format("there is no {} '{}'; there are {}", kind, name.substr(0, 60), all), .field = field};
  if (!core::nearest(name, known).empty()) e.suggestion = core::did_you_mean(name, known);
  return e;
}

core::Error at(const std::string& field, std::string message, std::string suggestion = "") {
  core::Error e{.message = std::move(message), .field = field};
  e.suggestion = std::move(suggestion);
  return e;
}

const char* name_of(GoalKind kind) { return names(kind)[static_cast<std::size_t>(kind)]; }
bool is_series(GoalKind kind) { return kind == GoalKind::Waypoints || kind == GoalKind::Gates; }
bool is_finite(const Vec& v) { return std::isfinite(v[0]) && std::isfinite(v[1]) && std::isfinite(v[2]); }

void check_goal(const GoalDef& g, const std::string& field, core::Faults& faults) {
  if (!is_series(g.kind) && g.points.size() > 1)
    faults.add(at(field + ".points", fmt::format("a goal of the kind {} has one point, and there are {}", name_of(g.kind), g.points.size()),
                  "use the kind waypoints"));
  if (g.points.size() > kMostGoals || g.count < 1 || g.count > static_cast<int>(kMostGoals))
    faults.add(at(field + (g.points.empty() ? ".count" : ".points"), fmt::format("must be from 1 to {}", kMostGoals)));
  for (std::size_t k = 0; k < g.points.size(); ++k)
    if (!is_finite(g.points[k])) faults.add(at(fmt::format("{}.points[{}]", field, k), "must be finite"));
  if (!is_finite(g.low) || !is_finite(g.high)) faults.add(at(field + ".low", "low and high must be finite"));
  for (std::size_t k = 0; k < 3; ++k)
    if (g.low[k] > g.high[k]) faults.add(at(field + ".low", fmt::format("{} is above high, {}, on axis {}", g.low[k], g.high[k], k), "exchange them"));
  if (!(g.radius > 0)) faults.add(at(field + ".radius", "must be greater than 0"));
  if (!(g.frame >= 0)) faults.add(at(field + ".frame", "must not be negative"));
  if (!(g.ahead >= 0)) faults.add(at(field + ".ahead", "must not be negative"));
}

void check_action(const ActionDef& a, const std::string& field, core::Faults& faults) {
  const std::string level = names(a.level)[static_cast<std::size_t>(a.level)];
  const auto numbers = static_cast<std::size_t>(numbers_of(a.level));
  if (a.low.size() != a.high.size())
    return faults.add(at(field + ".low", fmt::format("low has {} numbers and high has {}", a.low.size(), a.high.size()), "give both or neither"));
  if (!a.low.empty() && numbers > 0 && a.low.size() != numbers)
    faults.add(at(field + ".low", fmt::format("an action of the control level {} has {} numbers, and there are {}", level, numbers, a.low.size())));
  for (std::size_t k = 0; k < a.low.size(); ++k)
    if (!(std::isfinite(a.low[k]) && std::isfinite(a.high[k]))) faults.add(at(fmt::format("{}.low[{}]", field, k), "low and high must be finite"));
  if (!a.low.empty() && !a.scaled) faults.add(at(field + ".low", "low and high are for scaled actions", "leave them out, or set scaled: true"));
  const bool has_none = a.level == ControlLevel::Position || a.level == ControlLevel::Trajectory;
  if (a.scaled && a.low.empty() && has_none)
    faults.add(at(field + ".low", fmt::format("the control level {} has no limits of its own", level), "give low and high, or set scaled: false"));
}

void check_rewards(const LearningDef& d, const std::string& field, core::Faults& faults) {
  for (std::size_t k = 0; k < d.rewards.size(); ++k) {
    const std::string here = fmt::format("{}.rewards[{}]", field, k);
    const RewardLine* line = find_reward(d.rewards[k].term);
    if (line == nullptr) {
      faults.add(unknown("reward", kRewards, d.rewards[k].term, here + ".term"));
      continue;
    }
    if (!std::isfinite(d.rewards[k].weight)) faults.add(at(here + ".weight", "must be finite"));
    if (line->scale_unit != nullptr && !(d.rewards[k].scale > 0 && std::isfinite(d.rewards[k].scale)))
      faults.add(at(here + ".scale", "must be greater than 0"));
    if (line->scale_unit == nullptr && d.rewards[k].scale != 1)
      faults.add(at(here + ".scale", fmt::format("the reward {} has no scale", line->name), "leave it out"));
  }
}

void check_ends(const LearningDef& d, const std::string& field, core::Faults& faults) {
  if (d.ends.size() > kMostEnds) faults.add(at(field + ".ends", fmt::format("at most {} are possible", kMostEnds)));
  for (std::size_t k = 0; k < d.ends.size(); ++k) {
    const std::string here = fmt::format("{}.ends[{}]", field, k);
    const EndLine* line = find_end(d.ends[k].term);
    if (line == nullptr) {
      faults.add(unknown("end", kEnds, d.ends[k].term, here + ".term"));
      continue;
    }
    if (!std::isfinite(d.ends[k].reward)) faults.add(at(here + ".reward", "must be finite"));
    if (!std::isfinite(d.ends[k].limit)) faults.add(at(here + ".limit", "must be finite"));
    if (line->limit_unit == nullptr && d.ends[k].limit != 0)
      faults.add(at(here + ".limit", fmt::format("the end {} has no limit", line->name), "leave it out"));
    const bool fits = line->only_for == OnlyFor::AnyGoal || (line->only_for == OnlyFor::Series ? is_series(d.goal.kind) : d.goal.kind == GoalKind::Gates);
    if (!fits)
      faults.add(at(here + ".term", fmt::format("the end {} is not for a goal of the kind {}", line->name, name_of(d.goal.kind)),
                    line->only_for == OnlyFor::Gates ? "use the kind gates" : "use the kind waypoints or gates"));
  }
}

}  // namespace

const Term* find_observation(const std::string& name) { return find(kTerms, name); }
const RewardLine* find_reward(const std::string& name) { return find(kRewards, name); }
const EndLine* find_end(const std::string& name) { return find(kEnds, name); }
core::Error unknown_observation(const std::string& name) { return unknown("observation", kTerms, name, ""); }

int numbers_of(ControlLevel level) {
  switch (level) {
    case ControlLevel::MotorSpeeds: return 0;
    case ControlLevel::Attitude: return 5;
    case ControlLevel::Trajectory: return 14;
    case ControlLevel::Rates:
    case ControlLevel::Acceleration:
    case ControlLevel::Velocity:
    case ControlLevel::Position: break;
  }
  return 4;
}

core::Status check_task(const LearningDef& d, const std::string& field) {
  core::Faults faults;
  check_action(d.action, field + ".action", faults);
  for (std::size_t k = 0; k < d.observations.size(); ++k)
    if (find_observation(d.observations[k]) == nullptr)
      faults.add(unknown("observation", kTerms, d.observations[k], fmt::format("{}.observations[{}]", field, k)));
  check_goal(d.goal, field + ".goal", faults);
  check_rewards(d, field, faults);
  check_ends(d, field, faults);
  if (!(d.time_limit > 0 && std::isfinite(d.time_limit))) faults.add(at(field + ".time_limit", "must be greater than 0"));
  if (d.ticks < 1) faults.add(at(field + ".ticks", "must be at least 1"));
  return faults.status();
}

}  // namespace volary::agents
