// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// All that a process needs to take part in a federation, as one line of JSON: where its broker is, under which account, and whom to trust. Files that hold one are
// readable by their owner alone.
#pragma once

#include <string>

#include "core/result.hpp"

namespace volary::cli {

struct Invitation {
  std::string federation, address, account, password;
  std::string ca;  // certificates to trust, as PEM text; empty: no TLS
};
std::string invitation_text(const Invitation& invitation);
core::Result<Invitation> parse_invitation(const std::string& text);
// "-": the first line of the standard input
core::Result<Invitation> read_invitation(const std::string& path);
// for its owner alone
core::Status write_private(const std::string& path, const std::string& text);

}  // namespace volary::cli
