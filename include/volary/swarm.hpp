// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What makes vehicles a swarm, as plain data: who hears whom, what each notices, what each decides, and what counts as done.
// A simulation object (Cybulski, Definition 1) is any vehicle of a flock: a person, a beacon and a base station are vehicles too.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace volary {

using Vec = std::array<double, 3>;

// One behaviour of a node's library, b = {extraction, trigger, logic, weight} (SIGMA III.A.4); the kinds are listed in swarm/behaviours/all.hpp.
struct BehaviourDef {
  std::string kind;                    // name in the list, or "script"
  double weight = 1;                   // W
  double threshold = 0;                // t_M: it may act when its trigger is above
  double rate = 0;                     // Hz; 0: as often as the node decides
  double from = 0;                     // s: it may act from here
  double until = std::numeric_limits<double>::infinity();  // s: and up to here
  double delay = 0;                    // s: what it decides is known this much later, and the world flies on meanwhile
  std::shared_ptr<const void> params;  // the kind's own Params
};

// One emitting function of a node (Cybulski, Definition 15); the kinds are listed in swarm/stimuli/all.hpp.
struct EmissionDef {
  std::string kind;
  double from = 0;                                         // s: it emits from here
  double until = std::numeric_limits<double>::infinity();  // s: and up to here
  std::shared_ptr<const void> emission;                    // the kind's own Emission
};

// what a node notices by itself
struct DetectionDef {
  double range = 0;           // m; 0: it sees nobody
  double field_of_view = 6.283185307179586;  // rad, the whole angle about its nose
  double rate = 10;           // Hz
  bool line_of_sight = true;  // terrain and obstacles hide what is behind them
};

enum class ContactPolicy { Ignore, Crash, Remove, Bounce };
struct ContactDef {
  ContactPolicy policy = ContactPolicy::Ignore;
  double radius = 0;     // m, of the sphere about the vehicle; 0: as large as the airframe
  double speed = 1;      // m/s: a softer touch is no crash
};

// what a node believes of itself: the truth, with errors (C-07)
struct EstimateDef {
  double position_noise = 0;  // m, standard deviation on each axis, drawn anew at every decision
  double velocity_noise = 0;  // m/s
};

struct NodeDef {
  double decision_rate = 10;       // Hz
  double cooperation = 0;          // eta of eq. 3: how much it matters to do as the others do
  double state_rate = 0;           // Hz at which it tells the others its own state; 0: never
  int memory = 16;                 // how many others it remembers, the nearest ones
  double forget = 1;               // s after which it forgets one it no longer hears
  bool receives = true;            // false: a passive object (Definition 2)
  double radio_power = 20;         // dBm
  int radio_channel = 0;
  DetectionDef detection;
  ContactDef contact;
  EstimateDef estimate;
  double feeler = 0;               // m: nearer than this it feels terrain and obstacles; 0: not at all
  std::vector<EmissionDef> emits;
  std::vector<BehaviourDef> behaviours;
};

enum class RadioModel { Ideal, Disc, LogDistance };
enum class Fading { None, Rayleigh };
enum class MediumAccess { Free, SlottedAloha, Csma };  // Free: a packet starts when it is ready
// the medium that all radios share
struct RadioDef {
  RadioModel model = RadioModel::Ideal;
  double range = 100;              // m: of a disc
  double frequency = 2.4e9;        // Hz
  double exponent = 2;             // of the path loss
  double reference_distance = 1;   // m: free space up to here
  double shadowing = 0;            // dB, standard deviation per link, the same both ways
  Fading fading = Fading::None;    // per packet and link
  double noise = -95;              // dBm in the receiver's bandwidth
  double sinr = 10;                // dB that a packet needs over its whole airtime
  bool capture = true;             // false: any overlap in range destroys
  bool half_duplex = true;         // nobody hears while sending
  double obstruction = 0;          // dB lost where terrain or an obstacle is in the way; 0: radio goes through; inf: it does not
  double loss = 0;                 // probability of losing a packet for no reason of the above
  double bit_rate = 1e6;           // bit/s
  double preamble = 192e-6;        // s
  double delay = 0;                // s, in addition: processing at both ends
  int queue = 16;                  // packets that wait in a node
  MediumAccess access = MediumAccess::Free;
  bool spread = true;              // free and CSMA: a message is said at a moment of its tick that is drawn; false: at its beginning, as everybody's
  double jitter = 0;               // s, free and CSMA: it is ready up to this much later, drawn anew for each
  double slot = 1e-3;              // s, slotted ALOHA: of a slot; CSMA: 20 us is usual
  double probability = 1;          // slotted ALOHA: of sending in a slot
  double sense = -85;              // dBm, CSMA: the medium is busy above
  int backoff = 16;                // CSMA: slots of the first window; doubles up to 1024
};

// One condition of the mission (Definition 11): a tree of predicates of physical and logical state and time.
struct TaskDef {
  std::string name;
  std::shared_ptr<const void> predicate;  // swarm/tasks/predicate.hpp
  bool required = true;                   // false: reported, but the mission is complete without it
  double deadline = 0;                    // s; 0: the end of the run
};

}  // namespace volary
