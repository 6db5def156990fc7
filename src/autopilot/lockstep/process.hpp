// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The process of one autopilot. It runs in a folder and a process group of its own, so that Ctrl-C reaches us alone, and its output goes to a file. The kernel ends
// it when the thread that has started it ends, also by kill -9 of our whole process (PR_SET_PDEATHSIG).
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace volary::autopilot {

struct ProcessStart {
  std::vector<std::string> command;  // the program's path with its arguments
  std::vector<std::string> environment;  // "NAME=value", beside our own
  std::string folder, log;  // both exist, or can be made
};

class Process {
 public:
  static core::Result<std::unique_ptr<Process>> start(const ProcessStart& start);
  ~Process();  // ends it by force
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  bool is_running();
  std::string ending() const;  // "exit code 3", "ended by signal 9 (Killed)", "running"
  void send_signal(int signal);  // to its whole group
  bool wait(double seconds);  // false: it still runs
  std::string last_lines(std::size_t n) const;  // of its output, without empty ones
  const std::string& log() const { return log_; }

 private:
  Process(pid_t pid, std::string log) : pid_(pid), log_(std::move(log)) {}

  pid_t pid_;
  std::string log_;
  std::optional<int> status_;  // as waitpid gives it
};

}  // namespace volary::autopilot
