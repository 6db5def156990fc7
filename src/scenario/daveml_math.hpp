// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// MathML content markup, as far as DAVE-ML uses it, as steps of a calculation.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "math/calculation.hpp"
#include "scenario/daveml_xml.hpp"

namespace volary::scenario {

// steps that compute one variable, and the variables they need first
struct MathPiece {
  std::vector<math::Step> steps;
  std::vector<std::size_t> needs;  // variables by number
};

// the slots of a calculation while it is being built
class Slots {
 public:
  explicit Slots(math::Calculation& calculation) : calculation_(calculation) {}
  std::int32_t add(double initial = 0) {
    calculation_.initial.push_back(initial);
    return static_cast<std::int32_t>(calculation_.initial.size()) - 1;
  }

 private:
  math::Calculation& calculation_;
};

// a variable that a formula may name
struct MathName {
  std::size_t variable;
  std::int32_t slot;
};
using MathNames = std::map<std::string, MathName, std::less<>>;

// the formula below <math>; the result is in `out`
core::Result<MathPiece> read_math(const XmlFile& xml, pugi::xml_node math, const MathNames& names, Slots& slots, std::int32_t out);

}  // namespace volary::scenario
