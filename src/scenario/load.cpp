// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>

#include "agents/task_check.hpp"
#include "core/faults.hpp"
#include "core/suggest.hpp"
#include "math/scalar.hpp"
#include "scenario/autopilot_file.hpp"
#include "scenario/environment_file.hpp"
#include "scenario/fault_file.hpp"
#include "scenario/federation.hpp"
#include "scenario/field_error.hpp"
#include "scenario/flock_fields.hpp"
#include "scenario/fragments.hpp"
#include "scenario/joined_flocks.hpp"
#include "scenario/log_file.hpp"
#include "scenario/mission.hpp"
#include "scenario/obstacle_file.hpp"
#include "scenario/placement.hpp"
#include "scenario/region.hpp"
#include "scenario/sensor_file.hpp"
#include "scenario/slung_loads.hpp"
#include "scenario/structure_file.hpp"
#include "scenario/terrain_file.hpp"
#include "scenario/tree.hpp"
#include "scenario/variants.hpp"
#include "scenario/wing_mission.hpp"
#include "swarm/tasks/make_task.hpp"
#include "scenario/yaml_reader.hpp"
#include "vehicles/spread.hpp"

namespace volary::scenario {

namespace {

std::string flock_field(std::size_t i, const char* rest) { return fmt::format("flocks[{}].{}", i, rest); }

// ---------------------------------------------------------------- checks that need more than one field

core::Status check_times(const ScenarioFile& file, std::int64_t& tick_ns) {
  // the difference is what rounding of a decimal fraction to double can make
  const double nanoseconds = file.tick * 1e9, whole = math::round(nanoseconds);
  if (math::abs(nanoseconds - whole) > 1e-6) {
    return error_at("tick", fmt::format("{} s is not a whole number of nanoseconds", file.tick), fmt::format("{:.9f} is", whole * 1e-9));
  }
  tick_ns = static_cast<std::int64_t>(whole);
  if (file.duration < file.tick) {
    return error_at("duration", fmt::format("{} s is shorter than one tick, {} s", file.duration, file.tick));
  }
  if (file.metrics_from > file.duration) {
    return error_at("metrics_from", fmt::format("{} s is after the end, {} s", file.metrics_from, file.duration));
  }
  return core::ok();
}

// what is decided together is decided at whole ticks
core::Status check_horizon(double horizon, double tick) {
  const double ticks = horizon / tick, whole = math::round(ticks);
  if (whole > static_cast<double>(kMostHorizon)) {
    const double most = static_cast<double>(kMostHorizon);
    return error_at("coupling.horizon", fmt::format("{} s are {:.0f} ticks: at most {:.0f}", horizon, whole, most), fmt::format("{:.9g} is", most * tick));
  }
  if (horizon > 0 && (whole < 1 || math::abs(ticks - whole) > 1e-6)) {
    return error_at("coupling.horizon", fmt::format("{} s is not a whole number of ticks of {} s", horizon, tick),
                    fmt::format("{:.9g} is", std::max(1.0, whole) * tick));
  }
  return core::ok();
}

core::Status check_names(const ScenarioFile& file) {
  core::Faults faults;
  for (std::size_t i = 0; i < file.flocks.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (file.flocks[k].name == file.flocks[i].name)
        faults.add(error_at(flock_field(i, "name"), fmt::format("'{}' is also the name of flocks[{}]", file.flocks[i].name, k), "give every flock its own name"));
  return faults.status();
}

// counted before anything is made: ten million vehicles are a few gigabytes
core::Status check_count(const ScenarioFile& file, const Paths& paths) {
  double n_vehicles = 0;
  for (std::size_t i = 0; i < file.flocks.size(); ++i) {
    n_vehicles += static_cast<double>(placement_count(file.flocks[i].vehicles)) * file.worlds;
    if (n_vehicles > static_cast<double>(paths.max_vehicles)) {
      return error_at(flock_field(i, "vehicles"),
                      fmt::format("{:.0f} vehicles with this flock in {} world(s): at most {}", n_vehicles, file.worlds, paths.max_vehicles));
    }
  }
  return core::ok();
}

core::Status check_event(const ScenarioFile& file, std::size_t i) {
  const EventFile& event = file.events[i];
  const std::string field = fmt::format("events[{}].", i);
  if (event.time > file.duration) {
    return error_at(field + "time", fmt::format("{} s is after the end, {} s", event.time, file.duration), "make the duration longer");
  }
  const bool is_wind = event.what == What::Wind;
  if (is_wind && !event.value) return error_at(field + "value", "is missing: the new wind", "such as value: [3, 0, 0]");
  if (!is_wind && event.value) return error_at(field + "value", "only the wind has a value");
  const bool is_pose = event.what == What::Pose, is_press = event.what == What::Press;
  if (is_pose && !event.position) return error_at(field + "position", "is missing: where the platform goes", "such as position: [0, 0, 2]");
  if (!is_pose && event.position) return error_at(field + "position", "only a pose has a position", "what: pose");
  if (!is_pose && event.angles) return error_at(field + "angles", "only a pose has angles", "what: pose");
  if (is_press && !event.force && !event.torque) return error_at(field + "force", "is missing: the wanted push from outside", "such as force: [2, 0, 0]");
  if (!is_press && event.force) return error_at(field + "force", "only a platform that presses has a wanted force", "what: press");
  if (!is_press && event.torque) return error_at(field + "torque", "only a platform that presses has a wanted torque", "what: press");
  if (is_wind && !event.flock.empty()) return error_at(field + "flock", "the wind blows for every flock", "leave the flock out");

  std::int64_t n_vehicles = -1;
  std::vector<std::string> known;
  for (const FlockFile& flock : file.flocks) {
    known.push_back(flock.name);
    if (flock.name == event.flock) n_vehicles = placement_count(flock.vehicles);
  }
  if (!event.flock.empty() && n_vehicles < 0) {
    return error_at(field + "flock", "no flock is called '" + event.flock.substr(0, 60) + "'", core::did_you_mean(event.flock, known));
  }
  if (event.vehicle >= 0 && event.flock.empty()) {
    return error_at(field + "vehicle", "a number needs a flock to count in", "add flock: name");
  }
  if (event.vehicle >= 0 && event.vehicle >= n_vehicles) {
    return error_at(field + "vehicle", fmt::format("{} does not exist: the flock has {} vehicles, numbered from 0", event.vehicle, n_vehicles));
  }
  return event.what == What::Release ? check_release(file, event.flock, field + "flock") : core::ok();
}

// the task of agents that learn; what depends on the airframe is checked when its arrays are made
core::Status check_learning(const ScenarioFile& file) {
  core::Faults faults;
  faults.add(agents::check_task(*file.learning, "learning"));
  std::vector<std::string> known;
  for (const FlockFile& flock : file.flocks) known.push_back(flock.name);
  const std::string& name = file.learning->flock;
  if (!name.empty() && std::find(known.begin(), known.end(), name) == known.end())
    faults.add(error_at("learning.flock", "no flock is called '" + name.substr(0, 60) + "'", core::did_you_mean(name, known)));
  return faults.status();
}

// ---------------------------------------------------------------- file structs -> WorldDef

Mode mode_of(Start start) {
  switch (start) {
    case Start::Disarmed: return Mode::Disarmed;
    case Start::Armed: return Mode::Armed;
    case Start::TakeOff: return Mode::TakeOff;
    case Start::Hold: return Mode::Hold;
    case Start::Mission: break;
  }
  return Mode::Mission;
}

class WorldMaker {
 public:
  // `read` is what the reader found: sections that are at fault are not looked at any further
  WorldMaker(const ScenarioFile& file, const core::Faults& read, std::string folder, const Paths& paths, const Files& files)
      : file_(file), read_(read), folder_(std::move(folder)), paths_(paths), files_(files) {}
  core::Result<WorldDef> make();

 private:
  bool is_sound(const std::string& section) const;
  bool is_root_sound() const;
  core::Status check_whole();
  void add_surroundings();
  void add_flock(std::size_t index);
  core::Status add_variants(std::size_t index, FlockDef& flock);
  core::Status check_autopilot(std::size_t index, const FlockDef& flock);
  core::Status fill_vehicles(std::size_t index, FlockDef& flock);
  core::Result<Airframe> airframe(const std::string& name, const std::string& field);
  SensorSetting setting_of(const FlockDef& flock) const;
  void add_events();
  core::Status add_tasks();

  const ScenarioFile& file_;
  const core::Faults& read_;
  core::Faults faults_;
  std::string folder_;
  const Paths& paths_;
  const Files& files_;
  std::map<std::string, Airframe> airframes_;  // files already read
  WorldDef world_;
};

core::Result<Airframe> WorldMaker::airframe(const std::string& name, const std::string& field) {
  const core::Result<std::string> path = find_airframe(name, folder_, paths_, files_);
  if (!path) {
    core::Error error = path.error();
    error.field = field;
    return error;
  }
  const auto known = airframes_.find(path.value());
  if (known != airframes_.end()) return known->second;
  core::Result<Airframe> loaded = load_airframe(path.value(), files_);
  // a file that is not there is a fault of the scenario, a fault inside it is not
  if (!loaded && loaded.error().line == 0) return error_at(field, path.value() + ": " + loaded.error().message);
  if (loaded) airframes_[path.value()] = loaded.value();
  return loaded;
}

core::Status WorldMaker::add_variants(std::size_t index, FlockDef& flock) {
  const FlockFile& file = file_.flocks[index];
  if (!file.variants) return core::ok();
  const std::string field = flock_field(index, "variants");
  if (file.mirror) return error_at(field, "a mirror has no airframe that could vary", "leave it out");
  const VariantsFile& v = *file.variants;
  if (v.airframes.empty()) {
    core::Result<std::vector<Airframe>> made = make_variants(flock.airframe, v, file.name, file_.seed, field);
    if (!made) return made.error();
    flock.variants = std::move(made).value();
    return core::ok();
  }
  if (v.count != 0 || !v.spread.items.empty()) return error_at(field, "has both a list of airframes and a spread", "keep one of the two");
  for (std::size_t k = 0; k < v.airframes.size(); ++k) {
    const std::string here = fmt::format("{}.airframes[{}]", field, k);
    core::Result<Airframe> one = airframe(v.airframes[k], here);
    if (!one) return one.error();
    if (one.value().model != flock.airframe.model)
      return error_at(here, fmt::format("is a {}, and the airframe of the flock is a {}", one.value().model, flock.airframe.model));
    flock.variants.push_back(std::move(one).value());
  }
  return core::ok();
}

core::Status WorldMaker::fill_vehicles(std::size_t index, FlockDef& flock) {
  const FlockFile& file = file_.flocks[index];
  const std::string field = flock_field(index, "vehicles");
  core::Result<std::vector<Placed>> placed = place_vehicles(file.vehicles, file.yaw, file_.seed, index, field);
  if (placed && file.vehicles.logs) placed = place_logs(*file.vehicles.logs, world_.environment, Places{folder_, paths_.assets, "logs", files_}, field + ".logs", flock);
  if (!placed) return placed.error();
  const auto count = static_cast<std::int64_t>(placed.value().size());
  const core::Result<MissionPlan> plan = plan_mission(file.mission, count, file.start, flock_field(index, "mission"));
  if (!plan) return plan.error();
  if (file.mission.turn && flock.airframe.model != "platform")
    return error_at(flock_field(index, "mission.turn"),
                    fmt::format("'{}' is no platform: only platforms of several aircraft turn by themselves", flock.airframe.name), "leave it out");
  if (const core::Status flyable = check_mission_limits(file.mission, flock, world_.environment.gravity, flock_field(index, "mission")); !flyable)
    return flyable;

  // one path for the flock; its vehicles fly it about their own centres, or share it: then each begins elsewhere on it
  const bool shares = plan.value().path && plan.value().spread;
  int path = plan.value().path ? static_cast<int>(world_.paths.size()) : -1;
  if (path >= 0 && !shares) world_.paths.push_back(*plan.value().path);
  int angles = -1;
  if (plan.value().angles) angles = static_cast<int>(world_.paths.size()), world_.paths.push_back(*plan.value().angles);
  flock.vehicles.reserve(placed.value().size());
  for (std::int64_t i = 0; i < count; ++i) {
    const Placed& place_of = placed.value()[static_cast<std::size_t>(i)];
    VehicleDef vehicle;
    vehicle.name = place_of.name;
    vehicle.position_W = place_of.position_W;
    if (const terrain::Terrain* ground = world_.environment.terrain.get())
      vehicle.position_W[2] = std::max(vehicle.position_W[2], ground->height(vehicle.position_W[0], vehicle.position_W[1]));
    vehicle.yaw = place_of.yaw;
    vehicle.mode = mode_of(file.start);
    vehicle.path = path;
    const Vec stand_W = vehicle.position_W;
    if (shares) {
      const MissionPlan own = share_path(plan.value(), i, count);
      world_.paths.push_back(*own.path);
      ++path;
      assign_mission(own, i, count, file.start, vehicle);
    } else {
      assign_mission(plan.value(), i, count, file.start, vehicle);
    }
    vehicle.turning.path = angles;
    if (flock.mirror) vehicle.position_W = stand_W, vehicle.velocity_W = {0, 0, 0};  // whoever moves it says where it flies
    if (!flock.tracks.empty()) begin_on_track(*flock.tracks[static_cast<std::size_t>(i)], vehicle);
    for (double x : vehicle.position_W)
      if (!std::isfinite(x) || math::abs(x) > 2 * kFar) {
        return error_at(flock_field(index, "vehicles"), fmt::format("vehicle {} would start at {} m, too far away", i, x));
      }
    if (world_.environment.obstacles != nullptr && flock.tracks.empty())
      if (const core::Status free = check_start(*world_.environment.obstacles, vehicle.position_W, i, field); !free) return free;
    flock.vehicles.push_back(std::move(vehicle));
  }
  return core::ok();
}

SensorSetting WorldMaker::setting_of(const FlockDef& flock) const {
  return {file_.tick, file_.coupling.horizon, flock.airframe.model, flock.airframe.name, flock.full_physics, flock.mirror, world_.environment.anchors};
}

void WorldMaker::add_flock(std::size_t index) {
  const FlockFile& file = file_.flocks[index];
  const std::string field = flock_field(index, "airframe");
  const core::Result<Airframe> frame = file.airframe.empty() && !file.mirror ? error_at(field, "is missing", "a name in assets/vehicles, such as crazyflie")
                                                                             : airframe(file.airframe.empty() ? "mirror" : file.airframe, field);
  faults_.add(frame);
  FlockDef flock;
  flock.name = file.name;
  if (frame) flock.airframe = frame.value();
  flock.controller = file.controller;
  flock.mirror = file.mirror;
  flock.piloted = file.autopilot.has_value();
  flock.full_physics = file.full_physics;
  flock.joined = file.joined;
  flock.docking = file.docking;
  flock.load = file.load;
  flock.take_off_height = file.take_off_height;
  flock.node = file.node;
  core::Result<std::vector<BehaviourDef>> behaviours =
      make_behaviours(file.behaviours, file.node, Places{folder_, paths_.assets, "behaviours", files_}, flock_field(index, "behaviours"));
  faults_.add(behaviours);
  if (behaviours) flock.node.behaviours = std::move(behaviours).value();
  core::Result<std::vector<EmissionDef>> emits = make_emissions(file.emits, flock_field(index, "emits"));
  faults_.add(emits);
  if (emits) flock.node.emits = std::move(emits).value();
  flock.spread = file.spread;
  flock.sensors = file.sensors, flock.estimator = file.estimator, flock.failsafe = file.failsafe;
  faults_.add(open_sensor_plugins(flock.sensors, flock.estimator, Places{folder_, paths_.assets, "sensors", files_}, flock_field(index, "")));
  faults_.add(check_failsafe(flock.failsafe, flock_field(index, "failsafe")));
  const core::Status flown = frame && file.autopilot ? check_autopilot(index, flock) : core::ok();
  faults_.add(flown);
  if (frame && flown) faults_.add(check_sensors(flock.sensors, flock.estimator, setting_of(flock), flock_field(index, "")));
  if (frame) faults_.add(check_joined(file_, index, flock.airframe));
  if (frame) faults_.add(add_variants(index, flock));
  const core::Status filled = frame ? fill_vehicles(index, flock) : core::ok();
  faults_.add(filled);
  if (frame && filled) faults_.add(engine::check_spread(flock, world_, fmt::format("flocks[{}]", index)));
  world_.flocks.push_back(std::move(flock));
}

core::Status WorldMaker::check_autopilot(std::size_t index, const FlockDef& flock) {
  const core::Result<AutopilotDef> made =
      make_autopilot(file_, index, flock.airframe, Places{folder_, paths_.assets, "autopilots", files_}, flock_field(index, ""));
  if (!made) return made.error();
  if (flock.sensors.imu) return core::ok();
  return error_at(flock_field(index, "sensors"), "an autopilot flies by an IMU, and none is among them",
                  "imu: {preset: px4_sitl}, or no sensors at all: then those are carried that the autopilot needs");
}

void WorldMaker::add_events() {
  for (const EventFile& file : file_.events) {
    EventDef event;
    event.time = file.time;
    event.what = names(file.what)[static_cast<std::size_t>(file.what)];
    event.flock = file.flock;
    event.vehicle = file.vehicle;
    event.value = file.value.value_or(Vec{0, 0, 0});
    event.position_W = file.position.value_or(Vec{0, 0, 0}), event.angles = file.angles.value_or(Vec{0, 0, 0});
    event.force_B = file.force.value_or(Vec{0, 0, 0}), event.torque_B = file.torque.value_or(Vec{0, 0, 0});
    world_.events.push_back(std::move(event));
  }
  // in the order in which they happen; those of one moment as they are written
  std::stable_sort(world_.events.begin(), world_.events.end(), [](const EventDef& a, const EventDef& b) { return a.time < b.time; });
}

core::Status WorldMaker::add_tasks() {
  const FragmentPlaces places{folder_, paths_.assets, files_};
  core::Result<std::vector<TaskDef>> tasks = swarm::make_tasks(file_.tasks, task_names(world_, places));
  if (!tasks) return tasks.error();
  world_.tasks = std::move(tasks).value();
  return core::ok();
}

// no fault of the reader is at the section or in it
bool WorldMaker::is_sound(const std::string& section) const {
  return std::none_of(read_.list().begin(), read_.list().end(), [&](const core::Error& e) {
    return e.field.starts_with(section) && (e.field.size() == section.size() || e.field[section.size()] == '.' || e.field[section.size()] == '[');
  });
}
bool WorldMaker::is_root_sound() const {
  return std::none_of(read_.list().begin(), read_.list().end(), [](const core::Error& e) { return e.field.find('.') == std::string::npos; });
}

// what is wrong between fields; an error only where nothing further may be made
core::Status WorldMaker::check_whole() {
  const bool flocks = is_sound("flocks"), root = is_root_sound();
  if (root) faults_.add(check_times(file_, world_.tick_ns));
  if (root && is_sound("coupling")) faults_.add(check_horizon(file_.coupling.horizon, file_.tick));
  if (flocks) faults_.add(check_names(file_));
  if (flocks) faults_.add(check_docking(file_));
  if (root && flocks) faults_.add(check_carriers(file_));
  if (flocks && is_sound("federation")) faults_.add(check_federation(file_));
  for (std::size_t i = 0; root && flocks && i < file_.events.size(); ++i)
    if (is_sound(fmt::format("events[{}]", i))) faults_.add(check_event(file_, i));
  for (std::size_t i = 0; root && flocks && i < file_.faults.planned.size(); ++i)
    if (is_sound(fmt::format("faults.planned[{}]", i))) faults_.add(check_planned_fault(file_, i));
  if (root && flocks && is_sound("faults.random")) faults_.add(check_random_faults(file_));
  return check_count(file_, paths_);
}

// what vehicles stand on, and what stands in their way
void WorldMaker::add_surroundings() {
  if (is_sound("environment") && is_root_sound()) {
    core::Result<EnvironmentDef> environment = make_environment(file_, folder_, paths_.assets, files_);
    faults_.add(environment);
    if (environment) world_.environment = std::move(environment).value();
    faults_.add(check_anchors(world_.environment.anchors, "environment.anchors"));
    core::Result<std::vector<StructureDef>> structures = make_structures(file_.environment.standing, file_.tick / file_.substeps, "environment.structures");
    faults_.add(structures);
    if (structures) world_.environment.structures = std::move(structures).value();
  }
  if (file_.terrain && is_sound("terrain")) {
    core::Result<std::shared_ptr<const terrain::Terrain>> made = make_terrain(*file_.terrain, folder_, paths_.assets, files_);
    faults_.add(made);
    if (made) world_.environment.terrain = std::move(made).value();
  }
  if (!file_.obstacles.empty() && is_sound("obstacles")) {
    core::Result<std::shared_ptr<const obstacles::Obstacles>> made = make_obstacles(file_.obstacles, folder_, paths_.assets, files_);
    faults_.add(made);
    if (made) world_.environment.obstacles = std::move(made).value();
  }
}

core::Result<WorldDef> WorldMaker::make() {
  if (const core::Status whole = check_whole(); !whole) {
    faults_.add(whole);
    return faults_.error();
  }
  world_.name = file_.name;
  world_.description = file_.description;
  world_.seed = file_.seed;
  world_.substeps = file_.substeps;
  world_.duration = file_.duration;
  world_.worlds = file_.worlds;
  world_.first_world = file_.first_world;
  world_.episode = static_cast<std::uint32_t>(file_.episode);
  world_.precision = file_.precision;
  world_.integrator = file_.integrator;
  add_surroundings();
  world_.metrics_from = file_.metrics_from;
  world_.radio = file_.radio;
  world_.coupling = file_.coupling;
  world_.compare_controllers = file_.compare_controllers;
  const std::size_t before = faults_.size();
  for (std::size_t i = 0; i < file_.flocks.size(); ++i)
    if (is_sound(fmt::format("flocks[{}]", i))) add_flock(i);
  for (std::size_t i = 0; i < file_.regions.size() && is_sound("regions"); ++i) {
    core::Result<RegionDef> region = make_region(file_.regions, i);
    faults_.add(region);
    if (region) world_.regions.push_back(std::move(region).value());
  }
  add_events();
  world_.faults = file_.faults;
  if (file_.learning && is_sound("learning") && is_sound("flocks")) {
    faults_.add(check_learning(file_));
    world_.learning = std::make_shared<const LearningDef>(*file_.learning);
  }
  // tasks name flocks and regions, which must all be there
  if (is_sound("tasks") && is_sound("flocks") && is_sound("regions") && faults_.size() == before) faults_.add(add_tasks());
  if (is_sound("flocks") && faults_.empty()) faults_.add(check_latches(world_));
  if (is_sound("flocks") && faults_.empty()) faults_.add(check_loads(world_));
  if (world_.learning != nullptr && faults_.empty()) faults_.add(check_contact_terms(*world_.learning, world_));
  if (!faults_.empty()) return faults_.error();
  return std::move(world_);
}

std::string folder_of(const std::string& path) { return std::filesystem::path(path).parent_path().string(); }

}  // namespace

core::Result<WorldDef> load_scenario_text(const std::string& text, const std::string& virtual_name, const Paths& paths,
                                          const std::vector<std::string>& overrides, const Files& files) {
  core::Result<Tree> loaded = load_tree(text, virtual_name, files);
  if (!loaded) return loaded.error();
  Tree tree = std::move(loaded).value();
  core::Faults faults;
  for (const std::string& assignment : overrides) faults.add(apply_override(tree, assignment));
  if (!faults.empty()) return faults.error();
  if (const core::Status expanded = expand_presets(tree, paths.assets, files); !expanded) return expanded.error();

  ScenarioFile file;
  YamlReader reader(tree);
  faults.add(reader.read(file));
  const Node* environment = tree.root.find("environment");
  choose_gravity(file.environment, environment != nullptr && environment->find("gravity") != nullptr);
  const auto placed = [&](const core::Error& error) { return core::each_fault(error, [&](core::Error e) { return place(std::move(e), tree); }); };
  core::Result<WorldDef> world = WorldMaker(file, reader.faults(), folder_of(virtual_name), paths, files).make();
  if (!world) faults.add(placed(world.error()));
  if (!faults.empty()) return faults.error();
  if (const core::Status used = check_flock_fields(tree, world.value()); !used) return placed(used.error());
  return world;
}

core::Result<WorldDef> load_scenario_text(const std::string& text, const std::string& virtual_name, const Paths& paths,
                                          const std::vector<std::string>& overrides) {
  return load_scenario_text(text, virtual_name, paths, overrides, Files(folder_of(virtual_name), paths.assets, nullptr));
}

core::Result<WorldDef> load_scenario(const std::string& path, const Paths& paths, const std::vector<std::string>& overrides, Bundle& bundle) {
  return load_scenario(path, paths, overrides, bundle, Files(folder_of(path), paths.assets, &bundle));
}

core::Result<WorldDef> load_scenario(const std::string& path, const Paths& paths, const std::vector<std::string>& overrides, Bundle& bundle,
                                     const Files& files) {
  bundle = {std::string(kBundleScenario) + "/" + std::filesystem::path(path).filename().string(), {}, overrides};
  const core::Result<std::string> text = files.read(path);
  if (!text) return text.error();
  return load_scenario_text(text.value(), path, paths, overrides, files);
}

core::Result<WorldDef> load_bundle(const Bundle& bundle, std::int64_t max_vehicles, const MayRun& may_run) {
  const Files files(bundle, may_run);
  const core::Result<std::string> text = files.read(bundle.main);
  if (!text) return text.error();
  return load_scenario_text(text.value(), bundle.main, Paths{kBundleAssets, max_vehicles}, bundle.overrides, files);
}

core::Result<WorldDef> load_scenario(const std::string& path, const Paths& paths, const std::vector<std::string>& overrides) {
  const core::Result<std::string> text = read_file(path);
  if (!text) return text.error();
  return load_scenario_text(text.value(), path, paths, overrides);
}

}  // namespace volary::scenario
