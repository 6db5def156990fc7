// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Threads with a fixed partition: worker k always does part k. Workers spin for a while between two jobs and
// park late: a futex costs as much as stepping a thousand vehicles.
#pragma once

#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace volary::engine {

class Pool {
 public:
  explicit Pool(int threads);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  int size() const { return static_cast<int>(workers_.size()) + 1; }

  // calls job(context, part) for part = 0 .. size() - 1, part 0 on the caller's thread; returns when all are done
  void run(void (*job)(void* context, int part), void* context);

 private:
  void work(int part);

  std::vector<std::thread> workers_;
  void (*job_)(void*, int) = nullptr;
  void* context_ = nullptr;
  std::atomic<std::uint32_t> round_{0};
  std::atomic<int> busy_{0};
  std::atomic<bool> stop_{false};
};

// fewer than this are done by one thread before another has woken up
inline constexpr std::size_t kWorthSharing = 256;

// f(first, last, part): n things in as many stretches as there are threads
template <class F> void each_part(Pool& pool, std::size_t n, F&& f) {
  if (n < kWorthSharing) return f(std::size_t{0}, n, 0);
  struct Job {
    F& f;
    std::size_t n, parts;
  } job{f, n, static_cast<std::size_t>(pool.size())};
  pool.run(
      [](void* context, int part) {
        const Job& j = *static_cast<const Job*>(context);
        const auto p = static_cast<std::size_t>(part);
        j.f(j.n * p / j.parts, j.n * (p + 1) / j.parts, part);
      },
      &job);
}

}  // namespace volary::engine
