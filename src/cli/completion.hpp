// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Completion of command lines in bash, zsh and fish: the tree of commands as plain data, and the script of each shell made of it.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace volary::cli {

struct OptionWords {
  std::vector<std::string> names;  // "--threads", "-q"
  std::string about;
  bool takes_value = false;
  std::vector<std::string> choices;  // of the value; empty: anything, completed as a file
};
struct CommandWords {
  std::string path;  // "vehicle check"; empty: the program itself
  std::string about;
  std::vector<std::string> words;  // subcommands, or what its arguments may be: scenarios, choices
  bool takes_files = false;        // an argument may be a file
  std::vector<OptionWords> options;
};

// what is completed where an argument has this name, beside its own choices
struct ArgumentWords {
  std::string name;  // "SCENARIO"
  std::vector<std::string> words;
};

// the program and all its commands, each before its subcommands
std::vector<CommandWords> commands_of(const CLI::App& app, const std::vector<ArgumentWords>& arguments);

std::string bash_completion(const std::vector<CommandWords>& commands);
std::string zsh_completion(const std::vector<CommandWords>& commands);
std::string fish_completion(const std::vector<CommandWords>& commands);

}  // namespace volary::cli
