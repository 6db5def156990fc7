// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The subcommands. Each adds itself to the parser and, when it was the one asked for, sets the action.
#pragma once

#include <functional>
#include <string>

namespace CLI {
class App;
}

namespace volary::cli {

// what the shell sees
enum ExitCode { kDone = 0, kFailed = 1, kBadInput = 2 };

// the whole command line; returns the exit code
int run_program(int argc, char** argv);

using Action = std::function<int()>;

void add_run(CLI::App& app, Action& action);
void add_serve(CLI::App& app, Action& action);
void add_runs(CLI::App& app, Action& action);
void add_check(CLI::App& app, Action& action);
void add_verify(CLI::App& app, Action& action);
void add_batch(CLI::App& app, Action& action);
void add_bench(CLI::App& app, Action& action);
void add_replay(CLI::App& app, Action& action);
void add_import(CLI::App& app, Action& action);
void add_federation(CLI::App& app, Action& action);
void add_node(CLI::App& app, Action& action);
void add_vehicle(CLI::App& app, Action& action);
void add_validate(CLI::App& app, Action& action);
void add_stimulus(CLI::App& app, Action& action);
void add_schema(CLI::App& app, Action& action);
void add_version(CLI::App& app, Action& action);
void add_completion(CLI::App& app, Action& action);  // last: its script names the commands that are there

// one line on stderr in the form of every error; returns the code to leave with
int fail(const std::string& text, ExitCode code = kBadInput);
// one line on stderr: what is allowed, but probably not intended
void warn(const std::string& text);

}  // namespace volary::cli
