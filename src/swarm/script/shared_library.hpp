// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Shared libraries of behaviours, sensors and estimators: opened, and read as far as all of them are alike.
#pragma once

#include <cstdint>
#include <string>

#include "core/result.hpp"
#include "swarm/script/lua_behaviour.hpp"
#include "volary/plugin.h"

namespace volary::swarm {

// elementary functions for plugins
const volary_math& plugin_math();

class SharedLibrary {
 public:
  SharedLibrary() = default;
  SharedLibrary(SharedLibrary&& other) noexcept : handle_(other.handle_), name_(std::move(other.name_)) { other.handle_ = nullptr; }
  SharedLibrary& operator=(SharedLibrary&& other) noexcept;
  ~SharedLibrary();

  // `name` is what messages call it
  static core::Result<SharedLibrary> open(const std::string& path, const std::string& name);
  bool exports(const char* entry) const;
  // what the library's function of this name returns; the error says that there is none, and that `header` describes it
  core::Result<const void*> call(const char* entry, const char* header) const;

 private:
  void* handle_ = nullptr;
  std::string name_;
};

// what all descriptions of a plugin have
struct PluginCommon {
  std::uint32_t version, memory_bytes;
  const char *name, *doc;
  const volary_param* params;
  std::size_t param_count;
};
// the parameters with their defaults, where nothing is wrong
core::Result<ScriptParams> read_common(const PluginCommon& info, std::uint32_t version, std::size_t most_memory, bool has_function, const std::string& file);

}  // namespace volary::swarm
