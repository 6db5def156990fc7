// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A task as a tree of predicates T(ps, ls, t) of physical state, logical state and time (Cybulski, Definition 11). Plain data:
// names are already indices. make_task.hpp makes trees from scenario files, Judge (judge.hpp) looks whether they hold.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "swarm/script/lua_task.hpp"
#include "swarm/sense.hpp"

namespace volary::swarm {

// of whom a condition is asked
struct Who {
  enum class Ask : std::uint32_t { Everyone, Vehicle, Count, Share };
  int flock = 0;  // in the order of the definition
  Ask ask = Ask::Everyone;
  double amount = 0;  // Vehicle: its number in the flock; Count: how many at least; Share: what part of the flock at least
};
inline constexpr int kEveryFlock = -1;

struct Predicate {
  // of other predicates, which are `parts`
  struct AllOf {};
  struct AnyOf {};
  struct Not {};
  struct Sequence {};    // one after the other: a part is looked at when the one before has been true
  struct Always {};      // never false so far
  struct Eventually {};  // true once is true for good
  struct Held {
    double seconds = 0;  // true without a break for so long
  };
  struct Within {
    double seconds = 0;  // true for the first time no later than this after the predicate was first looked at
  };
  struct TaskIs {
    int task = 0;  // in the order of the definition
  };

  // of vehicles, each by itself
  struct Reached {
    Who who;
    V3 position{};      // m
    double within = 0;  // m
  };
  struct InRegion {
    Who who;
    int region = 0;  // in the order of the definition
    bool inside = true;
  };
  struct Altitude {
    Who who;
    double height = 0;  // m
    bool above = true;  // or below
    bool over_ground = false;
  };
  struct Tracking {
    Who who;
    double within = 0;  // m
  };
  struct SpeedBelow {
    Who who;
    double speed = 0;  // m/s
  };
  struct ModeIs {
    Who who;
    Mode mode = Mode::Hold;
  };
  struct Alive {
    Who who;
  };
  struct Heard {
    Who who;
    std::uint32_t topic = 0;
  };
  struct Detected {
    Who who;
    std::uint32_t kind = 0;  // topic(name of the airframe)
  };

  // of a flock
  struct Apart {
    int flock = kEveryFlock;
    double distance = 0;  // m
  };
  struct Covered {
    int flock = kEveryFlock;
    std::array<double, 2> min{}, max{};  // m, east north
    double radius = 0, cell = 0;         // m
    double share = 1;
  };
  struct OrderAbove {
    int flock = kEveryFlock;
    double order = 0;
  };
  struct Connected {
    int flock = kEveryFlock;
  };
  struct Formation {
    int flock = 0;
    std::vector<V3> offsets;  // m, by number in the flock; none: as they started
    double within = 0;        // m
    bool turned = false;      // in any heading
    int leader = -1;          // number in the flock of whom places count from, ahead along its course; -1: from the middle of all
  };

  // of the whole run
  struct TimeAfter {
    double time = 0;  // s
  };
  struct Happened {
    std::string event;
    bool wanted = true;  // false: it must not
  };

  // whatever holds(world) of a Lua file says
  struct Scripted {
    struct Def {
      std::string file;  // for messages: as the scenario writes it, the same on every machine
      std::string text;
      ScriptParams params;  // every one that the file declares
      TaskWorld world;
    };
    std::shared_ptr<const Def> def;
  };

  using Test = std::variant<AllOf, AnyOf, Not, Sequence, Always, Eventually, Held, Within, TaskIs, Reached, InRegion, Altitude, Tracking, SpeedBelow, ModeIs,
                            Alive, Heard, Detected, Apart, Covered, OrderAbove, Connected, Formation, TimeAfter, Happened, Scripted>;
  Test test = AllOf{};
  std::vector<Predicate> parts;
};

}  // namespace volary::swarm
