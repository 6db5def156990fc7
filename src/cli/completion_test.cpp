// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What bash offers after the script of `volary completion bash`, with bash itself; zsh and fish where they are installed.
#include "cli/completion.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

namespace volary::cli {
namespace {

using Words = std::vector<std::string>;

std::string say(const std::string& command) {
  std::FILE* pipe = popen(("{ " + command + "; } 2>&1").c_str(), "r");
  std::string said;
  char piece[4096];
  while (std::fgets(piece, sizeof piece, pipe) != nullptr) said += piece;
  pclose(pipe);
  return said;
}

// what bash would offer where the last of these words is being typed
Words offered(const Words& line) {
  std::string words;
  for (const std::string& w : line) words += " '" + w + "'";
  const std::string said = say("bash -c 'source <(\"" VOLARY_PROGRAM "\" completion bash); COMP_WORDS=(volary \"$@\"); COMP_CWORD=$#; _volary; printf \"%s\\n\" \"${COMPREPLY[@]}\"' bash" + words);
  Words list;
  std::istringstream in(said);
  for (std::string word; std::getline(in, word);)
    if (!word.empty()) list.push_back(word);
  return list;
}
bool has(const Words& list, const std::string& word) { return std::find(list.begin(), list.end(), word) != list.end(); }

bool is_there(const char* shell) { return std::system((std::string("command -v ") + shell + " >/dev/null 2>&1").c_str()) == 0; }

}  // namespace

TEST(completion, offers_commands_and_their_commands) {
  const Words all = offered({""});
  for (const char* command : {"run", "serve", "batch", "vehicle", "completion"}) EXPECT_TRUE(has(all, command)) << command;
  EXPECT_EQ(offered({"ru"}), (Words{"run", "runs"}));
  EXPECT_EQ(offered({"vehicle", ""}), (Words{"check", "identify", "import"}));
  EXPECT_EQ(offered({"--color", "never", "comp"}), Words{"completion"});
}

TEST(completion, offers_the_options_of_the_command_and_no_others) {
  const Words run = offered({"run", "--"});
  for (const char* option : {"--seed", "--report", "--no-record", "--color", "--help"}) EXPECT_TRUE(has(run, option)) << option;
  EXPECT_FALSE(has(run, "--seeds"));
  EXPECT_EQ(offered({"batch", "--see"}), Words{"--seeds"});
  EXPECT_TRUE(has(offered({"vehicle", "check", "--"}), "--json"));
  EXPECT_TRUE(has(offered({"run", "--quiet", "default", "-"}), "-q"));
}

TEST(completion, offers_scenarios_airframes_and_choices) {
  EXPECT_EQ(offered({"run", "search_a"}), Words{"search_and_rescue"});
  EXPECT_EQ(offered({"check", "default", "landi"}), Words{"landing"});
  EXPECT_EQ(offered({"vehicle", "check", "crazyf"}), Words{"crazyflie"});
  EXPECT_EQ(offered({"run", "--lanes", ""}), (Words{"0", "1", "4", "8", "16"}));
  EXPECT_EQ(offered({"run", "--color", "=", "a"}), (Words{"auto", "always"}));
  EXPECT_EQ(offered({"run", "--color", "="}), (Words{"auto", "always", "never"}));
  EXPECT_EQ(offered({"completion", ""}), (Words{"bash", "zsh", "fish"}));
  EXPECT_TRUE(has(offered({"replay", "x.vrec", "--export", ""}), "csv"));
  EXPECT_EQ(offered({"schema", "air"}), Words{"airframe"});
}

// an empty answer makes bash complete files
TEST(completion, leaves_values_that_are_files_or_numbers_to_the_shell) {
  for (const Words& line : {Words{"run", "--report", ""}, Words{"batch", "--out", "b"}, Words{"run", "--threads", ""}, Words{"run", "scenarios/def"}})
    EXPECT_TRUE(offered(line).empty()) << line.back();
}

TEST(completion, an_option_of_every_command_is_in_the_script_of_every_shell) {
  const std::vector<CommandWords> commands = {
      {"", "", {"fly"}, false, {{{"--help", "-h"}, "print it's help", false, {}}}},
      {"fly", "Flies. And more", {"to", "default"}, true, {{{"--at"}, "time; in s", true, {}}, {{"--how"}, "way", true, {"slow", "fast"}}}},
      {"fly to", "Goes there", {}, true, {{{"--up"}, "height", true, {}}}},
  };
  for (const std::string& script : {bash_completion(commands), zsh_completion(commands), fish_completion(commands)})
    for (const char* word : {"help", "at", "how", "slow", "fast", "up", "default"}) EXPECT_NE(script.find(word), std::string::npos) << word << "\n" << script;
  EXPECT_NE(fish_completion(commands).find("-d 'print it\\'s help'"), std::string::npos) << fish_completion(commands);
  EXPECT_NE(zsh_completion(commands).find("'--help:print it'\\''s help'"), std::string::npos) << zsh_completion(commands);
}

TEST(completion, every_shell_that_is_there_can_read_its_script) {
  int read = 0;
  for (const char* shell : {"bash", "zsh", "fish"}) {
    if (!is_there(shell)) continue;
    const std::string said = say(std::string("'" VOLARY_PROGRAM "' completion ") + shell + " | " + shell + " -n && echo good");
    EXPECT_EQ(said, "good\n") << shell;
    ++read;
  }
  EXPECT_GE(read, 1);
}

TEST(completion, another_shell_is_refused) {
  const std::string said = say("'" VOLARY_PROGRAM "' completion csh; echo $?");
  EXPECT_NE(said.find("bash"), std::string::npos) << said;
  EXPECT_EQ(said.substr(said.size() - 2), "2\n");
}

}  // namespace volary::cli
