// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What this machine could do at best: arithmetic and memory, measured beside the benchmark so that its
// figures can be given as a share of the roof.
#pragma once

namespace volary::benchmarks {

double thread_cpu_seconds();   // of the calling thread
double process_cpu_seconds();  // of all threads
double wall_seconds();

// fused multiply-adds in registers, FLOP/s of one core; 0 when this CPU lacks the width
double fma_peak(int lanes);

// read and write of an array larger than every cache, B/s of all threads together
double stream_update(int threads);

}  // namespace volary::benchmarks
