// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/path_fields.hpp"

#include <type_traits>
#include <utility>

#include "core/type_list.hpp"
#include "scenario/scenario_def.hpp"
#include "scenario/yaml_reader.hpp"
#include "vehicles/all.hpp"

namespace volary::scenario {

namespace {

// visitor: goes down where the document does
class PathFinder {
 public:
  explicit PathFinder(std::vector<PathValue>& out) : out_(out) {}

  template <class T> void field(const char* name, const T& value, const core::Info& info) {
    if (map_ == nullptr) return;
    // a key that is given twice is looked at twice
    for (std::size_t i = 0; i < map_->keys.size(); ++i)
      if (map_->keys[i].name == name) visit(map_->items[i], value, info, path_ + (path_.empty() ? "" : ".") + name);
  }

  template <class D> void look(const Node& node, const D& d, std::string path) {
    if (node.kind != Node::Kind::Map) return;
    const Node* outer = std::exchange(map_, &node);
    path.swap(path_);
    describe(d, *this);
    path.swap(path_);
    map_ = outer;
  }

 private:
  template <class T> void visit(const Node& node, const T& value, const core::Info& info, const std::string& path) {
    if constexpr (std::is_same_v<T, std::string>) {
      if (info.is_path && node.kind == Node::Kind::Scalar) out_.push_back({path, node.text, node.where});
    } else if constexpr (IsOptional<T>::value || IsNested<T>::value) {
      visit(node, typename T::value_type{}, info, path);
    } else if constexpr (IsVector<T>::value) {
      for (std::size_t i = 0; i < node.items.size(); ++i)
        visit(node.items[i], typename T::value_type{}, info, path + "[" + std::to_string(i) + "]");
    } else if constexpr (std::is_class_v<T> && !IsArray<T>::value && !std::is_same_v<T, core::Numbers>) {
      look(node, value, path);
    }
  }

  std::vector<PathValue>& out_;
  const Node* map_ = nullptr;
  std::string path_;
};

}  // namespace

std::vector<PathValue> path_values(const Node& root) {
  std::vector<PathValue> found;
  PathFinder finder(found);
  finder.look(root, ScenarioFile{}, "");
  const Node* model = root.find("model");
  core::for_each_type(vehicles::AllVehicles{}, [&]<class M>() {
    if (model != nullptr && model->text == M::name) finder.look(root, typename M::Def{}, "");
  });
  return found;
}

}  // namespace volary::scenario
