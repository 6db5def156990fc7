// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The XML of DAVE-ML (xml_file.hpp): lists of numbers, and the grammar of DAVEfunc 2.0.
#pragma once

#include <optional>
#include <vector>

#include "scenario/xml_file.hpp"

namespace volary::scenario {

// numbers separated by commas and white space
core::Result<std::vector<double>> numbers_in(const XmlFile& xml, pugi::xml_node node);
// the number in an attribute, nothing when the attribute is absent
core::Result<std::optional<double>> number_attribute(const XmlFile& xml, pugi::xml_node node, const char* name);

// every element and attribute below the root is one that DAVEfunc 2.0 knows and this reader understands; MathML is left to its own reader
core::Status check_grammar(const XmlFile& xml);

}  // namespace volary::scenario
