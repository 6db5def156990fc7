// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// One tick of a world, in the order of the stage table (stages.hpp). Start reading here.
#include "engine/data.hpp"

namespace volary::engine {

namespace {
// the time of a global stage, when somebody asked for a profile; the sweep counts its own stages
void timed(Data& d, std::size_t which, void (*run)(Data&)) {
  if (!d.options.profile) return run(d);
  const auto begin = std::chrono::steady_clock::now();
  run(d);
  d.stage_seconds[which] += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}
}  // namespace

void step(Data& d) {
  advance(d);
  carry_elsewhere(d);  // vehicles that are simulated elsewhere are where their last report puts them
  settle(d);
}

// Every vehicle by itself. Processes that share a world each do this for their own vehicles; then they exchange frames (exchange.hpp).
void advance(Data& d) {
  timed(d, stage::TakeInputs, take_inputs);      // commands due now: modes, setpoints, spawn, remove, wind, parameters
  timed(d, stage::Deliver, deliver);             // messages that arrive now are heard
  timed(d, stage::Watch, watch);                 // faults begin, act and end; who crashed, lies or is stuck; failsafes
  timed(d, stage::Decide, decide);               // behaviours: extract, trigger, act, arbitrate
  timed(d, stage::SampleGround, sample_ground);  // the ground below every vehicle, where it is not flat
  timed(d, stage::CarryAir, carry_air);          // the air of this tick: turbulence carried along, winds that fade
  sweep(d);                                      // block by block: guide, air, command, integrate, measure, estimate, hash
}

// What comes of it between all vehicles. Every process that shares the world works it out for itself, from the same frames.
void settle(Data& d) {
  d.touched.clear();
  timed(d, stage::Tell, tell);                   // what behaviours tell people
  timed(d, stage::StopDiverged, stop_diverged);  // vehicles whose numbers went bad, by name
  timed(d, stage::Touch, touch);                 // vehicles that touch each other or the ground, and what comes of it
  timed(d, stage::Range, range_peers);           // who measures the distance to whom
  timed(d, stage::Detect, detect);               // who notices whom
  timed(d, stage::WatchRegions, watch_regions);  // who left a region to stay in, or entered one to stay out of
  timed(d, stage::Send, send);                   // what is said goes on the air; who hears it, with interference
  timed(d, stage::Judge, judge);                 // which tasks hold
  timed(d, stage::Publish, publish);             // the frame becomes what readers see
  d.tick += 1;
}

}  // namespace volary::engine
