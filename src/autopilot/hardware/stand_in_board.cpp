// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/hardware/stand_in_board.hpp"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "autopilot/lockstep/px4_protocol.hpp"
#include "core/check.hpp"
#include "runner/clock.hpp"

namespace volary::autopilot {

namespace {

constexpr std::uint8_t kCustomMode = 0x01, kHil = 0x20, kArmed = 0x80;  // of MAV_MODE_FLAG
constexpr std::uint8_t kQuadrotor = 2, kPx4 = 12;
constexpr std::uint16_t kSetMessageInterval = 511;

// gains for assets/vehicles/px4_iris.yaml: 1.5 rad/s in height, 8 rad/s in roll and pitch
constexpr double kHover = 0.5, kHeightGain = 0.115, kClimbGain = 0.138;
constexpr double kRollGain = 0.29, kRollRateGain = 0.058, kPitchGain = 0.42, kPitchRateGain = 0.083, kYawRateGain = 0.11;

}  // namespace

// ---------------------------------------------------------------- messages

template <class M> void StandInBoard::add(const M& message, mavlink::Bytes& out) {
  for (std::size_t k = 0; k < settings_.noise; ++k) {
    noise_ = noise_ * 1664525 + 1013904223;
    out.push_back(static_cast<std::byte>(noise_ >> 24));
  }
  writer_.append(message, out);
}

void StandInBoard::received(std::span<const std::byte> bytes, double now, mavlink::Bytes& out) {
  parser_.feed(bytes, [&](const mavlink::Frame& frame) {
    if (frame.id == mavlink::HilSensor::kId) sample(mavlink::decode<mavlink::HilSensor>(frame), out);
    if (frame.id == mavlink::HilGps::kId) climb_ = -0.01 * mavlink::decode<mavlink::HilGps>(frame).vd;
    if (frame.id == mavlink::Timesync::kId)
      if (const auto t = mavlink::decode<mavlink::Timesync>(frame); t.tc1 == 0)
        add(mavlink::Timesync{.tc1 = static_cast<std::int64_t>(now * 1e9) + 1, .ts1 = t.ts1}, out);
    if (frame.id == mavlink::CommandLong::kId)
      if (const auto c = mavlink::decode<mavlink::CommandLong>(frame); c.command == kSetMessageInterval && c.param1 == mavlink::HilActuatorControls::kId)
        wished_ = c.param2;
  });
}

void StandInBoard::beat(double now, mavlink::Bytes& out) {
  if (now >= heartbeat_due_) {
    heartbeat_due_ = now + 1;
    const auto mode = static_cast<std::uint8_t>(kCustomMode | (settings_.is_hil ? kHil : 0));
    add(mavlink::Heartbeat{.type = kQuadrotor, .autopilot = kPx4, .base_mode = mode}, out);
  }
  if (settings_.own_period <= 0 || now < outputs_due_) return;
  outputs_due_ = std::max(outputs_due_ + settings_.own_period, now);
  add_outputs(static_cast<std::uint64_t>(now * 1e6) | 1, out);  // odd: never a time of ours
}

// ---------------------------------------------------------------- flight

void StandInBoard::sample(const mavlink::HilSensor& sensor, mavlink::Bytes& out) {
  const double dt = samples_ > 0 && sensor.time_usec > time_us_ ? 1e-6 * static_cast<double>(sensor.time_usec - time_us_) : 0;
  time_us_ = sensor.time_usec;
  ++samples_;
  estimate(sensor, dt);
  if (settings_.own_period <= 0) add_outputs(sensor.time_usec, out);
}

void StandInBoard::estimate(const mavlink::HilSensor& sensor, double dt) {
  rate_F_[0] = sensor.xgyro, rate_F_[1] = sensor.ygyro, rate_F_[2] = sensor.zgyro;
  const bool has_barometer = (sensor.fields_updated & SensorBits::kBarometer) == SensorBits::kBarometer;
  if (has_barometer) altitude_ = static_cast<double>(sensor.pressure_alt), ++altitudes_;
  if (samples_ <= static_cast<std::uint64_t>(settings_.arm_after)) {
    // at rest and level: where the ground is
    if (has_barometer) ground_ += (altitude_ - ground_) / static_cast<double>(altitudes_);
    return;
  }
  roll_ += rate_F_[0] * dt;
  pitch_ += rate_F_[1] * dt;
  height_ += (climb_ + (altitude_ - ground_ - height_)) * dt;
}

void StandInBoard::add_outputs(std::uint64_t time_us, mavlink::Bytes& out) {
  mavlink::HilActuatorControls message;
  message.time_usec = time_us;
  const bool is_armed = samples_ > static_cast<std::uint64_t>(settings_.arm_after);
  message.mode = static_cast<std::uint8_t>(kCustomMode | kHil | (is_armed ? kArmed : 0));
  if (is_armed) {
    const double lift = std::clamp(kHover + kHeightGain * (settings_.height - height_) - kClimbGain * climb_, 0.2, 0.8);
    const double roll = -kRollGain * roll_ - kRollRateGain * rate_F_[0], pitch = -kPitchGain * pitch_ - kPitchRateGain * rate_F_[1];
    const double yaw = -kYawRateGain * rate_F_[2];
    // front right, rear left, front left, rear right
    const double u[4] = {lift - roll + pitch + yaw, lift + roll - pitch + yaw, lift + roll + pitch - yaw, lift - roll - pitch - yaw};
    for (std::size_t k = 0; k < 4; ++k) message.controls[k] = static_cast<float>(std::clamp(u[k], 0.0, 1.0));
  }
  add(message, out);
}

// ---------------------------------------------------------------- a line

void PtyLine::plug() {
  master_ = FileHandle(::posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
  char name[128] = "";
  const bool is_made = master_.is_open() && ::grantpt(master_.fd()) == 0 && ::unlockpt(master_.fd()) == 0 && ::ptsname_r(master_.fd(), name, sizeof name) == 0;
  core::require(is_made, "the system has no pseudo terminal left");
  std::error_code ignored;
  std::filesystem::remove(device(), ignored);
  std::filesystem::create_symlink(name, device());
}

void PtyLine::unplug() {
  std::error_code ignored;
  std::filesystem::remove(device(), ignored);
  master_ = FileHandle();
}

bool PtyLine::wait(double seconds) const {
  pollfd ready{.fd = master_.fd(), .events = POLLIN, .revents = 0};
  ::poll(&ready, 1, static_cast<int>(seconds * 1000));
  if ((ready.revents & POLLIN) != 0) return true;
  // a terminal that nobody has opened hangs up at once
  if (ready.revents != 0) std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  return false;
}

mavlink::Bytes PtyLine::read() const {
  mavlink::Bytes out(4096);
  const ssize_t n = ::read(master_.fd(), out.data(), out.size());
  out.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  return out;
}

// a device that nobody reads loses what it says, as a line without flow control does
std::size_t PtyLine::write(std::span<const std::byte> bytes) const {
  const ssize_t n = bytes.empty() ? 0 : ::write(master_.fd(), bytes.data(), bytes.size());
  return n > 0 ? static_cast<std::size_t>(n) : 0;
}

PtyBoard::PtyBoard(StandInSettings settings) : board_(settings), thread_([this] { serve(); }) {}

PtyBoard::~PtyBoard() {
  is_over_ = true;
  thread_.join();
}

void PtyBoard::serve() {
  bool is_plugged = true;
  while (!is_over_) {
    if (const bool wanted = is_plugged_; wanted != is_plugged) {
      is_plugged = wanted;
      is_plugged ? line_.plug() : line_.unplug();
    }
    if (!is_plugged) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const mavlink::Bytes in = is_plugged && line_.wait(0.001) ? line_.read() : mavlink::Bytes{};
    mavlink::Bytes out;
    board_.received(in, runner::steady_now(), out);
    board_.beat(runner::steady_now(), out);
    samples_ = board_.samples();
    if (is_plugged && !is_stalled_) line_.write(out);
  }
}

}  // namespace volary::autopilot
