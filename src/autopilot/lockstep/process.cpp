// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/lockstep/process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <fstream>

#include <fmt/format.h>

#include "runner/clock.hpp"

namespace volary::autopilot {

namespace {

// all that the child needs, made before the fork: after it only simple system calls are safe
struct Plan {
  std::vector<char*> arguments, environment;
  const char* folder = nullptr;
  int output = -1, report = -1;
  pid_t parent = 0;
};

// ours, and what is added to it; a name that is given again replaces ours
std::vector<char*> environment_of(const std::vector<std::string>& added) {
  std::vector<char*> all;
  const auto is_given = [&](const char* ours) {
    return std::any_of(added.begin(), added.end(), [&](const std::string& e) { return std::strncmp(e.c_str(), ours, e.find('=') + 1) == 0; });
  };
  for (char** e = ::environ; *e != nullptr; ++e)
    if (!is_given(*e)) all.push_back(*e);
  for (const std::string& e : added) all.push_back(const_cast<char*>(e.c_str()));
  all.push_back(nullptr);
  return all;
}

[[noreturn]] void become(const Plan& plan) {
  const auto give_up = [&] {
    const int error = errno;
    [[maybe_unused]] const auto n = ::write(plan.report, &error, sizeof error);
    ::_exit(127);
  };
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) give_up();
  if (::getppid() != plan.parent) ::_exit(127);  // it died meanwhile
  ::setpgid(0, 0);
  const int nothing = ::open("/dev/null", O_RDONLY);
  if (nothing < 0 || ::dup2(nothing, 0) < 0 || ::dup2(plan.output, 1) < 0 || ::dup2(plan.output, 2) < 0 || ::chdir(plan.folder) != 0) give_up();
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::execve(plan.arguments[0], plan.arguments.data(), plan.environment.data());
  give_up();
  ::_exit(127);
}

// the error with which it could not be started, or 0
int fork_into(Plan& plan, const std::string& log, pid_t& pid) {
  int report[2];
  if ((plan.output = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)) < 0) return errno;
  if (::pipe2(report, O_CLOEXEC) != 0) return ::close(plan.output), errno;
  plan.report = report[1];
  plan.parent = ::getpid();
  pid = ::fork();
  if (pid == 0) become(plan);
  int error = pid < 0 ? errno : 0;
  ::close(report[1]);
  // the pipe closes without a word when the program has begun
  if (pid > 0 && ::read(report[0], &error, sizeof error) != sizeof error) error = 0;
  ::close(report[0]);
  ::close(plan.output);
  if (error != 0 && pid > 0) ::waitpid(pid, nullptr, 0);
  return error;
}

}  // namespace

core::Result<std::unique_ptr<Process>> Process::start(const ProcessStart& start) {
  core::require(!start.command.empty(), "a process without a program");
  Plan plan;
  for (const std::string& a : start.command) plan.arguments.push_back(const_cast<char*>(a.c_str()));
  plan.arguments.push_back(nullptr);
  plan.environment = environment_of(start.environment);
  plan.folder = start.folder.c_str();
  pid_t pid = -1;
  if (const int error = fork_into(plan, start.log, pid); error != 0)
    return core::Error{.message = fmt::format("the program \"{}\" cannot be started: {}", start.command.front(), std::strerror(error))};
  return std::unique_ptr<Process>(new Process(pid, start.log));
}

Process::~Process() {
  send_signal(SIGKILL);
  wait(10);
}

bool Process::is_running() {
  int status = 0;
  if (!status_ && ::waitpid(pid_, &status, WNOHANG) == pid_) {
    status_ = status;
    ::kill(-pid_, SIGKILL);  // what it has started itself
  }
  return !status_;
}

std::string Process::ending() const {
  if (!status_) return "running";
  if (WIFSIGNALED(*status_)) return fmt::format("ended by signal {} ({})", WTERMSIG(*status_), ::strsignal(WTERMSIG(*status_)));
  return fmt::format("exit code {}", WEXITSTATUS(*status_));
}

void Process::send_signal(int signal) {
  if (!is_running()) return;
  // the group is made by the child, perhaps not yet
  if (::kill(-pid_, signal) != 0) ::kill(pid_, signal);
}

bool Process::wait(double seconds) {
  const double end = runner::steady_now() + seconds;
  while (is_running()) {
    if (runner::steady_now() >= end) return false;
    ::usleep(5000);
  }
  return true;
}

std::string Process::last_lines(std::size_t n) const {
  std::ifstream in(log_);
  std::deque<std::string> last;
  for (std::string line; std::getline(in, line);) {
    if (line.empty()) continue;
    last.push_back(line);
    if (last.size() > n) last.pop_front();
  }
  std::string text;
  for (const std::string& line : last) text += (text.empty() ? "" : "\n") + line;
  return text;
}

}  // namespace volary::autopilot
