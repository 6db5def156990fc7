// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A world that clients watch and steer, without threads and sockets: commands become inputs, ticks become messages. It is a
// source and a sink of the runner that flies its world; live.hpp gives it a thread. Nothing here can change a result but by inputs.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/result.hpp"
#include "runner/autopilots.hpp"
#include "runner/runner.hpp"
#include "server/action.hpp"
#include "server/frame.hpp"
#include "server/plot_history.hpp"
#include "server/remote.hpp"
#include "server/swarm_text.hpp"
#include "server/token.hpp"
#include "server/vehicle_query.hpp"
#include "volary/world.hpp"

namespace volary::server {

struct SessionOptions {
  RunOptions run;
  std::vector<runner::Source*> sources;  // beside the commands of clients; both must outlive the session
  std::vector<runner::Sink*> sinks;      // each sees a tick before clients do
  // who flies vehicles beside the engine's own modes: clients see them, and their commands to these vehicles go through them; the first that flies a vehicle counts
  std::vector<runner::Autopilots*> autopilots;
  std::string version = "0";
  double speed = 1;  // simulated seconds per second, 0: as fast as it goes
  std::function<core::Status(double speed)> check_speed = {};  // refuses speeds that a source cannot follow; empty: all are good
  bool paused = false;
  // a scenario by name, for `start`; empty: there is no other
  std::function<core::Result<WorldDef>(const std::string& name, const std::vector<std::string>& overrides)> load;
  std::function<std::string()> run_id;  // of the recording, for `hello`; empty: none
  runner::Clock* clock = nullptr;       // none: the machine's
  std::optional<Remote> remote;         // other processes compute the world
};

enum class LiveState { Running, Paused, Finished };
const char* name_of(LiveState state);

// a text message for some clients
struct Outgoing {
  std::uint32_t client = 0;   // 0: everybody
  std::uint32_t except = 0;   // but this one
  std::shared_ptr<const std::string> text;
  std::shared_ptr<const std::string> view_text;  // for clients that may only look, where it differs
  bool droppable = false;                        // events: a client that does not read loses them first
};

// what a client that just came is told
struct Welcome {
  std::vector<std::shared_ptr<const std::string>> texts;
  std::shared_ptr<const Frame> frame;
};

class Session {
 public:
  static core::Result<std::unique_ptr<Session>> create(const WorldDef& def, SessionOptions options);
  ~Session();

  const World& world() const { return *world_; }
  LiveState state() const;
  std::uint64_t epoch() const { return epoch_; }  // as clients are told it
  double speed() const { return options_.remote ? remote_speed_ : runner_->speed(); }

  // commands of a client; 0 is nobody
  core::Status act(std::uint32_t client, const Action& action);
  core::Status control(std::uint32_t client, const ControlMessage& message);
  void leave(std::uint32_t client);
  // what a client is told of the swarm from now on; the first time, that it is there
  void want(std::uint32_t client, const SwarmWish& wish);
  void want_plots(std::uint32_t client, const std::vector<std::string>& who);  // what these vehicles plot, and what is kept of it
  void want_estimates(std::uint32_t client, const std::vector<std::string>& who);  // what these vehicles sense and estimate
  void want_bodies(std::uint32_t client, const std::vector<std::string>& who);  // their aircraft, contacts and pushes
  SwarmWish wish_of(std::uint32_t client, const WantMessage& message);  // with the vehicle that it names

  std::uint64_t steps_left() const { return runner_->steps_left(); }
  std::uint64_t planned() const { return runner_->end_tick(); }  // ticks
  // flies the next tick when it is due; seconds until another call makes sense, as Runner::turn()
  double turn() { return runner_->turn(); }
  // what depends on the wall: leases, status, goals; to be called often
  void watch();
  // puts the world to another moment: clients forget what they were shown
  core::Status restore(const Snapshot& snapshot) { return runner_->restore(snapshot); }
  // The next moment of a world that a program steps, with the events since the one before. A jump: time does not go on from there, and clients forget what they were shown.
  core::Status show(const Snapshot& moment, const std::vector<Event>& events, bool is_jump);
  // no more ticks; the sinks learn of it
  void finish() { runner_->end(); }

  std::shared_ptr<const Frame> frame(LiveView view = LiveView::Committed);
  const std::shared_ptr<const Frame>& last_frame(LiveView view = LiveView::Committed) const { return shots_[static_cast<std::size_t>(view)].frame; }
  bool frame_is_new(LiveView view = LiveView::Committed) const;
  Welcome welcome(Scope scope);
  std::string status_text();
  core::Result<std::string> vehicles_text(const VehicleQuery& query) const;
  core::Result<std::string> senses_text(const std::string& who) const;  // of one vehicle: sensors, estimate, faults and what can fail
  core::Result<std::string> contacts_text(const std::string& who) const;  // what one vehicle touches, and who holds it
  std::string tasks_text() const;  // over all worlds of the batch
  core::Result<std::string> nodes_text(std::uint64_t after) const;  // of a federation
  core::Result<std::string> autopilots_text(const VehicleQuery& query) const;
  std::vector<Outgoing> take_outgoing() { return std::exchange(outgoing_, {}); }
  void notice(std::uint32_t client, const char* level, const std::string& text);

 private:
  // what the vehicles of a flock understand
  struct FlockFacts {
    std::string name, model;
    bool guided = false, takes_positions = false, takes_poses = false, docks = false;
  };
  struct Lease {
    std::uint32_t client = 0;
    double heard = 0;      // s on the wall
    bool holding = false;  // told to hold after a silence
    double yaw = 0;        // rad, wanted
    double time = 0;       // s, simulated, of the last word
    std::optional<std::array<double, 2>> tilt = {};  // rad, wanted roll and pitch of a platform
  };

  // what autopilots refused of one command
  class Refusals {
   public:
    bool note(const core::Status& status);  // true: it was not refused
    core::Status status(std::size_t asked) const;

   private:
    std::size_t n_ = 0;
    std::string first_;
  };

  // the session's place in the loop
  class Plug;

  explicit Session(SessionOptions options);
  core::Status begin(const WorldDef& def, bool paused, bool again);
  void after_tick();
  void note_event(const Event& event);
  void after_jump();
  void after_end();
  void send_hello();
  void drop_plans();  // what clients wanted of the moment that is gone

  core::Status act_on_run(std::uint32_t client, const Action& a);
  core::Status change_run(const Action& a);
  core::Status act_on_vehicles(std::uint32_t client, const Action& a);
  core::Status start(const Action& a);
  core::Status go_to(std::uint32_t client, const Action& a);
  core::Status change_mode(std::uint32_t client, const Action& a);
  core::Status emergency_stop(std::uint32_t client, const Action& a);
  core::Status spawn(std::uint32_t client, const Action& a);
  core::Status set_behaviour(std::uint32_t client, const Action& a);
  core::Status set_field(std::uint32_t client, const Action& a);
  core::Status set_fault(std::uint32_t client, const Action& a);
  core::Status give_input(std::uint32_t client, const Action& a, Payload payload);
  core::Status check_payload(const Payload& payload, const std::vector<VehicleId>& ids) const;
  core::Status check_steered(std::uint32_t client, const std::vector<VehicleId>& ids) const;
  static bool steers(const Payload& payload);
  core::Status take(std::uint32_t client, const Action& a);
  core::Status release(std::uint32_t client, const Action& a);

  core::Result<std::vector<std::size_t>> places_of(const VehicleQuery& query) const;
  core::Status check_columns(const VehicleQuery& query, const std::vector<std::size_t>& places) const;
  nlohmann::json vehicle_text(std::size_t place, const std::vector<std::string>& columns) const;
  // the ids of the vehicles that somebody names; nobody for a word that nobody is called
  core::Result<std::vector<VehicleId>> look_up(const std::vector<std::string>& who) const;
  // the vehicles of a command: all there, none in somebody else's hands
  core::Status check_ids(std::uint32_t client, const std::vector<VehicleId>& ids) const;
  core::Status check_place(const Vec& position, const std::string& who) const;
  const RosterEntry* find(VehicleId id) const;
  double yaw_of(const RosterEntry& entry) const;
  void submit(std::uint32_t client, VehicleId id, Payload payload, std::uint64_t tick = 0);
  void submit_new(std::uint32_t client, Spawn spawn, std::uint64_t tick = 0);
  core::Status check_new(const std::string& name) const;
  void fly_to(std::uint32_t client, VehicleId id, const Vec& position);
  void forget_plans(VehicleId id);
  void end_lease(VehicleId id, bool is_to_hold);
  void tilt(std::uint32_t client, const ControlMessage& message, double passed, const RosterEntry& entry, Lease& lease);
  void follow_up();  // vehicles that took off to go somewhere
  void watch_leases(double now);
  void rebuild_roster();
  // vehicles that autopilots fly (session_autopilots.cpp)
  runner::Autopilots* autopilot_of(VehicleId id) const;
  bool has_autopilots() const;
  core::Status order(VehicleId id, const runner::FlightOrder& order);  // an error names the vehicle
  void hold(std::uint32_t client, VehicleId id);
  void stop_rotors(std::uint32_t client, VehicleId id);
  void tell_stopped(VehicleId id);
  void watch_refusals();
  // a world that others compute (session_remote.cpp)
  bool is_federation() const { return options_.remote && options_.remote->nodes > 0; }
  void tell_watched() const;
  core::Status prepare_remote(World& world) const;
  void hand_on(Input input);
  core::Status refused_input() { return std::exchange(refusal_, core::ok()); }
  void hold_remote();
  core::Status check_shared_columns(const VehicleQuery& query) const;
  std::vector<ShownPart> parts_of(LiveView view) const;
  std::vector<std::uint64_t> ticks_of(const std::vector<ShownPart>& parts) const;
  void show_parts(const std::vector<ShownPart>& parts, std::span<const std::byte> before, std::vector<std::byte>& bytes) const;
  void send(std::uint32_t client, std::string text, std::uint32_t except = 0, bool droppable = false);
  void send_status();
  void send_goals();
  void send_swarm();
  void send_plots();
  struct Details;
  void want_details(Details& details, std::uint32_t client, const std::vector<std::string>& who, const char* known_elsewhere);
  bool is_due(const Details& details, double now) const;
  template <class Views> void send_details(Details& details);
  std::vector<std::uint16_t> marks_now() const;
  void note_heard();
  std::string hello_text(Scope scope) const;

  SessionOptions options_;
  std::unique_ptr<World> world_;
  std::vector<FlockFacts> flocks_;
  Roster roster_;
  std::unordered_map<std::uint64_t, std::size_t> places_;  // id -> entry of the roster
  std::unordered_map<std::string, VehicleId> called_;      // by number, and by name where no number is the same
  std::unique_ptr<runner::Clock> own_clock_;
  std::unique_ptr<Plug> plug_;
  std::unique_ptr<runner::Runner> runner_;
  std::vector<Input> given_;  // commands for the next tick
  std::uint64_t epoch_ = 0;   // counts the jumps of time: a client interpolates over none
  bool is_roster_old_ = false;

  std::map<VehicleId, Lease> leases_;
  std::map<VehicleId, Vec> goals_;
  struct Pending {
    std::uint32_t client;
    Vec position;
  };
  std::map<VehicleId, Pending> pending_;  // after take-off
  std::set<std::string> spawning_;        // names given to vehicles that come with the next tick
  std::size_t n_spawned_ = 0;

  bool is_social_ = false;
  std::map<std::uint32_t, SwarmWish> wishes_;  // by client
  bool swarm_due_ = true;                      // something else than time has changed
  std::uint64_t swarm_tick_ = 0;
  double last_swarm_ = -1e9;
  MessageLog log_;
  bool listening_ = false;
  struct PlotWish {
    std::vector<VehicleId> vehicles;
    std::uint64_t next = 0;  // sample that was not told yet
  };
  PlotHistory plots_;
  std::map<std::uint32_t, PlotWish> plot_wishes_;  // by client
  double last_plots_ = -1e9;
  // what clients are told of some vehicles again and again
  struct Details {
    const char* type;
    double every;  // s
    std::map<std::uint32_t, std::vector<VehicleId>> wishes = {};  // by client; only those with vehicles
    bool due = false;
    std::uint64_t tick = 0;
    double last = -1e9;
  };
  Details estimates_ = {wire::kEstimates, 0.1}, bodies_ = {wire::kBodies, 0.05};
  nlohmann::json stimuli_;  // as last told; null: nobody wants them
  double last_stimuli_ = -1e9;

  std::vector<Outgoing> outgoing_;
  bool status_due_ = true, goals_due_ = false;
  LiveState told_ = LiveState::Running;  // in the last status
  double last_status_ = -1e9, last_goals_ = -1e9;
  double mark_wall_ = 0, factor_ = 0;  // real-time factor since the last mark
  std::uint64_t mark_tick_ = 0;
  std::size_t events_sent_ = 0, lines_sent_ = 0, events_kept_back_ = 0;  // since the last status
  struct Shot {
    std::shared_ptr<const Frame> frame;
    std::uint64_t tick = 0, look = 0;
    std::vector<std::uint64_t> ticks;  // of the nodes, where they differ
  };
  std::array<Shot, kLiveViews> shots_;
  double remote_speed_ = 1;
  core::Status refusal_ = core::ok();  // of an input that others did not take
  std::uint64_t look_ = 0;  // counts what frames show beside the tick: roster and leases
};

}  // namespace volary::server
