// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/result.hpp"

namespace volary::core {

namespace {

std::string line_of(const Error& e) {
  std::string s;
  if (!e.file.empty()) {
    s += e.file;
    if (e.line > 0) s += ":" + std::to_string(e.line);
    if (e.line > 0 && e.column > 0) s += ":" + std::to_string(e.column);
    s += ": ";
  }
  if (!e.field.empty()) s += e.field + ": ";
  s += e.message;
  if (!e.suggestion.empty()) s += " (" + e.suggestion + ")";
  return s;
}

}  // namespace

std::string Error::text() const {
  std::string s = line_of(*this);
  for (const Error& other : others) s += "\n" + line_of(other);
  return s;
}

}  // namespace volary::core
