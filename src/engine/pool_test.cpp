// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/pool.hpp"

#include <ctime>
#include <mutex>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace volary::engine {
namespace {

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

TEST(pool, does_every_part_once_however_often_it_is_asked_and_however_many_threads_there_are) {
  for (const int threads : {1, 2, 3, 16}) {
    Pool pool(threads);
    std::vector<int> done(static_cast<std::size_t>(threads), 0);
    for (int round = 1; round <= 2000; ++round) {
      const int parts = 1 + round % threads;
      on_parts(pool, static_cast<std::size_t>(parts), [&](std::size_t part) { ++done[part]; });
      for (int part = 0; part < threads; ++part) {
        int times = 0;
        for (int r = 1; r <= round; ++r) times += part < 1 + r % threads ? 1 : 0;
        if (round % 500 == 0) ASSERT_EQ(done[static_cast<std::size_t>(part)], times) << threads << " threads, part " << part;
      }
    }
  }
}

TEST(pool, gives_no_thread_less_than_it_is_worth) {
  const Pool pool(8);
  EXPECT_EQ(pool.parts(0, cost::kDecide), 1);
  EXPECT_EQ(pool.parts(1, 1.9 * kWorthAThread), 1);
  EXPECT_EQ(pool.parts(2, kWorthAThread), 2);
  EXPECT_EQ(pool.parts(50, kWorthAThread / 10), 5);
  EXPECT_EQ(pool.parts(1'000'000'000, cost::kDecide), 8);
}

TEST(pool, splits_everything_when_it_is_told_to) {
  Pool pool(5, true);
  EXPECT_EQ(pool.parts(0, 0), 5);
  std::vector<std::pair<std::size_t, std::size_t>> stretches(5);
  each_part(pool, 3, 1, [&](std::size_t first, std::size_t last, int part) { stretches[static_cast<std::size_t>(part)] = {first, last}; });
  EXPECT_EQ(stretches, (std::vector<std::pair<std::size_t, std::size_t>>{{0, 0}, {0, 1}, {1, 1}, {1, 2}, {2, 3}}));
}

// a part that takes long, until every other one has begun: they can only have begun on threads of their own
TEST(pool, does_parts_at_the_same_time) {
  Pool pool(3);
  std::atomic<int> begun{0};
  std::set<std::thread::id> who;
  std::mutex mutex;
  on_parts(pool, 3, [&](std::size_t) {
    {
      const std::lock_guard lock(mutex);
      who.insert(std::this_thread::get_id());
    }
    ++begun;
    while (begun < 3) std::this_thread::yield();
  });
  EXPECT_EQ(who.size(), 3u);
}

// what made a small world on two threads thirty times dearer than on one, on a machine with other things to do
TEST(pool, uses_no_processor_while_it_has_nothing_to_do) {
  Pool pool(4);
  constexpr int kRounds = 300;
  const double begin = cpu_seconds();
  for (int round = 0; round < kRounds; ++round) {
    on_parts(pool, 4, [](std::size_t) {});
    std::this_thread::sleep_for(std::chrono::microseconds(1000));
  }
  // three threads that wake up, spin for at most some 50 us and sleep; to spin all the time would be 3 ms
  EXPECT_LT(cpu_seconds() - begin, kRounds * 500e-6);
}

}  // namespace
}  // namespace volary::engine
