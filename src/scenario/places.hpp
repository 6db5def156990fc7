// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Where the files that a scenario names are looked for: beside it, then in a folder of the assets.
#pragma once

#include <filesystem>
#include <string>

#include "scenario/field_error.hpp"
#include "scenario/files.hpp"

namespace volary::scenario {

struct Places {
  const std::string &folder, &assets;  // of the scenario; of all assets
  const char* kind;                    // folder in the assets: "terrain", "meshes"
  const Files& files;

  struct Found {
    std::string path, bytes;
  };
  core::Result<Found> read(const std::string& name, const std::string& field, const Files::Reduce& reduce = nullptr) const {
    const bool anywhere = std::filesystem::path(name).is_absolute();
    const std::string beside = folder.empty() || anywhere ? name : folder + "/" + name, shipped = assets + "/" + kind + "/" + name;
    core::Result<std::string> bytes = files.read(beside, reduce);
    if (bytes) return Found{beside, std::move(bytes).value()};
    if (!anywhere)
      if (core::Result<std::string> other = files.read(shipped, reduce)) return Found{shipped, std::move(other).value()};
    return error_at(field, beside + ": " + bytes.error().message, std::string("a file beside the scenario, or in assets/") + kind);
  }
};

}  // namespace volary::scenario
