// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Small logs for tests, made of our own bytes: a writer of DataFlash, and the same flight as both autopilots would log it.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "core/bytes.hpp"
#include "logs/log.hpp"
#include "logs/ulog_writer.hpp"
#include "math/functions.hpp"

namespace volary::logs {

inline std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text.data(), text.size())); }

class DataflashWriter {
 public:
  DataflashWriter() { format(128, 89, "FMT", "BBnNZ", "Type,Length,Name,Format,Columns"); }
  void format(std::uint8_t type, std::uint8_t length, std::string_view name, std::string_view letters, std::string_view columns) {
    begin(128);
    put(type), put(length), text(name, 4), text(letters, 16), text(columns, 64);
  }
  void begin(std::uint8_t type) { put(std::uint8_t{0xa3}), put(std::uint8_t{0x95}), put(type); }
  template <class T> void put(T x) {
    const std::size_t at = out.size();
    out.resize(at + sizeof x);
    std::memcpy(out.data() + at, &x, sizeof x);
  }
  void text(std::string_view s, std::size_t n) {
    std::string padded(s.substr(0, n));
    padded.resize(n, '\0');
    out += padded;
  }
  template <class... T> void row(std::uint8_t type, T... numbers) {
    begin(type);
    (put(numbers), ...);
  }
  std::string out;
};

// A circle of 10 m about (20 m north, 5 m east), 10 m up, one turn in 20 s, with the nose along the way; 30 samples in a second.
struct TestCircle {
  static constexpr double kRate = 0.3141592653589793;  // rad/s
  double north, east, down, vn, ve, yaw;               // m, m/s, rad

  explicit TestCircle(double t) {
    double s, c;
    math::sincos(kRate * t, s, c);
    north = 20 + 10 * c, east = 5 + 10 * s, down = -10;
    vn = -10 * kRate * s, ve = 10 * kRate * c;
    yaw = kRate * t + 1.5707963267948966;
  }
};

struct TestLogOptions {
  double seconds = 20, rate = 30;
  double gap_from = 1e9, gap_to = 1e9;  // s without anything
  bool utc = true;
};

inline std::string make_ulog(const TestLogOptions& o = {}) {
  constexpr std::uint64_t kBoot = 5'000'000;  // us before the first position
  UlogWriter w(kBoot);
  w.format(
      "vehicle_local_position:uint64_t timestamp;double ref_lat;double ref_lon;float x;float y;float z;float vx;float vy;float vz;float ref_alt;bool "
      "xy_valid;bool z_valid;bool xy_global;uint8_t[4] _padding0;");
  w.format("vehicle_attitude:uint64_t timestamp;float[4] q;");
  w.format("vehicle_angular_velocity:uint64_t timestamp;float[3] xyz;");
  w.format("vehicle_status:uint64_t timestamp;uint8_t arming_state;uint8_t nav_state;uint8_t vehicle_type;");
  w.format("vehicle_gps_position:uint64_t timestamp;uint64_t time_utc_usec;");
  w.info("sys_name", "PX4");
  w.info("ver_hw", "TEST");
  w.parameter("MPC_XY_VEL_MAX", 12.5f);
  w.parameter("SYS_AUTOSTART", std::int32_t{4001});
  const auto position = w.subscribe("vehicle_local_position"), attitude = w.subscribe("vehicle_attitude"), rates = w.subscribe("vehicle_angular_velocity"),
             status = w.subscribe("vehicle_status"), satellites = w.subscribe("vehicle_gps_position");
  const auto state = [&](std::uint64_t time, int arming, int mode) {
    core::ByteWriter row;
    row.put(time), row.put(static_cast<std::uint8_t>(arming)), row.put(static_cast<std::uint8_t>(mode)), row.put(std::uint8_t{1});
    w.data(status, row);
  };
  for (int k = 0; k <= static_cast<int>(o.seconds * o.rate); ++k) {
    const double t = k / o.rate;
    if (t > o.gap_from && t < o.gap_to) continue;
    const std::uint64_t now = kBoot + static_cast<std::uint64_t>(t * 1e6 + 0.5);
    const TestCircle c(t);
    core::ByteWriter p, q, r;
    p.put(now), p.put(47.4), p.put(8.5);
    for (const double x : {c.north, c.east, c.down, c.vn, c.ve, 0.0, 450.0}) p.put(static_cast<float>(x));
    for (int n = 0; n < 3; ++n) p.put(std::uint8_t{1});
    w.data(position, p);
    double sine, cosine;
    math::sincos(0.5 * c.yaw, sine, cosine);
    q.put(now);
    for (const double x : {cosine, 0.0, 0.0, sine}) q.put(static_cast<float>(x));
    w.data(attitude, q);
    r.put(now);
    for (const double x : {0.0, 0.0, TestCircle::kRate}) r.put(static_cast<float>(x));
    w.data(rates, r);
    if (k == 0) state(now, 1, 4), w.line(6, now, "hello");
    if (k == 30) state(now, 2, 17);
    if (k == 90) state(now, 2, 3), w.sync();
    if (k == 45 && o.utc) {
      core::ByteWriter row;
      row.put(now), row.put(std::uint64_t{1'700'000'000'000'000} + now - kBoot);
      w.data(satellites, row);
    }
  }
  return w.take_text();
}

inline std::string make_dataflash(const TestLogOptions& o = {}) {
  constexpr std::uint64_t kBoot = 7'000'000;
  constexpr double kDegrees = 57.29577951308232;
  DataflashWriter w;
  w.format(10, 3 + 8 + 1 + 24, "XKF1", "QBffffff", "TimeUS,C,VN,VE,VD,PN,PE,PD");
  w.format(11, 3 + 8 + 6, "ATT", "QccC", "TimeUS,Roll,Pitch,Yaw");
  w.format(12, 3 + 8 + 1 + 12, "IMU", "QBfff", "TimeUS,I,GyrX,GyrY,GyrZ");
  w.format(13, 3 + 8 + 3, "MODE", "QMBB", "TimeUS,Mode,ModeNum,Rsn");
  w.format(14, 3 + 8 + 1, "ARM", "QB", "TimeUS,ArmState");
  w.format(15, 3 + 8 + 64, "MSG", "QZ", "TimeUS,Message");
  w.format(16, 3 + 8 + 1 + 12, "ORGN", "QBLLe", "TimeUS,Type,Lat,Lng,Alt");
  w.format(17, 3 + 8 + 1 + 6, "GPS", "QBIH", "TimeUS,Status,GMS,GWk");
  w.format(18, 3 + 8 + 16 + 4, "PARM", "QNf", "TimeUS,Name,Value");
  w.begin(15), w.put(kBoot), w.text("ArduCopter V4.5.1 (deadbeef)", 64);
  w.begin(18), w.put(kBoot), w.text("WPNAV_SPEED", 16), w.put(500.0f);
  w.row(16, kBoot, std::uint8_t{0}, std::int32_t{474000000}, std::int32_t{85000000}, std::int32_t{45000});
  for (int k = 0; k <= static_cast<int>(o.seconds * o.rate); ++k) {
    const double t = k / o.rate;
    if (t > o.gap_from && t < o.gap_to) continue;
    const std::uint64_t now = kBoot + static_cast<std::uint64_t>(t * 1e6 + 0.5);
    const TestCircle c(t);
    const auto f = [](double x) { return static_cast<float>(x); };
    w.row(10, now, std::uint8_t{0}, f(c.vn), f(c.ve), 0.0f, f(c.north), f(c.east), f(c.down));
    w.row(10, now, std::uint8_t{1}, 0.0f, 0.0f, 0.0f, 1e3f, 1e3f, 1e3f);  // another core
    const double degrees = c.yaw * kDegrees;
    w.row(11, now, std::int16_t{0}, std::int16_t{0}, static_cast<std::uint16_t>((degrees >= 360 ? degrees - 360 : degrees) * 100 + 0.5));
    w.row(12, now, std::uint8_t{0}, 0.0f, 0.0f, f(TestCircle::kRate));
    if (k == 0) w.row(13, now, std::uint8_t{5}, std::uint8_t{5}, std::uint8_t{1});
    if (k == 30) w.row(14, now, std::uint8_t{1});
    if (k == 90) w.row(13, now, std::uint8_t{3}, std::uint8_t{3}, std::uint8_t{1});
    // 1 700 000 000 s since 1970 is week 2288 of GPS, 252818 s of it with 18 leap seconds
    if (k == 45 && o.utc) w.row(17, now, std::uint8_t{3}, static_cast<std::uint32_t>(252'818'000 + (now - kBoot) / 1000), std::uint16_t{2288});
  }
  return w.out;
}

}  // namespace volary::logs
