// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A flight as the bytes that recordings keep of a log: "VFLT", a version, and each list column by column. A time is the difference to the one before.
#include <bit>

#include "core/bytes.hpp"
#include "logs/flight.hpp"

namespace volary::logs {

namespace {

constexpr std::uint32_t kMagic = 0x544c4656, kVersion = 1;  // "VFLT"
constexpr std::size_t kMostText = 4096;
constexpr double kMostSeconds = 1e12;

template <class T> void put_times(core::ByteWriter& out, const std::vector<T>& list) {
  out.put(static_cast<std::uint64_t>(list.size()));
  std::int64_t before = 0;
  for (const T& x : list) out.put(x.time_us - std::exchange(before, x.time_us));
}
template <class T, class F> void put_floats(core::ByteWriter& out, const std::vector<T>& list, std::size_t n, F of) {
  for (std::size_t k = 0; k < n; ++k)
    for (const T& x : list) out.put(of(x)[k]);
}

// times only grow, and stay in bounds
template <class T> void get_times(core::ByteReader& in, std::vector<T>& list, std::size_t each) {
  list.resize(in.get_count(8 + each));
  std::int64_t time = 0;
  for (T& x : list) {
    const auto step = in.get<std::int64_t>();
    constexpr std::int64_t kMost = std::int64_t{1} << 52;
    if (step > kMost || step < -kMost || time + step > kMost || time + step < -kMost || (&x != &list.front() && step < 0)) return in.fail();
    x.time_us = time += step;
  }
}
template <class T, class F> void get_floats(core::ByteReader& in, std::vector<T>& list, std::size_t n, F of) {
  for (std::size_t k = 0; k < n; ++k)
    for (T& x : list) {
      const auto value = in.get<float>();
      if (!(value > -1e8f && value < 1e8f)) in.fail();
      of(x)[k] = value;
    }
}

}  // namespace

std::string flight_bytes(const Flight& f) {
  core::ByteWriter out;
  out.put(kMagic), out.put(kVersion);
  for (const std::string* text : {&f.vehicle, &f.firmware, &f.sources}) out.put_text(*text, kMostText);
  const Place place = f.origin.value_or(Place{});
  out.put(static_cast<std::uint8_t>(f.origin.has_value())), out.put(place.latitude), out.put(place.longitude), out.put(place.height);
  out.put(static_cast<std::uint8_t>(f.utc.has_value())), out.put(f.utc.value_or(0)), out.put(static_cast<std::uint64_t>(f.gaps)), out.put(f.longest_gap);
  put_times(out, f.fixes);
  put_floats(out, f.fixes, 3, [](const Fix& x) { return x.position; });
  put_floats(out, f.fixes, 3, [](const Fix& x) { return x.velocity; });
  put_times(out, f.turns);
  put_floats(out, f.turns, 4, [](const Turn& x) { return x.attitude; });
  put_times(out, f.rates);
  put_floats(out, f.rates, 3, [](const Rate& x) { return x.omega; });
  put_times(out, f.modes);
  for (const ModeChange& m : f.modes) out.put(static_cast<std::uint8_t>(m.mode));
  put_times(out, f.notes);
  for (const Note& n : f.notes) out.put_text(n.text, kMostText);
  out.put(static_cast<std::uint64_t>(f.warnings.size()));
  for (const std::string& text : f.warnings) out.put_text(text, kMostText);
  return std::string(reinterpret_cast<const char*>(out.bytes().data()), out.size());
}

bool is_flight(std::string_view bytes) { return bytes.starts_with("VFLT"); }

core::Result<Flight> read_flight(std::string_view bytes, const std::string& file) {
  core::ByteReader in(std::as_bytes(std::span(bytes.data(), bytes.size())));
  const auto damaged = [&] { return core::Error{.message = "is not the flight of a log, or it is damaged", .file = file}; };
  if (in.get<std::uint32_t>() != kMagic || in.get<std::uint32_t>() != kVersion) return damaged();
  Flight f;
  for (std::string* text : {&f.vehicle, &f.firmware, &f.sources}) *text = in.get_text(kMostText);
  const bool has_origin = in.get<std::uint8_t>() != 0;
  Place place;
  place.latitude = in.get<double>(), place.longitude = in.get<double>(), place.height = in.get<double>();
  if (!is_near_the_ground(place)) in.fail();
  if (has_origin) f.origin = place;
  const bool has_utc = in.get<std::uint8_t>() != 0;
  const auto utc = in.get<double>();
  if (has_utc) f.utc = utc;
  f.gaps = in.get<std::uint64_t>(), f.longest_gap = in.get<double>();
  if (!(utc > -kMostSeconds && utc < kMostSeconds && f.longest_gap >= 0 && f.longest_gap < kMostSeconds)) in.fail();
  get_times(in, f.fixes, 24);
  get_floats(in, f.fixes, 3, [](Fix& x) { return x.position.data(); });
  get_floats(in, f.fixes, 3, [](Fix& x) { return x.velocity.data(); });
  get_times(in, f.turns, 16);
  get_floats(in, f.turns, 4, [](Turn& x) { return x.attitude.data(); });
  get_times(in, f.rates, 12);
  get_floats(in, f.rates, 3, [](Rate& x) { return x.omega.data(); });
  get_times(in, f.modes, 1);
  for (ModeChange& m : f.modes) {
    const auto mode = in.get<std::uint8_t>();
    if (mode > static_cast<std::uint8_t>(Mode::EmergencyStop)) in.fail();
    m.mode = static_cast<Mode>(mode);
  }
  get_times(in, f.notes, 4);
  for (Note& n : f.notes) n.text = in.get_text(kMostText);
  f.warnings.resize(in.get_count(4));
  for (std::string& text : f.warnings) text = in.get_text(kMostText);
  if (!in.good() || in.left() > 0 || f.fixes.empty() || f.fixes.front().time_us != 0) return damaged();
  return f;
}

core::Result<Flight> load_flight(std::string_view bytes, const std::string& file) {
  if (is_flight(bytes)) return read_flight(bytes, file);
  const core::Result<Log> log = read_log(std::as_bytes(std::span(bytes.data(), bytes.size())), file);
  if (!log) return log.error();
  return flight_of(log.value());
}

}  // namespace volary::logs
