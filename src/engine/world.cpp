// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The public World over the engine's Data.
#include "volary/world.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "control/guide.hpp"
#include "core/suggest.hpp"
#include "math/hash.hpp"
#include "engine/backend.hpp"
#include "engine/columns.hpp"
#include "engine/data.hpp"
#include "engine/exchange.hpp"
#include "engine/frame_poses.hpp"
#include "engine/parts.hpp"
#include "engine/payloads.hpp"
#include "engine/snapshot.hpp"
#include "engine/slots.hpp"
#include "engine/snapshot_bytes.hpp"
#include "environment/weather.hpp"
#include "swarm/change_field.hpp"

namespace volary {

using engine::Data;
using engine::Flock;
using engine::Location;

struct World::Impl {
  Data d;
};

World::World() : impl_(std::make_unique<Impl>()) {}
World::~World() = default;

std::unique_ptr<World> World::create(const WorldDef& def, const RunOptions& options, std::string* error) {
  std::unique_ptr<World> w(new World());
  const auto made = engine::build(w->impl_->d, def, options);
  if (made) return w;
  if (error != nullptr) *error = made.error().text();
  return nullptr;
}

bool World::share(const Sharing& sharing, std::string* error) {
  const std::uint64_t sum = own_hash();  // of the first state, which everybody has whole
  const core::Status done = engine::share(impl_->d, sharing);
  if (done) learn_hash(sum);
  if (!done && error != nullptr) *error = done.error().text();
  return static_cast<bool>(done);
}

void World::advance(std::vector<std::byte>& frame) {
  Data& d = impl_->d;
  core::require(d.shared.is_on() && !d.shared.is_live && !d.shared.is_between, "advance() is for a world that is shared, after settle()");
  if (d.keeps_submitted && !d.is_recorded) keep_submitted(false);
  engine::advance(d);
  d.shared.is_between = true;
  engine::write_frame(d, frame);
}

bool World::settle(std::span<const std::span<const std::byte>> frames, std::string* error) {
  Data& d = impl_->d;
  core::require(d.shared.is_between, "settle() comes after advance()");
  const core::Status read = engine::read_frames(d, frames);
  if (!read) {
    if (error != nullptr) *error = read.error().text();
    return false;
  }
  d.shared.is_between = false;
  engine::settle(d);
  return true;
}

void World::advance_ahead(const World& settled, std::vector<std::byte>& frame) {
  Data& d = impl_->d;
  core::require(d.shared.is_on() && !d.shared.is_live && !d.shared.is_between && !settled.impl_->d.shared.is_between,
                "advance_ahead() is for a world that is shared, beside one that is settled");
  if (d.keeps_submitted && !d.is_recorded) keep_submitted(false);
  engine::advance_ahead(d, settled.impl_->d, frame);
}
std::vector<std::uint32_t> World::touched_members() const { return engine::touched_members(impl_->d); }
void World::stand_in(std::span<const std::uint32_t> by_member) { engine::stand_in(impl_->d, by_member); }
std::vector<VehicleId> World::vehicles_of(std::uint32_t member) const {
  std::vector<VehicleId> ids;
  for (const Flock& f : impl_->d.flocks)
    for (std::size_t slot = 0; slot < f.owners.size(); ++slot)
      if (f.owners[slot] == member && f.ids[slot] && engine::locate(impl_->d, f.ids[slot]) != nullptr) ids.push_back(f.ids[slot]);
  std::sort(ids.begin(), ids.end(), [](VehicleId a, VehicleId b) { return a.number() < b.number(); });
  return ids;
}
void World::take_vehicles(const World& settled, std::uint32_t member) { engine::take_vehicles(impl_->d, settled.impl_->d, member); }
void World::take_touched(const World& settled) { engine::take_touched(impl_->d, settled.impl_->d); }
std::vector<Input> World::report(double straight) const {
  engine::present(impl_->d, engine::shows::kMotion | engine::shows::kStatus | engine::shows::kAttitude);
  return engine::report(impl_->d, straight);
}
bool World::read_poses(std::span<const std::byte> frame, std::vector<FramePose>& poses, std::string* error) const {
  engine::present(impl_->d, engine::shows::kStatus);
  const core::Status read = engine::read_poses(impl_->d, frame, poses);
  if (!read && error != nullptr) *error = read.error().text();
  return static_cast<bool>(read);
}

void World::step(std::uint64_t ticks) {
  core::require(!impl_->d.shared.is_on() || impl_->d.shared.is_live, "a world that is shared is stepped by advance() and settle()");
  if (impl_->d.keeps_submitted && !impl_->d.is_recorded) keep_submitted(false);
  for (std::uint64_t k = 0; k < ticks; ++k) {
    for (const Flock& f : impl_->d.flocks)
      if (f.arrays != nullptr) f.arrays->begin_tick(k == 0, k + 1 == ticks);
    engine::step(impl_->d);
  }
}

std::uint64_t World::tick() const { return impl_->d.tick; }
double World::time() const { return static_cast<double>(impl_->d.tick) * static_cast<double>(impl_->d.def.tick_ns) * 1e-9; }
const WorldDef& World::def() const { return impl_->d.def; }

void World::reset(std::span<const std::uint8_t> mask, std::span<const std::uint32_t> episodes) {
  const std::size_t n = impl_->d.worlds.start.size();
  if (mask.size() != n) throw std::invalid_argument("reset: the mask has " + std::to_string(mask.size()) + " entries for " + std::to_string(n) + " worlds");
  if (!episodes.empty() && episodes.size() != n)
    throw std::invalid_argument("reset: there are " + std::to_string(episodes.size()) + " episodes for " + std::to_string(n) + " worlds");
  engine::reset_worlds(impl_->d, mask, episodes);
  if (impl_->d.frame.is_viewed) engine::follow_changes(impl_->d);
}
std::uint64_t World::tick_of_world(std::uint32_t world) const { return world < impl_->d.worlds.start.size() ? engine::tick_of_world(impl_->d, world) : 0; }
std::uint32_t World::episode_of_world(std::uint32_t world) const { return world < impl_->d.worlds.episode.size() ? impl_->d.worlds.episode[world] : 0; }

bool World::use_arrays(const AgentArraysDef& def, std::string* error) {
  const core::Status made = engine::make_arrays(impl_->d, def);
  if (!made && error != nullptr) *error = made.error().text();
  return static_cast<bool>(made);
}
AgentArrays World::arrays(const std::string& flock) const {
  for (const Flock& f : impl_->d.flocks)
    if (f.def.name == flock && f.arrays != nullptr) return f.arrays->view();
  return {};
}
std::vector<ObservationTerm> observation_terms() { return engine::all_observation_terms(); }

std::uint64_t World::hash() const {
  const engine::Shared& shared = impl_->d.shared;
  return hash_with(shared.is_on() && shared.sum_tick == impl_->d.tick ? shared.sum : own_hash());
}
void World::learn_hash(std::uint64_t sum) { impl_->d.shared.sum = sum, impl_->d.shared.sum_tick = impl_->d.tick; }

std::uint64_t World::own_hash() const {
  const Data& d = impl_->d;
  std::uint64_t sum = engine::hash_nodes(d);
  if (d.last_hash_tick == d.tick) return sum + d.last_hash;  // inputs that wait act at the start of the next sweep
  for (const Flock& f : d.flocks) sum += engine::hash_flock(f, d.shared.is_live ? engine::Shared{} : d.shared);
  return sum;
}

std::uint64_t World::hash_with(std::uint64_t sum) const {
  const Data& d = impl_->d;
  sum += engine::hash_between(d) + engine::hash_weather(d) + engine::hash_worlds(d);
  return math::mix64(sum + 0x9e3779b97f4a7c15ull * (d.tick + 1));
}

std::uint64_t World::hash_of(VehicleId id) const {
  const Location* l = engine::locate(impl_->d, id);
  if (l == nullptr) return 0;
  const Flock& f = impl_->d.flocks[l->flock];
  std::uint64_t each[engine::kBlock];
  f.stepper->hash_block(f, l->slot / engine::kBlock, each);
  return each[l->slot % engine::kBlock];
}

std::uint64_t World::hash_of_world(std::uint32_t world) const {
  const Data& d = impl_->d;
  std::uint64_t sum = 0;
  std::uint64_t each[engine::kBlock];
  for (std::size_t k = 0; world < d.worlds.start.size() && k < d.flocks.size(); ++k) {
    const Flock& f = d.flocks[k];
    std::size_t hashed = f.blocks();  // the block that `each` is of
    engine::each_slot_of_world(d, k, world, [&](std::size_t s) {
      if (hashed != s / engine::kBlock) f.stepper->hash_block(f, hashed = s / engine::kBlock, each);
      sum += each[s % engine::kBlock] + engine::hash_of_node(d, k, s);
    });
  }
  return math::mix64(sum + 0x9e3779b97f4a7c15ull * (tick_of_world(world) + 1));
}

std::string World::why_not(const Input& in) const {
  if (const auto* field = std::get_if<SetField>(&in.payload)) return engine::why_not(impl_->d, in.target, *field);
  core::Status good = engine::check_input(impl_->d, in);
  if (good) good = engine::check_target(impl_->d, in);
  return good ? "" : engine::name_of(in.payload) + ": " + good.error().text();
}
Submitted World::submit(Input in, Late late) { return engine::submit(impl_->d, std::move(in), late); }
std::vector<Input> World::pending_inputs() const {
  std::vector<Input> list;
  for (const auto& [tick, inputs] : impl_->d.pending) list.insert(list.end(), inputs.begin(), inputs.end());
  engine::in_order(list);
  return list;
}
std::uint64_t World::late_inputs() const { return impl_->d.late_inputs; }
void World::keep_submitted(bool keep) {
  impl_->d.is_recorded = impl_->d.keeps_submitted = keep;
  if (!keep) impl_->d.submitted.clear();
}
std::vector<Input> World::take_submitted() { return std::exchange(impl_->d.submitted, {}); }

double World::radius_of(VehicleId id) const {
  const Location* l = engine::locate(impl_->d, id);
  if (l == nullptr) return 0;
  const engine::Flock& f = impl_->d.flocks[l->flock];
  const Vec half = f.model->extent(f.def.airframe.definition.get());
  return f.def.node.contact.radius > 0 ? f.def.node.contact.radius : std::max({half[0], half[1], half[2]});
}
std::size_t World::n_vehicles() const {
  std::size_t n = 0;
  impl_->d.locations.each([&](std::uint64_t, const Location& l) { n += l.alive ? 1 : 0; });
  return n;
}
VehicleId World::find(const std::string& word, std::uint32_t world) const {
  const Data& d = impl_->d;
  for (const Flock& f : d.flocks)
    for (std::size_t s = 0; s < f.slots; ++s)
      if (f.worlds[s] == world && f.names[s] == word && is_alive(f.ids[s])) return f.ids[s];
  VehicleId id;
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), id.value);
  if (code != std::errc() || end != word.data() + word.size()) return {};
  const Location* l = engine::locate(d, id);
  return l == nullptr ? VehicleId{} : d.flocks[l->flock].ids[l->slot];
}
std::vector<VehicleId> World::vehicles(const std::string& flock) const {
  std::vector<VehicleId> list;
  for (const Flock& f : impl_->d.flocks)
    if (flock.empty() || f.def.name == flock)
      for (const VehicleId id : f.ids)
        if (is_alive(id)) list.push_back(id);
  return list;
}
std::uint64_t World::roster_version() const { return impl_->d.roster_version; }
std::uint32_t World::world_of(VehicleId id) const {
  const Location* l = engine::locate(impl_->d, id);
  return l == nullptr ? 0 : impl_->d.flocks[l->flock].worlds[l->slot];
}
bool World::is_elsewhere(VehicleId id) const {
  const Location* l = engine::locate(impl_->d, id);
  return l != nullptr && !engine::is_own(impl_->d, l->flock, l->slot);
}
std::string World::flock_of(VehicleId id) const {
  const Location* l = engine::locate(impl_->d, id);
  return l == nullptr ? "" : impl_->d.flocks[l->flock].def.name;
}
std::uint64_t World::place_of(VehicleId id) const {
  const Location* l = engine::locate(impl_->d, id);
  return l == nullptr ? 0 : impl_->d.flocks[l->flock].place_of(l->slot);
}
bool World::is_alive(VehicleId id) const { return engine::locate(impl_->d, id) != nullptr; }
std::string World::name_of(VehicleId id) const {
  const Location* l = engine::locate(impl_->d, id);
  return l == nullptr ? "" : impl_->d.flocks[l->flock].names[l->slot];
}
Mode World::mode_of(VehicleId id) const {
  const Location* l = engine::locate(impl_->d, id);
  return l == nullptr ? Mode::Disarmed : engine::mode_of(impl_->d, l->flock, l->slot);
}

namespace {
const Flock* find_flock(const Data& d, const std::string& name) {
  for (const Flock& f : d.flocks)
    if (f.def.name == name) return &f;
  return nullptr;
}

constexpr std::string_view kPlotPrefix = "plot.";
}  // namespace

Vec World::position_of(VehicleId id) const {
  const Location* l = engine::locate(impl_->d, id);
  return l == nullptr ? Vec{0, 0, 0} : engine::position_of(impl_->d, l->flock, l->slot);
}
Vec World::velocity_of(VehicleId id) const {
  const Location* l = engine::locate(impl_->d, id);
  return l == nullptr ? Vec{0, 0, 0} : engine::velocity_of(impl_->d, l->flock, l->slot);
}

std::vector<std::string> World::flocks() const {
  std::vector<std::string> names;
  for (const Flock& f : impl_->d.flocks) names.push_back(f.def.name);
  return names;
}
std::vector<ColumnDoc> World::columns(const std::string& flock) const {
  std::vector<ColumnDoc> list;
  const Flock* f = find_flock(impl_->d, flock);
  if (f == nullptr) return list;
  for (const engine::ColumnInfo& c : f->program->hot) list.push_back({c.name, c.unit, c.frame, c.doc, c.rows});
  if (f->senses != nullptr)
    for (const engine::ColumnInfo& c : f->senses->columns) list.push_back({c.name, c.unit, c.frame, c.doc, c.rows});
  if (f->joined != nullptr)
    for (const engine::ColumnInfo& c : f->joined->columns) list.push_back({c.name, c.unit, c.frame, c.doc, c.rows});
  for (const std::string& name : engine::plots_of(impl_->d, *f).names) list.push_back({std::string(kPlotPrefix) + name, "", "", "number that a behaviour of the flock plots", 1});
  return list;
}

std::vector<ColumnDoc> World::parameters(const std::string& flock) const {
  std::vector<ColumnDoc> list;
  if (const Flock* f = find_flock(impl_->d, flock))
    for (const engine::ColumnInfo& c : f->program->params) list.push_back({c.name, c.unit, c.frame, c.doc, c.rows});
  return list;
}
std::optional<double> World::parameter_of(VehicleId id, const std::string& parameter, int component) const {
  const Location* l = engine::locate(impl_->d, id);
  if (l == nullptr) return std::nullopt;
  const Flock& f = impl_->d.flocks[l->flock];
  const engine::ColumnInfo* c = f.find_param(parameter);
  if (c == nullptr || component < 0 || component >= c->rows) return std::nullopt;
  return f.parameter(l->slot, c->row + component);
}

View World::view(const std::string& flock, const std::string& column) const {
  if (const std::optional<View> found = find_view(flock, column)) return *found;
  const bool is_flock = find_flock(impl_->d, flock) != nullptr;
  std::vector<std::string> known = flocks();
  if (is_flock) {
    known.clear();
    for (const ColumnDoc& c : columns(flock)) known.push_back(c.name);
  }
  const std::string meant = core::did_you_mean(is_flock ? column : flock, known);
  throw std::invalid_argument((is_flock ? "flock '" + flock + "' has no column '" + column + "'" : "there is no flock '" + flock + "'") +
                              (meant.empty() ? "" : " (" + meant + ")"));
}

std::vector<ColumnDoc> World::frame_columns() { return engine::frame_columns(); }
FrameView World::frame(const std::string& column) {
  if (const std::optional<FrameView> found = engine::view_frame(impl_->d, column)) return *found;
  std::vector<std::string> known;
  for (const ColumnDoc& c : frame_columns()) known.push_back(c.name);
  const std::string meant = core::did_you_mean(column, known);
  throw std::invalid_argument("the frame has no column '" + column + "'" + (meant.empty() ? "" : " (" + meant + ")"));
}
std::uint64_t World::frame_generation() {
  engine::present(impl_->d, 0);
  return impl_->d.frame.generation;
}
void World::keep_views() {
  impl_->d.frame.is_viewed = true;
  for (Flock& f : impl_->d.flocks) f.is_viewed = true;
}

std::optional<View> World::find_view(const std::string& flock, const std::string& column) const {
  View v;
  const Flock* f = find_flock(impl_->d, flock);
  if (f != nullptr && column.starts_with(kPlotPrefix)) return engine::view_of_plot(impl_->d, *f, column.substr(kPlotPrefix.size()));
  const engine::ColumnInfo* c = f == nullptr ? nullptr : f->find_shown(column);
  if (c == nullptr) return std::nullopt;
  const engine::RecordRows record = engine::record_of(*f, c->record);
  const auto bytes = static_cast<std::ptrdiff_t>(f->bytes);
  if (f->blocks() > 0) v.pointer = record.first + engine::element_offset(0, record.n, c->row, f->bytes);
  v.dtype = c->integer ? (bytes == 4 ? Dtype::Uint32 : Dtype::Uint64) : (bytes == 4 ? Dtype::Float32 : Dtype::Float64);
  v.shape[0] = f->blocks();
  v.shape[2] = static_cast<std::size_t>(c->rows);
  v.strides[0] = record.n * engine::kBlock * bytes;
  v.strides[1] = bytes;
  v.strides[2] = engine::kBlock * bytes;
  v.n = f->slots;
  v.generation = f->generation;
  return v;
}

double View::at(std::size_t slot, std::size_t component) const {
  const auto* p = static_cast<const std::byte*>(pointer) + static_cast<std::ptrdiff_t>(slot / 16) * strides[0] +
                  static_cast<std::ptrdiff_t>(slot % 16) * strides[1] + static_cast<std::ptrdiff_t>(component) * strides[2];
  switch (dtype) {
    case Dtype::Float32: return static_cast<double>(*reinterpret_cast<const float*>(p));
    case Dtype::Float64: return *reinterpret_cast<const double*>(p);
    case Dtype::Uint32: return static_cast<double>(*reinterpret_cast<const std::uint32_t*>(p));
    case Dtype::Uint64: return static_cast<double>(*reinterpret_cast<const std::uint64_t*>(p));
  }
  return 0;
}

std::size_t World::slot_of(VehicleId id) const {
  const Location* l = engine::locate(impl_->d, id);
  return l == nullptr ? 0 : l->slot;
}
std::size_t World::bytes() const {
  std::size_t sum = 0;
  for (Flock& f : impl_->d.flocks) {
    sum += f.identity.size();
    engine::each_column(f, f.capacity, [&](core::Buffer&, std::size_t n) { sum += n; });
  }
  return sum;
}

std::vector<LiveValue> World::fields_of(VehicleId id) const {
  const Data& d = impl_->d;
  const Location* l = engine::locate(d, id);
  std::vector<core::ListedField> listed;
  if (l != nullptr)
    listed = swarm::list_node(d.flocks[l->flock].def.node);
  else if (!id) {
    if (d.air.medium != nullptr) listed = swarm::list_radio(d.air.rules);
    const std::vector<core::ListedField> of_air = weather::list(d.weather.rules);
    listed.insert(listed.end(), of_air.begin(), of_air.end());
  }
  std::vector<LiveValue> list;
  for (const core::ListedField& f : listed) list.push_back({f.path, f.value, f.info.unit, f.info.doc, f.info.min, f.info.max, f.choices});
  return list;
}

std::shared_ptr<const Snapshot> World::snapshot() const {
  std::shared_ptr<Snapshot> s;
  snapshot_into(s);
  return s;
}
void World::snapshot_into(std::shared_ptr<Snapshot>& s) const {
  if (s == nullptr || s.use_count() > 1) s = std::make_shared<Snapshot>();
  engine::take_snapshot(impl_->d, *s);
}
bool World::restore(const Snapshot& s, std::string* error) {
  const core::Status done = engine::restore_snapshot(impl_->d, s);
  if (impl_->d.frame.is_viewed) engine::follow_changes(impl_->d);
  if (!done && error != nullptr) *error = done.error().text();
  return static_cast<bool>(done);
}
bool World::snapshot_part_into(std::shared_ptr<SnapshotPart>& part, const PartOf& of, std::string* error) const {
  auto made = part == nullptr || part.use_count() > 1 ? std::make_shared<SnapshotPart>() : part;
  const core::Status done = engine::take_part(impl_->d, of, *made);
  if (!done && error != nullptr) *error = done.error().text();
  if (done) part = std::move(made);
  return static_cast<bool>(done);
}
bool World::restore(const SnapshotPart& part, std::string* error) {
  const core::Status done = engine::restore_part(impl_->d, part);
  if (impl_->d.frame.is_viewed) engine::follow_changes(impl_->d);
  if (!done && error != nullptr) *error = done.error().text();
  return static_cast<bool>(done);
}
std::vector<std::byte> World::snapshot_bytes(const Snapshot& s) { return engine::snapshot_to_bytes(s); }
std::shared_ptr<const Snapshot> World::read_snapshot(std::span<const std::byte> bytes, std::string* error) const {
  auto s = engine::snapshot_from_bytes(bytes, impl_->d);
  if (s) return std::move(s).value();
  if (error != nullptr) *error = s.error().text();
  return nullptr;
}

std::unique_ptr<World> World::branch(const RunOptions& options) const {
  std::string error;
  auto w = create(impl_->d.def, options, &error);
  core::require(w != nullptr, error.c_str());
  core::require(w->restore(*snapshot(), &error), error.c_str());
  return w;
}

std::vector<TaskStanding> World::tasks(std::uint32_t world) const {
  std::vector<TaskStanding> list;
  if (world >= impl_->d.judging.judges.size()) return list;
  const std::uint64_t planned = planned_ticks(impl_->d.def);
  const std::vector<swarm::TaskResult> results = impl_->d.judging.judges[world].results(engine::tick_of_world(impl_->d, world) < planned ? swarm::kNotYet : planned);
  for (const swarm::TaskResult& r : results) list.push_back({r.name, r.required, swarm::name_of(r.state), r.since, r.detail});
  return list;
}
std::vector<TaskStanding> World::standings() const {
  const auto rank = [](const TaskStanding& t) { return t.state == "failed" ? 3 : t.state == "open" ? 2 : t.state == "holding" ? 1 : 0; };
  std::vector<TaskStanding> worst = tasks(0);
  const std::size_t n_worlds = impl_->d.judging.judges.size();
  if (n_worlds < 2) return worst;
  std::vector<std::size_t> where(worst.size(), 0), alike(worst.size(), 0);
  for (std::size_t w = 0; w < n_worlds; ++w) {
    const std::vector<TaskStanding> here = tasks(static_cast<std::uint32_t>(w));
    for (std::size_t k = 0; k < here.size(); ++k) {
      if (rank(here[k]) > rank(worst[k])) worst[k] = here[k], where[k] = w, alike[k] = 0;
      alike[k] += rank(here[k]) == rank(worst[k]) ? 1 : 0;
    }
  }
  for (std::size_t k = 0; k < worst.size(); ++k) {
    const std::string count = std::to_string(alike[k]) + " of " + std::to_string(n_worlds);
    worst[k].detail = "in " + count + " worlds; world " + std::to_string(where[k]) + ": " + worst[k].detail;
  }
  return worst;
}
bool World::is_detached(VehicleId id) const { return impl_->d.interaction.is_detached(id); }
std::vector<DrawnFault> World::random_faults(std::uint32_t world) const { return engine::random_faults(impl_->d, world); }
std::vector<Trouble> World::troubles() const { return engine::troubles(impl_->d); }
std::vector<ComponentDoc> World::components_of(VehicleId id) const {
  const Location* l = engine::locate(impl_->d, id);
  return l == nullptr ? std::vector<ComponentDoc>{} : engine::components_of(impl_->d.flocks[l->flock]);
}
std::vector<SetFault> World::faults_of(VehicleId id) const { return engine::faults_of(impl_->d, id); }
std::vector<std::string> World::sensors_of(VehicleId id) const {
  const Location* l = engine::locate(impl_->d, id);
  return l == nullptr ? std::vector<std::string>{} : engine::sensors_of(impl_->d.flocks[l->flock], l->slot);
}
Condition World::condition_of(VehicleId id) const { return engine::condition_of(impl_->d, id); }
std::vector<ContactPoint> World::contacts_of(VehicleId id) const {
  const Location* l = engine::locate(impl_->d, id);
  if (l == nullptr) return {};
  const Flock& f = impl_->d.flocks[l->flock];
  return f.joined != nullptr && l->slot < f.joined->contacts.size() ? f.joined->contacts[l->slot] : std::vector<ContactPoint>();
}
VehicleId World::held_by(VehicleId id) const {
  const Location* l = engine::locate(impl_->d, id);
  return l == nullptr ? VehicleId{} : engine::holder_of(impl_->d.flocks[l->flock], l->slot);
}
bool World::has_crashed(VehicleId id) const { return impl_->d.interaction.has_crashed(id); }
bool World::mission_accomplished(std::uint32_t world) const {
  return world >= impl_->d.judging.judges.size() || impl_->d.judging.judges[world].is_accomplished();
}

namespace {

// nobody for a number that nobody ever had
VehicleId whole_id(const Data& d, std::uint64_t number) {
  const Location* l = d.locations.find(number);
  return l == nullptr ? VehicleId{} : make_vehicle_id(number, l->generation);
}

}  // namespace

DecisionState World::decision_state_of(VehicleId id) const {
  DecisionState decision;
  const Data& d = impl_->d;
  const Location* l = engine::locate(d, id);
  if (l == nullptr || !d.is_social) return decision;
  const engine::Society& s = d.societies[l->flock];
  const engine::Node& node = s.nodes[l->slot];
  const std::size_t kinds = s.library.size();
  const std::uint64_t now = engine::tick_of_world(d, d.flocks[l->flock].worlds[l->slot]);
  decision.is_elsewhere = !engine::is_own(d, l->flock, l->slot);
  for (std::size_t k = 0; k < kinds; ++k) {
    const std::size_t at = l->slot * kinds + k;
    decision.behaviours.push_back({s.library[k].name, s.weights[at], s.triggers[at], s.active[at] != 0, node.chosen == k});
    if (decision.is_elsewhere) decision.behaviours.back() = {s.library[k].name, s.weights[at]};
  }
  for (std::size_t k = 0; k < s.known.count(l->slot); ++k)
    if (const VehicleId from = whole_id(d, s.known.id(l->slot, k)); from && now - s.known.tick(l->slot, k, now) <= s.forget) decision.hears.push_back(from);
  s.seen.each(d.interaction.look_frames, l->slot, d.flocks[l->flock].worlds[l->slot],
              [&](const engine::LookFrame& f, std::size_t k) { decision.sees.push_back(whole_id(d, f.id[k])); });
  return decision;
}

GuidanceCommand World::guidance_of(VehicleId id) const {
  const Data& d = impl_->d;
  const Location* l = engine::locate(d, id);
  if (l == nullptr || !d.is_social || !d.societies[l->flock].is_piloted) return {};
  const swarm::Action& a = d.societies[l->flock].guidance[l->slot];
  using Asked = swarm::Action::Kind;
  using Kind = GuidanceCommand::Kind;
  const auto kind = [&] {
    switch (a.kind) {
      case Asked::Velocity: return Kind::Velocity;
      case Asked::Position: return Kind::Position;
      case Asked::TakeOff: return Kind::TakeOff;
      case Asked::Hold: return Kind::Hold;
      case Asked::Land: return Kind::Land;
      case Asked::Disarm: return Kind::Disarm;
      default: return Kind::None;
    }
  };
  return {kind(), {a.position.x, a.position.y, a.position.z}, {a.velocity.x, a.velocity.y, a.velocity.z}, a.yaw, a.turns};
}

RadioReport World::radio() const {
  RadioReport report;
  const engine::Media* medium = impl_->d.air.medium.get();
  if (medium == nullptr) return report;
  report.sent = medium->sent();
  for (std::size_t k = 0; k < swarm::kFates; ++k)
    report.outcomes.emplace_back(swarm::name_of(static_cast<swarm::Fate>(k)), medium->count(static_cast<swarm::Fate>(k)));
  // it got there, but nobody read it
  const std::uint64_t overrun = impl_->d.air.overrun;
  report.outcomes.front().second -= overrun;
  report.outcomes.emplace_back("inbox_full", overrun);
  for (std::size_t octave = 0; octave < swarm::kOctaves; ++octave) {
    RadioReport::Distance at{octave == 0 ? 0 : static_cast<double>(std::uint64_t{1} << (octave - 1)), static_cast<double>(std::uint64_t{1} << octave), 0, {}};
    for (std::size_t k = 0; k < swarm::kFates; ++k) {
      const std::uint64_t n = medium->count_at(octave, static_cast<swarm::Fate>(k));
      at.receivers += n;
      if (n > 0) at.outcomes.emplace_back(swarm::name_of(static_cast<swarm::Fate>(k)), n);
    }
    if (at.receivers > 0) report.by_distance.push_back(std::move(at));
  }
  return report;
}

std::vector<MessageOutcome> World::message_outcomes() const {
  const Data& d = impl_->d;
  std::vector<MessageOutcome> list;
  // known since the last tick, although it may be heard later
  const engine::Coupled* left = d.coupling.delays() && d.tick > 0 ? engine::find_coupled(d.coupling, d.tick - 1) : nullptr;
  const swarm::Arrivals& arrivals = left == nullptr ? d.air.arrivals : left->arrivals;
  for (const swarm::Reception& r : arrivals.receptions) {
    const swarm::Message& m = arrivals.messages[r.message];
    list.push_back({m.tick, whole_id(d, r.sender), whole_id(d, r.receiver), m.topic, swarm::name_of(r.fate), r.fate == swarm::Fate::Delivered, r.sinr()});
  }
  return list;
}

std::vector<StimulusKind> World::stimuli(std::uint32_t world) const {
  std::vector<StimulusKind> kinds;
  for (const engine::EmittedKind& k : engine::emitted_kinds(impl_->d, world)) {
    StimulusKind kind{k.name, k.unit, {}};
    for (const std::uint64_t number : k.sources) kind.sources.push_back(whole_id(impl_->d, number));
    kinds.push_back(std::move(kind));
  }
  return kinds;
}
double World::stimulus_at(const std::string& kind, const Vec& position_W, std::uint32_t world) const {
  return engine::emission_at(impl_->d, kind, world, position_W);
}
AirSample World::air_at(const Vec& position_W, std::uint32_t world) const { return engine::air_at(impl_->d, position_W, world); }
const EnvironmentDef& World::environment() const { return impl_->d.weather.rules; }
SwarmReport World::swarm_report() const { return engine::swarm_report(impl_->d); }

std::vector<Event> World::take_events() { return std::exchange(impl_->d.events, {}); }
std::vector<Plotted> World::plotted() const { return impl_->d.plotted; }
std::vector<StageTime> World::profile() const {
  std::vector<StageTime> list;
  for (std::size_t k = 0; k < engine::kStages.size(); ++k) list.push_back({engine::kStages[k].name, impl_->d.stage_seconds[k]});
  return list;
}

Tracking World::tracking() const {
  Tracking t;
  engine::present(impl_->d, engine::shows::kMotion | engine::shows::kStatus | engine::shows::kReference);
  const engine::Frame& frame = impl_->d.frame;
  for (const Flock& f : impl_->d.flocks) {
    const engine::PathError error(f);
    if (!error.has_path()) continue;
    for (std::size_t slot = 0; slot < f.slots; ++slot) {
      const std::uint32_t at = frame.place_of[f.index][slot];
      if (at == engine::Frame::kNobody || static_cast<Mode>(frame.status[at] & control::kModeMask) != Mode::Mission) continue;
      if (!engine::is_own(impl_->d, f.index, slot)) continue;  // its setpoint is with its owner
      const double e2 = error.squared(frame, at);
      t.max = std::max(t.max, math::sqrt(e2));
      t.mean_square += e2;
      ++t.samples;
    }
  }
  if (t.samples > 0) t.mean_square /= static_cast<double>(t.samples);
  return t;
}

const char* World::backend() const { return impl_->d.backend->name; }
std::string World::program_of(const std::string& flock) const {
  const Flock* f = find_flock(impl_->d, flock);
  return f == nullptr ? "" : std::string(f->model->name) + "/" + f->program->name;
}

std::uint64_t planned_ticks(const WorldDef& def) {
  const double ticks = def.duration / (static_cast<double>(def.tick_ns) * 1e-9);
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(math::round(ticks)));
}

std::uint64_t horizon_ticks(const WorldDef& def) {
  const double ticks = def.coupling.horizon / (static_cast<double>(def.tick_ns) * 1e-9);
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(math::round(ticks)));
}

std::vector<int> available_lanes() {
  std::vector<int> lanes;
  for (const engine::Backend* b : engine::all_backends())
    if (b->optimised && b->supported() && std::find(lanes.begin(), lanes.end(), b->lanes) == lanes.end()) lanes.push_back(b->lanes);
  return lanes;
}

}  // namespace volary
