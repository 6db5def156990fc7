// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "vehicles/imported_aircraft.hpp"

#include <algorithm>
#include <iterator>

#include "core/suggest.hpp"

namespace volary::airframe {

namespace {

struct NamedSignal {
  std::string_view name;
  double (*value)(const FlightSignals&);
};
constexpr NamedSignal kSignals[] = {
    {"trueAirspeed", [](const FlightSignals& s) { return s.true_airspeed; }},
    {"equivalentAirspeed", [](const FlightSignals& s) { return s.equivalent_airspeed; }},
    {"mach", [](const FlightSignals& s) { return s.mach; }},
    {"dynamicPressure", [](const FlightSignals& s) { return s.dynamic_pressure; }},
    {"angleOfAttack", [](const FlightSignals& s) { return s.angle_of_attack; }},
    {"angleOfSideslip", [](const FlightSignals& s) { return s.sideslip; }},
    {"bodyAngularRate_Roll", [](const FlightSignals& s) { return s.omega_B.x; }},
    {"bodyAngularRate_Pitch", [](const FlightSignals& s) { return s.omega_B.y; }},
    {"bodyAngularRate_Yaw", [](const FlightSignals& s) { return s.omega_B.z; }},
    {"altitudeMsl", [](const FlightSignals& s) { return s.altitude; }},
    {"geLatitude", [](const FlightSignals& s) { return s.latitude; }},
    {"geLongitude", [](const FlightSignals& s) { return s.longitude; }},
    {"eulerAngle_Yaw", [](const FlightSignals& s) { return s.yaw; }},
    {"eulerAngle_Pitch", [](const FlightSignals& s) { return s.pitch; }},
    {"eulerAngle_Roll", [](const FlightSignals& s) { return s.roll; }},
};

bool same_word(std::string_view a, std::string_view b) {
  const auto low = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [&](char x, char y) { return low(x) == low(y); });
}

core::Error error_in(const ImportedModel& model, int line, std::string message, std::string suggestion = "") {
  core::Error error;
  error.file = model.file;
  error.line = line;
  error.message = std::move(message);
  error.suggestion = std::move(suggestion);
  return error;
}

const double* find_setting(const Settings& settings, std::string_view name) {
  for (const auto& [key, value] : settings)
    if (same_word(key, name)) return &value;
  return nullptr;
}

// a variable becomes a constant, whatever the file computes
void fix(ImportedModel& model, const ImportedVariable& v, double value) {
  std::vector<math::Step>& steps = model.calculation.steps;
  steps.erase(std::remove_if(steps.begin(), steps.end(), [&](const math::Step& s) { return s.out == v.slot; }), steps.end());
  model.calculation.initial[static_cast<std::size_t>(v.slot)] = value;
}

core::Status apply_fixed(ImportedParts& parts, const Settings& fixed) {
  for (const auto& [name, value] : fixed) {
    bool found = false;
    for (ImportedModel* model : {&parts.inertia, parts.control ? &*parts.control : nullptr, parts.aerodynamics ? &*parts.aerodynamics : nullptr,
                                 parts.propulsion ? &*parts.propulsion : nullptr}) {
      const ImportedVariable* v = model != nullptr ? model->find(name) : nullptr;
      if (v == nullptr || v->is_input) continue;
      fix(*model, *v, value);
      found = true;
    }
    if (!found) return error_in(parts.inertia, 0, "no model of this vehicle computes '" + name + "', which is to be fixed");
  }
  return core::ok();
}

bool is_constant_zero(const ImportedModel& model, const Port& port) {
  const auto& c = model.calculation;
  const bool computed = std::any_of(c.steps.begin(), c.steps.end(), [&](const math::Step& s) { return s.out == port.slot; });
  return !computed && c.initial[static_cast<std::size_t>(port.slot)] == 0;
}

// an input, or a constant of the file: what no step computes
bool is_settable(const ImportedModel& model, const ImportedVariable& v) {
  const std::vector<math::Step>& steps = model.calculation.steps;
  return std::none_of(steps.begin(), steps.end(), [&](const math::Step& s) { return s.out == v.set_slot; });
}

// the inverse of a symmetric tensor, by cofactors
vehicles::Inertia<double> inertia_of(const Vec3<double>& d, const Vec3<double>& p) {
  const double xx = d.y * d.z - p.z * p.z, yy = d.x * d.z - p.y * p.y, zz = d.x * d.y - p.x * p.x;
  const double xy = p.y * p.z - p.x * d.z, xz = p.x * p.z - p.y * d.y, yz = p.x * p.y - d.x * p.z;
  const double determinant = d.x * xx + p.x * xy + p.y * xz;
  return {d, p, (1 / determinant) * Vec3<double>{xx, yy, zz}, (1 / determinant) * Vec3<double>{xy, xz, yz}};
}

}  // namespace

core::Result<ImportedAircraft> ImportedAircraft::create(ImportedParts parts, const Settings& settings, const Settings& fixed) {
  ImportedAircraft a;
  if (const core::Status s = apply_fixed(parts, fixed); !s) return s.error();
  a.parts_ = std::move(parts);
  if (const core::Status s = a.read_mass(settings); !s) return s.error();
  const std::pair<std::optional<ImportedModel>*, Stage*> stages[] = {
      {&a.parts_.control, &a.control_}, {&a.parts_.aerodynamics, &a.aerodynamics_}, {&a.parts_.propulsion, &a.propulsion_}};
  for (const auto& [model, stage] : stages)
    if (*model)
      if (const core::Status s = a.wire(**model, *stage, settings); !s) return s.error();
  if (a.parts_.aerodynamics)
    if (const core::Status s = a.find_aerodynamic_outputs(); !s) return s.error();
  if (a.parts_.propulsion)
    if (const core::Status s = a.find_thrust_outputs(); !s) return s.error();
  return a;
}

// where every input of a model comes from: the flight, the control model, a setting, or its own initial value
core::Status ImportedAircraft::wire(ImportedModel& model, Stage& stage, const Settings& settings) {
  for (const ImportedVariable& v : model.variables) {
    if (!v.is_input) continue;
    const core::Result<Port> to = input_port(model, v.name);
    if (!to) return to.error();
    const auto* signal = std::find_if(std::begin(kSignals), std::end(kSignals), [&](const NamedSignal& s) { return same_word(s.name, v.name); });
    if (signal != std::end(kSignals)) {
      stage.flight.push_back({to.value(), signal->value});
    } else if (const ImportedVariable* out = parts_.control && &model != &*parts_.control ? parts_.control->find(v.name) : nullptr;
               out != nullptr && out->is_output) {
      const core::Result<Port> from = output_port(*parts_.control, v.name);
      if (!from) return from.error();
      stage.control.push_back({from.value(), to.value()});
    } else if (find_setting(settings, v.name) == nullptr && !v.has_initial) {
      std::vector<std::string> known;
      for (const NamedSignal& s : kSignals) known.emplace_back(s.name);
      for (const auto& [name, value] : settings) known.push_back(name);
      return error_in(model, v.line, "nothing gives the input '" + v.name + "' a value", core::did_you_mean(v.name, known));
    }
  }
  // settings are constants of the calculation until somebody changes them in a workspace
  std::vector<double>& initial = model.calculation.initial;
  for (const ImportedVariable& v : model.variables)
    if (const double* value = v.is_input ? find_setting(settings, v.name) : nullptr) initial[static_cast<std::size_t>(v.set_slot)] = *value;
  return core::ok();
}

core::Status ImportedAircraft::read_mass(const Settings& settings) {
  ImportedModel& model = parts_.inertia;
  Stage stage;
  if (const core::Status s = wire(model, stage, settings); !s) return s;
  if (!stage.flight.empty()) return error_in(model, 0, "mass properties that change in flight are not supported");
  std::vector<double> slots = model.calculation.initial;
  math::evaluate<double>(model.calculation, slots);
  double value[10];
  const char* const names[] = {"totalMass",
                               "bodyMomentOfInertia_Roll",
                               "bodyMomentOfInertia_Pitch",
                               "bodyMomentOfInertia_Yaw",
                               "bodyProductOfInertia_XY",
                               "bodyProductOfInertia_ZX",
                               "bodyProductOfInertia_YZ",
                               "bodyPositionOfCmWrtMrc_X",
                               "bodyPositionOfCmWrtMrc_Y",
                               "bodyPositionOfCmWrtMrc_Z"};
  for (std::size_t k = 0; k < std::size(names); ++k) {
    const core::Result<Port> port = output_port(model, names[k]);
    if (!port) return port.error();
    value[k] = get(slots, port.value());
  }
  // S-119 gives products of inertia, the tensor has them with the other sign
  mass_ = {value[0], inertia_of({value[1], value[2], value[3]}, {-value[4], -value[5], -value[6]})};
  centre_of_mass_ = {value[7], value[8], value[9]};
  if (!(value[0] > 0 && value[1] > 0 && value[2] > 0 && value[3] > 0)) return error_in(model, 0, "mass and moments of inertia must be positive");
  return core::ok();
}

core::Status ImportedAircraft::find_aerodynamic_outputs() {
  const ImportedModel& model = *parts_.aerodynamics;
  body_axes_ = model.find("aeroBodyForceCoefficient_X") != nullptr;
  const char* const body[] = {"aeroBodyForceCoefficient_X", "aeroBodyForceCoefficient_Y", "aeroBodyForceCoefficient_Z"};
  const char* const wind[] = {"totalCoefficientOfDrag", "aeroBodyForceCoefficient_Y", "totalCoefficientOfLift"};
  const char* const moments[] = {"aeroBodyMomentCoefficient_Roll", "aeroBodyMomentCoefficient_Pitch", "aeroBodyMomentCoefficient_Yaw"};
  const char* const lengths[] = {"referenceWingSpan", "referenceWingChord", "referenceWingSpan"};
  const core::Result<Port> area = output_port(model, "referenceWingArea");
  if (!area) return area.error();
  area_ = area.value();
  for (std::size_t k = 0; k < 3; ++k) {
    const core::Result<Port> force = output_port(model, body_axes_ ? body[k] : wind[k]), moment = output_port(model, moments[k]);
    if (!force) return force.error();
    if (!moment) return moment.error();
    force_[k] = force.value();
    moment_[k] = moment.value();
    Port& length = k == 1 ? chord_ : span_;
    const core::Result<Port> found = output_port(model, lengths[k]);
    if (found)
      length = found.value();
    else if (!is_constant_zero(model, moment_[k]))
      return found.error();  // a moment without a length to scale it by
  }
  return core::ok();
}

core::Status ImportedAircraft::find_thrust_outputs() {
  const char* const forces[] = {"thrustBodyForce_X", "thrustBodyForce_Y", "thrustBodyForce_Z"};
  const char* const moments[] = {"thrustBodyMoment_Roll", "thrustBodyMoment_Pitch", "thrustBodyMoment_Yaw"};
  for (std::size_t k = 0; k < 3; ++k) {
    const core::Result<Port> force = output_port(*parts_.propulsion, forces[k]), moment = output_port(*parts_.propulsion, moments[k]);
    if (!force) return force.error();
    if (!moment) return moment.error();
    thrust_[k] = force.value();
    thrust_moment_[k] = moment.value();
  }
  return core::ok();
}

ImportedAircraft::Workspace ImportedAircraft::workspace() const {
  const auto slots = [](const std::optional<ImportedModel>& m) { return m ? m->calculation.initial : std::vector<double>(); };
  return {parts_.inertia.calculation.initial, slots(parts_.control), slots(parts_.aerodynamics), slots(parts_.propulsion)};
}

std::vector<ImportedAircraft::Setting> ImportedAircraft::settings_named(const std::string& name) const {
  std::vector<Setting> found;
  const std::pair<const std::optional<ImportedModel>*, std::vector<double> Workspace::*> all[] = {
      {&parts_.control, &Workspace::control}, {&parts_.aerodynamics, &Workspace::aerodynamics}, {&parts_.propulsion, &Workspace::propulsion}};
  for (const auto& [model, slots] : all) {
    const ImportedVariable* v = *model ? (*model)->find(name) : nullptr;
    if (v != nullptr && is_settable(**model, *v)) found.push_back({&**model, v, slots});
  }
  return found;
}

core::Error ImportedAircraft::unknown_setting(const std::string& name) const {
  std::vector<std::string> known;
  for (const std::optional<ImportedModel>* model : {&parts_.control, &parts_.aerodynamics, &parts_.propulsion})
    if (*model)
      for (const ImportedVariable& v : (*model)->variables)
        if (is_settable(**model, v)) known.push_back(v.name);
  return error_in(parts_.inertia, 0, "no model of this vehicle has an input or a constant '" + name + "'", core::did_you_mean(name, known));
}

bool ImportedAircraft::has(const std::string& name) const { return !settings_named(name).empty(); }

core::Status ImportedAircraft::set(Workspace& w, const std::string& name, double value) const {
  const std::vector<Setting> found = settings_named(name);
  if (found.empty()) return unknown_setting(name);
  for (const Setting& s : found) (w.*s.slots)[static_cast<std::size_t>(s.variable->set_slot)] = value;
  return core::ok();
}

core::Result<double> ImportedAircraft::value_of(const Workspace& w, const std::string& name) const {
  const std::vector<Setting> found = settings_named(name);
  if (found.empty()) return unknown_setting(name);
  return (w.*found.front().slots)[static_cast<std::size_t>(found.front().variable->set_slot)];
}

core::Result<double> ImportedAircraft::in_unit_of(const std::string& name, double si) const {
  const std::vector<Setting> found = settings_named(name);
  if (found.empty()) return unknown_setting(name);
  const Setting& s = found.front();
  const double scale = si_per_unit(s.variable->unit);
  if (scale > 0) return si / scale;
  return error_in(*s.model, s.variable->line, "'" + name + "' is in '" + s.variable->unit + "', a unit that is not known");
}

void ImportedAircraft::run(const ImportedModel& model, const Stage& stage, const Workspace& w, std::vector<double>& slots, const FlightSignals& signals) const {
  for (const FromFlight& f : stage.flight) airframe::set(slots, f.to, f.signal(signals));
  for (const FromControl& c : stage.control) airframe::set(slots, c.to, get(w.control, c.from));
  math::evaluate<double>(model.calculation, slots);
}

Wrench<double> ImportedAircraft::aerodynamic_wrench(const std::vector<double>& slots, const FlightSignals& s) const {
  const double push = s.dynamic_pressure * get(slots, area_);
  Vec3<double> force = {get(slots, force_[0]), get(slots, force_[1]), get(slots, force_[2])};
  if (!body_axes_) {
    // drag against the motion through the air, lift across it in the plane of symmetry
    const double speed = s.true_airspeed > 0 ? s.true_airspeed : 1;
    const Vec3<double> along = (1 / speed) * s.air_velocity_B;
    double sine, cosine;
    math::sincos(s.angle_of_attack, sine, cosine);
    const double drag = force.x, lift = force.z;
    force = Vec3<double>{lift * sine, force.y, -lift * cosine} - drag * along;
  }
  force = push * force;
  const auto length = [&](const Port& port) { return port.slot >= 0 ? get(slots, port) : 0; };
  const Vec3<double> moment = {push * length(span_) * get(slots, moment_[0]), push * length(chord_) * get(slots, moment_[1]),
                               push * length(span_) * get(slots, moment_[2])};
  return {force, moment};
}

Wrench<double> ImportedAircraft::wrench(Workspace& w, const FlightSignals& signals) const {
  Wrench<double> sum{math::zero3<double>(), math::zero3<double>()};
  if (parts_.control) run(*parts_.control, control_, w, w.control, signals);
  if (parts_.aerodynamics) {
    run(*parts_.aerodynamics, aerodynamics_, w, w.aerodynamics, signals);
    sum = aerodynamic_wrench(w.aerodynamics, signals);
  }
  if (parts_.propulsion) {
    run(*parts_.propulsion, propulsion_, w, w.propulsion, signals);
    const auto vector = [&](const Port* p) { return Vec3<double>{get(w.propulsion, p[0]), get(w.propulsion, p[1]), get(w.propulsion, p[2])}; };
    sum = {sum.force_B + vector(thrust_), sum.moment_B + vector(thrust_moment_)};
  }
  // from the moment reference to the centre of mass
  sum.moment_B = sum.moment_B - cross(centre_of_mass_, sum.force_B);
  return sum;
}

}  // namespace volary::airframe
