// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a loaded library takes from others, and functions that are put in the place of some of it. A library calls functions of others through slots that the
// loader fills. A symbol of the same name in our own program would be taken only if the loader found it first, which it does not in a module of Python: there
// the symbols of the interpreter's libraries come before ours. So the slots are written after loading.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "multibody/elementary.hpp"

namespace volary::multibody {

struct Import {
  std::string name;
  void** slot;        // holds the address of the function
  std::ptrdiff_t addend;
};
// `handle` is one of dlopen
std::vector<Import> imports_of(void* handle);

// Writes the functions into all slots of their names. An error says that a function is not called at all, or that the system forbids it.
core::Status replace_imports(void* handle, std::span<const NamedFunction> functions);

}  // namespace volary::multibody
