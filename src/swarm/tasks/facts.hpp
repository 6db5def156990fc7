// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a judge of tasks is shown: the truth of one world at one moment, and what happened since it looked last. The engine lays
// it out; a test writes it by hand.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "swarm/sense.hpp"

namespace volary::swarm {

struct VehicleFact {
  std::uint64_t id = 0;
  std::int64_t number = 0;  // in its flock, from 0
  V3 position{}, velocity{};  // m, m/s: the truth
  V3 home{};                // m: where it started
  double ground = 0;        // m: height of the ground below
  double off_path = std::numeric_limits<double>::infinity();  // m: from where its mission wants it now; infinite: it is on none
  std::uint64_t regions = 0;  // bit k: inside region k of the definition
  Mode mode = Mode::Hold;
  bool alive = true;     // it flies: it has neither crashed nor gone
  bool crashed = false;  // its wreck is still there
};

// every vehicle that ever belonged to the flock, the lowest id first; one that has crashed or is gone stays in the list, not alive
struct FlockFact {
  std::span<const VehicleFact> vehicles;
};

struct HeardFact {
  std::uint64_t vehicle = 0;  // id of the receiver
  std::uint32_t topic = 0;
};
struct SeenFact {
  std::uint64_t vehicle = 0;  // id of who saw
  std::uint32_t kind = 0;     // what it saw: topic(name of the airframe)
};
struct EventFact {
  std::string_view what;  // "landed", "refused: ..."
};
struct LinkFact {
  std::uint64_t from = 0, to = 0;  // ids: one that was heard by the other of late
};

struct Facts {
  std::uint64_t tick = 0;
  double time = 0;                    // s
  std::span<const FlockFact> flocks = {};  // in the order of the definition
  // since the last look
  std::span<const HeardFact> heard = {};
  std::span<const SeenFact> seen = {};
  std::span<const EventFact> events = {};
  // now
  std::span<const LinkFact> links = {};
  bool last = false;  // the planned run ends here: a safety task that still holds is done
};

// what the tasks of a world look at: the rest need not be gathered
struct FactsNeeded {
  bool regions = false, ground = false, off_path = false, heard = false, seen = false, events = false, links = false;
};

}  // namespace volary::swarm
