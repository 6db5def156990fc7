// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/child_process.hpp"

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <deque>
#include <fstream>

#include <fmt/format.h>

namespace volary::core {

namespace {

// all that the child needs, made before the fork: after it only simple system calls are safe
struct Plan {
  std::vector<char*> arguments, environment;
  const char* folder = nullptr;
  int input = -1, output = -1;
  bool own_group = true, changes_user = false;
  uid_t user = 0;
  gid_t group = 0;
  pid_t parent = 0;
};

[[noreturn]] void become(const Plan& plan, int report) {
  const auto give_up = [report] {
    const int error = errno;
    [[maybe_unused]] const auto n = ::write(report, &error, sizeof error);
    ::_exit(127);
  };
  // a user is changed first, because the kernel then forgets who is to be told of the parent's death
  if (plan.changes_user && (::setgroups(0, nullptr) != 0 || ::setgid(plan.group) != 0 || ::setuid(plan.user) != 0)) give_up();
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) give_up();
  if (::getppid() != plan.parent) ::_exit(127);  // it died meanwhile
  if (plan.output >= 0 && (::dup2(plan.output, 1) < 0 || ::dup2(plan.output, 2) < 0)) give_up();
  const int from = plan.input >= 0 ? plan.input : ::open("/dev/null", O_RDONLY);
  if (from >= 0) ::dup2(from, 0);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  if (plan.own_group) ::setpgid(0, 0);
  if (plan.folder != nullptr && ::chdir(plan.folder) != 0) give_up();
  ::execvpe(plan.arguments[0], plan.arguments.data(), plan.environment.data());
  give_up();
  ::_exit(127);
}

// ours without those that are given anew
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

int look_up_user(const std::string& name, Plan& plan) {
  if (name.empty() || ::geteuid() != 0) return 0;
  const passwd* entry = ::getpwnam(name.c_str());
  if (entry == nullptr) return ENOENT;
  plan.changes_user = true;
  plan.user = entry->pw_uid;
  plan.group = entry->pw_gid;
  return 0;
}

// the error with which the program could not be started, or 0
int fork_child(const ChildOptions& options, pid_t& pid, int& input) {
  Plan plan;
  for (const std::string& a : options.command) plan.arguments.push_back(const_cast<char*>(a.c_str()));
  plan.arguments.push_back(nullptr);
  plan.environment = environment_of(options.environment);
  plan.folder = options.folder.empty() ? nullptr : options.folder.c_str();
  plan.parent = ::getpid();
  plan.own_group = options.own_group;
  if (const int error = look_up_user(options.user, plan); error != 0) return error;
  if (!options.output_file.empty() && (plan.output = ::open(options.output_file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)) < 0) return errno;
  int report[2], words[2] = {-1, -1};
  if (options.input && ::pipe2(words, O_CLOEXEC) != 0) return errno;
  if (::pipe2(report, O_CLOEXEC) != 0) return errno;
  plan.input = words[0];
  pid = ::fork();
  if (pid == 0) become(plan, report[1]);
  int error = pid < 0 ? errno : 0;
  ::close(report[1]);
  // the pipe closes without a word when the program has begun
  if (pid > 0 && ::read(report[0], &error, sizeof error) != sizeof error) error = 0;
  ::close(report[0]);
  if (plan.output >= 0) ::close(plan.output);
  // short enough for the pipe to take at once; our own end of it keeps a child that has died from ending us by SIGPIPE
  if (options.input && ::write(words[1], options.input->data(), options.input->size()) != static_cast<ssize_t>(options.input->size()) && error == 0)
    error = EPIPE;
  if (plan.input >= 0) ::close(plan.input);
  input = words[1];
  if (error != 0 && pid > 0) ::waitpid(pid, nullptr, 0);
  return error;
}

}  // namespace

Result<std::unique_ptr<ChildProcess>> ChildProcess::start(ChildOptions options) {
  require(!options.command.empty(), "a child process without a program");
  std::unique_ptr<ChildProcess> child(new ChildProcess);
  const std::string program = options.command.front();
  child->keeper_ = std::thread([raw = child.get(), o = std::move(options)] { raw->keep(o); });
  std::unique_lock lock(child->mutex_);
  child->changed_.wait(lock, [&] { return child->is_started_ || child->has_ended_; });
  if (child->start_error_ == 0) return child;
  const int error = child->start_error_;
  lock.unlock();
  return Error{.message = fmt::format("the program \"{}\" cannot be started: {}", program, std::strerror(error))};
}

// the life of the keeping thread
void ChildProcess::keep(const ChildOptions& options) {
  pid_t pid = -1;
  int input = -1;
  const int error = fork_child(options, pid, input);
  {
    const std::lock_guard lock(mutex_);
    start_error_ = error;
    has_ended_ = error != 0;
    with_descendants_ = options.with_descendants && options.own_group;
    is_started_ = error == 0;
    pid_ = error == 0 ? pid : -1;
    input_ = input;
  }
  changed_.notify_all();
  if (error != 0) return input >= 0 ? void(::close(input)) : void();
  // seen, but not yet gone: its number stays ours until the lock says that it ended
  siginfo_t seen{};
  while (::waitid(P_PID, static_cast<id_t>(pid), &seen, WEXITED | WNOWAIT) != 0 && errno == EINTR) {}
  {
    const std::lock_guard lock(mutex_);
    if (with_descendants_) ::kill(-pid, SIGKILL);
    while (::waitpid(pid, &status_, 0) < 0 && errno == EINTR) {}
    has_ended_ = true;
    if (input_ >= 0) ::close(input_), input_ = -1;
  }
  changed_.notify_all();
}

std::optional<int> ChildProcess::exit_status() const {
  const std::lock_guard lock(mutex_);
  return has_ended_ ? std::optional(status_) : std::nullopt;
}

std::string ChildProcess::exit_text() const {
  const std::optional<int> status = exit_status();
  if (!status) return "running";
  if (WIFSIGNALED(*status)) return fmt::format("ended by signal {} ({})", WTERMSIG(*status), ::strsignal(WTERMSIG(*status)));
  return fmt::format("exit code {}", WEXITSTATUS(*status));
}

bool ChildProcess::wait(std::int64_t timeout_ns) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, std::chrono::nanoseconds(timeout_ns), [&] { return has_ended_; });
}

void ChildProcess::send_signal(int signal) {
  const std::lock_guard lock(mutex_);
  if (has_ended_ || pid_ <= 0) return;
  ::kill(with_descendants_ ? -pid_ : pid_, signal);
}

void ChildProcess::stop(std::int64_t patience_ns) {
  send_signal(SIGTERM);
  send_signal(SIGCONT);
  if (!wait(patience_ns)) send_signal(SIGKILL);
  if (keeper_.joinable()) keeper_.join();
}

std::string last_lines(const std::string& file, std::size_t n) {
  std::ifstream in(file);
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

}  // namespace volary::core
