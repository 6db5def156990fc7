// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/senses.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "engine/backend.hpp"
#include "engine/columns.hpp"
#include "engine/data.hpp"
#include "engine/ground.hpp"
#include "engine/sense_lanes.hpp"
#include "estimation/ekf_derive.hpp"
#include "sensors/site.hpp"
#include "vehicles/components.hpp"

namespace volary::engine {

namespace {

using engine_kernels::SenseLanes;
using sensors::AllSensors;

template <class F, class... Xs> void each_kind(core::TypeList<Xs...>, F&& f) {
  int i = 0;
  (f.template operator()<Xs>(i++), ...);
}

template <class R> int rows_of() {
  R r{};
  math::RowCounter n;
  R::fields(r, n);
  return n.n;
}

core::Error refusal(const FlockDef& def, std::string message, const char* field = "sensors") {
  return core::Error{.message = std::move(message), .field = "flocks." + def.name + "." + field};
}

bool carries_any(const SensorsDef& s) {
  bool any = s.imu.has_value() || !s.own.empty();
  each_kind(AllSensors{}, [&]<class X>(int) { any = any || X::of(s).has_value(); });
  return any;
}

core::Status check_own(const FlockDef& def) {
  const std::vector<OwnSensorDef>& own = def.sensors.own;
  if (own.size() > kMostOwnSensors) return refusal(def, fmt::format("{} own sensors are more than {}", own.size(), kMostOwnSensors), "sensors.own");
  for (std::size_t k = 0; k < own.size(); ++k) {
    const std::string field = fmt::format("sensors.own[{}]", k);
    if (own[k].name.empty()) return refusal(def, "an own sensor needs a name", (field + ".name").c_str());
    if (own[k].size < 1 || own[k].size > static_cast<int>(kMostOwnNumbers))
      return refusal(def, fmt::format("a reading of '{}' has 1 to {} numbers, and not {}", own[k].name, kMostOwnNumbers, own[k].size),
                     (field + ".size").c_str());
    for (std::size_t i = 0; i < k; ++i)
      if (own[i].name == own[k].name) return refusal(def, "there are two own sensors '" + own[k].name + "'", (field + ".name").c_str());
  }
  return core::ok();
}

// what does not fit the vehicle or the world
core::Status check(const FlockDef& def, const WorldDef& world, const Flock& f) {
  const SensorsDef& s = def.sensors;
  const std::string model = f.model->name;
  if (s.imu && !f.program->sensed) return refusal(def, fmt::format("a vehicle of the model '{}' cannot carry an IMU", model), "sensors.imu");
  if (f.shown.position == nullptr) return refusal(def, fmt::format("a vehicle of the model '{}' cannot carry sensors", model));
  if (s.airspeed && f.shown.wind == nullptr)
    return refusal(def, fmt::format("a vehicle of the model '{}' cannot carry an airspeed sensor", model), "sensors.airspeed");
  if (s.uwb_anchors && world.environment.anchors.empty()) return refusal(def, "there are no anchors in this world", "sensors.uwb_anchors");
  if (s.uwb_peers && world.coupling.horizon > 0)
    return refusal(def, "ranges between vehicles act in the next tick: there can be no coupling horizon", "sensors.uwb_peers");
  if (def.estimator.kind != EstimatorKind::None && !s.imu) return refusal(def, "an estimator needs an IMU", "estimator");
  return check_own(def);
}

// The rotors, of a platform those of all its aircraft, whose rows lie alike.
void find_rotors(TrueRows& at, const Flock& f) {
  int n = 0;
  for (const std::string of : {"", "part1.", "part2.", "part3.", "part4."}) {
    const ColumnInfo* const c = f.find_column(of + "rotor_speed");
    if (c == nullptr) continue;
    if (n == 0) at.rotor_speed = c->row, at.rotors = c->rows;
    if (n == 1) at.apart = c->row - at.rotor_speed;
    at.aircraft = ++n;
    if (const ColumnInfo* const full = f.find_param(of + "rotor.speed_max"))
      for (int k = 0; k < full->rows; ++k) at.full_speed = std::max(at.full_speed, f.param_values[static_cast<std::size_t>(full->row + k)]);
  }
}

TrueRows true_rows(const Flock& f) {
  TrueRows at;
  const auto row = [&](const char* name) {
    const ColumnInfo* const c = f.find_column(name);
    return c == nullptr ? -1 : c->row;
  };
  at.position = row("position"), at.position_rows = f.shown.position->rows;
  at.velocity = row("velocity"), at.attitude = row("attitude"), at.omega = row("omega");
  at.wind = row("wind"), at.gust = row("gust"), at.density = row("air_density");
  find_rotors(at, f);
  at.imu = row("imu.walk_gyro"), at.gyro = row("imu.gyro"), at.delta_angle = row("imu.delta_angle");
  at.estimate = row("estimate.position"), at.seen_velocity = row("imu.seen_velocity"), at.turn_on = row("imu.matrix_gyro"), at.bias = row("estimate.gyro_bias");
  return at;
}

// ---------------------------------------------------------------- the layout

// the libraries of a flock: of each own sensor, none where it has no plugin, and of the estimator
using Opened = std::vector<std::shared_ptr<const swarm::SensorPlugin>>;

const swarm::SensorPluginDef& plugin_def(const SensorPluginRef& ref) { return *static_cast<const swarm::SensorPluginDef*>(ref.library.get()); }

core::Result<std::shared_ptr<const swarm::SensorPlugin>> open_plugin(const FlockDef& def, const SensorPluginRef& ref, swarm::SensorPlugin::Kind kind,
                                                                     const char* field) {
  if (ref.library == nullptr) return refusal(def, "the plugin '" + ref.file + "' was not opened: scenario::load_scenario() does that", field);
  auto opened = swarm::SensorPlugin::open(kind, plugin_def(ref).path);
  if (!opened) return opened.error();
  if (opened.value()->defaults().size() != plugin_def(ref).params.size())
    return refusal(def, "the plugin '" + ref.file + "' needs a value for each parameter", field);
  return std::shared_ptr<const swarm::SensorPlugin>(std::move(opened).value());
}

core::Result<Opened> open_plugins(const FlockDef& def) {
  Opened list;
  for (const OwnSensorDef& own : def.sensors.own) {
    list.push_back(nullptr);
    if (!own.plugin) continue;
    auto opened = open_plugin(def, *own.plugin, swarm::SensorPlugin::Kind::Sensor, "sensors.own");
    if (!opened) return opened.error();
    list.back() = std::move(opened).value();
    if (static_cast<int>(list.back()->size()) != own.size)
      return refusal(def, fmt::format("a reading of the plugin of '{}' has {} numbers, and not {}", own.name, list.back()->size(), own.size), "sensors.own");
  }
  if (def.estimator.kind != EstimatorKind::Plugin) return list;
  if (!def.estimator.plugin) return refusal(def, "an estimator of the kind plugin needs a plugin", "estimator.plugin");
  auto opened = open_plugin(def, *def.estimator.plugin, swarm::SensorPlugin::Kind::Estimator, "estimator.plugin");
  if (!opened) return opened.error();
  list.push_back(std::move(opened).value());
  return list;
}

class Planner {
 public:
  Planner(Senses& senses, const FlockDef& def, const WorldDef& world, const Opened& opened)
      : s_(senses), def_(def), world_(world), opened_(opened), tick_(static_cast<double>(world.tick_ns) * 1e-9) {}

  void plan(const Flock& f) {
    at_ = 1;  // after the row of what is carried
    times();
    each_kind(AllSensors{}, [&]<class X>(int i) { add<X>(i); });
    for (const OwnSensorDef& own : def_.sensors.own) add_own(own);
    if (!is_flat(world_.environment) && (def_.sensors.range_finder || def_.sensors.optical_flow)) s_.layout.ground = take(1);
    if (def_.estimator.kind == EstimatorKind::Ekf) add_filter(f);
    add_plugins(f);
    s_.layout.rows = at_;
  }

 private:
  int take(int rows) { return std::exchange(at_, at_ + rows); }

  void times() {
    std::uint64_t slowest = 0;
    each_kind(AllSensors{}, [&]<class X>(int i) {
      if (!X::of(def_.sensors)) return;
      const sensors::Timing t = sensors::make_timing(X::of(def_.sensors)->time, tick_);
      SensePlace& place = s_.layout.sensors[i];
      place.period = t.period, place.phase = t.phase, place.latency = t.latency;
      // ranges between vehicles are found out after the tick
      if constexpr (std::is_same_v<X, sensors::UwbPeers>) place.latency = std::max<std::uint64_t>(place.latency, 1);
      slowest = std::max(slowest, place.latency);
    });
    s_.layout.horizon = static_cast<int>(slowest);
  }

  template <class X> void add(int i) {
    if (!X::of(def_.sensors)) return;
    SensePlace& place = s_.layout.sensors[i];
    place.memory = take(rows_of<typename X::template Memory<double>>());
    place.scene = take(rows_of<typename X::template Scene<double>>());
    place.rows = rows_of<typename X::template Reading<double>>();
    const bool filters = def_.estimator.kind == EstimatorKind::Ekf;
    place.room = -static_cast<int>(math::floor(1e-6 - longest_delay(world_.faults) / (static_cast<double>(place.period) * tick_)));
    place.entries = place.room + static_cast<int>(sensors::ring_entries({place.period, place.phase, place.latency},
                                                                        filters ? static_cast<std::uint64_t>(s_.layout.horizon) : 0));
    place.ring = take(place.rows * place.entries);
    place.delivered = take(place.rows);
    typename X::template Reading<double> reading{};
    show<typename X::template Reading<double>>(reading, place.delivered, "");
    place.params = add_params(X::derive(*X::of(def_.sensors), world_.environment, tick_));
  }

  void add_own(const OwnSensorDef& def) {
    const OwnPlace own{def.name, take(def.size + 2), def.size};
    const std::string name = std::string(swarm::kOwnPrefix) + def.name;
    s_.columns.push_back({name, "-", "-", "newest reading of the own sensor " + def.name, own.row, own.size});
    s_.columns.push_back({name + ".valid", "-", "-", "1: there was a reading; 0: there was none yet", own.valid(), 1, true});
    s_.columns.push_back({name + ".tick", "-", "-", "tick of the world at which the reading was given", own.tick(), 1, true});
    s_.own.push_back(own);
  }

  void add_plugin(const swarm::SensorPluginDef& def, std::shared_ptr<const swarm::SensorPlugin> library, int own, int bytes) {
    SensePlugin plugin;
    for (const auto& [name, value] : def.params) plugin.params.push_back(value);
    plugin.words = static_cast<int>((library->memory_bytes() + static_cast<std::size_t>(bytes) - 1) / static_cast<std::size_t>(bytes));
    plugin.memory = take(plugin.words);
    plugin.library = std::move(library), plugin.own = own;
    s_.plugins.push_back(std::move(plugin));
  }
  void add_plugins(const Flock& f) {
    for (std::size_t k = 0; k < def_.sensors.own.size(); ++k)
      if (const auto& ref = def_.sensors.own[k].plugin) add_plugin(plugin_def(*ref), opened_[k], static_cast<int>(k), f.bytes);
    if (def_.estimator.kind == EstimatorKind::Plugin) add_plugin(plugin_def(*def_.estimator.plugin), opened_.back(), -1, f.bytes);
    if (s_.plugins.empty()) return;
    s_.refused = take(1);
    s_.columns.push_back({"plugin.refused", "-", "-", "number of results of plugins of sensors and estimators that were refused", s_.refused, 1, true});
  }

  void add_filter(const Flock&) {
    SenseLayout& l = s_.layout;
    l.states = def_.sensors.airspeed ? 17 : 15;
    estimation::Nominal<double> nominal{};
    l.nominal = take(rows_of<estimation::Nominal<double>>());
    show<estimation::Nominal<double>>(nominal, l.nominal, "");
    const int packed = l.states * (l.states + 1) / 2;
    l.covariance = take(packed);
    s_.columns.push_back(
        {"filter.covariance", "-", "W", "covariance of the filter's errors: the upper triangle, row by row (docs/estimation.md)", l.covariance, packed});
    l.health = take(1);
    s_.columns.push_back(
        {"filter.health", "-", "-", "bits: 1 attitude known, 2 velocity known, 4 position known, 8 was reset, 16 numbers went bad", l.health, 1, true});
    each_kind(AllSensors{}, [&]<class X>(int i) {
      if (!X::of(def_.sensors)) return;
      estimation::Watch<double> watch{};
      l.sensors[i].watch = take(rows_of<estimation::Watch<double>>());
      show<estimation::Watch<double>>(watch, l.sensors[i].watch, std::string(X::name) + ".");
    });
    l.increments = take(6 * l.horizon);
    const sensors::Site<double> site = sensors::make_site(world_.environment);
    const double density = environment::air_at<double>(site.atmosphere, environment::geopotential_from_geometric(site.origin_height)).density;
    l.filter_params = add_params(estimation::derive_filter(def_.estimator, def_.sensors, tick_, world_.environment.gravity, density));
  }

  template <class R> void show(R& r, int row, const std::string& before) {
    std::vector<ColumnInfo> list;
    ColumnCollector collector{list, row};
    R::fields(r, collector);
    for (ColumnInfo& c : list) c.name = before + c.name, s_.columns.push_back(std::move(c));
  }
  template <class P> int add_params(const P& p) {
    const auto* const values = reinterpret_cast<const double*>(&p);
    const std::size_t first = s_.param_values.size();
    s_.param_values.insert(s_.param_values.end(), values, values + sizeof(P) / sizeof(double));
    return static_cast<int>(first);
  }

  Senses& s_;
  const FlockDef& def_;
  const WorldDef& world_;
  const Opened& opened_;
  double tick_;
  int at_ = 0;
};

// what behaviours may read: readings and the estimate, and neither the filter's own numbers nor what only a simulation knows
void list_readings(Senses& s, const Flock& f) {
  const auto add = [&](const ColumnInfo* c, std::uint64_t needs) {
    if (c == nullptr) return;
    s.readings.add(c->name, static_cast<std::size_t>(is_position(*c) ? 3 : c->rows), needs);
    s.read.push_back(c);
  };
  for (const char* name : {"imu.gyro", "imu.accelerometer", "imu.delta_angle", "imu.delta_velocity"}) add(f.find_column(name), 0);
  for (const ColumnInfo& c : s.columns)
    for (int k = 0; k < kSensors; ++k) {
      const SensePlace& place = s.layout.sensors[k];
      if (place.delivered >= 0 && c.row >= place.delivered && c.row < place.delivered + place.rows) add(&c, std::uint64_t{1} << k);
    }
  for (std::size_t k = 0; k < s.own.size(); ++k)
    for (const char* of : {"", ".valid", ".tick"}) add(s.find_column(std::string(swarm::kOwnPrefix) + s.own[k].name + of), own_bit(k));
  if (!s.believes) return;
  for (const char* name : {"position", "velocity", "attitude", "omega", "gyro_bias", "accel_bias", "wind", "position_std"})
    add(f.find_column(std::string(swarm::kEstimatePrefix) + name), 0);
}

void broadcast(Senses& s, const Flock& f, const EnvironmentDef& environment) {
  const std::size_t n = s.param_values.size(), width = static_cast<std::size_t>(s.kernel->lanes), size = static_cast<std::size_t>(f.bytes);
  s.params = f.make_column(n * width);
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t l = 0; l < width; ++l) write_scalar(s.params.data() + (k * width + l) * size, f.bytes, s.param_values[k]);
  const sensors::Site<double> site = sensors::make_site(environment);
  const sensors::Site<float> narrow = sensors::site_as<float>(site);
  const std::size_t bytes = f.bytes == 4 ? sizeof narrow : sizeof site;
  s.site = core::Buffer(bytes, *f.memory);
  std::memcpy(s.site.data(), f.bytes == 4 ? static_cast<const void*>(&narrow) : &site, bytes);
}

}  // namespace

core::Result<std::unique_ptr<Senses>> make_senses(const FlockDef& def, const WorldDef& world, const Flock& f) {
  std::unique_ptr<Senses> s;
  if (!carries_any(def.sensors) && def.estimator.kind == EstimatorKind::None) return s;
  if (const core::Status fits = check(def, world, f); !fits) return fits.error();
  const core::Result<Opened> opened = open_plugins(def);
  if (!opened) return opened.error();
  s = std::make_unique<Senses>();
  s->rows = core::Buffer(*f.memory);
  s->at = true_rows(f);
  s->kernel = find_sense_kernel(*f.backend, f.bytes);
  core::require(s->kernel != nullptr, "a backend without kernels of sensors");
  Planner(*s, def, world, opened.value()).plan(f);
  for (ColumnInfo& c : s->columns) c.record = Record::Senses;
  s->believes = def.estimator.kind != EstimatorKind::None;
  s->by_truth = f.setup.control_on_truth;
  s->decides_by_it = s->believes && !def.estimator.decide_on_truth;
  s->looks = !is_flat(world.environment) || world.environment.obstacles != nullptr;
  s->look_every = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(0.5e9 / static_cast<double>(world.tick_ns)));
  list_readings(*s, f);
  broadcast(*s, f, world.environment);
  return s;
}

SenseArgs Senses::args(const Flock& f) const {
  SenseArgs a;
  a.hot = const_cast<std::byte*>(f.hot.data());
  a.senses = const_cast<std::byte*>(rows.data());
  a.identity = f.identity.data();
  a.params = params.data();
  a.site = site.data();
  a.faults = f.sense_faults.size() > 0 ? f.sense_faults.data() : nullptr;
  a.hot_rows = f.kernel->hot_rows;
  a.layout = &layout;
  a.at = at;
  return a;
}

const OwnPlace* Senses::find_own(const std::string& name) const {
  const auto at = std::find_if(own.begin(), own.end(), [&](const OwnPlace& x) { return x.name == name; });
  return at == own.end() ? nullptr : &*at;
}

SensesDue senses_due(const Senses& s, std::uint64_t now) { return engine_kernels::due_at(s.layout, now); }

const ColumnInfo* Senses::find_column(const std::string& name) const {
  const auto c = std::find_if(columns.begin(), columns.end(), [&](const ColumnInfo& x) { return x.name == name; });
  return c == columns.end() ? nullptr : &*c;
}

// ---------------------------------------------------------------- the start of a vehicle

std::uint64_t carried_by(const Flock& f, const VehicleDef& v) {
  std::uint64_t bits = 0;
  each_kind(AllSensors{}, [&]<class X>(int i) {
    if (X::of(f.def.sensors) && std::find(v.without.begin(), v.without.end(), X::name) == v.without.end()) bits |= std::uint64_t{1} << i;
  });
  for (std::size_t k = 0; k < f.def.sensors.own.size(); ++k)
    if (std::find(v.without.begin(), v.without.end(), std::string(swarm::kOwnPrefix) + f.def.sensors.own[k].name) == v.without.end()) bits |= own_bit(k);
  return bits;
}
std::uint64_t carried_by(const Flock& f, std::size_t slot) {
  return read_word(f.senses->rows.data() + element_offset(slot, f.senses->layout.rows, 0, f.bytes), f.bytes);
}

std::vector<std::string> sensors_of(const Flock& f, std::size_t slot) {
  std::vector<std::string> list;
  if (f.senses == nullptr) return list;
  if (f.def.sensors.imu) list.push_back("imu");
  const std::uint64_t carried = carried_by(f, slot);
  each_kind(AllSensors{}, [&]<class X>(int i) {
    if ((carried >> i & 1) != 0) list.push_back(X::name);
  });
  return list;
}

namespace {

template <class S, int N> void begin_imu_rows(S* hot, const TrueRows& at, const sensors::ImuParams<S>& p, const sensors::Draws<S>& draws) {
  sensors::ImuState<S, N> state{};
  sensors::ImuTurnOn<S> on{};
  sensors::begin_imu<S, N>(state, on, p, draws);
  math::RowStorer<S> to_state{hot + at.imu * kBlock}, to_turn_on{hot + at.turn_on * kBlock};
  sensors::ImuState<S, N>::fields(state, to_state);
  sensors::ImuTurnOn<S>::fields(on, to_turn_on);
}

template <class S> void begin_imu(Flock& f, S* hot, std::size_t slot, const sensors::Draws<S>& draws) {
  const ColumnInfo* const errors = f.find_param("imu.errors");
  sensors::ImuParams<S> p;
  auto* const values = reinterpret_cast<S*>(&p);
  for (int k = 0; k < errors->rows; ++k) values[k] = static_cast<S>(f.parameter(slot, errors->row + k));
  const TrueRows& at = f.senses->at;
  switch (f.find_column("imu.rotor_phase")->rows) {
    case 1: begin_imu_rows<S, 1>(hot, at, p, draws); break;
    case 4: begin_imu_rows<S, 4>(hot, at, p, draws); break;
    case 5: begin_imu_rows<S, 5>(hot, at, p, draws); break;
    case 6: begin_imu_rows<S, 6>(hot, at, p, draws); break;
    case 8: begin_imu_rows<S, 8>(hot, at, p, draws); break;
    case 12: begin_imu_rows<S, 12>(hot, at, p, draws); break;
    default: begin_imu_rows<S, 16>(hot, at, p, draws); break;
  }
  for (int k = 0; k < 3; ++k) hot[(at.seen_velocity + k) * kBlock] = hot[(at.velocity + k) * kBlock];
  // until somebody knows better: the truth, no bias, no wind
  for (int k = 0; k < 16; ++k) hot[(at.estimate + k) * kBlock] = hot[(at.position + k) * kBlock];
  for (int k = 0; k < 9; ++k) hot[(at.bias + k) * kBlock] = S(0);
}

template <class S> void begin_as(Flock& f, std::size_t slot, std::uint64_t carried, std::uint64_t tick, const EnvironmentDef& environment, bool exact) {
  Senses& senses = *f.senses;
  const auto row_bytes = kBlock * sizeof(S);
  std::byte* const first = senses.rows.data() + element_offset(slot, senses.layout.rows, 0, f.bytes);
  for (int r = 0; r < senses.layout.rows; ++r) std::memset(first + static_cast<std::size_t>(r) * row_bytes, 0, sizeof(S));
  write_word(first, f.bytes, carried);

  // kernels have their parameters side by side: here they are one by one
  static thread_local std::vector<S> params;
  params.assign(senses.param_values.begin(), senses.param_values.end());
  SenseArgs args = senses.args(f);
  args.params = params.data();
  S* const hot = static_cast<S*>(f.hot_lane(slot));
  const auto* const who = reinterpret_cast<const math::Bits<S>*>(f.identity.data() + element_offset(slot, 4, 0, f.bytes));
  const SenseLanes<S> lanes{args, hot, reinterpret_cast<S*>(first), who};
  if (f.program->sensed) begin_imu<S>(f, hot, slot, {math::Identity<S>{who}, tick});
  lanes.begin_memories(tick);
  if (senses.looks) look_around(environment, f, slot, tick, true);
  lanes.begin_readings(tick);
  lanes.begin_filter(tick, exact);
}

}  // namespace

void begin_senses(Flock& f, std::size_t slot, std::uint64_t carried, std::uint64_t tick, const EnvironmentDef& environment, bool exact) {
  if (f.bytes == 4)
    begin_as<float>(f, slot, carried, tick, environment, exact);
  else
    begin_as<double>(f, slot, carried, tick, environment, exact);
}

void begin_senses(Data& d, Flock& f, std::size_t first, std::size_t last) {
  if (f.senses == nullptr) return;
  for (std::size_t slot = first; slot < last; ++slot) begin_senses(f, slot, carried_by(f, slot), tick_of_world(d, f.worlds[slot]), d.def.environment);
  show_senses(d, f);
}

bool write_reading(Flock& f, std::size_t slot, const std::string& sensor, std::uint64_t tick, const double* first, std::size_t apart) {
  const OwnPlace* const own = f.senses->find_own(sensor);
  if (own == nullptr || (carried_by(f, slot) & own_bit(static_cast<std::size_t>(own - f.senses->own.data()))) == 0) return false;
  const auto at = [&](int row) { return f.senses->rows.data() + element_offset(slot, f.senses->layout.rows, row, f.bytes); };
  for (int k = 0; k < own->size; ++k) write_scalar(at(own->row + k), f.bytes, first[static_cast<std::size_t>(k) * apart]);
  write_word(at(own->valid()), f.bytes, 1);
  write_word(at(own->tick()), f.bytes, tick);
  return true;
}

void show_senses(Data& d, const Flock& f) {
  forget_hash(d);
  if (f.senses->is_read || f.shown.estimate[0] != nullptr) d.frame_is_stale = true;
}

}  // namespace volary::engine
