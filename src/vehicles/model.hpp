// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the engine's host side knows of a vehicle model, with the types taken away. make_model<M>() builds it
// from a model M of the list in vehicles/all.hpp, so that a new model needs no code outside its own header:
//
//   struct M {
//     static constexpr const char* name;       as in `model: ...` of an airframe file
//     using Def = ...;                         described struct (core/describe.hpp) with a `name`
//     using Programs = core::TypeList<...>;    compile-time variants: Agent, Params, Plan, advance, is_sound
//                                              and, where the model asks for less in thin air, in_air(Params&, const Params& from, T density over that at sea level),
//                                              where it stands on the ground, ground(Params&): the vehicles::Ground that the engine fills in
//     static core::Status check(const Def&);   refuses impossible vehicles
//     static Vec extent(const Def&);           m, half its size along its body axes, about the centre of mass: what touches others
//     static int choose(const Def&, const FlockSetup&);                              index of a program
//     template <class P> static core::Result<typename P::template Params<double>> derive(const Def&, const FlockSetup&);
//     template <class P, class S> static void initialise(Agent&, Plan&, const VehicleDef&, const Def&, const FlockSetup&, const Params<S>&);
//     template <class P, class S> static void enter_mode(Agent&, Plan&, Mode, const Params<S>&, const PathTable<S>&);
//     static std::vector<double> tables(const Def&, int rotors);                     where an airframe has some: TickInfo::tables
//     static constexpr engine::Starts kStarts;                                       where a start that is drawn cannot move all of its state
//   };
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "core/type_list.hpp"
#include "math/rows.hpp"
#include "control/guide.hpp"
#include "environment/atmosphere.hpp"
#include "environment/gust.hpp"
#include "vehicles/rigid_body.hpp"
#include "vehicles/sensed.hpp"
#include "volary/def.hpp"

namespace volary::engine {

// what a flock tells its model when parameters are derived
struct FlockSetup {
  EnvironmentDef environment;
  ControllerDef controller;
  double tick = 0.01;  // s
  int substeps = 4;
  bool full_physics = true;
  Integrator integrator = Integrator::Rk4;
  double take_off_height = 1.5;  // m
  std::vector<bool> failed;      // rotors that do not turn
  double air_density = environment::kSeaLevelDensity;  // kg/m3, where the vehicle is put
  std::optional<ImuDef> imu;     // that its vehicles carry; none: they fly programs without one
  bool control_on_truth = true;  // controllers take the true state
};

// what a flock of a world tells it, before anything of it is changed in flight
inline FlockSetup setup_of(const FlockDef& def, const WorldDef& world) {
  FlockSetup setup;
  setup.environment = world.environment;
  setup.controller = def.controller;
  setup.tick = static_cast<double>(world.tick_ns) * 1e-9;
  setup.substeps = world.substeps;
  setup.full_physics = def.full_physics;
  setup.integrator = world.integrator;
  setup.take_off_height = def.take_off_height;
  setup.imu = def.sensors.imu;
  setup.control_on_truth = def.estimator.kind == EstimatorKind::None || def.estimator.control_on_truth;
  return setup;
}

// sets of rows that columns can be in: the hot record, what sensors and estimator keep, and what is kept of bodies that MuJoCo moves
enum class Record { Hot, Senses, Joined };
// a column: some rows of a record with one name
struct ColumnInfo {
  std::string name, unit, frame, doc;
  int row = 0;
  int rows = 0;
  bool integer = false;
  bool input = false;
  Record record = Record::Hot;
};

// polynomial paths as scalars; see control/guide.hpp
struct PathArrays {
  const void* headers = nullptr;
  const void* pieces = nullptr;
};

// What a start that is drawn (SpreadDef) can change of a vehicle.
enum class Starts {
  Free,      // all of it
  Upright,   // no tilt and no body rates: its model sets them
  Rolling,   // the same, and it moves along its heading
  Reported,  // nothing: its state comes from outside
};

// Gusts are drawn a hundred times a second, whatever the tick: every how many ticks that is.
inline int gust_interval(double tick) {
  const int n = static_cast<int>(0.01 / tick + 0.5);
  return n < 1 ? 1 : n;
}

// the header of tables that are not there: programs with an IMU always read one
inline constexpr std::size_t kNoTables = 16;

struct ProgramHost {
  const char* name = "";
  bool guided = false;
  bool sensed = false;  // has an IMU
  std::vector<ColumnInfo> hot, plan, params;
  core::Result<std::vector<double>> (*derive)(const void* def, const FlockSetup&) = nullptr;
  // write one lane of a record; S is chosen by bytes_per_scalar
  void (*initialise)(int bytes, void* hot, void* plan, const VehicleDef&, const void* def, const FlockSetup&, const double* params) = nullptr;
  void (*enter_mode)(int bytes, void* hot, void* plan, Mode, const double* params, const PathArrays&) = nullptr;
  std::vector<double> (*tables)(const void* def) = nullptr;  // none: the model has no tables
};

struct ModelHost {
  const char* name = "";
  std::vector<ProgramHost> programs;
  int (*choose)(const void* def, const FlockSetup&) = nullptr;
  Vec (*extent)(const void* def) = nullptr;
  Starts starts = Starts::Free;
};

const ModelHost* find_model(const std::string& name);
std::vector<std::string> model_names();

// ---------------------------------------------------------------- how it is made

struct ColumnCollector {
  std::vector<ColumnInfo>& out;
  int row = 0;
  bool input = false;
  std::string prefix = {};  // of the part of a vehicle whose fields follow
  struct Counter {
    int n = 0;
    bool integer = false;
    template <class X> void operator()(X&) {
      ++n;
      integer = math::IsBits<X>::value;
    }
  };
  template <class X> void operator()(const math::Field& f, X& x) {
    Counter c;
    using math::each_scalar;  // and those of rooms with types of their own
    each_scalar(x, c);
    // fields of one name that follow each other, such as the hubs of all rotors, are one column
    if (!out.empty() && out.back().name == prefix + f.name)
      out.back().rows += c.n;
    else
      out.push_back({prefix + f.name, f.unit, f.frame, f.doc, row, c.n, c.integer, input});
    row += c.n;
  }
};

// whether a program samples an IMU
template <class P> constexpr bool is_sensed() {
  if constexpr (requires { P::kSensed; }) return P::kSensed;
  return false;
}

template <class M, class P> struct ProgramGlue {
  template <class S> using Agent = typename P::template Agent<S>;
  template <class S> using Plan = typename P::template Plan<S>;
  template <class S> using Params = typename P::template Params<S>;

  template <class S> static Params<S> params_from(const double* values) {
    Params<S> p;
    auto* out = reinterpret_cast<S*>(&p);
    for (std::size_t k = 0; k < sizeof(Params<S>) / sizeof(S); ++k) out[k] = static_cast<S>(values[k]);
    return p;
  }
  static core::Result<std::vector<double>> derive(const void* def, const FlockSetup& setup) {
    const auto p = M::template derive<P>(*static_cast<const typename M::Def*>(def), setup);
    if (!p) return p.error();
    const auto* values = reinterpret_cast<const double*>(&p.value());
    return std::vector<double>(values, values + sizeof(p.value()) / sizeof(double));
  }
  template <class S, class F> static void edit_lane(void* hot, void* plan, F&& f) {
    Agent<S> a{};
    Plan<S> pl{};
    math::RowLoader<S> load_hot{static_cast<const S*>(hot)};
    Agent<S>::state(a, load_hot);
    Agent<S>::input(a, load_hot);
    math::RowLoader<S> load_plan{static_cast<const S*>(plan)};
    if (plan != nullptr) Plan<S>::fields(pl, load_plan);
    f(a, pl);
    math::RowStorer<S> store_hot{static_cast<S*>(hot)};
    Agent<S>::state(a, store_hot);
    Agent<S>::input(a, store_hot);
    math::RowStorer<S> store_plan{static_cast<S*>(plan)};
    if (plan != nullptr) Plan<S>::fields(pl, store_plan);
  }
  template <class S> static void initialise_as(void* hot, void* plan, const VehicleDef& v, const void* def, const FlockSetup& setup, const double* params) {
    edit_lane<S>(hot, plan, [&](Agent<S>& a, Plan<S>& p) {
      a = {};
      p = {};
      M::template initialise<P, S>(a, p, v, *static_cast<const typename M::Def*>(def), setup, params_from<S>(params));
    });
  }
  static void initialise(int bytes, void* hot, void* plan, const VehicleDef& v, const void* def, const FlockSetup& setup, const double* params) {
    bytes == 4 ? initialise_as<float>(hot, plan, v, def, setup, params) : initialise_as<double>(hot, plan, v, def, setup, params);
  }
  template <class S> static void enter_mode_as(void* hot, void* plan, Mode mode, const double* params, const PathArrays& paths) {
    edit_lane<S>(hot, plan, [&](Agent<S>& a, Plan<S>& p) {
      const control::PathTable<S> table{static_cast<const S*>(paths.headers), static_cast<const S*>(paths.pieces)};
      M::template enter_mode<P, S>(a, p, mode, params_from<S>(params), table);
    });
  }
  static void enter_mode(int bytes, void* hot, void* plan, Mode mode, const double* params, const PathArrays& paths) {
    bytes == 4 ? enter_mode_as<float>(hot, plan, mode, params, paths) : enter_mode_as<double>(hot, plan, mode, params, paths);
  }
  static ProgramHost make() {
    ProgramHost h;
    h.name = P::name;
    h.guided = P::kGuided;
    h.sensed = is_sensed<P>();
    Agent<double> a{};
    ColumnCollector hot{h.hot};
    Agent<double>::state(a, hot);
    hot.input = true;
    Agent<double>::input(a, hot);
    Plan<double> plan{};
    ColumnCollector plan_columns{h.plan};
    Plan<double>::fields(plan, plan_columns);
    Params<double> p{};
    ColumnCollector params{h.params};
    Params<double>::fields(p, params);
    h.derive = &derive;
    h.initialise = &initialise;
    h.enter_mode = &enter_mode;
    if constexpr (requires(const typename M::Def& def) { M::tables(def, 1); })
      h.tables = [](const void* def) {
        std::vector<double> all = M::tables(*static_cast<const typename M::Def*>(def), P::kRotors);
        if (is_sensed<P>() && all.empty()) all.assign(kNoTables, 0.0);
        return all;
      };
    return h;
  }
};

template <class M, class... Ps> std::vector<ProgramHost> make_programs(core::TypeList<Ps...>) { return {ProgramGlue<M, Ps>::make()...}; }

template <class M> ModelHost make_model() {
  ModelHost h;
  h.name = M::name;
  h.programs = make_programs<M>(typename M::Programs{});
  h.choose = [](const void* def, const FlockSetup& setup) { return M::choose(*static_cast<const typename M::Def*>(def), setup); };
  h.extent = [](const void* def) { return M::extent(*static_cast<const typename M::Def*>(def)); };
  if constexpr (requires { M::kStarts; }) h.starts = M::kStarts;
  return h;
}

}  // namespace volary::engine

namespace volary::inline VOLARY_ISA::vehicles {

// the parameters of a program from those of its model
template <class P, class Model> typename P::template Params<double> with_imu(const Model& model, const engine::FlockSetup& setup) {
  if constexpr (engine::is_sensed<P>()) {
    typename P::template Params<double> p;
    static_cast<Model&>(p) = model;
    p.imu = sensors::imu_params(*setup.imu, setup.environment.gravity, setup.tick, setup.substeps);
    p.control_on_truth = setup.control_on_truth ? 1 : 0;
    return p;
  } else {
    return model;
  }
}
// a vehicle with an IMU before its errors are drawn: it believes the truth
template <class A> void begin_sensed(A& a) {
  a.sensed.estimate = a.body;
  a.sensed.seen_velocity_W = a.body.velocity_W;
  using S = decltype(a.body.omega_B.x);
  for (auto* m : {&a.sensed.turn_on.gyro, &a.sensed.turn_on.accelerometer}) m->row0.x = m->row1.y = m->row2.z = static_cast<std::remove_reference_t<S>>(1);
}

// the exact step of the gust from one draw to the next
inline environment::GustParams<double> gust_params(const engine::FlockSetup& setup) {
  const double between = setup.tick * engine::gust_interval(setup.tick);
  const double keep = math::exp(-between / setup.environment.gust_time_constant);
  return {keep, setup.environment.gust_sigma * math::sqrt(1 - keep * keep)};
}

// the curve or path of a mission, as a vehicle is given it
template <class S> void set_curve(control::Plan<S>& plan, const VehicleDef& v) {
  plan.centre_W = to_position<S>(v.centre_W);
  plan.amplitude = to_vec<S>(v.harmonic.amplitude);
  plan.rate = to_vec<S>(v.harmonic.rate);
  plan.phase = to_vec<S>(v.harmonic.phase);
  plan.ramp = static_cast<S>(v.harmonic.ramp);
  plan.delay = static_cast<S>(v.start_delay);
  plan.face_forward = v.harmonic.face_forward ? S(1) : S(0);
  plan.path = static_cast<Bits<S>>(v.path + 1);
}

// The status of a vehicle that enters a mode. A mission or a hold of one on the ground begins with a take-off. Returns whether it stands there.
template <class B> bool begin_mode(B& status, Mode mode, bool near_ground) {
  using control::Flight;
  const bool resting = static_cast<std::uint32_t>(status & control::kModeMask) <= static_cast<std::uint32_t>(Flight::Armed);
  const bool grounded = resting && near_ground;
  Flight now = static_cast<Flight>(mode), next = Flight::Hold;
  if (grounded && (now == Flight::Mission || now == Flight::Hold)) {
    next = now;
    now = Flight::TakeOff;
  }
  const auto life = status & (control::kAlive | control::kDiverged);
  status = static_cast<B>(life | static_cast<std::uint32_t>(now) | (static_cast<std::uint32_t>(next) << control::kNextShift));
  return grounded;
}
inline control::Flight flight_of(std::uint64_t status) { return static_cast<control::Flight>(status & control::kModeMask); }

// a mode begins here and now
template <class S> void set_anchor(control::Plan<S>& plan, const RigidBody<S>& body) {
  const Quat<S>& q = body.q_WB;
  plan.mode_ticks = plan.touch_ticks = S(0);
  plan.anchor_W = body.position_W;
  plan.anchor_yaw = math::atan2(S(2) * (q.w * q.z + q.x * q.y), S(1) - S(2) * (q.y * q.y + q.z * q.z));
  plan.blend_W = zero3<S>();
  plan.blend_time = S(0.5);
}

// A landing from a place that the vehicle holds ends at that place, not where a gust has carried it. A reference that moves or lies aside by more
// than a quarter of the height is none to come down over: there the vehicle lands below where it is.
template <class S> void anchor_landing(control::Plan<S>& plan, const control::Reference<S>& sp, S height) {
  const auto level = static_cast<std::uint32_t>(sp.level);
  if (level != static_cast<std::uint32_t>(ControlLevel::Position) && level != static_cast<std::uint32_t>(ControlLevel::Trajectory)) return;
  const Vec3<S> aside = sp.position_W - plan.anchor_W, v = sp.velocity_W;
  const S near = S(0.25) * height, slow = S(0.5);
  if (!(height > S(0)) || !(aside.x * aside.x + aside.y * aside.y < near * near) || !(v.x * v.x + v.y * v.y < slow * slow)) return;
  plan.anchor_W.value = {sp.position_W.value.x, sp.position_W.value.y, plan.anchor_W.value.z};
  plan.anchor_W.remainder = {sp.position_W.remainder.x, sp.position_W.remainder.y, plan.anchor_W.remainder.z};
}

}  // namespace volary::inline VOLARY_ISA::vehicles
