// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A world, or a batch of equal worlds, that is stepped. Time advances only in step(n).
// The same definition and seed give the same bits with all options.
// SI units, world frame ENU (suffix _W), body frame FLU (suffix _B), angles in radians.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "volary/api.hpp"
#include "volary/def.hpp"
#include "volary/input.hpp"
#include "volary/sharing.hpp"

namespace volary {

// Options of the execution. No option changes a result.
struct RunOptions {
  int threads = 1;             // number of threads
  int lanes = 0;               // SIMD width in floats: 1, 4, 8 or 16; 0: the widest of this CPU
  bool optimised = true;       // false: kernels built without optimisation, for comparison
  bool hash_every_tick = false;  // true: the state hash is computed in every tick
  bool profile = false;        // true: the time of every stage is measured
  bool force_split = false;   // true: every stage is split over all threads, however small it is
};

// The number type of a column.
enum class Dtype { Float32, Float64, Uint32, Uint64 };

// A column in place, without a copy: element (block, lane, component) is at
// pointer + block * strides[0] + lane * strides[1] + component * strides[2] bytes.
// A view is valid until `generation` changes, which happens when a flock grows. Rows beyond n are padding.
struct View {
  const void* pointer = nullptr;
  Dtype dtype = Dtype::Float32;
  std::size_t shape[3] = {0, 16, 0};    // blocks, 16, components
  std::ptrdiff_t strides[3] = {0, 0, 0};  // bytes
  std::size_t n = 0;                    // number of slots in use
  int device = -1;                      // -1: host memory
  std::uint64_t generation = 0;

  VOLARY_API double at(std::size_t slot, std::size_t component = 0) const;  // one element as a double; slow for whole columns
};

// A column of every vehicle alive, in place and without a copy. The vehicle with the lowest id is first. The numbers of row k begin at pointer + k * components.
// It shows the state after the last tick until `generation` changes, which happens when a vehicle is added or removed.
struct FrameView {
  const void* pointer = nullptr;
  Dtype dtype = Dtype::Float64;
  std::size_t rows = 0, components = 1;
  std::uint64_t generation = 0;
};

// The name, unit, frame and description of a column or a parameter.
struct ColumnDoc {
  std::string name, unit, frame, doc;
  int components = 1;  // numbers per vehicle
};

// The value of Event::world for an event that belongs to no single world.
inline constexpr std::uint32_t kEveryWorld = 0xffffffffu;

// Something that happened in a tick, as a text.
struct Event {
  std::uint64_t tick = 0;
  VehicleId vehicle;  // none: the event belongs to no vehicle
  std::string name;  // name of the vehicle
  std::string what;  // text of the event, such as "landed" or "refused: ..."
  std::uint32_t world = kEveryWorld;  // index of the world in the batch, from 0
};

// A number that a script or a plugin plotted in the last tick (docs/scripts.md).
struct Plotted {
  VehicleId vehicle;
  std::string name;    // the column of its flock is "plot." and this name
  double value = 0;
};

// Something of a vehicle that can fail, by the name that SetFault::component has.
struct ComponentDoc {
  std::string name;              // such as "rotor[2]"
  std::string unit;              // of the amounts of bias, drift and noise; "1": a share of the greatest speed or angle
  std::vector<FaultKind> kinds;  // kinds of faults that make a difference to it
};

// A vehicle that has a condition or a fault, or that follows a failsafe.
struct Trouble {
  VehicleId vehicle = {};
  Condition condition = Condition::Fine;
  bool has_fault = false;                          // at least one of its components has a fault, which may act at times only
  FailsafeAction failsafe = FailsafeAction::None;  // the last reaction of its failsafe in this episode
};

// The time that a stage of the step has taken so far.
struct StageTime {
  std::string stage;
  double seconds = 0;
};

// The tracking errors of the guided vehicles at one tick.
struct Tracking {
  double max = 0, mean_square = 0;  // m, m2
  std::uint64_t samples = 0;        // number of vehicles
};

// The state of a task of the mission (swarm/tasks/judge.hpp).
struct TaskStanding {
  std::string name;
  bool required = true;  // false: the mission is complete without the task
  // open: the condition is not true. holding: a safety task that has not been violated so far; it is done at the end of the run. done: the condition is
  // true, and the task may open again. failed: permanently.
  std::string state;
  std::uint64_t since = 0; // tick at which this state began
  std::string detail;      // text for users, such as "3 of 4 arrived; nearest missing 0.42 m"
};

// The decision state of a vehicle, for display.
struct DecisionState {
  struct Behaviour {
    std::string kind;
    double weight = 0, trigger = 0;
    bool active = false, chosen = false;
  };
  std::vector<Behaviour> behaviours;
  std::vector<VehicleId> hears;  // vehicles whose state it remembers from their messages
  std::vector<VehicleId> sees;   // vehicles that it detects
  bool is_elsewhere = false;     // another process simulates the vehicle: triggers, active and chosen are unknown here
};

// A request of the behaviours of a vehicle to the autopilot that flies it (FlockDef::piloted). The fields in use depend on the kind.
struct GuidanceCommand {
  // None: no behaviour asks for anything. Hold: stay at the present position. The others are as in docs/behaviours.md.
  enum class Kind { None, TakeOff, Hold, Velocity, Position, Land, Disarm };
  Kind kind = Kind::None;
  Vec position_W = {0, 0, 0};  // m, of Position
  Vec velocity_W = {0, 0, 0};  // m/s, of Velocity; of Position: the velocity there, usually zero
  double yaw = 0;              // rad from east towards north, where `turns`
  bool turns = false;          // false: the vehicle keeps its yaw

  friend bool operator==(const GuidanceCommand&, const GuidanceCommand&) = default;
};

// A field of the scenario that SetField can change, with its present value.
struct LiveValue {
  std::string path, value, unit, doc;
  double min = 0, max = 0;           // bounds of a number, or of each number of a list; infinite: no bound
  std::vector<std::string> choices;  // the only possible values; empty: no such list
};

// Counts of all messages by their outcome (docs/radio.md).
struct RadioReport {
  std::uint64_t sent = 0;
  std::vector<std::pair<std::string, std::uint64_t>> outcomes;  // receptions by outcome: delivered, and lost by reason
  // receivers in reach and the outcomes there, by the distance from the sender at the start of the transmission
  struct Distance {
    double from = 0, to = 0;  // m
    std::uint64_t receivers = 0;
    std::vector<std::pair<std::string, std::uint64_t>> outcomes;
  };
  std::vector<Distance> by_distance;  // the shortest first; distances without receivers are left out
};

// The outcome of a message at one receiver, for display.
struct MessageOutcome {
  std::uint64_t tick = 0;           // tick at which the message was sent
  VehicleId sender, receiver;       // no receiver: the message was never sent, or no vehicle was in reach
  std::uint32_t topic = 0;          // hash of the topic (swarm/message.hpp)
  const char* outcome = "";         // name of the outcome, as in RadioReport
  bool delivered = false;
  double sinr = 0;                  // dB, lowest ratio of signal to interference and noise during the packet; 0 where the radio model has no powers
};

// A kind of stimulus that at least one vehicle emits now.
struct StimulusKind {
  std::string name, unit;
  std::vector<VehicleId> sources;  // vehicles that emit it
};

// Metrics of the swarm as a whole (docs/radio.md). A metric is absent when it was never sampled or when there was no vehicle to sample. Ages and connected
// components are sampled once per second of simulated time, from metrics_from on, in every world of the batch.
// The graph of neighbour states has an edge where one vehicle remembers the state of another.
struct SwarmReport {
  std::uint64_t samples = 0;                          // number of samples of ages and connected components
  std::optional<double> age_mean, age_max;            // s, age of a neighbour state, over all vehicles, neighbours and samples
  std::optional<double> components_mean;              // number of connected components of the graph of neighbour states, over all samples
  std::optional<std::uint64_t> components_max;        // greatest number of components in a sample
  std::optional<double> largest_share_mean, largest_share_min;  // share of the sending vehicles in the largest component: mean of all samples, least of a sample
  std::optional<double> algebraic_connectivity;       // of the graph of neighbour states now, in the first world, for up to 200 vehicles
  std::optional<double> delivery_ratio, worst_delivery_ratio;  // at receivers in reach: of all messages; of the present sender with the lowest ratio
  VehicleId worst_sender;                             // the sender of worst_delivery_ratio
  std::optional<double> nearest, nearest_time;        // m, s: least distance of two vehicles that can touch; absent when no two came within 1 m of touching
  std::uint64_t contacts = 0;                         // number of times that two vehicles that can touch began to touch

  friend bool operator==(const SwarmReport&, const SwarmReport&) = default;
};

// A term of the observations of an agent.
struct ObservationTerm {
  std::string name, unit, frame, doc;
  int size = 1;            // numbers of one agent; 0 in observation_terms(): as many as an action has
  std::size_t offset = 0;  // of its first number among those of the agent, where it is part of an array
  bool needs_task = false;  // true: the term is about the goal or the action of a task (volary/learning.hpp)
};
// Every term that an agent can observe.
VOLARY_API std::vector<ObservationTerm> observation_terms();

// The agents of a flock as flat arrays (docs/worlds.md). The agents of a world are its vehicles at the start, in the order of the definition.
struct AgentArraysDef {
  std::string flock;
  std::vector<std::string> observations;  // names of terms, in the order in which they are observed
  std::optional<ControlLevel> actions;    // the kind of setpoint that an action is, with the numbers of Many (volary/input.hpp); none: agents do not act
  const LearningDef* task = nullptr;      // goals, rewards, ends and scaled actions (volary/learning.hpp); none: no task. It is read in the call only
};
// The arrays themselves. They belong to the world.
struct AgentArrays {
  // [world, agent, action], read in every tick. An action whose first number is NaN, as all are at first, leaves the agent as it is. Agents that are disarmed or were
  // stopped do not act. Actions come after inputs and behaviours.
  std::span<float> actions;
  // [world, agent, feature], written in every tick and when a world is reset
  std::span<const float> observations;
  std::size_t worlds = 0, agents = 0, action_size = 0, observation_size = 0;  // agents of one world, numbers of one agent
  std::vector<ObservationTerm> terms;
  // Only with a task, [world, agent], written by each call of World::step(), which is one step of the agents. The reward is that of the step. The end is 0, or the
  // number of the first condition that held, from 1. It stays until the world is reset. 255: the vehicle diverged or was removed.
  std::span<const float> rewards;
  std::span<const std::uint8_t> ends;
  std::vector<double> action_low, action_high;  // setpoints that the actions -1 and 1 stand for; empty: actions are setpoints
};

// The whole state of a world at one tick; made by World::snapshot() and World::read_snapshot().
class Snapshot;

// Which vehicles belong to a part of a snapshot: those named, those of the flocks named and those of the worlds named.
struct PartOf {
  std::vector<VehicleId> vehicles = {};    // vehicles by id
  std::vector<std::string> flocks = {};    // names of flocks
  std::vector<std::uint32_t> worlds = {};  // indices in the batch; the states of their tasks are included, messages on the air only with `shared`
  bool shared = false;                     // includes what all vehicles share: tick, radio medium, tasks, weather, fields changed in flight
};
// The state of some vehicles at one tick; made by World::snapshot_part_into().
class SnapshotPart;

// A world, or a batch of equal worlds.
class VOLARY_API World {
 public:
  // Makes a world. Returns an empty pointer, and a message in `error`, when the definition cannot be run.
  static std::unique_ptr<World> create(const WorldDef& def, const RunOptions& options, std::string* error);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  void step(std::uint64_t ticks = 1);  // advances the world by a number of ticks
  std::uint64_t tick() const;          // number of ticks since the start
  double time() const;                 // s of simulated time
  const WorldDef& def() const;         // definition from which the world was made

  // Starts a new episode of some worlds of the batch, between two ticks. Vehicles, radio, contact, weather and tasks of these worlds are as at the start, and their
  // own tick is 0. `mask` has a byte for each world; not 0: the world is reset. `episodes` has the episode of each world; empty: the next one. Episode 0 repeats
  // the first flight bit for bit. Every other episode has its own random draws. {worlds 1, first_world k, episode e} flies world k at episode e alone. Fields changed
  // by SetField belong to all worlds and return to the definition when all are reset at once. Pending inputs of the program stay. A recording does not contain
  // resets. Throws std::invalid_argument when a list has another length. The first call takes as long as making one world.
  void reset(std::span<const std::uint8_t> mask, std::span<const std::uint32_t> episodes = {});
  std::uint64_t tick_of_world(std::uint32_t world) const;  // number of ticks since its episode began
  std::uint32_t episode_of_world(std::uint32_t world) const;

  // Keeps arrays for the agents of a flock from now on, in place of those it had. Returns false, with a message, when the flock lacks something that a term needs.
  bool use_arrays(const AgentArraysDef& def, std::string* error = nullptr);
  AgentArrays arrays(const std::string& flock) const;  // valid until use_arrays() is called for the flock; empty where it never was

  // 64-bit hash of all state that determines the future, equal on every machine
  std::uint64_t hash() const;

  // A step in two halves, for a world that several processes share; docs/federation.md describes it. share() is called before the first tick and returns false,
  // with a message, when the parts do not fit the flocks. advance() applies the inputs of the tick, which must be the same in every process, and moves the vehicles of
  // this process. It fills `frame` with what the other processes need. settle() takes the frames of all members, by member; that of this process is not read. It
  // works out contact, detection, radio and tasks between all vehicles, in every process alike. A frame that does not fit is refused, with a message, and nothing
  // has changed: settle() may be called again.
  bool share(const Sharing& sharing, std::string* error = nullptr);
  void advance(std::vector<std::byte>& frame);
  bool settle(std::span<const std::span<const std::byte>> frames, std::string* error = nullptr);
  // A process may be ahead of the frames of others, by as many ticks as the horizon of the scenario (docs/federation.md). It has two worlds of one sharing: this one,
  // which owns its vehicles, and `settled`, which owns none and is advanced and settled as above. advance_ahead() is a whole tick of the vehicles of this process. It
  // takes what others do to them from `settled`, as it was a horizon ago. Contact is assumed not to happen. Where touched_members() of `settled` names this
  // process after settle(), this world is restored to its state after that tick, and take_touched() brings what contact did.
  void advance_ahead(const World& settled, std::vector<std::byte>& frame);
  std::vector<std::uint32_t> touched_members() const;
  void take_touched(const World& settled);
  // The vehicles of a member that is gone belong to another one from the next tick on. stand_in() is given, by member, the number of the process that simulates its
  // vehicles; an empty list means every member itself. It is called in every process alike. Frames do not show the whole state of a vehicle. The input Detach or Remove therefore acts on each of these vehicles in
  // the same tick. take_vehicles() gives a world that is ahead what frames show of them; `settled` has settled the tick before.
  void stand_in(std::span<const std::uint32_t> by_member);
  std::vector<VehicleId> vehicles_of(std::uint32_t member) const;  // vehicles that a member simulates now
  void take_vehicles(const World& settled, std::uint32_t member);
  // In a live federation every process has a world of its own, in which the vehicles of others are simulated elsewhere (Assign). After a tick, report() returns
  // inputs for such worlds: states of its vehicles, messages they sent in the tick, and removals. Others may move them straight on for `straight` seconds.
  std::vector<Input> report(double straight) const;
  // Reads the poses in a frame of any tick and changes nothing. Returns false, with a message, when the frame is damaged or the member has other vehicles now.
  bool read_poses(std::span<const std::byte> frame, std::vector<FramePose>& poses, std::string* error = nullptr) const;
  // The hash of a shared world follows from the sum of own_hash() over all members: hash_with(sum) equals hash() of the same world in one process. After
  // learn_hash(sum) hash() returns it, too, until the next tick.
  std::uint64_t own_hash() const;
  std::uint64_t hash_with(std::uint64_t sum_of_own_hashes) const;
  void learn_hash(std::uint64_t sum_of_own_hashes);

  std::uint64_t hash_of(VehicleId id) const;               // hash of one vehicle
  std::uint64_t hash_of_world(std::uint32_t world) const;  // hash of the vehicles of one world, the same in a batch as alone

  // Submits an input for the next or a later tick. A seq of 0 is replaced by the next number of the source. An input that can never be valid is refused at
  // once: numbers that are not finite or out of bounds, unknown flocks, paths and worlds. An input that does not fit its vehicle when it is applied
  // becomes an event.
  Submitted submit(Input input, Late late = Late::Move);
  std::vector<Input> pending_inputs() const;  // inputs that are still to be applied, in order
  std::uint64_t late_inputs() const;          // number of inputs that were moved to a later tick so far
  // For a recorder: keeps submitted inputs, in the order of submission, until take_submitted(). A new world keeps them up to its first step. A recorder
  // that starts before that step therefore gets every input that is not in the definition.
  void keep_submitted(bool keep);
  std::vector<Input> take_submitted();  // the kept inputs, which are then forgotten

  std::size_t n_vehicles() const;  // number of vehicles alive
  double radius_of(VehicleId id) const;  // m, radius of the vehicle's sphere: contact.radius, or the size of its airframe; 0 for an unknown vehicle
  // Finds a vehicle that is alive by its name, its plain number or its whole id in decimal digits. Returns no id when there is none. A name is searched in
  // one world.
  VehicleId find(const std::string& name_or_number, std::uint32_t world = 0) const;
  std::vector<VehicleId> vehicles(const std::string& flock = "") const;  // vehicles alive of a flock; empty name: of all flocks
  std::uint64_t roster_version() const;        // changes whenever a vehicle is added, is removed or stops
  std::uint32_t world_of(VehicleId id) const;  // index of its world in the batch
  std::string flock_of(VehicleId id) const;    // name of its flock; empty for an unknown vehicle
  std::uint64_t place_of(VehicleId id) const;  // place of the vehicle in the order of its flock and world, from 1; 0 for an unknown vehicle
  bool is_alive(VehicleId id) const;           // the vehicle is still part of the world; a crashed vehicle can be
  bool has_crashed(VehicleId id) const;        // the vehicle crashed: by contact under the policy Crash, by hitting the ground too fast, or lying on it
  // Where the bodies of a joined vehicle touched something in the last substep, with the forces on it. Empty for other vehicles and before the first step.
  std::vector<ContactPoint> contacts_of(VehicleId id) const;
  VehicleId held_by(VehicleId id) const;       // the vehicle that a latch joins it with; none: it flies by itself
  Condition condition_of(VehicleId id) const;  // condition of the vehicle on the ground
  // Every vehicle with a condition, a fault or a failsafe that it follows, in the order of ids. Conditions and failsafes are known to the process that
  // simulates the vehicle.
  std::vector<Trouble> troubles() const;
  std::vector<ComponentDoc> components_of(VehicleId id) const;  // components of the vehicle that can fail; none for an unknown vehicle
  std::vector<SetFault> faults_of(VehicleId id) const;          // faults that its components have now
  std::vector<std::string> sensors_of(VehicleId id) const;      // sensors that the vehicle carries, by the names of SensorsDef
  // The random faults of a world in its present episode, in the order of time; those of WorldDef::faults.random.
  std::vector<DrawnFault> random_faults(std::uint32_t world = 0) const;
  bool is_elsewhere(VehicleId id) const;       // another process simulates the vehicle
  bool is_detached(VehicleId id) const;        // the vehicle is out of control: the input Detach acted on it
  std::string name_of(VehicleId id) const;     // name of the vehicle
  // Flight mode of the vehicle; Mission while its behaviours steer it. A piloted vehicle with behaviours is in Mission while it is armed and at least half its
  // take_off_height above the ground or obstacle below it.
  Mode mode_of(VehicleId id) const;
  GuidanceCommand guidance_of(VehicleId id) const;  // the last decision of a piloted vehicle; None for every other vehicle. It is part of snapshots
  Vec position_of(VehicleId id) const;         // m, world frame
  Vec velocity_of(VehicleId id) const;         // m/s, world frame

  std::vector<std::string> flocks() const;                         // names of the flocks
  // The columns of a flock. Numbers that its behaviours plot follow the others as "plot.NAME", each from its first use on; NaN before a vehicle's first value.
  std::vector<ColumnDoc> columns(const std::string& flock) const;
  // The view of a column. view() throws std::invalid_argument, with the nearest known name, when there is no such column; find_view() returns nothing.
  View view(const std::string& flock, const std::string& column) const;
  std::optional<View> find_view(const std::string& flock, const std::string& column) const;
  // The parameters of the vehicles of a flock, which SetParameter and Many::Parameter change: name, unit, frame, description and number of components of each.
  std::vector<ColumnDoc> parameters(const std::string& flock) const;
  // The present value of a parameter of a vehicle; nothing when there is no such vehicle, parameter or component.
  std::optional<double> parameter_of(VehicleId id, const std::string& parameter, int component = 0) const;
  // The columns of all vehicles, whatever their flock, and one of them. frame() throws std::invalid_argument, with the nearest known name, when there is no such
  // column. From the first call on, every tick brings the column to the present.
  static std::vector<ColumnDoc> frame_columns();
  FrameView frame(const std::string& column);
  std::uint64_t frame_generation();  // of the views of frame() now
  // Views of frame() and view() stay readable when vehicles are added: they then show the past. Without it, they must not be read any more.
  void keep_views();
  std::size_t slot_of(VehicleId id) const;  // slot of the vehicle in the columns of its flock
  std::size_t bytes() const;                // bytes of memory of all columns

  std::shared_ptr<const Snapshot> snapshot() const;  // copy of the whole state now
  // The same into the memory of an earlier snapshot, which is faster. A new one is made when there is none or when it has another owner.
  void snapshot_into(std::shared_ptr<Snapshot>& snapshot) const;
  // Restores a snapshot. Returns false, with a message and without any change, when the snapshot is of another world. Pending inputs of the snapshot are
  // restored too; inputs applied since then are not.
  bool restore(const Snapshot& snapshot, std::string* error = nullptr);
  // The same for a part: the state of the chosen vehicles. All others stay as they are. Pending inputs and the queues of the radio do not belong to vehicles.
  // A part can be restored while its vehicles are in the world; a vehicle that diverged since then flies again.
  bool snapshot_part_into(std::shared_ptr<SnapshotPart>& part, const PartOf& of, std::string* error = nullptr) const;
  bool restore(const SnapshotPart& part, std::string* error = nullptr);
  // Converts a snapshot to bytes for a file, and back. Bytes are checked when they are read; those of another world are refused.
  static std::vector<std::byte> snapshot_bytes(const Snapshot& snapshot);
  std::shared_ptr<const Snapshot> read_snapshot(std::span<const std::byte> bytes, std::string* error) const;
  std::unique_ptr<World> branch(const RunOptions& options) const;  // an independent copy of the world

  // States of the tasks, in the order of the definition. The run ends at planned_ticks(); from then on no task is `holding`.
  std::vector<TaskStanding> tasks(std::uint32_t world = 0) const;
  std::vector<TaskStanding> standings() const;               // over all worlds of the batch: each task in its worst state
  bool mission_accomplished(std::uint32_t world = 0) const;  // if the run ended now, no required task would be open or failed
  DecisionState decision_state_of(VehicleId id) const;                          // decision state of a vehicle
  std::vector<LiveValue> fields_of(VehicleId id) const;      // fields of the vehicle's flock; with no id: fields of radio and environment
  std::string why_not(const Input& input) const;  // reason why submit() would refuse it or it cannot act now; empty: neither
  RadioReport radio() const;         // counts of messages since the start
  std::vector<MessageOutcome> message_outcomes() const;  // outcomes of messages that were decided in the last tick
  std::vector<StimulusKind> stimuli(std::uint32_t world = 0) const;  // kinds of stimuli that are emitted now
  double stimulus_at(const std::string& kind, const Vec& position_W, std::uint32_t world = 0) const;  // in the unit of the kind; 0 for an unknown kind
  AirSample air_at(const Vec& position_W, std::uint32_t world = 0) const;  // the air at a position now
  const EnvironmentDef& environment() const;  // the present environment: that of the definition with all later changes
  SwarmReport swarm_report() const;           // metrics of the swarm so far

  std::vector<Event> take_events();                        // events since the last call; "log: BEHAVIOUR: TEXT" is a line that a behaviour logged
  std::vector<Plotted> plotted() const;                    // numbers that behaviours plotted in the last tick, in the order of ids
  std::vector<StageTime> profile() const;                  // time of every stage so far, with RunOptions::profile
  Tracking tracking() const;                               // distances between setpoint and position of the guided vehicles now
  const char* backend() const;                             // name of the kernels in use
  std::string program_of(const std::string& flock) const;  // name of the kernel of a flock

 private:
  World();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The duration of a scenario in ticks, at least one.
VOLARY_API std::uint64_t planned_ticks(const WorldDef& def);
// The horizon of its coupling in ticks, at least one.
VOLARY_API std::uint64_t horizon_ticks(const WorldDef& def);

// The SIMD widths, in floats, that this binary has and this CPU supports.
VOLARY_API std::vector<int> available_lanes();

}  // namespace volary
