// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "replay/export_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/suggest.hpp"

namespace volary::replay {

namespace {

using Kind = ExportColumn::Kind;
const std::string kPlotPrefix = "plot.";

Number number_of(Dtype type) {
  switch (type) {
    case Dtype::Float32: return Number::F4;
    case Dtype::Float64: return Number::F8;
    case Dtype::Uint32: return Number::U4;
    case Dtype::Uint64: return Number::U8;
  }
  return Number::F8;
}

const char* frame_text(const std::string& frame) { return frame == "W" ? "ENU" : frame == "B" ? "FLU" : frame == "WB" ? "FLU to ENU" : ""; }

// a position is six numbers of the world frame, a value and its remainder; six rotors have no frame
bool has_remainder(const ColumnDoc& c) { return c.components == 6 && c.frame == "W"; }

std::vector<std::string> part_names(const ColumnDoc& c) {
  if (c.components == 1) return {};
  if (c.components == 4 && c.frame == "WB") return {"w", "x", "y", "z"};
  if (c.components == 3 && (c.frame == "W" || c.frame == "B")) return {"x", "y", "z"};
  std::vector<std::string> names;
  for (int k = 0; k < c.components; ++k) names.push_back(std::to_string(k));
  return names;
}

ExportColumn mode_column() { return {"mode", "-", "-", "flight mode", Kind::Mode, "", Number::U1, {}, 0}; }

bool is_wanted(const std::vector<std::string>& names, const std::string& name) { return std::find(names.begin(), names.end(), name) != names.end(); }

// what moves on the ground is as high as that, whatever its curve says: its error is another one
bool has_tracking_error(const World& world, const std::string& flock, const std::vector<std::string>& names) {
  for (const FlockDef& f : world.def().flocks)
    if (f.name == flock && (f.airframe.model == "car" || f.airframe.model == "walker")) return false;
  return is_wanted(names, "setpoint.position") && is_wanted(names, "setpoint.velocity") && is_wanted(names, "setpoint.acceleration");
}

// names in the order of the table; those of setpoints depend on what the flock is commanded by
std::vector<std::string> default_names(const std::vector<ExportColumn>& known) {
  const bool guided = std::any_of(known.begin(), known.end(), [](const ExportColumn& c) { return c.name == "setpoint.position"; });
  std::vector<std::string> names = {"position", "velocity", "attitude", "omega", "rotor_speed", "servo", "throttle", "steer"};
  const std::vector<std::string> commands = guided ? std::vector<std::string>{"setpoint.level", "setpoint.position", "setpoint.velocity", "setpoint.acceleration", "setpoint.yaw"}
                                                   : std::vector<std::string>{"setpoint.thrust", "setpoint.rate", "setpoint.valve"};
  names.insert(names.end(), commands.begin(), commands.end());
  names.insert(names.end(), {"wind", "gust", "tracking_error", "mode"});
  for (const ExportColumn& c : known)
    if (c.kind == Kind::Plot) names.push_back(c.name);
  return names;
}

// in the order of `names`, each once
std::vector<ExportColumn> pick(const std::vector<ExportColumn>& known, const std::vector<std::string>& names) {
  std::vector<ExportColumn> list;
  for (const std::string& name : names)
    for (const ExportColumn& c : known)
      if (c.name == name && std::none_of(list.begin(), list.end(), [&](const ExportColumn& had) { return had.name == name; })) list.push_back(c);
  return list;
}

std::vector<std::string> names_of(const std::vector<ExportColumn>& columns) {
  std::vector<std::string> names;
  for (const ExportColumn& c : columns) names.push_back(c.name);
  return names;
}

core::Error no_column(const Recording* r, const std::string& name, const std::vector<std::string>& known) {
  if (r == nullptr) return {.message = "no flock has a column '" + name + "'", .field = "--columns", .suggestion = core::did_you_mean(name, known)};
  return {.message = "the view layer has no column '" + name + "', only position, velocity, attitude and mode", .field = "--columns", .suggestion = "leave out --view for all columns"};
}

}  // namespace

std::size_t size_of(Number number) {
  switch (number) {
    case Number::U1: return 1;
    case Number::F4:
    case Number::U4: return 4;
    case Number::F8:
    case Number::U8: return 8;
  }
  return 8;
}

std::string ExportColumn::units() const {
  if (kind == Kind::Mode) return "";
  std::string text;
  for (const std::string& word : {unit == "-" ? std::string() : unit, std::string(frame_text(frame)), fmt::format("error {:g}", bound)})
    if (!word.empty()) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::vector<ExportColumn> known_columns(const World& world, const std::string& flock, const std::vector<std::string>& plots) {
  std::vector<ExportColumn> list;
  const auto add = [&](ExportColumn c) {
    if (!is_wanted(names_of(list), c.name)) list.push_back(std::move(c));
  };
  for (const ColumnDoc& c : world.columns(flock)) {
    if (c.name.starts_with(kPlotPrefix)) continue;  // of a branch, which begins with what was plotted before
    const Number number = number_of(world.view(flock, c.name).dtype);
    if (!has_remainder(c)) {
      add({c.name, c.unit, c.frame, c.doc, Kind::Plain, c.name, number, part_names(c), 0});
      continue;
    }
    const std::string what = c.name == "position" ? "position of the centre of mass" : "commanded position";
    add({c.name, c.unit, c.frame, what, Kind::Sum, c.name, Number::F8, {"x", "y", "z"}, 0});
    add({c.name + ".parts", c.unit, c.frame, what + " in two parts, whose sum is the position", Kind::Parts, c.name, number,
         {"x", "y", "z", "remainder_x", "remainder_y", "remainder_z"}, 0});
  }
  if (has_tracking_error(world, flock, names_of(list)))
    add({"tracking_error", "m", "-", "distance between position and setpoint in a mission, as in the report", Kind::TrackingError, "", Number::F8, {}, 0});
  add(mode_column());
  for (const std::string& name : plots) add({kPlotPrefix + name, "-", "-", "number that a behaviour of the flock plots", Kind::Plot, kPlotPrefix + name, Number::F8, {}, 0});
  return list;
}

core::Result<std::vector<FlockTable>> choose_columns(const World& world, const std::vector<PlotSeries>& plots, const std::vector<std::string>& names) {
  std::vector<FlockTable> tables;
  std::vector<std::string> all;
  const std::vector<std::string> flocks = world.flocks();
  for (std::size_t k = 0; k < flocks.size(); ++k) {
    std::vector<std::string> plotted;
    for (const PlotSeries& p : plots)
      if (p.flock == k) plotted.push_back(p.name);
    const std::vector<ExportColumn> known = known_columns(world, flocks[k], plotted);
    for (const ExportColumn& c : known)
      if (!is_wanted(all, c.name)) all.push_back(c.name);
    std::vector<std::string> wanted;
    for (const std::string& name : names.empty() ? default_names(known) : names) {
      if (name != "all") {
        wanted.push_back(name);
        continue;
      }
      for (const ExportColumn& c : known)
        if (c.kind != Kind::Parts) wanted.push_back(c.name);
    }
    if (std::vector<ExportColumn> chosen = pick(known, wanted); !chosen.empty()) tables.push_back({flocks[k], static_cast<std::uint32_t>(k), std::move(chosen)});
  }
  for (const std::string& name : names)
    if (name != "all" && !is_wanted(all, name)) return no_column(nullptr, name, all);
  return tables;
}

core::Result<std::vector<FlockTable>> choose_view_columns(const Recording& r, const std::vector<std::string>& names) {
  const Bounds& b = r.head().bounds;
  // a rotation by an angle moves a unit quaternion by at most half of it
  const std::vector<ExportColumn> known = {
      {"position", "m", "W", "position of the centre of mass", Kind::Plain, "", Number::F8, {"x", "y", "z"}, b.position},
      {"velocity", "m/s", "W", "velocity of the centre of mass", Kind::Plain, "", Number::F4, {"x", "y", "z"}, b.velocity},
      {"attitude", "-", "WB", "attitude as a unit quaternion w x y z, body to world, or its negative", Kind::Plain, "", Number::F4, {"w", "x", "y", "z"}, b.angle / 2},
      mode_column()};
  const std::vector<std::string> all = names_of(known);
  for (const std::string& name : names)
    if (name != "all" && !is_wanted(all, name)) return no_column(&r, name, all);
  const std::vector<ExportColumn> chosen = pick(known, names.empty() || is_wanted(names, "all") ? all : names);
  std::vector<FlockTable> tables;
  for (std::size_t k = 0; k < r.head().flocks.size(); ++k) tables.push_back({r.head().flocks[k].name, static_cast<std::uint32_t>(k), chosen});
  return tables;
}

}  // namespace volary::replay
