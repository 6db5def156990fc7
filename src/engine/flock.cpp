// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/flock.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "engine/backend.hpp"
#include "engine/columns.hpp"
#include "engine/ground.hpp"
#include "math/hash.hpp"
#include "math/random.hpp"
#include "swarm/message.hpp"
#include "vehicles/mirror.hpp"

namespace volary::engine {

namespace {

const ColumnInfo* find(const std::vector<ColumnInfo>& columns, const std::string& name) {
  for (const ColumnInfo& c : columns)
    if (c.name == name) return &c;
  return nullptr;
}

}  // namespace

void Override::set(std::size_t slot, int bytes, double x) { write_scalar(column.data() + slot * static_cast<std::size_t>(bytes), bytes, x); }

void Override::fill(std::size_t first, std::size_t last, int bytes, double x) {
  for (std::size_t s = first; s < last; ++s) set(s, bytes, x);
}

const ColumnInfo* Flock::find_column(const std::string& name) const { return find(program->hot, name); }
const ColumnInfo* Flock::find_shown(const std::string& name) const {
  const ColumnInfo* c = find_column(name);
  if (c == nullptr && senses != nullptr) c = senses->find_column(name);
  return c == nullptr && joined != nullptr ? joined->find_column(name) : c;
}
const ColumnInfo* Flock::find_param(const std::string& name) const { return find(program->params, name); }
const ColumnInfo* Flock::find_plan(const std::string& name) const { return find(program->plan, name); }

void Flock::reserve(std::size_t wanted) {
  if (wanted <= capacity) return;
  // whole blocks, and half as much again while running, so that views rarely move
  const std::size_t more = capacity == 0 ? wanted : std::max(wanted, capacity + capacity / 2);
  const std::size_t n_blocks = (more + kBlock - 1) / kBlock, row_bytes = kBlock * static_cast<std::size_t>(bytes);
  const std::size_t old_capacity = capacity;
  capacity = n_blocks * kBlock;
  const auto grow_viewed = [&](core::Buffer& rows, int n_rows) {
    const std::size_t size = n_blocks * static_cast<std::size_t>(n_rows) * row_bytes;
    if (is_viewed && rows.size() > 0) {
      core::Buffer larger(size, *memory);
      std::memcpy(larger.data(), rows.data(), rows.size());
      left.push_back(std::exchange(rows, std::move(larger)));
    }
    rows.grow(size);
  };
  grow_viewed(hot, kernel->hot_rows);
  if (senses != nullptr) grow_viewed(senses->rows, senses->layout.rows);
  if (joined != nullptr) grow_viewed(joined->state, joined->rows);
  if (guided()) plan.grow(n_blocks * static_cast<std::size_t>(kernel->plan_rows) * row_bytes);
  identity.grow(n_blocks * 4 * row_bytes);
  for (Override& o : overrides) {
    o.column.grow(n_blocks * row_bytes);
    for (std::size_t s = old_capacity; s < capacity; ++s)
      write_scalar(o.column.data() + s * static_cast<std::size_t>(bytes), bytes, param_values[static_cast<std::size_t>(o.row)]);
  }
  if (has_ground) ground.grow(n_blocks * kGroundRows * row_bytes);
  for (std::size_t s = old_capacity; has_ground && s < capacity; ++s) level_ground(s);
  // Padding lanes fly along: give them a state that stays finite, high above the ground and armed. One that stood there or was disarmed would send its whole block
  // through what is rare in a kernel, and a world of less than a block would cost twice as much.
  VehicleDef rest;
  rest.position_W = {0, 0, setup.environment.ground_height + 1e3};
  rest.mode = Mode::Armed;
  for (std::size_t s = old_capacity; s < capacity; ++s) {
    stepper->initialise(*this, s, rest, setup, param_values.data());
    set_status(s, static_cast<std::uint64_t>(Mode::Armed));
    if (senses != nullptr) begin_senses(*this, s, carried_by(*this, rest), 0, setup.environment, true);
  }
  ++generation;
}

std::size_t Flock::take_slot(std::uint32_t world) {
  const auto free = std::find_if(free_slots.begin(), free_slots.end(), [&](std::size_t s) { return worlds[s] == world; });
  if (free != free_slots.end()) {
    const std::size_t slot = *free;
    free_slots.erase(free);
    return slot;
  }
  reserve(slots + 1);
  ids.emplace_back();
  draws.emplace_back();
  worlds.emplace_back();
  names.emplace_back();
  failed.emplace_back();
  return slots++;
}

void Flock::set_identity(std::size_t slot, VehicleId id, std::uint64_t place, std::uint32_t world, const math::RandomKey<std::uint32_t>& seeded) {
  ids[slot] = id;
  worlds[slot] = world;
  if (last_places.size() <= world) last_places.resize(world + 1, 0);
  last_places[world] = std::max(last_places[world], place);
  draws[slot] = key + place;
  const std::uint64_t words[4] = {draws[slot] & 0xffffffffu, draws[slot] >> 32, seeded.lo, seeded.hi};
  for (int k = 0; k < 4; ++k) write_word(identity.data() + element_offset(slot, 4, k, bytes), bytes, words[k]);
}

void Flock::set_key(std::size_t slot, const math::RandomKey<std::uint32_t>& seeded) {
  write_word(identity.data() + element_offset(slot, 4, 2, bytes), bytes, seeded.lo);
  write_word(identity.data() + element_offset(slot, 4, 3, bytes), bytes, seeded.hi);
}

void Flock::read_draws() {
  draws.resize(slots);
  for (std::size_t s = 0; s < slots; ++s) {
    const auto word = [&](int k) { return read_word(identity.data() + element_offset(s, 4, k, bytes), bytes); };
    draws[s] = word(0) | word(1) << 32;
  }
}

// after all that ever were
std::uint64_t Flock::next_place(std::uint32_t world) const { return (world < last_places.size() ? last_places[world] : 0) + 1; }

Override& Flock::own_column(int r) {
  const auto it = std::find_if(overrides.begin(), overrides.end(), [&](const Override& o) { return o.row == r; });
  if (it != overrides.end()) return *it;
  Override o{r, make_column(capacity)};
  for (std::size_t s = 0; s < capacity; ++s)
    write_scalar(o.column.data() + s * static_cast<std::size_t>(bytes), bytes, param_values[static_cast<std::size_t>(r)]);
  overrides.push_back(std::move(o));
  return overrides.back();
}

void Flock::use_overrides(const std::vector<int>& rows) {
  const bool are_these = std::equal(overrides.begin(), overrides.end(), rows.begin(), rows.end(), [](const Override& o, int r) { return o.row == r; });
  if (are_these) return;
  overrides.clear();
  for (const int r : rows) own_column(r);
}

void Flock::set_override(std::size_t slot, int r, double x) { own_column(r).set(slot, bytes, x); }

double Flock::parameter(std::size_t slot, int r) const {
  const auto own = std::find_if(overrides.begin(), overrides.end(), [&](const Override& o) { return o.row == r; });
  return own == overrides.end() ? param_values[static_cast<std::size_t>(r)] : read_scalar(own->column.data() + slot * static_cast<std::size_t>(bytes), bytes);
}

void Flock::get_ground(std::size_t slot, double (&rows)[kGroundRows]) const {
  for (int k = 0; k < kGroundRows; ++k) rows[k] = read_scalar(ground.data() + element_offset(slot, kGroundRows, k, bytes), bytes);
}
void Flock::set_ground_below(std::size_t slot, double height) { write_scalar(ground_below.data() + slot * static_cast<std::size_t>(bytes), bytes, height); }
void Flock::set_ground(std::size_t slot, const double (&rows)[kGroundRows]) {
  for (int k = 0; k < kGroundRows; ++k) write_scalar(ground.data() + element_offset(slot, kGroundRows, k, bytes), bytes, rows[k]);
}
void Flock::level_ground(std::size_t slot) { set_ground(slot, {flat_ground, 0, 0, 0, 0, 1}); }

void Flock::broadcast_params() {
  const std::size_t n = param_values.size(), width = static_cast<std::size_t>(kernel->lanes), size = static_cast<std::size_t>(bytes);
  params = make_column(n * width);
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t l = 0; l < width; ++l) write_scalar(params.data() + (k * width + l) * size, bytes, param_values[k]);
}

SweepArgs Flock::sweep_args() const {
  SweepArgs a;
  a.hot = const_cast<std::byte*>(hot.data());
  a.plan = guided() ? const_cast<std::byte*>(plan.data()) : nullptr;
  a.identity = identity.data();
  a.params = params.data();
  a.tables = tables.size() > 0 ? tables.data() : nullptr;
  a.substeps = setup.substeps;
  a.law = static_cast<int>(setup.controller.kind);
  a.gusts = setup.environment.gust_sigma > 0;
  a.euler = setup.integrator == Integrator::SemiImplicitEuler;
  a.guide = guided();
  a.ground = has_ground ? ground.data() : nullptr;
  if (senses != nullptr) a.senses = senses->rows.data(), a.senses_rows = senses->layout.rows, a.by_truth = senses->by_truth, a.believes = senses->believes;
  if (joined != nullptr) a.joined = joined->state.data(), a.joined_rows = joined->rows;
  a.impact_speed = impact_speed;
  a.fault_rows = n_fault_rows();
  a.faults = fault_rows.size() > 0 ? const_cast<std::byte*>(fault_rows.data()) : nullptr;
  a.sense_faults = sense_faults.size() > 0 ? sense_faults.data() : nullptr;
  return a;
}

namespace {

bool is_mirror(const ModelHost& model) { return std::string_view(model.name) == vehicles::Mirror::name; }

// what somebody else moves has the size of its airframe, and nothing else of it
Airframe mirror_of(const Airframe& airframe, const ModelHost& model) {
  auto def = std::make_shared<airframe::MirrorDef>();
  def->name = airframe.name;
  const Vec half = model.extent(airframe.definition.get());
  def->radius = std::max({half[0], half[1], half[2]});
  return {vehicles::Mirror::name, airframe.name, std::move(def)};
}

}  // namespace

core::Result<Flock> make_flock(const FlockDef& def, const WorldDef& world, const Backend& backend, core::Memory& memory) {
  Flock f;
  f.memory = &memory;
  for (core::Buffer* b : {&f.hot, &f.plan, &f.identity, &f.ground, &f.ground_below, &f.fault_rows, &f.sense_faults}) *b = core::Buffer(memory);
  f.def = def;
  // flocks of one name are told apart by their order
  std::uint64_t twins = 0;
  for (const FlockDef& other : world.flocks) {
    if (&other == &def) break;
    twins += other.name == def.name ? 1 : 0;
  }
  f.key = math::mix64(swarm::topic(def.name) | (twins << 32));
  f.def.vehicles.clear();
  f.setup = setup_of(def, world);
  f.bytes = world.precision == Precision::Float ? 4 : 8;
  f.impact_speed = world.learning != nullptr ? 0 : def.node.contact.ground_speed;  // the task of those that learn says what ends an episode
  f.backend = &backend;
  f.stepper = make_stepper();

  f.model = find_model(def.airframe.model);
  if (f.model == nullptr) return core::Error{.message = "unknown vehicle model '" + def.airframe.model + "'", .field = "flocks." + def.name};
  f.def.mirror = def.mirror || is_mirror(*f.model);
  f.def.piloted = def.piloted || f.def.mirror;
  if (f.def.mirror && !is_mirror(*f.model)) {
    f.def.airframe = mirror_of(def.airframe, *f.model);
    f.model = find_model(f.def.airframe.model);
  }
  const Airframe& airframe = f.def.airframe;
  if (def.sensors.imu && !def.full_physics) return core::Error{.message = "an IMU needs full_physics", .field = "flocks." + def.name + ".sensors.imu"};
  const int index = f.model->choose(airframe.definition.get(), f.setup);
  if (index < 0) return core::Error{.message = "there is no kernel for this airframe with this controller", .field = "flocks." + def.name};
  f.program = &f.model->programs[static_cast<std::size_t>(index)];
  f.kernel = find_kernel(backend, f.model->name, f.program->name, f.bytes);
  if (f.kernel == nullptr) return core::Error{.message = std::string("this backend has no kernel ") + f.program->name, .field = "flocks." + def.name};

  f.shown = {f.find_column("position"), f.find_column("velocity"), f.find_column("attitude"), f.find_column("setpoint.level"), f.find_column("wind"),
             {f.find_column("setpoint.position"), f.find_column("setpoint.velocity"), f.find_column("setpoint.acceleration")}, {}};

  auto params = f.program->derive(airframe.definition.get(), f.setup);
  if (!params) return params.error();
  f.param_values = std::move(params).value();
  if (f.program->tables != nullptr) {
    const std::vector<double> tables = f.program->tables(airframe.definition.get());
    f.tables = f.make_column(tables.size());
    for (std::size_t k = 0; k < tables.size(); ++k) write_scalar(f.tables.data() + k * static_cast<std::size_t>(f.bytes), f.bytes, tables[k]);
  }
  if (const ColumnInfo* height = f.find_param("ground.height"); height != nullptr && !is_flat(world.environment))
    f.has_ground = true, f.flat_ground = f.param_values[static_cast<std::size_t>(height->row)];
  f.broadcast_params();
  auto senses = make_senses(f.def, world, f);
  if (!senses) return senses.error();
  f.senses = std::move(senses).value();
  if (f.senses != nullptr && f.senses->believes) {
    constexpr const char* kEstimated[4] = {"estimate.position", "estimate.velocity", "estimate.attitude", "estimate.position_std"};
    for (std::size_t k = 0; k < 4; ++k) f.shown.estimate[k] = f.find_column(kEstimated[k]);
  }
  if (const core::Status made = make_variants(f); !made) return made.error();
  auto joined = make_joined(def, world, f);
  if (!joined) return joined.error();
  f.joined = std::move(joined).value();
  if (f.joined != nullptr) f.stepper = make_joined_stepper();
  return f;
}

}  // namespace volary::engine
