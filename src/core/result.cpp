// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/result.hpp"

namespace volary::core {

std::string Error::text() const {
  std::string s;
  if (!file.empty()) {
    s += file;
    if (line > 0) s += ":" + std::to_string(line);
    if (line > 0 && column > 0) s += ":" + std::to_string(column);
    s += ": ";
  }
  if (!field.empty()) s += field + ": ";
  s += message;
  if (!suggestion.empty()) s += " (" + suggestion + ")";
  return s;
}

}  // namespace volary::core
