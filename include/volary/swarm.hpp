// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The swarm side of a world as plain data: radio, detection, behaviours, contact and tasks.
// A simulation object (Cybulski, Definition 1) is any vehicle of a flock: a person, a beacon and a base station are vehicles too.
// A node is the swarm side of one vehicle. SI units, world frame ENU, angles in radians.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace volary {

// Three numbers, such as east, north and up.
using Vec = std::array<double, 3>;

// One behaviour of a node's library, b = {extraction, trigger, logic, weight} (SIGMA III.A.4); docs/behaviours.md lists the kinds. Made by load_behaviours().
struct BehaviourDef {
  std::string kind;                    // name in the list, or "script"
  double weight = 1;                   // weight W in the choice between behaviours
  double threshold = 0;                // threshold t_M: the behaviour may act while its trigger is above it
  double rate = 0;                     // Hz, rate of evaluation; 0: the decision rate of the node
  double from = 0;                     // s: simulated time from which it may act
  double until = std::numeric_limits<double>::infinity();  // s: simulated time up to which it may act
  double delay = 0;                    // s from the start of a decision until its result takes effect; the simulation continues meanwhile
  std::shared_ptr<const void> params;  // the kind's own Params
};

// One emitting function of a node (Cybulski, Definition 15); docs/swarm.md lists the kinds. Made by load_emissions().
struct EmissionDef {
  std::string kind;
  double from = 0;                                         // s: simulated time from which it emits
  double until = std::numeric_limits<double>::infinity();  // s: simulated time up to which it emits
  std::shared_ptr<const void> emission;                    // the kind's own Emission
};

// The detection of other vehicles by a node's own sensors.
struct DetectionDef {
  double range = 0;           // m; 0: the node detects no vehicle
  double field_of_view = 6.283185307179586;  // rad, the full angle about the vehicle's nose
  double rate = 10;           // Hz
  bool line_of_sight = true;  // true: terrain and obstacles hide the vehicles behind them
};

// The effect of a contact. Crash: the motors stop. Remove: the vehicle leaves the world. Bounce: it rebounds.
enum class ContactPolicy { Ignore, Crash, Remove, Bounce };
// The detection of contacts of a vehicle with other vehicles, the ground and obstacles.
struct ContactDef {
  ContactPolicy policy = ContactPolicy::Ignore;
  double radius = 0;     // m, of the contact sphere about the vehicle; 0: the size of the airframe
  double speed = 1;      // m/s: contact speed up to which a contact does no harm
  double ground_speed = 4;  // m/s: speed into the ground above which a vehicle with full physics crashes, whatever the policy; 0: never
};

// The errors of a node's estimate of its own state.
struct EstimateDef {
  double position_noise = 0;  // m, standard deviation on each axis, drawn anew at every decision
  double velocity_noise = 0;  // m/s, standard deviation on each axis, drawn anew at every decision
};

// The swarm side of every vehicle of a flock: decisions, radio, sensing and behaviours.
struct NodeDef {
  double decision_rate = 10;       // Hz
  double cooperation = 0;          // weight eta (SIGMA eq. 3) of agreement with the neighbours in the choice of a behaviour
  double state_rate = 0;           // Hz at which the node sends its own state; 0: never
  int memory = 16;                 // greatest number of neighbour states that the node remembers, the nearest ones
  double forget = 1;               // s without a message after which the node forgets a neighbour state
  bool receives = true;            // false: a passive object (Cybulski, Definition 2), which receives no messages
  double radio_power = 20;         // dBm, of the transmitter
  int radio_channel = 0;
  DetectionDef detection;
  ContactDef contact;
  EstimateDef estimate;
  double obstacle_range = 0;       // m: distance up to which the vehicle senses terrain and obstacles; 0: it senses none
  std::vector<EmissionDef> emits;
  std::vector<BehaviourDef> behaviours;
};

// Propagation model of the radio (docs/radio.md).
enum class RadioModel { Ideal, Disc, LogDistance };
// Fading of the received power.
enum class Fading { None, Rayleigh };
// Medium access. Free: a packet starts when it is ready.
enum class MediumAccess { Free, SlottedAloha, Csma };
// The radio medium that all vehicles of a world share.
struct RadioDef {
  RadioModel model = RadioModel::Ideal;
  double range = 100;              // m, of the disc model
  double frequency = 2.4e9;        // Hz, of the carrier
  double exponent = 2;             // path-loss exponent beyond the reference distance
  double reference_distance = 1;   // m: distance up to which the path loss is that of free space
  double shadowing = 0;            // dB, standard deviation per link, the same in both directions
  Fading fading = Fading::None;    // drawn for every packet and link
  double noise = -95;              // dBm in the receiver's bandwidth
  double sinr = 10;                // dB that a packet needs over its whole airtime
  bool capture = true;             // false: any overlap with another packet in range destroys a packet
  bool half_duplex = true;         // true: a radio cannot receive while it transmits
  double obstruction = 0;          // dB lost where terrain or an obstacle blocks the line of sight; 0: no loss; inf: no reception
  double loss = 0;                 // probability of losing a packet for no other reason
  double bit_rate = 1e6;           // bit/s
  double preamble = 192e-6;        // s, before every packet
  double delay = 0;                // s of additional delay, for processing at both ends together
  int queue = 16;                  // number of packets that may wait in a node
  MediumAccess access = MediumAccess::Free;
  bool spread = true;              // free and CSMA: a message is sent at a random moment of its tick; false: at the beginning of the tick
  double jitter = 0;               // s, free and CSMA: greatest random delay of each message
  double slot = 1e-3;              // s, length of a slot of slotted ALOHA and CSMA; 20 us is usual for CSMA
  double probability = 1;          // slotted ALOHA: probability of sending in a slot
  double sense = -85;              // dBm, CSMA: received power above which the medium counts as busy
  int backoff = 16;                // CSMA: slots of the first backoff window, which doubles up to 1024
};

// One condition of the mission (Cybulski, Definition 11): a tree of predicates of physical and logical state and time. Made by load_tasks().
struct TaskDef {
  std::string name;
  std::shared_ptr<const void> predicate;  // swarm/tasks/predicate.hpp
  bool required = true;                   // false: the task is reported, but the mission is complete without it
  double deadline = 0;                    // s of simulated time; 0: the end of the run
};

}  // namespace volary
