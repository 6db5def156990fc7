// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "swarm/script/library_file.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "math/hash.hpp"

namespace volary::swarm {

namespace {

namespace fs = std::filesystem;

std::string hash_of(const std::string& bytes) {
  std::uint64_t h = bytes.size();
  for (std::size_t i = 0; i < bytes.size(); i += 8) {
    std::uint64_t word = 0;
    for (std::size_t k = i; k < i + 8 && k < bytes.size(); ++k) word = word << 8 | static_cast<unsigned char>(bytes[k]);
    h = math::mix64(h ^ word);
  }
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(h));
  return text;
}

void remove_with_folder(const std::string* path) {
  std::error_code ignored;
  fs::remove_all(fs::path(*path).parent_path(), ignored);
  delete path;
}

}  // namespace

core::Result<LibraryFile> LibraryFile::keep(const std::string& bytes, const std::string& name) {
  const auto refuse = [&](const std::string& where) {
    return core::Error{.message = "no room for a copy of the library in " + where, .file = name, .suggestion = "TMPDIR names another folder"};
  };
  std::error_code code;
  const fs::path passing = fs::temp_directory_path(code);
  std::string folder = ((code ? fs::path("/tmp") : passing) / "volary_XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) return refuse(passing.string());
  LibraryFile file;
  file.name_ = name;
  file.path_ = std::shared_ptr<const std::string>(new std::string(folder + "/" + hash_of(bytes) + ".so"), remove_with_folder);
  std::ofstream out(file.path(), std::ios::binary);
  out << bytes;
  out.close();
  if (!out) return refuse(folder);
  return file;
}

}  // namespace volary::swarm
