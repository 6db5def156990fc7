// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/child_process.hpp"

#include <signal.h>
#include <unistd.h>

#include <fstream>

#include <gtest/gtest.h>

#include "core/scratch_folder.hpp"

namespace volary::core {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

std::unique_ptr<ChildProcess> shell(const std::string& script, const ScratchFolder& folder, bool with_descendants = false) {
  auto child = ChildProcess::start({.command = {"/bin/sh", "-c", script},
                                    .environment = {"FLOCK=starlings"},
                                    .folder = folder.path(),
                                    .output_file = folder.file("output"),
                                    .with_descendants = with_descendants});
  return child ? std::move(child).value() : nullptr;
}

// waits until the file has a line, and returns it
std::string first_line(const std::string& file) {
  std::string line;
  while (line.empty()) {
    ::usleep(1000);
    std::ifstream in(file);
    if (!std::getline(in, line) || in.eof()) line.clear();  // not yet whole
  }
  return line;
}

TEST(child_process, starts_in_its_folder_with_its_environment_beside_ours) {
  const ScratchFolder folder;
  const auto child = shell("pwd; echo $FLOCK; echo $PATH", folder);
  ASSERT_NE(child, nullptr);
  ASSERT_TRUE(child->wait(30 * kSecond));
  EXPECT_EQ(child->exit_text(), "exit code 0");
  EXPECT_EQ(last_lines(folder.file("output"), 3), folder.path() + "\nstarlings\n" + ::getenv("PATH"));
  EXPECT_EQ(last_lines(folder.file("output"), 1), ::getenv("PATH"));
}

TEST(child_process, a_folder_that_is_not_there_is_an_error) {
  const auto child = ChildProcess::start({.command = {"/bin/sh"}, .folder = "/nowhere"});
  ASSERT_FALSE(child);
  EXPECT_NE(child.error().text().find("No such file"), std::string::npos) << child.error().text();
}

TEST(child_process, one_that_does_not_end_when_asked_is_ended_by_force) {
  const ScratchFolder folder;
  const auto child = shell("trap '' TERM; echo ready; while :; do sleep 0.01; done", folder);
  ASSERT_NE(child, nullptr);
  EXPECT_EQ(first_line(folder.file("output")), "ready");
  child->stop(kSecond / 10);
  EXPECT_EQ(child->exit_text(), "ended by signal 9 (Killed)");
}

// nobody may have taken note of its end yet
bool is_there(pid_t pid) {
  std::ifstream in("/proc/" + std::to_string(pid) + "/stat");
  std::string number, name, state;
  return in >> number >> name >> state && state != "Z";
}

TEST(child_process, what_it_started_ends_with_it_where_that_is_asked_for) {
  const ScratchFolder folder;
  const auto child = shell("sleep 600 & echo $!; wait", folder, true);
  ASSERT_NE(child, nullptr);
  const pid_t descendant = static_cast<pid_t>(std::stol(first_line(folder.file("output"))));
  EXPECT_TRUE(is_there(descendant));
  child->stop();
  for (int k = 0; k < 3000 && is_there(descendant); ++k) ::usleep(10'000);
  EXPECT_FALSE(is_there(descendant));
}

}  // namespace
}  // namespace volary::core
