// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/mavlink/frame.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <limits>
#include <random>
#include <string>

namespace volary::mavlink {

namespace {

std::string hex(std::span<const std::byte> bytes) {
  std::string out;
  for (const std::byte b : bytes) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned>(b));
    out += digits;
  }
  return out;
}

Bytes from_hex(std::string_view text) {
  Bytes out;
  for (std::size_t k = 0; k + 1 < text.size(); k += 2) out.push_back(static_cast<std::byte>(std::stoi(std::string(text.substr(k, 2)), nullptr, 16)));
  return out;
}

// what a callback may keep
struct Kept {
  Frame frame;
  Bytes bytes;
};

std::vector<Kept> feed(Parser& parser, std::span<const std::byte> bytes) {
  std::vector<Kept> out;
  parser.feed(bytes, [&](const Frame& frame) { out.push_back({frame, Bytes(frame.bytes.begin(), frame.bytes.end())}); });
  return out;
}
std::vector<Kept> parse(std::span<const std::byte> bytes) {
  Parser parser;
  return feed(parser, bytes);
}

template <class M> Bytes one(const M& message, std::uint8_t system = 1, std::uint8_t component = 1) {
  Bytes out;
  Writer(system, component).append(message, out);
  return out;
}

// random bits in every field: floats become NaN, infinite and denormal too
struct Fill {
  std::mt19937_64& random;
  template <class T> void operator()(T& field) {
    const std::uint64_t bits = random();
    std::memcpy(&field, &bits, sizeof field);
  }
  template <class T, std::size_t N> void operator()(std::array<T, N>& field) {
    for (T& x : field) (*this)(x);
  }
};

template <class M> M some(std::mt19937_64& random) {
  M message;
  M::fields(message, Fill{random});
  return message;
}

template <class M> std::string bits_of(const M& message) {
  std::array<std::byte, kMostPayload> payload{};
  encode(message, payload);
  return hex(payload);
}

std::uint16_t slow_checksum(std::span<const std::byte> bytes) {
  unsigned c = 0xffff;
  for (const std::byte b : bytes) {
    c ^= static_cast<unsigned>(b);
    for (int k = 0; k < 8; ++k) c = (c & 1) != 0 ? (c >> 1) ^ 0x8408u : c >> 1;
  }
  return static_cast<std::uint16_t>(c);
}

// a frame with any header and payload, its checksum right
Bytes built(Bytes header, const Bytes& payload, std::uint8_t crc_extra) {
  header[1] = static_cast<std::byte>(payload.size());
  header.insert(header.end(), payload.begin(), payload.end());
  header.push_back(static_cast<std::byte>(crc_extra));
  const std::uint16_t sum = checksum(std::span<const std::byte>(header).subspan(1));
  header.back() = static_cast<std::byte>(sum & 0xff);
  header.push_back(static_cast<std::byte>(sum >> 8));
  return header;
}
Bytes version_1(std::uint8_t id, const Bytes& payload, std::uint8_t crc_extra) {
  return built({std::byte{0xfe}, {}, std::byte{9}, std::byte{7}, std::byte{1}, std::byte{id}}, payload, crc_extra);
}
Bytes version_2(std::uint32_t id, const Bytes& payload, std::uint8_t crc_extra, std::uint8_t incompatibility = 0, std::uint8_t compatibility = 0) {
  Bytes header = from_hex("fd00000009070100000000");
  header.resize(10);
  header[2] = std::byte{incompatibility}, header[3] = std::byte{compatibility};
  for (std::size_t k = 0; k < 3; ++k) header[7 + k] = static_cast<std::byte>(id >> (8 * k));
  return built(header, payload, crc_extra);
}

void join(Bytes& out, const Bytes& more) { out.insert(out.end(), more.begin(), more.end()); }

// a stream of known messages
Bytes some_stream(std::mt19937_64& random, int rounds) {
  Bytes out;
  Writer writer(7, 1);
  for (int k = 0; k < rounds; ++k) {
    writer.append(some<Heartbeat>(random), out);
    writer.append(some<LocalPositionNed>(random), out);
    writer.append(some<Statustext>(random), out);
    writer.append(some<CommandLong>(random), out);
  }
  return out;
}

}  // namespace

// ---------------------------------------------------------------- checksum

TEST(mavlink_checksum, of_nine_digits_is_the_published_one) {
  const std::string digits = "123456789";
  EXPECT_EQ(checksum(std::as_bytes(std::span(digits))), 0x6f91);
}

TEST(mavlink_checksum, is_that_of_the_definition_and_goes_on_where_it_stopped) {
  std::mt19937_64 random(1);
  for (std::size_t n = 0; n < 300; ++n) {
    Bytes bytes(n);
    for (std::byte& b : bytes) b = static_cast<std::byte>(random());
    const std::span<const std::byte> all(bytes);
    const std::size_t cut = n == 0 ? 0 : random() % n;
    EXPECT_EQ(checksum(all), slow_checksum(all));
    EXPECT_EQ(checksum(all.subspan(cut), checksum(all.first(cut))), slow_checksum(all));
  }
}

// ---------------------------------------------------------------- the table

TEST(mavlink_table, has_the_published_seeds_and_lengths) {
  struct Row {
    std::uint32_t id;
    int extra, base, full;
  };
  const Row rows[] = {{0, 50, 9, 9},      {1, 124, 31, 43},  {24, 24, 30, 52},   {42, 28, 2, 18},     {70, 124, 18, 38},  {77, 143, 3, 10},
                      {84, 143, 53, 53},  {93, 47, 81, 81},  {107, 108, 64, 65}, {110, 84, 254, 254}, {147, 154, 36, 54}, {246, 184, 38, 38},
                      {290, 251, 46, 46}, {291, 10, 57, 57}, {300, 217, 22, 22}, {331, 91, 230, 233}, {395, 0, 212, 212}, {397, 182, 108, 108},
                      {410, 160, 53, 53}, {411, 106, 3, 3},  {412, 33, 6, 6},    {413, 77, 7, 7},     {435, 134, 46, 46}, {436, 193, 9, 9}};
  for (const Row& row : rows) {
    const MessageInfo* info = find_message(row.id);
    ASSERT_NE(info, nullptr) << row.id;
    EXPECT_EQ(info->crc_extra, row.extra) << info->name;
    EXPECT_EQ(info->base_length, row.base) << info->name;
    EXPECT_EQ(info->full_length, row.full) << info->name;
  }
}

TEST(mavlink_table, is_sorted_and_agrees_with_the_structs) {
  EXPECT_TRUE(std::is_sorted(std::begin(kMessages), std::end(kMessages), [](const MessageInfo& a, const MessageInfo& b) { return a.id < b.id; }));
  std::size_t n = 0;
  each_message([&]<class M>() {
    const MessageInfo* info = find_message(M::kId);
    ASSERT_EQ(info, &kMessages[n++]);
    EXPECT_STREQ(info->name, M::kName);
    EXPECT_EQ(info->crc_extra, M::kCrcExtra);
    EXPECT_EQ(info->base_length, M::kBaseLength);
    EXPECT_EQ(info->full_length, M::kFullLength);
    std::size_t bytes = 0;
    M::fields(static_cast<const M&>(M{}), [&](const auto& field) { bytes += sizeof field; });
    EXPECT_EQ(bytes, M::kFullLength) << M::kName;
  });
  EXPECT_EQ(n, std::size(kMessages));
}

TEST(mavlink_table, knows_where_the_addressee_of_a_message_is) {
  EXPECT_EQ(find_message(Heartbeat::kId)->target_system_at, -1);
  EXPECT_EQ(find_message(CommandLong::kId)->target_system_at, 30);
  EXPECT_EQ(find_message(CommandLong::kId)->target_component_at, 31);
  EXPECT_EQ(find_message(SetGpsGlobalOrigin::kId)->target_system_at, 12);
  EXPECT_EQ(find_message(SetGpsGlobalOrigin::kId)->target_component_at, -1);
  EXPECT_EQ(find_message(CommandAck::kId)->target_system_at, 8);
  for (const std::uint32_t id : {3u, 437u, 255u, 0xffffffu, 0xffffffffu}) EXPECT_EQ(find_message(id), nullptr);
}

TEST(mavlink_table, flags_join_into_numbers) {
  EXPECT_EQ(number_of(ModeFlag::SafetyArmed | ModeFlag::CustomModeEnabled), 129);
  EXPECT_EQ(number_of(Command::NavReturnToLaunch), 20);
  EXPECT_EQ(number_of(SensorBit::Sensor3dGyro | SensorBit::ExtensionUsed), 0x80000001u);
  EXPECT_EQ(number_of(GpsFix::Gps3dFix), 3);
}

// ---------------------------------------------------------------- writing and reading

TEST(mavlink_frame, heartbeat_is_the_published_one) {
  const Heartbeat sent{.custom_mode = 0x03040000, .type = 2, .autopilot = 12, .base_mode = 81, .system_status = 4};
  const Bytes bytes = one(sent);
  EXPECT_EQ(hex(bytes), "fd09000000010100000000000403020c510403abca");
  const auto got = parse(bytes);
  ASSERT_EQ(got.size(), 1u);
  EXPECT_TRUE(got[0].frame.is_known);
  EXPECT_FALSE(got[0].frame.is_version_1);
  EXPECT_EQ(got[0].frame.system, 1);
  EXPECT_EQ(got[0].bytes, bytes);
  EXPECT_EQ(decode<Heartbeat>(got[0].frame), sent);
}

TEST(mavlink_frame, trailing_zeros_are_left_out_and_come_back) {
  Bytes bytes;
  Writer writer(7, 1);
  for (int k = 0; k < 5; ++k) writer.append(Heartbeat{}, bytes);
  bytes.clear();
  const LocalPositionNed sent{.time_boot_ms = 1000, .x = 1, .y = 2, .z = -3};
  writer.append(sent, bytes);
  EXPECT_EQ(hex(bytes), "fd100000050701200000e80300000000803f00000040000040c0d8f3");
  const auto got = parse(bytes);
  ASSERT_EQ(got.size(), 1u);
  EXPECT_EQ(got[0].frame.length, 16);
  EXPECT_EQ(got[0].frame.sequence, 5);
  EXPECT_EQ(decode<LocalPositionNed>(got[0].frame), sent);
}

TEST(mavlink_frame, message_of_zeros_has_one_byte) {
  const Bytes bytes = one(Attitude{});
  EXPECT_EQ(bytes.size(), 13u);
  const auto got = parse(bytes);
  ASSERT_EQ(got.size(), 1u);
  EXPECT_EQ(got[0].frame.length, 1);
  EXPECT_EQ(decode<Attitude>(got[0].frame), Attitude{});
}

TEST(mavlink_frame, every_message_comes_back_bit_by_bit) {
  std::mt19937_64 random(2);
  each_message([&]<class M>() {
    for (int k = 0; k < 50; ++k) {
      const M sent = some<M>(random);
      const auto got = parse(one(sent, 200, 190));
      ASSERT_EQ(got.size(), 1u) << M::kName;
      ASSERT_EQ(got[0].frame.id, M::kId);
      ASSERT_TRUE(got[0].frame.is_known);
      ASSERT_EQ(bits_of(decode<M>(got[0].frame)), bits_of(sent)) << M::kName;
    }
  });
}

TEST(mavlink_frame, extremes_of_numbers_come_back) {
  Odometry sent{.time_usec = std::numeric_limits<std::uint64_t>::max(), .x = std::numeric_limits<float>::infinity()};
  sent.y = std::numeric_limits<float>::denorm_min(), sent.z = -0.0f, sent.quality = -128;
  sent.pose_covariance[0] = std::numeric_limits<float>::quiet_NaN();
  const auto got = parse(one(sent));
  ASSERT_EQ(got.size(), 1u);
  EXPECT_EQ(bits_of(decode<Odometry>(got[0].frame)), bits_of(sent));
}

TEST(mavlink_frame, sequence_counts_and_begins_again_after_255) {
  Bytes bytes;
  Writer writer(1, 1);
  for (int k = 0; k < 300; ++k) writer.append(Heartbeat{}, bytes);
  const auto got = parse(bytes);
  ASSERT_EQ(got.size(), 300u);
  for (std::size_t k = 0; k < got.size(); ++k) EXPECT_EQ(got[k].frame.sequence, k % 256);
}

TEST(mavlink_frame, payload_of_any_length_is_read) {
  std::mt19937_64 random(3);
  const GpsRawInt sent = some<GpsRawInt>(random);
  std::array<std::byte, kMostPayload> full{};
  encode(sent, full);
  for (std::size_t n = 0; n <= kMostPayload; ++n) {
    Bytes payload(full.begin(), full.begin() + static_cast<std::ptrdiff_t>(n));
    for (std::size_t k = GpsRawInt::kFullLength; k < n; ++k) payload[k] = std::byte{0xaa};  // from a later version of the message
    const auto got = parse(version_2(GpsRawInt::kId, payload, GpsRawInt::kCrcExtra));
    ASSERT_EQ(got.size(), 1u) << n;
    std::string expected = hex(std::span(full).first(std::min(n, GpsRawInt::kFullLength)));
    expected.resize(2 * kMostPayload, '0');
    EXPECT_EQ(bits_of(decode<GpsRawInt>(got[0].frame)), expected) << n;
  }
}

TEST(mavlink_frame, texts_in_fixed_fields_are_cut_and_end_at_a_zero) {
  EXPECT_EQ(text_of(fixed_text<16>("MPC_XY_CRUISE")), "MPC_XY_CRUISE");
  EXPECT_EQ(text_of(fixed_text<4>("abcdef")), "abcd");
  EXPECT_EQ(text_of(fixed_text<4>("")), "");
}

// ---------------------------------------------------------------- version 1, unknown messages, flags

TEST(mavlink_frame, version_1_is_read_and_has_no_extensions) {
  const Bytes heartbeat = version_1(Heartbeat::kId, from_hex("00000403020c510403"), Heartbeat::kCrcExtra);
  auto got = parse(heartbeat);
  ASSERT_EQ(got.size(), 1u);
  EXPECT_TRUE(got[0].frame.is_version_1);
  EXPECT_TRUE(got[0].frame.is_known);
  EXPECT_EQ(got[0].frame.sequence, 9);
  EXPECT_EQ(got[0].frame.system, 7);
  EXPECT_EQ(decode<Heartbeat>(got[0].frame).custom_mode, 0x03040000u);

  Bytes payload(CommandAck::kFullLength, std::byte{1});
  got = parse(version_1(CommandAck::kId, payload, CommandAck::kCrcExtra));
  ASSERT_EQ(got.size(), 1u);
  EXPECT_EQ(got[0].frame.length, CommandAck::kBaseLength);
  EXPECT_EQ(decode<CommandAck>(got[0].frame).command, 0x0101);
  EXPECT_EQ(decode<CommandAck>(got[0].frame).progress, 0);
}

TEST(mavlink_frame, versions_may_alternate_in_one_stream) {
  Bytes stream;
  for (int k = 0; k < 10; ++k) join(stream, version_1(Heartbeat::kId, Bytes(9, std::byte{3}), Heartbeat::kCrcExtra)), join(stream, one(Heartbeat{}));
  const auto got = parse(stream);
  ASSERT_EQ(got.size(), 20u);
  for (std::size_t k = 0; k < got.size(); ++k) EXPECT_EQ(got[k].frame.is_version_1, k % 2 == 0);
}

TEST(mavlink_frame, unknown_messages_are_handed_on_unverified_with_their_bytes) {
  const Bytes unknown = version_2(60000, from_hex("010203"), 77);
  Bytes stream = one(Heartbeat{});
  join(stream, unknown);
  join(stream, one(Heartbeat{}));
  Parser parser;
  const auto got = feed(parser, stream);
  ASSERT_EQ(got.size(), 3u);
  EXPECT_FALSE(got[1].frame.is_known);
  EXPECT_EQ(got[1].frame.id, 60000u);
  EXPECT_EQ(got[1].frame.length, 3);
  EXPECT_EQ(got[1].bytes, unknown);
  EXPECT_EQ(parser.counts().frames, 3u);
  EXPECT_EQ(parser.counts().unknown, 1u);
  EXPECT_EQ(parser.counts().skipped, 0u);
}

// else a false start in a damaged frame could take good frames with it
TEST(mavlink_frame, unknown_messages_after_damage_wait_for_a_known_one) {
  const Bytes unknown = version_2(60000, from_hex("010203"), 77);
  Bytes stream = from_hex("0102");
  join(stream, unknown);
  join(stream, one(Heartbeat{}));
  join(stream, unknown);
  const auto got = parse(stream);
  ASSERT_EQ(got.size(), 2u);
  EXPECT_EQ(got[0].frame.id, Heartbeat::kId);
  EXPECT_EQ(got[1].frame.id, 60000u);
}

TEST(mavlink_frame, unknown_incompatibility_flags_drop_the_frame_and_others_do_not) {
  const Bytes payload(Heartbeat::kFullLength, std::byte{3});
  Bytes stream = version_2(Heartbeat::kId, payload, Heartbeat::kCrcExtra, 0x02);
  join(stream, version_2(Heartbeat::kId, payload, Heartbeat::kCrcExtra, 0x00, 0xff));
  Parser parser;
  const auto got = feed(parser, stream);
  ASSERT_EQ(got.size(), 1u);
  EXPECT_EQ(got[0].frame.compatibility, 0xff);
  EXPECT_EQ(parser.counts().bad_flags, 1u);
  EXPECT_EQ(parser.counts().skipped, 0u);
}

// ---------------------------------------------------------------- streams

TEST(mavlink_parser, damage_of_any_byte_costs_that_frame_and_no_other) {
  std::mt19937_64 random(4);
  const Bytes before = some_stream(random, 1), frame = one(some<CommandLong>(random), 7, 1), after = some_stream(random, 8);
  const std::size_t n_good = parse(before).size() + parse(after).size();
  for (std::size_t at = 0; at < frame.size(); ++at)
    for (int change = 1; change < 256; ++change) {
      Bytes stream = before;
      join(stream, frame);
      stream[before.size() + at] ^= static_cast<std::byte>(change);
      const Bytes damaged(stream.begin() + static_cast<std::ptrdiff_t>(before.size()), stream.end());
      join(stream, after);
      std::size_t n = 0;
      for (const Kept& kept : parse(stream)) {
        n += kept.frame.is_known ? 1 : 0;  // an unknown one: the damaged byte was in the id
        EXPECT_TRUE(!kept.frame.is_known || kept.bytes != damaged);
      }
      ASSERT_EQ(n, n_good) << "byte " << at << " xor " << change;
    }
}

// two when the id became that of an unknown message, which nothing verifies and which takes the first byte of the next frame
TEST(mavlink_parser, a_byte_that_is_lost_costs_one_frame_or_two) {
  std::mt19937_64 random(5);
  const Bytes stream = some_stream(random, 10);
  const std::size_t n_good = parse(stream).size();
  for (int k = 0; k < 2000; ++k) {
    Bytes damaged = stream;
    damaged.erase(damaged.begin() + static_cast<std::ptrdiff_t>(random() % (stream.size() / 2)));
    const auto got = parse(damaged);
    const auto n = static_cast<std::size_t>(std::count_if(got.begin(), got.end(), [](const Kept& kept) { return kept.frame.is_known; }));
    EXPECT_LE(n, n_good - 1);
    EXPECT_GE(n, n_good - 2);
  }
}

TEST(mavlink_parser, gives_the_same_frames_however_a_stream_is_cut) {
  std::mt19937_64 random(6);
  Bytes stream = some_stream(random, 20);
  for (int k = 0; k < 40; ++k) stream[random() % stream.size()] ^= static_cast<std::byte>(1 + random() % 255);
  Parser whole;
  const auto expected = feed(whole, stream);
  for (int round = 0; round < 200; ++round) {
    Parser parser;
    std::vector<Kept> got;
    const std::size_t most = 1 + random() % (round < 100 ? 8 : 600);
    for (std::size_t at = 0; at < stream.size();) {
      const std::size_t n = std::min<std::size_t>(random() % (most + 1), stream.size() - at);
      for (Kept& kept : feed(parser, std::span<const std::byte>(stream).subspan(at, n))) got.push_back(std::move(kept));
      at += n;
    }
    ASSERT_EQ(got.size(), expected.size());
    for (std::size_t k = 0; k < got.size(); ++k) EXPECT_EQ(got[k].bytes, expected[k].bytes);
    EXPECT_EQ(parser.counts().skipped, whole.counts().skipped);
    EXPECT_EQ(parser.counts().bad_checksum, whole.counts().bad_checksum);
  }
}

TEST(mavlink_parser, accounts_for_every_one_of_many_random_bytes) {
  for (const unsigned seed : {7u, 8u, 9u}) {
    std::mt19937_64 random(seed);
    Bytes bytes(100'000);
    for (std::byte& b : bytes) b = random() % 8 == 0 ? std::byte{static_cast<std::uint8_t>(0xfd + random() % 2)} : static_cast<std::byte>(random());
    Parser parser;
    std::size_t in_frames = 0;
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t n = std::min<std::size_t>(random() % 2000, bytes.size() - at);
      for (const Kept& kept : feed(parser, std::span<const std::byte>(bytes).subspan(at, n))) {
        in_frames += kept.bytes.size();
        EXPECT_EQ(kept.frame.incompatibility & ~kSigned, 0);
      }
      at += n;
    }
    EXPECT_LE(in_frames + parser.counts().skipped, bytes.size());
    EXPECT_GE(in_frames + parser.counts().skipped + kMostFrame * (1 + parser.counts().bad_flags), bytes.size());
  }
}

TEST(mavlink_parser, finds_the_frames_behind_random_bytes) {
  std::mt19937_64 random(10);
  for (int k = 0; k < 200; ++k) {
    Bytes stream(1 + random() % 500);
    for (std::byte& b : stream) b = static_cast<std::byte>(random());
    stream[0] = std::byte{0};  // from here on it searches
    join(stream, some_stream(random, 10));
    const auto got = parse(stream);
    EXPECT_GE(std::count_if(got.begin(), got.end(), [](const Kept& kept) { return kept.frame.is_known && kept.frame.system == 7; }), 40);
  }
}

TEST(mavlink_parser, forgets_the_rest_of_a_stream_that_broke_off) {
  const Bytes bytes = one(Heartbeat{});
  Parser parser;
  EXPECT_TRUE(feed(parser, std::span<const std::byte>(bytes).first(10)).empty());
  parser.forget();
  EXPECT_EQ(feed(parser, bytes).size(), 1u);
  EXPECT_EQ(parser.counts().skipped, 0u);
}

TEST(mavlink_parser, may_be_told_to_forget_by_its_callback) {
  const Bytes bytes = one(Heartbeat{});
  Parser parser;
  (void)feed(parser, std::span<const std::byte>(bytes).first(5));
  int n = 0;
  parser.feed(std::span<const std::byte>(bytes).subspan(5), [&](const Frame& frame) {
    parser.forget();
    EXPECT_EQ(hex(frame.bytes), hex(bytes));
    ++n;
  });
  EXPECT_EQ(n, 1);
}

TEST(gap_counter, counts_numbers_that_are_missing_and_no_sender_that_does_not_count_or_begins_anew) {
  GapCounter gaps;
  const auto hear = [&](std::uint8_t system, std::uint8_t sequence) {
    Frame f;
    f.system = system, f.component = 1, f.sequence = sequence;
    gaps.count(f);
  };
  for (const std::uint8_t k : {250, 251, 254, 255, 0, 2}) hear(1, k);  // 252, 253 and 1 are missing
  EXPECT_EQ(gaps.lost(), 3u);
  for (const std::uint8_t k : {7, 8, 9}) hear(2, k);
  for (int k = 0; k < 5; ++k) hear(3, 0);  // does not count
  hear(2, 0);                              // begins anew
  hear(2, 1);
  EXPECT_EQ(gaps.lost(), 3u);
}

}  // namespace volary::mavlink
