// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// DAVE-ML (ANSI/AIAA S-119-2011, DAVEfunc 2.0): a file of variables, calculations in MathML and tables becomes a model that
// can be evaluated, or an error with file, line and advice. Nothing is skipped in silence: an element, attribute or operator
// that is not understood is an error, and so is what S-119 has and this reader has not (scattered tables, splines, states).
// minValue and maxValue limit a variable; a table keeps its last value outside its breakpoints unless the file says otherwise.
#pragma once

#include <string>
#include <vector>

#include "core/result.hpp"
#include "vehicles/imported_model.hpp"

namespace volary::scenario {

// one number of a check that the file carries
struct DaveSignal {
  std::string name;    // long name, or the short id when `by_id`
  bool by_id = false;
  double value = 0;
  double tolerance = 0;
  int line = 0;
};

// inputs, and what must come out for them
struct DaveShot {
  std::string name;
  int line = 0;
  std::vector<DaveSignal> inputs, internals, outputs;
};

struct DaveModel {
  airframe::ImportedModel model;
  std::vector<DaveShot> shots;
};

core::Result<DaveModel> load_daveml(const std::string& path);
core::Result<DaveModel> parse_daveml(const std::string& text, const std::string& file_name);

// what became of the checks that a file carries
struct DaveSelfTest {
  int shots = 0, signals = 0;
  double worst = 0;             // largest difference as a part of its tolerance
  double worst_difference = 0;  // the same in the units of the signal
  std::string worst_signal, worst_shot;
};
// every static shot of the file; the first signal outside its tolerance is the error. Signals without one must agree to
// 1e-6 of the value (or 1e-9, where the value is zero).
core::Result<DaveSelfTest> run_self_test(const DaveModel& dave);

}  // namespace volary::scenario
