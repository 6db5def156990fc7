// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/swarm_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <tuple>
#include <utility>

#include "core/faults.hpp"
#include "scenario/field_error.hpp"
#include "swarm/script/plugin.hpp"

namespace volary::scenario {

namespace {

std::string stem_of(const std::string& file) { return std::filesystem::path(file).stem().string(); }

// an error of a script names the script's own file and line; the field is where the scenario asks for it
core::Error in_file(const core::Error& error, const std::string& field) {
  return core::each_fault(error, [&](core::Error e) {
    const std::string suggestion = std::exchange(e.suggestion, ""), below = std::exchange(e.field, "");
    return error_in_file(below.empty() ? field : field + "." + below, e.text(), suggestion);
  });
}

core::Result<std::shared_ptr<const void>> make_script(const OutsideFile& file, const Places& places, const std::string& field) {
  const core::Result<Places::Found> found = places.read(file.file, field + ".file");
  if (!found) return found.error();
  const auto script = swarm::Script::load(found.value().bytes, found.value().path, 1);
  if (!script) return in_file(script.error(), field + ".file");
  core::Result<swarm::ScriptParams> params = swarm::merge_params(script.value()->defaults(), file.params.items, found.value().path);
  if (!params) return in_file(params.error(), field + ".params");
  return std::shared_ptr<const void>(
      std::make_shared<swarm::ScriptDef>(swarm::ScriptDef{stem_of(file.file), found.value().path, found.value().bytes, std::move(params).value()}));
}

core::Result<std::shared_ptr<const void>> make_plugin(const OutsideFile& file, const Places& places, const std::string& field) {
  const core::Result<Places::Found> found = places.read(file.file, field + ".file");
  if (!found) return found.error();
  if (const core::Status allowed = places.files.check_plugin(found.value().bytes, found.value().path); !allowed)
    return error_at(field + ".file", found.value().path + ": " + allowed.error().message, allowed.error().suggestion);
  core::Result<swarm::LibraryFile> library = swarm::LibraryFile::keep(found.value().bytes, found.value().path);
  if (!library) return in_file(library.error(), field + ".file");
  const auto plugin = swarm::Plugin::open(library.value());
  if (!plugin) return in_file(plugin.error(), field + ".file");
  core::Result<swarm::ScriptParams> params = swarm::merge_params(plugin.value()->defaults(), file.params.items, found.value().path);
  if (!params) return in_file(params.error(), field + ".params");
  return std::shared_ptr<const void>(
      std::make_shared<swarm::PluginDef>(swarm::PluginDef{stem_of(file.file), std::move(library).value(), std::move(params).value()}));
}

BehaviourDef common_of(const BehaviourFile& file) {
  BehaviourDef def;
  def.weight = file.weight;
  def.threshold = file.threshold;
  def.rate = file.rate;
  def.from = file.from;
  def.until = file.until.value_or(def.until);
  def.delay = file.delay;
  return def;
}

// what would be left aside without a word is refused
core::Status check_pace(const BehaviourDef& def, const NodeDef& node, bool filters, const std::string& name, const std::string& field) {
  if (filters && def.rate > 0)
    return error_at(field + ".rate", fmt::format("{} is a filter: it looks at every action, at the decision_rate of the node", name), "leave the rate out");
  if (filters && def.delay > 0) return error_at(field + ".delay", fmt::format("{} is a filter, which changes an action at once", name), "leave the delay out");
  if (def.rate > node.decision_rate)
    return error_at(field + ".rate",
                    fmt::format("{} Hz is above the decision_rate of the node, {} Hz: it would not be evaluated that often", def.rate, node.decision_rate),
                    fmt::format("at most {}, or node: {{decision_rate: {}}}", node.decision_rate, def.rate));
  return core::ok();
}

core::Result<BehaviourDef> make_behaviour(const BehaviourFile& file, const NodeDef& node, const Places& places, const std::string& field) {
  BehaviourDef def = common_of(file);
  if (def.until <= def.from)
    return error_at(field + ".until", fmt::format("{} s is not after {} s, where it begins", def.until, def.from),
                    "later than from, or leave it out: to the end");
  std::vector<std::string> given;
  bool filters = false;
  core::Status sound = core::ok();
  OneOf<swarm::AllBehaviours>::each(file.what, [&]<class B>(std::type_identity<B>, const auto& params) {
    if (!params) return;
    given.push_back(B::name);
    filters = swarm::Filters<B>;
    def.params = std::make_shared<typename B::Params>(*params);
    if constexpr (requires { B::check(*params); })
      if (const core::Status good = B::check(*params); sound && !good) {
        core::Error error = good.error();
        error.field = field + "." + B::name + (error.field.empty() ? "" : "." + error.field);
        sound = error;
      }
  });
  if (!sound) return sound.error();
  for (const auto& [name, outside, make] : {std::tuple{swarm::kScript, &file.script, &make_script}, std::tuple{swarm::kPlugin, &file.plugin, &make_plugin}}) {
    if (!*outside) continue;
    given.push_back(name);
    core::Result<std::shared_ptr<const void>> made = make(**outside, places, field + "." + name);
    if (!made) return made.error();
    def.params = std::move(made).value();
  }
  if (given.empty()) return error_at(field, "names no behaviour", "such as reynolds: {}; docs/behaviours.md lists them all");
  if (given.size() > 1) return error_at(field, fmt::format("names {}", fmt::join(given, " and ")), "one behaviour for each entry of the list");
  def.kind = given.front();
  if (const core::Status pace = check_pace(def, node, filters, def.kind, field); !pace) return pace.error();
  return def;
}

}  // namespace

core::Result<std::vector<EmissionDef>> make_emissions(const std::vector<EmissionFile>& files, const std::string& field) {
  std::vector<EmissionDef> list;
  core::Faults faults;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string at = fmt::format("{}[{}]", field, i);
    EmissionDef def;
    def.from = files[i].from;
    def.until = files[i].until.value_or(def.until);
    std::vector<std::string> given;
    OneEmission<swarm::AllStimuli>::each(files[i].what, [&]<class S>(std::type_identity<S>, const auto& emission) {
      if (!emission) return;
      given.push_back(S::name);
      def.emission = std::make_shared<typename S::Emission>(*emission);
    });
    if (def.until <= def.from)
      faults.add(error_at(at + ".until", fmt::format("{} s is not after {} s, where it begins", def.until, def.from),
                          "later than from, or leave it out: to the end"));
    if (given.empty()) faults.add(error_at(at, "names no stimulus", fmt::format("one of {}", fmt::join(OneEmission<swarm::AllStimuli>::kNames, ", "))));
    if (given.size() > 1) faults.add(error_at(at, fmt::format("names {}", fmt::join(given, " and ")), "one stimulus for each entry of the list"));
    if (given.size() == 1) def.kind = given.front();
    list.push_back(std::move(def));
  }
  if (!faults.empty()) return faults.error();
  return list;
}

core::Result<std::vector<BehaviourDef>> make_behaviours(const std::vector<BehaviourFile>& files, const NodeDef& node, const Places& places,
                                                        const std::string& field) {
  std::vector<BehaviourDef> list;
  core::Faults faults;
  for (std::size_t i = 0; i < files.size(); ++i) {
    core::Result<BehaviourDef> made = make_behaviour(files[i], node, places, fmt::format("{}[{}]", field, i));
    faults.add(made);
    if (made) list.push_back(std::move(made).value());
  }
  if (!faults.empty()) return faults.error();
  return list;
}

}  // namespace volary::scenario
