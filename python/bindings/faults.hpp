// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Faults that become exceptions of Python: volary.ScenarioError and volary.InputError, both a ValueError.
#pragma once

#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>

namespace volary::python {

class Flight;

// a scenario that cannot be read or run
struct ScenarioFault : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};
// an input that a world refuses
struct InputFault : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

// inputs of Python, among the sources of a world
inline constexpr std::uint32_t kPythonSource = 1;

// the exception that a controller in Python raised, if one did; otherwise `fault`
[[noreturn]] void rethrow_of(Flight& flight, const std::exception_ptr& fault);

}  // namespace volary::python
