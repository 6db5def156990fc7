// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// XML below its readers: nodes that know their line, and numbers in text. The parser is pugixml: small, kept up, in every distribution, and it expands no
// entities but XML's own five, so a hostile file cannot grow.
#pragma once

#include <memory>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.hpp"

namespace volary::scenario {

class XmlFile {
 public:
  // an error when it is not well formed, or when its root has another name
  static core::Result<XmlFile> parse(const std::string& text, const std::string& file_name, std::string_view root, const std::string& suggestion);

  pugi::xml_node root() const { return document_->document_element(); }
  const std::string& file() const { return file_; }
  int line_of(pugi::xml_node node) const { return line_at(node.offset_debug()); }
  core::Error error(pugi::xml_node node, std::string message, std::string suggestion = "") const;

 private:
  int line_at(std::ptrdiff_t offset) const;

  std::unique_ptr<pugi::xml_document> document_;
  std::vector<std::ptrdiff_t> line_ends_;
  std::string file_;
};

inline constexpr int kMaxXmlDepth = 64;

// name without a namespace prefix
std::string_view local_name(pugi::xml_node node);
bool is(pugi::xml_node node, std::string_view name);
pugi::xml_node child(pugi::xml_node node, std::string_view name);

// what may stand in an element: names of children and of attributes, each followed by a blank but the last; "*" as attributes: any
struct XmlRule {
  std::string_view element, children, attributes;
};
std::vector<std::string> words_of(std::string_view text);
bool has_word(const std::vector<std::string>& words, std::string_view word);

bool is_space(char c);
// all text directly in a node, comments left out, white space at both ends removed
std::string text_in(pugi::xml_node node);
std::optional<double> to_number(std::string_view text);

}  // namespace volary::scenario
