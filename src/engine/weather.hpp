// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The weather of a running world: one Earth for each world of the batch, brought to the present once per tick, which is the world's own. A plain world has none, and
// pays for none.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/result.hpp"
#include "engine/kernel.hpp"
#include "environment/earth.hpp"
#include "volary/def.hpp"
#include "volary/world.hpp"

namespace volary::engine {

struct Data;
struct Flock;

struct Weather {
  EnvironmentDef rules;                            // as they are now: the definition, and what was changed since
  bool is_on = false;                              // otherwise the world is plain
  // state, by world of the batch
  std::vector<Vec> drift_W;                        // m, how far the mean wind has carried the air
  std::vector<Vec> wind_W;                         // m/s, mean: that of the rules, unless an event of the world changed it
  // derived
  environment::Earth<double> common;               // of the rules; what is random is not in it
  std::vector<environment::Earth<double>> made;    // by world of the batch; one for all where nothing is random and all are at the same tick
  std::vector<environment::Earth<float>> now4;     // the same at this tick, in the precision of the world
  std::vector<environment::Earth<double>> now8;
  std::vector<double> times;                       // s, by world, now; only where worlds are not at the same tick
};

// from the definition; an error names the field
core::Status prepare_weather(Data& d);
// from now on, or as a snapshot has it; vehicles are not told
void use_environment(Data& d, const EnvironmentDef& e);
// the same for vehicles whose air nobody samples: in a plain world it is in their rows
void tell_plain_air(Data& d, std::uint32_t world = kEveryWorld);
void tell_wind(const Data& d, Flock& f, std::size_t slot);  // of its world, in a plain one
// the mean wind of one world of the batch, from now on; vehicles are told
void set_wind_of_world(Data& d, std::uint32_t world, const Vec& wind_W);
// a world begins again: still air that nothing has carried yet, and other turbulence in another episode
void begin_air(Data& d, std::uint32_t world);
// after winds, episodes or the ticks at which worlds began have changed
void remake_air(Data& d);
// what is left of each vehicle's own gust when they end
void still_gusts(Data& d);
// whether the air asks for the height of the terrain below every vehicle
bool samples_ground(const Data& d);

// the stage: the air of this tick, and how far it will have been carried at the next
void carry_air(Data& d);
// for the sweep of a flock; only where the weather is on
AirArgs air_args(const Data& d, const Flock& f);

AirSample air_at(const Data& d, const Vec& position_W, std::uint32_t world);
double density_at(const Weather& w, const Vec& position_W);
std::uint64_t hash_weather(const Data& d);  // 0 where nothing was carried

}  // namespace volary::engine
