// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "replay/export_file.hpp"

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
