// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A robot in URDF becomes a platform of several aircraft. The root link, with all links that are fixed to it, is the central body; links on ball joints and on
// hinges are aircraft, and so are fixed links that the caller names. Rotors, motors and controllers of the aircraft are those of an airframe: URDF has none.
// What a platform has no place for becomes a remark; what would change how it flies is an error.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/result.hpp"
#include "scenario/urdf.hpp"
#include "vehicles/platform_def.hpp"

namespace volary::scenario {

struct UrdfOptions {
  std::string aircraft;  // airframe of every aircraft, as a platform file names it
  std::vector<std::string> fixed_parts;  // links on fixed joints that are aircraft
};

struct UrdfPlatform {
  airframe::PlatformDef def;  // its aircraft are not read
  std::string file;
  std::vector<UrdfRemark> remarks;
  // where a field of the platform comes from: centre, parts[0], effectors[0]
  struct Source {
    std::string field, words;
    int line = 0;
  };
  std::vector<Source> sources;

  const Source* source_of(const std::string& field) const;  // of the field or of what it belongs to, or null
};

core::Result<UrdfPlatform> platform_of(const Urdf& urdf, const UrdfOptions& options);

// as an airframe file: sources behind the values, and the remarks at its head
std::string yaml_of(const UrdfPlatform& platform);

// An error of the airframe file that yaml_of() made, at the line of the URDF file that it comes from.
core::Error in_urdf(core::Error error, const UrdfPlatform& platform);

}  // namespace volary::scenario
