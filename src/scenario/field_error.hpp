// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// An error that names its field and nothing else; place() (node.hpp) finds file, line and column.
#pragma once

#include <string>
#include <utility>

#include "core/result.hpp"

namespace volary::scenario {

inline core::Error error_at(std::string field, std::string message, std::string suggestion = "") {
  core::Error error;
  error.message = std::move(message);
  error.field = std::move(field);
  error.suggestion = std::move(suggestion);
  return error;
}

// the same where the words tell what is in the file that the field names
inline core::Error error_in_file(std::string field, std::string message, std::string suggestion = "") {
  core::Error error = error_at(std::move(field), std::move(message), std::move(suggestion));
  error.quotes_file = true;
  return error;
}

}  // namespace volary::scenario
