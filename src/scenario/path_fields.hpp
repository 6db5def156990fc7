// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The texts of a document that name files, found by the marks in the describe lists (core::Info::is_path).
#pragma once

#include <string>
#include <vector>

#include "scenario/node.hpp"

namespace volary::scenario {

struct PathValue {
  std::string field, text;
  Where where;
};

// of a scenario, or of an airframe where the document names a model; what is not as the lists say is passed over: the reader complains
std::vector<PathValue> path_values(const Node& root);

}  // namespace volary::scenario
