// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Stands in for a flight controller with PX4 in HIL mode where there is none: in tests and in `volary bench serial`. It speaks as a board does and hovers with a law of a
// few lines. It shows that bytes, times and failures are handled, and nothing about the flight of PX4.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <thread>

#include "autopilot/link/channel.hpp"
#include "autopilot/mavlink/frame.hpp"
#include "core/scratch_folder.hpp"

namespace volary::autopilot {

struct StandInSettings {
  double height = 2;  // m above its start, where it hovers
  int arm_after = 50;  // samples of sensors
  bool is_hil = true;  // as its heartbeat says
  double own_period = 0;  // s between outputs, by its own clock; 0: outputs answer each sample and carry its time
  std::size_t noise = 0;  // bytes before each message, which belong to none
};

// without line, clock and thread
class StandInBoard {
 public:
  explicit StandInBoard(StandInSettings settings = {}) : settings_(settings) {}

  void received(std::span<const std::byte> bytes, double now, mavlink::Bytes& out);
  void beat(double now, mavlink::Bytes& out);  // what goes by its own clock

  std::uint64_t samples() const { return samples_; }
  std::uint64_t newest_us() const { return time_us_; }  // of the sensors
  double wished_interval() const { return wished_; }  // us between outputs, as it was asked for; 0: it was not

 private:
  void sample(const mavlink::HilSensor& sensor, mavlink::Bytes& out);
  void estimate(const mavlink::HilSensor& sensor, double dt);
  void add_outputs(std::uint64_t time_us, mavlink::Bytes& out);
  template <class M> void add(const M& message, mavlink::Bytes& out);

  StandInSettings settings_;
  mavlink::Parser parser_;
  mavlink::Writer writer_{1, 1};
  std::uint64_t samples_ = 0, time_us_ = 0;
  double heartbeat_due_ = 0, outputs_due_ = 0, wished_ = 0;
  std::uint32_t noise_ = 1;
  double roll_ = 0, pitch_ = 0, rate_F_[3] = {0, 0, 0};  // rad, rad/s: small angles, by its gyroscope
  double ground_ = 0, altitude_ = 0, height_ = 0, climb_ = 0;  // m, m, m, m/s
  std::uint64_t altitudes_ = 0;  // readings of the barometer
};

// A serial line whose device is a file: a pair of pseudo terminals. The name of the device stays when it is unplugged and plugged in again.
class PtyLine {
 public:
  PtyLine() { plug(); }

  std::string device() const { return folder_.file("device"); }
  void plug();
  void unplug();
  bool wait(double seconds) const;  // false: nothing is there
  mavlink::Bytes read() const;  // what is there
  std::size_t write(std::span<const std::byte> bytes) const;  // how many the line took

 private:
  core::ScratchFolder folder_;
  FileHandle master_;
};

// The stand-in at such a line, in a thread of its own.
class PtyBoard {
 public:
  explicit PtyBoard(StandInSettings settings = {});
  ~PtyBoard();

  std::string device() const { return line_.device(); }
  std::uint64_t samples() const { return samples_; }
  void stall(bool is_stalled) { is_stalled_ = is_stalled; }  // it reads, and says nothing
  void unplug() { is_plugged_ = false; }
  void plug() { is_plugged_ = true; }

 private:
  void serve();

  PtyLine line_;
  StandInBoard board_;
  std::atomic<std::uint64_t> samples_ = 0;
  std::atomic<bool> is_stalled_ = false, is_plugged_ = true, is_over_ = false;
  std::thread thread_;
};

}  // namespace volary::autopilot
