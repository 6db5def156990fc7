// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "replay/view_bench.hpp"

#include <algorithm>
#include <chrono>

#include "math/functions.hpp"
#include "replay/view_curve.hpp"

namespace volary::replay {

namespace {

constexpr double kBlockSeconds = 10;
constexpr std::size_t kBlockVehicles = 512;

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// the angle between two attitudes, from the chord, which is exact for small ones; their sign means nothing
double angle_between(const float* a, const float* b) {
  Quaternion p{a[0], a[1], a[2], a[3]}, q{b[0], b[1], b[2], b[3]};
  p = scaled(p, 1 / math::sqrt(dot(p, p)));
  q = scaled(q, (dot(p, q) < 0 ? -1 : 1) / math::sqrt(dot(q, q)));
  const Quaternion d{p.w - q.w, p.x - q.x, p.y - q.y, p.z - q.z};
  return 4 * math::asin(math::min(1.0, math::sqrt(dot(d, d)) / 2));
}

void look_for_worst(const TrackIn& t, const std::vector<Pose>& poses, CodecFigures& out) {
  for (std::uint32_t k = 0; k < t.count; ++k) {
    double p = 0, v = 0;
    for (int i = 0; i < 3; ++i) {
      const double dp = poses[k].position[i] - t.position[k][i], dv = static_cast<double>(poses[k].velocity[i]) - static_cast<double>(t.velocity[k][i]);
      p += dp * dp;
      v += dv * dv;
    }
    out.worst_position = std::max(out.worst_position, math::sqrt(p));
    out.worst_velocity = std::max(out.worst_velocity, math::sqrt(v));
    out.worst_angle = std::max(out.worst_angle, angle_between(poses[k].attitude, t.attitude[k]));
  }
}

struct Sums {
  double encode_s = 0, decode_s = 0, agent_seconds = 0;
  std::uint64_t bytes = 0, decoded = 0, motion_knots = 0, turn_knots = 0;
};

void measure_block(std::span<const TrackIn> tracks, double tick, const Bounds& bounds, int repeats, Sums& sums, CodecFigures& out) {
  std::uint32_t longest = 0;
  for (const TrackIn& t : tracks) longest = std::max(longest, t.count);
  std::vector<Pose> poses(longest);

  const Stopwatch encoding;
  const std::vector<std::byte> payload = encode_view(tracks, tick, bounds);
  sums.encode_s += encoding.seconds();
  sums.bytes += payload.size();

  const Stopwatch decoding;
  for (int r = 0; r < repeats; ++r) {
    const core::Result<ViewBlock> block = ViewBlock::decode(payload);
    for (std::size_t i = 0; i < block.value().n_tracks(); ++i) block.value().every_tick(i, poses.data());
    sums.decoded += block.value().n_samples();
  }
  sums.decode_s += decoding.seconds();

  const core::Result<ViewBlock> block = ViewBlock::decode(payload);
  sums.motion_knots += block.value().n_motion_knots();
  sums.turn_knots += block.value().n_turn_knots();
  out.samples += block.value().n_samples();
  // a flown track has no sample that cuts it, so tracks in and out are the same; one that was cut is not compared
  for (std::size_t i = 0; i < tracks.size() && block.value().n_tracks() == tracks.size(); ++i) {
    block.value().every_tick(i, poses.data());
    look_for_worst(tracks[i], poses, out);
  }
}

}  // namespace

CodecFigures measure_codec(const Flights& flights, const Bounds& bounds, int repeats) {
  CodecFigures out;
  Sums sums;
  const auto ticks = static_cast<std::uint32_t>(math::round(kBlockSeconds / flights.tick));
  for (const std::vector<TrackIn>& block : blocks_of(flights, std::max(1u, ticks)))
    for (std::size_t i = 0; i < block.size(); i += kBlockVehicles)
      measure_block(std::span(block).subspan(i, std::min(kBlockVehicles, block.size() - i)), flights.tick, bounds, repeats, sums, out);
  if (out.samples == 0) return out;
  const double agent_seconds = static_cast<double>(out.samples) * flights.tick;
  out.bytes_per_agent_second = static_cast<double>(sums.bytes) / agent_seconds;
  out.encode_rate = static_cast<double>(out.samples) / sums.encode_s;
  out.decode_rate = static_cast<double>(sums.decoded) / sums.decode_s;
  out.motion_knots_per_second = static_cast<double>(sums.motion_knots) / agent_seconds;
  out.turn_knots_per_second = static_cast<double>(sums.turn_knots) / agent_seconds;
  return out;
}

}  // namespace volary::replay
