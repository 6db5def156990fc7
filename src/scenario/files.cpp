// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/files.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "scenario/node.hpp"
#include "scenario/read_inside.hpp"

namespace volary::scenario {

namespace {

namespace fs = std::filesystem;

// "folder/rest" -> "rest"; false when the path is not written that way
bool strip_folder(const std::string& path, const std::string& folder, std::string& rest) {
  if (folder.empty() || !path.starts_with(folder + "/")) return false;
  rest = path.substr(folder.size() + 1);
  return true;
}

}  // namespace

Files::Files(std::string scenario_folder, std::string assets_folder, Bundle* into)
    : scenario_folder_(std::move(scenario_folder)), assets_folder_(std::move(assets_folder)), into_(into) {
  while (assets_folder_.size() > 1 && assets_folder_.ends_with('/')) assets_folder_.pop_back();
}

Files Files::inside(std::string scenario_folder, std::string assets_folder, Bundle* into, MayRun may_run) {
  Files files(std::move(scenario_folder), std::move(assets_folder), into);
  files.inside_ = true;
  files.may_run_ = std::move(may_run);
  return files;
}

// The loader makes paths by joining texts, and makes the same ones from a bundle, so texts are compared, not places.
// Where one folder lies in the other a file has two names.
std::vector<std::string> Files::bundle_names(const std::string& path) const {
  std::vector<std::string> names;
  std::string rest;
  if (strip_folder(path, assets_folder_, rest)) names.push_back(std::string(kBundleAssets) + "/" + rest);
  if (strip_folder(path, scenario_folder_, rest)) names.push_back(std::string(kBundleScenario) + "/" + rest);
  if (scenario_folder_.empty() && !fs::path(path).is_absolute()) names.push_back(std::string(kBundleScenario) + "/" + path);
  if (names.empty()) names.push_back(path);
  return names;
}

core::Result<std::string> Files::read_disk(const std::string& path, bool is_log) const {
  if (!inside_) return read_file(path, is_log ? kMaxLogBytes : kMaxFileBytes);
  std::string rest;
  for (const std::string& folder : {scenario_folder_, assets_folder_}) {
    if (!strip_folder(path, folder, rest)) continue;
    core::Result<std::string> text = read_inside(folder, rest);
    if (text) return text;
    core::Error error = text.error();
    error.file = path;
    return error;
  }
  return core::Error{.message = kOutside, .file = path, .suggestion = "the name of a file beside the scenario"};
}

core::Status Files::check_plugin(const std::string& bytes, const std::string& path) const {
  if (may_run_ && may_run_(bytes)) return core::ok();
  return core::Error{.message = "is native code that was not built on this machine; it is not run",
                     .file = path,
                     .suggestion = from_ != nullptr ? "use --allow-plugins if you trust the source of the plugin, or build the plugin with 'volary plugin build'"
                                                    : "build the plugin with 'volary plugin build' on this machine"};
}

core::Result<std::string> Files::read(const std::string& path) const { return read(path, nullptr); }

core::Result<std::string> Files::read(const std::string& path, const Reduce& reduce) const {
  if (from_ != nullptr) {
    const auto found = from_->files.find(path);
    if (found == from_->files.end()) return core::Error{.message = "is not in the recording's bundle of files", .file = path};
    return found->second;
  }
  core::Result<std::string> text = read_disk(path, reduce != nullptr);
  if (text && reduce) text = reduce(text.value());
  if (text && into_ != nullptr)
    for (const std::string& name : bundle_names(path)) into_->files[name] = text.value();
  return text;
}

std::string Files::assets_folder() const { return from_ != nullptr ? kBundleAssets : assets_folder_; }

std::vector<std::string> Files::stems_in(const std::string& folder) const {
  std::vector<std::string> names;
  if (from_ != nullptr) {
    for (const auto& [name, text] : from_->files)
      if (fs::path(name).parent_path() == folder && fs::path(name).extension() == ".yaml") names.push_back(fs::path(name).stem().string());
    return names;
  }
  std::error_code code;
  for (fs::directory_iterator entry(folder, code), end; !code && entry != end; entry.increment(code))
    if (entry->path().extension() == ".yaml") names.push_back(entry->path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace volary::scenario
