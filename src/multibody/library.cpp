// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "multibody/library.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <mutex>

#include "multibody/imports.hpp"
#include "multibody/library_files.hpp"
#include "multibody/mujoco.hpp"

namespace volary::multibody {

namespace {

core::Error refuse(const std::string& file, std::string message) { return {.message = std::move(message), .file = file, .suggestion = kHowToGet}; }

// MuJoCo is compiled for AVX and would die of an illegal instruction
bool runs_here() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx");
#else
  return true;
#endif
}

core::Status find_functions(Library& l, const std::string& file) {
  const char* missing = nullptr;
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(l.handle, name));
    if (function == nullptr) missing = name;
  };
#define VOLARY_FIND(name) find(l.name, #name);
  VOLARY_MUJOCO_FUNCTIONS(VOLARY_FIND)
#undef VOLARY_FIND
  // not in its headers, but what its own loader of models uses: the public handler is one for all threads and users of the library
  find(l.set_thread_handler, "_mjPRIVATE_setTlsLogHandler");
  if (missing != nullptr) return refuse(file, std::string("is not the MuJoCo that Volary was built for: it has no function ") + missing);
  if (l.mj_version() != mjVERSION_HEADER)
    return refuse(file, "is MuJoCo " + std::to_string(l.mj_version()) + ", and Volary was built for " + std::to_string(mjVERSION_HEADER));
  return core::ok();
}

}  // namespace

core::Result<std::shared_ptr<const Library>> load_library(const std::string& file, Elementary elementary) {
  if (!runs_here()) return core::Error{.message = "MuJoCo needs a CPU with AVX", .file = file};
  auto l = std::make_shared<Library>();
  l->handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (l->handle == nullptr) return refuse("", std::string("MuJoCo cannot be loaded: ") + dlerror());
  if (const core::Status s = find_functions(*l, file); !s) return s.error();
  if (elementary == Elementary::Ours)
    if (const core::Status s = replace_imports(l->handle, elementary_functions()); !s) return refuse(file, s.error().message);
  return std::shared_ptr<const Library>(l);
}

core::Result<std::shared_ptr<const Library>> library() {
  static std::mutex lock;
  static std::shared_ptr<const Library> loaded;
  const std::scoped_lock hold(lock);
  if (loaded != nullptr) return loaded;
  for (const std::string& file : library_files()) {
    std::error_code code;
    if (!std::filesystem::exists(file, code)) continue;
    auto found = load_library(file);
    if (found) loaded = found.value();
    return found;
  }
  return not_there();
}

}  // namespace volary::multibody
