// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/daveml_xml.hpp"

#include <algorithm>
#include <charconv>
#include <memory>

#include "core/suggest.hpp"

namespace volary::scenario {

namespace {

// what may stand in an element; "*" as attributes: any, because nothing is computed from it
struct Rule {
  std::string_view element, children, attributes;
};
constexpr Rule kGrammar[] = {
    {"DAVEfunc", "fileHeader variableDef breakpointDef griddedTableDef ungriddedTableDef function checkData", "*"},
    {"fileHeader", "author creationDate fileCreationDate fileVersion description classification dataAssumptions reference modificationRecord provenance", "*"},
    {"author", "address contactInfo", "*"},
    {"address", "", "*"},
    {"contactInfo", "", "*"},
    {"creationDate", "", "*"},
    {"fileCreationDate", "", "*"},
    {"functionCreationDate", "", "*"},
    {"fileVersion", "", "*"},
    {"description", "", "*"},
    {"classification", "", "*"},
    {"dataAssumptions", "", "*"},
    {"reference", "description", "*"},
    {"modificationRecord", "author description extraDocRef", "*"},
    {"extraDocRef", "", "*"},
    {"provenance", "author creationDate functionCreationDate documentRef modificationRef description", "*"},
    {"provenanceRef", "", "*"},
    {"documentRef", "", "*"},
    {"modificationRef", "", "*"},
    {"variableDef", "description provenance provenanceRef calculation isInput isControl isDisturbance isOutput isStdAIAA isState isStateDeriv uncertainty",
     "name varID units axisSystem sign alias symbol initialValue minValue maxValue"},
    {"calculation", "math", ""},
    {"isInput", "", ""},
    {"isControl", "", ""},
    {"isDisturbance", "", ""},
    {"isOutput", "", ""},
    {"isStdAIAA", "", ""},
    {"isState", "", ""},
    {"isStateDeriv", "", ""},
    {"uncertainty", "normalPDF uniformPDF", "*"},
    {"normalPDF", "bounds correlatesWith correlation", "*"},
    {"uniformPDF", "bounds", "*"},
    {"bounds", "dataTable variableDef variableRef", "*"},
    {"correlatesWith", "", "*"},
    {"correlation", "", "*"},
    {"variableRef", "", "*"},
    {"breakpointDef", "description bpVals", "name bpID units"},
    {"bpVals", "", ""},
    {"griddedTableDef", "description provenance provenanceRef breakpointRefs confidenceBound uncertainty dataTable", "name gtID units"},
    {"griddedTable", "description provenance provenanceRef breakpointRefs confidenceBound uncertainty dataTable", "name gtID units"},
    {"confidenceBound", "", "*"},
    {"breakpointRefs", "bpRef", ""},
    {"bpRef", "", "bpID"},
    {"dataTable", "", ""},
    {"ungriddedTableDef", "description provenance provenanceRef uncertainty dataPoint", "*"},
    {"ungriddedTable", "description provenance provenanceRef uncertainty dataPoint", "*"},
    {"dataPoint", "", "*"},
    {"function", "description provenance provenanceRef independentVarPts dependentVarPts independentVarRef dependentVarRef functionDefn", "name"},
    {"independentVarPts", "", "varID name units sign extrapolate interpolate"},
    {"dependentVarPts", "", "varID name units sign"},
    {"independentVarRef", "", "varID min max extrapolate interpolate"},
    {"dependentVarRef", "", "varID"},
    {"functionDefn", "griddedTable griddedTableDef griddedTableRef ungriddedTable ungriddedTableDef ungriddedTableRef", "name"},
    {"griddedTableRef", "", "gtID"},
    {"ungriddedTableRef", "", "utID"},
    {"checkData", "provenance provenanceRef description staticShot", ""},
    {"staticShot", "description provenance provenanceRef checkInputs internalValues checkOutputs", "name refID"},
    {"checkInputs", "signal", ""},
    {"internalValues", "signal", ""},
    {"checkOutputs", "signal", ""},
    {"signal", "signalName signalID varID signalUnits signalValue tol", ""},
    {"signalName", "", ""},
    {"signalID", "", ""},
    {"varID", "", ""},
    {"signalUnits", "", ""},
    {"signalValue", "", ""},
    {"tol", "", ""},
};

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    words.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

const Rule* rule_of(std::string_view element) {
  const auto* found = std::find_if(std::begin(kGrammar), std::end(kGrammar), [&](const Rule& rule) { return rule.element == element; });
  return found == std::end(kGrammar) ? nullptr : found;
}

bool has_word(const std::vector<std::string>& words, std::string_view word) { return std::find(words.begin(), words.end(), word) != words.end(); }

core::Status check_attributes(const XmlFile& xml, pugi::xml_node node, const Rule& rule) {
  if (rule.attributes == "*") return core::ok();
  const std::vector<std::string> known = words_of(rule.attributes);
  for (const pugi::xml_attribute a : node.attributes()) {
    const std::string name = a.name();
    if (name.starts_with("xml") || has_word(known, name)) continue;
    return xml.error(node, "'" + std::string(rule.element) + "' has no attribute '" + name + "'", core::did_you_mean(name, known));
  }
  return core::ok();
}

constexpr int kMaxXmlDepth = 64;

core::Status check_element(const XmlFile& xml, pugi::xml_node node, int depth) {
  if (depth > kMaxXmlDepth) return xml.error(node, "elements are nested too deeply");
  const Rule* rule = rule_of(local_name(node));
  if (rule == nullptr) return core::ok();  // only MathML gets here: its parent allowed it
  if (const core::Status s = check_attributes(xml, node, *rule); !s) return s;
  const std::vector<std::string> known = words_of(rule->children);
  for (const pugi::xml_node c : node.children()) {
    if (c.type() != pugi::node_element) continue;
    const std::string name(local_name(c));
    if (!has_word(known, name)) {
      return xml.error(c, "'" + name + "' is not known inside '" + std::string(rule->element) + "'", core::did_you_mean(name, known));
    }
    if (const core::Status s = check_element(xml, c, depth + 1); !s) return s;
  }
  return core::ok();
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace

core::Result<XmlFile> XmlFile::parse(const std::string& text, const std::string& file_name) {
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
  if (local_name(xml.root()) != "DAVEfunc") {
    return xml.error(xml.root(), "the root is '" + std::string(local_name(xml.root())) + "', not 'DAVEfunc'", "is this a DAVE-ML file?");
  }
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

core::Result<std::vector<double>> numbers_in(const XmlFile& xml, pugi::xml_node node) {
  std::vector<double> numbers;
  const std::string text = text_in(node);
  const auto separates = [](char c) { return c == ',' || is_space(c); };
  for (std::size_t at = 0; at < text.size();) {
    if (separates(text[at])) {
      ++at;
      continue;
    }
    const auto end = static_cast<std::size_t>(std::find_if(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), separates) - text.begin());
    const std::string word = text.substr(at, end - at);
    const std::optional<double> number = to_number(word);
    if (!number) return xml.error(node, "'" + word.substr(0, 40) + "' is not a number (value " + std::to_string(numbers.size() + 1) + " of this list)");
    numbers.push_back(*number);
    at = end;
  }
  return numbers;
}

core::Result<std::optional<double>> number_attribute(const XmlFile& xml, pugi::xml_node node, const char* name) {
  const pugi::xml_attribute a = node.attribute(name);
  if (!a) return std::optional<double>();
  const std::optional<double> number = to_number(a.value());
  if (!number) return xml.error(node, std::string(name) + " is '" + std::string(a.value()).substr(0, 40) + "', not a number");
  return number;
}

core::Status check_grammar(const XmlFile& xml) { return check_element(xml, xml.root(), 0); }

}  // namespace volary::scenario
