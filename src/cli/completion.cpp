// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// volary completion: a script that completes commands, options, choices and scenario names, made of the parser itself.
#include "cli/completion.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/paths.hpp"

namespace volary::cli {

namespace {

namespace fs = std::filesystem;

// An empty answer makes bash complete names of files (-o default). --option=value comes as three words.
constexpr const char* kBash = R"sh(# Completion of volary for bash. Load it with: source <(volary completion bash)
_volary() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command='' options='' words='' k
  COMPREPLY=()
  if [[ $current == '=' ]]; then current=''; elif [[ $previous == '=' && COMP_CWORD -ge 2 ]]; then previous=${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((k = 1; k < COMP_CWORD; ++k)); do
    case "$command ${COMP_WORDS[k]}" in
      @steps@) command="${command:+$command }${COMP_WORDS[k]}" ;;
    esac
  done
  case "$command $previous" in
@values@    @files@) return ;;
  esac
  case "$command" in
@words@  esac
  [[ $current == -* ]] && words=$options
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _volary volary
)sh";

constexpr const char* kZsh = R"sh(#compdef volary
# Completion of volary for zsh. Load it with: source <(volary completion zsh)
_volary() {
  local command='' previous=${words[CURRENT-1]} current=${words[CURRENT]} files=0
  local -a options names
  local -i k
  for ((k = 2; k < CURRENT; ++k)); do
    case "$command ${words[k]}" in
      (@steps@) command="${command:+$command }${words[k]}" ;;
    esac
  done
  case "$command $previous" in
@values@    (@files@) _files; return ;;
  esac
  case "$command" in
@words@  esac
  if [[ $current == -* ]]; then
    _describe -o option options
  else
    compadd -a names
    ((files)) && _files
  fi
}
(($+functions[compdef])) || { autoload -Uz compinit && compinit }
compdef _volary volary
)sh";

constexpr const char* kFish = R"sh(# Completion of volary for fish. Load it with: volary completion fish | source
function __volary_command
  set -l words (commandline -opc)
  set -e words[1]
  set -l path ''
  for word in $words
    switch "$path $word"
      case @steps@
        set path (string trim -- "$path $word")
    end
  end
  echo "$path"
end
function __volary_is
  set -l now (__volary_command)
  test "$now" = "$argv[1]"
end
complete -c volary -f
@lines@)sh";

// the text with each mark replaced
std::string filled(std::string text, const std::vector<std::pair<std::string, std::string>>& marks) {
  for (const auto& [mark, value] : marks) text.replace(text.find(mark), mark.size(), value);
  return text;
}

// "csv", "tum" of "KIND:{csv,tum} OUT": choices are written so in the name of a type, by CLI11 and by us
std::vector<std::string> choices_in(const std::string& type) {
  std::vector<std::string> list;
  const std::size_t open = type.find('{'), close = type.find('}', open);
  if (open == std::string::npos || close == std::string::npos) return list;
  for (std::size_t at = open + 1; at < close;) {
    const std::size_t end = std::min(type.find(',', at), close);
    list.push_back(type.substr(at, end - at));
    at = end + 1;
  }
  return list;
}

void add_argument(const CLI::Option& option, const std::vector<ArgumentWords>& arguments, CommandWords& command) {
  const std::string name = option.get_name();
  std::vector<std::string> words = choices_in(option.get_type_name());
  command.takes_files = command.takes_files || name.find("FILE") != std::string::npos || name == "SCENARIO";
  for (const ArgumentWords& a : arguments)
    if (a.name == name) words.insert(words.end(), a.words.begin(), a.words.end());
  command.words.insert(command.words.end(), words.begin(), words.end());
}

void add_commands(const CLI::App& app, const std::string& path, const std::vector<ArgumentWords>& arguments, std::vector<CommandWords>& list) {
  CommandWords command{path, app.get_description(), {}, false, {}};
  const auto subcommands = const_cast<CLI::App&>(app).get_subcommands([](CLI::App*) { return true; });
  for (const CLI::App* sub : subcommands) command.words.push_back(sub->get_name());
  for (const CLI::Option* option : app.get_options()) {
    if (option->nonpositional()) {
      OptionWords o{{}, option->get_description(), option->get_items_expected_max() > 0, choices_in(option->get_type_name())};
      for (const std::string& name : option->get_lnames()) o.names.push_back("--" + name);
      for (const std::string& name : option->get_snames()) o.names.push_back("-" + name);
      command.options.push_back(std::move(o));
    } else {
      add_argument(*option, arguments, command);
    }
  }
  list.push_back(std::move(command));
  for (const CLI::App* sub : subcommands) add_commands(*sub, path.empty() ? sub->get_name() : path + " " + sub->get_name(), arguments, list);
}

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

// one word for any shell
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}
// fish knows two escapes inside single quotes
std::string quoted_for_fish(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += (c == '\'' || c == '\\') ? std::string("\\") + c : std::string(1, c);
  return out + "'";
}

// the first part of a description: "number of threads" of "number of threads; the result does not depend on it"
std::string short_of(const std::string& about) {
  const std::string first = about.substr(0, about.find_first_of(";.\n"));
  return first.empty() ? about : first;
}

std::vector<std::string> names_of(const CommandWords& command) {
  std::vector<std::string> names;
  for (const OptionWords& o : command.options) names.insert(names.end(), o.names.begin(), o.names.end());
  return names;
}

// "|"-separated patterns of `case`: where a word leads to the next command, as "COMMAND-SO-FAR WORD"
std::string steps_of(const std::vector<CommandWords>& commands, const char* separator) {
  std::vector<std::string> steps;
  for (const CommandWords& c : commands) {
    if (c.path.empty()) continue;
    const std::size_t space = c.path.rfind(' ');
    steps.push_back(quoted(space == std::string::npos ? " " + c.path : c.path));
  }
  return fmt::format("{}", fmt::join(steps, separator));
}

// "COMMAND --option" of every option that takes a value, with choices or without
std::vector<std::string> values_of(const CommandWords& c, const OptionWords& o) {
  std::vector<std::string> patterns;
  for (const std::string& name : o.names) patterns.push_back(quoted(c.path + " " + name));
  return patterns;
}

}  // namespace

std::vector<CommandWords> commands_of(const CLI::App& app, const std::vector<ArgumentWords>& arguments) {
  std::vector<CommandWords> list;
  add_commands(app, "", arguments, list);
  return list;
}

std::string bash_completion(const std::vector<CommandWords>& commands) {
  std::string values, words;
  std::vector<std::string> files;
  for (const CommandWords& c : commands) {
    for (const OptionWords& o : c.options) {
      if (!o.takes_value) continue;
      const std::vector<std::string> patterns = values_of(c, o);
      if (o.choices.empty())
        files.insert(files.end(), patterns.begin(), patterns.end());
      else
        values += fmt::format("    {}) COMPREPLY=($(compgen -W {} -- \"$current\")); return ;;\n", fmt::join(patterns, "|"), quoted(joined(o.choices)));
    }
    words += fmt::format("    {}) options={} words={} ;;\n", quoted(c.path), quoted(joined(names_of(c))), quoted(joined(c.words)));
  }
  return filled(kBash, {{"@steps@", steps_of(commands, "|")}, {"@values@", values}, {"@files@", fmt::format("{}", fmt::join(files, "|"))}, {"@words@", words}});
}

std::string zsh_completion(const std::vector<CommandWords>& commands) {
  std::string values, words;
  std::vector<std::string> files;
  for (const CommandWords& c : commands) {
    std::string described;
    for (const OptionWords& o : c.options) {
      for (const std::string& name : o.names) described += " " + quoted(name + ":" + short_of(o.about));
      if (!o.takes_value) continue;
      const std::vector<std::string> patterns = values_of(c, o);
      if (o.choices.empty())
        files.insert(files.end(), patterns.begin(), patterns.end());
      else
        values += fmt::format("    ({}) compadd -- {}; return ;;\n", fmt::join(patterns, "|"), joined(o.choices));
    }
    words += fmt::format("    ({}) options=({}) names=({}) files={} ;;\n", quoted(c.path), described, joined(c.words), c.takes_files ? 1 : 0);
  }
  return filled(kZsh, {{"@steps@", steps_of(commands, "|")}, {"@values@", values}, {"@files@", fmt::format("{}", fmt::join(files, "|"))}, {"@words@", words}});
}

std::string fish_completion(const std::vector<CommandWords>& commands) {
  std::string lines;
  for (const CommandWords& c : commands) {
    const std::string begin = "complete -c volary -n " + quoted_for_fish("__volary_is " + quoted_for_fish(c.path));
    for (const std::string& word : c.words) {
      const auto sub = std::find_if(commands.begin(), commands.end(), [&](const CommandWords& s) { return s.path == (c.path.empty() ? word : c.path + " " + word); });
      lines += begin + " -a " + quoted_for_fish(word) + (sub == commands.end() ? "" : " -d " + quoted_for_fish(short_of(sub->about))) + "\n";
    }
    if (c.takes_files) lines += begin + " -F\n";
    for (const OptionWords& o : c.options) {
      lines += begin;
      for (const std::string& name : o.names) lines += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (o.takes_value) lines += o.choices.empty() ? " -r -F" : " -x -a " + quoted_for_fish(joined(o.choices));
      lines += " -d " + quoted_for_fish(short_of(o.about)) + "\n";
    }
  }
  return filled(kFish, {{"@steps@", steps_of(commands, " ")}, {"@lines@", lines}});
}

namespace {

std::vector<ArgumentWords> known_arguments() {
  ArgumentWords scenarios{"SCENARIO", {}}, airframes{"FILE|NAME", {}};
  for (const std::string& path : all_scenarios()) scenarios.words.push_back(stem_of(path));
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(fs::path(scenario_paths().assets) / "vehicles", code))
    if (entry.path().extension() == ".yaml") airframes.words.push_back(stem_of(entry.path().string()));
  std::sort(airframes.words.begin(), airframes.words.end());
  return {scenarios, airframes};
}

int complete(const CLI::App& app, const std::string& shell) {
  const std::vector<CommandWords> commands = commands_of(app, known_arguments());
  const std::string text = shell == "bash" ? bash_completion(commands) : shell == "zsh" ? zsh_completion(commands) : fish_completion(commands);
  return std::fputs(text.c_str(), stdout) < 0 ? kFailed : kDone;
}

}  // namespace

void add_completion(CLI::App& app, Action& action) {
  auto shell = std::make_shared<std::string>();
  CLI::App* c = app.add_subcommand("completion", "Print a script that completes commands, options and scenario names in a shell.");
  c->add_option("SHELL", *shell, "name of the shell")->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));
  c->footer(
      "The script names the commands, options and scenarios of this version. Load it again after an update.\n\n"
      "Examples:\n"
      "  source <(volary completion bash)                                       in ~/.bashrc\n"
      "  source <(volary completion zsh)                                        in ~/.zshrc\n"
      "  volary completion fish > ~/.config/fish/completions/volary.fish");
  c->callback([=, &app, &action] { action = [=, &app] { return complete(app, *shell); }; });
}

}  // namespace volary::cli
