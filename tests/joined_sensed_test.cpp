// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Vehicles whose bodies MuJoCo moves, with an IMU: it feels contacts as it feels everything else, and vehicles fly, press and dock by estimates.
#include <cmath>
#include <fstream>
#include <memory>
#include <sstream>
#include <tuple>

#include <gtest/gtest.h>

#include "volary/scenario.hpp"
#include "volary/world.hpp"

namespace volary {
namespace {

constexpr double kGravity = 9.80665;
const std::string kSource = VOLARY_SOURCE_DIR;

Airframe shipped(const std::string& name) {
  const Loaded<Airframe> loaded = load_airframe(kSource + "/assets/vehicles/" + name + ".yaml");
  EXPECT_TRUE(loaded) << loaded.error;
  return *loaded.value;
}
std::unique_ptr<World> make(const WorldDef& def, RunOptions options = {}) {
  std::string error;
  auto w = World::create(def, options, &error);
  EXPECT_NE(w, nullptr) << error;
  return w;
}
std::vector<double> values(const World& w, const std::string& column, std::size_t slot = 0, const std::string& flock = "rigs") {
  const View v = w.view(flock, column);
  std::vector<double> out(v.shape[2]);
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = v.at(slot, k);
  return out;
}
Vec vec(const World& w, const std::string& column, std::size_t slot = 0) {
  const std::vector<double> x = values(w, column, slot);
  return {x[0], x[1], x[2]};
}
double distance(const Vec& a, const Vec& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }

// n vehicles side by side in still air, joined, each with an IMU without errors
WorldDef sensing(const std::string& airframe, int n, const VehicleDef& vehicle) {
  WorldDef w;
  w.name = "joined with an IMU";
  w.tick_ns = 5'000'000;
  w.substeps = 5;
  w.precision = Precision::Double;
  w.environment.gravity = kGravity;
  FlockDef f;
  f.name = "rigs";
  f.airframe = shipped(airframe);
  f.joined = true;
  f.sensors.imu = ImuDef{};
  for (int i = 0; i < n; ++i) {
    VehicleDef v = vehicle;
    v.position_W[1] += 6.0 * i;
    v.centre_W = v.position_W;
    f.vehicles.push_back(v);
  }
  w.flocks.push_back(f);
  return w;
}
VehicleDef in_mode(Mode mode, double height) { return {.position_W = {0, 0, height}, .mode = mode}; }

// a wall before them, towards which they move
WorldDef at_a_wall(const std::string& airframe, int n, double distance_to_it, double speed) {
  VehicleDef v = in_mode(Mode::Hold, 3);
  v.velocity_W = {-speed, 0, 0};
  if (airframe == "docking_cylinder") v.yaw = 1.5707963267948966;  // its cylinder points to the left
  WorldDef w = sensing(airframe, n, v);
  WallDef wall;
  wall.centre_W = {-distance_to_it, 3.0 * n, 3}, wall.width = 12.0 * n + 10, wall.height = 8;
  w.environment.structures.push_back({"wall", wall});
  return w;
}
void give_common_sensors(FlockDef& f) {
  f.sensors.imu->gyro = {.noise = 5e-5, .turn_on = 0.002, .instability = 1e-4};
  f.sensors.imu->accelerometer = {.noise = 7e-4, .turn_on = 0.02, .instability = 1e-3};
  f.sensors.imu->vibration.reference_speed = 600;
  f.sensors.imu->vibration.harmonics = {{1, {0.01, 0, 0}, {0.2, 0.2, 0.2}}};
  f.sensors.gnss = GnssDef{};
  f.sensors.gnss->time = {.rate = 10, .latency = 0.1};
  f.sensors.gnss->horizontal = f.sensors.gnss->vertical = 0.02, f.sensors.gnss->velocity = 0.05;
  f.sensors.magnetometer = MagnetometerDef{};
  f.sensors.magnetometer->time.rate = 50, f.sensors.magnetometer->error.noise = 3e-7;
  f.estimator.kind = EstimatorKind::Ekf;
}

// ---------------------------------------------------------------- what the IMU feels

TEST(joined_sensed, one_that_stands_on_the_ground_feels_its_weight) {
  for (const char* name : {"x500", "three_star"}) {
    const auto w = make(sensing(name, 1, in_mode(Mode::Disarmed, 0)));
    w->step(400);
    EXPECT_LT(distance(vec(*w, "imu.accelerometer"), {0, 0, kGravity}), 0.05) << name;
    EXPECT_LT(distance(vec(*w, "imu.gyro"), {0, 0, 0}), 2e-3) << name;
    EXPECT_NEAR(vec(*w, "imu.delta_velocity")[2], 0.005 * kGravity, 1e-4) << name;
  }
}

TEST(joined_sensed, one_that_falls_freely_feels_nothing) {
  for (const char* name : {"x500", "three_star", "docking_cone"}) {
    const auto w = make(sensing(name, 1, in_mode(Mode::EmergencyStop, 50)));
    w->step(10);
    EXPECT_LT(w->velocity_of(w->vehicles()[0])[2], -0.4) << name;
    EXPECT_LT(distance(vec(*w, "imu.accelerometer"), {0, 0, 0}), 0.02) << name << ": but the air, at half a metre per second";
  }
}

TEST(joined_sensed, it_feels_what_that_of_the_pure_form_feels) {
  for (const char* name : {"x500", "three_star"}) {
    VehicleDef v = in_mode(Mode::Mission, 3);
    v.harmonic.amplitude = {0.5, 0.5, 0.1}, v.harmonic.rate = {0.8, 0.8, 0.5}, v.harmonic.phase = {1.5707963267948966, 0, 0};
    WorldDef joined = sensing(name, 1, v), pure = joined;
    pure.flocks[0].joined = false;
    const auto a = make(joined), b = make(pure);
    double worst = 0, turned = 0;
    for (int k = 0; k < 400; ++k) {
      a->step(), b->step();
      worst = std::max(worst, distance(vec(*a, "imu.accelerometer"), vec(*b, "imu.accelerometer")));
      turned = std::max(turned, distance(vec(*a, "imu.delta_angle"), vec(*b, "imu.delta_angle")) / 0.005);
      EXPECT_EQ(vec(*a, "estimate.position"), vec(*a, "position")) << "nobody estimates";
    }
    EXPECT_LT(worst, 0.3) << name << ": another integrator";
    EXPECT_LT(turned, 0.05) << name;
  }
}

// A quadrotor pulls along its z axis only: what the accelerometer has along the others is the wall, and a little air.
TEST(joined_sensed, one_that_hits_a_wall_feels_the_push_of_the_wall) {
  const auto w = make(at_a_wall("docking_cylinder", 1, 0.6, 1));
  const VehicleId id = w->vehicles()[0];
  const double mass = w->parameter_of(id, "mass").value();
  double hardest = 0;
  for (int k = 0; k < 400; ++k) {
    w->step();
    const Vec felt = vec(*w, "imu.accelerometer"), push = vec(*w, "wrench");
    if (w->contacts_of(id).empty()) {
      EXPECT_LT(std::hypot(felt[0], felt[1]), 0.5) << "the air alone";
      continue;
    }
    EXPECT_NEAR(mass * felt[0], push[0], 0.05 * std::abs(push[0]) + 0.5) << k;
    EXPECT_NEAR(mass * felt[1], push[1], 0.05 * std::abs(push[1]) + 0.5) << k;
    hardest = std::max(hardest, std::hypot(push[0], push[1]));
  }
  EXPECT_GT(hardest, 5) << "N";
}

// ---------------------------------------------------------------- one answer

TEST(joined_sensed, gives_the_same_bits_on_any_threads_and_lanes_in_contact_too) {
  for (const auto& [name, distance_to_it, precision] : {std::tuple{"docking_cylinder", 0.55, Precision::Float}, {"three_star_push", 1.05, Precision::Double}}) {
    WorldDef def = at_a_wall(name, 37, distance_to_it, 1);
    def.precision = precision;
    give_common_sensors(def.flocks[0]);
    def.environment.wind_W = {-1, 0.5, 0}, def.environment.gust_sigma = 0.4;
    std::uint64_t expected = 0;
    bool touched = false;
    for (const int lanes : available_lanes())
      for (const int threads : {1, 3}) {
        const auto w = make(def, {.threads = threads, .lanes = lanes, .force_split = threads > 1});
        for (int k = 0; k < 4; ++k) {
          w->step(6);
          for (const VehicleId id : w->vehicles()) touched = touched || !w->contacts_of(id).empty();
        }
        if (expected == 0) expected = w->hash();
        EXPECT_EQ(w->hash(), expected) << name << ", " << lanes << " lanes, " << threads << " threads";
      }
    EXPECT_TRUE(touched) << name << ": somebody has met the wall";
  }
}

TEST(joined_sensed, comes_back_from_a_snapshot_in_contact_and_begins_anew_exactly) {
  WorldDef def = at_a_wall("three_star_push", 2, 1.05, 1);
  give_common_sensors(def.flocks[0]);
  def.worlds = 2;
  const auto w = make(def);
  w->step(40);
  const auto kept = w->snapshot();
  const std::uint64_t first = w->hash_of_world(1);
  w->step(40);
  const std::uint64_t later = w->hash();
  ASSERT_TRUE(w->restore(*kept));
  w->step(40);
  EXPECT_EQ(w->hash(), later);
  const std::uint8_t mask[2] = {0, 1};
  const std::uint32_t same[2] = {0, 0};
  w->reset(mask, same);
  w->step(40);
  EXPECT_EQ(w->hash_of_world(1), first);
  const auto branch = make(def);
  branch->step(40);
  EXPECT_EQ(branch->hash_of_world(1), first);
}

// ---------------------------------------------------------------- flights by an estimate

// a scenario with more lines behind a line of it
WorldDef with_more(const std::string& scenario, const std::string& line, const std::string& more) {
  std::ifstream file(kSource + "/scenarios/" + scenario);
  std::stringstream all;
  all << file.rdbuf();
  std::string text = all.str();
  EXPECT_NE(text.find(line), std::string::npos) << line;
  for (std::size_t at = text.find(line); at != std::string::npos; at = text.find(line, at + more.size() + 1)) text.insert(at + line.size(), more);
  const Loaded<WorldDef> loaded = load_scenario_text(text, {kSource + "/assets"});
  EXPECT_TRUE(loaded) << loaded.error;
  return *loaded.value;
}

TEST(joined_sensed, a_platform_flies_a_spiral_by_its_estimate_in_both_forms) {
  const std::string sensors =
      "    sensors: {imu: {preset: icm42688p}, gnss: {preset: zed_f9p}, barometer: {preset: ms5611}, magnetometer: {preset: lis3mdl}}\n"
      "    estimator: {kind: ekf}\n";
  for (const char* form : {"", "    joined: true\n"}) {
    const auto w = make(with_more("three_star_spiral.yaml", "    airframe: three_star\n", sensors + form));
    const VehicleId id = w->vehicles()[0];
    w->step(3000);
    double worst = 0, off = 0;
    for (int k = 0; k < 9000; ++k) {
      w->step();
      const std::vector<double> wanted = values(*w, "setpoint.position", 0, "star"), believed = values(*w, "estimate.position", 0, "star");
      worst = std::max(worst, distance(w->position_of(id), {wanted[0] + wanted[3], wanted[1] + wanted[4], wanted[2] + wanted[5]}));
      off = std::max(off, distance(w->position_of(id), {believed[0], believed[1], believed[2]}));
    }
    EXPECT_LT(worst, 0.2) << form << ": with a receiver of 9 mm";
    EXPECT_LT(off, 0.15) << form;
    EXPECT_GT(off, 0.001) << form << ": it is an estimate";
    EXPECT_TRUE(w->is_alive(id)) << form;
  }
}

TEST(joined_sensed, two_quadrotors_dock_by_what_cameras_and_their_imus_say) {
  const auto w = make(with_more("docking_pair.yaml", "    start: hold\n",
                                "    sensors: {imu: {preset: icm42688p}, motion_capture: {preset: optitrack}}\n    estimator: {kind: ekf}\n"));
  int ticks = 0;
  while (ticks < 4000 && values(*w, "docked", 0, "cones")[0] == 0) w->step(), ++ticks;
  EXPECT_LT(ticks, 4000) << "20 s";
  w->step(400);
  for (const VehicleId id : w->vehicles()) EXPECT_TRUE(w->is_alive(id));
  EXPECT_EQ(values(*w, "docked", 0, "cylinders")[0], 1);
}

}  // namespace
}  // namespace volary
