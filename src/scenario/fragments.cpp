// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/fragments.hpp"

#include <type_traits>
#include <utility>

#include "core/faults.hpp"
#include "scenario/field_error.hpp"
#include "scenario/node.hpp"
#include "scenario/places.hpp"
#include "scenario/swarm_file.hpp"
#include "scenario/yaml_reader.hpp"
#include "swarm/tasks/task_file.hpp"

namespace volary::scenario {

// a list under its name in a scenario
template <class T> struct FragmentFile {
  const char* name = "";
  std::vector<T> list;
};
template <class D> inline constexpr bool kIsFragment = false;
template <class T> inline constexpr bool kIsFragment<FragmentFile<T>> = true;
template <class D, class V> requires kIsFragment<std::remove_const_t<D>>
void describe(D& d, V& v) {
  v.field(d.name, d.list, {.doc = "entries of the list"});
}

namespace {

constexpr const char* kText = "text";  // the name of the file that there is not

// the text below the name that its list has in a scenario; one entry is a list of one
core::Result<Tree> tree_of(const std::string& text, const char* name) {
  core::Result<Node> root = parse_yaml(text, 0, kText);
  if (!root) return root.error();
  Node list = std::move(root).value();
  if (list.kind == Node::Kind::Map) {
    Node entry = std::exchange(list, Node{});
    list.kind = Node::Kind::List;
    list.where = entry.where;
    list.items.push_back(std::move(entry));
  }
  Tree tree;
  tree.files.push_back(kText);
  tree.root.kind = Node::Kind::Map;
  tree.root.keys.push_back({name, list.where});
  tree.root.items.push_back(std::move(list));
  return tree;
}

// reads the list, and makes of it what `make` makes of it
template <class T, class Make> auto read_fragment(const std::string& text, const char* name, Make&& make) -> decltype(make(std::vector<T>{})) {
  const core::Result<Tree> tree = tree_of(text, name);
  if (!tree) return tree.error();
  FragmentFile<T> file{name, {}};
  if (const core::Status read = YamlReader(tree.value()).read(file); !read) return read.error();
  auto made = make(file.list);
  if (made) return made;
  return core::each_fault(made.error(), [&](core::Error e) { return place(std::move(e), tree.value()); });
}

}  // namespace

core::Result<std::vector<BehaviourDef>> behaviours_of_text(const std::string& text, const NodeDef& node, const FragmentPlaces& at) {
  return read_fragment<BehaviourFile>(text, "behaviours", [&](const std::vector<BehaviourFile>& list) {
    return make_behaviours(list, node, Places{at.folder, at.assets, "behaviours", at.files}, "behaviours");
  });
}

core::Result<std::vector<EmissionDef>> emissions_of_text(const std::string& text) {
  return read_fragment<EmissionFile>(text, "emits", [](const std::vector<EmissionFile>& list) { return make_emissions(list, "emits"); });
}

core::Result<std::vector<TaskDef>> tasks_of_text(const std::string& text, const WorldDef& world, const FragmentPlaces& at) {
  return read_fragment<swarm::TaskFile>(text, "tasks", [&](const std::vector<swarm::TaskFile>& list) { return swarm::make_tasks(list, task_names(world, at)); });
}

swarm::TaskNames task_names(const WorldDef& world, const FragmentPlaces& at) {
  swarm::TaskNames names;
  for (const FlockDef& f : world.flocks) {
    names.flocks.push_back(f.name);
    names.vehicles.push_back(f.vehicles.size());
    names.kinds.push_back(f.airframe.name);
  }
  for (const RegionDef& r : world.regions) names.regions.push_back(r.name);
  names.events = {"crashed", "lost",     "touched",          "sees", "diverged", "spawned", "removed", "refused",
                  "latched", "released", "stopped deciding", "left", "entered",  "back in"};
  names.read = [&at](const std::string& file) -> core::Result<std::string> {
    core::Result<Places::Found> found = Places{at.folder, at.assets, "behaviours", at.files}.read(file, "");
    if (!found) return found.error();
    return std::move(found).value().bytes;
  };
  return names;
}

}  // namespace volary::scenario
