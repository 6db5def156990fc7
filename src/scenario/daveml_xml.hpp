// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The XML below the DAVE-ML reader: nodes that know their line, numbers in text, and the grammar of DAVEfunc 2.0. The parser is
// pugixml: small, kept up, in every distribution, and it expands no entities but XML's own five, so a hostile file cannot grow.
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
  // null when it is not well formed; error() says why
  static core::Result<XmlFile> parse(const std::string& text, const std::string& file_name);

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

// name without a namespace prefix
std::string_view local_name(pugi::xml_node node);
bool is(pugi::xml_node node, std::string_view name);
pugi::xml_node child(pugi::xml_node node, std::string_view name);

// all text directly in a node, comments left out, white space at both ends removed
std::string text_in(pugi::xml_node node);
std::optional<double> to_number(std::string_view text);
// numbers separated by commas and white space
core::Result<std::vector<double>> numbers_in(const XmlFile& xml, pugi::xml_node node);
// the number in an attribute, nothing when the attribute is absent
core::Result<std::optional<double>> number_attribute(const XmlFile& xml, pugi::xml_node node, const char* name);

// every element and attribute below the root is one that DAVEfunc 2.0 knows and this reader understands; MathML is left to its own reader
core::Status check_grammar(const XmlFile& xml);

}  // namespace volary::scenario
