// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/output_file.hpp"

#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "replay/export_file.hpp"

namespace volary::cli {

namespace fs = std::filesystem;

core::Status OutputFile::check() const {
  if (!is_wanted()) return core::ok();
  std::error_code code;
  const fs::path path(path_), folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (fs::exists(fs::symlink_status(path, code))) return core::Error{.message = "cannot be written: the file exists", .file = path_, .suggestion = "choose another name"};
  if (!fs::is_directory(folder, code))
    return core::Error{.message = "cannot be written: there is no folder " + folder.string(), .file = path_, .suggestion = "make the folder first"};
  if (access(folder.c_str(), W_OK) != 0) return core::Error{.message = "cannot be written: the folder " + folder.string() + " is read-only", .file = path_};
  return core::ok();
}

core::Status OutputFile::write(const std::string& text) {
  if (is_ours_) {
    std::ofstream out(path_, std::ios::binary | std::ios::trunc);
    return out << text && out.flush() ? core::ok() : core::Status(core::Error{.message = "cannot be written", .file = path_});
  }
  auto file = replay::NewFile::create(path_);
  if (!file) return file.error();
  file.value().put(text.data(), text.size());
  const core::Status done = file.value().finish();
  is_ours_ = static_cast<bool>(done);
  return done;
}

}  // namespace volary::cli
