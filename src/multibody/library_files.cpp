// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "multibody/library_files.hpp"

#include <filesystem>

#include "core/home.hpp"
#include "multibody/library.hpp"

namespace volary::multibody {

std::vector<std::string> library_files() {
  namespace fs = std::filesystem;
  const fs::path here = fs::path(core::this_file()).parent_path();
  std::vector<std::string> files = {(here / kLibraryName).string()};
  // PREFIX/bin/volary, PREFIX/lib/libvolary.so and PREFIX/lib/TRIPLET/libvolary.so: see core/home.hpp
  fs::path prefix = here;
  for (int level = 0; level < 2 && prefix.has_relative_path(); ++level) {
    prefix = prefix.parent_path();
    files.push_back((prefix / "lib" / "volary" / kLibraryName).string());
  }
  files.push_back((fs::path(core::home_folder()) / "build" / "mujoco" / kLibraryName).string());
  return files;
}

core::Error not_there() {
  std::string places;
  for (const std::string& file : library_files()) places += (places.empty() ? "" : ", ") + file;
  return {.message = "MuJoCo is not there, and bodies that are joined to each other need it; looked for " + places, .suggestion = kHowToGet};
}

}  // namespace volary::multibody
