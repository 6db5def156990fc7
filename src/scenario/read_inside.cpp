// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/read_inside.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <utility>

#include "scenario/node.hpp"

namespace volary::scenario {

namespace {

// a descriptor that is closed with its scope
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() { close_it(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  void become(int fd) {
    close_it();
    fd_ = fd;
  }
  int get() const { return fd_; }

 private:
  void close_it() {
    if (fd_ >= 0) ::close(fd_);
  }
  int fd_;
};

core::Error refuse(const std::string& path, std::string message) { return core::Error{.message = std::move(message), .file = path}; }

core::Error cannot_open(const std::string& path, int code) {
  // a link in the way is ELOOP, or ENOTDIR where a folder should be
  if (code == ELOOP) return refuse(path, std::string(kOutside) + ": links are not followed");
  return refuse(path, code == ENOENT || code == ENOTDIR ? "no such file" : "cannot be read");
}

core::Result<std::string> read_open(int fd, const std::string& path) {
  struct stat info{};
  if (::fstat(fd, &info) != 0) return refuse(path, "cannot be read");
  if (S_ISDIR(info.st_mode)) return refuse(path, "is a folder, not a file");
  if (!S_ISREG(info.st_mode)) return refuse(path, "is not a regular file");
  if (info.st_size < 0 || static_cast<std::size_t>(info.st_size) > kMaxFileBytes) return refuse(path, "is larger than 64 MiB");
  std::string text(static_cast<std::size_t>(info.st_size), '\0');
  std::size_t have = 0;
  while (have < text.size()) {
    const ssize_t n = ::read(fd, text.data() + have, text.size() - have);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return refuse(path, "cannot be read");
    if (n == 0) break;
    have += static_cast<std::size_t>(n);
  }
  text.resize(have);
  return text;
}

}  // namespace

core::Result<std::string> read_inside(const std::string& folder, const std::string& path) {
  if (path.find('\0') != path.npos) return refuse(path, "no such file");
  if (("/" + path + "/").find("/../") != path.npos) return refuse(path, kOutside);
  // the folder itself was chosen by whoever runs the program: links on the way to it are theirs
  Descriptor at(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (at.get() < 0) return refuse(path, "no such file");
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string step = path.substr(begin, end - begin);
    const bool is_last = end == path.size();
    begin = end + 1;
    if (!is_last && (step.empty() || step == ".")) continue;
    if (step.empty() || step == ".") return refuse(path, "is a folder, not a file");
    // without waiting: a pipe would hold the program up until somebody writes
    const int fd = ::openat(at.get(), step.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | (is_last ? 0 : O_DIRECTORY));
    if (fd < 0) {
      const int code = errno;
      struct stat info{};
      const bool is_link = ::fstatat(at.get(), step.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(info.st_mode);
      return cannot_open(path, is_link ? ELOOP : code);
    }
    at.become(fd);
  }
  return read_open(at.get(), path);
}

}  // namespace volary::scenario
