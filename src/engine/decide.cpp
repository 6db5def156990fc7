// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Deciding: every vehicle on its own, from its own sense of things, to a setpoint. In Cybulski's words the triggers and transitions of
// the logical state (Definitions 6 and 7) and the control function (Definition 5); in SIGMA's extraction, trigger, logic and arbitration.
#include <algorithm>
#include <bit>
#include <iterator>

#include "control/guide.hpp"
#include "engine/data.hpp"
#include "environment/terrain.hpp"
#include "math/hash.hpp"
#include "swarm/arbitrate.hpp"
#include "swarm/stimuli/proximity.hpp"

namespace volary::engine {

namespace {

using swarm::Action;
using swarm::V3;

bool is_finite(const V3& v) { return v.x - v.x == 0 && v.y - v.y == 0 && v.z - v.z == 0; }
bool is_finite(const Action& a) {
  return is_finite(a.velocity) && is_finite(a.position) && is_finite(a.acceleration) && a.yaw - a.yaw == 0 && a.reward - a.reward == 0 && a.role - a.role == 0;
}

// what one thread needs and brings back
struct Scratch {
  std::vector<swarm::Known> known;
  std::vector<swarm::Message> said;
  std::vector<Outgoing> sent;
  struct Fault {
    VehicleId id;
    std::string name, what;
  };
  std::vector<Fault> faults;
  std::vector<Noted> noted;
};

class Deciding {
 public:
  Deciding(Data& d, std::size_t flock, Scratch& scratch, int part)
      : d_(d), f_(d.flocks[flock]), s_(d.societies[flock]), flock_(flock), scratch_(scratch), part_(static_cast<std::size_t>(part)) {}

  void prefetch(std::size_t slot) const {
    __builtin_prefetch(&s_.nodes[slot], 1);
    __builtin_prefetch(&s_.inbox[slot]);
    __builtin_prefetch(&s_.proposals[slot * kinds()], 1);
    __builtin_prefetch(s_.seen[slot].data());
    if (d_.air.medium != nullptr) s_.known.prefetch_all(slot);
  }

  void decide(std::size_t slot) {
    Node& node = s_.nodes[slot];
    const swarm::Sense sense = sense_of(slot);
    propose(slot, sense);
    if (owes_count(s_.notes, slot)) note(slot, "", {});
    if (node.stopped != 0) return;
    const Action action = choose(slot, sense);
    s_.inbox[slot].clear();
    if (!is_finite(action)) return stop(slot, node.chosen == Node::kNone ? "a filter" : s_.library[node.chosen].name, "asked for a number that is not finite");
    node.action = action;
    node.intent = swarm::intent_of(action, sense);
    digest(slot);
    command(slot, action);
  }

 private:
  std::size_t kinds() const { return s_.library.size(); }
  // velocity, position or trajectory: an armed vehicle on the ground has a lower level
  bool follows_setpoint(std::size_t slot) const { return f_.word(slot, s_.rows.level) >= static_cast<std::uint64_t>(ControlLevel::Velocity); }
  bool is_on(std::size_t slot, std::size_t k, const swarm::Sense& sense) const {
    const BehaviourDef& def = f_.def.node.behaviours[k];
    return s_.weights[slot * kinds() + k] > 0 && sense.time >= def.from && sense.time < def.until;
  }
  void* memory(std::size_t slot, std::size_t k) { return s_.memory.data() + slot * s_.memory_words + s_.library[k].memory_at; }

  swarm::Sense sense_of(std::size_t slot) {
    const Node& node = s_.nodes[slot];
    swarm::Sense sense;
    sense.self = f_.ids[slot].number();
    sense.draws = f_.draws[slot];
    sense.tick = d_.tick;
    sense.time = static_cast<double>(d_.tick) * f_.setup.tick;
    sense.interval = static_cast<double>(s_.decide_every) * f_.setup.tick;
    const std::uint32_t at = d_.frame.find(sense.self);
    const Vec &p = d_.frame.position[at], &v = d_.frame.velocity[at];
    sense.position = {p[0], p[1], p[2]};
    sense.velocity = {v[0], v[1], v[2]};
    sense.key = key_of_world(d_, f_.worlds[slot]);
    if (d_.has_emissions) perceive_emissions(d_, f_, slot, sense);  // where it is, not where it believes to be
    if (f_.def.node.obstacle_range > 0) sense.solid = feel(sense.position, f_.def.node.obstacle_range);
    const Believed own = believed(d_, f_, slot, sense.position, sense.velocity);
    sense.position = own.position;
    sense.velocity = own.velocity;
    set_attitude(slot, sense);
    sense.mode = mode_of(d_, flock_, slot);
    sense.home = node.home;
    sense.ground = ground_at(sense.position);
    sense.ground_ahead = ground_near(sense);
    sense.max_speed = s_.max_speed;
    sense.min_speed = s_.min_speed;
    sense.loiter_radius = s_.loiter_radius;
    sense.radius = s_.radius;
    sense.others = s_.known.recall(slot, {d_.tick, s_.forget}, scratch_.known);
    sense.messages = s_.inbox[slot];
    sense.detections = s_.seen[slot];
    return sense;
  }

  double ground_at(const V3& p) const {
    const EnvironmentDef& e = d_.def.environment;
    return e.terrain == nullptr ? e.ground_height : e.terrain->height(p.x, p.y);
  }
  // the highest ground below, close by and on the way of the next second
  double ground_near(const swarm::Sense& s) const {
    const EnvironmentDef& e = d_.def.environment;
    if (e.terrain == nullptr) return e.ground_height;
    const V3 &p = s.position, &v = s.velocity;
    const double r = 2 * s_.radius;
    double highest = e.terrain->height(p.x, p.y);
    for (const double dx : {-r, r}) highest = std::max(highest, e.terrain->height(p.x + dx, p.y));
    for (const double dy : {-r, r}) highest = std::max(highest, e.terrain->height(p.x, p.y + dy));
    for (const double t : {0.25, 0.5, 0.75, 1.0}) highest = std::max(highest, e.terrain->height(p.x + t * v.x, p.y + t * v.y));
    return highest;
  }

  // the nearer of terrain and obstacle
  swarm::Feel feel(const V3& p, double reach) const {
    const Surface s = surface_near(d_.def.environment, {p.x, p.y, p.z}, reach);
    return swarm::feel_surface(s.distance, {s.normal[0], s.normal[1], s.normal[2]}, reach);
  }

  void set_attitude(std::size_t slot, swarm::Sense& sense) const {
    const int row = s_.attitude;
    if (row < 0) return;
    const double w = f_.value(slot, row), x = f_.value(slot, row + 1), y = f_.value(slot, row + 2), z = f_.value(slot, row + 3);
    sense.yaw = math::atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
    sense.roll = math::atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y));
  }

  // every behaviour whose turn it is; one that needs time to think answers later, and says later what it had to say
  void propose(std::size_t slot, const swarm::Sense& sense) {
    const std::uint64_t decision = (d_.tick + sense.draws) / s_.decide_every;
    for (std::size_t k = 0; k < kinds(); ++k) {
      Proposal& p = s_.proposals[slot * kinds() + k];
      if (p.thinking && d_.tick >= p.due) {
        p.action = p.coming;
        p.active = p.coming_active;
        p.thinking = false;
      }
      if (s_.library[k].filters()) continue;
      const BehaviourDef& def = f_.def.node.behaviours[k];
      if (!is_on(slot, k, sense)) {
        p = {};
        continue;
      }
      if (p.thinking || decision % s_.library[k].every != 0) continue;
      scratch_.said.clear();
      swarm::Script::Outcome o = ask(slot, k, sense);
      if (!o.notes.empty()) note(slot, s_.library[k].name, std::move(o.notes));
      if (!o.ok) return stop(slot, s_.library[k].name, o.error);
      p.trigger = o.trigger;
      const bool active = o.trigger > def.threshold;
      const Action& action = o.action;
      for (const swarm::Message& m : scratch_.said) say(slot, m, s_.library[k].delay);
      if (s_.library[k].delay == 0) {
        p.action = action;
        p.active = active;
      } else {
        p.coming = action;
        p.coming_active = active;
        p.due = d_.tick + s_.library[k].delay;
        p.thinking = true;
      }
    }
  }

  // trigger, and act where that is above the threshold, wherever the behaviour comes from
  swarm::Script::Outcome ask(std::size_t slot, std::size_t k, const swarm::Sense& sense) {
    const Installed& b = s_.library[k];
    const BehaviourDef& def = f_.def.node.behaviours[k];
    swarm::Outbox out(scratch_.said);
    if (b.script != nullptr) return b.script->decide(part_, sense, b.params, s_.tables[slot * s_.scripts + b.outside], out, def.threshold);
    if (b.plugin != nullptr) {
      const std::span<std::byte> memory_of(static_cast<std::byte*>(memory(slot, k)), b.plugin->memory_bytes());
      return b.plugin->decide(sense, b.values, memory_of, out, def.threshold);
    }
    swarm::Script::Outcome o{.ok = true, .error = {}, .trigger = b.host->trigger(sense, def.params.get(), memory(slot, k)), .action = {}};
    if (o.trigger > def.threshold) o.action = b.host->act({}, sense, def.params.get(), memory(slot, k), out);
    return o;
  }

  void note(std::size_t slot, const std::string& behaviour, swarm::Notes notes) {
    scratch_.noted.push_back({f_.ids[slot], static_cast<std::size_t>(&f_ - d_.flocks.data()), slot, behaviour, std::move(notes)});
  }

  void say(std::size_t slot, swarm::Message m, std::uint64_t delay) {
    if (delay == 0)
      scratch_.sent.push_back({f_.ids[slot].number(), m});
    else
      s_.unsaid[slot].push_back({d_.tick + delay, m});
  }

  // its proposals and filters, as arbitration asks for them
  struct Library {
    Deciding& of;
    std::size_t slot;
    const swarm::Sense& sense;

    std::size_t size() const { return of.kinds(); }
    bool filters(std::size_t k) const { return of.s_.library[k].filters(); }
    swarm::Proposal proposal(std::size_t k) const {
      const std::size_t at = slot * size() + k;
      const Proposal& p = of.s_.proposals[at];
      return {p.active ? &p.action : nullptr, of.s_.weights[at]};
    }
    Action filtered(std::size_t k, const Action& wanted) { return of.filter(slot, k, sense, wanted); }
  };

  Action choose(std::size_t slot, const swarm::Sense& sense) {
    const swarm::Decision d = swarm::arbitrate(Library{*this, slot, sense}, sense, f_.def.node.cooperation);
    s_.nodes[slot].chosen = d.winner < 0 ? Node::kNone : static_cast<std::uint32_t>(d.winner);
    return d.action;
  }

  Action filter(std::size_t slot, std::size_t k, const swarm::Sense& sense, const Action& wanted) {
    if (!is_on(slot, k, sense)) return wanted;
    const BehaviourDef& def = f_.def.node.behaviours[k];
    Proposal& p = s_.proposals[slot * kinds() + k];
    p.trigger = s_.library[k].host->trigger(sense, def.params.get(), memory(slot, k));
    p.active = p.trigger > def.threshold;
    if (!p.active) return wanted;
    scratch_.said.clear();
    swarm::Outbox out(scratch_.said);
    return s_.library[k].host->act(wanted, sense, def.params.get(), memory(slot, k), out);
  }

  // its share of the state hash goes on from what it remembers and does
  void digest(std::size_t slot) {
    const Node& node = s_.nodes[slot];
    std::uint64_t h = s_.digests[slot];
    for (std::size_t k = 0; k < s_.memory_words; ++k) h = math::mix64(h ^ s_.memory[slot * s_.memory_words + k]);
    for (std::size_t k = 0; k < s_.scripts; ++k)
      for (const std::byte b : s_.tables[slot * s_.scripts + k]) h = (h ^ static_cast<std::uint64_t>(b)) * 0x100000001b3ull;
    for (const double x : {node.action.velocity.x, node.action.velocity.y, node.action.velocity.z, node.action.position.x, node.action.position.y,
                           node.action.position.z, node.action.yaw})
      h = math::mix64(h ^ std::bit_cast<std::uint64_t>(x));
    if (const V3& a = node.action.acceleration; swarm::has_acceleration(node.action))
      for (const double x : {a.x, a.y, a.z}) h = math::mix64(h ^ std::bit_cast<std::uint64_t>(x));
    s_.digests[slot] = math::mix64(h ^ (static_cast<std::uint64_t>(node.action.kind) << 32 | node.chosen));
  }

  void stop(std::size_t slot, const std::string& behaviour, const std::string& what) {
    s_.nodes[slot].stopped = 1;
    s_.inbox[slot].clear();
    scratch_.faults.push_back({f_.ids[slot], f_.names[slot], "stopped deciding: " + behaviour + ": " + what});
    enter_mode(d_, f_, slot, Mode::Hold);
  }

  // Wings cannot stand still. A velocity below their least one is flown at that, along its course; one of next to nothing is a wish to stay.
  bool wants_to_stay(const Action& a) const {
    return a.kind == Action::Kind::Hold || (a.kind == Action::Kind::Velocity && s_.min_speed > 0 && swarm::norm(a.velocity) < 0.02 * s_.min_speed);
  }

  void command(std::size_t slot, const Action& a) {
    const Mode mode = static_cast<Mode>(f_.status(slot) & control::kModeMask);
    switch (wants_to_stay(a) ? Action::Kind::Hold : a.kind) {
      case Action::Kind::None:
        // nobody has a use for it: it stays where it is instead of flying on for ever
        if (mode == Mode::Armed && follows_setpoint(slot)) enter_mode(d_, f_, slot, Mode::Hold);
        return;
      case Action::Kind::TakeOff:
        if (mode == Mode::Disarmed || mode == Mode::Armed) enter_mode(d_, f_, slot, Mode::TakeOff);
        return;
      case Action::Kind::Hold:
        if (mode == Mode::Armed || mode == Mode::Mission || mode == Mode::Land) enter_mode(d_, f_, slot, Mode::Hold);
        return;
      case Action::Kind::Land:
        if (mode != Mode::Land && mode != Mode::Disarmed && mode != Mode::EmergencyStop) enter_mode(d_, f_, slot, Mode::Land);
        return;
      case Action::Kind::Disarm: return enter_mode(d_, f_, slot, Mode::Disarmed);
      case Action::Kind::Velocity:
      case Action::Kind::Position: break;
    }
    // on the ground it must take off first, and a take-off is not broken off
    if (mode == Mode::Disarmed || mode == Mode::EmergencyStop || mode == Mode::TakeOff) return;
    write_setpoint(slot, a);
  }

  void write_setpoint(std::size_t slot, const Action& a) {
    const auto& r = s_.rows;
    f_.set_status(slot, (f_.status(slot) & ~static_cast<std::uint64_t>(control::kModeMask)) | static_cast<std::uint64_t>(Mode::Armed));
    const ControlLevel level = a.kind == Action::Kind::Velocity ? ControlLevel::Velocity : ControlLevel::Position;
    f_.set_word(slot, r.level, static_cast<std::uint64_t>(level));
    const double position[3] = {a.position.x, a.position.y, a.position.z}, velocity[3] = {a.velocity.x, a.velocity.y, a.velocity.z};
    const double acceleration[3] = {a.acceleration.x, a.acceleration.y, a.acceleration.z};
    for (int k = 0; k < 3; ++k) {
      if (level == ControlLevel::Position) {
        const double value = f_.bytes == 4 ? static_cast<double>(static_cast<float>(position[k])) : position[k];
        f_.set_value(slot, r.position + k, value);
        f_.set_value(slot, r.position + 3 + k, position[k] - value);
      }
      f_.set_value(slot, r.velocity + k, velocity[k]);
      f_.set_value(slot, r.acceleration + k, acceleration[k]);
      f_.set_value(slot, r.jerk + k, 0);
    }
    if (a.turns) f_.set_value(slot, r.yaw, a.yaw);
    f_.set_value(slot, r.yaw_rate, 0);
  }

  Data& d_;
  Flock& f_;
  Society& s_;
  std::size_t flock_;
  Scratch& scratch_;
  std::size_t part_;
};

}  // namespace

void decide(Data& d) {
  d.plotted.clear();
  if (d.air.medium == nullptr) return;
  if (d.has_emissions) gather_emissions(d);
  std::vector<Scratch> scratch(static_cast<std::size_t>(d.pool->size()));
  for (std::size_t k = 0; k < d.flocks.size(); ++k) {
    const Society& s = d.societies[k];
    if (!s.decides() || s.decide_every == 0) continue;
    const Flock& f = d.flocks[k];
    each_part(*d.pool, f.slots, cost::kDecide / static_cast<double>(s.decide_every), [&](std::size_t first, std::size_t last, int part) {
      Deciding deciding(d, k, scratch[static_cast<std::size_t>(part)], part);
      for (std::size_t slot = first; slot < last; ++slot) {
        // spread over the ticks by id, so that no tick has them all
        if ((d.tick + f.draws[slot]) % s.decide_every != 0) continue;
        if (slot + s.decide_every < last) deciding.prefetch(slot + s.decide_every);  // probably the next one
        if ((f.status(slot) & control::kAlive) == 0 || (f.status(slot) & control::kDiverged) != 0) continue;
        if (d.tick >= s.nodes[slot].in_hand_until && s.nodes[slot].stopped == 0) deciding.decide(slot);
      }
    });
  }
  std::vector<Scratch::Fault> faults;
  std::vector<Noted> noted;
  for (Scratch& part : scratch) {
    noted.insert(noted.end(), std::make_move_iterator(part.noted.begin()), std::make_move_iterator(part.noted.end()));
    d.air.outgoing.insert(d.air.outgoing.end(), part.sent.begin(), part.sent.end());
    faults.insert(faults.end(), part.faults.begin(), part.faults.end());
  }
  // in the order of ids, whatever the threads
  std::stable_sort(d.air.outgoing.begin(), d.air.outgoing.end(), [](const Outgoing& a, const Outgoing& b) { return a.sender < b.sender; });
  std::stable_sort(faults.begin(), faults.end(), [](const Scratch::Fault& a, const Scratch::Fault& b) { return a.id < b.id; });
  if (!noted.empty()) take_notes(d, std::move(noted));
  for (Scratch::Fault& fault : faults) add_event(d, fault.id, fault.name, std::move(fault.what));
}

}  // namespace volary::engine
