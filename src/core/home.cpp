// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/home.hpp"

#include <dlfcn.h>
#include <link.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace volary::core {

namespace fs = std::filesystem;

const char* program_version() { return VOLARY_VERSION; }

std::string this_file() {
  Dl_info info{};
  void* map = nullptr;
  const auto* here = reinterpret_cast<const void*>(&this_file);
  std::error_code code;
  // the main program has no name in its link map: there dli_fname is whatever its parent wrote into argv[0]
  if (dladdr1(here, &info, &map, RTLD_DL_LINKMAP) != 0 && map != nullptr && *static_cast<link_map*>(map)->l_name != '\0') {
    const fs::path library = fs::canonical(static_cast<link_map*>(map)->l_name, code);
    return code ? std::string() : library.string();
  }
  const fs::path program = fs::read_symlink("/proc/self/exe", code);
  return code ? std::string() : program.string();
}

std::string installed_share(const std::string& file) {
  std::error_code code;
  fs::path folder = fs::path(file).parent_path();
  // the module of the Python package has its files beside it; bin and lib are one level below the prefix, lib/x86_64-linux-gnu two
  for (int level = 0; level < 3 && folder.has_relative_path(); ++level, folder = folder.parent_path())
    if (const fs::path share = folder / "share" / "volary"; fs::is_directory(share / "assets", code)) return share.string();
  return "";
}

std::string home_folder() {
  if (const char* home = std::getenv("VOLARY_HOME"); home != nullptr && *home != '\0') return home;
  const std::string file = this_file();
  if (std::string share = installed_share(file); !share.empty()) return share;
  std::error_code code;
  if (fs::exists(fs::path(VOLARY_SOURCE_DIR) / "assets", code)) return VOLARY_SOURCE_DIR;
  return fs::path(file).parent_path().string();
}

std::string include_folder() {
  const fs::path home = home_folder(), installed = home.parent_path().parent_path() / "include";
  std::error_code code;
  return (fs::exists(home / "include", code) || !fs::exists(installed / "volary", code) ? home / "include" : installed).string();
}

std::string page_folder() { return (fs::path(home_folder()) / "web" / "dist").string(); }

}  // namespace volary::core
