// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Random numbers, keyed digests and hashed passwords, all from OpenSSL's libcrypto: nothing of it is our own.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "core/result.hpp"

namespace volary::cluster {

using Digest = std::array<std::byte, 32>;
// HMAC-SHA256
Digest keyed_digest(std::span<const std::byte> key, std::span<const std::byte> message);
Digest keyed_digest(std::string_view key, std::string_view message);
bool equal_in_constant_time(std::span<const std::byte> a, std::span<const std::byte> b);
std::string hexadecimal(std::span<const std::byte> bytes);
// 256 random bits from the system, as 64 hexadecimal digits
core::Result<std::string> random_secret();
// a line of Mosquitto's password file: PBKDF2 with SHA-512 and a random salt
core::Result<std::string> password_line(std::string_view user, std::string_view password);

}  // namespace volary::cluster
