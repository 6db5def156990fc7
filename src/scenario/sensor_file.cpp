// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/sensor_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/faults.hpp"
#include "core/suggest.hpp"
#include "math/vec.hpp"
#include "scenario/field_error.hpp"
#include "scenario/tree.hpp"
#include "swarm/script/sensor_plugin.hpp"

namespace volary {

std::span<const char* const> names(EstimatorKind) {
  static constexpr const char* list[] = {"none", "ekf", "plugin", "outside"};
  return list;
}
std::span<const char* const> names(FailsafeAction) {
  static constexpr const char* list[] = {"none", "hold", "return", "land", "stop"};
  return list;
}

}  // namespace volary

namespace volary::scenario {

namespace {

// ---------------------------------------------------------------- presets

constexpr const char* kIdeal = "ideal";  // the defaults: no errors

std::string folder_of(std::string_view sensor, const std::string& assets) {
  return assets + "/sensors/" + (sensor.starts_with("uwb") ? "uwb" : std::string(sensor));
}

core::Error fault_at(const Tree& tree, const Node& node, std::string field, std::string message, std::string suggestion = "") {
  core::Error error = error_at(std::move(field), std::move(message), std::move(suggestion));
  error.file = tree.files[static_cast<std::size_t>(node.where.file)], error.line = node.where.line, error.column = node.where.column;
  return error;
}

core::Status expand_sensor(Tree& tree, Node& sensor, const std::string& name, const std::string& field, const std::string& assets, const Files& files) {
  const Node* preset = sensor.kind == Node::Kind::Map ? sensor.find("preset") : nullptr;
  if (preset == nullptr || preset->kind != Node::Kind::Scalar || preset->text == kIdeal) return core::ok();
  const std::string folder = folder_of(name, assets), path = folder + "/" + preset->text + ".yaml";
  std::vector<std::string> known = files.stems_in(folder);
  if (std::find(known.begin(), known.end(), preset->text) == known.end()) {
    known.emplace_back(kIdeal);
    return fault_at(tree, *preset, field + ".preset", fmt::format("no preset of {} is called '{}'", name, preset->text.substr(0, 60)),
                    core::did_you_mean(preset->text, known));
  }
  const core::Result<std::string> text = files.read(path);
  if (!text) return fault_at(tree, *preset, field + ".preset", path + ": " + text.error().message);
  core::Result<Node> root = parse_yaml(text.value(), static_cast<int>(tree.files.size()), path);
  if (!root) return root.error();
  tree.files.push_back(path);
  Node base = std::move(root).value();
  if (base.kind != Node::Kind::Map) return fault_at(tree, base, "", "expected a map of fields, found " + describe_node(base));
  merge(base, std::move(sensor));
  base.where = base.find("preset")->where;
  sensor = std::move(base);
  return core::ok();
}

// ---------------------------------------------------------------- times

// a rate is given by what people can choose: the two nearest that fit
core::Status check_rate(double rate, double tick, const std::string& field) {
  if (rate == 0) return core::ok();
  const double ticks = 1 / (rate * tick), whole = math::round(ticks);
  if (ticks < 1 - 1e-6)
    return error_at(field, fmt::format("{:.9g} Hz is more than one reading per tick of {:.9g} s", rate, tick), fmt::format("at most {:.6g}", 1 / tick));
  if (math::abs(ticks - whole) <= 1e-6 * ticks) return core::ok();
  return error_at(field, fmt::format("{:.9g} Hz is not a whole number of ticks of {:.9g} s", rate, tick),
                  fmt::format("{:.6g} or {:.6g} is", 1 / ((math::floor(ticks) + 1) * tick), 1 / (math::floor(ticks) * tick)));
}
core::Status check_ticks(double seconds, double tick, const std::string& field) {
  const double ticks = seconds / tick, whole = math::round(ticks);
  if (math::abs(ticks - whole) <= 1e-6 * std::max(1.0, ticks)) return core::ok();
  return error_at(field, fmt::format("{:.9g} s is not a whole number of ticks of {:.9g} s", seconds, tick),
                  fmt::format("{:.9g} or {:.9g} is", math::floor(ticks) * tick, (math::floor(ticks) + 1) * tick));
}

// ---------------------------------------------------------------- what fits together

bool flies_or_drives(const std::string& model) { return model == "multirotor" || model == "aircraft" || model == "car" || model == "platform"; }

class Checker {
 public:
  Checker(const SensorSetting& setting, std::string field) : setting_(setting), field_(std::move(field)) {}
  core::Status status() const { return faults_.status(); }
  void fail(const std::string& name, std::string message, std::string suggestion = "") {
    faults_.add(error_at(field_ + name, std::move(message), std::move(suggestion)));
  }

  template <class D> void check_time(const char* sensor, const std::optional<D>& d) {
    if (!d) return;
    const std::string here = fmt::format("{}sensors.{}.time.", field_, sensor);
    faults_.add(check_rate(d->time.rate, setting_.tick, here + "rate"));
    faults_.add(check_ticks(d->time.phase, setting_.tick, here + "phase"));
    faults_.add(check_ticks(d->time.latency, setting_.tick, here + "latency"));
  }
  void check_latency(const char* sensor, double latency) {
    faults_.add(check_ticks(latency, setting_.tick, fmt::format("{}sensors.{}.latency", field_, sensor)));
  }

  // a sensor that looks along body axes, or feels turns, needs a body that turns
  template <class D> void needs_body(const char* sensor, const std::optional<D>& d) {
    if (!d || setting_.mirror || flies_or_drives(setting_.model)) return;
    fail(fmt::format("sensors.{}", sensor),
         fmt::format("'{}' is a {}, which has no attitude that this sensor could turn with", setting_.airframe, setting_.model),
         "leave it out; it can carry gnss, barometer, uwb_anchors and uwb_peers");
  }
  template <class D> void needs_order(const std::string& sensor, const D& d) {
    if (d && d->min >= d->max) fail("sensors." + sensor + ".max", fmt::format("{:.9g} m is not above min, {:.9g} m", d->max, d->min));
  }

 private:
  const SensorSetting& setting_;
  std::string field_;
  core::Faults faults_;
};

void check_imu(const SensorsDef& s, const SensorSetting& setting, Checker& c) {
  if (!s.imu) return;
  c.needs_body("imu", s.imu);
  c.check_latency("imu", s.imu->latency);
  if (!setting.full_physics) c.fail("sensors.imu", "a flock with full_physics: false has no IMU", "full_physics: true");
}

void check_gnss(const SensorsDef& s, Checker& c) {
  if (!s.gnss) return;
  for (std::size_t i = 0; i < s.gnss->outages.size(); ++i) {
    const auto& [from, until] = s.gnss->outages[i];
    if (from >= until || from < 0)
      c.fail(fmt::format("sensors.gnss.outages[{}]", i), fmt::format("an outage from {:.9g} s until {:.9g} s is none", from, until), "[from, until]");
  }
}

void check_shapes(const SensorsDef& s, Checker& c) {
  c.needs_order("range_finder", s.range_finder);
  c.needs_order("optical_flow", s.optical_flow);
  if (s.range_finder && s.range_finder->direction_B == Vec{0, 0, 0}) c.fail("sensors.range_finder.direction", "has no length", "such as [0, 0, -1]");
  if (!s.motion_capture) return;
  for (std::size_t k = 0; k < 3; ++k)
    if (s.motion_capture->min_W[k] >= s.motion_capture->max_W[k])
      c.fail(fmt::format("sensors.motion_capture.max[{}]", k),
             fmt::format("{:.9g} m is not above min, {:.9g} m", s.motion_capture->max_W[k], s.motion_capture->min_W[k]));
}

void check_uwb(const SensorsDef& s, const SensorSetting& setting, Checker& c) {
  constexpr double kLongestHorizon = 0.5;  // s: an estimate that waits longer for its partners is of no use to a controller
  if (s.uwb_anchors && setting.anchors.empty())
    c.fail("sensors.uwb_anchors", "the environment has no anchors", "environment: {anchors: [{position: [0, 0, 2]}]}");
  if (s.uwb_peers && setting.horizon > kLongestHorizon)
    c.fail("sensors.uwb_peers", fmt::format("coupling.horizon is {:.9g} s: ranges between vehicles need at most {} s", setting.horizon, kLongestHorizon));
}

bool is_word(std::string_view name) {
  return !name.empty() && name.size() <= 32 &&
         std::all_of(name.begin(), name.end(), [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; });
}
void check_own(const SensorsDef& s, Checker& c) {
  for (std::size_t i = 0; i < s.own.size(); ++i) {
    const std::string field = fmt::format("sensors.own[{}].name", i);
    if (!is_word(s.own[i].name))
      c.fail(field, fmt::format("'{}' is not a name of 1 to 32 lower-case letters, digits and _", s.own[i].name.substr(0, 60)), "such as soil_moisture");
    for (std::size_t k = 0; k < i; ++k)
      if (s.own[k].name == s.own[i].name)
        c.fail(field, fmt::format("'{}' is the name of sensors.own[{}] too", s.own[i].name, k), "every own sensor needs a name of its own");
  }
}

void check_estimator(const SensorsDef& s, const EstimatorDef& estimator, Checker& c) {
  const bool asks = estimator.kind == EstimatorKind::Plugin;
  if (asks && !estimator.plugin) c.fail("estimator.plugin", "an estimator of the kind plugin needs one", "plugin: {file: mine.so}");
  if (!asks && estimator.plugin) c.fail("estimator.plugin", "an estimator of another kind has no plugin", "kind: plugin");
  if (s.imu) return;
  if (asks) c.fail("estimator.kind", "plugin needs an IMU, which carries the estimate on", "sensors: {imu: {preset: icm42688p}}");
  if (estimator.kind == EstimatorKind::Ekf) c.fail("estimator.kind", "ekf needs an IMU to predict with", "sensors: {imu: {preset: icm42688p}}");
  if (estimator.kind == EstimatorKind::Outside)
    c.fail("estimator.kind", "outside needs an IMU, which carries the estimate on between two inputs", "sensors: {imu: {preset: icm42688p}}");
}

}  // namespace

// ---------------------------------------------------------------- autopilots

namespace {

// What a vehicle carries that an autopilot flies and whose flock names no sensors. PX4 wants all of its sensors from a simulator; ArduPilot makes all but these itself,
// and adds the noise.
constexpr const char* kSensorsOfPx4 =
    "{imu: {preset: px4_sitl}, gnss: {preset: px4_sitl}, barometer: {preset: px4_sitl}, magnetometer: {preset: px4_sitl}, airspeed: {preset: px4_sitl}}";
constexpr const char* kSensorsOfArdupilot = "{imu: {preset: ideal}, airspeed: {preset: ideal}}";

void stand_at(Node& node, const Where& where) {
  node.where = where;
  for (Key& key : node.keys) key.where = where;
  for (Node& item : node.items) stand_at(item, where);
}

void add_sensors_for_autopilot(Node& flock) {
  if (flock.kind != Node::Kind::Map || flock.find("sensors") != nullptr) return;
  const Node* autopilot = flock.find("autopilot");
  if (autopilot == nullptr || autopilot->kind != Node::Kind::Map) return;
  const Node* kind = autopilot->find("kind");
  core::Result<Node> sensors = parse_yaml(kind != nullptr && kind->text == "ardupilot" ? kSensorsOfArdupilot : kSensorsOfPx4, autopilot->where.file, "");
  stand_at(sensors.value(), autopilot->where);
  flock.keys.push_back({"sensors", autopilot->where});
  flock.items.push_back(std::move(sensors).value());
}

}  // namespace

core::Status expand_presets(Tree& tree, const std::string& assets, const Files& files) {
  core::Faults faults;
  Node* flocks = tree.root.find("flocks");
  for (std::size_t i = 0; flocks != nullptr && i < flocks->items.size(); ++i) {
    add_sensors_for_autopilot(flocks->items[i]);
    Node* sensors = flocks->items[i].find("sensors");
    for (std::size_t k = 0; sensors != nullptr && k < sensors->items.size() && k < sensors->keys.size(); ++k) {
      const std::string name = sensors->keys[k].name;
      faults.add(expand_sensor(tree, sensors->items[k], name, fmt::format("flocks[{}].sensors.{}", i, name), assets, files));
    }
  }
  return faults.status();
}

namespace {

core::Error at_field(const core::Error& error, const std::string& field) {
  return core::each_fault(error, [&](core::Error e) {
    const std::string suggestion = std::exchange(e.suggestion, ""), below = std::exchange(e.field, "");
    return error_in_file(below.empty() ? field : field + "." + below, e.text(), suggestion);
  });
}

// returns the numbers of a reading
core::Result<std::size_t> open_plugin(SensorPluginRef& ref, swarm::SensorPlugin::Kind kind, const Places& places, const std::string& field) {
  const core::Result<Places::Found> found = places.read(ref.file, field + ".file");
  if (!found) return found.error();
  if (const core::Status allowed = places.files.check_plugin(found.value().bytes, found.value().path); !allowed)
    return error_at(field + ".file", found.value().path + ": " + allowed.error().message, allowed.error().suggestion);
  core::Result<swarm::LibraryFile> library = swarm::LibraryFile::keep(found.value().bytes, found.value().path);
  if (!library) return at_field(library.error(), field + ".file");
  const auto plugin = swarm::SensorPlugin::open(kind, library.value());
  if (!plugin) return at_field(plugin.error(), field + ".file");
  core::Result<swarm::ScriptParams> params = swarm::merge_params(plugin.value()->defaults(), ref.params, found.value().path);
  if (!params) return at_field(params.error(), field + ".params");
  ref.library = std::make_shared<swarm::SensorPluginDef>(
      swarm::SensorPluginDef{std::filesystem::path(ref.file).stem().string(), std::move(library).value(), std::move(params).value()});
  return plugin.value()->size();
}

}  // namespace

core::Status open_sensor_plugins(SensorsDef& sensors, EstimatorDef& estimator, const Places& places, const std::string& field) {
  core::Faults faults;
  for (std::size_t i = 0; i < sensors.own.size(); ++i) {
    OwnSensorDef& own = sensors.own[i];
    if (!own.plugin) continue;
    const std::string here = fmt::format("{}sensors.own[{}]", field, i);
    const core::Result<std::size_t> size = open_plugin(*own.plugin, swarm::SensorPlugin::Kind::Sensor, places, here + ".plugin");
    faults.add(size);
    if (!size) continue;
    if (own.size != 1 && own.size != static_cast<int>(size.value()))
      faults.add(error_at(here + ".size", fmt::format("a reading of this plugin has {} numbers, and not {}", size.value(), own.size), "leave the size out"));
    own.size = static_cast<int>(size.value());
  }
  if (estimator.kind == EstimatorKind::Plugin && estimator.plugin)
    faults.add(open_plugin(*estimator.plugin, swarm::SensorPlugin::Kind::Estimator, places, field + "estimator.plugin"));
  return faults.status();
}

core::Status check_sensors(const SensorsDef& s, const EstimatorDef& estimator, const SensorSetting& setting, const std::string& field) {
  Checker c(setting, field);
  check_imu(s, setting, c);
  c.check_time("gnss", s.gnss), c.check_time("barometer", s.barometer), c.check_time("magnetometer", s.magnetometer), c.check_time("airspeed", s.airspeed);
  c.check_time("range_finder", s.range_finder), c.check_time("optical_flow", s.optical_flow), c.check_time("uwb_anchors", s.uwb_anchors);
  c.check_time("uwb_peers", s.uwb_peers), c.check_time("motion_capture", s.motion_capture), c.check_time("odometry", s.odometry);
  c.needs_body("magnetometer", s.magnetometer), c.needs_body("range_finder", s.range_finder), c.needs_body("optical_flow", s.optical_flow);
  c.needs_body("motion_capture", s.motion_capture), c.needs_body("odometry", s.odometry);
  if (s.airspeed && setting.model != "aircraft" && setting.model != "multirotor" && setting.model != "platform")
    c.fail("sensors.airspeed", fmt::format("'{}' is a {}, which feels no air", setting.airframe, setting.model),
           "leave it out; aircraft, multirotors and platforms carry a pitot tube");
  check_gnss(s, c);
  check_shapes(s, c);
  check_uwb(s, setting, c);
  check_own(s, c);
  check_estimator(s, estimator, c);
  return c.status();
}

std::vector<std::string> warnings_of_sensors(const SensorsDef& s, double step, const std::string& flock) {
  constexpr double kTurn = 6.283185307179586;
  std::vector<std::string> out;
  if (!s.imu || s.imu->vibration.reference_speed == 0) return out;
  const VibrationDef& v = s.imu->vibration;
  const double highest = 0.5 / step;
  const auto warn = [&](const std::string& what, double frequency) {
    if (frequency > highest)
      out.push_back(fmt::format(
          "flocks.{}.sensors.imu.vibration.{}: {:.0f} Hz is above half the rate of the integration steps, {:.0f} Hz, and appears at another frequency", flock,
          what, frequency, highest));
  };
  for (std::size_t k = 0; k < v.harmonics.size(); ++k) warn(fmt::format("harmonics[{}]", k), v.harmonics[k].order * v.reference_speed / kTurn);
  warn("resonance", v.resonance);
  return out;
}

core::Status check_anchors(std::span<const AnchorDef> anchors, const std::string& field) {
  constexpr double kApart = 0.01;  // m
  core::Faults faults;
  const auto called = [&](std::size_t i) { return anchors[i].name.empty() ? fmt::format("anchor {}", i) : "'" + anchors[i].name + "'"; };
  for (std::size_t i = 0; i < anchors.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) {
      const Vec &a = anchors[i].position_W, &b = anchors[k].position_W;
      if (math::norm(math::Vec3<double>{a[0] - b[0], a[1] - b[1], a[2] - b[2]}) < kApart)
        faults.add(
            error_at(fmt::format("{}[{}].position", field, i), fmt::format("{} is where {} is", called(i), called(k)), "place anchors at least 1 cm apart"));
    }
  return faults.status();
}

}  // namespace volary::scenario
