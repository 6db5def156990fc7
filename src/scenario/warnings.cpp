// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/warnings.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "environment/obstacles.hpp"
#include "environment/terrain.hpp"
#include "logs/track.hpp"
#include "scenario/joined_flocks.hpp"
#include "scenario/planned_distance.hpp"
#include "swarm/behaviours/all.hpp"
#include "swarm/change_field.hpp"
#include "swarm/tasks/predicate.hpp"
#include "vehicles/multirotor_def.hpp"
#include "vehicles/multirotor_drag.hpp"

namespace volary::scenario {

namespace {

// behaviours that need no other vehicle; of scripts and plugins it is not known
constexpr std::string_view kAlone[] = {"hold", "land", "take_off", "go_to", "follow_path", "return_home", "announce", "script", "plugin"};

// of the own mass: where the integral of the vertical velocity stops, half of gravity (vehicles/multirotor_model.cpp)
constexpr double kMostLifted = 0.5;

bool needs_others(const BehaviourDef& b) { return std::find(std::begin(kAlone), std::end(kAlone), b.kind) == std::end(kAlone); }

std::size_t n_vehicles(const WorldDef& def) {
  std::size_t n = 0;
  for (const FlockDef& f : def.flocks) n += f.vehicles.size();
  return n;
}

// a flock whose behaviours react to other vehicles, of which it learns nothing
void warn_of_silence(const WorldDef& def, std::vector<std::string>& out) {
  const auto is_heard_by = [](const FlockDef& listener) {
    return [&](const FlockDef& f) { return f.node.state_rate > 0 && f.node.radio_channel == listener.node.radio_channel; };
  };
  for (const FlockDef& f : def.flocks) {
    const bool hears = f.node.receives && std::any_of(def.flocks.begin(), def.flocks.end(), is_heard_by(f));
    if (hears || f.node.detection.range > 0) continue;
    const auto lonely = std::find_if(f.node.behaviours.begin(), f.node.behaviours.end(), needs_others);
    if (lonely == f.node.behaviours.end()) continue;
    const char* why = f.node.receives ? "no flock on its radio channel sends its state" : "the flock does not receive";
    out.push_back(fmt::format("flocks.{}.behaviours: {} reacts to other vehicles, but {} and the flock detects nothing; set node.state_rate or node.detection.range",
                              f.name, lonely->kind, why));
  }
}

// what a scenario sends and shows, as far as it is known: a script or plugin may send anything
struct Sent {
  bool anything = false;
  std::set<std::uint32_t> topics, kinds;  // hashes; kinds are airframes and stimuli
};
template <class B> void add_topics(const BehaviourDef& b, std::set<std::uint32_t>& topics) {
  if (b.kind != B::name) return;
  if constexpr (requires { B::kTopic; }) topics.insert(B::kTopic);
  if constexpr (requires { B::kFound; }) topics.insert(B::kFound);
}
template <class... Bs> void add_topics(const BehaviourDef& b, std::set<std::uint32_t>& topics, core::TypeList<Bs...>) { (add_topics<Bs>(b, topics), ...); }

Sent sent_by(const WorldDef& def) {
  Sent sent;
  for (const FlockDef& f : def.flocks) {
    sent.kinds.insert(swarm::topic(f.airframe.name));
    for (const EmissionDef& e : f.node.emits) sent.kinds.insert(swarm::topic(e.kind));
    if (f.node.state_rate > 0) sent.topics.insert(swarm::topic("state"));
    for (const BehaviourDef& b : f.node.behaviours) {
      sent.anything |= b.kind == "script" || b.kind == "plugin";
      add_topics(b, sent.topics, swarm::AllBehaviours{});
    }
    for (const core::ListedField& field : swarm::list_node(f.node))
      if (field.path.ends_with(".announce.topic")) sent.topics.insert(swarm::topic(field.value));
  }
  return sent;
}

void warn_of_task(const std::string& task, const swarm::Predicate& p, const Sent& sent, std::vector<std::string>& out) {
  if (const auto* heard = std::get_if<swarm::Predicate::Heard>(&p.test); heard != nullptr && !sent.anything && !sent.topics.contains(heard->topic))
    out.push_back(fmt::format("tasks.{}: no behaviour sends the topic of `heard`, so the condition never holds", task));
  for (const swarm::Predicate& part : p.parts) warn_of_task(task, part, sent, out);
}

// topics that no vehicle sends, airframes and stimuli that are not there
void warn_of_absence(const WorldDef& def, std::vector<std::string>& out) {
  const Sent sent = sent_by(def);
  for (const FlockDef& f : def.flocks)
    for (const core::ListedField& field : swarm::list_node(f.node)) {
      if (field.value.empty()) continue;
      const std::uint32_t name = swarm::topic(field.value);
      if (field.path.ends_with(".on") && !sent.anything && !sent.topics.contains(name))
        out.push_back(fmt::format("flocks.{}.{}: no behaviour sends the topic `{}`", f.name, field.path, field.value));
      if (field.path.ends_with(".find") && !sent.kinds.contains(name))
        out.push_back(fmt::format("flocks.{}.{}: no flock has the airframe or stimulus `{}`", f.name, field.path, field.value));
    }
  for (const TaskDef& t : def.tasks)
    if (t.predicate != nullptr) warn_of_task(t.name, *static_cast<const swarm::Predicate*>(t.predicate.get()), sent, out);
}

void warn_of_plans(const WorldDef& def, std::vector<std::string>& out) {
  if (const auto pass = closest_planned_pass(def))
    out.push_back(fmt::format("flocks.mission: the missions lead {} and {} to within {:.2f} m of each other at {:.1f} s; the sum of their radii is {:.2f} m", pass->first,
                              pass->second, pass->distance, pass->time, pass->radii));
}

void warn_of_contact(const WorldDef& def, std::vector<std::string>& out) {
  if (n_vehicles(def) < 2) return;
  std::string names;
  for (const FlockDef& f : def.flocks)
    if (f.node.contact.policy == ContactPolicy::Ignore && !f.vehicles.empty()) names += (names.empty() ? "" : ", ") + f.name;
  if (!names.empty())
    out.push_back(fmt::format("flocks.node.contact.policy: is `ignore` for {}: vehicles pass through each other, and collisions end no flight; set node: {{contact: {{policy: crash}}}}", names));
}

void warn_of_drag(const WorldDef& def, std::vector<std::string>& out) {
  for (const FlockDef& f : def.flocks) {
    if (f.airframe.model != "multirotor" || f.airframe.definition == nullptr) continue;
    const auto& d = *static_cast<const airframe::MultirotorDef*>(f.airframe.definition.get());
    if (!airframe::has_drag(d))
      out.push_back(fmt::format("flocks.{}.airframe: {} has no drag, so nothing limits its speed; set motor.drag, linear_drag or quadratic_drag", f.name, f.airframe.name));
  }
}

constexpr double kHarmlessFall = 0.5;  // m: legs and rounded heights

double ground_below(const EnvironmentDef& e, const Vec& p) { return e.terrain != nullptr ? e.terrain->height(p[0], p[1]) : e.ground_height; }

// vehicles that begin without thrust above the ground: those below the terrain are put on it, and the others fall
void warn_of_falls(const WorldDef& def, std::vector<std::string>& out) {
  const EnvironmentDef& e = def.environment;
  if (!e.ground) return;
  for (const FlockDef& f : def.flocks) {
    if (f.mirror || (f.airframe.model != "multirotor" && f.airframe.model != "aircraft")) continue;
    std::size_t falling = 0;
    double deepest = 0;
    for (const VehicleDef& v : f.vehicles) {
      if (v.mode != Mode::Disarmed && v.mode != Mode::Armed) continue;
      if (v.mode == Mode::Armed && f.airframe.model == "multirotor" && f.controller.level == ControlLevel::Rates) continue;  // begins with the thrust of hover
      const double fall = v.position_W[2] - ground_below(e, v.position_W);
      const Vec foot = {v.position_W[0], v.position_W[1], v.position_W[2] - fall};
      if (fall <= kHarmlessFall || (e.obstacles != nullptr && !e.obstacles->sees(v.position_W, foot))) continue;  // it may stand on a roof
      ++falling, deepest = std::max(deepest, fall);
    }
    if (falling > 0)
      out.push_back(fmt::format("flocks.{}.vehicles: {} of {} start {} up to {:.1f} m above the ground and fall; place them lower{}", f.name, falling, f.vehicles.size(),
                                f.vehicles[0].mode == Mode::Armed ? "armed" : "disarmed", deepest,
                                e.terrain != nullptr ? ": a vehicle below the terrain is put on it" : ""));
  }
}

// walls and funnels that every vehicle passes through
void warn_of_structures(const WorldDef& def, std::vector<std::string>& out) {
  if (def.environment.structures.empty()) return;
  if (std::any_of(def.flocks.begin(), def.flocks.end(), [&](const FlockDef& f) { return is_joined(f, def); })) return;
  out.push_back("environment.structures: no flock has vehicles of joined bodies, and other vehicles pass through structures; set joined: true");
}

// carriers that sag: controllers do not know the load, and only the integral of some of them makes up for it
void warn_of_loads(const WorldDef& def, std::vector<std::string>& out) {
  for (const FlockDef& lead : def.flocks) {
    if (!lead.load) continue;
    const double share = lead.load->mass / static_cast<double>(1 + lead.load->with.size());
    const std::vector<std::string> partners = partners_of(lead);
    for (const FlockDef& f : def.flocks) {
      if (&f != &lead && std::find(partners.begin(), partners.end(), f.name) == partners.end()) continue;
      if (f.airframe.model != "multirotor" || f.airframe.definition == nullptr) continue;
      const double mass = static_cast<const airframe::MultirotorDef*>(f.airframe.definition.get())->mass;
      if (f.controller.kind == ControllerKind::Geometric)
        out.push_back(fmt::format("flocks.{}.load: the geometric controller of '{}' has no integral, so each vehicle flies lower by the weight of its load",
                                  lead.name, f.name));
      else if (share > kMostLifted * mass)
        out.push_back(fmt::format("flocks.{}.load: each vehicle of '{}' lifts {:.3g} kg; the integral of its controller lifts {:.3g} kg, so it flies lower by the rest",
                                  lead.name, f.name, share, kMostLifted * mass));
    }
    if (def.environment.obstacles != nullptr)
      out.push_back(fmt::format("flocks.{}.load: a load passes through obstacles; walls and funnels in environment.structures stop it", lead.name));
  }
}

// logs that are damaged, or do not say all the time where their vehicle is
void warn_of_logs(const WorldDef& def, std::vector<std::string>& out) {
  for (const FlockDef& f : def.flocks)
    for (std::size_t k = 0; k < f.tracks.size(); ++k) {
      const logs::Flight& flight = *f.tracks[k]->flight;
      for (const std::string& text : flight.warnings) out.push_back(fmt::format("flocks.{}.vehicles.logs[{}]: {}", f.name, k, text));
      if (flight.gaps > 0)
        out.push_back(fmt::format("flocks.{}.vehicles.logs[{}]: {} gap(s) without a position, the longest {:.1f} s; the vehicle stands still in them", f.name, k, flight.gaps,
                                  flight.longest_gap));
    }
}

}  // namespace

std::vector<std::string> warnings_of(const WorldDef& def) {
  std::vector<std::string> list;
  warn_of_silence(def, list);
  warn_of_contact(def, list);
  warn_of_drag(def, list);
  warn_of_falls(def, list);
  warn_of_structures(def, list);
  warn_of_loads(def, list);
  warn_of_logs(def, list);
  warn_of_absence(def, list);
  warn_of_plans(def, list);
  return list;
}

}  // namespace volary::scenario
