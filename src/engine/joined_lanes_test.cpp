// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What kernels do for vehicles whose bodies somebody else moves: the same bits at every width, and nothing to those who do not fly.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "core/memory.hpp"
#include "engine/backend.hpp"
#include "engine/columns.hpp"
#include "vehicles/actuator_faults.hpp"
#include "vehicles/joined_test_support.hpp"
#include "vehicles/model.hpp"
#include "vehicles/platform_test_support.hpp"

namespace volary::engine {
namespace {

using Words = std::vector<std::uint64_t>;

constexpr std::size_t kVehicles = 21;  // two blocks, the second not full
constexpr std::size_t kDead[] = {3, 9, 17};
bool is_dead(std::size_t slot) { return slot == kDead[0] || slot == kDead[1] || slot == kDead[2]; }

bool has_imu(const std::string& program) { return program.ends_with("/imu"); }

FlockSetup gusty(bool with_imu) {
  FlockSetup s = test::shaken(!with_imu);
  if (!with_imu) s.imu.reset();
  s.environment.gust_sigma = 0.5, s.environment.wind_W = {1, 0.5, 0};
  return s;
}

// some vehicles on curves in gusts, and all that their kernel is given
class Herd {
 public:
  Herd(const Backend& backend, const char* model, const char* program, const void* def, int bytes = 4)
      : kernel(find_kernel(backend, model, program, bytes)), bytes_(bytes), setup_(gusty(has_imu(program))) {
    for (const ProgramHost& p : find_model(model)->programs)
      if (std::string(p.name) == program) host_ = &p;
    const std::vector<double> params = host_->derive(def, setup_).value();
    make_params(params);
    const std::size_t row = kBlock * static_cast<std::size_t>(bytes);
    hot.grow(2 * row * static_cast<std::size_t>(kernel->hot_rows)), plan.grow(2 * row * static_cast<std::size_t>(kernel->plan_rows));
    identity_.grow(2 * row * 4);
    targets.grow(2 * row * static_cast<std::size_t>(kernel->joined->target_rows)), loads.grow(2 * row * static_cast<std::size_t>(n_loads()));
    for (std::size_t slot = 0; slot < kVehicles; ++slot) put(slot, def, params);
    args.hot = hot.data(), args.plan = plan.data(), args.identity = identity_.data(), args.params = params_.data();
    args.substeps = setup_.substeps, args.guide = true, args.gusts = true, args.impact_speed = 1;
    args.by_truth = setup_.control_on_truth, args.believes = has_imu(program);
  }
  int n_loads() const { return kernel->joined->bodies * 6; }
  const FlockSetup& setup() const { return setup_; }
  std::byte* element(core::Buffer& rows, int n, std::size_t slot, int row) { return rows.data() + element_offset(slot, n, row, bytes_); }
  Words words(core::Buffer& rows, int n, std::size_t slot) {
    Words w;
    for (int r = 0; r < n; ++r) w.push_back(read_word(element(rows, n, slot, r), bytes_));
    return w;
  }
  Words state(std::size_t slot) { return words(hot, kernel->hot_rows, slot); }
  Words plan_of(std::size_t slot) { return words(plan, kernel->plan_rows, slot); }
  double load_of(std::size_t slot, int row) { return read_scalar(element(loads, n_loads(), slot, row), bytes_); }
  const ColumnInfo& column(const char* name) const {
    for (const ColumnInfo& c : host_->hot)
      if (c.name == name) return c;
    ADD_FAILURE() << name;
    return host_->hot[0];
  }
  void set(std::size_t slot, const char* name, double value, int k = 0) {
    write_scalar(element(hot, kernel->hot_rows, slot, column(name).row + k), bytes_, value);
  }
  double get(std::size_t slot, const char* name) { return read_scalar(element(hot, kernel->hot_rows, slot, column(name).row), bytes_); }
  void kill(std::size_t slot) { write_word(element(hot, kernel->hot_rows, slot, 0), bytes_, control::kDiverged | static_cast<std::uint64_t>(Mode::Mission)); }
  void give_faults() {
    args.fault_rows = host_rows("rotor_speed") * vehicles::kActuatorRows;
    faults_.grow(2 * static_cast<std::size_t>(args.fault_rows * kBlock * bytes_));
    for (std::size_t slot = 0; slot < 2 * kBlock; ++slot)
      for (int r = 0; r < args.fault_rows; ++r)
        write_scalar(element(faults_, args.fault_rows, slot, r), bytes_, r % vehicles::kActuatorRows == 0 ? 0.9 : r % vehicles::kActuatorRows == 2 ? 2 : 0);
    args.faults = faults_.data();
  }
  // each stands before a slope of its own, and some touch it
  void give_ground() {
    ground_.grow(2 * static_cast<std::size_t>(kGroundRows * kBlock * bytes_));
    for (std::size_t slot = 0; slot < 2 * kBlock; ++slot) {
      const double tilt = 0.02 * static_cast<double>(slot % 5);
      const double rows[kGroundRows] = {slot % 2 == 0 ? 2.95 : -50, 3 * static_cast<double>(slot), 0, std::sin(tilt), 0, std::cos(tilt)};
      for (int r = 0; r < kGroundRows; ++r) write_scalar(element(ground_, kGroundRows, slot, r), bytes_, rows[r]);
    }
    args.ground = ground_.data();
  }

  void begin() {
    for (std::size_t b = 0; b < 2; ++b) kernel->joined->begin(args, b, targets.data() + b * targets.size() / 2);
  }
  void drive(bool is_last) {
    for (std::size_t b = 0; b < 2; ++b) kernel->joined->drive(args, b, is_last, targets.data() + b * targets.size() / 2, loads.data() + b * loads.size() / 2);
  }
  void sample(int substep) {
    if (kernel->joined->sample == nullptr) return;
    for (std::size_t b = 0; b < 2; ++b) kernel->joined->sample(args, b, substep, targets.data() + b * targets.size() / 2);
  }
  // bodies that move somehow
  void tick(std::uint64_t number) {
    args.tick = number;
    begin();
    for (int k = 0; k < args.substeps; ++k) {
      drive(k + 1 == args.substeps);
      for (std::size_t slot = 0; slot < kVehicles; ++slot)
        if (!is_dead(slot)) set(slot, "velocity", -0.3 + 0.01 * k * static_cast<double>(slot), 2), set(slot, "omega", 0.02 * k, 1);
      sample(k);
    }
  }

  const Kernel* kernel;
  core::Buffer hot, plan, targets, loads;
  SweepArgs args;

 private:
  int host_rows(const char* name) const { return column(name).rows; }
  void make_params(const std::vector<double>& values) {
    const auto width = static_cast<std::size_t>(kernel->lanes), size = static_cast<std::size_t>(bytes_);
    params_.grow(values.size() * width * size);
    for (std::size_t k = 0; k < values.size(); ++k)
      for (std::size_t l = 0; l < width; ++l) write_scalar(params_.data() + (k * width + l) * size, bytes_, values[k]);
  }
  void put(std::size_t slot, const void* def, const std::vector<double>& params) {
    const auto k = static_cast<double>(slot);
    VehicleDef v;
    v.position_W = v.centre_W = {3 * k, 0, 3}, v.yaw = 0.2 * k;
    v.harmonic.amplitude = {0.5, 0.5, 0.1}, v.harmonic.rate = {0.8, 0.8, 0.5}, v.harmonic.phase = {1.5, 0, 0};
    v.mode = Mode::Mission;
    host_->initialise(bytes_, element(hot, kernel->hot_rows, slot, 0), element(plan, kernel->plan_rows, slot, 0), v, def, setup_, params.data());
    write_word(element(hot, kernel->hot_rows, slot, 0), bytes_, control::kAlive | static_cast<std::uint64_t>(Mode::Mission));
    for (int r = 0; r < 4; ++r) write_word(element(identity_, 4, slot, r), bytes_, 17 + slot * 5 + static_cast<std::size_t>(r));
  }

  int bytes_;
  FlockSetup setup_;
  const ProgramHost* host_ = nullptr;
  core::Buffer identity_, params_, faults_, ground_;
};

struct Kind {
  const char *model, *program;
  std::shared_ptr<const void> def;
};
const Kind kKinds[] = {
    {"platform", "aircraft=3/joints=ball", std::make_shared<airframe::PlatformDef>(test::three_star())},
    {"multirotor", "rotors=4/features=full/control=ladder", std::make_shared<airframe::MultirotorDef>(test::x500())},
    {"multirotor", "rotors=8/features=tilted/control=ladder", std::make_shared<airframe::MultirotorDef>(test::coaxial_x8())},
    {"platform", "aircraft=3/joints=ball/imu", std::make_shared<airframe::PlatformDef>(test::three_star())},
    {"multirotor", "rotors=4/features=full/control=ladder/imu", std::make_shared<airframe::MultirotorDef>(test::x500())},
};
bool can_run(const Backend& b, const Kind& kind, int bytes = 4) { return b.supported() && find_kernel(b, kind.model, kind.program, bytes) != nullptr; }
Herd herd(const Backend& b, const Kind& kind, int bytes = 4) { return Herd(b, kind.model, kind.program, kind.def.get(), bytes); }

TEST(joined_lanes, platforms_and_multirotors_with_full_physics_offer_it_and_nobody_else) {
  for (const Backend* b : all_backends())
    for (const MoreKernels all : {MoreKernels{b->kernels, b->n_kernels}, *b->sensed})
      for (int k = 0; k < all.n_kernels; ++k) {
        const Kernel& one = all.kernels[k];
        const std::string model = one.model, program = one.program;
        const bool flies_ladder = program.find("/control=ladder") != std::string::npos && program.find("features=basic") == std::string::npos;
        EXPECT_EQ(one.joined != nullptr, model == "platform" || (model == "multirotor" && flies_ladder)) << b->name << " " << model << " " << program;
        if (one.joined == nullptr) continue;
        EXPECT_EQ(one.joined->bodies, model == "platform" ? program[std::strlen("aircraft=")] - '0' + 1 : 1) << program;
        EXPECT_EQ(one.joined->sample != nullptr, has_imu(program)) << program;
      }
}

void expect_same(const Kind& kind, int bytes, bool with_faults, bool with_ground) {
  std::vector<Words> first;
  for (const Backend* b : all_backends()) {
    if (!can_run(*b, kind, bytes)) continue;
    Herd h = herd(*b, kind, bytes);
    if (with_faults) h.give_faults();
    if (with_ground) h.give_ground();
    for (const std::size_t slot : kDead) h.kill(slot);
    for (std::uint64_t t = 0; t < 3; ++t) h.tick(t);
    std::vector<Words> all;
    int pressed = 0;
    for (std::size_t slot = 0; slot < kVehicles; ++slot) {
      pressed += h.get(slot, "ground_force") > 0 ? 1 : 0;
      all.push_back(h.state(slot)), all.push_back(h.plan_of(slot));
      if (is_dead(slot)) continue;
      all.push_back(h.words(h.targets, h.kernel->joined->target_rows, slot)), all.push_back(h.words(h.loads, h.n_loads(), slot));
    }
    if (first.empty()) first = all;
    EXPECT_EQ(all, first) << b->name << " " << kind.program;
    EXPECT_EQ(pressed > 3, with_ground) << kind.program;
  }
  EXPECT_FALSE(first.empty());
}
TEST(joined_lanes, give_the_same_bits_at_every_width_and_without_optimisation) {
  for (const Kind& kind : kKinds) {
    expect_same(kind, 4, false, false);
    expect_same(kind, 4, kind.model == std::string("multirotor"), true);
    expect_same(kind, 8, false, true);
  }
}

TEST(joined_lanes, an_imu_feels_each_substep_and_sums_it_up_to_the_tick) {
  for (const Kind& kind : kKinds)
    for (const Backend* b : all_backends()) {
      if (!can_run(*b, kind) || !has_imu(kind.program)) continue;
      Herd h = herd(*b, kind);
      h.begin();
      double sum = 0;
      for (int k = 0; k < h.args.substeps; ++k) {
        h.drive(k + 1 == h.args.substeps);
        h.set(0, "velocity", h.get(0, "velocity") + 0.1);
        EXPECT_EQ(h.get(0, "imu.delta_velocity"), 0) << "the tick is not over";
        h.sample(k);
        sum += h.setup().tick / h.args.substeps * h.get(0, "imu.accelerometer");
      }
      EXPECT_NEAR(sum, 0.4, 0.1) << b->name << " " << kind.program << ": what is left are noise and rotors that shake in step";
      EXPECT_NEAR(h.get(0, "imu.delta_velocity"), sum, 1e-3) << b->name << " " << kind.program;
      EXPECT_NEAR(h.get(0, "estimate.velocity"), sum, 0.005) << b->name << " " << kind.program;
    }
}

TEST(joined_lanes, nothing_is_written_to_the_dead) {
  for (const Kind& kind : kKinds)
    for (const Backend* b : all_backends()) {
      if (!can_run(*b, kind)) continue;
      Herd h = herd(*b, kind);
      for (const std::size_t slot : kDead) h.kill(slot);
      std::vector<Words> before;
      for (std::size_t slot = 0; slot < 2 * kBlock; ++slot) before.push_back(h.state(slot)), before.push_back(h.plan_of(slot));
      for (std::uint64_t t = 0; t < 2; ++t) h.tick(t);
      for (std::size_t slot = 0; slot < 2 * kBlock; ++slot) {
        const bool flies = slot < kVehicles && !is_dead(slot);
        EXPECT_EQ(h.state(slot) != before[2 * slot], flies) << b->name << " " << kind.program << " " << slot;
        EXPECT_EQ(h.plan_of(slot) != before[2 * slot + 1], flies) << b->name << " " << kind.program << " " << slot;
      }
    }
}

// MuJoCo refuses such loads, and the last good rows are those that stay
TEST(joined_lanes, numbers_that_went_bad_reach_the_loads_and_no_rows) {
  for (const Kind& kind : kKinds)
    for (const Backend* b : all_backends()) {
      if (!can_run(*b, kind)) continue;
      Herd h = herd(*b, kind);
      h.begin();
      h.set(5, "external_force", std::numeric_limits<double>::quiet_NaN());
      const Words before = h.state(5), beside = h.state(6);
      h.drive(false);
      EXPECT_FALSE(std::isfinite(h.load_of(5, 0) + h.load_of(5, 1) + h.load_of(5, 2))) << b->name << " " << kind.program;
      EXPECT_EQ(h.state(5), before) << b->name << " " << kind.program;
      EXPECT_NE(h.state(6), beside);
      for (int r = 0; r < h.n_loads(); ++r) EXPECT_TRUE(std::isfinite(h.load_of(6, r))) << b->name << " " << kind.program;
    }
}

TEST(joined_lanes, what_is_kept_of_bodies_is_in_the_hash_of_its_vehicle_and_of_nobody_else) {
  for (const Backend* b : all_backends()) {
    if (!can_run(*b, kKinds[0])) continue;
    Herd h = herd(*b, kKinds[0]);
    constexpr int kRows = 5;
    core::Buffer kept(2 * kRows * kBlock * sizeof(float));
    const auto hashes = [&] {
      Words each(kBlock);
      h.kernel->hash_block(h.args, 1, each.data());
      return each;
    };
    const Words without = hashes();
    h.args.joined = kept.data(), h.args.joined_rows = kRows;
    const Words zeros = hashes();
    write_word(kept.data() + element_offset(kBlock + 2, kRows, 4, 4), 4, 77);
    const Words changed = hashes();
    for (std::size_t lane = 0; lane < kBlock; ++lane) {
      EXPECT_EQ(zeros[lane] != without[lane], lane < kVehicles - kBlock) << b->name << " " << lane;
      EXPECT_EQ(changed[lane] != zeros[lane], lane == 2) << b->name << " " << lane;
    }
  }
}

}  // namespace
}  // namespace volary::engine
