// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/joined.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "core/cpu.hpp"
#include "engine/columns.hpp"
#include "engine/data.hpp"
#include "engine/publish.hpp"
#include "engine/row_stepper.hpp"
#include "math/functions.hpp"
#include "math/hash.hpp"
#include "vehicles/slung_load.hpp"

namespace volary::engine {

namespace {

using multibody::Instance;
using multibody::Motion;
using multibody::Quat;

// a pole that presses on a wall creeps by 0.07 mm/s; with 1 by 0.7 mm/s
constexpr double kFrictionStiffness = 10;
constexpr double kHalfTurn = 3.14159265358979323846;  // rad
constexpr double kOverstretched = 1.05;  // lengths of a cable: one that is put farther away than this takes the load along
constexpr std::size_t kPlaced = 0, kWritten = 1, kLatches = 2;  // words of a vehicle; the motion follows the latches

// ---------------------------------------------------------------- words

std::size_t rows_of_word(const Flock& f) { return sizeof(std::uint64_t) / static_cast<std::size_t>(f.bytes); }

std::byte* at_word(Flock& f, std::size_t slot, std::size_t word) {
  return f.joined->state.data() + element_offset(slot, f.joined->rows, static_cast<int>(word * rows_of_word(f)), f.bytes);
}
std::uint64_t get_word(Flock& f, std::size_t slot, std::size_t word) {
  const std::byte* at = at_word(f, slot, word);
  if (f.bytes == 8) return read_word(at, 8);
  return read_word(at, 4) | read_word(at + kBlock * 4, 4) << 32;
}
void set_word(Flock& f, std::size_t slot, std::size_t word, std::uint64_t x) {
  std::byte* at = at_word(f, slot, word);
  if (f.bytes == 8) return write_word(at, 8, x);
  write_word(at, 4, x & 0xffffffffu);
  write_word(at + kBlock * 4, 4, x >> 32);
}

void set_own(Flock& f, std::size_t slot, const ColumnInfo& c, std::span<const double> values) {
  for (int k = 0; k < c.rows; ++k)
    write_scalar(f.joined->state.data() + element_offset(slot, f.joined->rows, c.row + k, f.bytes), f.bytes, values[static_cast<std::size_t>(k)]);
}

// ---------------------------------------------------------------- rows of bodies

template <class F> void each_body_row(const Joined& j, F&& f) {
  for (const BodyColumns& b : j.bodies)
    for (const ColumnInfo* c : {b.position, b.velocity, b.attitude, b.omega})
      for (int k = 0; c != nullptr && k < c->rows; ++k) f(c->row + k);
}
// what the rows of the bodies hold
std::uint64_t digest(const Flock& f, std::size_t slot) {
  std::uint64_t h = 0;
  each_body_row(*f.joined, [&](int row) { h = math::mix64(h ^ f.word(slot, row)); });
  return h;
}

math::Vec3<double> vec_at(const Flock& f, std::size_t slot, const ColumnInfo& c) {
  const Vec v = f.vec(slot, c);
  return {v[0], v[1], v[2]};
}
void put_vec(Flock& f, std::size_t slot, const ColumnInfo& c, const math::Vec3<double>& v) { f.set_vec(slot, c, {v.x, v.y, v.z}); }
Quat quat_at(const Flock& f, std::size_t slot, const ColumnInfo& c) {
  return {f.value(slot, c.row), f.value(slot, c.row + 1), f.value(slot, c.row + 2), f.value(slot, c.row + 3)};
}
void put_quat(Flock& f, std::size_t slot, const ColumnInfo& c, const Quat& q) {
  const double of[4] = {q.w, q.x, q.y, q.z};
  for (int k = 0; k < 4; ++k) f.set_value(slot, c.row + k, of[k]);
}

// ---------------------------------------------------------------- one vehicle in its scene

class Member {
 public:
  Member(Flock& f, std::size_t slot, const JoinedScene& scene, Instance& instance)
      : f_(f), j_(*f.joined), slot_(slot), scene_(scene), of_(scene.members[f.joined->member]), instance_(instance) {}

  bool flies() const { return (f_.status(slot_) & control::kAlive) != 0; }
  bool is_placed() const { return get_word(f_, slot_, kPlaced) != 0; }
  bool was_moved() const { return get_word(f_, slot_, kWritten) != digest(f_, slot_); }

  // where the rows have it
  void place() {
    for (std::size_t b = 0; b < of_.bodies.size(); ++b) {
      const BodyColumns& c = j_.bodies[b];
      Motion m;
      m.q_WB = quat_at(f_, slot_, *c.attitude);
      m.omega_W = math::rotation_matrix(m.q_WB) * vec_at(f_, slot_, *c.omega);
      if (c.position != nullptr) m.position_W = vec_at(f_, slot_, *c.position), m.velocity_W = vec_at(f_, slot_, *c.velocity);
      place_body(of_.bodies[b], m);
    }
  }
  // where it touches nobody; on a cable, where that is slack
  void put_away() {
    if (scene_.cables.empty()) return instance_.place(of_.bodies[0], {{0, 0, 1e4 * static_cast<double>(1 + j_.member)}, {1, 0, 0, 0}, {0, 0, 0}, {0, 0, 0}});
    const JoinedScene::Cable& cable = scene_.cables[j_.member];
    const Motion hook = instance_.site_motion(cable.hook_site), upper = instance_.site_motion(cable.upper_site), body = instance_.motion(of_.bodies[0]);
    instance_.place(of_.bodies[0], {hook.position_W + (body.position_W - upper.position_W), body.q_WB, hook.velocity_W, {0, 0, 0}});
  }

  template <class S> void command(const S* loads, std::size_t lane) {
    for (std::size_t b = 0; b < of_.sites.size(); ++b) {
      const S* at = loads + b * 6 * kBlock + lane;
      const auto x = [&](std::size_t k) { return static_cast<double>(at[k * kBlock]); };
      instance_.command(of_.sites[b], {{x(0), x(1), x(2)}, {x(3), x(4), x(5)}});
    }
  }
  void rest() {
    for (const std::size_t site : of_.sites) instance_.command(site, multibody::Wrench{});
  }

  // the motion after a substep, and what touched it
  void write() {
    for (std::size_t b = 0; b < of_.bodies.size(); ++b) {
      const BodyColumns& c = j_.bodies[b];
      const Motion m = instance_.motion(of_.bodies[b]);
      put_quat(f_, slot_, *c.attitude, m.q_WB);
      put_vec(f_, slot_, *c.omega, math::transpose_times(math::rotation_matrix(m.q_WB), m.omega_W));
      if (c.position != nullptr) put_vec(f_, slot_, *c.position, m.position_W), put_vec(f_, slot_, *c.velocity, m.velocity_W);
    }
    if (j_.wrench != nullptr && instance_.n_contacts() > 0) add_wrench();
    if (j_.own.wrench != nullptr) set_own(f_, slot_, *j_.own.wrench, instance_.n_contacts() > 0 ? contact_wrench() : std::array<double, 6>{});
  }
  void seal() { set_word(f_, slot_, kPlaced, 1), set_word(f_, slot_, kWritten, digest(f_, slot_)); }

  // numbers that a vehicle reaches, as in vehicles/tick.hpp
  bool is_sound() const {
    const Motion m = instance_.motion(of_.bodies[0]);
    const auto size = [](const math::Vec3<double>& v) { return math::abs(v.x) + math::abs(v.y) + math::abs(v.z); };
    return size(m.velocity_W) + size(m.omega_W) < 1e5 && size(m.position_W) < 1e9;
  }
  void mark_diverged() { f_.set_status(slot_, (f_.status(slot_) & ~std::uint64_t{control::kAlive}) | control::kDiverged); }
  bool has_impact() const { return (f_.status(slot_) & control::kImpact) == control::kImpact; }

 private:
  void place_body(std::size_t body, const Motion& m) {
    const multibody::BodyDef& def = scene_.scene.bodies[body];
    if (def.joint.kind == multibody::JointKind::Free || def.joint.kind == multibody::JointKind::Ball) return instance_.place(body, m);
    if (def.joint.kind != multibody::JointKind::Hinge) return;
    // how far it is turned about the axis, from its pose at rest
    const std::size_t parent = *multibody::find_body(scene_.scene, def.parent);
    const Motion of_parent = instance_.motion(parent);
    const Quat turn = math::conjugate(of_parent.q_WB * def.pose.rotation) * m.q_WB;
    const math::Vec3<double> axis = (1 / math::norm(def.joint.axis)) * def.joint.axis;
    const double angle = 2 * math::atan2(math::dot(axis, {turn.x, turn.y, turn.z}), turn.w);
    const math::Vec3<double> relative = math::transpose_times(math::rotation_matrix(m.q_WB), m.omega_W - of_parent.omega_W);
    instance_.place_joint(body, angle > kHalfTurn ? angle - 2 * kHalfTurn : angle <= -kHalfTurn ? angle + 2 * kHalfTurn : angle, math::dot(axis, relative));
  }
  // forces and torques of all contacts about the origin of the central body, in its axes
  std::array<double, 6> contact_wrench() const {
    multibody::Wrench sum = instance_.contact_wrench(of_.sites[0]);
    const Motion centre = instance_.motion(of_.bodies[0]);
    const math::Mat3<double> R_WB = math::rotation_matrix(centre.q_WB);
    for (std::size_t b = 1; b < of_.bodies.size(); ++b) {
      const multibody::Wrench w = instance_.contact_wrench(of_.sites[b]);
      const Motion m = instance_.motion(of_.bodies[b]);
      const math::Mat3<double> R_WP = math::rotation_matrix(m.q_WB);
      const math::Vec3<double> force = math::transpose_times(R_WB, R_WP * w.force), arm = math::transpose_times(R_WB, m.position_W - centre.position_W);
      sum.force = sum.force + force;
      sum.torque = sum.torque + math::transpose_times(R_WB, R_WP * w.torque) + math::cross(arm, force);
    }
    return {sum.force.x, sum.force.y, sum.force.z, sum.torque.x, sum.torque.y, sum.torque.z};
  }
  void add_wrench() {
    const std::array<double, 6> of = contact_wrench();
    for (int k = 0; k < 6; ++k) f_.set_value(slot_, j_.wrench->row + k, f_.value(slot_, j_.wrench->row + k) + of[static_cast<std::size_t>(k)]);
  }

  Flock& f_;
  Joined& j_;
  std::size_t slot_;
  const JoinedScene& scene_;
  const JoinedMember& of_;
  Instance& instance_;
};

// ---------------------------------------------------------------- working memory

// of one thread for one block: a scene for each lane, which of them fly, and what goes between kernel and scenes
struct Bench {
  std::vector<std::unique_ptr<Instance>> scenes;
  std::array<bool, kBlock> works{};
  struct OfMember {
    core::Buffer targets, loads;
  };
  std::array<OfMember, kMostMembers> of;
  std::vector<double> motion;
  std::vector<multibody::Contact> found;
};

class Benches {
 public:
  core::Result<std::unique_ptr<Bench>> take(const Joined& j) {
    {
      const std::lock_guard hold(guard_);
      if (!free_.empty()) {
        std::unique_ptr<Bench> one = std::move(free_.back());
        free_.pop_back();
        return one;
      }
    }
    auto made = std::make_unique<Bench>();
    for (int lane = 0; lane < kBlock; ++lane) {
      auto instance = j.model->make_instance();
      if (!instance) return instance.error();
      made->scenes.push_back(std::move(instance).value());
    }
    made->motion.resize(j.model->motion_size());
    return made;
  }
  void give_back(std::unique_ptr<Bench> one) {
    const std::lock_guard hold(guard_);
    free_.push_back(std::move(one));
  }

 private:
  std::mutex guard_;
  std::vector<std::unique_ptr<Bench>> free_;
};

// ---------------------------------------------------------------- the stepper

// the flocks that share a scene; the first one leads
using Members = std::span<Flock* const>;

class JoinedStepper final : public RowStepper {
 public:
  // an estimate: a substep of a scene takes a few microseconds
  double work(const Flock& f) const override { return f.joined->leads() ? 5000.0 * f.setup.substeps * static_cast<double>(f.slots) : 0; }

  void prepare(const Data& d, const Flock& f) override {
    RowStepper::prepare(d, f);
    if (f.joined->contacts.size() < f.slots) f.joined->contacts.resize(f.slots);
  }

  SweepResult step(Flock& f, Stretch blocks, const StepOptions& options) const override {
    if (!f.joined->leads()) return {};  // the flock that has its bodies steps it, too
    SweepResult all{};
    const Members members = f.joined->members;
    for (Flock* one : members) {
      Left left(*one, blocks.first);
      left.apply(*one, std::min(blocks.last, one->blocks()), paths());
      if (one->arrays != nullptr) one->arrays->act(*one, blocks);
    }
    auto taken = benches_.take(*f.joined);
    core::require(static_cast<bool>(taken), "memory for scenes of joined bodies");
    std::unique_ptr<Bench> bench = std::move(taken).value();
    const std::uint64_t begin = options.cycles != nullptr ? core::cycles() : 0;
    for (std::size_t b = blocks.first; b < blocks.last; ++b) step_block(members, b, *bench, all);
    if (options.cycles != nullptr) options.cycles[1] += core::cycles() - begin;
    benches_.give_back(std::move(bench));
    for (Flock* one : members) {
      const auto* own = static_cast<const JoinedStepper*>(one->stepper.get());
      if (one->senses != nullptr)
        all.hash += own->sense(*one, blocks, options);
      else if (options.hash)
        all.hash += own->hash_blocks(*one, blocks);
      if (one->arrays != nullptr) one->arrays->judge(*one, blocks);
      if (options.frame != nullptr) publish(*one, blocks, options.frame->asked, *options.frame);
    }
    return all;
  }

  // a patch of the mode leaves the latch as it is
  void apply(Flock& f, const Patches& patches, const PathArrays& paths) override {
    std::vector<std::size_t> held;
    for (const Patch& p : patches.list())
      if (is_held(f, p.slot)) held.push_back(p.slot);
    RowStepper::apply(f, patches, paths);
    for (const std::size_t slot : held)
      if ((f.status(slot) & control::kAlive) != 0) f.set_status(slot, f.status(slot) | kHeld);
  }
  void initialise(Flock& f, std::size_t slot, const VehicleDef& v, const FlockSetup& setup, const double* params) override {
    RowStepper::initialise(f, slot, v, setup, params);
    place_anew(f, slot);
  }

  static void show_start(Members members, std::size_t slot, Instance& scene) {
    scene.reset();
    for (Flock* one : members) Member(*one, slot, members[0]->joined->scene, scene).place();
    show_docking(members, slot, scene);
  }

 private:
  void step_block(Members members, std::size_t block, Bench& bench, SweepResult& result) const {
    Flock& f = *members[0];
    for (std::size_t m = 0; m < members.size(); ++m) {
      Flock& one = *members[m];
      const JoinedKernel& kernel = *one.kernel->joined;
      const std::size_t row = kBlock * static_cast<std::size_t>(one.bytes);
      bench.of[m].targets.grow(static_cast<std::size_t>(kernel.target_rows) * row);
      bench.of[m].loads.grow(static_cast<std::size_t>(kernel.bodies) * 6 * row);
      kernel.begin(args_of(one), block, bench.of[m].targets.data());
    }
    const std::size_t lanes = std::min<std::size_t>(kBlock, f.slots - block * kBlock);
    for (std::size_t lane = 0; lane < lanes; ++lane) bench.works[lane] = load(members, block * kBlock + lane, *bench.scenes[lane], bench.motion);
    const int substeps = f.setup.substeps;
    for (int k = 0; k < substeps; ++k) {
      for (std::size_t m = 0; m < members.size(); ++m)
        members[m]->kernel->joined->drive(args_of(*members[m]), block, k + 1 == substeps, bench.of[m].targets.data(), bench.of[m].loads.data());
      for (std::size_t lane = 0; lane < lanes; ++lane)
        if (bench.works[lane]) bench.works[lane] = substep(members, block * kBlock + lane, lane, bench, result);
      for (std::size_t m = 0; m < members.size(); ++m)
        if (const auto sample = members[m]->kernel->joined->sample) sample(args_of(*members[m]), block, k, bench.of[m].targets.data());
    }
    for (std::size_t lane = 0; lane < lanes; ++lane)
      if (bench.works[lane]) save(members, block * kBlock + lane, *bench.scenes[lane], bench, result);
  }
  static const SweepArgs& args_of(const Flock& f) { return static_cast<const JoinedStepper*>(f.stepper.get())->args(); }

  // A latch lets go of a vehicle that is there no more.
  static bool keeps_closed(Members members, std::size_t slot, std::size_t number) {
    Flock& f = *members[0];
    if (get_word(f, slot, kLatches + number) != static_cast<std::uint64_t>(LatchState::Closed)) return false;
    const bool both_fly = std::all_of(members.begin(), members.end(), [&](const Flock* one) { return (one->status(slot) & control::kAlive) != 0; });
    if (both_fly) return true;
    set_word(f, slot, kLatches + number, static_cast<std::uint64_t>(LatchState::Open));
    return false;
  }

  // The bodies of a place as they were left, or where the rows have them now. False: nobody flies there.
  static bool load(Members members, std::size_t slot, Instance& scene, std::vector<double>& motion) {
    Flock& f = *members[0];
    const Joined& j = *f.joined;
    bool any_flies = false;
    for (Flock* one : members) any_flies = any_flies || Member(*one, slot, j.scene, scene).flies();
    if (!any_flies) return false;
    if (Member(f, slot, j.scene, scene).is_placed()) {
      const std::size_t first = kLatches + j.scene.latches.size();
      for (std::size_t k = 0; k < motion.size(); ++k) motion[k] = std::bit_cast<double>(get_word(f, slot, first + k));
      scene.restore_motion(motion);
    } else {
      scene.reset();
    }
    for (std::size_t l = 0; l < j.scene.latches.size(); ++l) scene.close(j.scene.latches[l].weld, keeps_closed(members, slot, l));
    const bool is_new = !Member(f, slot, j.scene, scene).is_placed();
    bool any_moved = false;
    for (Flock* one : members) {
      Member x(*one, slot, j.scene, scene);
      if (!x.flies() || (x.is_placed() && !x.was_moved())) continue;
      x.place();
      any_moved = true;
    }
    if (j.carries() && (is_new || (any_moved && is_overstretched(members, slot, scene)))) hang_load(members, slot, scene);
    for (Flock* one : members)
      if (Member x(*one, slot, j.scene, scene); !x.flies()) x.put_away(), x.rest();
    return true;
  }

  static bool is_overstretched(Members members, std::size_t slot, const Instance& scene) {
    const JoinedScene& j = members[0]->joined->scene;
    for (std::size_t m = 0; m < members.size(); ++m) {
      const std::size_t cable = j.cables[m].number;
      if ((members[m]->status(slot) & control::kAlive) != 0 && scene.span(cable) > kOverstretched * j.scene.cables[cable].length) return true;
    }
    return false;
  }

  // The load below those of its carriers that fly, moving with their mean.
  static void hang_load(Members members, std::size_t slot, Instance& scene) {
    const Joined& j = *members[0]->joined;
    const LoadDef& load = *members[0]->def.load;
    const std::vector<math::Vec3<double>> hooks = airframe::hooks_of(load);
    std::vector<airframe::CableEnds> ends;
    Motion of_load;
    double yaw = 0;
    for (std::size_t m = 0; m < members.size(); ++m) {
      if ((members[m]->status(slot) & control::kAlive) == 0) continue;
      const Motion upper = scene.site_motion(j.scene.cables[m].upper_site);
      const math::Mat3<double> R_WB = math::rotation_matrix(upper.q_WB);
      if (ends.empty()) yaw = math::atan2(R_WB.row1.x, R_WB.row0.x);
      ends.push_back({upper.position_W, hooks[m]});
      of_load.velocity_W = of_load.velocity_W + upper.velocity_W;
    }
    of_load.velocity_W = (1 / static_cast<double>(ends.size())) * of_load.velocity_W;
    const airframe::Hanging h = airframe::hang(load, ends, yaw, j.floor);
    double s, c;
    math::sincos(0.5 * h.yaw, s, c);
    of_load.position_W = h.position_W, of_load.q_WB = {c, 0, 0, s};
    scene.place(j.scene.load, of_load);
  }

  // false: numbers went bad, and the vehicles stay as they were
  static bool substep(Members members, std::size_t slot, std::size_t lane, Bench& bench, SweepResult& result) {
    const Joined& j = *members[0]->joined;
    Instance& scene = *bench.scenes[lane];
    for (std::size_t m = 0; m < members.size(); ++m) {
      Member x(*members[m], slot, j.scene, scene);
      if (!x.flies()) continue;
      const void* loads = bench.of[m].loads.data();
      members[m]->bytes == 4 ? x.command(static_cast<const float*>(loads), lane) : x.command(static_cast<const double*>(loads), lane);
    }
    const auto each_flying = [&](auto&& visit) {
      for (Flock* one : members)
        if (Member x(*one, slot, j.scene, scene); x.flies()) visit(x);
    };
    bool good = static_cast<bool>(scene.step(1));
    each_flying([&](Member& x) { good = good && x.is_sound(); });
    each_flying([&](Member& x) { good ? x.write() : x.mark_diverged(); });
    result.diverged = result.diverged || !good;
    return good;
  }

  static void save(Members members, std::size_t slot, Instance& scene, Bench& bench, SweepResult& result) {
    Flock& f = *members[0];
    Joined& j = *f.joined;
    for (std::size_t l = 0; l < j.scene.latches.size(); ++l) look_at_latch(members, slot, l, scene);
    scene.save_motion(bench.motion);
    const std::size_t first = kLatches + j.scene.latches.size();
    for (std::size_t k = 0; k < bench.motion.size(); ++k) set_word(f, slot, first + k, std::bit_cast<std::uint64_t>(bench.motion[k]));
    if (j.docks()) show_docking(members, slot, scene);
    if (j.carries()) show_load(members, slot, scene);
    for (Flock* one : members) {
      Member x(*one, slot, j.scene, scene);
      x.seal();
      if (one->impact_speed > 0) result.noted = result.noted || x.has_impact();
      keep_contacts(*one, slot, j, scene, bench.found);
    }
  }

  static bool has_closed(Flock& f, std::size_t slot) {
    for (std::size_t l = 0; l < f.joined->scene.latches.size(); ++l)
      if (get_word(f, slot, kLatches + l) == static_cast<std::uint64_t>(LatchState::Closed)) return true;
    return false;
  }

  // whether they are docked, and where the tip of the cylinder is in the cone, for both
  static void show_docking(Members members, std::size_t slot, const Instance& scene) {
    const JoinedScene::Latch& latch = members[0]->joined->scene.latches.front();
    const Motion cone = scene.site_motion(latch.cone_site), tip = scene.site_motion(latch.cylinder_site);
    const math::Mat3<double> R_WC = math::rotation_matrix(cone.q_WB);
    const math::Vec3<double> arm = tip.position_W - cone.position_W, off = math::transpose_times(R_WC, arm),
                             rate = math::transpose_times(R_WC, tip.velocity_W - (cone.velocity_W + math::cross(cone.omega_W, arm)));
    const bool is_closed = has_closed(*members[0], slot);
    for (Flock* one : members) {
      const Joined::OwnColumns& own = one->joined->own;
      one->set_status(slot, is_closed ? one->status(slot) | kHeld : one->status(slot) & ~kHeld);
      set_own(*one, slot, *own.is_docked, std::array<double, 1>{is_closed ? 1.0 : 0.0});
      set_own(*one, slot, *own.offset, std::array<double, 3>{off.x, off.y, off.z});
      set_own(*one, slot, *own.velocity, std::array<double, 3>{rate.x, rate.y, rate.z});
    }
  }

  // how the load moves, for the flock that leads, and what its cables do to their carriers
  static void show_load(Members members, std::size_t slot, const Instance& scene) {
    Flock& f = *members[0];
    const JoinedScene& j = f.joined->scene;
    const BodyColumns& own = f.joined->own.load;
    const Motion m = scene.motion(j.load);
    const math::Vec3<double> omega_B = math::transpose_times(math::rotation_matrix(m.q_WB), m.omega_W);
    set_own(f, slot, *own.position, std::array{m.position_W.x, m.position_W.y, m.position_W.z});
    set_own(f, slot, *own.velocity, std::array{m.velocity_W.x, m.velocity_W.y, m.velocity_W.z});
    set_own(f, slot, *own.attitude, std::array{m.q_WB.w, m.q_WB.x, m.q_WB.y, m.q_WB.z});
    set_own(f, slot, *own.omega, std::array{omega_B.x, omega_B.y, omega_B.z});
    for (std::size_t k = 0; k < members.size(); ++k) {
      const JoinedScene::Cable& cable = j.cables[k];
      const Motion upper = scene.site_motion(cable.upper_site);
      const double tension = scene.tension(cable.number), span = scene.span(cable.number);
      const math::Vec3<double> along_W = (span > 0 ? tension / span : 0) * (scene.site_motion(cable.hook_site).position_W - upper.position_W);
      const math::Vec3<double> pull_B = math::transpose_times(math::rotation_matrix(upper.q_WB), along_W);
      const Joined::OwnColumns& of = members[k]->joined->own;
      set_own(*members[k], slot, *of.tension, std::array{tension});
      set_own(*members[k], slot, *of.pull, std::array{pull_B.x, pull_B.y, pull_B.z});
    }
  }

  // A latch closes when the tip of the cylinder is near enough to the bottom of the cone, in line with it and slow.
  static void look_at_latch(Members members, std::size_t slot, std::size_t number, Instance& scene) {
    Flock& f = *members[0];
    Joined& j = *f.joined;
    const JoinedScene::Latch& latch = j.scene.latches[number];
    const auto state = static_cast<LatchState>(get_word(f, slot, kLatches + number));
    if (state == LatchState::Closed) return;
    const Motion cone = scene.site_motion(latch.cone_site), tip = scene.site_motion(latch.cylinder_site);
    const math::Mat3<double> R_WC = math::rotation_matrix(cone.q_WB), R_WT = math::rotation_matrix(tip.q_WB);
    const math::Vec3<double> off = math::transpose_times(R_WC, tip.position_W - cone.position_W);
    const math::Vec3<double> out_C = {R_WC.row0.z, R_WC.row1.z, R_WC.row2.z}, out_T = {R_WT.row0.z, R_WT.row1.z, R_WT.row2.z};
    const math::Vec3<double> moving = tip.velocity_W - (cone.velocity_W + math::cross(cone.omega_W, tip.position_W - cone.position_W));
    const double aside = math::sqrt(off.x * off.x + off.y * off.y), turned = math::norm(math::cross(out_C, out_T));
    double s, c;
    math::sincos(latch.cone.latch_angle, s, c);
    const bool both_fly = (members[0]->status(slot) & members[1]->status(slot) & control::kAlive) != 0;
    const bool is_in = both_fly && aside <= latch.cone.latch_radius && math::abs(off.z) <= latch.cone.latch_depth && math::dot(out_C, out_T) > 0 &&
                       turned <= (latch.cone.latch_angle >= 0.5 * kHalfTurn ? 1.0 : s) && math::norm(moving) <= latch.cone.latch_speed;
    LatchState next = state;
    if (state == LatchState::Open && is_in) next = LatchState::Closed;
    if (state == LatchState::Released && !is_in) next = LatchState::Open;
    if (next == state) return;
    set_word(f, slot, kLatches + number, static_cast<std::uint64_t>(next));
    if (next == LatchState::Closed) scene.close(latch.weld, true);
  }

  static void keep_contacts(Flock& f, std::size_t slot, const Joined& leader, const Instance& scene, std::vector<multibody::Contact>& found) {
    std::vector<ContactPoint>& kept = f.joined->contacts[slot];
    kept.clear();
    if (scene.n_contacts() == 0) return;
    const std::size_t groups = leader.scene.scene.groups.size(), effectors = f.joined->member, hull = leader.scene.members[effectors].hull;
    for (const std::size_t own : {effectors, hull})
      for (std::size_t g = 0; g < groups; ++g) {
        if (g == effectors || g == hull) continue;
        scene.contacts(own, g, found);
        for (const multibody::Contact& c : found)
          kept.push_back({{c.point_W.x, c.point_W.y, c.point_W.z}, {-c.force_W.x, -c.force_W.y, -c.force_W.z}});
      }
  }

  mutable Benches benches_;
};

// ---------------------------------------------------------------- how it is made

BodyColumns columns_of(const Flock& f, const std::string& prefix) {
  return {f.find_column(prefix + "position"), f.find_column(prefix + "velocity"), f.find_column(prefix + "attitude"), f.find_column(prefix + "omega")};
}

core::Error in_flock(core::Error e, const std::string& field) {
  e.field = e.field.empty() ? field : field + "." + e.field;
  return e;
}

const FlockDef* find_def(const WorldDef& world, const std::string& name) {
  for (const FlockDef& f : world.flocks)
    if (f.name == name) return &f;
  return nullptr;
}

// which member of whose scenes the vehicles of a flock are
struct Membership {
  const FlockDef* leader = nullptr;
  std::size_t member = 0;
};
Membership membership_of(const WorldDef& world, const FlockDef& def) {
  for (const FlockDef& f : world.flocks) {
    const std::vector<std::string> partners = partners_of(f);
    const auto at = std::find(partners.begin(), partners.end(), def.name);
    if (at != partners.end() && &f != &def && !def.name.empty()) return {&f, 1 + static_cast<std::size_t>(at - partners.begin())};
  }
  return {&def, 0};
}

// the airframes of all members of the scenes that a flock leads
core::Result<std::vector<const Airframe*>> members_of(const FlockDef& def, const WorldDef& world) {
  const bool docks = !def.docking.with.empty();
  const std::string field = fmt::format("flocks.{}.{}", def.name, docks ? "docking.with" : "load.with");
  const char* const what = docks ? "dock with" : "carry a load with";
  std::vector<const Airframe*> members = {&def.airframe};
  if (docks && def.load) return core::Error{.message = "vehicles that dock carry no load", .field = "flocks." + def.name + ".load"};
  for (const std::string& name : partners_of(def)) {
    const FlockDef* const other = find_def(world, name);
    if (other == nullptr) return core::Error{.message = fmt::format("there is no flock '{}' to {}", name, what), .field = field};
    if (other == &def || other->mirror || !partners_of(*other).empty() || other->load || membership_of(world, *other).leader != &def ||
        std::find(members.begin(), members.end(), &other->airframe) != members.end())
      return core::Error{.message = fmt::format("'{}' cannot be what '{}' is to {}: one flock names the others, each of them once", name, def.name, what),
                         .field = field};
    if (other->vehicles.size() != def.vehicles.size())
      return core::Error{.message = fmt::format("flocks that {} each other have as many vehicles: '{}' has {}, '{}' {}", what, def.name, def.vehicles.size(),
                                                other->name, other->vehicles.size()),
                         .field = field};
    members.push_back(&other->airframe);
  }
  return members;
}

}  // namespace

// the rows of a vehicle: words first, then its columns
static void add_columns(Joined& j, const Flock& f, bool docks, bool carries) {
  j.rows = static_cast<int>(j.words * sizeof(std::uint64_t) / static_cast<std::size_t>(f.bytes));
  const auto add = [&](const char* name, const char* unit, const char* frame, const char* doc, int rows) {
    j.columns.push_back({.name = name, .unit = unit, .frame = frame, .doc = doc, .row = j.rows, .rows = rows, .record = Record::Joined});
    j.rows += rows;
  };
  if (j.wrench == nullptr) add("wrench", "N, N m", "B", "force and torque of contacts about the origin in the last substep", 6);
  if (docks) {
    add("docked", "-", "-", "1: a latch joins the vehicle with another one; 0: it flies by itself", 1);
    add("dock_offset", "m", "cone", "tip of the cylinder from the bottom of the cone; z points out of the mouth", 3);
    add("dock_velocity", "m/s", "cone", "velocity of this tip relative to the cone", 3);
  }
  if (carries) {
    add("cable.tension", "N", "-", "pull of the cable of the load in the last substep; 0: it is slack", 1);
    add("cable.force", "N", "B", "force of this cable on the vehicle in the last substep", 3);
  }
  if (carries && j.leads()) {
    add("load.position", "m", "W", "position of the centre of the load", 3);
    add("load.velocity", "m/s", "W", "velocity of the centre of the load", 3);
    add("load.attitude", "-", "WB", "attitude of the load as a unit quaternion w x y z, load to world", 4);
    add("load.omega", "rad/s", "B", "angular velocity of the load in its own axes", 3);
  }
  j.own = {j.wrench == nullptr ? j.find_column("wrench") : nullptr,
           j.find_column("docked"),
           j.find_column("dock_offset"),
           j.find_column("dock_velocity"),
           j.find_column("cable.tension"),
           j.find_column("cable.force"),
           {j.find_column("load.position"), j.find_column("load.velocity"), j.find_column("load.attitude"), j.find_column("load.omega")}};
}

const ColumnInfo* Joined::find_column(const std::string& name) const {
  const auto it = std::find_if(columns.begin(), columns.end(), [&](const ColumnInfo& c) { return c.name == name; });
  return it == columns.end() ? nullptr : &*it;
}

std::vector<std::string> partners_of(const FlockDef& def) {
  if (!def.docking.with.empty()) return {def.docking.with};
  return def.load ? def.load->with : std::vector<std::string>();
}

bool is_joined(const FlockDef& def) { return !def.mirror && (def.joined || !def.docking.with.empty() || def.load || flies_joined(def.airframe)); }

core::Result<std::unique_ptr<Joined>> make_joined(const FlockDef& def, const WorldDef& world, Flock& f) {
  const Membership of = membership_of(world, def);
  if (def.mirror || (!is_joined(def) && of.leader == &def)) return std::unique_ptr<Joined>();
  const std::string field = "flocks." + def.name;
  if (f.kernel->joined == nullptr)
    return core::Error{.message = fmt::format("vehicles of joined bodies are platforms or multirotors with full physics; '{}' flies as {}", def.name,
                                              f.program->name),
                       .field = field};
  if (!def.variants.empty()) return core::Error{.message = "vehicles of joined bodies have no variants", .field = field + ".variants"};
  auto j = std::make_unique<Joined>();
  j->member = of.member;
  j->bodies.push_back(columns_of(f, ""));
  for (int k = 1; k < f.kernel->joined->bodies; ++k) j->bodies.push_back(columns_of(f, fmt::format("part{}.", k)));
  j->wrench = f.find_column("wrench");
  j->words = kLatches;
  if (of.leader == &def) {
    auto members = members_of(def, world);
    if (!members) return members.error();
    multibody::OptionsDef options;
    options.time_step = f.setup.tick / f.setup.substeps;
    options.gravity = {0, 0, -world.environment.gravity};
    options.friction_stiffness = kFrictionStiffness;
    auto scene = joined_scene(members.value(), world.environment, options, def.load ? &*def.load : nullptr);
    if (!scene) return scene.error().field.starts_with("environment.") ? scene.error() : in_flock(scene.error(), field);
    j->scene = std::move(scene).value();
    auto model = multibody::make_model(j->scene.scene);
    if (!model) return in_flock(model.error(), field);
    j->model = std::move(model).value();
    j->floor = airframe::floor_of(world.environment);
    j->words += j->scene.latches.size() + j->model->motion_size();
  }
  add_columns(*j, f, !of.leader->docking.with.empty(), of.leader->load.has_value());
  j->state = core::Buffer(*f.memory);
  return j;
}

void link_members(Data& d) {
  const auto find = [&](const std::string& name) {
    return &*std::find_if(d.flocks.begin(), d.flocks.end(), [&](const Flock& f) { return f.def.name == name; });
  };
  for (Flock& f : d.flocks) {
    if (f.joined == nullptr || !f.joined->leads()) continue;
    f.joined->members = {&f};
    for (const std::string& name : partners_of(f.def)) f.joined->members.push_back(find(name));
    for (Flock* other : f.joined->members)
      if (other != &f) other->joined->members = f.joined->members, other->joined->scene = f.joined->scene;
  }
}

std::unique_ptr<Stepper> make_joined_stepper() { return std::make_unique<JoinedStepper>(); }

bool is_of_bodies(const Flock& f, const std::string& parameter) {
  if (f.joined == nullptr) return false;
  static constexpr std::string_view kOfBodies[] = {"mass", "inv_mass", "gravity", "first_moment", "centre_of_mass", "joint_damping", "step", "inv_step"};
  std::string_view name = parameter;
  if (name.starts_with("part")) name.remove_prefix(std::min(name.find('.') + 1, name.size()));
  if (name.starts_with("rotor.")) return false;  // the kernel's
  return name.find("inertia") != std::string_view::npos || name.find("central") != std::string_view::npos || name.starts_with("step_") ||
         std::find(std::begin(kOfBodies), std::end(kOfBodies), name) != std::end(kOfBodies);
}

void place_anew(Flock& f, std::size_t slot) {
  for (int r = 0; r < f.joined->rows; ++r) write_word(f.joined->state.data() + element_offset(slot, f.joined->rows, r, f.bytes), f.bytes, 0);
  if (slot < f.joined->contacts.size()) f.joined->contacts[slot].clear();
  if (slot < f.joined->was_held.size()) f.joined->was_held[slot] = false;
}

void show_starts(Flock& f, std::size_t first, std::size_t last) {
  if (f.joined == nullptr || !f.joined->leads() || !f.joined->docks() || first == last) return;
  if (f.joined->still == nullptr) {
    auto made = f.joined->model->make_instance();
    core::require(static_cast<bool>(made), "memory for a scene of joined bodies");
    f.joined->still = std::move(made).value();
  }
  for (std::size_t slot = first; slot < last; ++slot) JoinedStepper::show_start(f.joined->members, slot, *f.joined->still);
}

void forget_shown(Flock& f) {
  f.joined->contacts.clear();
  f.joined->was_held.resize(f.slots);
  for (std::size_t slot = 0; slot < f.slots; ++slot) f.joined->was_held[slot] = is_held(f, slot);
}

bool is_held(const Flock& f, std::size_t slot) { return f.joined != nullptr && f.joined->docks() && slot < f.slots && (f.status(slot) & kHeld) != 0; }
VehicleId holder_of(const Flock& f, std::size_t slot) { return is_held(f, slot) ? f.joined->members[1 - f.joined->member]->ids[slot] : VehicleId{}; }

bool release(Data& d, Flock& f, std::size_t slot) {
  if (!is_held(f, slot)) return false;
  Flock& leader = *f.joined->members[0];
  for (std::size_t l = 0; l < leader.joined->scene.latches.size(); ++l)
    if (get_word(leader, slot, kLatches + l) == static_cast<std::uint64_t>(LatchState::Closed))
      set_word(leader, slot, kLatches + l, static_cast<std::uint64_t>(LatchState::Released));
  forget_hash(d);
  return true;
}

namespace {
struct LatchNews {
  VehicleId cylinder;
  std::size_t slot;
  bool is_closed;
};
std::vector<LatchNews> news_of(Flock& leader, const Flock& cylinders) {
  std::vector<LatchNews> all;
  std::vector<bool>& was = leader.joined->was_held;
  was.resize(leader.slots);
  for (std::size_t slot = 0; slot < leader.slots; ++slot) {
    const bool is = is_held(leader, slot);
    if (is != was[slot] && cylinders.ids[slot]) all.push_back({cylinders.ids[slot], slot, is});
    was[slot] = is;
  }
  std::sort(all.begin(), all.end(), [](const LatchNews& a, const LatchNews& b) { return a.cylinder.number() < b.cylinder.number(); });
  return all;
}
}  // namespace

void tell_latches(Data& d) {
  for (Flock& f : d.flocks) {
    if (f.joined == nullptr || !f.joined->leads() || !f.joined->docks()) continue;
    const std::size_t with_cone = f.joined->scene.latches.front().cone_member;
    const Flock &cones = *f.joined->members[with_cone], &cylinders = *f.joined->members[1 - with_cone];
    for (const LatchNews& n : news_of(f, cylinders))
      add_event(d, n.cylinder, cylinders.names[n.slot], fmt::format("{}: {} {}", n.is_closed ? "latched" : "released", n.is_closed ? "held by" : "from", cones.names[n.slot]));
  }
}

}  // namespace volary::engine
