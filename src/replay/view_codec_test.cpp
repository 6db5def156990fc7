// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "replay/view_codec.hpp"

#include <gtest/gtest.h>
#include <zstd.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <random>

#include "replay/view_bench.hpp"
#include "replay/view_columns.hpp"
#include "replay/view_flights_test_support.hpp"

namespace volary::replay {

namespace {

constexpr double kTick = 0.01, kDegree = 3.14159265358979323846 / 180;

using Random = std::mt19937_64;
double uniform(Random& r, double low, double high) { return std::uniform_real_distribution<double>(low, high)(r); }
int choose(Random& r, int n) { return std::uniform_int_distribution<int>(0, n - 1)(r); }
float f32(double x) { return static_cast<float>(x); }

// a track that owns its samples
struct Flight {
  FlownTrack samples;
  std::uint32_t vehicle = 0, first = 0;

  void add(const std::array<double, 3>& p, const std::array<float, 3>& v, const std::array<float, 4>& q) {
    samples.position.push_back(p);
    samples.velocity.push_back(v);
    samples.attitude.push_back(q);
  }
  std::uint32_t count() const { return static_cast<std::uint32_t>(samples.position.size()); }
  TrackIn track() const {
    TrackIn t = samples.part(vehicle, 0, count());
    t.first = first;
    return t;
  }
};

std::array<float, 4> attitude_about(const std::array<double, 3>& axis, double angle, double length = 1) {
  const double n = std::sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]), s = length * std::sin(angle / 2) / n;
  return {f32(length * std::cos(angle / 2)), f32(axis[0] * s), f32(axis[1] * s), f32(axis[2] * s)};
}

// the ways in which a flight can be difficult
enum Trouble { kFar = 1, kTumbles = 2, kFlipsSign = 4, kTeleports = 8, kLyingVelocity = 16, kNoise = 32, kStandsStill = 64, kAllTroubles = 128 };

Flight difficult_flight(Random& r, int trouble, std::uint32_t ticks) {
  Flight f;
  f.vehicle = static_cast<std::uint32_t>(choose(r, 100'000));
  f.first = static_cast<std::uint32_t>(choose(r, 500));
  const double far = trouble & kFar ? 20'000 : 10, wiggle = uniform(r, 0.1, 6);
  std::array<double, 3> p{uniform(r, -far, far), uniform(r, -far, far), uniform(r, 0, 300)}, offset{}, axis{uniform(r, -1, 1), uniform(r, -1, 1), 1};
  const double spin = trouble & kTumbles ? uniform(r, -60, 60) : uniform(r, -0.5, 0.5), phase = uniform(r, 0, 6);
  for (std::uint32_t k = 0; k < ticks; ++k) {
    const double t = k * kTick;
    std::array<float, 3> v{};
    std::array<double, 3> now{};
    for (int i = 0; i < 3; ++i) {
      const double rate = wiggle * (i + 1) / 2, size = trouble & kStandsStill ? 0 : 3;
      now[i] = p[i] + offset[i] + size * std::sin(rate * t + phase);
      v[i] = f32(size * rate * std::cos(rate * t + phase));
      if (trouble & kLyingVelocity) v[i] = f32(uniform(r, -1, 1) > 0.95 ? uniform(r, -20, 20) : 0);
      if (trouble & kNoise) now[i] += uniform(r, -1, 1), v[i] += f32(uniform(r, -5, 5));
    }
    if (trouble & kTeleports && choose(r, 40) == 0) offset = {uniform(r, -20'000, 20'000), uniform(r, -20, 20), uniform(r, -1, 1)};
    std::array<float, 4> q = attitude_about(axis, spin * t + 0.3 * std::sin(5 * t), trouble & kFlipsSign ? uniform(r, 0.5, 2) : 1);
    if (trouble & kNoise && choose(r, 3) == 0) q = attitude_about({uniform(r, -1, 1), uniform(r, -1, 1), 0.1}, uniform(r, -7, 7));
    if (trouble & kFlipsSign && choose(r, 2) == 0)
      for (float& c : q) c = -c;
    f.add(now, v, q);
  }
  return f;
}

double angle_between(const float* a, const float* b) {
  double aa = 0, bb = 0, plus = 0, minus = 0;
  for (int i = 0; i < 4; ++i) aa += double(a[i]) * a[i], bb += double(b[i]) * b[i];
  for (int i = 0; i < 4; ++i) {
    const double x = a[i] / std::sqrt(aa), y = b[i] / std::sqrt(bb);
    minus += (x - y) * (x - y);
    plus += (x + y) * (x + y);
  }
  return 4 * std::asin(std::min(1.0, std::sqrt(std::min(plus, minus)) / 2));
}

// how many ticks of a decoded track are outside the bounds
int misses(const TrackIn& t, const Pose* poses, const Bounds& b) {
  int n = 0;
  for (std::uint32_t k = 0; k < t.count; ++k) {
    double p = 0, v = 0;
    for (int i = 0; i < 3; ++i) {
      p += std::pow(poses[k].position[i] - t.position[k][i], 2);
      v += std::pow(double(poses[k].velocity[i]) - double(t.velocity[k][i]), 2);
    }
    n += !(std::sqrt(p) <= b.position && std::sqrt(v) <= b.velocity && angle_between(poses[k].attitude, t.attitude[k]) <= b.angle);
  }
  return n;
}

ViewBlock decoded(std::span<const std::byte> payload) {
  core::Result<ViewBlock> block = ViewBlock::decode(payload);
  EXPECT_TRUE(block) << (block ? "" : block.error().text());
  return std::move(block).value();
}

void expect_within_bounds(std::span<const TrackIn> tracks, const Bounds& bounds) {
  const ViewBlock block = decoded(encode_view(tracks, kTick, bounds));
  ASSERT_EQ(block.n_tracks(), tracks.size());
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    ASSERT_EQ(block.vehicle(i), tracks[i].vehicle);
    ASSERT_EQ(block.first(i), tracks[i].first);
    ASSERT_EQ(block.count(i), tracks[i].count);
    std::vector<Pose> poses(tracks[i].count);
    block.every_tick(i, poses.data());
    ASSERT_EQ(misses(tracks[i], poses.data(), bounds), 0) << "track " << i;
  }
}

std::vector<std::byte> some_payload() {
  Random r(11);
  std::vector<Flight> flights;
  std::vector<TrackIn> tracks;
  for (int i = 0; i < 20; ++i) flights.push_back(difficult_flight(r, choose(r, kAllTroubles), 100));
  for (const Flight& f : flights) tracks.push_back(f.track());
  return encode_view(tracks, kTick, {});
}

}  // namespace

TEST(view_codec, holds_every_bound_at_every_tick_of_difficult_flights) {
  const Bounds all_bounds[] = {
      {}, {0.01, 0.02, 0.1 * kDegree}, {1, 1, 10 * kDegree}, {1e-4, 1e-3, 1e-4}, {0.05, 1e6, 3.1}, {1e-6, 1e-6, 1e-5}, {1e6, 1e6, 1e6}};
  for (int seed = 0; seed < 4 * kAllTroubles; ++seed) {
    const int trouble = seed % kAllTroubles;
    Random r(static_cast<std::uint64_t>(seed));
    for (const Bounds& b : all_bounds) {
      const Flight f = difficult_flight(r, trouble, 20 + static_cast<std::uint32_t>(choose(r, 200)));
      const TrackIn t = f.track();
      expect_within_bounds({&t, 1}, b);
      if (HasFatalFailure()) FAIL() << "trouble " << trouble << " bounds " << b.position;
    }
  }
}

TEST(view_codec, holds_the_bounds_of_tracks_that_come_and_go_in_one_block) {
  Random r(7);
  std::vector<Flight> flights;
  std::vector<TrackIn> tracks;
  for (int i = 0; i < 60; ++i) flights.push_back(difficult_flight(r, choose(r, kAllTroubles), 1 + static_cast<std::uint32_t>(choose(r, 400))));
  for (const Flight& f : flights) tracks.push_back(f.track());
  expect_within_bounds(tracks, {});
}

TEST(view_codec, holds_the_tightest_bounds_at_the_largest_numbers) {
  Random r(14);
  Flight f;
  for (int k = 0; k < 3000; ++k)
    f.add({uniform(r, -1e9, 1e9), uniform(r, 0.999e9, 1e9), uniform(r, -1, 1)}, {f32(uniform(r, -1e6, 1e6)), f32(uniform(r, -1, 1)), 1e6f},
          attitude_about({uniform(r, -1, 1), uniform(r, -1, 1), uniform(r, -1, 1)}, uniform(r, -7, 7)));
  const TrackIn t = f.track();
  expect_within_bounds({&t, 1}, {1e-6, 1e-6, 1e-5});
}

TEST(view_codec, keeps_tracks_of_one_and_two_ticks) {
  Random r(8);
  const Flight one = difficult_flight(r, kFar, 1), two = difficult_flight(r, kFar | kTeleports, 2);
  const TrackIn tracks[] = {one.track(), two.track()};
  expect_within_bounds(tracks, {});
  Pose pose;
  const ViewBlock block = decoded(encode_view(tracks, kTick, {}));
  EXPECT_TRUE(block.at(0, one.first, pose));
  EXPECT_FALSE(block.at(0, one.first + 0.5, pose));
}

TEST(view_codec, an_empty_block_is_a_block) { EXPECT_EQ(decoded(encode_view({}, kTick, {})).n_tracks(), 0u); }

TEST(view_codec, samples_any_time_and_gives_at_ticks_what_bulk_decoding_gives) {
  Random r(9);
  const Flight f = difficult_flight(r, kTumbles | kTeleports, 400);
  const TrackIn t = f.track();
  const ViewBlock block = decoded(encode_view({&t, 1}, kTick, {}));
  std::vector<Pose> poses(t.count);
  block.every_tick(0, poses.data());
  for (std::uint32_t k = 0; k < t.count; ++k) {
    Pose pose;
    ASSERT_TRUE(block.at(0, t.first + k, pose));
    ASSERT_EQ(std::memcmp(pose.position, poses[k].position, sizeof pose.position), 0);
    ASSERT_EQ(std::memcmp(pose.velocity, poses[k].velocity, sizeof pose.velocity), 0);
    ASSERT_EQ(std::memcmp(pose.attitude, poses[k].attitude, sizeof pose.attitude), 0);
  }
  Pose pose;
  EXPECT_FALSE(block.at(0, t.first - 1.0, pose));
  EXPECT_FALSE(block.at(0, t.first + t.count - 0.5, pose));
  EXPECT_FALSE(block.at(0, std::numeric_limits<double>::quiet_NaN(), pose));
}

TEST(view_codec, between_ticks_a_smooth_flight_stays_as_near) {
  Flight f;
  const auto x = [](double t) { return 5 * std::sin(0.8 * t); };
  for (int k = 0; k < 1000; ++k) f.add({x(k * kTick), 0, 10}, {f32(4 * std::cos(0.8 * k * kTick)), 0, 0}, {1, 0, 0, 0});
  const TrackIn t = f.track();
  const ViewBlock block = decoded(encode_view({&t, 1}, kTick, {}));
  for (double tick = 0; tick <= 999; tick += 0.37) {
    Pose pose;
    ASSERT_TRUE(block.at(0, tick, pose));
    ASSERT_NEAR(pose.position[0], x(tick * kTick), 0.0503);
  }
}

TEST(view_codec, the_same_samples_give_the_same_bytes) { EXPECT_EQ(some_payload(), some_payload()); }

TEST(view_codec, cuts_a_track_where_a_sample_is_not_finite) {
  Random r(10);
  Flight f = difficult_flight(r, 0, 300);
  f.samples.position[50][1] = std::numeric_limits<double>::quiet_NaN();
  f.samples.velocity[51][0] = std::numeric_limits<float>::infinity();
  f.samples.attitude[200][3] = std::numeric_limits<float>::quiet_NaN();
  f.samples.attitude[202] = {0, 0, 0, 0};
  f.samples.position[299][0] = 1e300;
  const TrackIn t = f.track();
  const ViewBlock block = decoded(encode_view({&t, 1}, kTick, {}));
  const std::uint32_t begins[] = {0, 52, 201, 203}, counts[] = {50, 148, 1, 96};
  ASSERT_EQ(block.n_tracks(), 4u);
  for (std::uint32_t i = 0; i < 4; ++i) {
    EXPECT_EQ(block.vehicle(i), t.vehicle);
    EXPECT_EQ(block.first(i), t.first + begins[i]);
    ASSERT_EQ(block.count(i), counts[i]);
    std::vector<Pose> poses(counts[i]);
    block.every_tick(i, poses.data());
    EXPECT_EQ(misses(f.samples.part(0, begins[i], counts[i]), poses.data(), {}), 0);
  }
}

TEST(view_codec, names_a_bound_that_cannot_be_held) {
  EXPECT_TRUE(check_bounds({}));
  for (const double bad : {0.0, -1.0, 1e9, std::nan("")}) {
    const core::Status s = check_bounds({0.05, bad, 0.01});
    ASSERT_FALSE(s);
    EXPECT_EQ(s.error().field, "velocity");
  }
}

TEST(view_codec, a_track_without_a_sound_sample_is_left_out) {
  Flight f;
  for (int k = 0; k < 5; ++k) f.add({std::nan(""), 0, 0}, {0, 0, 0}, {1, 0, 0, 0});
  const TrackIn t = f.track();
  EXPECT_EQ(decoded(encode_view({&t, 1}, kTick, {})).n_tracks(), 0u);
}

// ---------------------------------------------------------------- damage

namespace {

// whatever comes out of a damaged payload can be asked for
void use(std::span<const std::byte> payload) {
  const core::Result<ViewBlock> block = ViewBlock::decode(payload);
  if (!block) {
    EXPECT_FALSE(block.error().message.empty());
    return;
  }
  Pose pose;
  for (std::size_t i = 0; i < std::min<std::size_t>(block.value().n_tracks(), 8); ++i) {
    block.value().at(i, block.value().first(i) + 0.5 * block.value().count(i), pose);
    if (block.value().count(i) > 10'000) continue;
    std::vector<Pose> poses(block.value().count(i));
    block.value().every_tick(i, poses.data());
  }
}

void damage(Random& r, std::vector<std::byte>& bytes) {
  for (int n = 1 + choose(r, 4); n > 0 && !bytes.empty(); --n) {
    const auto at = static_cast<std::size_t>(choose(r, static_cast<int>(bytes.size())));
    switch (choose(r, 4)) {
      case 0: bytes[at] ^= static_cast<std::byte>(1 << choose(r, 8)); break;
      case 1: bytes[at] = static_cast<std::byte>(choose(r, 256)); break;
      case 2: bytes[at] = std::byte{0xff}; break;
      default: bytes.resize(at);
    }
  }
}

}  // namespace

TEST(view_codec, survives_two_thousand_damaged_payloads) {
  const std::vector<std::byte> sound = some_payload();
  Random r(12);
  for (int i = 0; i < 2000; ++i) {
    std::vector<std::byte> bytes = sound;
    damage(r, bytes);
    use(bytes);
  }
}

TEST(view_codec, survives_two_thousand_blocks_damaged_inside_their_compression) {
  const std::vector<std::byte> sound = some_payload();
  std::vector<std::byte> inner(ZSTD_getFrameContentSize(sound.data(), sound.size()));
  ASSERT_EQ(ZSTD_decompress(inner.data(), inner.size(), sound.data(), sound.size()), inner.size());
  Random r(13);
  for (int i = 0; i < 2000; ++i) {
    std::vector<std::byte> bytes = inner;
    damage(r, bytes);
    std::vector<std::byte> packed(ZSTD_compressBound(bytes.size()));
    packed.resize(ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), 1));
    use(packed);
  }
}

TEST(view_codec, refuses_every_truncation) {
  const std::vector<std::byte> sound = some_payload();
  for (std::size_t n = 0; n < sound.size(); n += 1 + n / 50) EXPECT_FALSE(ViewBlock::decode({sound.data(), n}));
}

TEST(view_codec, refuses_a_block_that_would_grow_beyond_the_limit) {
  const std::vector<std::uint8_t> zeros(64u << 20);
  std::vector<std::byte> packed(ZSTD_compressBound(zeros.size()));
  packed.resize(ZSTD_compress(packed.data(), packed.size(), zeros.data(), zeros.size(), 19));
  const auto block = ViewBlock::decode(packed);
  ASSERT_FALSE(block);
  EXPECT_NE(block.error().message.find("grow"), std::string::npos);
}

// ---------------------------------------------------------------- size, on flown flights

TEST(view_codec, records_flights_in_gusts_in_few_bytes) {
  const Flights flights = flown("log_gusts", 20);
  ASSERT_GE(flights.tracks.size(), 100u);
  const CodecFigures half = measure_codec(flights, {0.05, 0.1, 0.5 * kDegree}), one = measure_codec(flights, {0.05, 0.1, 1 * kDegree});
  for (const CodecFigures& f : {half, one})
    std::printf("%.2f bytes per agent-second; encodes %.1f M, decodes %.0f M agent-ticks/s; %.2f + %.2f knots/s; worst %.4f m %.4f m/s %.3f deg\n",
                f.bytes_per_agent_second, f.encode_rate * 1e-6, f.decode_rate * 1e-6, f.motion_knots_per_second, f.turn_knots_per_second, f.worst_position,
                f.worst_velocity, f.worst_angle / kDegree);
  EXPECT_LE(half.bytes_per_agent_second, 16);
  EXPECT_LE(one.bytes_per_agent_second, 12);
  for (const CodecFigures& f : {half, one}) {
    EXPECT_LE(f.worst_position, 0.05);
    EXPECT_LE(f.worst_velocity, 0.1);
  }
  EXPECT_LE(half.worst_angle, 0.5 * kDegree);
  EXPECT_LE(one.worst_angle, 1 * kDegree);
}

}  // namespace volary::replay
