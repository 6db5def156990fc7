// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Suggestions for misspelt words: every error about a name should offer the name that was meant.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace volary::core {

// insertions, deletions, substitutions and swaps of neighbours that turn a into b
std::size_t edit_distance(std::string_view a, std::string_view b);

// the known word nearest to `word`, or empty when none is near enough to be what was meant
std::string nearest(std::string_view word, const std::vector<std::string>& known);

// "did you mean 'mass'?", or "known: a, b, c" when nothing is near, or empty when nothing is known
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

}  // namespace volary::core
