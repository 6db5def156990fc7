// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/xml_file.hpp"

#include <algorithm>
#include <charconv>

namespace volary::scenario {

namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    words.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

bool has_word(const std::vector<std::string>& words, std::string_view word) { return std::find(words.begin(), words.end(), word) != words.end(); }

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

core::Result<XmlFile> XmlFile::parse(const std::string& text, const std::string& file_name, std::string_view root, const std::string& suggestion) {
  XmlFile xml;
  xml.file_ = file_name;
  for (std::size_t k = 0; k < text.size(); ++k)
    if (text[k] == '\n') xml.line_ends_.push_back(static_cast<std::ptrdiff_t>(k));
  xml.document_ = std::make_unique<pugi::xml_document>();
  const pugi::xml_parse_result parsed = xml.document_->load_buffer(text.data(), text.size(), pugi::parse_default, pugi::encoding_utf8);
  if (!parsed) {
    core::Error error;
    error.file = file_name;
    error.line = xml.line_at(parsed.offset);
    error.message = "is not well-formed XML: " + std::string(parsed.description());
    return error;
  }
  if (local_name(xml.root()) != root)
    return xml.error(xml.root(), "the root is '" + std::string(local_name(xml.root()).substr(0, 40)) + "', not '" + std::string(root) + "'", suggestion);
  return xml;
}

core::Error XmlFile::error(pugi::xml_node node, std::string message, std::string suggestion) const {
  core::Error error;
  error.file = file_;
  error.line = line_of(node);
  error.message = std::move(message);
  error.suggestion = std::move(suggestion);
  return error;
}

int XmlFile::line_at(std::ptrdiff_t offset) const {
  return static_cast<int>(std::lower_bound(line_ends_.begin(), line_ends_.end(), offset) - line_ends_.begin()) + 1;
}

std::string_view local_name(pugi::xml_node node) {
  const std::string_view name = node.name();
  const std::size_t colon = name.find(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

bool is(pugi::xml_node node, std::string_view name) { return node.type() == pugi::node_element && local_name(node) == name; }

pugi::xml_node child(pugi::xml_node node, std::string_view name) {
  for (const pugi::xml_node c : node.children())
    if (is(c, name)) return c;
  return {};
}

std::string text_in(pugi::xml_node node) {
  std::string text;
  for (const pugi::xml_node c : node.children())
    if (c.type() == pugi::node_pcdata || c.type() == pugi::node_cdata) text += std::string(text.empty() ? "" : " ") + c.value();
  return std::string(trimmed(text));
}

std::optional<double> to_number(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value - value == 0)) return std::nullopt;
  return value;
}

}  // namespace volary::scenario
