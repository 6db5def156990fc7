// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Where the loader's files come from: the disk, remembering each one it read, or a bundle of them alone. A bundle is
// all that a scenario was made of, so that a recording can be flown again when the files have long changed.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace volary::scenario {

// Names inside are the same on every machine: scenario/... beside the scenario, assets/... of the assets folder.
struct Bundle {
  std::string main;                          // name of the scenario's own file
  std::map<std::string, std::string> files;  // name -> text
  std::vector<std::string> overrides;        // path=value, in order
};

class Files {
 public:
  // from the disk, into a bundle when one is given
  Files(std::string scenario_folder, std::string assets_folder, Bundle* into);
  // from the bundle, and nothing else
  explicit Files(const Bundle& from) : from_(&from) {}

  core::Result<std::string> read(const std::string& path) const;
  // the *.yaml of a folder by their stems, sorted
  std::vector<std::string> stems_in(const std::string& folder) const;

 private:
  std::vector<std::string> bundle_names(const std::string& path) const;

  std::string scenario_folder_, assets_folder_;
  Bundle* into_ = nullptr;
  const Bundle* from_ = nullptr;
};

inline constexpr const char* kBundleScenario = "scenario";  // folders inside a bundle
inline constexpr const char* kBundleAssets = "assets";

}  // namespace volary::scenario
