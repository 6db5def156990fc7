// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// No log may crash its reader, nor the flight that is made of it. Seeds are made here. As a libFuzzer target the first byte says which reader it is for; with
// -DVOLARY_FUZZ_MAIN it is a program that mutates by itself, and one that writes the seeds for the other:
//
//   fuzz_logs ulog|dataflash|flight [iterations = 10000] [seed = 1]
//   fuzz_logs seeds FOLDER
#ifdef VOLARY_FUZZ
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "fuzz_support.hpp"
#include "logs/log_test_support.hpp"
#include "logs/track.hpp"

namespace volary::fuzz {

namespace {

std::vector<std::string> flight_seeds() { return {logs::flight_bytes(logs::load_flight(logs::make_dataflash({.seconds = 1}), "a").value())}; }

// whatever comes of a log is looked at as a world would
bool fly(const core::Result<logs::Flight>& flight) {
  if (!flight) return false;
  if (const auto again = logs::read_flight(logs::flight_bytes(flight.value()), "a"); !again) std::abort();
  logs::Track track{.flight = std::make_shared<const logs::Flight>(flight.value())};
  logs::put_on_earth(track, {47, 8, 400});
  for (const double t : {-1.0, 0.0, 0.5, 1.0, 1e6}) {
    for (const double x : logs::state_at(track, t).position_W)
      if (!(x - x == 0)) std::abort();
    logs::mode_at(track, t);
    logs::notes_between(track, t, t + 0.1);
  }
  return true;
}
bool try_log(const std::string& bytes, core::Result<logs::Log> (*read)(std::span<const std::byte>, const std::string&)) {
  const auto log = read(logs::bytes_of(bytes), "a");
  if (!log) return false;
  for (const logs::Table& t : log.value().tables)
    for (std::size_t row = 0; row < t.rows() && row < 3; ++row)
      for (const logs::Column& c : t.columns) t.number(row, c, c.count - 1), t.text(row, c);
  log.value().warnings();
  return fly(logs::flight_of(log.value()));
}
bool try_ulog(const std::string& bytes) { return try_log(bytes, logs::read_ulog); }
bool try_dataflash(const std::string& bytes) { return try_log(bytes, logs::read_dataflash); }
bool try_flight(const std::string& bytes) { return fly(logs::read_flight(bytes, "a")); }

constexpr Target kTargets[] = {{"ulog", [] { return std::vector{logs::make_ulog({.seconds = 1})}; }, try_ulog},
                               {"dataflash", [] { return std::vector{logs::make_dataflash({.seconds = 1})}; }, try_dataflash},
                               {"flight", flight_seeds, try_flight}};

}  // namespace

}  // namespace volary::fuzz

#ifdef VOLARY_FUZZ_MAIN
int main(int argc, char** argv) { return volary::fuzz::run(volary::fuzz::kTargets, argc, argv); }
#else
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) { return volary::fuzz::read_one(volary::fuzz::kTargets, data, size); }
#endif
#endif
