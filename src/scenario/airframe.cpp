// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/airframe.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "core/faults.hpp"
#include "core/suggest.hpp"
#include "core/type_list.hpp"
#include "scenario/aircraft_tables.hpp"
#include "scenario/field_error.hpp"
#include "scenario/tree.hpp"
#include "scenario/yaml_reader.hpp"
#include "vehicles/all.hpp"

namespace volary::scenario {

namespace {

namespace fs = std::filesystem;
using vehicles::AllVehicles;

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  core::for_each_type(AllVehicles{}, [&]<class M>() { names.emplace_back(M::name); });
  return names;
}

// a table that an airframe names lies beside it
core::Result<TableText> read_beside(const Tree& tree, const std::string& name, const std::string& field, const Files* files) {
  if (files == nullptr) return error_at(field, "a table can only be read for an airframe that is a file itself", "");
  const std::string path = (fs::path(tree.files.front()).parent_path() / name).string();
  core::Result<std::string> text = files->read(path);
  if (!text) return error_at(field, path + ": " + text.error().message, "the name of a CSV file, relative to this file");
  return TableText{path, std::move(text).value()};
}

// The path of an aircraft of a platform: a file beside it, or the name of an airframe. One that the user has beside the platform goes before one of the same name.
core::Result<std::string> find_part(const std::string& name, const std::string& folder, const std::string& field, const Files& files) {
  if (name.ends_with(".yaml") || name.ends_with(".yml")) return (fs::path(folder) / name).string();
  std::vector<std::string> known;
  for (const std::string& place : {folder, files.assets_folder().empty() ? folder : (fs::path(files.assets_folder()) / "vehicles").string()}) {
    const std::vector<std::string> stems = files.stems_in(place);
    if (std::find(stems.begin(), stems.end(), name) != stems.end()) return (fs::path(place) / (name + ".yaml")).string();
    known.insert(known.end(), stems.begin(), stems.end());
  }
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  return error_at(field, "no airframe is called '" + name.substr(0, 60) + "'", core::did_you_mean(name, known));
}

core::Result<airframe::MultirotorDef> read_part(const Tree& tree, const airframe::PartDef& part, const std::string& field, const Files* files) {
  if (files == nullptr) return error_at(field, "an aircraft can only be read for a platform that is a file itself", "");
  const core::Result<std::string> path = find_part(part.airframe, fs::path(tree.files.front()).parent_path().string(), field, *files);
  if (!path) return path.error();
  core::Result<Airframe> loaded = load_airframe(path.value(), *files);
  if (!loaded) return error_in_file(field, loaded.error().text());
  if (loaded.value().model != "multirotor") return error_at(field, "'" + loaded.value().name + "' is no multirotor", "a quadrotor such as f450 or x500");
  airframe::MultirotorDef def = *static_cast<const airframe::MultirotorDef*>(loaded.value().definition.get());
  if (part.mass > 0) {
    const double share = part.mass / def.mass;
    for (double& j : def.inertia) j *= share;
    for (double& j : def.inertia_products) j *= share;
    def.mass = part.mass;
  }
  return def;
}
core::Status read_parts(airframe::PlatformDef& def, const Tree& tree, const Files* files) {
  core::Faults faults;
  for (std::size_t i = 0; i < def.parts.size(); ++i) {
    core::Result<airframe::MultirotorDef> part = read_part(tree, def.parts[i], "parts[" + std::to_string(i) + "].airframe", files);
    faults.add(part);
    if (part) def.aircraft.push_back(std::move(part).value());
  }
  return faults.status();
}

// the fields of one model, and what the model itself has to say about them
template <class M> core::Result<Airframe> read_model(const Tree& tree, const Files* files) {
  auto def = std::make_shared<typename M::Def>();
  if (const core::Status read = YamlReader(tree).read(*def, {"model"}); !read) return read.error();
  if constexpr (std::is_same_v<typename M::Def, airframe::AircraftDef>)
    if (const core::Status tables = read_tables(*def, [&](const auto& name, const auto& field) { return read_beside(tree, name, field, files); }); !tables)
      return tables.error().file.empty() ? place(tables.error(), tree) : tables.error();
  if constexpr (std::is_same_v<typename M::Def, airframe::PlatformDef>)
    if (const core::Status parts = read_parts(*def, tree, files); !parts)
      return core::each_fault(parts.error(), [&](core::Error e) { return place(std::move(e), tree); });
  if (const core::Status checked = M::check(*def); !checked) return place(checked.error(), tree);

  Airframe airframe;
  airframe.model = M::name;
  if constexpr (requires { airframe.name = def->name; }) airframe.name = def->name;
  airframe.definition = std::move(def);
  return airframe;
}

core::Result<Airframe> read_airframe(const Tree& tree, const Files* files) {
  if (tree.root.kind == Node::Kind::Null) return place(error_at("", "the file is empty", ""), tree);
  if (tree.root.kind != Node::Kind::Map) {
    return place(error_at("", "expected a map of fields, found " + describe_node(tree.root), ""), tree);
  }
  const std::vector<std::string> known = model_names();
  const Node* model = tree.root.find("model");
  if (model == nullptr) return place(error_at("model", "is missing; 'model' must be given here", core::did_you_mean("", known)), tree);

  // one reader for each type in the list; the name decides which
  std::optional<core::Result<Airframe>> result;
  core::for_each_type(AllVehicles{}, [&]<class M>() {
    if (!result && model->kind == Node::Kind::Scalar && model->text == M::name) result = read_model<M>(tree, files);
  });
  if (result) return *std::move(result);
  return place(error_at("model", "unknown model " + describe_node(*model), core::did_you_mean(model->text, known)), tree);
}

}  // namespace

static core::Result<Airframe> load_text(const std::string& text, const std::string& file_name, const Files* files, const std::vector<std::string>& overrides) {
  core::Result<Node> root = parse_yaml(text, 0, file_name);
  if (!root) return root.error();
  Tree tree;
  tree.files.push_back(file_name);
  tree.root = std::move(root).value();
  core::Faults faults;
  for (const std::string& assignment : overrides) faults.add(apply_override(tree, assignment));
  if (!faults.empty()) return faults.error();
  return read_airframe(tree, files);
}

core::Result<Airframe> load_airframe_text(const std::string& text, const std::string& file_name) { return load_text(text, file_name, nullptr, {}); }

core::Result<Airframe> load_airframe_text(const std::string& text, const std::string& file_name, const Files& files, const std::vector<std::string>& overrides) {
  return load_text(text, file_name, &files, overrides);
}

core::Result<Airframe> load_airframe(const std::string& path) { return load_airframe(path, Files("", "", nullptr)); }

core::Result<Airframe> load_airframe(const std::string& path, const Files& files, const std::vector<std::string>& overrides) {
  const core::Result<std::string> text = files.read(path);
  if (!text) return text.error();
  return load_text(text.value(), path, &files, overrides);
}

core::Result<std::string> find_airframe(const std::string& name, const std::string& folder, const Paths& paths, const Files& files) {
  if (name.ends_with(".yaml") || name.ends_with(".yml")) return (fs::path(folder) / name).string();
  const fs::path vehicles = fs::path(paths.assets) / "vehicles";
  const std::vector<std::string> known = files.stems_in(vehicles.string());
  if (std::find(known.begin(), known.end(), name) != known.end()) return (vehicles / (name + ".yaml")).string();

  if (known.empty()) return error_at("", "no airframes in " + vehicles.string(), "is the assets folder the right one?");
  std::string suggestion = core::did_you_mean(name, known);
  if (suggestion.starts_with("known")) suggestion += "; or the path of a .yaml file";
  return error_at("", "unknown airframe '" + name.substr(0, 60) + "'", std::move(suggestion));
}

}  // namespace volary::scenario
