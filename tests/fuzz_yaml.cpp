// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// No text may crash the loader. As a libFuzzer target (clang++ -fsanitize=fuzzer,address) it is driven from
// outside; with -DVOLARY_FUZZ_MAIN it is a program that mutates the shipped and the bad files by itself:
//
//   fuzz_yaml [iterations = 10000] [seed = 1]
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "scenario/airframe.hpp"
#include "scenario/load.hpp"

namespace {

const std::string kRoot = VOLARY_SOURCE_DIR;

// as a scenario, as an airframe, and as the override of a good scenario
int try_everything(const std::string& text) {
  using namespace volary::scenario;
  Paths paths;
  paths.assets = kRoot + "/assets";
  paths.max_vehicles = 2000;  // a fuzzer finds "count: 9999999" at once
  int accepted = 0;
  const auto world = load_scenario_text(text, kRoot + "/scenarios/fuzz.yaml", paths);
  if (world)
    ++accepted;
  else if (world.error().message.empty())
    std::abort();
  const auto airframe = load_airframe_text(text, "fuzz.yaml");
  if (airframe)
    ++accepted;
  else if (airframe.error().message.empty())
    std::abort();
  static const std::string good = "flocks: [{name: a, airframe: crazyflie, vehicles: {grid: {count: 1}}}]\n";
  if (load_scenario_text(good, kRoot + "/scenarios/fuzz.yaml", paths, {text})) ++accepted;
  return accepted;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try_everything(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}

#ifdef VOLARY_FUZZ_MAIN
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "fuzz_support.hpp"

namespace {

using volary::fuzz::Random;

std::vector<std::string> read_seeds() {
  std::vector<std::filesystem::path> files;
  for (const char* folder : {"/scenarios", "/assets/vehicles", "/tests/bad"})
    for (const auto& entry : std::filesystem::directory_iterator(kRoot + folder))
      if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<std::string> seeds;
  for (const auto& file : files) {
    std::ifstream in(file, std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return seeds;
}

// what parsers trip over
const char* const kTokens[] = {
    "[",
    "]",
    "{",
    "}",
    ":",
    ": ",
    "- ",
    ",",
    "\n",
    "\n  ",
    "\t",
    "\"",
    "'",
    "|",
    ">",
    "&a ",
    "*a",
    "!!",
    "! ",
    "? ",
    "%",
    "@",
    "`",
    "#",
    "---\n",
    "...\n",
    "<<: *a",
    "~",
    "null",
    ".nan",
    "-.inf",
    "1e999",
    "-0",
    "1e-999",
    "9223372036854775808",
    "0x1F",
    "count: 0",
    "include: [fuzz.yaml]",
    "[[[[[[[[",
    "{a: {a: {a: ",
    "\xff",
    "\xef\xbb\xbf",
    "\xfe\xff",
    "count: 1999",
    "=",
    "flocks[0].",
    "list: ",
    "min_spacing: 1e-5",
    "points: [[0,0,0],[0,0,1]]",
};

}  // namespace

int main(int argc, char** argv) {
  const long iterations = argc > 1 ? std::atol(argv[1]) : 10'000;
  Random random{argc > 2 ? static_cast<std::uint64_t>(std::atoll(argv[2])) : 1};
  const std::vector<std::string> seeds = read_seeds();
  long accepted = 0;
  for (const std::string& seed : seeds) accepted += try_everything(seed);
  for (long i = 0; i < iterations; ++i) {
    std::string text = seeds[random.below(seeds.size())];
    // mostly few mutations, so that some get past the parser
    for (std::size_t n = 1 + random.below(random.below(8) == 0 ? 30 : 4); n > 0; --n) volary::fuzz::mutate_text(text, kTokens, seeds, random);
    // kept until the next one, so that a crash leaves its cause behind
    if (const char* file = std::getenv("VOLARY_FUZZ_LAST")) std::ofstream(file, std::ios::binary) << text;
    accepted += try_everything(text);
  }
  std::printf("%ld texts and %zu seeds, %ld accepted\n", iterations, seeds.size(), accepted);
  return 0;
}
#endif
