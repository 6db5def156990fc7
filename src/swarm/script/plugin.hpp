// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Behaviours as shared libraries (include/volary/plugin.h). Unlike a script a plugin is trusted: it runs in the program, with all that
// a program may do.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "core/result.hpp"
#include "swarm/script/library_file.hpp"
#include "swarm/script/lua_behaviour.hpp"
#include "swarm/script/shared_library.hpp"
#include "volary/plugin.h"

namespace volary::swarm {

class Plugin {
 public:
  // the error says what is wrong with the library
  static core::Result<std::unique_ptr<Plugin>> open(const std::string& path) { return open(path, path); }
  static core::Result<std::unique_ptr<Plugin>> open(const LibraryFile& file) { return open(file.path(), file.name()); }
  Plugin(const Plugin&) = delete;
  Plugin& operator=(const Plugin&) = delete;

  const std::string& name() const { return name_; }
  const std::string& doc() const { return doc_; }
  std::size_t memory_bytes() const { return memory_bytes_; }  // a multiple of 8, all zero at the start
  const ScriptParams& defaults() const { return defaults_; }  // in the order in which decide() takes them

  // trigger, and act where that is above the threshold; any thread may call it. Memory and outbox are as before when it fails.
  Script::Outcome decide(const Sense& sense, std::span<const double> params, std::span<std::byte> memory, Outbox& out, double threshold = 0) const;

 private:
  Plugin() = default;
  static core::Result<std::unique_ptr<Plugin>> open(const std::string& path, const std::string& name);
  core::Status read_info(const volary_plugin_info& info);
  SharedLibrary library_;
  const volary_plugin_info* info_ = nullptr;
  std::string file_, name_, doc_;  // what messages call the library; what it calls itself
  std::size_t memory_bytes_ = 0;
  ScriptParams defaults_;
};

}  // namespace volary::swarm
