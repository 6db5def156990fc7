// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Where the loader's files come from: the disk, remembering each one it read, two folders of the disk and nothing outside them, or a bundle
// alone. A bundle is all that a scenario was made of, so that a recording can be flown again when the files have long changed.
// Everything that opens a file for a scenario asks here; the fields that name one are marked in the describe lists (Info::is_path).
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/result.hpp"

namespace volary::scenario {

// Names inside are the same on every machine: scenario/... beside the scenario, assets/... of the assets folder.
struct Bundle {
  std::string main;                          // name of the scenario's own file
  std::map<std::string, std::string> files;  // name -> text
  std::vector<std::string> overrides;        // path=value, in order
};

// whether a shared library with these bytes may run in this program; empty: none may
using MayRun = std::function<bool(const std::string& bytes)>;
inline bool run_any(const std::string&) { return true; }

class Files {
 public:
  // from the disk, into a bundle when one is given; whoever names a plugin here is whoever runs the program
  Files(std::string scenario_folder, std::string assets_folder, Bundle* into);
  // from the bundle, and nothing else
  explicit Files(const Bundle& from, MayRun may_run) : from_(&from), may_run_(std::move(may_run)) {}
  // from these two folders, for a text of somebody who may not read this disk: no links, no way out of them, plain files only
  static Files inside(std::string scenario_folder, std::string assets_folder, Bundle* into, MayRun may_run);

  core::Result<std::string> read(const std::string& path) const;
  // The same of a file of which only a part is needed: `reduce` makes that of its bytes, and the part is what is returned and what the bundle keeps.
  using Reduce = std::function<core::Result<std::string>(const std::string& bytes)>;
  core::Result<std::string> read(const std::string& path, const Reduce& reduce) const;
  core::Status check_plugin(const std::string& bytes, const std::string& path) const;
  std::string assets_folder() const;  // empty: there is none
  // the *.yaml of a folder by their stems, sorted
  std::vector<std::string> stems_in(const std::string& folder) const;

 private:
  std::vector<std::string> bundle_names(const std::string& path) const;
  core::Result<std::string> read_disk(const std::string& path, bool is_log) const;

  std::string scenario_folder_, assets_folder_;
  Bundle* into_ = nullptr;
  const Bundle* from_ = nullptr;
  bool inside_ = false;
  MayRun may_run_ = run_any;
};

inline constexpr const char* kBundleScenario = "scenario";  // folders inside a bundle
inline constexpr const char* kBundleAssets = "assets";

}  // namespace volary::scenario
