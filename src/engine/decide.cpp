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
#include "engine/ground.hpp"
#include "engine/remainder.hpp"
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
  std::vector<swarm::Detection> seen;
  std::vector<Action> actions;  // of this decision, by behaviour
  std::vector<swarm::Message> heard, said;
  struct Emptied {
    std::size_t flock;
    std::uint32_t ring;
  };
  std::vector<Emptied> emptied;  // inboxes
  struct Late {
    std::size_t flock;
    Unsaid unsaid;
  };
  std::vector<Late> late;  // by flock and slot
  std::vector<Outgoing> sent;
  Told told;
};

class Deciding {
 public:
  Deciding(Data& d, std::size_t flock, Scratch& scratch, int part)
      : d_(d), f_(d.flocks[flock]), s_(d.societies[flock]), flock_(flock), scratch_(scratch), part_(static_cast<std::size_t>(part)), patches_(f_.patches[part_]) {
    scratch_.actions.resize(kinds());
  }

  void prefetch(std::size_t slot) const {
    __builtin_prefetch(&s_.nodes[slot], 1);
    s_.inbox.prefetch(slot);
    __builtin_prefetch(&s_.triggers[slot * kinds()], 1);
    if (d_.air.medium != nullptr) s_.known.prefetch_all(slot);
  }

  // at a tick of its world
  void decide(std::size_t slot, std::uint64_t tick) {
    now_ = tick;
    Node& node = s_.nodes[slot];
    const swarm::Sense sense = sense_of(slot);
    propose(slot, sense);
    if (node.stopped != 0) return;
    const Action action = choose(slot, sense);
    empty_inbox(slot);
    if (!is_finite(action)) return stop(slot, node.chosen == Node::kNone ? "a filter" : s_.library[node.chosen].name, "asked for a number that is not finite");
    const V3 intent = swarm::intent_of(action, sense);
    const double told[4] = {intent.x, intent.y, intent.z, action.role};
    for (int k = 0; k < 3; ++k) node.intent[k] = static_cast<float>(told[k]);
    node.role = static_cast<float>(told[3]);
    digest(slot, action);
    command(slot, action);
  }

 private:
  std::size_t kinds() const { return s_.library.size(); }
  // velocity, position or trajectory: an armed vehicle on the ground has a lower level
  bool follows_setpoint(std::size_t slot) const { return d_.frame.level[place_of(slot)] >= static_cast<std::uint32_t>(ControlLevel::Velocity); }
  std::uint32_t place_of(std::size_t slot) const { return d_.frame.place_of[flock_][slot]; }
  bool is_on(std::size_t slot, std::size_t k, const swarm::Sense& sense) const {
    const BehaviourDef& def = f_.def.node.behaviours[k];
    return s_.weights[slot * kinds() + k] > 0 && sense.time >= def.from && sense.time < def.until;
  }
  void* memory(std::size_t slot, std::size_t k) { return s_.memory.data() + slot * s_.memory_words + s_.library[k].memory_at; }

  swarm::Sense sense_of(std::size_t slot) {
    swarm::Sense sense;
    sense.self = f_.ids[slot].number();
    sense.draws = f_.draws[slot];
    sense.tick = now_;
    sense.time = static_cast<double>(now_) * f_.setup.tick;
    sense.interval = static_cast<double>(s_.decide_every) * f_.setup.tick;
    const std::uint32_t at = place_of(slot);
    const Vec &p = d_.frame.position[at], &v = d_.frame.velocity[at];
    sense.position = {p[0], p[1], p[2]};
    sense.velocity = {v[0], v[1], v[2]};
    sense.key = key_of_world(d_, f_.worlds[slot]);
    if (d_.has_emissions) perceive_emissions(d_, at, sense);  // where it is, not where it believes to be
    if (f_.def.node.obstacle_range > 0) sense.solid = feel(sense.position, f_.def.node.obstacle_range);
    const Believed own = believed(d_, f_, slot, sense.position, sense.velocity);
    sense.position = own.position;
    sense.velocity = own.velocity;
    set_attitude(slot, sense);
    sense.mode = mode_of(d_, flock_, slot);
    sense.is_docked = is_held(f_, slot);
    sense.home = s_.homes[slot];
    sense.ground = ground_at(sense.position);
    sense.ground_ahead = ground_near(sense);
    sense.max_speed = s_.max_speed;
    sense.min_speed = s_.min_speed;
    sense.loiter_radius = s_.loiter_radius;
    sense.radius = s_.radius;
    sense.others = s_.known.recall(slot, {now_, s_.forget}, scratch_.known);
    sense.messages = s_.inbox.read(slot, scratch_.heard);
    sense.detections = detections_of(d_, flock_, slot, scratch_.seen);
    if (f_.senses != nullptr && f_.senses->is_read) {
      sense.readings = &f_.senses->readings;
      sense.numbers = d_.frame.readings_of(flock_, slot, f_.senses->readings.width());
    }
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
    if (f_.shown.attitude == nullptr) return;
    const bool believes = f_.decides_by_estimate() && (d_.frame.asked & shows::kEstimate) != 0;
    const auto& [w, x, y, z] = believes ? d_.frame.estimate[place_of(slot)].attitude : d_.frame.attitude[place_of(slot)];
    sense.yaw = math::atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
    sense.roll = math::atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y));
  }

  // every behaviour whose turn it is; one that needs time to think answers later, and says later what it had to say
  void propose(std::size_t slot, const swarm::Sense& sense) {
    const std::uint64_t decision = (now_ + sense.draws) / s_.decide_every;
    for (std::size_t k = 0; k < kinds(); ++k) {
      if (s_.library[k].filters()) continue;
      Answers& kept = s_.answers[k];
      double& trigger = s_.triggers[slot * kinds() + k];
      std::uint8_t& active = s_.active[slot * kinds() + k];
      if (kept.is_thinking(slot) && now_ >= kept.coming[slot].due) {
        kept.action[slot] = kept.coming[slot].action;
        active = static_cast<std::uint8_t>(kept.coming[slot].active);
        kept.coming[slot].thinking = 0;
      }
      const BehaviourDef& def = f_.def.node.behaviours[k];
      if (!is_on(slot, k, sense)) {
        trigger = active = 0;
        kept.reset(slot);
        continue;
      }
      const bool is_missing = kept.is_missing(slot);
      if (!is_missing && (kept.is_thinking(slot) || decision % s_.library[k].every != 0)) continue;
      scratch_.said.clear();
      swarm::Script::Outcome o = ask(slot, k, sense);
      if (!o.notes.empty()) note(slot, s_.library[k].name, std::move(o.notes));
      if (!o.ok) return stop(slot, s_.library[k].name, o.error);
      trigger = o.trigger;
      const std::uint8_t acts = o.trigger > def.threshold ? 1 : 0;
      const std::uint64_t delay = is_missing ? 0 : s_.library[k].delay;
      for (const swarm::Message& m : scratch_.said) say(slot, m, delay);
      if (delay > 0) {
        kept.coming[slot] = {o.action, now_ + delay, acts, 1};
        continue;
      }
      active = acts;
      (kept.are_kept() ? kept.action[slot] : scratch_.actions[k]) = o.action;
      if (is_missing) kept.missing[slot] = 0;
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
    scratch_.told.noted.push_back({f_.ids[slot], static_cast<std::size_t>(&f_ - d_.flocks.data()), slot, behaviour, std::move(notes)});
  }

  void say(std::size_t slot, swarm::Message m, std::uint64_t delay) {
    if (delay == 0)
      scratch_.sent.push_back({f_.ids[slot].number(), m});
    else
      scratch_.late.push_back({flock_, {now_ + delay, slot, m}});
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
      const Action& action = of.s_.answers[k].are_kept() ? of.s_.answers[k].action[slot] : of.scratch_.actions[k];
      return {of.s_.active[at] != 0 ? &action : nullptr, of.s_.weights[at]};
    }
    Action filtered(std::size_t k, const Action& wanted) { return of.filter(slot, k, sense, wanted); }
  };

  Action choose(std::size_t slot, const swarm::Sense& sense) {
    const swarm::Decision d = swarm::arbitrate(Library{*this, slot, sense}, sense, f_.def.node.cooperation);
    Node& node = s_.nodes[slot];
    const std::uint32_t winner = d.winner < 0 ? Node::kNone : static_cast<std::uint32_t>(d.winner);
    if (winner != node.chosen || d.winner < 0 || !wants_to_stay(*Library{*this, slot, sense}.proposal(winner).action)) node.holds = 0;
    node.chosen = winner;
    return d.action;
  }

  Action filter(std::size_t slot, std::size_t k, const swarm::Sense& sense, const Action& wanted) {
    if (!is_on(slot, k, sense)) return wanted;
    const BehaviourDef& def = f_.def.node.behaviours[k];
    const double trigger = s_.library[k].host->trigger(sense, def.params.get(), memory(slot, k));
    s_.triggers[slot * kinds() + k] = trigger;
    s_.active[slot * kinds() + k] = trigger > def.threshold ? 1 : 0;
    if (!(trigger > def.threshold)) return wanted;
    scratch_.said.clear();
    swarm::Outbox out(scratch_.said);
    return s_.library[k].host->act(wanted, sense, def.params.get(), memory(slot, k), out);
  }

  // its share of the state hash goes on from what it remembers and does
  void digest(std::size_t slot, const Action& action) {
    std::uint64_t h = s_.digests[slot];
    for (std::size_t k = 0; k < s_.memory_words; ++k) h = math::mix64(h ^ s_.memory[slot * s_.memory_words + k]);
    for (std::size_t k = 0; k < s_.scripts; ++k)
      for (const std::byte b : s_.tables[slot * s_.scripts + k]) h = (h ^ static_cast<std::uint64_t>(b)) * 0x100000001b3ull;
    for (const double x : {action.velocity.x, action.velocity.y, action.velocity.z, action.position.x, action.position.y, action.position.z, action.yaw})
      h = math::mix64(h ^ std::bit_cast<std::uint64_t>(x));
    if (const V3& a = action.acceleration; swarm::has_acceleration(action))
      for (const double x : {a.x, a.y, a.z}) h = math::mix64(h ^ std::bit_cast<std::uint64_t>(x));
    s_.digests[slot] = math::mix64(h ^ (static_cast<std::uint64_t>(action.kind) << 32 | s_.nodes[slot].chosen));
  }

  void empty_inbox(std::size_t slot) {
    if (const std::uint32_t ring = s_.inbox.take(slot); ring != Inbox::kNone) scratch_.emptied.push_back({flock_, ring});
  }

  void stop(std::size_t slot, const std::string& behaviour, const std::string& what) {
    s_.nodes[slot].stopped = 1;
    empty_inbox(slot);
    scratch_.told.faults.push_back({f_.ids[slot], "stopped deciding: " + behaviour + ": " + what});
    if (s_.is_piloted)
      s_.guidance[slot] = {.kind = Action::Kind::Hold};
    else
      enter_mode(slot, Mode::Hold);
  }

  // Wings cannot stand still. A velocity below their least one is flown at that, along its course; one of next to nothing is a wish to stay.
  bool wants_to_stay(const Action& a) const {
    return a.kind == Action::Kind::Hold || (a.kind == Action::Kind::Velocity && s_.min_speed > 0 && swarm::norm(a.velocity) < 0.02 * s_.min_speed);
  }

  void command(std::size_t slot, const Action& a) {
    // its autopilot knows what to make of it
    if (s_.is_piloted) {
      s_.guidance[slot] = a;
      return;
    }
    const Mode mode = static_cast<Mode>(d_.frame.status[place_of(slot)] & control::kModeMask);
    switch (wants_to_stay(a) ? Action::Kind::Hold : a.kind) {
      case Action::Kind::None:
        // nobody has a use for it: it stays where it is instead of flying on for ever
        if (mode == Mode::Armed && follows_setpoint(slot)) enter_mode(slot, Mode::Hold);
        return;
      case Action::Kind::TakeOff:
        if (mode == Mode::Disarmed || mode == Mode::Armed) enter_mode(slot, Mode::TakeOff);
        return;
      case Action::Kind::Hold:
        if (mode == Mode::Armed || mode == Mode::Mission || mode == Mode::Land) hold(slot, mode);
        return;
      case Action::Kind::Land:
        if (mode != Mode::Land && mode != Mode::Disarmed && mode != Mode::EmergencyStop) enter_mode(slot, Mode::Land);
        return;
      case Action::Kind::Disarm: return enter_mode(slot, Mode::Disarmed);
      case Action::Kind::Velocity:
      case Action::Kind::Position: break;
    }
    // on the ground it must take off first, and a take-off is not broken off
    if (mode == Mode::Disarmed || mode == Mode::EmergencyStop || mode == Mode::TakeOff) return;
    write_setpoint(slot, a);
  }

  void enter_mode(std::size_t slot, Mode mode) { patches_.enter_mode(slot, mode, ground_height_at(d_, f_, d_.frame.position[place_of(slot)])); }

  // Vehicles that cannot stop hold on circles, meet there again and again, and every evasion would move their height: it is kept for as long as the same behaviour holds.
  void hold(std::size_t slot, Mode mode) {
    Node& node = s_.nodes[slot];
    if (node.holds != 0 && mode == Mode::Armed) return patches_.hold_again(slot, ground_height_at(d_, f_, d_.frame.position[place_of(slot)]));
    node.holds = s_.min_speed > 0 ? 1 : 0;
    enter_mode(slot, Mode::Hold);
  }

  void write_setpoint(std::size_t slot, const Action& a) {
    const auto vec = [](const V3& v) { return Vec{v.x, v.y, v.z}; };
    const ControlLevel level = a.kind == Action::Kind::Velocity ? ControlLevel::Velocity : ControlLevel::Position;
    patches_.steer(slot, s_.rows, {level, a.turns, vec(a.position), vec(a.velocity), vec(a.acceleration), a.yaw});
  }

  Data& d_;
  Flock& f_;
  Society& s_;
  std::size_t flock_;
  Scratch& scratch_;
  std::size_t part_;
  Patches& patches_;  // of this thread
  std::uint64_t now_ = 0;  // tick of the world of the vehicle that decides
};

}  // namespace

void decide(Data& d) {
  d.plotted.clear();
  if (d.air.medium == nullptr) return;
  if (d.has_emissions) gather_emissions(d);
  std::vector<Scratch> scratch(static_cast<std::size_t>(d.pool->size()));
  const WorldTime time(d);
  for (std::size_t k = 0; k < d.flocks.size(); ++k) {
    const Society& s = d.societies[k];
    if (!s.decides() || s.decide_every == 0) continue;
    const Flock& f = d.flocks[k];
    const Remainder turn(s.decide_every);
    each_part(*d.pool, f.slots, cost::kDecide / static_cast<double>(s.decide_every), [&](std::size_t first, std::size_t last, int part) {
      Deciding deciding(d, k, scratch[static_cast<std::size_t>(part)], part);
      for (std::size_t slot = first; slot < last; ++slot) {
        // spread over the ticks by id, so that no tick has them all
        const std::uint64_t now = time.of(f, slot);
        if (turn.of(now + f.draws[slot]) != 0) continue;
        if (slot + s.decide_every < last) deciding.prefetch(slot + s.decide_every);  // probably the next one
        if (d.frame.place_of[k][slot] == Frame::kNobody || !is_own(d, k, slot)) continue;
        if (now >= s.nodes[slot].in_hand_until && s.nodes[slot].stopped == 0) deciding.decide(slot, now);
      }
    });
  }
  for (Scratch& part : scratch) {
    const auto take = [](auto& from, auto& to) { to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end())); };
    take(part.told.noted, d.told.noted);
    take(part.told.faults, d.told.faults);
    take(part.sent, d.air.outgoing);
    for (const Scratch::Emptied& e : part.emptied) d.societies[e.flock].inbox.give_back(e.ring);
    for (const Scratch::Late& l : part.late) d.societies[l.flock].unsaid.push_back(l.unsaid);
  }
  for (Society& s : d.societies) std::stable_sort(s.unsaid.begin(), s.unsaid.end(), [](const Unsaid& a, const Unsaid& b) { return a.slot < b.slot; });
  // in the order of ids, whatever the threads
  std::stable_sort(d.air.outgoing.begin(), d.air.outgoing.end(), [](const Outgoing& a, const Outgoing& b) { return a.sender < b.sender; });
}

}  // namespace volary::engine
