// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Who may do what: a token for everything, one for looking only, and the sessions that a page gets for one of them.
#pragma once

#include <cstddef>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "core/result.hpp"
#include "server/http.hpp"

namespace volary::server {

enum class Scope { None, View, All };
const char* name_of(Scope scope);

// 256 random bits from the system, as 64 hexadecimal digits
core::Result<std::string> random_token();

// the time it takes does not depend on where the two differ
bool equal_in_constant_time(std::string_view a, std::string_view b);

// the first line of a file that nobody else may read; at least 16 characters
core::Result<std::string> read_token_file(const std::string& path);

class Gate {
 public:
  // without tokens everybody may do everything: for loopback only
  Gate(std::string all, std::string view, unsigned short port) : all_(std::move(all)), view_(std::move(view)), port_(port) {}

  bool open() const { return all_.empty() && view_.empty(); }
  // by `Authorization: Bearer`, or by the cookie of a login
  Scope scope_of(const Request& request) const;
  // the value of Set-Cookie for a right token
  core::Result<std::string> login(std::string_view token);

 private:
  Scope scope_of_token(std::string_view token) const;
  std::string cookie_name() const;

  std::string all_, view_;
  unsigned short port_;
  mutable std::mutex mutex_;  // requests and streams ask from different threads
  std::deque<std::pair<std::string, Scope>> sessions_;  // the oldest first; bounded
};

}  // namespace volary::server
