// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// volary: the command line. Parsing and the form of errors are here, each command in a file of its own.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "cli/colour.hpp"
#include "cli/command.hpp"
#include "cli/plugin.hpp"
#include "core/suggest.hpp"

namespace volary::cli {

namespace {

constexpr const char* kFooter =
    "Examples:\n"
    "  volary run                          run the default scenario in the browser\n"
    "  volary run rpt_circle --seed 7      run a scenario by its name, with seed 7\n"
    "  volary check my_swarm.yaml          check a scenario without running it\n"
    "  volary verify                       compare the results of all thread and lane counts bit for bit\n"
    "  volary bench --quick                measure agent-steps per second, relative to the yardstick\n"
    "  ./volary test                       build and run the tests (in a source tree)\n"
    "\n"
    "Exit codes: 0 success; 1 the run, check or verification failed; 2 wrong command line or input file.\n"
    "'volary COMMAND --help' describes each command.";

std::vector<CLI::App*> subcommands(const CLI::App& app) {
  auto all = const_cast<CLI::App&>(app).get_subcommands([](CLI::App*) { return true; });
  return all;
}

// the innermost subcommand that was named
const CLI::App& innermost(const CLI::App& app) {
  const auto parsed = app.get_subcommands();
  return parsed.empty() ? app : innermost(*parsed.front());
}

// "run" of "volary run", "vehicle check" of "volary vehicle check"
std::string path_of(const CLI::App& app) {
  if (app.get_parent() == nullptr) return "";
  const std::string above = path_of(*app.get_parent());
  return above.empty() ? app.get_name() : above + " " + app.get_name();
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

int unknown_command(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* sub : subcommands(app)) names.push_back(sub->get_name());
  const std::string of = path_of(app);
  return fail((of.empty() ? "" : of + ": ") + "unknown command '" + word + "' (" + core::did_you_mean(word, names) + ")");
}

// words that no option or argument took
int complain_about_extras(const CLI::App& app) {
  const std::vector<std::string> extras = app.remaining();
  std::string word = extras.front();
  for (auto it = extras.rbegin(); it != extras.rend(); ++it)
    if (it->starts_with("-")) word = *it;
  if (!word.starts_with("-")) return fail(path_of(app) + ": unexpected argument '" + word + "'");
  word = word.substr(0, word.find('='));
  return fail(path_of(app) + ": unknown option '" + word + "' (" + core::did_you_mean(word, option_names(app)) + ")");
}

void add_all(CLI::App& app, Action& action) {
  add_run(app, action);
  add_serve(app, action);
  add_runs(app, action);
  add_check(app, action);
  add_verify(app, action);
  add_batch(app, action);
  add_bench(app, action);
  add_plugin(app, action);
  add_replay(app, action);
  add_import(app, action);
  add_vehicle(app, action);
  add_validate(app, action);
  add_federation(app, action);
  add_node(app, action);
  add_stimulus(app, action);
  add_schema(app, action);
  add_version(app, action);
  add_completion(app, action);
}

// every command takes it, before or after its name; only the help of the program mentions it
void add_colour(CLI::App& app, std::string& word) {
  CLI::Option* option = app.add_option("--color", word, "colour of verdicts, warnings, errors and headings; auto: on a terminal, unless NO_COLOR is set");
  option->check(CLI::IsMember({"auto", "always", "never"}))->capture_default_str();
  if (app.get_parent() != nullptr) option->group("");
  for (CLI::App* sub : subcommands(app)) add_colour(*sub, word);
}

// extras are kept so that the complaint can suggest; CLI11's own only says what it did not expect
void keep_extras(CLI::App& app) {
  for (CLI::App* sub : subcommands(app)) {
    sub->allow_extras();
    sub->fallthrough(false);
    keep_extras(*sub);
  }
}

int parse_and_run(int argc, char** argv) {
  CLI::App app("Volary simulates swarms of UAVs, with the same results, bit for bit, on every machine.", "volary");
  Action action;
  std::string colour = "auto";
  add_all(app, action);
  add_colour(app, colour);
  keep_extras(app);
  app.require_subcommand(0, 1);  // what follows a command is its own, even where it is the name of another
  app.footer(kFooter);
  app.allow_extras();
  bool version = false;
  app.add_flag("--version", version, "print the version and exit");
  if (argc < 2) {
    std::fputs(app.help().c_str(), stderr);
    return kBadInput;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {
    return app.exit(asked);  // --help
  } catch (const CLI::ParseError& e) {
    const std::string of = path_of(innermost(app));
    return fail((of.empty() ? "" : of + ": ") + e.what());
  }
  set_colour(*parse_colour(colour));
  if (version) return std::puts(VOLARY_VERSION) < 0 ? kFailed : kDone;
  const CLI::App& chosen = innermost(app);
  const bool wants_command = !subcommands(chosen).empty();
  const std::vector<std::string> extras = chosen.remaining();
  if (wants_command && !extras.empty() && !extras.front().starts_with("-")) return unknown_command(chosen, extras.front());
  if (!extras.empty()) return complain_about_extras(chosen);
  if (!action) return fail((wants_command ? path_of(chosen) + ": " : "") + "a command is missing (" + path_of(chosen) + " --help lists the commands)");
  return action();
}

}  // namespace

int run_program(int argc, char** argv) {
  try {
    return parse_and_run(argc, argv);
  } catch (const std::bad_alloc&) {
    return fail("out of memory (fewer vehicles or worlds?)", kFailed);
  } catch (const std::exception& e) {
    return fail(e.what(), kFailed);
  }
}

}  // namespace volary::cli
