// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "swarm/script/shared_library.hpp"

#include <dlfcn.h>

#include <cmath>
#include <filesystem>
#include <utility>

#include "math/functions.hpp"

namespace volary::swarm {

namespace {

constexpr std::size_t kMostParams = 64;

constexpr volary_math kMath = {
    [](double x) { return math::sin(x); },  [](double x) { return math::cos(x); },  [](double x) { return math::tan(x); },
    [](double x) { return math::asin(x); }, [](double x) { return math::acos(x); }, [](double y, double x) { return math::atan2(y, x); },
    [](double x) { return math::exp(x); },  [](double x) { return math::log(x); },  [](double x, double y) { return math::pow(x, y); }};

// what the system's loader says, without the name of the file that it was shown
std::string loader_words(const std::string& path) {
  const std::string words = dlerror(), start = std::filesystem::absolute(path).string() + ": ";
  return words.starts_with(start) ? words.substr(start.size()) : words;
}

}  // namespace

const volary_math& plugin_math() { return kMath; }

SharedLibrary& SharedLibrary::operator=(SharedLibrary&& other) noexcept {
  std::swap(handle_, other.handle_);
  std::swap(name_, other.name_);
  return *this;
}
SharedLibrary::~SharedLibrary() {
  if (handle_ != nullptr) dlclose(handle_);
}

core::Result<SharedLibrary> SharedLibrary::open(const std::string& path, const std::string& name) {
  std::error_code code;
  if (!std::filesystem::is_regular_file(path, code))
    return core::Error{.message = "there is no such plugin", .file = name, .suggestion = "volary plugin build FILE.cpp makes one"};
  SharedLibrary library;
  library.name_ = name;
  // with a bare name the loader would look everywhere else
  library.handle_ = dlopen(std::filesystem::absolute(path).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library.handle_ == nullptr)
    return core::Error{
        .message = "not a library that can be loaded: " + loader_words(path), .file = name, .suggestion = "volary plugin build FILE.cpp makes one"};
  return library;
}

bool SharedLibrary::exports(const char* entry) const { return dlsym(handle_, entry) != nullptr; }

core::Result<const void*> SharedLibrary::call(const char* entry, const char* header) const {
  const std::string call = std::string(entry) + "()", advice = std::string("see include/volary/") + header;
  void* const function = dlsym(handle_, entry);
  if (function == nullptr) return core::Error{.message = "no plugin: it does not export " + call, .file = name_, .suggestion = advice};
  const void* const info = reinterpret_cast<const void* (*)()>(function)();
  if (info == nullptr) return core::Error{.message = call + " returned nothing", .file = name_, .suggestion = advice};
  return info;
}

core::Result<ScriptParams> read_common(const PluginCommon& info, std::uint32_t version, std::size_t most_memory, bool has_function, const std::string& file) {
  if (!has_function || info.name == nullptr || *info.name == 0)
    return core::Error{.message = "a plugin has at least a name and a function", .file = file};
  if (info.version != version || info.memory_bytes > most_memory || info.param_count > kMostParams)
    return core::Error{.message = "a vehicle may remember at most " + std::to_string(most_memory) + " bytes, and a plugin has at most 64 parameters", .file = file};
  ScriptParams defaults;
  for (std::size_t i = 0; i < info.param_count; ++i) {
    const volary_param& param = info.params[i];
    if (param.name == nullptr || !std::isfinite(param.value)) return core::Error{.message = "a parameter has no name or no finite default", .file = file};
    defaults.emplace_back(param.name, param.value);
  }
  return defaults;
}

}  // namespace volary::swarm
