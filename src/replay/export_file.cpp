// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "replay/export_file.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace volary::replay {

namespace {

core::Error cannot_write(const std::string& path, int code) {
  return {.message = std::string("cannot be written: ") + std::strerror(code), .file = path, .suggestion = code == EEXIST ? "choose another name" : ""};
}

}  // namespace

core::Result<NewFile> NewFile::create(const std::string& path) {
  std::FILE* f = std::fopen(path.c_str(), "wxb");
  if (f == nullptr) return cannot_write(path, errno);
  return NewFile(f, path);
}

NewFile::~NewFile() {
  if (file_ == nullptr) return;
  file_.reset();
  std::remove(path_.c_str());
}

void NewFile::put(const void* bytes, std::size_t n) {
  if (error_ == 0 && std::fwrite(bytes, 1, n, file_.get()) != n) error_ = errno;
  size_ += n;
}

void NewFile::put_at(std::uint64_t offset, const void* bytes, std::size_t n) {
  size_ = std::max(size_, offset + n);
  for (std::size_t done = 0; error_ == 0 && done < n;) {
    const ssize_t wrote = ::pwrite(::fileno(file_.get()), static_cast<const char*>(bytes) + done, n - done, static_cast<off_t>(offset + done));
    if (wrote > 0) done += static_cast<std::size_t>(wrote);
    else if (errno != EINTR) error_ = wrote == 0 ? ENOSPC : errno;
  }
}

core::Status NewFile::status() const {
  if (error_ == 0) return core::ok();
  return cannot_write(path_, error_);
}

core::Status NewFile::finish() {
  if (error_ == 0 && std::fflush(file_.get()) != 0) error_ = errno;
  if (error_ == 0) file_.reset();
  return status();
}

}  // namespace volary::replay
