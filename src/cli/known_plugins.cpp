// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/known_plugins.hpp"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "cli/record_options.hpp"
#include "math/hash.hpp"
#include "scenario/node.hpp"

namespace volary::cli {

namespace {

namespace fs = std::filesystem;

// finds the copy; whether it is the same is seen by comparing
std::string file_of(const std::string& bytes) {
  std::uint64_t h = bytes.size();
  for (const char c : bytes) h = math::mix64(h ^ static_cast<unsigned char>(c));
  return (fs::path(plugins_folder()) / fmt::format("{:016x}.so", h)).string();
}

}  // namespace

std::string plugins_folder() { return (fs::path(user_folder()) / "plugins").string(); }

core::Status remember_plugin(const std::string& bytes) {
  std::error_code code;
  fs::create_directories(plugins_folder(), code);
  const std::string path = file_of(bytes), part = path + ".part";
  std::ofstream out(part, std::ios::binary);
  out << bytes;
  out.close();
  if (out) fs::rename(part, path, code);
  if (!out || code)
    return core::Error{.message = "no copy of the plugin can be kept, so recordings with it will need --allow-plugins", .file = plugins_folder()};
  return core::ok();
}

bool built_here(const std::string& bytes) {
  const core::Result<std::string> copy = scenario::read_file(file_of(bytes));
  return copy && copy.value() == bytes;
}

}  // namespace volary::cli
