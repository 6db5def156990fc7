// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Layer 1 of a recording: what is needed to fly it again to the same bit. The head (JSON), inputs with the tick at which
// they were given, a hash per tick, the roster, events and metrics, each to and from the payload of a block.
//
// Lists are counted over the whole file. A block of a list says the number of its first entry, and a block of hashes how
// many entries of each list had been written by then: a reader knows exactly what damage took.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/bytes.hpp"
#include "core/result.hpp"
#include "replay/view_codec.hpp"
#include "scenario/files.hpp"
#include "volary/input.hpp"
#include "volary/world.hpp"

namespace volary::replay {

struct FlockHead {
  std::string name, airframe, model;
};

// Of the head and of inputs. Format 1 had no places in spawned vehicles, and runs of it fly otherwise today: they are looked at and exported, not flown again.
inline constexpr int kFormat = 2;

struct Head {
  int format = kFormat;
  std::string program;  // version that wrote it
  std::string scenario, description;
  std::uint64_t seed = 0;
  std::int64_t tick_ns = 0;
  std::string precision;         // "float" or "double"
  std::uint64_t start_tick = 0;  // above 0: it goes on from a moment of another run
  bool continues = false;        // it begins with its first checkpoint and not with the scenario, even at tick 0
  double duration = 0;           // s, planned, from tick 0
  int worlds = 1;
  std::uint64_t vehicles = 0;  // at the start
  std::int64_t started = 0;    // s since 1970, wall clock
  bool view = true;
  Bounds bounds;
  std::vector<FlockHead> flocks;
  scenario::Bundle bundle;  // empty for a world that no file made
  std::string extra;        // JSON of whoever recorded, or empty

  double tick_seconds() const { return static_cast<double>(tick_ns) * 1e-9; }
};
std::string head_to_json(const Head& head);
core::Result<Head> head_from_json(std::span<const std::byte> json);

inline constexpr std::uint64_t kNever = ~std::uint64_t{0};

inline constexpr std::uint8_t kUnknownMode = 15;
inline constexpr std::size_t kMostModes = std::size_t{1} << 22;  // changes of one recording that a reader keeps

// a flight mode (volary::Mode), from a tick on
struct ModeChange {
  std::uint64_t tick = 0;
  std::uint8_t mode = kUnknownMode;
};

struct RosterEntry {
  std::uint64_t id = 0;
  std::string name;
  std::uint32_t flock = 0, world = 0;
  std::uint64_t spawn_tick = 0;         // the first tick whose state has it
  std::uint64_t removal_tick = kNever;  // the first tick whose state has it no more
  std::vector<ModeChange> modes = {};   // by tick; empty in a recording without a view
};
struct RecordedInput {
  std::uint64_t given = 0;  // tick of the world when it was submitted
  Input input;
};
struct Metric {
  std::uint64_t tick = 0;
  std::string name;
  double value = 0;
  std::string unit;
};
struct Counts {
  std::uint64_t inputs = 0, roster = 0, events = 0, metrics = 0;
};

// a list of binary records: number of the first, how many, records
struct RecordList {
  std::uint64_t n = 0;
  core::ByteWriter bytes;
  std::vector<std::byte> payload(std::uint64_t first) const;
};
void add_input(RecordList& list, std::uint64_t given, const Input& in);
void add_spawn(RecordList& list, std::uint32_t index, const RosterEntry& entry);
void add_removal(RecordList& list, std::uint32_t index, std::uint64_t tick);

// vehicles with successive indices that begin the same mode
struct ModeRange {
  std::uint32_t index = 0, count = 0;
  std::uint8_t mode = kUnknownMode;
};
void add_modes(RecordList& list, const ModeRange& range, std::uint64_t tick);

std::vector<std::byte> events_payload(std::uint64_t first, std::span<const Event> events);
std::vector<std::byte> metrics_payload(std::uint64_t first, std::span<const Metric> metrics);
std::vector<std::byte> hashes_payload(const Counts& counts, std::span<const std::uint64_t> hashes);

// what the last block of a run that ended in order says
struct EndNote {
  std::uint64_t last_tick = 0;
  Counts counts;
  std::string verdict, reason;  // of the run: "passed", "3 of 3 required tasks done"; empty: none was given
};
std::string end_to_json(const EndNote& end, const char* why);
core::Result<EndNote> read_end(std::span<const std::byte> payload);

// what the blocks gave, and whether something is missing from the lists
template <class T> struct Recovered {
  std::vector<T> list;
  std::vector<std::uint64_t> numbers;  // of the entries in the whole list
};
core::Status read_inputs(std::span<const std::byte> payload, int format, Recovered<RecordedInput>& out);
core::Status read_events(std::span<const std::byte> payload, Recovered<Event>& out);
core::Status read_metrics(std::span<const std::byte> payload, Recovered<Metric>& out);

struct RosterChange {
  enum class Kind : std::uint8_t { Spawn = 1, Removal = 2, Modes = 3 };
  Kind kind = Kind::Spawn;
  std::uint64_t tick = 0;
  std::uint32_t index = 0;
  RosterEntry entry;  // of a spawn
  ModeRange modes;
};
core::Status read_roster(std::span<const std::byte> payload, Recovered<RosterChange>& out);
core::Status read_hashes(std::span<const std::byte> payload, std::uint64_t n_ticks, Counts& counts, std::vector<std::uint64_t>& hashes);

}  // namespace volary::replay
