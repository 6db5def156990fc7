// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A world, or a batch of equal worlds, that is stepped. step(n) is the primitive: time never advances
// unasked. The same definition and seed give the same bits whatever the options.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "volary/def.hpp"
#include "volary/input.hpp"

namespace volary {

// How to run, never what to run: no option here changes a result.
struct RunOptions {
  int threads = 1;
  int lanes = 0;               // floats side by side: 1, 4, 8, 16; 0: the widest this CPU has
  bool optimised = true;       // false: kernels built without optimisation, to compare with
  bool hash_every_tick = false;
  bool profile = false;
  bool force_split = false;   // split every stage over the threads, however small
};

enum class Dtype { Float32, Float64, Uint32, Uint64 };

// A column where it lies: element (block, lane, component) is at
// pointer + block * strides[0] + lane * strides[1] + component * strides[2] bytes.
// Valid until `generation` changes (a flock grew); rows past n are padding.
struct View {
  const void* pointer = nullptr;
  Dtype dtype = Dtype::Float32;
  std::size_t shape[3] = {0, 16, 0};    // blocks, 16, components
  std::ptrdiff_t strides[3] = {0, 0, 0};  // bytes
  std::size_t n = 0;                    // slots in use
  int device = -1;                      // -1: host memory
  std::uint64_t generation = 0;

  double at(std::size_t slot, std::size_t component = 0) const;  // as double, for reading a few
};

// what a column is called and means
struct ColumnDoc {
  std::string name, unit, frame, doc;
  int components = 1;
};

inline constexpr std::uint32_t kEveryWorld = 0xffffffffu;

struct Event {
  std::uint64_t tick = 0;
  VehicleId vehicle;
  std::string name;  // of the vehicle
  std::string what;  // diverged, landed, spawned, removed, refused: ...
  std::uint32_t world = kEveryWorld;  // of the batch, from 0
};

struct StageTime {
  std::string stage;
  double seconds = 0;
};

struct Tracking {
  double max = 0, mean_square = 0;  // m, m2
  std::uint64_t samples = 0;
};

// How a task of the mission stands: swarm/tasks/judge.hpp.
struct TaskStanding {
  std::string name;
  bool required = true;
  // open: not true. holding: a safety task, which can only be lost, and has not been so far; at the end of the run it is done. done: true, and may
  // reopen. failed: for good.
  std::string state;
  std::uint64_t since = 0; // tick
  std::string detail;      // "3 of 4 arrived; nearest missing 0.42 m"
};

// What a vehicle is about: the logical side of it, for people to look at.
struct Mind {
  struct Behaviour {
    std::string kind;
    double weight = 0, trigger = 0;
    bool active = false, chosen = false;
  };
  std::vector<Behaviour> behaviours;
  std::vector<VehicleId> hears;  // those it remembers from what they said
  std::vector<VehicleId> sees;
};

// A field of the scenario that SetField can change, as it is now.
struct LiveValue {
  std::string path, value, unit, doc;
  double min = 0, max = 0;           // of a number, or of each number of a list; infinite: none
  std::vector<std::string> choices;  // where only these are possible
};

// What became of everything that was said.
struct RadioReport {
  std::uint64_t sent = 0;
  std::vector<std::pair<std::string, std::uint64_t>> fates;  // delivered, and lost by reason
  // receivers in reach by their distance from the sender when it began to send, and the outcomes there
  struct Distance {
    double from = 0, to = 0;  // m
    std::uint64_t receivers = 0;
    std::vector<std::pair<std::string, std::uint64_t>> outcomes;
  };
  std::vector<Distance> by_distance;  // the nearest first; distances without receivers are left out
};

// What became of a message at one receiver, for people to look at.
struct Heard {
  std::uint64_t tick = 0;           // when it was said
  VehicleId sender, receiver;       // no receiver: it was never sent, or nobody was within reach
  std::uint32_t topic = 0;          // swarm/message.hpp
  const char* fate = "";            // as RadioReport names them
  bool delivered = false;
  double sinr = 0;                  // dB at the worst moment; 0 where the model knows no powers
};

// A kind of stimulus that somebody gives off now.
struct StimulusKind {
  std::string name, unit;
  std::vector<VehicleId> sources;
};

// How the swarm did as a whole: docs/radio.md. What is absent was never looked at, or nobody was there to look at. Ages and pieces are looked at once
// in every second of simulated time, from metrics_from on, in every world of the batch.
struct SwarmReport {
  std::uint64_t looks = 0;
  std::optional<double> age_mean, age_worst;         // s, of what a vehicle knows of another, over those that know each other and looks
  std::optional<double> pieces_mean, largest_mean;   // pieces of the graph of who knows of whom; share of those who speak in the largest
  std::optional<std::uint64_t> pieces_most;          // at worst
  std::optional<double> largest_least;               // at worst
  std::optional<double> algebraic_connectivity;      // of that graph now, in the first world, up to 200 vehicles
  std::optional<double> delivery_ratio, worst_delivery_ratio;  // at receivers in reach: of all that was said; of the sender still there whose messages fared worst
  VehicleId worst_sender;
  std::optional<double> nearest, nearest_time;       // m, s: two vehicles that can touch, at any tick; absent when none came within a metre of touching
  std::uint64_t meetings = 0;                        // times that two such vehicles began to touch

  friend bool operator==(const SwarmReport&, const SwarmReport&) = default;
};

class Snapshot;

class World {
 public:
  // an empty pointer and a message when the definition cannot be run
  static std::unique_ptr<World> create(const WorldDef& def, const RunOptions& options, std::string* error);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  void step(std::uint64_t ticks = 1);
  std::uint64_t tick() const;
  double time() const;  // s
  const WorldDef& def() const;

  // 64 bits over all that decides the future, equal on every machine
  std::uint64_t hash() const;
  std::uint64_t hash_of(VehicleId id) const;  // of one vehicle alone
  std::uint64_t hash_of_world(std::uint32_t world) const;  // of the vehicles of one world: in a batch the same as alone

  // inputs for the next or a later tick; seq is counted here when it is 0. What cannot be right whatever the state is (numbers that are not finite or
  // out of bounds, flocks, paths and worlds that are not there) is refused here; what does not fit a vehicle when it is applied becomes an event.
  Submitted submit(Input input, Late late = Late::Move);
  std::vector<Input> pending_inputs() const;  // those still to be applied, in order
  std::uint64_t late_inputs() const;          // that were moved to a later tick so far
  // for a recorder: keep what is submitted, in the order of its coming, until it is taken. A new world keeps it up to
  // its first step, so that a recorder that comes before has everything that is not in the definition.
  void keep_submitted(bool keep);
  std::vector<Input> take_submitted();

  std::size_t n_vehicles() const;  // alive
  double radius_of(VehicleId id) const;  // m, of the sphere around the vehicle: contact.radius, or the size of its airframe; 0 for an unknown vehicle
  // a vehicle by its name, its plain number or its whole id in decimal digits; none when nobody alive is called that. Names are looked for in one world.
  VehicleId find(const std::string& name_or_number, std::uint32_t world = 0) const;
  std::vector<VehicleId> vehicles(const std::string& flock = "") const;
  std::uint64_t roster_version() const;  // changes whenever a vehicle comes, goes or stops
  std::uint32_t world_of(VehicleId id) const;  // which world of the batch
  bool is_alive(VehicleId id) const;     // it is still part of the world, be it as a wreck
  bool has_crashed(VehicleId id) const;  // with contact: crash
  std::string name_of(VehicleId id) const;
  Mode mode_of(VehicleId id) const;
  Vec position_of(VehicleId id) const;
  Vec velocity_of(VehicleId id) const;

  std::vector<std::string> flocks() const;
  std::vector<ColumnDoc> columns(const std::string& flock) const;
  // a name that is not there throws std::invalid_argument with what was probably meant; find_view gives nothing instead
  View view(const std::string& flock, const std::string& column) const;
  std::optional<View> find_view(const std::string& flock, const std::string& column) const;
  std::size_t slot_of(VehicleId id) const;  // its place in the columns of its flock
  std::size_t bytes() const;                // memory of all columns

  std::shared_ptr<const Snapshot> snapshot() const;
  // false, a message, and nothing changed when the snapshot is of another world. Inputs that wait come back with it; those applied since do not.
  bool restore(const Snapshot& snapshot, std::string* error = nullptr);
  // the same as bytes that a file can keep; what is read is checked, and refused when it is of another world
  static std::vector<std::byte> snapshot_bytes(const Snapshot& snapshot);
  std::shared_ptr<const Snapshot> read_snapshot(std::span<const std::byte> bytes, std::string* error) const;
  std::unique_ptr<World> branch(const RunOptions& options) const;  // a copy that goes its own way

  // How the tasks stand, in the order of the definition. The run ends at planned_ticks(): from then on nothing is only holding.
  std::vector<TaskStanding> tasks(std::uint32_t world = 0) const;
  std::vector<TaskStanding> standings() const;               // over all worlds of the batch: each task as in the world where it stands worst
  bool mission_accomplished(std::uint32_t world = 0) const;  // if the run ended now: no required task is open or failed
  Mind mind_of(VehicleId id) const;
  std::vector<LiveValue> fields_of(VehicleId id) const;              // of its flock; of nobody: of radio and environment
  std::string why_not(VehicleId target, const SetField& field) const;  // it cannot be set now; empty: it can
  std::string why_not(const Input& input) const;                       // submit() would refuse it, or its target is not there; empty: neither
  RadioReport radio() const;
  std::vector<Heard> heard() const;  // what was settled in the last tick
  std::vector<StimulusKind> stimuli(std::uint32_t world = 0) const;
  double stimulus_at(const std::string& kind, const Vec& position_W, std::uint32_t world = 0) const;  // in the kind's unit; 0 where it is not known
  AirSample air_at(const Vec& position_W, std::uint32_t world = 0) const;  // now
  const EnvironmentDef& environment() const;  // as it is now: that of the definition, and what was changed since
  SwarmReport swarm_report() const;

  std::vector<Event> take_events();
  std::vector<StageTime> profile() const;
  Tracking tracking() const;  // distance between setpoint and position of guided vehicles, now
  const char* backend() const;
  std::string program_of(const std::string& flock) const;

 private:
  World();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// the duration of a scenario in ticks, at least one
std::uint64_t planned_ticks(const WorldDef& def);

// the widths this binary has and this CPU runs; names those it lacks
std::vector<int> available_lanes();

}  // namespace volary
