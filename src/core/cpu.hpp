// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What differs between CPUs outside the lanes of math/wide.hpp, one file per instruction set:
//
//   cycles()         a counter that goes at the same rate on every core whatever it does
//   cycles_in(ns)    how far it counts in so many nanoseconds, right within a factor of two
//   relax()          tells the core that this thread waits for another one
//   has_lanes(n)     whether this CPU runs kernels of n floats side by side, with fused multiply-adds
#pragma once

// inlined without exception: a copy that was compiled for another instruction set must not be merged with this one
#define VOLARY_CPU __attribute__((always_inline)) inline

#if defined(__aarch64__)
#include "core/cpu_aarch64.hpp"
#elif defined(__x86_64__)
#include "core/cpu_x86.hpp"
#else
#error "Volary has lanes for x86-64 and aarch64 only"
#endif

#undef VOLARY_CPU
