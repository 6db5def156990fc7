// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The logical side of a flock: what its vehicles believe, remember, heard and are about to do, beside the physical columns and
// apart from them (Cybulski, Definition 1; C-07). All of it is plain data by slot and travels with snapshots.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/acquaintances.hpp"
#include "engine/answers.hpp"
#include "engine/inbox.hpp"
#include "engine/media.hpp"
#include "engine/notes.hpp"
#include "engine/patches.hpp"
#include "engine/sight.hpp"
#include "swarm/behaviour.hpp"
#include "swarm/script/plugin.hpp"

namespace volary::engine {

struct Data;
struct Flock;

struct Node {
  float intent[3] = {}, role = 0;     // the velocity that it means to fly, and whatever it makes of its role: as others are told
  std::uint64_t in_hand_until = 0;    // tick up to which somebody outside flies it and its behaviours rest
  std::uint32_t chosen = kNone;       // behaviour that won
  std::uint16_t stopped = 0;          // 1: a behaviour failed, and it decides nothing any more
  std::uint16_t holds = 0;            // 1: what won holds, and its anchor is of that hold; only of vehicles that cannot stop
  static constexpr std::uint32_t kNone = 0xffffffffu;
};

// what a behaviour that takes its time has to say
struct Unsaid {
  std::uint64_t due = 0;
  std::uint64_t slot = 0;
  swarm::Message message;
};

// One line of a flock's library: from the list, a script, or a plugin.
struct Installed {
  std::string name;
  const swarm::BehaviourHost* host = nullptr;
  std::shared_ptr<swarm::Script> script;  // a shard for each thread
  std::shared_ptr<const swarm::Plugin> plugin;
  std::size_t outside = 0;                // of a script: which one of the flock's
  swarm::ScriptParams params;             // of a script or a plugin
  std::vector<double> values;             // the same without names
  std::size_t memory_at = 0;              // where its memory begins
  std::uint64_t every = 1, delay = 0;     // every how many decisions, ticks of thinking

  bool filters() const { return host != nullptr && host->filters; }
  bool keeps_answers() const { return !filters() && (every > 1 || delay > 0); }
};

struct Society {
  // from the definition
  std::vector<Installed> library;
  std::size_t scripts = 0;                        // in the library
  std::size_t memory_words = 0;                   // of one vehicle
  std::size_t remembers = 0;                      // others
  std::uint64_t decide_every = 0, tell_every = 0, detect_every = 0;  // ticks; 0: never
  std::uint64_t forget = 0;                       // ticks
  double max_speed = 5, min_speed = 0;            // m/s
  double loiter_radius = 0;                       // m
  double radius = 0.2;                            // m, of the sphere that others touch
  bool is_piloted = false;                        // somebody outside flies those that decide
  Vec half = {0.2, 0.2, 0.2};                     // m, along its body axes: of the ellipsoid that the ground and obstacles touch
  SetpointRows rows;

  // by slot
  std::vector<Node> nodes;
  std::vector<std::uint64_t> memory;              // memory_words each
  std::vector<std::vector<std::byte>> tables;     // what scripts remember, one per script
  std::vector<swarm::V3> homes;                   // m; in the roster
  std::vector<double> weights;                    // one per behaviour; in the roster
  std::vector<double> triggers;                   // the same, at the last decision: for people
  std::vector<std::uint8_t> active;               // the same: 1 where that was above the threshold
  std::vector<Answers> answers;                   // by behaviour
  std::vector<swarm::Action> guidance;            // the last decision, for whoever flies it; of piloted flocks only
  std::vector<std::uint64_t> digests;             // of everything heard and decided so far: a vehicle's share of the state hash
  Acquaintances known;                            // empty where nobody says anything
  Inbox inbox;                                    // empty where nobody decides
  std::vector<Unsaid> unsaid;                     // of all, by slot; of a vehicle in the order of saying
  Seen seen;
  FlockNotes notes;                               // for people; not hashed

  template <class F> void each_state(F& f) {
    f(nodes);
    f(memory);
    f(tables);
    f(triggers);
    f(active);
    f(answers);
    if (is_piloted) f(guidance);
    f(digests);
    known.each_state(f);
    inbox.each_state(f);
    f(unsaid);
    seen.each_state(f);
    f(notes);
  }
  void keep_answers();  // of behaviours whose rate or delay asks for it
  std::span<const Unsaid> unsaid_of(std::size_t slot) const;
  bool decides() const { return !library.empty(); }
  bool asks_outside() const;  // a script or a plugin is among its behaviours
  bool fits(std::size_t slots, bool heard) const;  // whether its lists are as long as they must be; what is seen says so itself
};

struct Outgoing {
  std::uint64_t sender = 0;  // id number
  swarm::Message message;
};

// what is the same for all that hear a message
struct Arriving {
  std::uint64_t hash = 0;
  bool is_state = false;
  bool makes_sense = false;  // as a state
};

// what the vehicles of a world share: the air between them
struct Air {
  std::unique_ptr<Media> medium;               // none: nobody says anything
  RadioDef rules;                              // of it now; those of the start are the world's
  swarm::Arrivals arrivals;                    // what the last tick brought: heard at the beginning of the next one
  std::vector<Outgoing> outgoing;              // said in this tick; empty between ticks
  std::vector<swarm::RadioNode> radios;        // of this tick
  std::vector<Arriving> looks;                 // at the messages that arrive
  std::vector<std::uint32_t> receivers;        // of the receptions that arrive: places in the frame; nobody for those that were not heard
  std::vector<std::vector<std::uint32_t>> speakers;  // of this tick, by thread: places in the frame
  struct Letter {
    std::uint32_t at, message;                 // place in the frame; index
  };
  std::vector<std::vector<Letter>> letters;    // for inboxes, of this tick, by thread
  std::vector<std::uint64_t> ticks;            // of this tick, by world
  std::uint64_t overrun = 0;                   // messages that arrived where too many waited already: the oldest went
  std::uint32_t overrun_now = 0;               // those of this tick
};

// what a vehicle believes of itself: the truth with errors that nobody else shares. It decides by this, and tells others this.
struct Believed {
  swarm::V3 position, velocity;
};
Believed believed(const Data& d, const Flock& f, std::size_t slot, const swarm::V3& position, const swarm::V3& velocity);

// The flight mode as everybody outside the kernels sees it: a vehicle that its behaviours steer is armed in its state, and on its mission to people. Of one that
// is piloted the state says only whether it is armed; it is on its mission once it is off the ground.
Mode mode_of(const Data& d, std::size_t flock, std::size_t slot);

core::Status make_societies(Data& d);
void read_rates(const Flock& f, Society& s);  // and what scripts are given: after the flock's definition changed
void move_in(Data& d, std::size_t flock, std::size_t slot);  // a new vehicle knows nothing and is at home
std::uint64_t hash_nodes(const Data& d);    // what the vehicles of this process know and mean to do
std::uint64_t hash_between(const Data& d);  // what all vehicles share: the air, fields that were changed, tasks, contacts
std::uint64_t hash_of_node(const Data& d, std::size_t flock, std::size_t slot);  // a vehicle's part of it; 0 where nobody is

// the logical state of a world as bytes, for snapshots
void save_logical(const Data& d, std::vector<std::byte>& bytes);
void restore_logical(Data& d, std::span<const std::byte> bytes);
bool logical_fits(const Data& d, std::span<const std::byte> bytes, std::span<const std::span<const std::uint32_t>> worlds);  // of each flock: the world of every slot

// what all vehicles share, for a part of a snapshot: in one order, read or written
template <class F> void each_shared(F& f, Data& d);
// after state was put back: what follows from it is worked out anew
void after_restore(Data& d);

// the stages
void deliver(Data& d);  // what arrives now is heard (MRF)
void decide(Data& d);   // behaviours: extract, trigger, act, arbitrate (STFT, STF, PSCF)
void send(Data& d);     // what is said goes on the air (MGFT, MGF, SEM), and who hears it is worked out (E_comm, SRF)

}  // namespace volary::engine
