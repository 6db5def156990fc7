// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// MuJoCo itself: a shared library that is not linked but loaded when the first scene of several bodies is made, so that programs without such scenes neither have
// nor need it. tools/get_mujoco.sh fetches it.
//
// Once it is loaded, its calls of sin, cos, tan, asin, acos, atan2, exp, log and pow are led to our own functions (elementary.hpp), because the last bits of the C
// library's differ between systems. With them a scene should have the same bits on every x86-64 CPU: version 4.0.0 is compiled for AVX, and its code has no
// fused multiply-adds, no approximate reciprocals or roots, no registers of 512 bits, and does not ask which CPU it runs on. What is left of the C library rounds
// correctly (sqrt, floor) or is not reached by our scenes (cbrt, functions of float: scaled frames, cameras, pictures).
// On aarch64 MuJoCo is compiled with fused multiply-adds (some 17,000 of them), so the bits are others than on x86-64.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace volary::multibody {

struct Library;

// Where the library is looked for, in this order: beside this program or shared library (the wheel of the Python package), in lib/volary of the installation
// that it belongs to, in build/mujoco of the source tree.
std::vector<std::string> library_files();

// the first of library_files() that exists, loaded once per process
core::Result<std::shared_ptr<const Library>> library();

// A library of its own, for tests. It stays loaded until the process ends, as does the other.
enum class Elementary { Ours, OfTheSystem };
core::Result<std::shared_ptr<const Library>> load_library(const std::string& file, Elementary elementary = Elementary::Ours);

}  // namespace volary::multibody
