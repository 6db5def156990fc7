// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A name that is not there, as in `me.params.sped`, is an error when it is reached; most can be seen in the text before anybody flies. Looked
// for are `me.params.NAME` and, after `local p = me.params`, `p.NAME`; `me.NAME`; and names of Lua that a script does not have, such as
// `print`. Whatever is less plain is left to the decision.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "swarm/script/lua_behaviour.hpp"

namespace volary::swarm::script {

struct Misnamed {
  std::string name;
  int line = 0;
};
// parameters in the text that are not declared; `receiver` is "me" or "world"
std::vector<Misnamed> find_undeclared(std::string_view text, std::string_view receiver, const ScriptParams& declared);
// fields of the receiver that it does not have
std::vector<Misnamed> find_unknown_fields(std::string_view text, std::string_view receiver, const std::vector<std::string>& known);
// uses of these names as globals, in a text that does not give them a meaning of its own
std::vector<Misnamed> find_uses(std::string_view text, std::span<const char* const> names);

}  // namespace volary::swarm::script
