// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A shared library whose bytes came from anywhere: a file, or the bundle of a recording. The system's loader wants a file, so the bytes lie
// in one of their own, named after their hash, for as long as somebody holds this. What flies is then what was recorded, whatever
// becomes of the file it was read from.
#pragma once

#include <memory>
#include <string>

#include "core/result.hpp"

namespace volary::swarm {

class LibraryFile {
 public:
  // `name` is what messages call it
  static core::Result<LibraryFile> keep(const std::string& bytes, const std::string& name);

  const std::string& name() const { return name_; }
  const std::string& path() const { return *path_; }

 private:
  LibraryFile() = default;
  std::string name_;
  std::shared_ptr<const std::string> path_;  // the last one who holds it removes the file
};

}  // namespace volary::swarm
