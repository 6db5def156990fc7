// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// How a caller lends its threads without this room knowing them.
#pragma once

#include <cstddef>

namespace volary::swarm {

// calls job(context, part) for part = 0 .. parts - 1, possibly at the same time, and returns when all are done
struct Parallel {
  int parts = 1;
  void (*run)(void* pool, void (*job)(void* context, int part), void* context) = nullptr;
  void* pool = nullptr;
};

// the caller's own thread does all
inline Parallel one_thread() {
  return {1, [](void*, void (*job)(void*, int), void* context) { job(context, 0); }, nullptr};
}

// f(part) for every part
template <class F> void for_parts(const Parallel& parallel, F&& f) {
  parallel.run(parallel.pool, [](void* context, int part) { (*static_cast<F*>(context))(part); }, &f);
}

// the share of a part in n things
struct Share {
  std::size_t begin, end;
};
inline Share share(std::size_t n, int part, int parts) {
  const auto p = static_cast<std::size_t>(part), all = static_cast<std::size_t>(parts);
  return {n * p / all, n * (p + 1) / all};
}

}  // namespace volary::swarm
