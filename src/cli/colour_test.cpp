// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/colour.hpp"

#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/scratch_folder.hpp"

namespace volary::cli {
namespace {

constexpr const char* kEscape = "\033[";

class Colour : public ::testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(folder_ / "s.yaml") << "name: small\nduration: 0.2\nflocks:\n  - name: a\n    airframe: crazyflie\n    vehicles: {grid: {count: 2}}\n"
                                         "    mission: {hold: {height: 2}}\ntasks:\n  - {name: wait, time_after: 100}\n";
  }

  // everything that the program says to a terminal
  std::string on_terminal(const std::string& arguments, const std::string& environment = "unset NO_COLOR; export TERM=xterm;") {
    int master = -1;
    const pid_t child = forkpty(&master, nullptr, nullptr, nullptr);
    if (child == 0) {
      execl("/bin/sh", "sh", "-c", (environment + " exec '" VOLARY_PROGRAM "' " + arguments).c_str(), nullptr);
      _exit(127);
    }
    std::string said;
    char piece[4096];
    for (ssize_t n = read(master, piece, sizeof piece); n > 0; n = read(master, piece, sizeof piece)) said.append(piece, static_cast<std::size_t>(n));
    close(master);
    int status = 0;
    waitpid(child, &status, 0);
    return said;
  }
  // and to a pipe
  std::string in_pipe(const std::string& arguments) {
    const std::string command = "unset NO_COLOR; export TERM=xterm; '" VOLARY_PROGRAM "' " + arguments + " 2>&1 </dev/null";
    std::FILE* pipe = popen(command.c_str(), "r");
    std::string said;
    char piece[4096];
    while (std::fgets(piece, sizeof piece, pipe) != nullptr) said += piece;
    pclose(pipe);
    return said;
  }
  std::string run() const { return "run " + (folder_ / "s.yaml").string() + " --headless --no-record --quiet"; }

  core::ScratchFolder scratch_;
  const std::filesystem::path folder_ = scratch_.path();
};

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST(colour, is_for_terminals_that_want_it) {
  EXPECT_TRUE(wants_colour(ColourMode::Auto, true, nullptr, "xterm"));
  EXPECT_TRUE(wants_colour(ColourMode::Auto, true, "", nullptr));
  EXPECT_FALSE(wants_colour(ColourMode::Auto, false, nullptr, "xterm"));
  EXPECT_FALSE(wants_colour(ColourMode::Auto, true, "1", "xterm"));
  EXPECT_FALSE(wants_colour(ColourMode::Auto, true, nullptr, "dumb"));
  EXPECT_TRUE(wants_colour(ColourMode::Always, false, "1", "dumb"));
  EXPECT_FALSE(wants_colour(ColourMode::Never, true, nullptr, "xterm"));
}

TEST_F(Colour, a_terminal_shows_verdict_tasks_errors_and_headings_in_colour) {
  const std::string said = on_terminal(run());
  EXPECT_TRUE(has(said, "\033[1;31mfailed\033[0m: wait is still open")) << said;
  EXPECT_TRUE(has(said, "\033[1;31mvolary:\033[0m failed: wait is still open")) << said;
  EXPECT_TRUE(has(said, "\033[33m  tasks/wait")) << said;
  EXPECT_TRUE(has(on_terminal("replay no_such_file --color auto"), kEscape));
}

TEST_F(Colour, a_warning_is_a_warning) {
  const std::string many = "run " + (folder_ / "s.yaml").string() + " --headless --no-record";
  EXPECT_TRUE(has(on_terminal(many), "volary: \033[33mwarning:\033[0m ")) << on_terminal(many);
}

TEST_F(Colour, is_left_out_when_the_user_or_the_terminal_wants_none) {
  EXPECT_FALSE(has(on_terminal(run(), "export NO_COLOR=1 TERM=xterm;"), kEscape));
  EXPECT_FALSE(has(on_terminal(run(), "unset NO_COLOR; export TERM=dumb;"), kEscape));
  EXPECT_FALSE(has(on_terminal(run() + " --color never"), kEscape));
  EXPECT_FALSE(has(on_terminal("--color never " + run()), kEscape));
  EXPECT_FALSE(has(on_terminal(run() + " --json"), "\033[1;31mfailed")) << "JSON is for programs";
}

TEST_F(Colour, is_never_in_a_pipe_or_a_file_unless_asked_for) {
  EXPECT_FALSE(has(in_pipe(run()), kEscape));
  EXPECT_FALSE(has(in_pipe("check default no_such_scenario"), kEscape));
  EXPECT_TRUE(has(in_pipe(run() + " --color always"), kEscape));
  EXPECT_TRUE(has(in_pipe("--color always " + run()), kEscape));
  const std::string page = (folder_ / "r.html").string();
  in_pipe(run() + " --color always --report " + page);
  std::ifstream in(page);
  const std::string html((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  ASSERT_FALSE(html.empty());
  EXPECT_FALSE(has(html, kEscape));
}

TEST_F(Colour, another_word_is_refused_with_the_ones_there_are) {
  const std::string said = in_pipe("version --color maybe");
  EXPECT_TRUE(has(said, "auto")) << said;
  EXPECT_TRUE(has(said, "never")) << said;
}

}  // namespace volary::cli
