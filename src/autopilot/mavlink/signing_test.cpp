// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/mavlink/signing.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

namespace volary::mavlink {

namespace {

constexpr std::uint64_t kNow = 36'000'000'000'000;

std::string hex(std::span<const std::byte> bytes) {
  std::string out;
  for (const std::byte b : bytes) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned>(b));
    out += digits;
  }
  return out;
}

Key some_key() { return read_key("correct horse battery staple").value(); }

Bytes heartbeat(std::uint8_t system = 1, std::uint8_t component = 1) {
  Bytes out;
  Writer(system, component).append(Heartbeat{.type = 2}, out);
  return out;
}

Bytes signed_heartbeat(Signer& signer, std::uint64_t now, std::uint8_t system = 1, std::uint8_t component = 1) {
  Bytes out = heartbeat(system, component);
  EXPECT_TRUE(signer.sign(out, now));
  return out;
}

// the verdict on the one frame that is in these bytes
Verdict verdict(Verifier& verifier, std::span<const std::byte> bytes, std::uint64_t now) {
  int n = 0;
  Verdict out = Verdict::Unsigned;
  Parser parser;
  parser.feed(bytes, [&](const Frame& frame) {
    out = verifier.check(frame, now);
    ++n;
  });
  EXPECT_EQ(n, 1);
  return out;
}

}  // namespace

TEST(mavlink_key, of_a_passphrase_is_its_sha_256) {
  EXPECT_EQ(hex(read_key("abc").value()), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(read_key("abc\r\n").value(), read_key("abc").value());
}

TEST(mavlink_key, of_64_hexadecimal_digits_is_those_bytes) {
  const std::string digits = "00112233445566778899aAbBcCdDeEfF0123456789abcdef0123456789ABCDEF";
  EXPECT_EQ(hex(read_key(digits).value()), "00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef");
  std::string phrase = digits;
  phrase[5] = 'g';
  EXPECT_NE(hex(read_key(phrase).value()).substr(0, 4), "0011");
}

TEST(mavlink_key, of_nothing_is_an_error) {
  EXPECT_FALSE(read_key(""));
  EXPECT_FALSE(read_key("\n"));
}

TEST(mavlink_signing, time_counts_10_us_since_2015) {
  EXPECT_EQ(signing_time(1'420'070'400'000'000), 0u);
  EXPECT_EQ(signing_time(1'420'070'401'000'005), 100'000u);
  EXPECT_EQ(signing_time(0), 0u);
  EXPECT_EQ(signing_time(-1), 0u);
  EXPECT_EQ(signing_time(INT64_MAX), kMostSigningTime);
}

// computed with another implementation: SHA-256 over key, frame, link and time
TEST(mavlink_signing, signature_is_the_start_of_the_digest) {
  Key key{};
  for (std::size_t k = 0; k < key.size(); ++k) key[k] = static_cast<std::byte>(k);
  Signer signer(key, 3);
  Bytes out = heartbeat(7, 9);
  ASSERT_TRUE(signer.sign(out, 0x010203040506));
  EXPECT_EQ(hex(out), "fd0901000007090000000000000002000000038e060306050403020140e314bf5ef5");
}

TEST(mavlink_signing, signed_frame_is_read_with_its_flag_and_signature) {
  Signer signer(some_key(), 0);
  const Bytes bytes = signed_heartbeat(signer, kNow);
  EXPECT_EQ(bytes.size(), heartbeat().size() + kSignatureBytes);
  int n = 0;
  Parser parser;
  parser.feed(bytes, [&](const Frame& frame) {
    EXPECT_TRUE(frame.is_known);
    EXPECT_EQ(frame.incompatibility, kSigned);
    EXPECT_EQ(hex(frame.bytes), hex(bytes));
    EXPECT_EQ(decode<Heartbeat>(frame).type, 2);
    ++n;
  });
  EXPECT_EQ(n, 1);
}

TEST(mavlink_signing, only_the_last_frame_of_a_buffer_is_signed) {
  Signer signer(some_key(), 0);
  Bytes out = heartbeat();
  const std::size_t at = out.size();
  Writer(1, 1).append(Attitude{.time_boot_ms = 5}, out);
  ASSERT_TRUE(signer.sign(out, kNow, at));
  Verifier verifier(some_key());
  std::vector<Verdict> verdicts;
  Parser parser;
  parser.feed(out, [&](const Frame& frame) { verdicts.push_back(verifier.check(frame, kNow)); });
  EXPECT_EQ(verdicts, (std::vector{Verdict::Unsigned, Verdict::Good}));
}

TEST(mavlink_signing, what_is_not_one_unsigned_frame_stays_as_it_is) {
  Signer signer(some_key(), 0);
  Bytes empty, garbage(20, std::byte{0xfd}), twice = signed_heartbeat(signer, kNow), two = heartbeat(), cut = heartbeat();
  for (const std::byte b : heartbeat()) two.push_back(b);
  cut.pop_back();
  for (Bytes bytes : {empty, garbage, twice, two, cut}) {
    const Bytes before = bytes;
    EXPECT_FALSE(signer.sign(bytes, kNow));
    EXPECT_FALSE(signer.sign(bytes, kNow, 1000));
    EXPECT_EQ(bytes, before);
  }
}

TEST(mavlink_signing, times_increase_when_the_clock_does_not) {
  Signer signer(some_key(), 0);
  Verifier verifier(some_key());
  for (const std::uint64_t now : {kNow, kNow, kNow - 1000, kNow + 5, kNow}) EXPECT_EQ(verdict(verifier, signed_heartbeat(signer, now), kNow), Verdict::Good);
  EXPECT_EQ(signer.last(), kNow + 6);
  EXPECT_EQ(verifier.latest(), kNow + 6);
}

TEST(mavlink_signing, clock_that_has_run_out_signs_no_more) {
  Signer signer(some_key(), 0);
  (void)signed_heartbeat(signer, UINT64_MAX);
  EXPECT_EQ(signer.last(), kMostSigningTime);
  Bytes out = heartbeat();
  EXPECT_FALSE(signer.sign(out, UINT64_MAX));
  EXPECT_EQ(out, heartbeat());
}

TEST(mavlink_verifier, accepts_a_frame_once) {
  Signer signer(some_key(), 0);
  Verifier verifier(some_key());
  const Bytes first = signed_heartbeat(signer, kNow), second = signed_heartbeat(signer, kNow + 1);
  EXPECT_EQ(verdict(verifier, second, kNow), Verdict::Good);
  EXPECT_EQ(verdict(verifier, second, kNow), Verdict::Replayed);
  EXPECT_EQ(verdict(verifier, first, kNow), Verdict::Replayed);
}

TEST(mavlink_verifier, keeps_systems_components_and_links_apart) {
  Signer here(some_key(), 0), there(some_key(), 1);
  Verifier verifier(some_key());
  EXPECT_EQ(verdict(verifier, signed_heartbeat(here, kNow + 100), kNow), Verdict::Good);
  EXPECT_EQ(verdict(verifier, signed_heartbeat(there, kNow), kNow), Verdict::Good);
  Signer late(some_key(), 0), later(some_key(), 0);
  EXPECT_EQ(verdict(verifier, signed_heartbeat(late, kNow, 2, 1), kNow), Verdict::Good);
  EXPECT_EQ(verdict(verifier, signed_heartbeat(later, kNow, 1, 2), kNow), Verdict::Good);
  EXPECT_EQ(verifier.streams(), 4u);
}

TEST(mavlink_verifier, refuses_frames_that_are_more_than_a_minute_old) {
  Verifier verifier(some_key());
  Signer old(some_key(), 0), fresh(some_key(), 1);
  EXPECT_EQ(verdict(verifier, signed_heartbeat(old, kNow), kNow + kSigningMinute + 1), Verdict::TooOld);
  EXPECT_EQ(verdict(verifier, signed_heartbeat(fresh, kNow), kNow + kSigningMinute), Verdict::Good);
  EXPECT_EQ(verifier.streams(), 1u);
}

TEST(mavlink_verifier, refuses_another_key_and_unsigned_frames) {
  Verifier verifier(some_key());
  Signer other(read_key("another").value(), 0);
  EXPECT_EQ(verdict(verifier, signed_heartbeat(other, kNow), kNow), Verdict::BadSignature);
  EXPECT_EQ(verdict(verifier, heartbeat(), kNow), Verdict::Unsigned);
  EXPECT_EQ(verifier.streams(), 0u);
  EXPECT_EQ(verifier.latest(), 0u);
}

TEST(mavlink_verifier, refuses_a_change_of_any_bit) {
  Signer signer(some_key(), 0);
  const Bytes good = signed_heartbeat(signer, kNow);
  for (std::size_t bit = 0; bit < 8 * good.size(); ++bit) {
    Bytes bytes = good;
    bytes[bit / 8] ^= std::byte{static_cast<std::uint8_t>(1 << (bit % 8))};
    Frame frame{.incompatibility = kSigned};  // as though the checksum had let it pass
    frame.bytes = bytes;
    Verifier verifier(some_key());
    EXPECT_EQ(verifier.check(frame, kNow), Verdict::BadSignature) << bit;
  }
}

TEST(mavlink_verifier, takes_a_frame_without_bytes_for_a_bad_one) {
  Verifier verifier(some_key());
  EXPECT_EQ(verifier.check(Frame{.incompatibility = kSigned}, kNow), Verdict::BadSignature);
}

TEST(mavlink_verifier, remembers_a_bounded_number_of_streams) {
  Verifier verifier(some_key());
  const auto check = [&](std::size_t n, std::uint64_t time, std::uint64_t now) {
    Signer signer(some_key(), static_cast<std::uint8_t>(n % 256));
    return verdict(verifier, signed_heartbeat(signer, time, static_cast<std::uint8_t>(1 + n / 256)), now);
  };
  for (std::size_t n = 0; n < Verifier::kMostStreams; ++n) ASSERT_EQ(check(n, kNow, kNow), Verdict::Good);
  EXPECT_EQ(check(Verifier::kMostStreams, kNow, kNow), Verdict::Replayed);
  EXPECT_EQ(check(5, kNow + 1, kNow), Verdict::Good);
  // a minute later the old entries are free, and what they guarded is too old
  const std::uint64_t later = kNow + kSigningMinute + 1;
  EXPECT_EQ(check(Verifier::kMostStreams, later, later), Verdict::Good);
  EXPECT_EQ(verifier.streams(), 2u);
  EXPECT_EQ(check(6, kNow, later), Verdict::TooOld);
}

}  // namespace volary::mavlink
