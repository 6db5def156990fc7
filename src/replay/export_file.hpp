// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The file of an export. It is new, because an export overwrites nothing (the recording itself least of all), and it
// goes away again when the export does not come to its end.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

#include "core/result.hpp"

namespace volary::replay {

class NewFile {
 public:
  static core::Result<NewFile> create(const std::string& path);
  ~NewFile();
  NewFile(NewFile&&) noexcept = default;
  NewFile& operator=(NewFile&&) = delete;

  void put(const void* bytes, std::size_t n);  // after a failure it does nothing more
  // anywhere, and never in a file that put() writes to
  void put_at(std::uint64_t offset, const void* bytes, std::size_t n);
  core::Status status() const;
  core::Status finish();  // everything is written: the file stays
  std::uint64_t size() const { return size_; }

 private:
  struct Close {
    void operator()(std::FILE* f) const { std::fclose(f); }
  };
  NewFile(std::FILE* f, std::string path) : file_(f), path_(std::move(path)) {}

  std::unique_ptr<std::FILE, Close> file_;  // null when it was finished or moved away
  std::string path_;
  std::uint64_t size_ = 0;
  int error_ = 0;
};

}  // namespace volary::replay
