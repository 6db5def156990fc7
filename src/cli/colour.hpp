// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Colour on terminals: verdicts, warnings, errors and headings. What goes to a file or a pipe has none, unless --color always asks for it.
#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

namespace volary::cli {

enum class Paint { Plain, Good, Bad, Warning, Heading };
enum class ColourMode { Auto, Always, Never };

// "auto", "always", "never"
std::optional<ColourMode> parse_colour(std::string_view word);
void set_colour(ColourMode mode);

// Auto: a terminal that is not called dumb, where the variable NO_COLOR is absent or empty (no-color.org); absent variables are null.
bool wants_colour(ColourMode mode, bool is_terminal, const char* no_color, const char* term);

// the text as it goes to this stream
std::string painted(std::FILE* to, Paint paint, std::string_view text);

}  // namespace volary::cli
