// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "vehicles/components.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/suggest.hpp"
#include "math/functions.hpp"

namespace volary::engine {

namespace {

constexpr const char* kParts[] = {"rotor",        "surface",      "steering", "drive",          "imu.gyro", "imu.accelerometer",
                                  "gnss",         "barometer",    "magnetometer", "airspeed",   "range_finder", "optical_flow",
                                  "uwb",          "motion_capture", "odometry", "link",         "estimator"};
static_assert(std::size(kParts) == static_cast<std::size_t>(Unit::Estimator) + 1);

constexpr std::uint32_t kMostAlike = 8;  // rotors or surfaces of a vehicle
bool has_index(Unit p) { return p == Unit::Rotor || p == Unit::Surface; }

}  // namespace

double uniform_of(std::uint32_t word) { return (static_cast<double>(word) + 0.5) * 0x1p-32; }
math::Words4<std::uint32_t> draw_for(const math::RandomKey<std::uint32_t>& key, std::uint64_t draws, math::Purpose purpose, std::uint64_t tick, std::uint32_t n) {
  return math::random_words<std::uint32_t>(key, static_cast<std::uint32_t>(draws), static_cast<std::uint32_t>(draws >> 32), purpose, tick, n);
}

Component component_of_code(std::uint32_t code) { return {static_cast<Unit>(code >> 8), code & 0xffu}; }

std::string name_of(Component c) {
  const char* name = kParts[static_cast<std::size_t>(c.part)];
  return has_index(c.part) ? fmt::format("{}[{}]", name, c.index) : name;
}

std::span<const char* const> component_names() { return kParts; }

std::vector<Component> every_component() {
  std::vector<Component> all;
  for (std::size_t k = 0; k < std::size(kParts); ++k)
    for (std::uint32_t i = 0; i < (has_index(static_cast<Unit>(k)) ? kMostAlike : 1); ++i) all.push_back({static_cast<Unit>(k), i});
  return all;
}

const char* unit_of(Component c) {
  switch (c.part) {
    case Unit::Rotor:
    case Unit::Surface:
    case Unit::Steering:
    case Unit::Drive: return "1";
    case Unit::Gyro:
    case Unit::OpticalFlow: return "rad/s";
    case Unit::Accelerometer: return "m/s2";
    case Unit::Barometer:
    case Unit::Airspeed: return "Pa";
    case Unit::Magnetometer: return "T";
    case Unit::Odometry: return "m/s";
    case Unit::Link: return "dB";
    case Unit::Gnss:
    case Unit::RangeFinder:
    case Unit::Uwb:
    case Unit::MotionCapture:
    case Unit::Estimator: return "m";
  }
  return "1";
}

std::vector<FaultKind> kinds_of(Component c) {
  std::vector<FaultKind> all;
  for (std::size_t k = 1; k < names(FaultKind{}).size(); ++k)
    if (const auto kind = static_cast<FaultKind>(k); c.part != Unit::Link || kind != FaultKind::Stuck) all.push_back(kind);  // a link that is stuck is off
  return all;
}

core::Result<Component> parse_component(const std::string& text) {
  const std::size_t bracket = text.find('[');
  const std::string name = text.substr(0, bracket);
  const auto at = std::find(std::begin(kParts), std::end(kParts), name);
  if (at == std::end(kParts)) {
    std::vector<std::string> known(std::begin(kParts), std::end(kParts));
    return core::Error{.message = "there is no component '" + text.substr(0, 60) + "'", .field = "component", .suggestion = core::did_you_mean(name, known)};
  }
  Component c{static_cast<Unit>(at - std::begin(kParts)), 0};
  const bool has_number = bracket != std::string::npos;
  if (has_index(c.part) != has_number)
    return core::Error{.message = has_number ? "'" + name + "' has no number" : "'" + name + "' needs a number", .field = "component",
                       .suggestion = has_number ? "write " + name : "such as " + name + "[0]"};
  if (!has_number) return c;
  const std::string number = text.substr(bracket + 1);
  if (number.size() != 2 || number[0] < '0' || number[0] > '7' || number[1] != ']')
    return core::Error{.message = "'" + text.substr(0, 60) + "' needs a number from 0 to 7 in brackets", .field = "component", .suggestion = "such as " + name + "[0]"};
  c.index = static_cast<std::uint32_t>(number[0] - '0');
  return c;
}

core::Status check_fault(const SetFault& p, double tick_seconds) {
  const auto c = parse_component(p.component);
  if (!c) return c.error();
  const auto wrong = [](const char* field, std::string message) { return core::Status(core::Error{.message = std::move(message), .field = field}); };
  if (p.kind == FaultKind::Delay && !(p.amount[0] >= tick_seconds)) return wrong("amount", "a delay is at least one tick");
  if (p.kind == FaultKind::Delay && c.value().is_actuator() && p.amount[0] > 16 * tick_seconds)
    return wrong("amount", fmt::format("an actuator is at most 16 ticks late, {:g} s", 16 * tick_seconds));
  const Unit part = c.value().part;
  if (p.kind == FaultKind::Delay && (part == Unit::Gyro || part == Unit::Accelerometer))
    return wrong("kind", "an IMU is read in the tick that it measures and cannot be late; stuck and drop_out are what comes near");
  if (part == Unit::Estimator && (p.kind == FaultKind::Delay || p.kind == FaultKind::Scale))
    return wrong("kind", "an estimator is neither late nor scaled: off, stuck, bias, drift, noise, drop_out or intermittent");
  if (p.kind == FaultKind::DropOut && !(p.probability > 0)) return wrong("probability", "is missing: how often something is lost");
  if (p.kind == FaultKind::Intermittent && !(p.mean_on > 0 && p.mean_off > 0)) return wrong("mean_on", "an intermittent fault needs mean_on and mean_off");
  if ((p.mean_on > 0) != (p.mean_off > 0)) return wrong("mean_on", "mean_on and mean_off go together");
  return core::ok();
}

double longest_delay(const FaultsDef& def) {
  double most = def.sensor_delay;
  const auto add = [&](const SetFault& p) {
    if (const auto c = parse_component(p.component); p.kind == FaultKind::Delay && c && c.value().is_sensor()) most = std::max(most, p.amount[0]);
  };
  for (const FaultDef& f : def.planned) add(f.fault);
  for (const std::string& component : def.random.components)
    if (std::find(def.random.kinds.begin(), def.random.kinds.end(), FaultKind::Delay) != def.random.kinds.end())
      add(fault_of_severity(component, FaultKind::Delay, def.random.severity[1]));
  return most;
}

// ---------------------------------------------------------------- random schedules

namespace {
// those that a component can have
std::vector<FaultKind> kinds_of(const std::string& component, const std::vector<FaultKind>& kinds) {
  std::vector<FaultKind> own;
  for (const FaultKind k : kinds)
    if (check_fault(fault_of_severity(component, k, 1), 0)) own.push_back(k);
  return own;
}
}  // namespace

std::vector<DrawnFault> draw_schedule(const RandomFaultsDef& def, std::span<const std::string> components, double duration,
                                      const math::RandomKey<std::uint32_t>& key, std::uint64_t draws) {
  std::vector<DrawnFault> list;
  if (components.empty() || def.kinds.empty()) return list;
  const double until = def.until > 0 ? def.until : duration;
  constexpr std::uint64_t kMost = 64;
  // a Poisson number: as many as exponential steps fit below the mean
  double sum = 0;
  for (std::uint64_t k = 0; k < kMost; ++k) {
    const auto first = draw_for(key, draws, math::Purpose::Campaign, k, 0), second = draw_for(key, draws, math::Purpose::Campaign, k, 1);
    sum += -math::log(uniform_of(first.w[0]));
    if (sum > def.per_vehicle) break;
    const auto pick = [](std::uint32_t word, std::size_t n) { return std::min(n - 1, static_cast<std::size_t>(uniform_of(word) * static_cast<double>(n))); };
    const std::string& component = components[pick(first.w[1], components.size())];
    const std::vector<FaultKind> kinds = kinds_of(component, def.kinds);
    if (kinds.empty()) continue;
    const FaultKind kind = kinds[pick(first.w[2], kinds.size())];
    DrawnFault x;
    x.severity = def.severity[0] + (def.severity[1] - def.severity[0]) * uniform_of(first.w[3]);
    x.time = def.from + (until - def.from) * uniform_of(second.w[0]);
    x.fault = fault_of_severity(component, kind, x.severity);
    if (def.duration > 0) x.fault.duration = -def.duration * math::log(uniform_of(second.w[1]));
    list.push_back(std::move(x));
  }
  std::stable_sort(list.begin(), list.end(), [](const DrawnFault& a, const DrawnFault& b) { return a.time < b.time; });
  return list;
}

namespace {
// the bias of a severity of 1, in the unit of the component: as bad as one that is still found in a log
double worst_of(Unit p) {
  switch (p) {
    case Unit::Rotor:
    case Unit::Surface:
    case Unit::Steering:
    case Unit::Drive: return 0.5;           // of its greatest speed or angle
    case Unit::Gyro: return 0.5;            // rad/s
    case Unit::Accelerometer: return 5;     // m/s2
    case Unit::Gnss: return 20;             // m
    case Unit::Barometer: return 120;       // Pa, 10 m
    case Unit::Magnetometer: return 2e-5;   // T
    case Unit::Airspeed: return 100;        // Pa
    case Unit::RangeFinder: return 2;       // m
    case Unit::OpticalFlow: return 1;       // rad/s
    case Unit::Uwb: return 3;               // m
    case Unit::MotionCapture: return 0.5;   // m
    case Unit::Odometry: return 1;          // m/s
    case Unit::Link: return 40;             // dB
    case Unit::Estimator: return 10;        // m
  }
  return 1;
}
}  // namespace

SetFault fault_of_severity(const std::string& component, FaultKind kind, double severity) {
  SetFault p;
  p.component = component;
  p.kind = kind;
  const auto c = parse_component(component);
  const double worst = c ? worst_of(c.value().part) : 1;
  // a motor that turns too slowly, and a transmitter that is too weak
  const double sign = c && (c.value().part == Unit::Rotor || c.value().part == Unit::Link) ? -1 : 1;
  switch (kind) {
    case FaultKind::Bias: p.amount = {sign * worst * severity, sign * worst * severity, sign * worst * severity}; break;
    case FaultKind::Drift: p.amount = {sign * worst * severity / 10, sign * worst * severity / 10, sign * worst * severity / 10}; break;  // there after 10 s
    case FaultKind::Scale: p.amount = {1 - severity, 0, 0}; break;
    case FaultKind::Noise: p.amount = {worst * severity / 2, worst * severity / 2, worst * severity / 2}; break;
    case FaultKind::Delay: p.amount = {std::max(0.01, (c && c.value().is_actuator() ? 0.1 : 1.0) * severity), 0, 0}; break;
    case FaultKind::DropOut: p.probability = severity; break;
    case FaultKind::Intermittent: p.mean_on = severity, p.mean_off = 1; break;
    default: break;
  }
  return p;
}

}  // namespace volary::engine
