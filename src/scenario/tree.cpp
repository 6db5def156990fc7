// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/tree.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/suggest.hpp"

namespace volary::scenario {

void merge(Node& base, Node over) {
  if (base.kind != Node::Kind::Map || over.kind != Node::Kind::Map) {
    base = std::move(over);
    return;
  }
  for (std::size_t i = 0; i < over.keys.size(); ++i) {
    // a key given twice in one file stays twice, for the reader to refuse
    Node* present = base.find(over.keys[i].name);
    const bool repeated = present != nullptr && over.find(over.keys[i].name) != &over.items[i];
    if (present != nullptr && !repeated) {
      merge(*present, over.items[i]);
    } else {
      base.keys.push_back(over.keys[i]);
      base.items.push_back(over.items[i]);
    }
  }
}

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxIncludes = 64;

core::Error error_at(const Tree& tree, Where where, std::string field, std::string message, std::string suggestion = "") {
  core::Error error;
  error.message = std::move(message);
  error.field = std::move(field);
  error.suggestion = std::move(suggestion);
  error.file = tree.files[static_cast<std::size_t>(where.file)];
  error.line = where.line;
  error.column = where.column;
  return error;
}

// ---------------------------------------------------------------- include

class Includer {
 public:
  Includer(Tree& tree, const Files& files) : tree_(tree), files_(files) {}
  core::Result<Node> load(const std::string& text, const std::string& file_name);

 private:
  core::Status check_list(const Node& list) const;
  core::Result<Node> load_included(const Node& name, const std::string& field, const std::string& from);

  Tree& tree_;
  const Files& files_;
  std::vector<std::string> open_;  // files being included, outermost first
  std::size_t n_included_ = 0;
};

std::string identity(const std::string& path) {
  std::error_code code;
  const fs::path canonical = fs::weakly_canonical(path, code);
  return code ? path : canonical.string();
}

core::Result<Node> Includer::load(const std::string& text, const std::string& file_name) {
  const int file = static_cast<int>(tree_.files.size());
  tree_.files.push_back(file_name);
  core::Result<Node> root = parse_yaml(text, file, file_name);
  if (!root) return root.error();
  Node own = std::move(root).value();
  if (own.kind == Node::Kind::Null) return error_at(tree_, own.where, "", "the file is empty");
  if (own.kind != Node::Kind::Map) return error_at(tree_, own.where, "", "expected a map of fields, found " + describe_node(own));
  const Node* list = own.find("include");
  if (list == nullptr) return own;
  if (const core::Status good = check_list(*list); !good) return good.error();

  // what is included comes first, so that what is written here wins
  Node merged;
  merged.kind = Node::Kind::Map;
  merged.where = own.where;
  open_.push_back(identity(file_name));
  for (std::size_t i = 0; i < list->items.size(); ++i) {
    core::Result<Node> included = load_included(list->items[i], "include[" + std::to_string(i) + "]", file_name);
    if (!included) return included.error();
    merge(merged, std::move(included).value());
  }
  open_.pop_back();
  const std::ptrdiff_t at = list - own.items.data();
  own.items.erase(own.items.begin() + at);
  own.keys.erase(own.keys.begin() + at);
  merge(merged, std::move(own));
  return merged;
}

core::Status Includer::check_list(const Node& list) const {
  if (list.kind != Node::Kind::List) {
    return error_at(tree_, list.where, "include", "expected a list of files, found " + describe_node(list), "write include: [base.yaml]");
  }
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    const Node& item = list.items[i];
    const bool is_text = item.kind == Node::Kind::Scalar && !item.text.empty() && item.text.find('\0') == std::string::npos;
    if (!is_text) {
      return error_at(tree_, item.where, "include[" + std::to_string(i) + "]", "expected the name of a file, found " + describe_node(item));
    }
  }
  return core::ok();
}

core::Result<Node> Includer::load_included(const Node& name, const std::string& field, const std::string& from) {
  if (++n_included_ > kMaxIncludes) return error_at(tree_, name.where, field, "more than 64 files are included");
  const std::string path = (fs::path(from).parent_path() / name.text).string();
  const core::Result<std::string> text = files_.read(path);
  if (!text) return error_at(tree_, name.where, field, "cannot include " + path + ": " + text.error().message);
  const auto again = std::find(open_.begin(), open_.end(), identity(path));
  if (again != open_.end()) {
    std::string cycle;
    for (auto step = again; step != open_.end(); ++step) cycle += fs::path(*step).filename().string() + " -> ";
    return error_at(tree_, name.where, field, "files include each other: " + cycle + fs::path(path).filename().string());
  }
  return load(text.value(), path);
}

// ---------------------------------------------------------------- --set

// a name or an index of a path such as flocks[0].vehicles.grid.count
struct Step {
  std::string name;
  std::size_t index = 0;
  bool is_index = false;
};

bool take_index(std::string_view& path, std::vector<Step>& steps) {
  Step step;
  step.is_index = true;
  const char* end = path.data() + path.size();
  const auto [rest, code] = std::from_chars(path.data() + 1, end, step.index);
  if (code != std::errc() || rest == end || *rest != ']') return false;
  path.remove_prefix(static_cast<std::size_t>(rest - path.data()) + 1);
  steps.push_back(step);
  return true;
}

// empty when it is not a path
std::vector<Step> parse_path(std::string_view path) {
  std::vector<Step> steps;
  while (!path.empty()) {
    if (path.front() == '[' && !steps.empty()) {
      if (!take_index(path, steps)) return {};
      continue;
    }
    if (!steps.empty()) {
      if (path.front() != '.') return {};
      path.remove_prefix(1);
    }
    const std::size_t length = std::min(path.find_first_of(".["), path.size());
    if (length == 0) return {};
    steps.push_back({std::string(path.substr(0, length)), 0, false});
    path.remove_prefix(length);
  }
  return steps.size() <= static_cast<std::size_t>(kMaxDepth) ? steps : std::vector<Step>{};
}

std::vector<std::string> key_names(const Node& node) {
  std::vector<std::string> names;
  for (const Key& key : node.keys) names.push_back(key.name);
  return names;
}

// goes down one step; a name that is not there is made, for the reader to judge
core::Result<Node*> descend(Tree& tree, Node& node, const Step& step, bool next_is_index, const std::string& done, Where where) {
  if (step.is_index) {
    const std::size_t n = node.kind == Node::Kind::List ? node.items.size() : 0;
    if (step.index < n) return &node.items[step.index];
    std::string message = "--set: is " + describe_node(node) + ", not a list";
    if (node.kind == Node::Kind::List) message = "--set: there is no entry " + std::to_string(step.index) + "; the list has " + std::to_string(n);
    return error_at(tree, where, done, message, n > 0 ? "entries count from 0" : "");
  }
  if (node.kind == Node::Kind::Null) node.kind = Node::Kind::Map;
  if (node.kind != Node::Kind::Map) {
    return error_at(tree, where, done, "--set: is " + describe_node(node) + " and has no field '" + step.name + "'",
                    node.kind == Node::Kind::List ? "name an entry, such as " + done + "[0]" : "");
  }
  if (Node* found = node.find(step.name)) return found;
  if (next_is_index) {
    return error_at(tree, where, done, "--set: there is no list '" + step.name + "' here", core::did_you_mean(step.name, key_names(node)));
  }
  node.keys.push_back({step.name, where});
  node.items.emplace_back();
  node.items.back().where = where;
  return &node.items.back();
}

}  // namespace

core::Result<Tree> load_tree(const std::string& text, const std::string& file_name, const Files& files) {
  Tree tree;
  core::Result<Node> root = Includer(tree, files).load(text, file_name);
  if (!root) return root.error();
  tree.root = std::move(root).value();
  return tree;
}

core::Status apply_override(Tree& tree, const std::string& assignment) {
  // errors about an override point into the override itself
  const int file = static_cast<int>(tree.files.size());
  tree.files.push_back("--set " + assignment.substr(0, 200));
  const Where start{file, 1, 1};
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos) {
    return error_at(tree, start, "", "--set needs path=value", "such as --set flocks[0].vehicles.grid.count=200");
  }
  const std::vector<Step> steps = parse_path(std::string_view(assignment).substr(0, equals));
  if (steps.empty()) {
    return error_at(tree, start, assignment.substr(0, std::min<std::size_t>(equals, 60)), "--set: not a path", "such as flocks[0].vehicles.grid.count");
  }

  core::Result<Node> value = parse_yaml(std::string_view(assignment).substr(equals + 1), file, tree.files.back());
  if (!value) return value.error();
  Node* node = &tree.root;
  std::string done;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const bool next_is_index = i + 1 < steps.size() && steps[i + 1].is_index;
    core::Result<Node*> next = descend(tree, *node, steps[i], next_is_index, done, start);
    if (!next) return next.error();
    node = next.value();
    if (steps[i].is_index)
      done += "[" + std::to_string(steps[i].index) + "]";
    else
      done += (done.empty() ? "" : ".") + steps[i].name;
  }
  *node = std::move(value).value();
  return core::ok();
}

}  // namespace volary::scenario
