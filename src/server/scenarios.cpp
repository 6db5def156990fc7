// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "server/scenarios.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/faults.hpp"
#include "core/suggest.hpp"
#include "scenario/airframe.hpp"
#include "scenario/load.hpp"
#include "scenario/node.hpp"
#include "scenario/path_fields.hpp"
#include "scenario/scene.hpp"
#include "scenario/schema.hpp"
#include "server/action.hpp"
#include "server/http.hpp"
#include "server/payload_json.hpp"
#include "server/preview.hpp"
#include "server/write_file.hpp"

namespace volary::server {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using scenario::Files;
using scenario::Node;

namespace {

constexpr std::size_t kMostSaved = 1000;  // files in the user's folder
constexpr std::size_t kMostListed = 5000;

scenario::Paths paths_of(const ScenarioFolders& f) { return {f.assets, f.max_vehicles}; }

core::Error refuse(std::string message, std::string suggestion = "") { return core::Error{.message = std::move(message), .suggestion = std::move(suggestion)}; }

// plain names of the YAML files in a folder, sorted
std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code code;
  if (folder.empty()) return names;
  for (fs::directory_iterator entry(folder, code), end; !code && entry != end && names.size() < kMostListed; entry.increment(code)) {
    const std::string stem = entry->path().stem().string();
    if (entry->path().extension() == ".yaml" && is_plain_name(stem)) names.push_back(stem);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string file_of(const std::string& folder, const std::string& name) { return (fs::path(folder) / (name + ".yaml")).string(); }

bool is_there(const std::string& path) {
  std::error_code code;
  return fs::is_regular_file(path, code);
}

// the user's own comes first
core::Result<std::string> find_named(const ScenarioFolders& f, const std::string& name) {
  if (!is_plain_name(name)) return refuse("'" + name.substr(0, 70) + "' is not a name of a scenario", "a-z, 0-9, _ and -, at most 64");
  for (const std::string& folder : {f.user, f.shipped})
    if (!folder.empty() && is_there(file_of(folder, name))) return file_of(folder, name);
  std::vector<std::string> known = names_in(f.shipped);
  for (const std::string& own : names_in(f.user)) known.push_back(own);
  return refuse("no scenario is called '" + name + "'", core::did_you_mean(name, known));
}

// the folder in which a text that was sent is taken to lie
std::string folder_of_texts(const ScenarioFolders& f) { return f.user.empty() ? f.shipped : f.user; }

Files files_of(const ScenarioFolders& f, const std::string& folder, scenario::Bundle* into = nullptr) {
  return Files::inside(folder, f.assets, into, f.may_run);
}

// What is kept is flown later by whoever runs the program, with all files of the disk at hand: it may name none outside its folder.
core::Status check_paths_in(const std::string& yaml) {
  const core::Result<Node> root = scenario::parse_yaml(yaml, 0, "scenario");
  if (!root) return core::ok();  // the reader says what is wrong with it
  for (const scenario::PathValue& p : scenario::path_values(root.value())) {
    if (is_safe_relative(p.text)) continue;
    core::Error e = refuse("'" + p.text.substr(0, 60) + "' is outside the folder of scenarios", "a name of an airframe, or a file beside this one");
    e.field = p.field;
    e.line = p.where.line;
    e.column = p.where.column;
    return e;
  }
  return core::ok();
}

// ---------------------------------------------------------------- what clients are told

std::string replace_all(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
  return text;
}

// Names of files as the client wrote them, and no words of a file but `own`, the text that it sent or that anybody may read by its name.
core::Error for_clients(core::Error e, const std::string& own, const std::string& folder, const ScenarioFolders& f) {
  const auto shorten = [&](const std::string& text) { return replace_all(replace_all(text, folder + "/", ""), f.assets + "/", "assets/"); };
  constexpr const char* kAsk = "'volary check' on the server's machine says what is wrong in it";
  const bool of_other = !e.file.empty() && e.file != own && !e.file.starts_with("--set ");
  if (of_other) {
    const std::string where = e.line > 0 ? fmt::format(" is at fault in line {}, column {}", e.line, e.column) : std::string(" cannot be used");
    return refuse("the file " + shorten(e.file) + where, kAsk);
  }
  if (e.quotes_file) e.message = "the file that is named here cannot be used", e.suggestion = kAsk;
  e.file = shorten(e.file);
  e.message = shorten(e.message);
  e.suggestion = shorten(e.suggestion);
  return e;
}

core::Result<WorldDef> load_text(const ScenarioFolders& f, const std::string& yaml) {
  const std::string folder = folder_of_texts(f), own = (fs::path(folder) / "scenario.yaml").string();
  core::Result<WorldDef> def = scenario::load_scenario_text(yaml, own, paths_of(f), {}, files_of(f, folder));
  if (!def) return core::each_fault(def.error(), [&](core::Error e) { return for_clients(std::move(e), own, folder, f); });
  return def;
}

Json problem_of(const core::Error& e) {
  return {{"line", e.line}, {"column", e.column}, {"field", e.field}, {"message", e.message}, {"suggestion", e.suggestion}};
}

Json check_json(const ScenarioFolders& f, const std::string& yaml, bool with_preview = false) {
  const core::Result<WorldDef> def = load_text(f, yaml);
  if (!def) {
    Json problems = Json::array({problem_of(def.error())});
    for (const core::Error& other : def.error().others)
      if (Json problem = problem_of(other); std::find(problems.begin(), problems.end(), problem) == problems.end()) problems.push_back(std::move(problem));
    return {{"ok", false}, {"problems", std::move(problems)}, {"vehicles", 0}};
  }
  std::size_t n = 0;
  for (const FlockDef& flock : def.value().flocks) n += flock.vehicles.size() * static_cast<std::size_t>(def.value().worlds);
  Json checked = {{"ok", true}, {"problems", Json::array()}, {"vehicles", n}};
  if (with_preview) checked["preview"] = preview_of(def.value());
  return checked;
}

Json summary(const ScenarioFolders& f, const std::string& folder, const std::string& name, bool saved) {
  const std::string path = file_of(folder, name);
  Json out = {{"name", name}, {"title", name}, {"description", ""}, {"saved", saved}};
  const core::Result<std::string> text = files_of(f, folder).read(path);
  if (!text) return out;
  const core::Result<Node> root = scenario::parse_yaml(text.value(), 0, path);
  if (!root || root.value().kind != Node::Kind::Map) return out;
  for (const auto& [key, field] : {std::pair{"title", "name"}, std::pair{"description", "description"}})
    if (const Node* node = root.value().find(field); node != nullptr && node->kind == Node::Kind::Scalar) out[key] = node->text;
  return out;
}

}  // namespace

std::string list_scenarios(const ScenarioFolders& f) {
  Json list = Json::array();
  const std::vector<std::string> own = names_in(f.user);
  for (const std::string& name : own) list.push_back(summary(f, f.user, name, true));
  for (const std::string& name : names_in(f.shipped))
    if (!std::binary_search(own.begin(), own.end(), name)) list.push_back(summary(f, f.shipped, name, false));
  return dump(list);
}

core::Result<std::string> read_scenario(const ScenarioFolders& f, const std::string& name) {
  const core::Result<std::string> path = find_named(f, name);
  if (!path) return path.error();
  const std::string folder = fs::path(path.value()).parent_path().string();
  core::Result<std::string> text = files_of(f, folder).read(path.value());
  if (!text) return for_clients(text.error(), path.value(), folder, f);
  return text;
}

std::string check_scenario(const ScenarioFolders& f, const std::string& yaml, bool with_preview) { return dump(check_json(f, yaml, with_preview)); }

core::Result<std::string> save_scenario(const ScenarioFolders& f, const std::string& name, const std::string& yaml) {
  if (!is_plain_name(name)) return refuse("'" + name.substr(0, 70) + "' is not a name to save under", "a-z, 0-9, _ and -, at most 64");
  if (f.user.empty()) return refuse("this server has no folder to save into");
  if (is_there(file_of(f.shipped, name))) return refuse("'" + name + "' comes with Volary and is not overwritten", "save it under another name");
  if (const core::Status good = check_paths_in(yaml); !good) return good.error();
  std::error_code code;
  fs::create_directories(f.user, code);
  if (code) return refuse("cannot make the folder " + f.user);
  const std::string path = file_of(f.user, name);
  if (fs::is_symlink(path, code)) return refuse("'" + name + "' is a link and is not overwritten");
  if (!is_there(path) && names_in(f.user).size() >= kMostSaved) return refuse(fmt::format("there are {} saved scenarios already", kMostSaved));
  if (const core::Status written = write_whole(path, yaml); !written) return written.error();
  return dump(check_json(f, yaml));
}

core::Result<WorldDef> load_named_scenario(const ScenarioFolders& f, const std::string& name, const std::vector<std::string>& overrides,
                                           scenario::Bundle& bundle) {
  const core::Result<std::string> path = find_named(f, name);
  if (!path) return path.error();
  const std::string folder = fs::path(path.value()).parent_path().string();
  core::Result<WorldDef> def = scenario::load_scenario(path.value(), paths_of(f), overrides, bundle, files_of(f, folder, &bundle));
  if (!def) return core::each_fault(def.error(), [&](core::Error e) { return for_clients(std::move(e), path.value(), folder, f); });
  return def;
}

std::string list_airframes(const ScenarioFolders& f) {
  Json list = Json::array();
  const std::string folder = (fs::path(f.assets) / "vehicles").string();
  const Files files = files_of(f, folder);
  for (const std::string& name : names_in(folder)) {
    const core::Result<Airframe> airframe = scenario::load_airframe(file_of(folder, name), files);
    if (!airframe) continue;
    Json entry = {{"name", name}, {"title", airframe.value().name}, {"model", airframe.value().model}};
    entry.update(scenario::shape_of(airframe.value()));
    list.push_back(std::move(entry));
  }
  return dump(list);
}

std::string all_schemas() { return "{\"scenario\":" + scenario::scenario_schema() + ",\"airframe\":" + scenario::airframe_schema() + ",\"inputs\":" + payload_schemas().dump() + "}"; }

}  // namespace volary::server
