// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A misspelt parameter, as in `me.params.sped`, is an error when it is reached; most can be seen in the text before anybody flies. Looked
// for are `me.params.NAME` and, after `local p = me.params`, `p.NAME`; whatever is less plain is left to the decision.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "swarm/script/lua_behaviour.hpp"

namespace volary::swarm::script {

struct Misnamed {
  std::string name;
  int line = 0;
};
// the first parameter in the text that is not declared; `receiver` is "me" or "world"
std::optional<Misnamed> find_undeclared(std::string_view text, std::string_view receiver, const ScriptParams& declared);

}  // namespace volary::swarm::script
