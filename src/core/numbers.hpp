// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Named numbers whose names only somebody else knows, such as the parameters of a script: a map in a file, in the order of the file.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace volary::core {

struct Numbers {
  std::vector<std::pair<std::string, double>> items;
};

}  // namespace volary::core
