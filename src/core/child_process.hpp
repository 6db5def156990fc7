// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A program that ends when we end: its parent is a thread that lives as long as this object, and the kernel ends the program when that
// thread ends, also by kill -9 of our whole process (PR_SET_PDEATHSIG).
#pragma once

#include <sys/types.h>

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/result.hpp"

namespace volary::core {

struct ChildOptions {
  std::vector<std::string> command;  // the program with its arguments; looked for in PATH where it has no slash
  std::vector<std::string> environment = {};  // "NAME=value", beside our own
  std::string folder = {};           // in which it starts; empty: ours
  std::string output_file = {};      // its standard output and standard error; empty: ours
  std::optional<std::string> input =
      {};  // what it reads first; its standard input then stays open until we end it or end ourselves. None: it has nothing to read
  std::string user = {};             // where we are root, the program runs as this user; empty: as we are
  bool own_group = true;             // Ctrl-C then reaches us alone, and we end it; false where it may ask at the terminal
  bool with_descendants = false;     // signals reach its whole group, and what it leaves behind is ended by force
};

class ChildProcess {
 public:
  static Result<std::unique_ptr<ChildProcess>> start(ChildOptions options);
  ~ChildProcess() { stop(); }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  pid_t pid() const { return pid_; }
  bool is_running() const { return !exit_status(); }
  // as waitpid gives it; nothing while it runs
  std::optional<int> exit_status() const;
  std::string exit_text() const;  // "exit code 3", "ended by signal 9 (Killed)", "running"
  // false when it still runs after that time
  bool wait(std::int64_t timeout_ns);
  void send_signal(int signal);
  // asks it to end, and ends it by force when it has not after that time
  void stop(std::int64_t patience_ns = 2'000'000'000);

 private:
  ChildProcess() = default;
  void keep(const ChildOptions& options);

  pid_t pid_ = -1;
  bool with_descendants_ = false;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool is_started_ = false, has_ended_ = false;
  int status_ = 0, start_error_ = 0;
  int input_ = -1;  // our end of its standard input
  std::thread keeper_;
};

// the last lines of a file that are not empty, such as the output of a program that failed
std::string last_lines(const std::string& file, std::size_t n);

}  // namespace volary::core
