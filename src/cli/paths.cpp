// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/paths.hpp"

#include <algorithm>
#include <filesystem>

#include "core/home.hpp"
#include "core/suggest.hpp"

namespace volary::cli {

namespace fs = std::filesystem;

std::string this_program() {
  std::error_code code;
  const fs::path self = fs::read_symlink("/proc/self/exe", code);
  return code ? std::string("./volary") : self.string();
}
std::string program_folder() { return fs::path(this_program()).parent_path().string(); }

std::string home_folder() { return core::home_folder(); }
std::string page_folder() { return core::page_folder(); }

ScenarioPaths scenario_paths() {
  ScenarioPaths paths;
  paths.assets = (fs::path(home_folder()) / "assets").string();
  return paths;
}

std::vector<std::string> all_scenarios() {
  std::vector<std::string> list;
  std::error_code code;
  for (fs::directory_iterator entry(fs::path(home_folder()) / "scenarios", code), end; !code && entry != end; entry.increment(code))
    if (entry->path().extension() == ".yaml") list.push_back(entry->path().string());
  std::sort(list.begin(), list.end());
  return list;
}

std::string stem_of(const std::string& path) { return fs::path(path).stem().string(); }

core::Result<std::string> find_scenario(const std::string& name) {
  std::error_code code;
  if (fs::is_regular_file(name, code)) return name;
  const fs::path folder = fs::path(home_folder()) / "scenarios";
  for (const fs::path& candidate : {folder / name, folder / (name + ".yaml"), fs::path(home_folder()) / name})
    if (fs::is_regular_file(candidate, code)) return candidate.string();

  std::vector<std::string> known;
  for (const std::string& path : all_scenarios()) known.push_back(stem_of(path));
  core::Error error;
  error.message = "no scenario '" + name + "': not a file, and not a name in " + folder.string();
  error.suggestion = core::did_you_mean(stem_of(name), known);
  return error;
}

}  // namespace volary::cli
