// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What happens to a scenario between the parser and the reader: `include` and `--set`.
#pragma once

#include <string>
#include <vector>

#include "core/result.hpp"
#include "scenario/files.hpp"
#include "scenario/node.hpp"

namespace volary::scenario {

// the document with its includes merged in: maps are merged, later wins, lists are replaced
core::Result<Tree> load_tree(const std::string& text, const std::string& file_name, const Files& files);

// puts `over` over `base`: maps are merged, everything else is replaced
void merge(Node& base, Node over);

// one "path=value"; the value is YAML
core::Status apply_override(Tree& tree, const std::string& assignment);

}  // namespace volary::scenario
