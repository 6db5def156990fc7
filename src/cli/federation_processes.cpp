// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/federation_processes.hpp"

#include <algorithm>
#include <csignal>

#include <sys/wait.h>

#include <fmt/format.h>

#include "cli/paths.hpp"

namespace volary::cli {

core::Status NodeProcesses::start(NodeStart start) {
  list_.push_back({std::move(start), {}, nullptr});
  list_.back().log = logs_ + "/node-" + list_.back().start.invitation.account + ".log";
  return launch(list_.back());
}

// the secret goes through the standard input: command lines can be read by everybody
core::Status NodeProcesses::launch(One& one) const {
  const NodeStart& s = one.start;
  std::vector<std::string> arguments = {"node", "--federation", s.invitation.federation, "--account", s.invitation.account, "--invitation", "-", "--end-with-input"};
  arguments.insert(arguments.end(), s.options.begin(), s.options.end());
  std::vector<std::string> command = {this_program()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  if (s.machine) command = s.machine->command(arguments);
  auto child = core::ChildProcess::start({.command = std::move(command), .output_file = one.log, .input = invitation_text(s.invitation)});
  if (!child) return child.error();
  one.process = std::move(child).value();
  return core::ok();
}

bool NodeProcesses::are_all_gone() const {
  return std::all_of(list_.begin(), list_.end(), [](const One& one) { return one.is_done; });
}

std::string NodeProcesses::revive(bool quiet, bool again) {
  for (One& one : list_) {
    if (one.is_done || one.process->is_running()) continue;
    const std::string& account = one.start.invitation.account;
    // it has left its place in order
    if (one.process->exit_status() == 0) {
      one.is_done = true;
      continue;
    }
    const std::string words = last_words(account, 5);
    const std::string how = fmt::format("node {}: {}; {}", account, one.process->exit_text(), words.empty() ? "it wrote nothing" : "it wrote last:\n" + words);
    if (!again) {
      if (!quiet) fmt::print(stderr, "volary: {}\nvolary: the federation goes on without node {}\n", how, account);
      one.is_done = true;
      continue;
    }
    if (++one.restarts > kMostRestarts) return how;
    if (!quiet) fmt::print(stderr, "volary: {}\nvolary: node {} is started again\n", how, account);
    if (const core::Status started = launch(one); !started) return how + "\n" + started.error().text();
  }
  return {};
}

bool NodeProcesses::kill(const std::string& account) {
  for (One& one : list_)
    if (one.start.invitation.account == account && one.process->is_running()) return one.process->send_signal(SIGKILL), true;
  return false;
}

bool NodeProcesses::has(const std::string& account) const {
  return std::any_of(list_.begin(), list_.end(), [&](const One& one) { return one.start.invitation.account == account; });
}

std::string NodeProcesses::last_words(const std::string& account, std::size_t lines) const { return core::last_lines(logs_ + "/node-" + account + ".log", lines); }

std::vector<std::string> NodeProcesses::accounts() const {
  std::vector<std::string> all;
  for (const One& one : list_) all.push_back(one.start.invitation.account);
  return all;
}

void NodeProcesses::stop() {
  for (One& one : list_) one.process->send_signal(SIGTERM);
  for (One& one : list_) one.process->stop();
}

}  // namespace volary::cli
