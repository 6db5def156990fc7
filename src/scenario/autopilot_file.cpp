// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/autopilot_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "core/faults.hpp"
#include "scenario/field_error.hpp"
#include "scenario/tree.hpp"
#include "scenario/yaml_reader.hpp"
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
  if (airframe.model != "multirotor")
    faults.add(error_at(field + "autopilot", fmt::format("'{}' is not a multirotor: autopilots fly multirotors only", airframe.name), "leave it out"));
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

}  // namespace

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
  def.autostart = autopilot.autostart;
  if (fits) {
    core::Result<std::vector<int>> motors = read_motors(autopilot, airframe, field + "autopilot.motors");
    faults.add(motors);
    if (motors) def.motors = std::move(motors).value();
  }
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
  const core::Result<std::string> text = files.read(bundle.main);
  if (!text) return text.error();
  core::Result<Tree> tree = load_tree(text.value(), bundle.main, files);
  if (!tree) return tree.error();
  for (const std::string& assignment : bundle.overrides)
    if (const core::Status done = apply_override(tree.value(), assignment); !done) return done.error();
  ScenarioFile file;
  YamlReader reader(tree.value());
  if (const core::Status done = reader.read(file); !done) return done.error();
  const std::string folder = std::filesystem::path(bundle.main).parent_path().string(), assets = kBundleAssets;
  std::vector<FlockAutopilot> list;
  for (std::size_t i = 0; i < file.flocks.size() && i < world.flocks.size(); ++i) {
    if (!file.flocks[i].autopilot) continue;
    auto made = make_autopilot(file, i, world.flocks[i].airframe, Places{folder, assets, "autopilots", files}, fmt::format("flocks[{}].", i));
    if (!made) return made.error();
    list.push_back({file.flocks[i].name, std::move(made).value()});
  }
  return list;
}

}  // namespace volary::scenario
