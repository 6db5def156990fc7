// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A behaviour that is not in the list: a Lua file or a shared library that a scenario names. These are the params of its BehaviourDef.
#pragma once

#include <string>

#include "swarm/script/library_file.hpp"
#include "swarm/script/lua_behaviour.hpp"

namespace volary::swarm {

inline constexpr const char* kScript = "script";  // BehaviourDef::kind
inline constexpr const char* kPlugin = "plugin";

struct ScriptDef {
  std::string name;  // what people call it: the file without folder and ending
  std::string file;  // for messages
  std::string text;
  ScriptParams params;  // every one that the file declares
};
struct PluginDef {
  std::string name;
  LibraryFile path;
  ScriptParams params;
};

}  // namespace volary::swarm
