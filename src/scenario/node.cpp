// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/node.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <istream>
#include <map>
#include <streambuf>
#include <utility>

namespace volary::scenario {

namespace {

std::size_t count_nodes(const Node& node) {
  std::size_t n = 1;
  for (const Node& item : node.items) n += count_nodes(item);
  return n;
}

// the way out of yaml-cpp's callbacks; caught in parse_yaml
struct Refused {
  std::string message;
  Where where;
};

// Builds the tree from parser events instead of from YAML::Node: events show duplicate keys, quotes and
// anchors, and let us stop before a hostile document has grown.
class Builder : public YAML::EventHandler {
 public:
  Builder(std::string_view text, int file) : text_(text), file_(file) {}

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { leaf(Node::Kind::Null, mark, anchor, {}, false); }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, const std::string& value) override {
    const bool quoted = tag == "!";
    if (quoted && is_unclosed(mark.pos)) throw Refused{"not valid YAML: a text in quotes has no end", here(mark)};
    // yaml-cpp reports a plain ~ or null as a scalar
    const bool null = !quoted && (value == "~" || value == "null");
    leaf(null ? Node::Kind::Null : Node::Kind::Scalar, mark, anchor, value, quoted);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor, YAML::EmitterStyle::value) override {
    open(Node::Kind::List, mark, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor, YAML::EmitterStyle::value) override {
    open(Node::Kind::Map, mark, anchor);
  }
  void OnMapEnd() override { close(); }

  Node take() { return std::move(root_); }

 private:
  struct Open {
    Node node;
    YAML::anchor_t anchor;
  };

  bool is_unclosed(int begin) const;
  Where here(const YAML::Mark& mark) const { return {file_, std::max(mark.line + 1, 1), std::max(mark.column + 1, 1)}; }
  void leaf(Node::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor, std::string text, bool quoted);
  void open(Node::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor);
  void close();
  void remember(YAML::anchor_t anchor, const Node& node);
  void spend_copies(const Node& node, Where where);
  void add(Node node);

  std::string_view text_;
  int file_;
  std::size_t n_nodes_ = 0, n_copied_ = 0;
  std::vector<Open> stack_;
  std::map<YAML::anchor_t, Node> anchors_;
  Node root_;
};

// yaml-cpp ends a text in quotes silently at the end of the file
bool Builder::is_unclosed(int begin) const {
  if (begin < 0 || static_cast<std::size_t>(begin) >= text_.size()) return false;
  const char quote = text_[static_cast<std::size_t>(begin)];
  if (quote != '"' && quote != '\'') return false;
  for (std::size_t i = static_cast<std::size_t>(begin) + 1; i < text_.size(); ++i) {
    if (quote == '"' && text_[i] == '\\')
      ++i;
    else if (text_[i] == quote)
      return false;
  }
  return true;
}

void Builder::OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) {
  const auto found = anchors_.find(anchor);
  if (found == anchors_.end()) throw Refused{"an alias refers to itself", here(mark)};
  spend_copies(found->second, here(mark));
  add(found->second);
}

void Builder::leaf(Node::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor, std::string text, bool quoted) {
  Node node;
  node.kind = kind;
  node.quoted = quoted;
  node.where = here(mark);
  if (kind == Node::Kind::Scalar) node.text = std::move(text);
  remember(anchor, node);
  add(std::move(node));
}

void Builder::open(Node::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
  if (stack_.size() >= static_cast<std::size_t>(kMaxDepth)) throw Refused{"nested more than 64 levels deep", here(mark)};
  Node node;
  node.kind = kind;
  node.where = here(mark);
  stack_.push_back({std::move(node), anchor});
}

void Builder::close() {
  Open done = std::move(stack_.back());
  stack_.pop_back();
  remember(done.anchor, done.node);
  add(std::move(done.node));
}

void Builder::remember(YAML::anchor_t anchor, const Node& node) {
  if (anchor == YAML::NullAnchor) return;
  spend_copies(node, node.where);
  anchors_[anchor] = node;
}

void Builder::spend_copies(const Node& node, Where where) {
  n_copied_ += count_nodes(node);
  if (n_copied_ > kMaxCopiedNodes) throw Refused{"anchors and aliases expand to too many values", where};
}

void Builder::add(Node node) {
  if (++n_nodes_ > kMaxNodes) throw Refused{"too many values in one file", node.where};
  if (stack_.empty()) {
    root_ = std::move(node);
    return;
  }
  // a map sees key, value, key, value, ...
  Node& parent = stack_.back().node;
  if (parent.kind == Node::Kind::Map && parent.keys.size() == parent.items.size()) {
    const bool word = node.kind == Node::Kind::Scalar;
    if (!word) throw Refused{"a key must be a word, not " + describe_node(node), node.where};
    parent.keys.push_back({std::move(node.text), node.where});
  } else {
    parent.items.push_back(std::move(node));
  }
}

// a stream over text that is not copied
class TextBuffer : public std::streambuf {
 public:
  explicit TextBuffer(std::string_view text) {
    char* begin = const_cast<char*>(text.data());  // the interface wants char*; nothing writes
    setg(begin, begin, begin + text.size());
  }
};

core::Error make_error(std::string message, const std::string& file, Where where) {
  core::Error error;
  error.message = std::move(message);
  error.file = file;
  error.line = where.line;
  error.column = where.column;
  return error;
}

// a second document would be ignored, so it is refused
class NothingMore : public Builder {
 public:
  using Builder::Builder;
  void OnDocumentStart(const YAML::Mark& mark) override {
    throw Refused{"a second YAML document; one file holds one", {0, std::max(mark.line + 1, 1), std::max(mark.column + 1, 1)}};
  }
};

// the next step of a field path: a name or an index
const Node* step_into(const Node& node, std::string_view& path) {
  if (path.front() == '[') {
    std::size_t index = 0;
    const char* end = path.data() + path.size();
    const auto [rest, code] = std::from_chars(path.data() + 1, end, index);
    if (code != std::errc() || rest == end || *rest != ']' || node.kind != Node::Kind::List) return nullptr;
    path.remove_prefix(static_cast<std::size_t>(rest - path.data()) + 1);
    return index < node.items.size() ? &node.items[index] : nullptr;
  }
  if (path.front() == '.') path.remove_prefix(1);
  const std::size_t length = std::min(path.find_first_of(".["), path.size());
  if (length == 0) return nullptr;
  const std::string_view name = path.substr(0, length);
  path.remove_prefix(length);
  return node.find(name);
}

}  // namespace

const Node* Node::find(std::string_view key) const {
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (keys[i].name == key) return &items[i];
  return nullptr;
}
Node* Node::find(std::string_view key) { return const_cast<Node*>(std::as_const(*this).find(key)); }

core::Result<std::string> read_file(const std::string& path, std::size_t most_bytes) {
  namespace fs = std::filesystem;
  std::error_code code;
  const fs::file_status status = fs::status(path, code);
  if (!fs::exists(status)) return make_error("no such file", path, {0, 0, 0});
  if (fs::is_directory(status)) return make_error("is a folder, not a file", path, {0, 0, 0});
  if (!fs::is_regular_file(status)) return make_error("is not a regular file", path, {0, 0, 0});
  const std::uintmax_t size = fs::file_size(path, code);
  if (code || size > most_bytes) return make_error("is larger than " + std::to_string(most_bytes >> 20) + " MiB", path, {0, 0, 0});

  std::ifstream in(path, std::ios::binary);
  std::string text(static_cast<std::size_t>(size), '\0');
  in.read(text.data(), static_cast<std::streamsize>(size));
  if (!in && !in.eof()) return make_error("cannot be read", path, {0, 0, 0});
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
  return text;
}

core::Result<Node> parse_yaml(std::string_view text, int file, const std::string& file_name) {
  if (text.size() > kMaxFileBytes) return make_error("is larger than 64 MiB", file_name, {});
  try {
    TextBuffer buffer(text);
    std::istream in(&buffer);
    YAML::Parser parser(in);
    Builder builder(text, file);
    if (!parser.HandleNextDocument(builder)) return make_error("the file is empty", file_name, {});
    NothingMore nothing_more(text, file);
    (void)parser.HandleNextDocument(nothing_more);
    return builder.take();
  } catch (const Refused& refused) {
    return make_error(refused.message, file_name, refused.where);
  } catch (const YAML::Exception& e) {
    return make_error("not valid YAML: " + e.msg, file_name, {file, std::max(e.mark.line + 1, 1), std::max(e.mark.column + 1, 1)});
  } catch (const std::exception& e) {
    return make_error(std::string("not valid YAML: ") + e.what(), file_name, {});
  }
}

core::Error place(core::Error error, const Tree& tree) {
  if (!error.file.empty()) return error;
  const Node* node = &tree.root;
  std::string_view path = error.field;
  while (!path.empty()) {
    const Node* next = step_into(*node, path);
    if (next == nullptr) break;
    node = next;
  }
  const auto file = static_cast<std::size_t>(node->where.file);
  if (file < tree.files.size()) error.file = tree.files[file];
  error.line = node->where.line;
  error.column = node->where.column;
  return error;
}

std::string describe_node(const Node& node) {
  switch (node.kind) {
    case Node::Kind::Null: return "nothing";
    case Node::Kind::List: return "a list";
    case Node::Kind::Map: return "a map";
    case Node::Kind::Scalar: break;
  }
  // hostile texts may be long
  constexpr std::size_t kShown = 40;
  return "'" + node.text.substr(0, kShown) + (node.text.size() > kShown ? "..." : "") + "'";
}

}  // namespace volary::scenario
