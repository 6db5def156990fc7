// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/society.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "control/guide.hpp"
#include "core/state.hpp"
#include "engine/data.hpp"
#include "engine/ground.hpp"
#include "environment/gust.hpp"
#include "math/hash.hpp"
#include "swarm/change_field.hpp"
#include "swarm/script/script_def.hpp"

namespace volary::engine {

namespace {

// a rate as a whole number of ticks
std::uint64_t ticks_of_rate(double rate, double tick) {
  return rate <= 0 ? 0 : std::max<std::uint64_t>(1, static_cast<std::uint64_t>(math::round(1 / (rate * tick))));
}
std::uint64_t ticks_of_time(double seconds, double tick) { return static_cast<std::uint64_t>(math::round(seconds / tick)); }

int row_of(const Flock& f, const char* name) {
  const ColumnInfo* c = f.find_column(name);
  return c == nullptr ? -1 : c->row;
}
double param_of(const Flock& f, const char* name, double otherwise) {
  const ColumnInfo* c = f.find_param(name);
  return c == nullptr ? otherwise : f.param_values[static_cast<std::size_t>(c->row)];
}

// what wings carry has an airspeed that it cannot exceed and, if nothing else carries it, one below which it falls
void read_speeds(const Flock& f, Society& s) {
  s.max_speed = param_of(f, "wing.airspeed_max", param_of(f, "ladder.max_speed", s.max_speed));
  if (param_of(f, "guide.cannot_stop", 0) < 0.5) return;
  s.min_speed = param_of(f, "wing.airspeed_min", 0);
  s.loiter_radius = math::abs(param_of(f, "wing.loiter_radius", 0));
}

core::Result<Installed> install(const BehaviourDef& b, std::size_t threads, std::size_t& scripts) {
  Installed one;
  core::Error unknown{.message = "there is no behaviour of kind '" + b.kind + "'", .field = "behaviours"};
  if (b.params == nullptr) return unknown;
  one.name = swarm::name_of(b);
  if (b.kind == swarm::kScript) {
    const auto& def = *static_cast<const swarm::ScriptDef*>(b.params.get());
    auto loaded = swarm::Script::load(def.text, def.file, threads);
    if (!loaded) return loaded.error();
    one.script = std::move(loaded).value();
    one.outside = scripts++;
  } else if (b.kind == swarm::kPlugin) {
    const auto& def = *static_cast<const swarm::PluginDef*>(b.params.get());
    auto opened = swarm::Plugin::open(def.path);
    if (!opened) return opened.error();
    one.plugin = std::move(opened).value();
  } else {
    one.host = swarm::find_behaviour(b.kind);
    if (one.host == nullptr) return unknown;
  }
  return one;
}

// a script's or a plugin's
swarm::ScriptParams params_of(const BehaviourDef& b) {
  if (b.kind == swarm::kScript) return static_cast<const swarm::ScriptDef*>(b.params.get())->params;
  if (b.kind == swarm::kPlugin) return static_cast<const swarm::PluginDef*>(b.params.get())->params;
  return {};
}

core::Status make_society(const Flock& f, std::size_t threads, Society& s) {
  const NodeDef& def = f.def.node;
  s.detect_every = def.detection.range > 0 ? ticks_of_rate(def.detection.rate, f.setup.tick) : 0;
  s.remembers = static_cast<std::size_t>(std::max(def.memory, 0));
  read_speeds(f, s);
  const double given = def.contact.radius;
  s.half = given > 0 ? Vec{given, given, given} : f.model->extent(f.def.airframe.definition.get());
  s.radius = std::max({s.half[0], s.half[1], s.half[2]});
  s.rows = {row_of(f, "setpoint.level"), row_of(f, "setpoint.position"), row_of(f, "setpoint.velocity"), row_of(f, "setpoint.acceleration"),
            row_of(f, "setpoint.jerk"), row_of(f, "setpoint.yaw"),      row_of(f, "setpoint.yaw_rate")};
  s.is_piloted = f.def.piloted && !def.behaviours.empty();
  if (!def.behaviours.empty() && s.rows.level < 0 && !s.is_piloted)
    return core::Error{.message = "the vehicles of flock '" + f.def.name + "' take no setpoint of position or velocity, so behaviours cannot steer them",
                       .field = "behaviours"};
  for (const BehaviourDef& b : def.behaviours) {
    core::Result<Installed> made = install(b, threads, s.scripts);
    if (!made) return made.error();
    Installed& one = made.value();
    one.memory_at = s.memory_words;
    if (one.host != nullptr) s.memory_words += one.host->memory_bytes / 8;
    if (one.plugin != nullptr) s.memory_words += one.plugin->memory_bytes() / 8;
    s.notes.is_on = s.notes.is_on || one.host == nullptr;
    s.library.push_back(std::move(one));
  }
  read_rates(f, s);
  return core::ok();
}

}  // namespace

void read_rates(const Flock& f, Society& s) {
  const NodeDef& def = f.def.node;
  const double tick = f.setup.tick;
  s.decide_every = ticks_of_rate(def.decision_rate, tick);
  s.tell_every = ticks_of_rate(def.state_rate, tick);
  s.forget = ticks_of_time(def.forget, tick);
  for (std::size_t k = 0; k < s.library.size(); ++k) {
    const BehaviourDef& b = def.behaviours[k];
    Installed& one = s.library[k];
    one.every = b.rate <= 0 ? 1 : std::max<std::uint64_t>(1, ticks_of_rate(b.rate, tick) / std::max<std::uint64_t>(1, s.decide_every));
    one.delay = ticks_of_time(b.delay, tick);
    one.params = params_of(b);
    one.values.clear();
    for (const auto& [name, value] : one.params) one.values.push_back(value);
  }
  s.keep_answers();
}

bool Society::asks_outside() const {
  return std::any_of(library.begin(), library.end(), [](const Installed& b) { return b.host == nullptr; });
}

void Society::keep_answers() {
  answers.resize(library.size());
  for (std::size_t k = 0; k < library.size(); ++k)
    if (library[k].keeps_answers()) answers[k].keep(nodes.size(), library[k].delay > 0);
}

core::Status make_societies(Data& d) {
  d.societies.resize(d.flocks.size());
  bool speaks = false;
  for (std::size_t k = 0; k < d.flocks.size(); ++k) {
    if (const core::Status made = make_society(d.flocks[k], static_cast<std::size_t>(d.pool->size()), d.societies[k]); !made) return made;
    speaks = speaks || d.societies[k].decides() || d.societies[k].tell_every > 0;
    d.has_emissions = d.has_emissions || !d.flocks[k].def.node.emits.empty();
    d.is_social = d.is_social || speaks || d.societies[k].detect_every > 0;
  }
  d.is_social = d.is_social || !d.def.tasks.empty();
  prepare_sight(d);
  if (!speaks) return core::ok();
  if (const core::Status sound = swarm::check(d.def.radio); !sound) return sound;
  d.air.rules = d.def.radio;
  d.air.medium = std::make_unique<Media>(medium_rules(d, d.def.radio), d.def.seed, d.def.tick_ns, d.worlds.episode);
  return core::ok();
}

Believed believed(const Data& d, const Flock& f, std::size_t slot, const swarm::V3& position, const swarm::V3& velocity) {
  if (f.decides_by_estimate() && (d.frame.asked & shows::kEstimate) != 0) {
    const Frame::Estimate& own = d.frame.estimate[d.frame.place_of[f.index][slot]];
    return {{own.position[0], own.position[1], own.position[2]}, {own.velocity[0], own.velocity[1], own.velocity[2]}};
  }
  const EstimateDef& e = f.def.node.estimate;
  if (e.position_noise <= 0 && e.velocity_noise <= 0) return {position, velocity};
  const auto key = key_of_world(d, f.worlds[slot]);
  const std::uint64_t number = f.draws[slot];
  const auto draw = [&](std::uint32_t which) {
    const auto w = math::random_words<std::uint32_t>(key, static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number >> 32), math::Purpose::Estimate,
                                                     tick_of_world(d, f.worlds[slot]), which);
    return environment::normal3<double>({{w.w[0], w.w[1], w.w[2], w.w[3]}});
  };
  return {fma(e.position_noise, draw(0), position), fma(e.velocity_noise, draw(1), velocity)};
}

void move_in(Data& d, std::size_t flock, std::size_t slot) {
  if (!d.is_social) return;
  Society& s = d.societies[flock];
  const Flock& f = d.flocks[flock];
  const std::size_t n = std::max(s.nodes.size(), slot + 1), kinds = s.library.size();
  s.nodes.resize(n);
  s.memory.resize(n * s.memory_words);
  s.tables.resize(n * s.scripts);
  s.weights.resize(n * kinds);
  s.triggers.resize(n * kinds);
  s.active.resize(n * kinds);
  s.homes.resize(n);
  s.digests.resize(n);
  s.known.resize(n, d.air.medium == nullptr ? 0 : s.remembers);
  s.notes.settle(slot, n, f.capacity);
  s.guidance.resize(s.is_piloted ? n : 0);
  s.nodes[slot] = {};
  if (s.is_piloted) s.guidance[slot] = {};
  s.homes[slot] = {};
  s.digests[slot] = 0;
  s.known.reset(slot);
  const Vec p = position_of(d, flock, slot);
  s.homes[slot] = {p[0], p[1], p[2]};
  std::fill_n(s.memory.begin() + static_cast<std::ptrdiff_t>(slot * s.memory_words), s.memory_words, 0);
  for (std::size_t k = 0; k < s.scripts; ++k) s.tables[slot * s.scripts + k].clear();
  for (std::size_t k = 0; k < kinds; ++k) {
    s.weights[slot * kinds + k] = f.def.node.behaviours[k].weight;
    s.triggers[slot * kinds + k] = 0;
    s.active[slot * kinds + k] = 0;
    if (s.library[k].keeps_answers() || s.answers[k].are_kept()) s.answers[k].settle(slot, n, s.library[k].delay > 0);
  }
  if (s.decides()) s.inbox.settle(slot, n);
  std::erase_if(s.unsaid, [&](const Unsaid& u) { return u.slot == slot; });
  s.seen.settle(slot, n);
}

namespace {

// far enough up for behaviours to take it for flying
bool is_off_ground(const Data& d, std::size_t flock, std::size_t slot) {
  const Vec p = position_of(d, flock, slot);
  return p[2] - height_below(d.def.environment, p) >= 0.5 * d.flocks[flock].def.take_off_height;
}

}  // namespace

Mode mode_of(const Data& d, std::size_t flock, std::size_t slot) {
  const auto mode = static_cast<Mode>(status_of(d, flock, slot) & control::kModeMask);
  if (mode != Mode::Armed || !d.is_social) return mode;
  const Society& s = d.societies[flock];
  if (s.is_piloted) return is_off_ground(d, flock, slot) ? Mode::Mission : mode;
  if (s.library.empty() || tick_of_world(d, d.flocks[flock].worlds[slot]) < s.nodes[slot].in_hand_until) return mode;
  // an armed vehicle on the ground has a lower level
  return level_of(d, flock, slot) >= static_cast<std::uint32_t>(ControlLevel::Velocity) ? Mode::Mission : mode;
}

namespace {

std::uint64_t fold(std::uint64_t h, double x) { return math::mix64(h ^ std::bit_cast<std::uint64_t>(x)); }
std::uint64_t fold(std::uint64_t h, const swarm::V3& v) { return fold(fold(fold(h, v.x), v.y), v.z); }

// on top of another hash
std::uint64_t hash_seen(const Data& d, std::size_t flock, std::size_t slot, std::uint64_t h) {
  d.societies[flock].seen.each(d.interaction.look_frames, slot, d.flocks[flock].worlds[slot], [&](const LookFrame& f, std::size_t k) {
    const Vec& p = f.position[k];
    h = fold(math::mix64(h ^ f.id[k]), swarm::V3{p[0], p[1], p[2]});
  });
  return h;
}

// what it heard and decided is in the digest already; here is what outsiders set, and what is not decided yet
std::uint64_t hash_node(const Data& d, std::size_t flock, std::size_t slot) {
  const Society& s = d.societies[flock];
  const Node& node = s.nodes[slot];
  const std::size_t kinds = s.library.size();
  std::uint64_t h = math::mix64(s.digests[slot] ^ math::mix64(node.in_hand_until + 1)) + node.stopped + (node.holds << 1);
  for (std::size_t k = 0; k < kinds; ++k) {
    h = fold(h, s.weights[slot * kinds + k]);
    if (!s.answers[k].is_thinking(slot)) continue;
    const Coming& c = s.answers[k].coming[slot];
    h = fold(fold(math::mix64(h ^ c.due), c.action.velocity), c.action.position);
    if (swarm::has_acceleration(c.action)) h = fold(h, c.action.acceleration);
  }
  for (const Unsaid& u : s.unsaid_of(slot)) {
    h = math::mix64(math::mix64(h ^ u.due) ^ u.message.topic);
    for (std::uint32_t k = 0; k < u.message.count; ++k) h = fold(h, u.message.values[k]);
  }
  return d.coupling.delays() ? h : hash_seen(d, flock, slot, h);
}

// What they see is of the vehicles themselves where it acts at once, and else of all: those who fly them may know it only later.
std::uint64_t hash_all_seen(const Data& d) {
  std::uint64_t sum = 0;
  for (std::size_t k = 0; k < d.flocks.size(); ++k)
    for (std::size_t slot = 0; slot < d.societies[k].seen.count.size(); ++slot)
      if (const VehicleId id = d.flocks[k].ids[slot]; id && d.societies[k].seen.count[slot] > 0) sum += hash_seen(d, k, slot, math::mix64(id.value));
  return sum;
}

}  // namespace

std::uint64_t hash_of_node(const Data& d, std::size_t flock, std::size_t slot) {
  const VehicleId id = d.flocks[flock].ids[slot];
  return id && slot < d.societies[flock].nodes.size() ? math::mix64(hash_node(d, flock, slot) ^ math::mix64(id.value)) : 0;
}

std::uint64_t hash_nodes(const Data& d) {
  std::uint64_t sum = 0;
  for (std::size_t k = 0; k < d.flocks.size(); ++k)
    for (std::size_t slot = 0; slot < d.societies[k].nodes.size(); ++slot)
      if (d.shared.is_live || is_own(d, k, slot)) sum += hash_of_node(d, k, slot);
  return sum;
}

std::uint64_t hash_between(const Data& d) {
  std::uint64_t sum = (d.air.medium == nullptr ? 0 : d.air.medium->hash()) + hash_live(d);
  for (const swarm::Reception& r : d.air.arrivals.receptions)
    if (r.fate == swarm::Fate::Delivered) sum += math::mix64(math::mix64(r.receiver) ^ swarm::hash_of(d.air.arrivals.messages[r.message]));
  if (d.coupling.delays()) sum += hash_all_seen(d) + hash_coupling(d);
  sum += hash_elsewhere(d);
  for (const swarm::Judge& j : d.judging.judges) sum += j.hash();
  for (const Pair& p : d.interaction.touching) sum += math::mix64(p.a ^ math::mix64(p.b));
  for (const Detached& x : d.interaction.detached) sum += math::mix64(0x6465746163686564ull ^ math::mix64(x.id ^ math::mix64(x.until)));
  for (const std::uint64_t id : d.interaction.crashed) sum += math::mix64(0x6372617368ull ^ math::mix64(id));
  return sum + hash_faults(d);
}

std::span<const Unsaid> Society::unsaid_of(std::size_t slot) const {
  const auto first = std::lower_bound(unsaid.begin(), unsaid.end(), slot, [](const Unsaid& u, std::size_t s) { return u.slot < s; });
  const auto last = std::find_if(first, unsaid.end(), [&](const Unsaid& u) { return u.slot != slot; });
  return {first, last};
}

bool Society::fits(std::size_t slots, bool hears) const {
  const std::size_t kinds = library.size();
  if (nodes.size() != slots || memory.size() != slots * memory_words || tables.size() != slots * scripts || triggers.size() != slots * kinds ||
      active.size() != slots * kinds || answers.size() != kinds)
    return false;
  if (!std::all_of(answers.begin(), answers.end(), [&](const Answers& a) { return a.fits(slots); })) return false;
  if (guidance.size() != (is_piloted ? slots : 0)) return false;
  if (digests.size() != slots || !known.fits(slots, hears ? remembers : 0) || !inbox.fits(decides() ? slots : 0) || !notes.fits(slots)) return false;
  if (!std::is_sorted(unsaid.begin(), unsaid.end(), [](const Unsaid& a, const Unsaid& b) { return a.slot < b.slot; })) return false;
  for (const Unsaid& u : unsaid)
    if (u.slot >= slots || u.message.count > swarm::Message::kMost) return false;
  return std::all_of(nodes.begin(), nodes.end(), [&](const Node& n) { return n.chosen == Node::kNone || n.chosen < kinds; });
}

namespace {

template <class F> void each_on_air(F& f, Air& air) {
  if (air.medium == nullptr) return;
  f(air.overrun);
  f(air.arrivals.messages);
  f(air.arrivals.receptions);
  air.medium->each_state(f);
}

// everything that is neither in columns nor in the roster, in one order, after the fields that were changed
template <class F>
void each_logical(F& f, Worlds& worlds, Weather& weather, std::vector<Society>& societies, Air& air, Coupling& coupling, Interaction& interaction,
                  Judging& judging, Observed& observed, Elsewhere& elsewhere, Faults& faults, Conditions& conditions) {
  f(worlds);
  f(weather.drift_W);
  f(weather.wind_W);
  for (Society& s : societies) s.each_state(f);
  interaction.each_state(f);
  judging.each_state(f);
  observed.each_state(f);
  each_on_air(f, air);
  coupling.each_state(f);
  elsewhere.each_state(f);
  faults.each_state(f);
  conditions.each_state(f);
}

// what vehicles remember of others is read for as many as the roster has
void make_room(const Data& d, Society& s, std::size_t slots) {
  s.known.resize(d.is_social ? slots : 0, d.air.medium == nullptr ? 0 : s.remembers);
}

// the times and winds of worlds were read: what was made of them is made again
void follow_worlds(Data& d, const Worlds& before, const std::vector<Vec>& winds_W) {
  if (d.worlds.start == before.start && d.worlds.episode == before.episode && d.weather.wind_W == winds_W) return;
  find_apart(d.worlds);
  remake_air(d);
  if (d.air.medium != nullptr) d.air.medium->use_episodes(d.worlds.episode);
}

}  // namespace

void save_logical(const Data& d, std::vector<std::byte>& bytes) {
  core::StateWriter out(std::move(bytes));
  out(d.live);
  Data& all = const_cast<Data&>(d);  // the lists are the same for reading and writing
  for (Flock& f : all.flocks) out(f.breaches), out(fault_rows_of(f));
  each_logical(out, all.worlds, all.weather, all.societies, all.air, all.coupling, all.interaction, all.judging, all.observed, all.elsewhere, all.faults,
               all.conditions);
  bytes = out.take();
}

void restore_logical(Data& d, std::span<const std::byte> bytes) {
  core::StateReader in(bytes);
  std::vector<LiveField> live;
  in(live);
  restore_live(d, std::move(live));  // first: what the vehicles and the medium remember comes after it
  const Worlds before = d.worlds;
  const std::vector<Vec> winds_W = d.weather.wind_W;
  for (Flock& f : d.flocks) {
    in(f.breaches);
    std::vector<std::byte> rows;
    in(rows);
    use_fault_rows(f, rows);
  }
  for (std::size_t k = 0; k < d.societies.size(); ++k) make_room(d, d.societies[k], d.flocks[k].slots);
  each_logical(in, d.worlds, d.weather, d.societies, d.air, d.coupling, d.interaction, d.judging, d.observed, d.elsewhere, d.faults, d.conditions);
  core::require(in.whole(), "a snapshot whose logical state is of another world");
  follow_worlds(d, before, winds_W);
  after_restore(d);
}

template <class F> void each_shared(F& f, Data& d) {
  std::vector<LiveField> live = d.live;
  f(live);
  if constexpr (F::kReads) restore_live(d, std::move(live));
  const Worlds before = d.worlds;
  const std::vector<Vec> winds_W = d.weather.wind_W;
  f(d.worlds);
  f(d.weather.drift_W);
  f(d.weather.wind_W);
  d.judging.each_state(f);
  d.observed.each_state(f);
  each_on_air(f, d.air);
  d.coupling.each_state(f);
  f(d.elsewhere.parts);
  if constexpr (F::kReads) follow_worlds(d, before, winds_W);
}
template void each_shared(core::StateWriter& f, Data& d);
template void each_shared(core::StateReader& f, Data& d);

void after_restore(Data& d) {
  std::fill(d.worlds.changed.begin(), d.worlds.changed.end(), std::uint8_t{1});
  for (Flock& f : d.flocks) {
    if (f.arrays != nullptr) f.arrays->observe(f, {0, f.blocks()});
    f.has_impacts = true;  // perhaps: the rows say so
    if (f.joined != nullptr) forget_shown(f);
  }
  for (Society& s : d.societies) s.keep_answers();
  d.air.outgoing.clear();
  hash_coupled(d);
  d.told = {};
  follow_elsewhere(d);
  d.shared.is_between = false;
  d.frame_is_stale = true;
  d.interaction.candidates.forget();
  d.shown = {};
  forget_hash(d);
}

bool logical_fits(const Data& d, std::span<const std::byte> bytes, std::span<const std::span<const std::uint32_t>> where) {
  std::vector<Society> societies = d.societies;
  Air air;
  if (d.air.medium != nullptr) air.medium = std::make_unique<Media>(medium_rules(d, d.def.radio), d.def.seed, d.def.tick_ns, d.worlds.episode);
  Coupling coupling;
  coupling.horizon = d.coupling.horizon;
  Interaction interaction;
  Judging judging = d.judging;
  Observed observed;
  Elsewhere elsewhere;
  Worlds worlds;
  Weather weather;
  Faults faults;
  Conditions conditions;
  core::StateReader in(bytes);
  std::vector<LiveField> live;
  in(live);
  if (!live_fits(d, live)) return false;
  std::vector<std::size_t> slots;
  for (std::size_t k = 0; k < where.size(); ++k) {
    std::vector<std::uint64_t> breaches;
    std::vector<std::byte> rows;
    in(breaches);
    in(rows);
    slots.push_back(where[k].size());
    if (breaches.size() > slots[k] || !fault_rows_fit(d.flocks[k], rows.size(), slots[k])) return false;
  }
  for (std::size_t k = 0; k < societies.size(); ++k) make_room(d, societies[k], where[k].size());
  each_logical(in, worlds, weather, societies, air, coupling, interaction, judging, observed, elsewhere, faults, conditions);
  if (!in.whole() || !faults_fit(d, faults, slots) || !conditions.fits(slots) || !judging.fits() || !coupling_fits(d, coupling) || !elsewhere.fits(d.flocks.size())) return false;
  const std::size_t n = d.worlds.start.size();
  if (worlds.start.size() != n || worlds.episode.size() != n || weather.drift_W.size() != n || weather.wind_W.size() != n) return false;
  for (const std::vector<Vec>* list : {&weather.drift_W, &weather.wind_W})
    for (const Vec& v : *list)
      if (!std::all_of(v.begin(), v.end(), [](double x) { return x - x == 0; })) return false;
  if (!std::all_of(judging.happened_where.begin(), judging.happened_where.end(), [&](std::uint32_t w) { return w < n; })) return false;
  if (!std::all_of(judging.heard.begin(), judging.heard.end(), [&](const Judging::Heard& h) { return h.world < n; })) return false;
  for (std::size_t k = 0; k < societies.size(); ++k)
    if (!societies[k].fits(d.is_social ? where[k].size() : 0, air.medium != nullptr)) return false;
  const std::vector<LookFrame>& frames = interaction.look_frames;
  if (frames.size() != d.interaction.look_frames.size()) return false;
  for (const LookFrame& f : frames)
    if (!f.fits(static_cast<std::size_t>(d.def.worlds))) return false;
  for (std::size_t k = 0; k < societies.size(); ++k)
    if (!societies[k].seen.fits(where[k], frames)) return false;
  const auto& [messages, receptions] = air.arrivals;
  return std::all_of(receptions.begin(), receptions.end(), [&](const swarm::Reception& r) { return r.message < messages.size(); });
}

}  // namespace volary::engine
