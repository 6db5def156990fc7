// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "server/swarm_text.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "server/action.hpp"
#include "server/wire.hpp"
#include "swarm/topic_names.hpp"

namespace volary::server {

using Json = nlohmann::json;

void Pairs::add(std::size_t from, std::size_t to, int quality) {
  if (all_++ % stride_ != 0) return;
  kept_.emplace_back(from, to);
  quality_.push_back(quality);
  if (kept_.size() <= static_cast<std::size_t>(wire::kSwarmPairs)) return;
  // every second one of those so far, and of those to come
  stride_ *= 2;
  for (std::size_t k = 0; 2 * k < kept_.size(); ++k) {
    kept_[k] = kept_[2 * k];
    quality_[k] = quality_[2 * k];
  }
  kept_.resize((kept_.size() + 1) / 2);
  quality_.resize(kept_.size());
}

bool is_social(const WorldDef& def) {
  const auto joins = [](const FlockDef& f) {
    return !f.node.behaviours.empty() || f.node.state_rate > 0 || f.node.detection.range > 0 || !f.node.emits.empty();
  };
  return !def.tasks.empty() || std::any_of(def.flocks.begin(), def.flocks.end(), joins);
}

Links gather_links(const World& world, const Roster& roster, const Places& places, const MessageLog& log) {
  Links links;
  for (std::size_t k = 0; k < roster.entries.size(); ++k) {
    const DecisionState decision = world.decision_state_of(roster.entries[k].id);
    auto add = [&](Pairs& pairs, const std::vector<VehicleId>& others, bool heard) {
      for (const VehicleId id : others)
        if (const auto it = places.find(id.value); it != places.end()) pairs.add(k, it->second, heard ? log.quality(roster.entries[k].id, id) : -1);
    };
    add(links.hears, decision.hears, true);
    add(links.sees, decision.sees, false);
  }
  return links;
}

namespace {

Json radio_of(const RadioReport& report) {
  Json outcomes = Json::array();
  for (const auto& [name, count] : report.outcomes) outcomes.push_back({{"name", name}, {"count", count}});
  return {{"sent", report.sent}, {"outcomes", std::move(outcomes)}};
}

Json messages_of(const MessageLog& log, const Places& places, VehicleId id) {
  Json list = Json::array();
  for (const MessageOutcome& h : log.messages(id)) {
    const bool sent = h.sender == id;
    const auto other = places.find((sent ? h.receiver : h.sender).value);
    Json message = {{"tick", h.tick},
                   {"sent", sent},
                   {"other", other == places.end() ? -1 : static_cast<std::int64_t>(other->second)},
                   {"topic", swarm::topic_name(h.topic)},
                   {"outcome", h.outcome}};
    if (h.sinr != 0 && h.sinr - h.sinr == 0) message["sinr"] = h.sinr;
    list.push_back(std::move(message));
  }
  return list;
}

Json pairs_of(const Pairs& pairs) {
  Json flat = Json::array();
  for (const auto& [from, to] : pairs.kept()) flat.push_back(from), flat.push_back(to);
  Json found = {{"all", pairs.all()}, {"of", std::move(flat)}};
  if (std::any_of(pairs.quality().begin(), pairs.quality().end(), [](int q) { return q >= 0; })) found["quality"] = pairs.quality();
  return found;
}

Json decision_text(const World& world, const Places& places, const MessageLog& log, VehicleId id) {
  const DecisionState decision = world.decision_state_of(id);
  Json behaviours = Json::array();
  for (const DecisionState::Behaviour& b : decision.behaviours) {
    Json one = {{"kind", b.kind}, {"weight", b.weight}};
    if (!decision.is_elsewhere) one["active"] = b.active, one["chosen"] = b.chosen;
    if (!decision.is_elsewhere && b.trigger - b.trigger == 0) one["trigger"] = b.trigger;  // JSON has no word for what is not finite
    behaviours.push_back(std::move(one));
  }
  auto list = [&](const std::vector<VehicleId>& others) {
    Json found = Json::array();
    for (const VehicleId other : others)
      if (const auto it = places.find(other.value); it != places.end() && found.size() < static_cast<std::size_t>(wire::kSwarmPairs))
        found.push_back(it->second);
    return found;
  };
  Json text = {{"id", id_text(id)}, {"behaviours", std::move(behaviours)}, {"hears", list(decision.hears)}, {"sees", list(decision.sees)}};
  Json quality = Json::array();
  for (const VehicleId other : decision.hears)
    if (places.contains(other.value) && quality.size() < text["hears"].size()) quality.push_back(log.quality(id, other));
  text["quality"] = std::move(quality);
  text["messages"] = messages_of(log, places, id);
  return text;
}

Json fields_of(const World& world, VehicleId id) {
  std::vector<LiveValue> fields = world.fields_of({});
  if (id)
    for (LiveValue& f : world.fields_of(id)) fields.push_back(std::move(f));
  Json list = Json::array();
  for (const LiveValue& f : fields) {
    Json one = {{"path", f.path}, {"value", f.value}, {"unit", f.unit}, {"doc", f.doc}};
    if (f.min - f.min == 0) one["min"] = f.min;
    if (f.max - f.max == 0) one["max"] = f.max;
    if (!f.choices.empty()) one["choices"] = f.choices;
    list.push_back(std::move(one));
  }
  return list;
}

}  // namespace

Json tasks_json(const std::vector<TaskStanding>& tasks) {
  Json list = Json::array();
  for (const TaskStanding& t : tasks) list.push_back({{"name", t.name}, {"required", t.required}, {"state", t.state}, {"since", t.since}, {"detail", t.detail}});
  return list;
}

std::string swarm_text(const World& world, const Roster& roster, const Places& places, const MessageLog& log, const Links* links, const SwarmWish& wish,
                       const nlohmann::json* stimuli) {
  Json m = {{"type", wire::kSwarm}, {"tick", world.tick()}, {"roster", roster.version}, {"tasks", tasks_json(world.tasks())}};
  if (const RadioReport report = world.radio(); !report.outcomes.empty()) m["radio"] = radio_of(report);
  if (links != nullptr) {
    m["links"] = pairs_of(links->hears);
    m["detections"] = pairs_of(links->sees);
  }
  if (wish.decision && world.is_alive(wish.decision)) m["decision"] = decision_text(world, places, log, wish.decision);
  if (wish.fields) m["fields"] = fields_of(world, wish.decision);
  if (stimuli != nullptr) m["stimuli"] = *stimuli;
  return dump(m);
}

}  // namespace volary::server
