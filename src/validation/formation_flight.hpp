// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A flight of wing_formation as figures: how far each follower is from its place, on which stretches the leader flies straight, when a follower is in
// place for good, how alike two tracks are.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "volary/def.hpp"

namespace volary::validation {

struct FormationSample {
  double time = 0;              // s
  double course = 0;            // rad, of the leader
  std::vector<Vec> position;    // m, the leader first
  std::vector<Vec> place;       // m, of each
  std::vector<Vec> gap;         // m: how far each is ahead, to the right and above of its place
};

struct FormationFlight {
  std::vector<FormationSample> samples;
  double interval = 0.1;         // s between them
  double off_path = 0;           // m, of the leader, at most
  double flown = 0;              // m, by the leader
  double nearest = 0;            // m between two of them, at least
  bool complete = true;          // all of them to the end
};

// places behind the leader, ahead and right of its course
Vec place_of(const Vec& leader, double course, double ahead, double right, double above);

// Flies a scenario whose first flock follows its first vehicle by wing_formation.
core::Result<FormationFlight> fly_formation(const std::string& scenario, const std::string& assets);

// whole stretches of at least `shortest` seconds on which the leader turns by less than `rate` rad/s
struct Straight {
  std::size_t first = 0, last = 0;  // samples, the last one not included
};
std::vector<Straight> straights_of(const FormationFlight& flight, double rate = 0.05, double shortest = 15);

// which part of a gap is looked at
enum class Part { Ahead, Aside, Above, All };
double size_of(const Vec& gap, Part part);
// s from the beginning of a stretch until a follower stays within `threshold` up to its end; infinite: it does not
double convergence(const FormationFlight& flight, const Straight& stretch, std::size_t follower, Part part, double threshold);
// the largest gap of a follower in the last `seconds` of a stretch
double steady_error(const FormationFlight& flight, const Straight& stretch, std::size_t follower, Part part, double seconds);

// Dynamic time warping (Sakoe and Chiba 1978): the mean distance between two tracks along the warping path that makes its sum least.
double time_warp_distance(std::span<const Vec> a, std::span<const Vec> b);

}  // namespace volary::validation
