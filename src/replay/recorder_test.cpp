// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/scratch_folder.hpp"
#include "replay/recorder.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "engine/engine_test_support.hpp"
#include "replay/recording.hpp"
#include "replay/summary.hpp"

namespace volary::replay {
namespace {

// a page lists the runs while one of them ends: the thread sanitizer looks on
TEST(recorder, can_be_asked_from_other_threads_while_it_records_and_ends) {
  const core::ScratchFolder folder;
  const auto world = test::make(test::circling(20), {.hash_every_tick = true});
  auto recorder = Recorder::open(folder.file("a.vrec"), *world, {}, {});
  ASSERT_TRUE(recorder) << recorder.error().text();
  Recorder& r = *recorder.value();
  std::atomic<bool> over = false;
  std::uint64_t bytes = 0, asked = 0;
  std::thread other([&] {
    for (; !over; ++asked) {
      const RecorderStats s = r.stats();
      EXPECT_GE(s.bytes, bytes);
      bytes = s.bytes;
      EXPECT_TRUE(r.take_notices().empty());
      [[maybe_unused]] const bool recording = r.recording();
    }
  });
  for (int k = 0; k < 300; ++k) {
    world->step(1);
    r.after_tick(*world);
    if (k % 100 == 0) r.flush();
  }
  EXPECT_TRUE(r.recording());
  EXPECT_TRUE(r.close());
  over = true;
  other.join();
  EXPECT_FALSE(r.recording());
  EXPECT_GT(asked, 0u);
  EXPECT_EQ(r.stats().ticks, 301u);
  EXPECT_EQ(Recording::open(folder.file("a.vrec")).value()->last_tick(), 300u);
}

TEST(recorder, ends_with_the_verdict_that_it_was_given) {
  const core::ScratchFolder folder;
  for (const bool judged : {false, true}) {
    const auto world = test::make(test::circling(2), {.hash_every_tick = true});
    auto recorder = Recorder::open(folder.file("a.vrec"), *world, {.main = "a.yaml", .files = {}, .overrides = {"seed=7", "environment.wind=[1, 0, 0]"}}, {});
    ASSERT_TRUE(recorder) << recorder.error().text();
    world->step(1);
    recorder.value()->after_tick(*world);
    if (judged) recorder.value()->judge("failed", "\"arrive\" is still open (1 of 2)");
    ASSERT_TRUE(recorder.value()->close());
    const auto run = summarise(folder.file("a.vrec"));
    ASSERT_TRUE(run) << run.error().text();
    EXPECT_EQ(run.value().verdict, judged ? "failed" : "");
    EXPECT_EQ(run.value().reason, judged ? "\"arrive\" is still open (1 of 2)" : "");
    EXPECT_EQ(run.value().planned, world->def().duration);
    EXPECT_LT(run.value().duration, run.value().planned);
    EXPECT_EQ(run.value().overrides, std::vector<std::string>{"environment.wind=[1, 0, 0]"}) << "the seed stands by itself";
    std::filesystem::remove(folder.file("a.vrec"));
  }
}

}  // namespace
}  // namespace volary::replay
