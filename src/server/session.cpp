// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "server/session.hpp"

#include <algorithm>
#include <optional>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "control/guide.hpp"
#include "core/suggest.hpp"
#include "math/functions.hpp"
#include "scenario/scenario_def.hpp"
#include "scenario/scene.hpp"
#include "server/body_text.hpp"
#include "server/senses_text.hpp"
#include "server/stimulus_fields.hpp"
#include "vehicles/model.hpp"

namespace volary::server {

using Json = nlohmann::json;

namespace {

constexpr double kStatusEvery = 0.5, kGoalsEvery = 0.5, kSwarmEvery = 0.5, kStimuliEvery = 1, kPlotsEvery = 0.2;  // s
constexpr std::size_t kMostEvents = 500;          // messages between two statuses
constexpr std::size_t kMostLogged = 250;          // lines that behaviours log among them: the other events have room in any case
constexpr std::size_t kHashedWhileRunning = 20'000;
constexpr std::uint64_t kStale = 100;  // ticks after which a view that nobody watched begins anew

}  // namespace

const char* name_of(LiveState state) { return state == LiveState::Running ? "running" : state == LiveState::Paused ? "paused" : "finished"; }

namespace {

const engine::ProgramHost* program_of(const World& world, const FlockDef& flock) {
  const engine::ModelHost* model = engine::find_model(flock.airframe.model);
  if (model == nullptr) return nullptr;
  const std::string whole = world.program_of(flock.name), prefix = flock.airframe.model + "/";
  for (const engine::ProgramHost& p : model->programs)
    if (whole == prefix + p.name) return &p;
  return nullptr;
}

}  // namespace

// ---------------------------------------------------------------- beginning and end

// Commands wait here for the next tick; what becomes of it goes to clients.
class Session::Plug final : public runner::Source, public runner::Sink {
 public:
  explicit Plug(Session& session) : s_(session) {}
  std::string name() const override { return "the page"; }
  core::Status give(const World&, std::vector<Input>& inputs) override {
    for (Input& in : std::exchange(s_.given_, {})) inputs.push_back(std::move(in));
    return core::ok();
  }

  void event(World&, const Event& e) override { s_.note_event(e); }
  void after_tick(World&) override { s_.after_tick(); }
  void restored(World&) override { s_.after_jump(); }
  void notice(World&, const std::string& text) override { s_.notice(0, "warn", text); }
  void end(World&) override { s_.after_end(); }

 private:
  Session& s_;
};

Session::Session(SessionOptions options) : options_(std::move(options)) {
  if (options_.clock == nullptr) {
    own_clock_ = std::make_unique<runner::SteadyClock>();
    options_.clock = own_clock_.get();
  }
  plug_ = std::make_unique<Plug>(*this);
  runner_ = std::make_unique<runner::Runner>(*options_.clock);
  for (runner::Source* s : options_.sources) runner_->add(*s);
  runner_->add(static_cast<runner::Source&>(*plug_));
  for (runner::Sink* s : options_.sinks) runner_->add(*s);
  runner_->add(static_cast<runner::Sink&>(*plug_));
}

Session::~Session() { runner_->end(); }

core::Result<std::unique_ptr<Session>> Session::create(const WorldDef& def, SessionOptions options) {
  std::unique_ptr<Session> s(new Session(std::move(options)));
  // where others compute, they keep the pace
  s->remote_speed_ = s->options_.speed;
  s->runner_->set_speed(s->options_.remote ? 0 : s->options_.speed);
  if (const core::Status begun = s->begin(def, s->options_.paused, false); !begun) return begun.error();
  return s;
}

LiveState Session::state() const {
  const runner::State state = runner_->state();
  if (state != runner::State::Over && options_.remote && options_.remote->is_paused)
    return options_.remote->is_paused() ? LiveState::Paused : LiveState::Running;
  return state == runner::State::Running ? LiveState::Running : state == runner::State::Paused ? LiveState::Paused : LiveState::Finished;
}

core::Status Session::begin(const WorldDef& def, bool paused, bool again) {
  std::string error;
  std::unique_ptr<World> made = World::create(def, options_.run, &error);
  if (made == nullptr) return core::Error{.message = error};
  if (const core::Status prepared = prepare_remote(*made); !prepared) return prepared;
  runner_->end();
  world_ = std::move(made);
  is_social_ = is_social(world_->def());
  flocks_.clear();
  const std::vector<bool> docks = docking_flocks(world_->def());
  for (const FlockDef& f : world_->def().flocks) {
    FlockFacts facts{f.name, f.airframe.model};
    facts.docks = docks[flocks_.size()];
    if (const engine::ProgramHost* p = program_of(*world_, f)) facts.guided = p->guided;
    facts.takes_positions = world_->find_view(f.name, "setpoint.position").has_value() && world_->find_view(f.name, "setpoint.level").has_value();
    facts.takes_poses = world_->find_view(f.name, "setpoint.angle").has_value();
    flocks_.push_back(std::move(facts));
  }
  n_spawned_ = 0;
  drop_plans();
  runner::Plan plan{.end = planned_ticks(def), .speed = runner_->speed(), .paused = paused};
  if (options_.remote) plan.fly = options_.remote->fly;
  if (options_.remote && !options_.remote->fly) plan.paused = true;
  runner_->begin(*world_, std::move(plan), again);
  hold_remote();
  return core::ok();
}

// of the world before, or of a moment of this one that is gone
void Session::drop_plans() {
  for (auto& entry : roster_.entries) entry.diverged = false;
  leases_.clear();
  goals_.clear();
  pending_.clear();
  spawning_.clear();
  given_.clear();
  log_.clear();
  plots_.clear();
  stimuli_ = nullptr;
  mark_tick_ = world_->tick();
  mark_wall_ = options_.clock->now();
  factor_ = 0;
  ++epoch_;
  rebuild_roster();
  status_due_ = goals_due_ = swarm_due_ = estimates_.due = bodies_.due = true;
}

void Session::after_jump() {
  for (const auto& [id, lease] : leases_) send(0, dump(Json{{"type", wire::kLease}, {"id", id_text(id)}, {"holder", "none"}}));
  drop_plans();
  send_hello();
}

void Session::after_end() {
  while (!leases_.empty()) end_lease(leases_.begin()->first, false);
  status_due_ = true;
}

// ---------------------------------------------------------------- ticks

void Session::after_tick() {
  note_heard();
  plots_.note(*world_);
  if (state() == LiveState::Paused && steps_left() == 0) status_due_ = true;
  if (std::exchange(is_roster_old_, false)) rebuild_roster();
  if (!pending_.empty()) follow_up();
}

void Session::note_event(const Event& e) {
  const bool diverged = e.what.starts_with("diverged");
  is_roster_old_ = is_roster_old_ || diverged || e.what == "spawned" || e.what == "removed";
  spawning_.erase(e.name);
  if (diverged || e.what == "removed") {
    if (leases_.contains(e.vehicle)) end_lease(e.vehicle, false);
    forget_plans(e.vehicle);
  }
  if (const auto it = places_.find(e.vehicle.value); diverged && it != places_.end()) roster_.entries[it->second].diverged = true;
  const bool logged = e.what.starts_with("log: ");
  if (events_sent_ >= kMostEvents || (logged && lines_sent_ >= kMostLogged)) {
    ++events_kept_back_;
    return;
  }
  ++events_sent_;
  lines_sent_ += logged ? 1 : 0;
  const double time = static_cast<double>(e.tick) * static_cast<double>(world_->def().tick_ns) * 1e-9;
  const Json message = {{"type", wire::kEvent}, {"tick", e.tick}, {"time", time}, {"vehicle", e.vehicle ? id_text(e.vehicle) : ""},
                        {"name", e.name},       {"what", e.what}};
  send(0, dump(message), 0, true);
}

void Session::rebuild_roster() {
  roster_ = make_roster(*world_, roster_);
  places_.clear();
  called_.clear();
  Json list = Json::array();
  for (std::size_t k = 0; k < roster_.entries.size(); ++k) {
    const RosterEntry& e = roster_.entries[k];
    places_[e.id.value] = k;
    called_[id_text(e.id)] = e.id;
    list.push_back({{"id", id_text(e.id)}, {"name", e.name}, {"flock", e.flock}});
  }
  for (const RosterEntry& e : roster_.entries) called_.try_emplace(e.name, e.id);
  roster_.text = std::make_shared<const std::string>(dump(Json{{"type", wire::kRoster}, {"version", roster_.version}, {"vehicles", std::move(list)}}));
  ++look_;
}

// ---------------------------------------------------------------- messages

void Session::send(std::uint32_t client, std::string text, std::uint32_t except, bool droppable) {
  outgoing_.push_back({client, except, std::make_shared<const std::string>(std::move(text)), nullptr, droppable});
}

void Session::notice(std::uint32_t client, const char* level, const std::string& text) {
  send(client, dump(Json{{"type", wire::kNotice}, {"level", level}, {"text", text}}));
}

void Session::watch() {
  const double now = options_.clock->now();
  if (!leases_.empty()) watch_leases(now);
  watch_refusals();
  if (options_.remote && told_ != state()) status_due_ = true;
  if (status_due_ || now - last_status_ >= kStatusEvery) {
    if (status_due_ || state() != LiveState::Finished || now - last_status_ >= 10 * kStatusEvery) send_status();
  }
  if (goals_due_ && now - last_goals_ >= kGoalsEvery) send_goals();
  if (!plot_wishes_.empty() && now - last_plots_ >= kPlotsEvery) send_plots();
  if (is_due(estimates_, now)) send_details<SenseViews>(estimates_);
  if (is_due(bodies_, now)) send_details<BodyViews>(bodies_);
  const bool is_news = swarm_due_ || swarm_tick_ != world_->tick();
  const bool wants_fields = std::any_of(wishes_.begin(), wishes_.end(), [](const auto& w) { return w.second.fields; });
  if ((is_social_ || wants_fields) && is_news && !wishes_.empty() && now - last_swarm_ >= kSwarmEvery) send_swarm();
}

// Only while somebody looks: what is said in a large swarm is much.
void Session::note_heard() {
  std::vector<VehicleId> watched;
  bool wanted = false;
  for (const auto& [client, wish] : wishes_) {
    wanted = wanted || wish.links || wish.decision;
    if (wish.decision) watched.push_back(wish.decision);
  }
  if (is_social_ && wanted)
    log_.note(world_->message_outcomes(), watched);
  else if (listening_)
    log_.clear();
  listening_ = is_social_ && wanted;
}

SwarmWish Session::wish_of(std::uint32_t client, const WantMessage& m) {
  const auto it = called_.find(m.decision);
  // the number of one that has just been removed is nothing to talk about
  if (it == called_.end() && m.decision.find_first_not_of("0123456789") != std::string::npos)
    if (const auto found = look_up({m.decision}); !found) notice(client, "warn", found.error().text());
  if (m.view != LiveView::Committed && !is_federation()) notice(client, "warn", "one process simulates this world, so all views of it are the same");
  return {m.links, it == called_.end() ? VehicleId{} : it->second, m.fields, m.stimuli};
}

void Session::want(std::uint32_t client, const SwarmWish& wish) {
  wishes_[client] = wish;
  swarm_due_ = true;
  tell_watched();
}

void Session::want_plots(std::uint32_t client, const std::vector<std::string>& who) {
  PlotWish wish;
  for (const std::string& word : who)
    if (const auto it = called_.find(word); it != called_.end()) wish.vehicles.push_back(it->second);
  PlotWish& before = plot_wishes_[client];
  if (wish.vehicles == before.vehicles) return;
  before = std::move(wish);
  if (before.vehicles.empty()) plot_wishes_.erase(client);
}

void Session::send_plots() {
  last_plots_ = options_.clock->now();
  for (auto& [client, wish] : plot_wishes_)
    if (std::optional<std::string> text = plots_.text(wish.vehicles, wish.next)) send(client, std::move(*text));
}

void Session::want_estimates(std::uint32_t client, const std::vector<std::string>& who) {
  want_details(estimates_, client, who, "only the node that simulates a vehicle knows its sensors and its estimate");
}
void Session::want_bodies(std::uint32_t client, const std::vector<std::string>& who) {
  want_details(bodies_, client, who, "only the node that simulates a vehicle knows its aircraft and its contacts");
}

void Session::want_details(Details& details, std::uint32_t client, const std::vector<std::string>& who, const char* known_elsewhere) {
  std::vector<VehicleId> ids;
  for (const std::string& word : who)
    if (const auto it = called_.find(word); it != called_.end()) ids.push_back(it->second);
  if (is_federation() && !ids.empty()) {
    ids.clear();
    if (!details.wishes.contains(client)) notice(client, "warn", known_elsewhere);
  }
  if (ids.empty()) {
    details.wishes.erase(client);
    return;
  }
  std::vector<VehicleId>& before = details.wishes[client];
  if (ids == before) return;
  before = std::move(ids);
  details.due = true;
}

bool Session::is_due(const Details& d, double now) const {
  return !d.wishes.empty() && (d.due || d.tick != world_->tick()) && now - d.last >= d.every;
}

// Each flock is looked up once for all clients, and equal messages are written once.
template <class Views> void Session::send_details(Details& details) {
  details.due = false;
  details.tick = world_->tick();
  details.last = options_.clock->now();
  std::map<std::uint32_t, Views> flocks;
  std::map<std::vector<VehicleId>, std::shared_ptr<const std::string>> texts;
  for (const auto& [client, ids] : details.wishes) {
    std::shared_ptr<const std::string>& text = texts[ids];
    if (text == nullptr) {
      Json list = Json::array();
      for (const VehicleId id : ids) {
        const RosterEntry* e = find(id);
        if (e == nullptr || e->diverged || !world_->is_alive(id)) continue;
        const Views& views = flocks.try_emplace(e->flock, *world_, e->flock).first->second;
        if (views.has_any()) list.push_back(views.of(id, e->slot));
      }
      text = std::make_shared<const std::string>(
          list.empty() ? std::string() : dump(Json{{"type", details.type}, {"tick", world_->tick()}, {"vehicles", std::move(list)}}));
    }
    if (!text->empty()) outgoing_.push_back({client, 0, text, nullptr, true});
  }
}

// Links are gathered once for all clients that want them, and equal messages are written once.
void Session::send_swarm() {
  swarm_due_ = false;
  swarm_tick_ = world_->tick();
  last_swarm_ = options_.clock->now();
  std::optional<Links> links;
  const bool stimuli = std::any_of(wishes_.begin(), wishes_.end(), [](const auto& w) { return w.second.stimuli; });
  if (stimuli && (stimuli_.is_null() || last_swarm_ - last_stimuli_ >= kStimuliEvery)) {
    stimuli_ = stimuli_of(*world_, places_);
    last_stimuli_ = last_swarm_;
  } else if (!stimuli) {
    stimuli_ = nullptr;
  }
  std::map<SwarmWish, std::shared_ptr<const std::string>> texts;
  for (const auto& [client, wish] : wishes_) {
    if (wish.links && !links) links = gather_links(*world_, roster_, places_, log_);
    auto& text = texts[wish];
    if (text == nullptr)
      text = std::make_shared<const std::string>(
          swarm_text(*world_, roster_, places_, log_, wish.links ? &*links : nullptr, wish, wish.stimuli ? &stimuli_ : nullptr));
    outgoing_.push_back({client, 0, text, nullptr, true});
  }
}

void Session::send_status() {
  const double now = options_.clock->now(), passed = now - mark_wall_;
  if (passed >= 0.25) {
    const double tick_s = static_cast<double>(world_->def().tick_ns) * 1e-9;
    factor_ = static_cast<double>(world_->tick() - mark_tick_) * tick_s / passed;
    mark_wall_ = now;
    mark_tick_ = world_->tick();
  }
  last_status_ = now;
  status_due_ = false;
  told_ = state();
  if (events_kept_back_ > 0) notice(0, "warn", fmt::format("{} more events are not shown: too many at once", events_kept_back_));
  events_sent_ = events_kept_back_ = lines_sent_ = 0;
  send(0, status_text(), 0, true);
}

void Session::send_goals() {
  Json list = Json::array();
  for (const auto& [id, position] : goals_) list.push_back({{"id", id_text(id)}, {"position", position}});
  send(0, dump(Json{{"type", wire::kGoals}, {"goals", std::move(list)}}));
  goals_due_ = false;
  last_goals_ = options_.clock->now();
}

std::string Session::status_text() {
  Json profile = Json::array();
  if (options_.run.profile)
    for (const StageTime& s : world_->profile()) profile.push_back({{"stage", s.stage}, {"seconds", s.seconds}});
  // both cost about as much as a tick: not while a very large world is running
  const bool look = state() != LiveState::Running || roster_.entries.size() <= kHashedWhileRunning;
  const Tracking t = look ? world_->tracking() : Tracking{};
  return dump(Json{{"type", wire::kStatus},
                   {"tick", world_->tick()},
                   {"time", world_->time()},
                   {"state", name_of(state())},
                   {"speed", speed()},
                   {"factor", state() == LiveState::Running ? factor_ : 0.0},
                   {"vehicles", world_->n_vehicles()},
                   {"hash", look ? fmt::format("{:016x}", world_->hash()) : std::string()},
                   {"profile", std::move(profile)},
                   {"metrics", t.samples == 0 ? Json::object() : Json{{"tracking_max", t.max}, {"tracking_rms", math::sqrt(t.mean_square)}}}});
}

std::string Session::hello_text(Scope scope) const {
  const WorldDef& def = world_->def();
  Json hello = {{"type", wire::kHello},
                {"version", options_.version},
                {"scenario", def.name},
                {"description", def.description},
                {"seed", std::to_string(def.seed)},
                {"tick_s", static_cast<double>(def.tick_ns) * 1e-9},
                {"duration_s", def.duration},
                {"worlds", def.worlds},
                {"state", name_of(state())},
                {"speed", speed()},
                {"token_scope", name_of(scope)},
                {"run", options_.run_id ? options_.run_id() : std::string()},
                {"epoch", epoch_}};
  if (is_federation()) hello["nodes"] = options_.remote->nodes;
  if (has_autopilots()) hello["autopilots"] = true;
  hello.update(scenario::scene_of(def));
  return dump(hello);
}

void Session::send_hello() {
  Outgoing hello;
  hello.text = std::make_shared<const std::string>(hello_text(Scope::All));
  hello.view_text = std::make_shared<const std::string>(hello_text(Scope::View));
  outgoing_.push_back(std::move(hello));
  send(0, *roster_.text);
}

bool Session::frame_is_new(LiveView view) const {
  const Shot& shot = shots_[static_cast<std::size_t>(view)];
  const bool is_old = shot.frame == nullptr || shot.tick != world_->tick() || shot.look != look_;
  return is_old || shot.ticks != ticks_of(parts_of(view));
}

// what frames show of vehicles beside their mode, by place in the roster; empty: nothing
std::vector<std::uint16_t> Session::marks_now() const {
  std::vector<std::uint16_t> marks;
  const auto mark = [&](VehicleId id, std::uint16_t flags) {
    const auto it = places_.find(id.value);
    if (it == places_.end()) return;
    marks.resize(roster_.entries.size());
    marks[it->second] = static_cast<std::uint16_t>(marks[it->second] | flags);
  };
  for (const auto& [id, lease] : leases_) mark(id, wire::kManual);
  for (const Trouble& t : world_->troubles()) mark(t.vehicle, mark_of(t));
  for (const RosterEntry& e : roster_.entries)
    if (flocks_[e.flock].docks && world_->held_by(e.id)) mark(e.id, wire::kHeld);
  return marks;
}

std::shared_ptr<const Frame> Session::frame(LiveView view) {
  Shot& shot = shots_[static_cast<std::size_t>(view)];
  if (!frame_is_new(view)) return shot.frame;
  auto made = std::make_shared<Frame>();
  encode_frame(*world_, roster_, marks_now(), made->bytes);
  const std::vector<ShownPart> parts = parts_of(view);
  if (!parts.empty()) {
    const bool is_same = shot.frame != nullptr && shot.frame->roster == roster_.version && world_->tick() - shot.tick < kStale;
    show_parts(parts, is_same ? std::span<const std::byte>(shot.frame->bytes) : std::span<const std::byte>(), made->bytes);
  }
  shot.ticks = ticks_of(parts);
  made->tick = world_->tick();
  made->roster = roster_.version;
  made->view = view;
  made->roster_text = roster_.text;
  shot.frame = std::move(made);
  shot.tick = world_->tick();
  shot.look = look_;
  return shot.frame;
}

Welcome Session::welcome(Scope scope) {
  Welcome w;
  auto add = [&](std::string text) { w.texts.push_back(std::make_shared<const std::string>(std::move(text))); };
  add(hello_text(scope));
  add(status_text());
  Json list = Json::array();
  for (const auto& [id, position] : goals_) list.push_back({{"id", id_text(id)}, {"position", position}});
  if (!list.empty()) add(dump(Json{{"type", wire::kGoals}, {"goals", std::move(list)}}));
  for (const auto& [id, lease] : leases_) add(dump(Json{{"type", wire::kLease}, {"id", id_text(id)}, {"holder", "other"}}));
  w.frame = frame();
  return w;
}

}  // namespace volary::server
