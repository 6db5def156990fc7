// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/daveml_xml.hpp"

#include <algorithm>
#include <iterator>

#include "core/suggest.hpp"

namespace volary::scenario {

namespace {

// "*" as attributes: any, because nothing is computed from it
constexpr XmlRule kGrammar[] = {
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

const XmlRule* rule_of(std::string_view element) {
  const auto* found = std::find_if(std::begin(kGrammar), std::end(kGrammar), [&](const XmlRule& rule) { return rule.element == element; });
  return found == std::end(kGrammar) ? nullptr : found;
}

core::Status check_attributes(const XmlFile& xml, pugi::xml_node node, const XmlRule& rule) {
  if (rule.attributes == "*") return core::ok();
  const std::vector<std::string> known = words_of(rule.attributes);
  for (const pugi::xml_attribute a : node.attributes()) {
    const std::string name = a.name();
    if (name.starts_with("xml") || has_word(known, name)) continue;
    return xml.error(node, "'" + std::string(rule.element) + "' has no attribute '" + name + "'", core::did_you_mean(name, known));
  }
  return core::ok();
}

core::Status check_element(const XmlFile& xml, pugi::xml_node node, int depth) {
  if (depth > kMaxXmlDepth) return xml.error(node, "elements are nested too deeply");
  const XmlRule* rule = rule_of(local_name(node));
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

}  // namespace

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
