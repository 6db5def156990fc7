// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "engine/kernel.hpp"

namespace volary::engine {

// all backends of this binary, narrow to wide, optimised before not
const std::vector<const Backend*>& all_backends();

// by lanes (0: the widest that this CPU runs); none when the CPU or the binary lacks it
const Backend* find_backend(int lanes, bool optimised);

// the kernel of a program in a backend; a backend without double kernels hands over to one that has them
const Kernel* find_kernel(const Backend& backend, const std::string& model, const std::string& program, int bytes_per_scalar);
// the same for sensors and estimators
const SenseKernel* find_sense_kernel(const Backend& backend, int bytes_per_scalar);

}  // namespace volary::engine
