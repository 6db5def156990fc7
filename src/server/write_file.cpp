// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "server/write_file.hpp"

#include <unistd.h>

#include <cstdio>

namespace volary::server {

core::Status write_whole(const std::string& path, const std::string& bytes) {
  const std::string part = path + ".part";
  std::FILE* file = std::fopen(part.c_str(), "wb");
  if (file == nullptr) return core::Error{.message = "cannot write " + part};
  const bool written = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size() && std::fflush(file) == 0 && fsync(fileno(file)) == 0;
  const bool closed = std::fclose(file) == 0;
  if (!written || !closed || std::rename(part.c_str(), path.c_str()) != 0) {
    std::remove(part.c_str());
    return core::Error{.message = "cannot write " + path, .suggestion = "is the disk full?"};
  }
  return core::ok();
}

}  // namespace volary::server
