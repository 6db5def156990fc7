// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Three operators of Lua do not give the same everywhere, and none of them asks anybody. x ^ y is the C library's pow, and the compiler may
// work it out before anything of it can be seen. #list of a list with holes depends on how Lua laid the table out, which follows hashes
// that differ from run to run. x .. y shows the sign of NaN, which is the machine's. The first is refused; the others are replaced in
// the text before it is compiled, without a new line:
//
//   #x        volary_length^x                       whose __pow is ours; ^ binds as # does, and nobody else may use it
//   x .. y    volary_text(x) .. volary_text(y)      where x and y are not written as texts
//
// A metamethod for .. would not do: Lua 5.4.4 goes on with an old stack when one of several in a row makes the stack grow.
#pragma once

#include <string>
#include <string_view>

#include "core/result.hpp"

namespace volary::swarm::script {

inline constexpr const char *kLengthOperator = "volary_length", *kTextFunction = "volary_text";
inline constexpr const char* kGiveOperators = "volary_operators";  // gives both to the file, once

bool is_operator_name(std::string_view name);
// the error has every use of what is refused
core::Result<std::string> translate(std::string_view text, const std::string& file);

}  // namespace volary::swarm::script
