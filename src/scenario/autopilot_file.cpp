// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/autopilot_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>

#include "core/faults.hpp"
#include "scenario/bundle_file.hpp"
#include "scenario/field_error.hpp"
#include "vehicles/aircraft_def.hpp"
#include "vehicles/multirotor_def.hpp"

namespace volary::scenario {

namespace {

constexpr std::size_t kLongestName = 16;        // in MAVLink
constexpr std::size_t kMostParameters = 5000;
// the longest tick with which an autopilot still gets its sensors often enough
constexpr double kLongestTickPx4 = 0.004, kLongestTickArdupilot = 0.002;  // s

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  line = line.substr(0, line.find('#'));
  constexpr const char* kBetween = " \t\r,";
  for (std::size_t at = line.find_first_not_of(kBetween); at != std::string_view::npos; at = line.find_first_not_of(kBetween, at)) {
    const std::size_t end = std::min(line.find_first_of(kBetween, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

bool is_name(std::string_view word) {
  const auto fits = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; };
  return !word.empty() && word.size() <= kLongestName && word[0] >= 'A' && word[0] <= 'Z' && std::all_of(word.begin(), word.end(), fits);
}

bool read_number(std::string_view word, double& value) {
  const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), value);
  return fault == std::errc() && end == word.data() + word.size() && std::isfinite(value);
}

core::Status check_tick(const ScenarioFile& file, const AutopilotFile& autopilot) {
  const bool is_px4 = autopilot.kind == AutopilotKind::Px4;
  const double longest = is_px4 ? kLongestTickPx4 : kLongestTickArdupilot;
  if (file.tick <= longest * (1 + 1e-9)) return core::ok();
  return error_at("tick", fmt::format("{} s is too long for {}: at most {} s", file.tick, is_px4 ? "PX4" : "ArduPilot", longest),
                  fmt::format("tick: {}, with substeps: 1", longest));
}

// what only one of the two may do
core::Status check_flock(const ScenarioFile& file, const FlockFile& flock, const Airframe& airframe, const std::string& field) {
  core::Faults faults;
  if (flock.mirror) return error_at(field + "autopilot", "a mirror has no rotors that an autopilot could command", "leave one of the two out");
  if (airframe.model != "multirotor" && airframe.model != "aircraft")
    faults.add(error_at(field + "autopilot", fmt::format("'{}' is neither a multirotor nor an aircraft: autopilots fly only these", airframe.name),
                        "leave it out"));
  if (flock.start != Start::Disarmed) faults.add(error_at(field + "start", "an autopilot arms its vehicle itself", "start: disarmed"));
  if (file.worlds != 1) faults.add(error_at("worlds", fmt::format("{} worlds with autopilots: autopilots fly in one world only", file.worlds), "worlds: 1"));
  return faults.status();
}

core::Result<std::vector<int>> read_motors(const AutopilotFile& file, const Airframe& airframe, const std::string& field) {
  const std::size_t rotors = static_cast<const airframe::MultirotorDef*>(airframe.definition.get())->rotors.size();
  std::vector<int> order;
  for (std::size_t k = 0; k < file.motors.size(); ++k) {
    const double m = file.motors[k];
    const std::string here = fmt::format("{}[{}]", field, k);
    if (m != std::floor(m) || m < 0 || m >= static_cast<double>(rotors))
      return error_at(here, fmt::format("{} is not a rotor of '{}', which has rotors 0 to {}", m, airframe.name, rotors - 1));
    if (std::find(order.begin(), order.end(), static_cast<int>(m)) != order.end()) return error_at(here, fmt::format("rotor {} is there twice", m));
    order.push_back(static_cast<int>(m));
  }
  if (!order.empty() && order.size() != rotors)
    return error_at(field, fmt::format("has {} entries, and '{}' has {} rotors", order.size(), airframe.name, rotors), "name every rotor once");
  return order;
}

// ---------------------------------------------------------------- outputs of an aircraft

std::size_t n_rotors(const Airframe& aircraft) { return static_cast<const airframe::AircraftDef*>(aircraft.definition.get())->rotors.size(); }

// Each output drives one thing.
class OutputsInUse {
 public:
  core::Status take(double output, const std::string& field) {
    if (output != std::floor(output) || std::abs(output) < 1 || std::abs(output) > kMostOutputs)
      return error_at(field, fmt::format("{} is not an output: an autopilot has outputs 1 to {}", output, kMostOutputs));
    const int number = static_cast<int>(std::abs(output));
    if (const auto it = taken_.find(number); it != taken_.end())
      return error_at(field, fmt::format("output {} drives {} already", number, it->second), "one output for each rotor and surface");
    taken_[number] = field.substr(field.rfind("outputs.") + 8);
    return core::ok();
  }

 private:
  static constexpr int kMostOutputs = 16;
  std::map<int, std::string> taken_;
};

core::Result<AircraftOutputs> read_outputs(const AutopilotFile& file, const Airframe& aircraft, const std::string& field) {
  const std::size_t rotors = n_rotors(aircraft);
  AircraftOutputs out = default_outputs(file.kind, rotors);
  OutputsInUse used;
  core::Faults faults;
  if (file.outputs && !file.outputs->rotors.empty()) {
    const std::vector<double>& given = file.outputs->rotors;
    if (given.size() != rotors)
      return error_at(field + ".rotors",
                      fmt::format("has {} entries, and '{}' has {} {}", given.size(), aircraft.name, rotors, rotors == 1 ? "rotor" : "rotors"),
                      "name one output for each rotor");
    for (std::size_t k = 0; k < rotors; ++k) {
      const std::string here = fmt::format("{}.rotors[{}]", field, k);
      if (given[k] < 0) faults.add(error_at(here, "a rotor turns one way only", "without the minus"));
      out.rotors[k] = static_cast<int>(given[k]);
      faults.add(used.take(given[k], here));
    }
  } else {
    for (std::size_t k = 0; k < rotors; ++k) faults.add(used.take(out.rotors[k], fmt::format("{}.rotors[{}]", field, k)));
  }
  const auto surface = [&](const char* name, const std::optional<int>& given, int& to) {
    if (given) to = *given;
    if (to != 0) faults.add(used.take(to, field + "." + name));
  };
  const OutputsFile surfaces = file.outputs.value_or(OutputsFile{});
  surface("aileron", surfaces.aileron, out.aileron);
  surface("elevator", surfaces.elevator, out.elevator);
  surface("rudder", surfaces.rudder, out.rudder);
  if (!faults.empty()) return faults.error();
  return out;
}

constexpr int kQuadrotor = 10016, kPlane = 1030, kStandardVtol = 1040;  // of PX4

// which output drives what
core::Status read_actuators(const AutopilotFile& file, const Airframe& airframe, const std::string& field, AutopilotDef& def) {
  const bool is_aircraft = airframe.model == "aircraft";
  def.autostart = file.autostart.value_or(!is_aircraft ? kQuadrotor : n_rotors(airframe) > 1 ? kStandardVtol : kPlane);
  if (is_aircraft) {
    if (!file.motors.empty())
      return error_at(field + "motors", fmt::format("'{}' is an aircraft, and this is the order of a multirotor", airframe.name), "outputs.rotors");
    auto outputs = read_outputs(file, airframe, field + "outputs");
    if (!outputs) return outputs.error();
    def.outputs = std::move(outputs).value();
    return core::ok();
  }
  if (file.outputs) return error_at(field + "outputs", fmt::format("'{}' is a multirotor, and these are the outputs of an aircraft", airframe.name), "motors");
  auto motors = read_motors(file, airframe, field + "motors");
  if (!motors) return motors.error();
  def.motors = std::move(motors).value();
  return core::ok();
}

}  // namespace

// PX4: its airframes 1030 (plane) and 1040 (standard VTOL), of whose two ailerons the right one is taken: positive rolls right. ArduPilot: SERVO1 to SERVO8 of
// its plane.
AircraftOutputs default_outputs(AutopilotKind kind, std::size_t rotors) {
  const bool hovers = rotors > 1;
  if (kind == AutopilotKind::Px4) return hovers ? AircraftOutputs{{1, 2, 3, 4, 5}, 7, 8, 0} : AircraftOutputs{{5}, 7, 8, 3};
  return hovers ? AircraftOutputs{{5, 6, 7, 8, 3}, 1, 2, 4} : AircraftOutputs{{3}, 1, 2, 4};
}

core::Result<std::vector<AutopilotParameter>> read_autopilot_parameters(std::string_view text) {
  std::vector<AutopilotParameter> list;
  for (int line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::vector<std::string_view> words = words_of(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (words.empty()) continue;
    const std::size_t first = words.size() == 5 ? 2 : 0;
    AutopilotParameter p;
    if ((words.size() != 2 && words.size() != 5) || !is_name(words[first]) || !read_number(words[first + 1], p.value))
      return core::Error{.message = fmt::format("line {} is not a parameter and its value", line), .suggestion = "such as MPC_XY_VEL_MAX 8"};
    p.name = words[first];
    list.push_back(std::move(p));
    if (list.size() > kMostParameters) return core::Error{.message = fmt::format("more than {} parameters", kMostParameters)};
  }
  return list;
}

core::Result<AutopilotDef> make_autopilot(const ScenarioFile& file, std::size_t index, const Airframe& airframe, const Places& places,
                                          const std::string& field) {
  const FlockFile& flock = file.flocks[index];
  const AutopilotFile& autopilot = *flock.autopilot;
  core::Faults faults;
  faults.add(check_tick(file, autopilot));
  const core::Status fits = check_flock(file, flock, airframe, field);
  faults.add(fits);
  AutopilotDef def;
  def.kind = autopilot.kind;
  if (fits) faults.add(read_actuators(autopilot, airframe, field + "autopilot.", def));
  if (!autopilot.parameters.empty()) {
    const std::string here = field + "autopilot.parameters";
    const core::Result<Places::Found> found = places.read(autopilot.parameters, here);
    faults.add(found);
    auto list = found ? read_autopilot_parameters(found.value().bytes) : core::Result<std::vector<AutopilotParameter>>(std::vector<AutopilotParameter>());
    if (!list) faults.add(error_in_file(here, autopilot.parameters + ": " + list.error().message, list.error().suggestion));
    if (list) def.parameters = std::move(list).value();
  }
  if (!faults.empty()) return faults.error();
  return def;
}

core::Result<std::vector<FlockAutopilot>> load_autopilots(const Bundle& bundle, const WorldDef& world) {
  const Files files(bundle, nullptr);
  const core::Result<ScenarioFile> read = read_scenario_file(bundle);
  if (!read) return read.error();
  const ScenarioFile& file = read.value();
  const std::string folder = std::filesystem::path(bundle.main).parent_path().string(), assets = kBundleAssets;
  std::vector<FlockAutopilot> list;
  const FlockDef* of_ardupilot = nullptr;
  for (std::size_t i = 0; i < file.flocks.size() && i < world.flocks.size(); ++i) {
    if (!file.flocks[i].autopilot) continue;
    auto made = make_autopilot(file, i, world.flocks[i].airframe, Places{folder, assets, "autopilots", files}, fmt::format("flocks[{}].", i));
    if (!made) return made.error();
    if (made.value().kind == AutopilotKind::Ardupilot) {
      if (of_ardupilot != nullptr && of_ardupilot->airframe.model != world.flocks[i].airframe.model)
        return core::Error{.message = fmt::format("flocks '{}' and '{}' need two programs of ArduPilot, one for multirotors and one for planes; a run has one",
                                                  of_ardupilot->name, file.flocks[i].name),
                           .suggestion = "fly one of the two with PX4, or in a run of its own"};
      of_ardupilot = &world.flocks[i];
    }
    list.push_back({file.flocks[i].name, std::move(made).value()});
  }
  return list;
}

}  // namespace volary::scenario
