// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// volary vehicle identify: from the CSV of a thrust stand and the masses of a drawing to an airframe file, with how good the fit is (G-18, G-38, S-60).
#include "cli/vehicle_identify.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>

#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/report.hpp"
#include "math/functions.hpp"
#include "scenario/airframe.hpp"
#include "scenario/mass_file.hpp"
#include "validation/report.hpp"
#include "validation/thrust_stand.hpp"
#include "vehicles/multirotor_derive.hpp"

namespace volary::cli {

namespace {

namespace fs = std::filesystem;

struct IdentifyOptions {
  std::string bench, cad, out, plot, name = "identified multirotor";
  double mass = 0, arm = 0, torque_ratio = 0, drag_area = 0;
  std::optional<double> time_constant;
  std::vector<double> inertia;
  int rotors = 4;
  bool json = false;
};

constexpr double kSeaLevelDensity = 1.225;  // kg/m3, at which airframes are measured
constexpr double kUsualLag = 0.04;  // s, of small motors, where nothing is known

struct Lag {
  double value;  // s
  std::string source;
};
// of one direction: given, or from the steps of the log, or from those of the other direction
Lag lag_of(const IdentifyOptions& o, const std::optional<double>& own, int steps, const std::optional<double>& other, const char* other_name) {
  if (o.time_constant) return {*o.time_constant, "given"};
  if (own) return {*own, fmt::format("the bench, median of {} steps", steps)};
  if (other) return {*other, fmt::format("the bench, steps {}: too few the other way", other_name)};
  return {kUsualLag, "estimate"};
}
Lag lag_up(const IdentifyOptions& o, const airframe::LagFit& f) { return lag_of(o, f.up, f.steps_up, f.down, "down"); }
Lag lag_down(const IdentifyOptions& o, const airframe::LagFit& f) { return lag_of(o, f.down, f.steps_down, f.up, "up"); }

// what the user gave stands before what the stand measured
double torque_ratio(const IdentifyOptions& o, const airframe::ThrustFit& f) { return o.torque_ratio > 0 ? o.torque_ratio : f.torque_ratio.value_or(0); }

std::string no_torque(const IdentifyOptions& o, const validation::ThrustStand& s) {
  const std::string what = s.torque_column.empty() ? "the stand measured no torque"
                           : s.torque_rows == 0    ? fmt::format("the column '{}' is empty", s.torque_column)
                                                   : fmt::format("'{}' has {} values, {} of them at a steady speed: too few", s.torque_column, s.torque_rows,
                                                                 s.fit.steady_torque.size());
  return fmt::format("{}: {} (give --torque-ratio, m: torque over thrust, 0.016 is usual)", o.bench, what);
}

std::string yaml_of(const IdentifyOptions& o, const scenario::MassProperties& m, const validation::ThrustStand& stand) {
  const airframe::ThrustFit& f = stand.fit;
  const Lag up = lag_up(o, stand.lag), down = lag_down(o, stand.lag);
  std::string text = fmt::format(
      "# Made by volary vehicle identify from {}: {} steady points, rms {:.2f} % of full scale, R2 {:.5f}.\n"
      "model: multirotor\nname: {}\nmass: {:.6g}  # source: {}\ninertia: [{:.6g}, {:.6g}, {:.6g}]  # source: {}\n",
      fs::path(o.bench).filename().string(), f.steady.size(), 100 * f.rms, f.r2, o.name, m.mass, m.source, m.inertia[0], m.inertia[1], m.inertia[2], m.source);
  if (m.products[0] != 0 || m.products[1] != 0 || m.products[2] != 0)
    text += fmt::format("inertia_products: [{:.6g}, {:.6g}, {:.6g}]  # source: {}\n", m.products[0], m.products[1], m.products[2], m.source);
  if (o.drag_area > 0)
    text += fmt::format("quadratic_drag: [{0:.5g}, {0:.5g}, {0:.5g}]  # source: a drag area of {1:g} m2 in air of 1.225 kg/m3\n", 0.5 * kSeaLevelDensity * o.drag_area, o.drag_area);
  // idle where the curve has risen from its dip
  const double idle = std::max(0.1 * f.speed_max, -f.thrust1 / f.thrust2 * 1.05);
  text += fmt::format(
      "motor:\n  thrust2: {:.6g}  # source: the bench\n  thrust1: {:.6g}  # source: the bench\n  torque_ratio: {:.5g}  # source: {}\n  speed_min: {:.5g}  # "
      "source: estimate\n"
      "  speed_max: {:.6g}  # source: the bench, fastest measured\n  time_constant_up: {:.3g}  # source: {}\n  time_constant_down: {:.3g}  # source: {}\n"
      "rotors:\n",
      f.thrust2, f.thrust1, torque_ratio(o, f), o.torque_ratio > 0 ? "given" : "the bench, momentConstant", idle, f.speed_max, up.value, up.source, down.value,
      down.source);
  for (int k = 0; k < o.rotors; ++k) {
    double s, c;
    math::sincos(6.283185307179586 * (k + 0.5) / o.rotors, s, c);
    text += fmt::format("  - {{position: [{:.5g}, {:.5g}, 0], spin: {}}}\n", o.arm * c, o.arm * s, k % 2 == 0 ? 1 : -1);
  }
  return text;
}

core::Result<std::string> read_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return core::Error{.message = "cannot be read", .file = path};
  std::stringstream all;
  all << in.rdbuf();
  return all.str();
}

core::Result<scenario::MassProperties> masses(const IdentifyOptions& o) {
  if (!o.cad.empty()) {
    const core::Result<std::string> text = read_text(o.cad);
    if (!text) return text.error();
    return scenario::read_mass_properties(text.value(), o.cad);
  }
  if (o.mass <= 0 || o.inertia.size() < 3) {
    const char* what = o.mass > 0 ? "the inertia is missing" : o.inertia.size() >= 3 ? "the mass is missing" : "mass and inertia are missing";
    return core::Error{.message = fmt::format("identify: {}", what), .suggestion = "--cad FILE, or --mass KG and --inertia JXX JYY JZZ"};
  }
  if (o.inertia.size() != 3 && o.inertia.size() != 6)
    return core::Error{.message = fmt::format("identify: --inertia has {} numbers", o.inertia.size()),
                       .suggestion = "three, Jxx Jyy Jzz, or six, Jxx Jyy Jzz Jxy Jxz Jyz, kg m2"};
  scenario::MassProperties m{o.mass, {o.inertia[0], o.inertia[1], o.inertia[2]}, {0, 0, 0}, "given"};
  for (std::size_t k = 3; k < o.inertia.size(); ++k) m.products[k - 3] = o.inertia[k];
  return m;
}

bool write(const std::string& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  return static_cast<bool>(out.flush());
}

// An odd number of rotors turns more one way than the other: they can hold still only with unequal thrusts.
void add_hover(Report& report, const airframe::MultirotorDef& def) {
  const std::vector<double> thrusts = airframe::hover_thrusts(def, airframe::kStandardGravity);
  const auto [least, most] = std::minmax_element(thrusts.begin(), thrusts.end());
  if (thrusts.empty() || *most - *least < 1e-6 * *most) return;
  report.add("hover, least thrust", *least, "N", {{"note", std::string("rotors share the weight unevenly, for their torques to cancel")}});
  report.add("hover, greatest thrust", *most, "N");
}

Report report_of(const IdentifyOptions& o, const validation::ThrustStand& stand, const airframe::MultirotorDef& made) {
  const airframe::ThrustFit& f = stand.fit;
  Report report{"vehicle identify", {}};
  report.add("columns", stand.columns, "");
  report.add("steady points", static_cast<double>(f.steady.size()), "");
  report.add("full scale", f.full_scale, "N");
  report.add("thrust2", f.thrust2, "N s2");
  report.add("thrust1", f.thrust1, "N s");
  report.add("tare", f.tare, "N", {{"note", std::string("subtracted")}});
  report.add("rms", 100 * f.rms, "% of full scale");
  report.add("worst", 100 * f.worst, "% of full scale");
  report.add("R2", f.r2, "");
  report.add("motor constant", f.motor_constant, "N s2", {{"note", fmt::format("a square alone, rms {:.2f} % of full scale", 100 * f.square_rms)}});
  if (f.torque_ratio) {
    report.add("moment constant", *f.torque_ratio, "m",
               {{"note", std::string(o.torque_ratio > 0 ? "torque over thrust; the given one was used" : "torque over thrust")}});
    report.add("torque constant", f.torque_constant, "N m s2", {{"note", std::string("a square alone")}});
    report.add("torque points", static_cast<double>(f.steady_torque.size()), "", {{"note", fmt::format("steady, of {} rows", stand.torque_rows)}});
    report.add("torque tare", f.torque_tare, "N m", {{"note", std::string("subtracted")}});
    report.add("torque rms", 100 * f.torque_rms, "% of the greatest");
    report.add("torque R2", f.torque_r2, "");
  }
  for (const auto& [name, lag] : {std::pair{"time constant up", lag_up(o, stand.lag)}, std::pair{"time constant down", lag_down(o, stand.lag)}})
    report.add(name, lag.value, "s", {{"note", lag.source}});
  add_hover(report, made);
  report.add("airframe", o.out, "");
  if (!o.plot.empty()) report.add("plot", o.plot, "");
  return report;
}

int identify(const IdentifyOptions& o) {
  const core::Result<validation::ThrustStand> stand = validation::fit_stand(o.bench, o.rotors);
  if (!stand) return fail(stand.error().text(), kBadInput);
  const airframe::ThrustFit& f = stand.value().fit;
  const core::Result<scenario::MassProperties> m = masses(o);
  if (!m) return fail(m.error().text(), kBadInput);
  if (torque_ratio(o, f) <= 0) return fail(no_torque(o, stand.value()), kBadInput);
  const std::string yaml = yaml_of(o, m.value(), stand.value());
  // the same eyes that read any airframe
  const core::Result<Airframe> made = scenario::load_airframe_text(yaml, o.out);
  if (!made) return fail(made.error().text(), kBadInput);
  std::error_code code;
  if (fs::exists(o.out, code)) return fail(o.out + ": exists already (choose another name)", kBadInput);
  if (!write(o.out, yaml)) return fail(o.out + ": cannot be written");
  if (!o.plot.empty() && !write(o.plot, validation::svg_of(validation::picture_of(f, fs::path(o.bench).stem().string()))))
    return fail(o.plot + ": cannot be written");

  Report report = report_of(o, stand.value(), *static_cast<const airframe::MultirotorDef*>(made.value().definition.get()));
  if (o.json)
    print_json(report);
  else
    print_rows(report);
  if (o.drag_area == 0) warn(o.out + " has no drag, which a stand does not measure: give --drag-area, or set linear_drag or quadratic_drag in the file");
  return kDone;
}

}  // namespace

void add_identify(CLI::App& vehicle, std::function<int()>& action) {
  auto o = std::make_shared<IdentifyOptions>();
  CLI::App* c = vehicle.add_subcommand("identify", "Make an airframe file from the CSV file of a thrust stand and the mass properties of a CAD model.");
  c->add_option("--bench", o->bench, "CSV file of a thrust stand, with columns for thrust (gf, kgf, N), speed (RPM, rad/s) and optionally torque (N m)")
      ->required();
  c->add_option("--cad", o->cad, "text file of mass properties from a CAD program, with lines such as 'mass = 1.2 kg' and 'Ixx = 12000 g mm2'");
  c->add_option("--mass", o->mass, "mass in kg, instead of --cad");
  c->add_option("--inertia", o->inertia, "elements of the inertia tensor in kg m2, instead of --cad: Jxx Jyy Jzz, optionally Jxy Jxz Jyz")->expected(3, 6);
  c->add_option("--arm", o->arm, "distance in m from the centre to a rotor hub")->required()->check(CLI::Range(0.005, 20.0));
  c->add_option("--rotors", o->rotors, "number of rotors, evenly spaced, with alternating spins; an odd number shares the weight unevenly; default: 4")
      ->check(CLI::Range(3, 8));
  c->add_option("--torque-ratio", o->torque_ratio, "torque over thrust in m; default: measured on the stand")->check(CLI::Range(1e-5, 1.0));
  c->add_option("--time-constant", o->time_constant, "time constant of the motor in s; default: from the steps in the CSV file, or 0.04 without steps")
      ->check(CLI::Range(1e-3, 5.0));
  c->add_option("--drag-area", o->drag_area, "drag coefficient times frontal area of the whole vehicle in m2; default: no drag")->check(CLI::Range(1e-5, 100.0));
  c->add_option("--name", o->name, "name of the airframe; default: identified multirotor");
  c->add_option("--out", o->out, "path of the airframe file to write")->required();
  c->add_option("--plot", o->plot, "path of an SVG plot of the fit to write; default: no plot");
  c->add_flag("--json", o->json, "print the report as one JSON object on stdout");
  c->footer(
      "Examples:\n  volary vehicle identify --bench stand.csv --cad mass.txt --arm 0.17 --drag-area 0.04 --out my_drone.yaml --plot fit.svg\n"
      "  volary vehicle identify --bench stand.csv --mass 0.9 --inertia 0.006 0.006 0.011 --arm 0.15 --out my_drone.yaml");
  c->callback([=, &action] { action = [=] { return identify(*o); }; });
}

}  // namespace volary::cli
