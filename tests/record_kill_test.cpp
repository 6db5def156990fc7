// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Runs that are killed, disks that are full, budgets that are spent: what was committed is there, the file opens, and
// the run itself goes on.
#include <fcntl.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <cerrno>
#include <thread>

#include "record_support_test.hpp"

namespace volary::replay {

namespace {

constexpr std::uint64_t kReferenceTicks = 4000;

std::vector<std::uint64_t> reference_hashes() {
  Flown f = load_flown("default");
  std::vector<std::uint64_t> hashes = {f.world->hash()};
  while (f.world->tick() < kReferenceTicks) {
    fly_by_hand(*f.world);
    f.world->step(1);
    hashes.push_back(f.world->hash());
  }
  return hashes;
}

// the child: flies and reports each commit; never returns
[[noreturn]] void fly_until_killed(Flown& f, const std::string& path, int pipe, double commit_seconds) {
  RecorderOptions options;
  options.commit_seconds = commit_seconds;
  options.checkpoint_seconds = 2;
  options.view_seconds = 1;
  options.on_commit = [pipe](std::uint64_t tick) {
    if (::write(pipe, &tick, sizeof(tick)) != sizeof(tick)) ::_exit(3);
  };
  auto recorder = Recorder::open(path, *f.world, f.bundle, options);
  if (!recorder) ::_exit(2);
  while (f.world->tick() < kReferenceTicks) {
    fly_by_hand(*f.world);
    f.world->step(1);
    for (const Event& e : f.world->take_events()) recorder.value()->event(*f.world, e);
    recorder.value()->after_tick(*f.world);
    if (f.world->tick() % 8 == 0) std::this_thread::sleep_for(std::chrono::microseconds(300));  // several commits in a life
  }
  [[maybe_unused]] const auto closed = recorder.value()->close();
  for (;;) ::pause();
}

// kills the child after `life` and returns the last tick it said was committed, or none
std::optional<std::uint64_t> kill_after(pid_t child, int pipe, std::chrono::microseconds life) {
  std::this_thread::sleep_for(life);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  std::optional<std::uint64_t> committed;
  for (std::uint64_t tick = 0; ::read(pipe, &tick, sizeof(tick)) == sizeof(tick);) committed = tick;
  return committed;
}

TEST(RecordKill, NothingCommittedIsLostWhenARunIsKilled) {
  const int kills = is_long() ? 1000 : 50;
  const auto hashes = reference_hashes();
  Flown f = load_flown("default");
  core::ScratchFolder folder;
  std::mt19937 random(2026);
  int with_commits = 0;
  std::uint64_t committed_ticks = 0;
  for (int k = 0; k < kills; ++k) {
    SCOPED_TRACE(k);
    const std::string path = folder.file(std::to_string(k) + ".vrec");
    int pipe[2];
    ASSERT_EQ(::pipe(pipe), 0);
    const double commit_seconds = k % 4 == 0 ? 0.0 : 0.002 * (k % 5);
    const auto life = std::chrono::microseconds(random() % 60'000);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      ::close(pipe[0]);
      fly_until_killed(f, path, pipe[1], commit_seconds);
    }
    ::close(pipe[1]);
    const auto committed = kill_after(child, pipe[0], life);
    ::close(pipe[0]);
    const auto opened = Recording::open(path);
    if (!opened) {
      ASSERT_FALSE(committed) << opened.error().text();
      continue;
    }
    const Recording& r = *opened.value();
    ASSERT_FALSE(r.damaged());
    if (committed) {
      ++with_commits;
      committed_ticks += *committed;
      ASSERT_TRUE(r.hash(*committed).has_value()) << *committed << " of " << r.last_tick();
    }
    for (std::uint64_t t = 0; t <= r.last_tick() && r.hash(0); ++t) ASSERT_EQ(r.hash(t), hashes[t]) << t;
    const auto known = r.known_inputs();
    ASSERT_EQ(known.size(), 1u);
    ASSERT_EQ(known[0].last, r.last_tick());
    if (k % 10 == 0 && r.hash(0)) {
      const auto v = verify(r, {});
      ASSERT_TRUE(v) << v.error().text();
      ASSERT_TRUE(v.value().exact());
    }
    std::filesystem::remove(path);
  }
  EXPECT_GT(with_commits, kills / 3);
  std::printf("%d kills, %d after a commit, %llu committed ticks checked\n", kills, with_commits, static_cast<unsigned long long>(committed_ticks));
}

// ---------------------------------------------------------------- full disks

struct Outcome {
  bool opened = false, exact = false, damaged = true;
  std::uint64_t ticks = 0, flown = 0;
  std::size_t notices = 0;
  std::string notice;
};

Outcome fly_into_a_wall(const std::string& path) {
  Flown f = load_flown("default");
  Outcome o;
  {
    RecorderOptions options;
    options.commit_seconds = 0;
    options.view_seconds = 0.5;
    options.checkpoint_seconds = 0.5;
    auto recorder = Recorder::open(path, *f.world, f.bundle, options);
    if (!recorder) return o;
    for (int k = 0; k < 1500; ++k) {
      f.world->step(1);
      recorder.value()->after_tick(*f.world);
      for (const std::string& n : recorder.value()->take_notices()) o.notice = n, ++o.notices;
    }
    [[maybe_unused]] const auto closed = recorder.value()->close();
    for (const std::string& n : recorder.value()->take_notices()) o.notice = n, ++o.notices;
  }
  o.flown = f.world->tick();
  const auto r = Recording::open(path);
  o.opened = static_cast<bool>(r);
  if (!r) return o;
  o.damaged = r.value()->damaged() || !r.value()->scan().damage.empty();
  o.ticks = r.value()->last_tick();
  const auto v = verify(*r.value(), {});
  o.exact = v && v.value().exact();
  return o;
}

void expect_survived(const Outcome& o) {
  EXPECT_EQ(o.flown, 1500u);
  EXPECT_EQ(o.notices, 1u) << o.notice;
  EXPECT_NE(o.notice.find("the run goes on"), std::string::npos) << o.notice;
  EXPECT_TRUE(o.opened);
  EXPECT_FALSE(o.damaged);
  EXPECT_TRUE(o.exact);
  EXPECT_GT(o.ticks, 10u);
  EXPECT_LT(o.ticks, 1500u);
}

TEST(RecordKill, AFullFileSystemEndsTheRecordingAndNotTheRun) {
  core::ScratchFolder folder;
  const std::string mount = folder.file("small");
  std::filesystem::create_directory(mount);
  if (::mount("tmpfs", mount.c_str(), "tmpfs", 0, "size=256k") != 0) GTEST_SKIP() << "may not mount a small file system here: " << std::strerror(errno);
  const Outcome o = fly_into_a_wall(mount + "/a.vrec");
  ::umount(mount.c_str());
  expect_survived(o);
  EXPECT_NE(o.notice.find("No space left"), std::string::npos) << o.notice;
}

TEST(RecordKill, AFileThatMayNotGrowEndsTheRecordingAndNotTheRun) {
  core::ScratchFolder folder;
  int pipe[2];
  ASSERT_EQ(::pipe(pipe), 0);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{200'000, 200'000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const Outcome o = fly_into_a_wall(folder.file("a.vrec"));
    const bool good = o.flown == 1500 && o.notices == 1 && o.opened && !o.damaged && o.exact && o.ticks > 10 && o.ticks < 1500;
    ::_exit(good ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(RecordKill, ABudgetStopsTheViewFirstAndThenTheRecording) {
  core::ScratchFolder folder;
  Flown f = load_flown("default");
  RecorderOptions options;
  options.max_bytes = 1'500'000;  // an eighth of it is far more than the view may lag behind on a busy machine
  options.view_seconds = 0.5;
  options.checkpoint_seconds = 1;
  options.commit_seconds = 0.001;
  auto recorder = Recorder::open(folder.file("a.vrec"), *f.world, f.bundle, options);
  ASSERT_TRUE(recorder);
  std::vector<std::string> notices;
  for (int k = 0; k < 200'000 && recorder.value()->recording(); ++k) {
    f.world->step(1);
    recorder.value()->after_tick(*f.world);
    for (const std::string& n : recorder.value()->take_notices()) notices.push_back(n);
  }
  EXPECT_FALSE(recorder.value()->recording());
  EXPECT_FALSE(recorder.value()->close());
  ASSERT_EQ(notices.size(), 2u);
  EXPECT_NE(notices[0].find("the trajectories end"), std::string::npos);
  EXPECT_NE(notices[1].find("the recording ends"), std::string::npos);
  EXPECT_LE(std::filesystem::file_size(folder.file("a.vrec")), options.max_bytes);
  const auto r = open_recording(folder.file("a.vrec"));
  EXPECT_TRUE(r->closed());
  EXPECT_FALSE(r->damaged());
  std::vector<std::string> told;
  for (const Event& e : r->events())
    if (e.name == "recorder") told.push_back(e.what);
  EXPECT_EQ(told, notices);
  const auto v = verify(*r, {});
  ASSERT_TRUE(v);
  EXPECT_TRUE(v.value().exact());
}

TEST(RecordKill, ATickLeftOutEndsTheRecordingWithANotice) {
  core::ScratchFolder folder;
  Flown f = load_flown("hover_gusts");
  auto recorder = Recorder::open(folder.file("a.vrec"), *f.world, f.bundle, {});
  ASSERT_TRUE(recorder);
  f.world->step(1);
  recorder.value()->after_tick(*f.world);
  f.world->step(2);
  recorder.value()->after_tick(*f.world);
  EXPECT_FALSE(recorder.value()->close());
  EXPECT_EQ(recorder.value()->take_notices().size(), 1u);
  const auto r = open_recording(folder.file("a.vrec"));
  EXPECT_EQ(r->last_tick(), 1u);
}

TEST(RecordKill, AFileThatIsThereIsNotOverwritten) {
  core::ScratchFolder folder;
  Flown f = load_flown("hover_gusts");
  std::ofstream(folder.file("a.vrec")) << "mine";
  const auto recorder = Recorder::open(folder.file("a.vrec"), *f.world, f.bundle, {});
  ASSERT_FALSE(recorder);
  EXPECT_NE(recorder.error().text().find("not overwritten"), std::string::npos);
  EXPECT_FALSE(Recorder::open(folder.file("no/such/folder/a.vrec"), *f.world, f.bundle, {}));
}

}  // namespace

}  // namespace volary::replay
