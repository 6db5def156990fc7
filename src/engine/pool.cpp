// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/pool.hpp"

namespace volary::engine {

namespace {
constexpr int kSpins = 20000;  // about 50 us before parking

inline void pause() { __builtin_ia32_pause(); }
}  // namespace

Pool::Pool(int threads) {
  for (int part = 1; part < threads; ++part) workers_.emplace_back([this, part] { work(part); });
}

Pool::~Pool() {
  stop_ = true;
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  for (std::thread& t : workers_) t.join();
}

void Pool::run(void (*job)(void*, int), void* context) {
  if (workers_.empty()) return job(context, 0);
  job_ = job;
  context_ = context;
  busy_.store(static_cast<int>(workers_.size()), std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  job(context, 0);
  for (int spins = 0; busy_.load(std::memory_order_acquire) != 0; ++spins) {
    if (spins < kSpins)
      pause();
    else
      std::this_thread::yield();
  }
}

void Pool::work(int part) {
  std::uint32_t seen = 0;
  while (true) {
    for (int spins = 0; round_.load(std::memory_order_acquire) == seen; ++spins) {
      if (spins < kSpins)
        pause();
      else
        round_.wait(seen, std::memory_order_acquire);
    }
    ++seen;
    if (stop_) return;
    job_(context_, part);
    busy_.fetch_sub(1, std::memory_order_release);
  }
}

}  // namespace volary::engine
