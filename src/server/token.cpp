// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "server/token.hpp"

#include <sys/random.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>

#include <fmt/format.h>

namespace volary::server {

namespace {
constexpr std::size_t kMostSessions = 256;
constexpr std::size_t kShortestToken = 16, kLongestToken = 1024;
}  // namespace

const char* name_of(Scope scope) { return scope == Scope::All ? "all" : scope == Scope::View ? "view" : "none"; }

core::Result<std::string> random_token() {
  unsigned char bytes[32];
  if (getrandom(bytes, sizeof bytes, 0) != static_cast<ssize_t>(sizeof bytes)) return core::Error{.message = "the system gave no random numbers for a token"};
  std::string text;
  for (const unsigned char b : bytes) text += fmt::format("{:02x}", b);
  return text;
}

bool equal_in_constant_time(std::string_view a, std::string_view b) {
  // every byte of `a` is looked at, whatever `b` is
  std::size_t differs = a.size() ^ b.size();
  for (std::size_t k = 0; k < a.size(); ++k) differs |= static_cast<unsigned char>(a[k]) ^ static_cast<unsigned char>(b.empty() ? 0 : b[k % b.size()]);
  return differs == 0;
}

core::Result<std::string> read_token_file(const std::string& path) {
  struct stat s{};
  if (stat(path.c_str(), &s) != 0) return core::Error{.message = "cannot be read", .file = path};
  if ((s.st_mode & (S_IRWXG | S_IRWXO)) != 0) return core::Error{.message = "others may read this token file", .file = path, .suggestion = "chmod 600 " + path};
  std::ifstream in(path);
  std::string token;
  std::getline(in, token);
  while (!token.empty() && (token.back() == '\r' || token.back() == ' ')) token.pop_back();
  if (token.size() < kShortestToken || token.size() > kLongestToken)
    return core::Error{.message = fmt::format("a token has {} to {} characters, this one {}", kShortestToken, kLongestToken, token.size()), .file = path};
  for (const char c : token)
    if (c <= ' ' || c > '~' || c == ';' || c == ',') return core::Error{.message = "a token has printable ASCII characters only, no spaces", .file = path};
  return token;
}

std::string Gate::cookie_name() const { return "volary_" + std::to_string(port_); }

Scope Gate::scope_of_token(std::string_view token) const {
  const bool is_all = !all_.empty() && equal_in_constant_time(all_, token), is_view = !view_.empty() && equal_in_constant_time(view_, token);
  return is_all ? Scope::All : is_view ? Scope::View : Scope::None;
}

Scope Gate::scope_of(const Request& request) const {
  if (open()) return Scope::All;
  const std::string_view authorization = request.header("authorization");
  if (authorization.starts_with("Bearer ")) return scope_of_token(authorization.substr(7));
  const std::string prefix = cookie_name() + "=";
  const std::lock_guard lock(mutex_);
  const std::string_view cookies = request.header("cookie");
  for (std::size_t begin = 0; begin < cookies.size();) {
    const std::size_t end = std::min(cookies.find(';', begin), cookies.size());
    std::string_view cookie = cookies.substr(begin, end - begin);
    begin = end + 1;
    while (!cookie.empty() && cookie.front() == ' ') cookie.remove_prefix(1);
    if (!cookie.starts_with(prefix)) continue;
    for (const auto& [session, scope] : sessions_)
      if (equal_in_constant_time(session, cookie.substr(prefix.size()))) return scope;
  }
  return Scope::None;
}

core::Result<std::string> Gate::login(std::string_view token) {
  const Scope scope = open() ? Scope::All : scope_of_token(token);
  if (scope == Scope::None) return core::Error{.message = "wrong token"};
  const core::Result<std::string> session = random_token();
  if (!session) return session.error();
  const std::lock_guard lock(mutex_);
  if (sessions_.size() >= kMostSessions) sessions_.pop_front();
  sessions_.push_back({session.value(), scope});
  return cookie_name() + "=" + session.value() + "; Path=/; HttpOnly; SameSite=Strict";
}

}  // namespace volary::server
