// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "swarm/change_field.hpp"

#include <charconv>
#include <optional>

#include "core/set_field.hpp"
#include "core/suggest.hpp"
#include "swarm/behaviours/all.hpp"
#include "swarm/node_fields.hpp"
#include "swarm/radio/medium.hpp"
#include "swarm/script/script_def.hpp"
#include "swarm/stimuli/all.hpp"

namespace volary::swarm {

namespace {

core::Error wrong(std::string_view field, std::string message, std::string suggestion = "") {
  core::Error error;
  error.field = field;
  error.message = std::move(message);
  error.suggestion = std::move(suggestion);
  return error;
}
// an error inside `where`
core::Error within(const std::string& where, core::Error error) {
  error.field = where + (error.field.empty() ? "" : "." + error.field);
  return error;
}

// "name[2]" as name and number
struct Indexed {
  std::string name;
  std::optional<std::size_t> number;
};
Indexed read_index(std::string_view text) {
  const std::size_t open = text.find('[');
  std::size_t number = 0;
  if (open == std::string_view::npos || text.back() != ']') return {std::string(text), std::nullopt};
  const char *first = text.data() + open + 1, *last = text.data() + text.size() - 1;
  const auto [end, code] = std::from_chars(first, last, number);
  if (first == last || end != last || code != std::errc()) return {std::string(text), std::nullopt};
  return {std::string(text.substr(0, open)), number};
}

// takes the first name off a path
std::string_view take(std::string_view& path) {
  const std::size_t dot = path.find('.');
  const std::string_view first = path.substr(0, dot);
  path = dot == std::string_view::npos ? std::string_view{} : path.substr(dot + 1);
  return first;
}

// An entry of a list that a path leads to. Its own fields are beside its kind, the kind's are below it.
struct Entry {
  std::size_t place = 0;
  bool of_kind = false;
  std::string in_full;     // path of the entry, or of its kind
  std::string_view field;  // the rest
};
core::Result<Entry> find_entry(const std::string& list, const std::vector<std::string>& names, std::string_view path) {
  const std::string_view first = take(path);
  const Indexed head = read_index(first);
  Entry entry;
  if (head.number) {
    if (*head.number >= names.size()) return wrong(first, "there are only " + std::to_string(names.size()) + " in the list");
    entry.place = *head.number;
    const std::string& kind = names[entry.place];
    entry.of_kind = path.substr(0, path.find('.')) == kind;
    if (entry.of_kind) take(path);
  } else {
    const std::string_view wanted = take(path);
    const std::vector<std::size_t> found = find_named(names, wanted);
    if (found.empty()) return wrong(first, "there is no '" + std::string(wanted) + "' in the list", core::did_you_mean(read_index(wanted).name, names));
    if (found.size() > 1)
      return wrong(first, "there are " + std::to_string(found.size()) + " of '" + std::string(wanted) + "'", "name one: " + std::string(wanted) + "[0]");
    entry.place = found.front();
    entry.of_kind = true;
  }
  entry.in_full = list + "[" + std::to_string(entry.place) + "]" + (entry.of_kind ? "." + names[entry.place] : "");
  entry.field = path;
  if (path.empty()) return wrong(entry.in_full, "has fields of its own");
  return entry;
}

// the fields that an entry has beside its kind, as a struct
struct OwnFields {
  BehaviourDef& def;
};
template <class V> void describe(OwnFields& d, V& v) { describe_entry(d.def, v); }
struct OwnEmission {
  EmissionDef& def;
};
template <class V> void describe(OwnEmission& d, V& v) { describe_emission(d.def, v); }

template <class Own, class Def> core::Status change_own(Def& def, std::string_view field, const std::string& value, const std::string& kind) {
  Def changed = def;
  Own own{changed};
  core::FieldSetter setter(field, value);
  describe(own, setter);
  if (const core::Status done = setter.finish(); !done) {
    core::Error error = done.error();
    if (error.suggestion.starts_with("known")) error.suggestion += "; those of its kind are " + kind + "." + std::string(field);
    return error;
  }
  if (changed.until <= changed.from) return wrong(field, "it would end before it begins");
  def = std::move(changed);
  return core::ok();
}

// a number that a script or a plugin declares
template <class Outside> core::Status change_outside(BehaviourDef& def, std::string_view field, const std::string& value) {
  auto changed = std::make_shared<Outside>(*static_cast<const Outside*>(def.params.get()));
  std::vector<std::string> known;
  for (auto& [name, number] : changed->params) {
    known.push_back(name);
    if (name != field) continue;
    if (!core::parse_number(value, number)) return wrong(field, "expected a number, found '" + value.substr(0, 60) + "'");
    def.params = std::move(changed);
    return core::ok();
  }
  return wrong(field, "there is no such parameter", core::did_you_mean(field, known));
}

core::Status change_params(BehaviourDef& def, std::string_view field, const std::string& value) {
  if (def.kind == kScript) return change_outside<ScriptDef>(def, field, value);
  if (def.kind == kPlugin) return change_outside<PluginDef>(def, field, value);
  core::Status done = wrong(field, "there is no behaviour of kind '" + def.kind + "'");
  core::for_each_type(AllBehaviours{}, [&]<class B>() {
    if (def.kind != B::name) return;
    auto changed = std::make_shared<typename B::Params>(*static_cast<const typename B::Params*>(def.params.get()));
    done = core::set_field(*changed, field, value);
    if constexpr (requires { B::check(*changed); })
      if (done) done = B::check(*changed);
    if (done) def.params = std::move(changed);
  });
  return done;
}

core::Status change_emission(EmissionDef& def, std::string_view field, const std::string& value) {
  core::Status done = wrong(field, "there is no stimulus of kind '" + def.kind + "'");
  core::for_each_type(AllStimuli{}, [&]<class S>() {
    if (def.kind != S::name) return;
    auto changed = std::make_shared<typename S::Emission>(*static_cast<const typename S::Emission*>(def.emission.get()));
    done = core::set_field(*changed, field, value);
    if (done) def.emission = std::move(changed);
  });
  return done;
}

// places in memory, eyes and bodies are given at the start; what is on the air would mean something else to another model
bool is_fixed(std::string_view path) {
  for (const std::string_view fixed : {"radio.model", "node.memory", "node.detection", "node.contact"})
    if (path == fixed || (path.starts_with(fixed) && path[fixed.size()] == '.')) return true;
  return false;
}

std::vector<core::ListedField> list_behaviour(const BehaviourDef& def, const std::string& before) {
  core::FieldLister own(before + "."), below(before + "." + name_of(def) + ".");
  describe_entry(def, own);
  core::for_each_type(AllBehaviours{}, [&]<class B>() {
    if (def.kind == B::name) describe(*static_cast<const typename B::Params*>(def.params.get()), below);
  });
  if (def.kind == kScript)
    for (const auto& [name, value] : static_cast<const ScriptDef*>(def.params.get())->params) below.field(name.c_str(), value, {});
  if (def.kind == kPlugin)
    for (const auto& [name, value] : static_cast<const PluginDef*>(def.params.get())->params) below.field(name.c_str(), value, {});
  own.list.insert(own.list.end(), below.list.begin(), below.list.end());
  return own.list;
}

std::vector<core::ListedField> list_emission(const EmissionDef& def, const std::string& before) {
  core::FieldLister own(before + "."), below(before + "." + def.kind + ".");
  describe_emission(def, own);
  core::for_each_type(AllStimuli{}, [&]<class S>() {
    if (def.kind == S::name) describe(*static_cast<const typename S::Emission*>(def.emission.get()), below);
  });
  own.list.insert(own.list.end(), below.list.begin(), below.list.end());
  return own.list;
}

core::Result<std::string> change_behaviour(NodeDef& node, std::string_view path, const std::string& value) {
  std::vector<std::string> names;
  for (const BehaviourDef& b : node.behaviours) names.push_back(name_of(b));
  const core::Result<Entry> found = find_entry("behaviours", names, path);
  if (!found) return found.error();
  const Entry& e = found.value();
  BehaviourDef& def = node.behaviours[e.place];
  const core::Status done = e.of_kind ? change_params(def, e.field, value) : change_own<OwnFields>(def, e.field, value, names[e.place]);
  if (!done) return within(e.in_full, done.error());
  return e.in_full + "." + std::string(e.field);
}

core::Result<std::string> change_emitted(NodeDef& node, std::string_view path, const std::string& value) {
  std::vector<std::string> names;
  for (const EmissionDef& e : node.emits) names.push_back(e.kind);
  const core::Result<Entry> found = find_entry("emits", names, path);
  if (!found) return found.error();
  const Entry& e = found.value();
  EmissionDef& def = node.emits[e.place];
  const core::Status done = e.of_kind ? change_emission(def, e.field, value) : change_own<OwnEmission>(def, e.field, value, names[e.place]);
  if (!done) return within(e.in_full, done.error());
  return e.in_full + "." + std::string(e.field);
}

core::Result<std::string> change_part(NodeDef& node, std::string_view path, const std::string& value) {
  const std::string list = read_index(path.substr(0, path.find('.'))).name;
  if (list == "behaviours") return change_behaviour(node, path, value);
  if (list == "emits") return change_emitted(node, path, value);
  if (list != "node" || path == "node")
    return wrong(path.substr(0, 60), "there is no such field", core::did_you_mean(list, {"behaviours", "emits", "environment", "node", "radio"}));
  if (is_fixed(path)) return wrong(path, "cannot be changed in flight");
  if (const core::Status done = core::set_field(node, path.substr(5), value); !done) return within("node", done.error());
  return std::string(path);
}

// what would be left aside without a word is refused, as in files
core::Status check_pace(const NodeDef& node) {
  for (std::size_t k = 0; k < node.behaviours.size(); ++k) {
    const BehaviourDef& b = node.behaviours[k];
    const BehaviourHost* host = find_behaviour(b.kind);
    const std::string field = "behaviours[" + std::to_string(k) + "].";
    if (host != nullptr && host->filters && b.rate > 0) return wrong(field + "rate", b.kind + " is a filter: it looks at every action");
    if (host != nullptr && host->filters && b.delay > 0) return wrong(field + "delay", b.kind + " is a filter, which changes an action at once");
    if (b.rate > node.decision_rate) return wrong(field + "rate", "would be above the decision_rate of the node: it would not be evaluated that often");
  }
  return core::ok();
}

}  // namespace

std::string name_of(const BehaviourDef& b) {
  if (b.kind == kScript) return static_cast<const ScriptDef*>(b.params.get())->name;
  if (b.kind == kPlugin) return static_cast<const PluginDef*>(b.params.get())->name;
  return b.kind;
}

std::vector<std::size_t> find_named(const std::vector<std::string>& names, std::string_view wanted) {
  const Indexed w = read_index(wanted);
  std::vector<std::size_t> found;
  std::size_t nth = 0;
  for (std::size_t k = 0; k < names.size(); ++k)
    if (names[k] == w.name && (!w.number || nth++ == *w.number)) found.push_back(k);
  return found;
}

core::Status change_radio(RadioDef& radio, std::string_view path, const std::string& value) {
  if (is_fixed("radio." + std::string(path))) return wrong("radio." + std::string(path), "cannot be changed in flight");
  RadioDef changed = radio;
  if (const core::Status done = core::set_field(changed, path, value); !done) return within("radio", done.error());
  if (const core::Status sound = check(changed); !sound) return within("radio", sound.error());
  radio = changed;
  return core::ok();
}

core::Result<std::string> change_node(NodeDef& node, std::string_view path, const std::string& value) {
  NodeDef changed = node;
  core::Result<std::string> done = change_part(changed, path, value);
  if (!done) return done;
  if (const core::Status sound = check_pace(changed); !sound) return sound.error();
  node = std::move(changed);
  return done;
}

std::vector<core::ListedField> list_radio(const RadioDef& radio) {
  core::FieldLister lister("radio.");
  describe(radio, lister);
  std::erase_if(lister.list, [](const core::ListedField& f) { return is_fixed(f.path); });
  return lister.list;
}

std::vector<core::ListedField> list_node(const NodeDef& node) {
  core::FieldLister lister("node.");
  describe(node, lister);
  std::vector<core::ListedField> all = std::move(lister.list);
  std::erase_if(all, [](const core::ListedField& f) { return is_fixed(f.path); });
  const auto add = [&](const std::vector<core::ListedField>& more) { all.insert(all.end(), more.begin(), more.end()); };
  for (std::size_t k = 0; k < node.behaviours.size(); ++k) add(list_behaviour(node.behaviours[k], "behaviours[" + std::to_string(k) + "]"));
  for (std::size_t k = 0; k < node.emits.size(); ++k) add(list_emission(node.emits[k], "emits[" + std::to_string(k) + "]"));
  return all;
}

}  // namespace volary::swarm
