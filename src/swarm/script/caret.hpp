// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Lua's operator ^ is the C library's pow, whose last bit differs between systems, and the compiler of Lua may work it out before
// anything of it can be seen: it has to be found in the text.
#pragma once

#include <cstddef>
#include <string_view>

namespace volary::swarm::script {

// the line of the first ^ that is neither in a string nor in a comment, counted from 1; 0 when there is none
int find_caret(std::string_view text);

// the end of the comment, string or character of Lua that begins here
std::size_t skip_token(std::string_view text, std::size_t at);

}  // namespace volary::swarm::script
