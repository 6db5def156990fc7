// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A YAML document as plain data: what is left of it once anchors are expanded and every value knows
// its place. Includes and `--set` work on this tree; the reader (yaml_reader.hpp) turns it into structs.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace volary::scenario {

// index into Tree::files; line and column count from 1
struct Where {
  int file = 0;
  int line = 1;
  int column = 1;
};

struct Key {
  std::string name;
  Where where;
};

struct Node {
  enum class Kind { Null, Scalar, List, Map };
  Kind kind = Kind::Null;
  bool quoted = false;  // written in quotes: a text even if it looks like a number
  Where where;
  std::string text;         // of a scalar
  std::vector<Key> keys;    // of a map, as many as items
  std::vector<Node> items;  // values of a map or entries of a list

  const Node* find(std::string_view key) const;
  Node* find(std::string_view key);
};

struct Tree {
  std::vector<std::string> files;
  Node root;
};

// what a hostile file may cost
inline constexpr std::size_t kMaxFileBytes = 64u << 20;
inline constexpr std::size_t kMaxLogBytes = std::size_t{2} << 30;  // a log of an autopilot, of which only the flight is kept
inline constexpr std::size_t kMaxNodes = 4'000'000;
inline constexpr std::size_t kMaxCopiedNodes = 200'000;  // by anchors and aliases
inline constexpr int kMaxDepth = 64;

core::Result<std::string> read_file(const std::string& path, std::size_t most_bytes = kMaxFileBytes);

// one document; every Where gets the index `file`, errors get its name
core::Result<Node> parse_yaml(std::string_view text, int file, const std::string& file_name);

// fills in where the value named by `error.field` stands, or the nearest value around it
core::Error place(core::Error error, const Tree& tree);

// the words for what a node is: "a map", "a list", "the text 'abc'"
std::string describe_node(const Node& node);

}  // namespace volary::scenario
