// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/lockstep/ardupilot_protocol.hpp"

#include <fmt/format.h>

#include "math/functions.hpp"

namespace volary::autopilot {

namespace {

constexpr std::uint16_t kMagic16 = 18458, kMagic32 = 29569;
constexpr std::size_t kHeader = 8;
constexpr double kSeaLevelDensity = 1.225;  // kg/m3, of an equivalent airspeed

std::string numbers(const Vec3d& v) { return fmt::format("[{:.9g},{:.9g},{:.9g}]", v.x, v.y, v.z); }

}  // namespace

std::optional<ServoPacket> read_servo_packet(std::span<const std::byte> bytes) {
  if (bytes.size() < kHeader) return std::nullopt;
  const auto magic = mavlink::codec::load<std::uint16_t>(bytes.data());
  const std::size_t channels = magic == kMagic16 ? 16 : magic == kMagic32 ? 32 : 0;
  if (channels == 0 || bytes.size() != kHeader + 2 * channels) return std::nullopt;
  ServoPacket packet;
  packet.frame_rate = mavlink::codec::load<std::uint16_t>(bytes.data() + 2);
  packet.frame_count = mavlink::codec::load<std::uint32_t>(bytes.data() + 4);
  for (std::size_t k = 0; k < channels; ++k) packet.pwm[k] = mavlink::codec::load<std::uint16_t>(bytes.data() + kHeader + 2 * k);
  return packet;
}

std::string motion_json(const Measured& m, std::uint64_t time_us) {
  const Quatd& q = m.attitude_N;
  // it takes the airspeed for that of a pitot tube: equivalent, not true
  const double airspeed = math::sqrt(math::max(0.0, 2 / kSeaLevelDensity * m.dynamic_pressure));
  const std::string below = m.greatest_distance > 0 ? fmt::format(",\"rng_1\":{:.9g}", m.distance) : "";
  return fmt::format(
      "\n{{\"timestamp\":{:.6f},\"imu\":{{\"gyro\":{},\"accel_body\":{}}},\"position\":{},\"quaternion\":[{:.9g},{:.9g},{:.9g},{:.9g}],\"velocity\":{},"
      "\"airspeed\":{:.9g}{}}}\n",
      static_cast<double>(time_us) * 1e-6, numbers(m.rate_F), numbers(m.specific_force_F), numbers(m.position_N), q.w, q.x, q.y, q.z,
      numbers(m.true_velocity_N), airspeed, below);
}

void ArdupilotProtocol::feed(const Measured& m, std::uint64_t time_us) {
  text_ = motion_json(m, time_us);
  is_told_ = false;
  has_answered_ = false;
}

void ArdupilotProtocol::received(std::span<const std::byte> bytes) {
  const std::optional<ServoPacket> packet = read_servo_packet(bytes);
  if (!packet) return;
  if (frame_ && packet->frame_count < *frame_) fault_ = "it has started anew by itself";
  const bool is_new = !frame_ || packet->frame_count > *frame_;
  frame_ = packet->frame_count;
  is_asked_ = true;  // a repetition is answered by the same text again
  if (!is_new) return;
  take_outputs(*packet);
  if (is_told_ && !text_.empty()) has_answered_ = true;
}

void ArdupilotProtocol::take_outputs(const ServoPacket& packet) {
  command_ = {};
  for (std::size_t k = 0; k < kMostOutputs; ++k) {
    command_.output[k] = wiring_.servos[k] ? deflection_from_pwm(packet.pwm[k]) : output_from_pwm(packet.pwm[k]);
    command_.armed = command_.armed || (wiring_.arming[k] && packet.pwm[k] > wiring_.resting);
  }
}

// The answer to the packet that ends a tick is the text of the next one; only a repetition gets the old text.
void ArdupilotProtocol::take_sends(mavlink::Bytes& out) {
  if (!is_asked_ || text_.empty() || has_answered_) return;
  is_asked_ = false;
  is_told_ = true;
  const auto bytes = std::as_bytes(std::span(text_));
  out.insert(out.end(), bytes.begin(), bytes.end());
}

}  // namespace volary::autopilot
