// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A file that a command writes at its end: a report, a table. It is never one that was there before. That is checked at once, before hours of flight, and
// again when it is written; only what this command wrote itself may be replaced by it.
#pragma once

#include <string>
#include <utility>

#include "core/result.hpp"

namespace volary::cli {

class OutputFile {
 public:
  explicit OutputFile(std::string path) : path_(std::move(path)) {}

  bool is_wanted() const { return !path_.empty(); }
  const std::string& path() const { return path_; }
  core::Status check() const;  // whether it can be made
  core::Status write(const std::string& text);

 private:
  std::string path_;
  bool is_ours_ = false;
};

}  // namespace volary::cli
