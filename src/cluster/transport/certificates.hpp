// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A key and a certificate for the broker of one federation, made when it begins and forgotten when it ends. The certificate vouches for itself: whoever was given it
// with an invitation trusts it and nothing else. All of it is done by OpenSSL's libcrypto.
#pragma once

#include <string>

#include "core/result.hpp"

namespace volary::cluster {

struct Certificate {
  std::string key, certificate;  // PEM
};

// for a server that is reached under this name or number; valid from yesterday on, because the clocks of machines differ
core::Result<Certificate> make_certificate(const std::string& host, int days = 30);

}  // namespace volary::cluster
