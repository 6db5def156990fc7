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

std::string flight_seed() { return logs::flight_bytes(logs::load_flight(logs::make_dataflash({.seconds = 1}), "a").value()); }

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

struct Reader {
  const char* name;
  std::string (*seed)();
  bool (*read)(const std::string&);
};
constexpr Reader kReaders[] = {{"ulog", [] { return logs::make_ulog({.seconds = 1}); }, try_ulog},
                               {"dataflash", [] { return logs::make_dataflash({.seconds = 1}); }, try_dataflash},
                               {"flight", flight_seed, try_flight}};

}  // namespace

}  // namespace volary::fuzz

#ifdef VOLARY_FUZZ_MAIN
int main(int argc, char** argv) {
  using namespace volary::fuzz;
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "seeds" && argc > 2) {
    std::filesystem::create_directories(argv[2]);
    for (std::size_t k = 0; k < std::size(kReaders); ++k)
      std::ofstream(std::string(argv[2]) + "/" + kReaders[k].name, std::ios::binary) << static_cast<char>(k) << kReaders[k].seed();
    return 0;
  }
  for (const Reader& reader : kReaders) {
    if (what != reader.name) continue;
    const long iterations = argc > 2 ? std::atol(argv[2]) : 10'000;
    Random random{argc > 3 ? static_cast<std::uint64_t>(std::atoll(argv[3])) : 1};
    const std::string seed = reader.seed();
    if (!reader.read(seed)) return std::fprintf(stderr, "the seed of %s is refused\n", reader.name), 1;
    long accepted = 0;
    for (long i = 0; i < iterations; ++i) {
      std::string bytes = seed;
      for (std::size_t n = 1 + random.below(random.below(8) == 0 ? 30 : 4); n > 0; --n) mutate_bytes(bytes, random);
      // kept until the next one, so that a crash leaves its cause behind
      if (const char* file = std::getenv("VOLARY_FUZZ_LAST")) std::ofstream(file, std::ios::binary) << bytes;
      accepted += reader.read(bytes) ? 1 : 0;
    }
    std::printf("%s: %ld files, %ld accepted\n", reader.name, iterations, accepted);
    return 0;
  }
  std::fprintf(stderr, "fuzz_logs ulog|dataflash|flight [iterations] [seed], or fuzz_logs seeds FOLDER\n");
  return 2;
}
#else
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace volary::fuzz;
  if (size > 0) kReaders[data[0] % std::size(kReaders)].read(std::string(reinterpret_cast<const char*>(data) + 1, size - 1));
  return 0;
}
#endif
#endif
