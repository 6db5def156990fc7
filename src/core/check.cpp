// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/check.hpp"

#include <cstdio>
#include <cstdlib>

namespace volary::core {

void fail(const char* what, std::source_location where) {
  std::fprintf(stderr, "volary: %s:%u: in %s: %s\n", where.file_name(), static_cast<unsigned>(where.line()), where.function_name(), what);
  std::abort();
}

}  // namespace volary::core
