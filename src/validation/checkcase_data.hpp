// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The published trajectories of a check case: one CSV per simulation in a folder Atmos_<id>_<name>, columns named with their
// unit. The reference is the mean of some of them, the band their largest disagreement.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "vehicles/geodetic_body.hpp"

namespace volary::validation {

// what is compared, in the units of the publication
inline constexpr std::size_t kQuantities = 7;
using Quantities = std::array<double, kQuantities>;
struct QuantityInfo {
  const char *name, *unit, *column;
  int group;  // 0 altitude, 1 velocity, 2 attitude
};
inline constexpr QuantityInfo kQuantityInfo[kQuantities] = {
    {"altitude", "ft", "altitudeMsl_ft", 0},           {"velocity_north", "ft/s", "feVelocity_ft_s_X", 1},
    {"velocity_east", "ft/s", "feVelocity_ft_s_Y", 1}, {"velocity_down", "ft/s", "feVelocity_ft_s_Z", 1},
    {"yaw", "deg", "eulerAngle_deg_Yaw", 2},           {"pitch", "deg", "eulerAngle_deg_Pitch", 2},
    {"roll", "deg", "eulerAngle_deg_Roll", 2},
};

// b - a, angles by the shorter way round
double difference(std::size_t quantity, double a, double b);

struct Trajectory {
  std::string simulation, file;
  std::vector<double> time;  // s
  std::vector<Quantities> rows;
  std::vector<int> line;     // of each row in the file
  vehicles::GeodeticState<double> first;  // SI
};
core::Result<Trajectory> read_trajectory(const std::string& path, const std::string& simulation);

struct Reference {
  std::vector<std::string> simulations;
  std::vector<double> time;  // as long as all of them go on
  std::vector<Quantities> mean;
  Quantities band{};                         // largest disagreement of any two
  vehicles::GeodeticState<double> first;  // mean of the first rows
};
// `lasts` is how long the case is, s: simulations may have gone on longer, and end at different times only then; 0: not known, none may end before a tenth of
// the longest. A value far beyond what the others leave in doubt is an error: it would widen the band that it is judged by.
core::Result<Reference> mean_of(const std::vector<Trajectory>& trajectories, double lasts = 0);

// a folder of trajectories
struct CaseFolder {
  std::string path, id;
  std::vector<std::pair<std::string, std::string>> files;  // simulation ("04") and path, sorted
};
// every Atmos_<id>_<name> in `folder`, sorted by name
std::vector<CaseFolder> find_case_folders(const std::string& folder);

}  // namespace volary::validation
