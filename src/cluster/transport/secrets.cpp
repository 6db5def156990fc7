// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/secrets.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include <fmt/format.h>

#include "core/check.hpp"

namespace volary::cluster {

namespace {
const unsigned char* raw(std::span<const std::byte> bytes) { return reinterpret_cast<const unsigned char*>(bytes.data()); }

std::string base64(std::span<const unsigned char> bytes) {
  std::string out((bytes.size() + 2) / 3 * 4 + 1, '\0');
  out.resize(static_cast<std::size_t>(EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data()), bytes.data(), static_cast<int>(bytes.size()))));
  return out;
}
}  // namespace

Digest keyed_digest(std::span<const std::byte> key, std::span<const std::byte> message) {
  Digest out;
  unsigned int size = out.size();
  const auto* done =
      HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), raw(message), message.size(), reinterpret_cast<unsigned char*>(out.data()), &size);
  core::require(done != nullptr && size == out.size(), "libcrypto computed no digest");
  return out;
}
Digest keyed_digest(std::string_view key, std::string_view message) {
  return keyed_digest(std::as_bytes(std::span(key.data(), key.size())), std::as_bytes(std::span(message.data(), message.size())));
}

bool equal_in_constant_time(std::span<const std::byte> a, std::span<const std::byte> b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::string hexadecimal(std::span<const std::byte> bytes) {
  std::string out;
  for (const std::byte b : bytes) out += fmt::format("{:02x}", static_cast<unsigned>(b));
  return out;
}

core::Result<std::string> random_secret() {
  std::array<std::byte, 32> bytes;
  if (RAND_bytes(reinterpret_cast<unsigned char*>(bytes.data()), bytes.size()) != 1)
    return core::Error{.message = "the system gave no random numbers for a secret"};
  return hexadecimal(bytes);
}

core::Result<std::string> password_line(std::string_view user, std::string_view password) {
  constexpr int kIterations = 101;  // Mosquitto's own; the passwords here are random and 256 bits long
  std::array<unsigned char, 12> salt;
  std::array<unsigned char, 64> hash;
  if (RAND_bytes(salt.data(), salt.size()) != 1) return core::Error{.message = "the system gave no random numbers for a password"};
  const int done =
      PKCS5_PBKDF2_HMAC(password.data(), static_cast<int>(password.size()), salt.data(), salt.size(), kIterations, EVP_sha512(), hash.size(), hash.data());
  if (done != 1) return core::Error{.message = "libcrypto could not hash a password"};
  return fmt::format("{}:$7${}${}${}\n", user, kIterations, base64(salt), base64(hash));
}

}  // namespace volary::cluster
