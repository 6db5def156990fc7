// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// An aircraft put together from imported models (AIAA S-119 names): mass properties, and, where it has them, control, aerodynamics and
// propulsion. The models find each other and the flight by the names of their inputs and outputs: what the control model
// puts out as elevatorDeflection, the aerodynamics take in. Evaluation is a pure function of the flight and a workspace.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/result.hpp"
#include "vehicles/geodetic_body.hpp"
#include "vehicles/imported_model.hpp"

namespace volary::airframe {

using math::Vec3;
using vehicles::BodyMass;
using vehicles::Wrench;

// what the models can ask about the flight; SI, rad
struct FlightSignals {
  double true_airspeed = 0, equivalent_airspeed = 0, mach = 0, dynamic_pressure = 0;
  double angle_of_attack = 0, sideslip = 0;
  Vec3<double> air_velocity_B = {0, 0, 0};  // of the body through the air
  Vec3<double> omega_B = {0, 0, 0};         // against the air, which turns with the Earth
  double altitude = 0, latitude = 0, longitude = 0;
  double yaw = 0, pitch = 0, roll = 0;
};

struct ImportedParts {
  ImportedModel inertia;
  std::optional<ImportedModel> control, aerodynamics, propulsion;
};

// inputs that are not part of the flight (commands, switches, the place of the centre of mass), by name and in the unit of the file
using Settings = std::vector<std::pair<std::string, double>>;

class ImportedAircraft {
 public:
  // memory of an evaluation; one per flight
  struct Workspace {
    std::vector<double> inertia, control, aerodynamics, propulsion;
  };

  // `fixed` replaces what a model computes, by the name of its variable: a drag coefficient of zero, say
  static core::Result<ImportedAircraft> create(ImportedParts parts, const Settings& settings, const Settings& fixed);

  const BodyMass<double>& mass() const { return mass_; }
  Workspace workspace() const;

  // an input or a constant of the models by name and in its unit; an error when none has it
  bool has(const std::string& name) const;
  core::Status set(Workspace& w, const std::string& name, double value) const;
  core::Result<double> value_of(const Workspace& w, const std::string& name) const;
  // SI to the unit in which the models take it
  core::Result<double> in_unit_of(const std::string& name, double si) const;

  Wrench<double> wrench(Workspace& w, const FlightSignals& signals) const;

 private:
  using Signal = double (*)(const FlightSignals&);
  struct FromFlight {
    Port to;
    Signal signal;
  };
  struct FromControl {
    Port from, to;
  };
  // what a name means to one of the models
  struct Setting {
    const ImportedModel* model;
    const ImportedVariable* variable;
    std::vector<double> Workspace::* slots;
  };
  struct Stage {
    std::vector<FromFlight> flight;
    std::vector<FromControl> control;
  };

  std::vector<Setting> settings_named(const std::string& name) const;
  core::Error unknown_setting(const std::string& name) const;
  core::Status wire(ImportedModel& model, Stage& stage, const Settings& settings);
  core::Status read_mass(const Settings& settings);
  core::Status find_aerodynamic_outputs();
  core::Status find_thrust_outputs();
  void run(const ImportedModel& model, const Stage& stage, const Workspace& w, std::vector<double>& slots, const FlightSignals& signals) const;
  Wrench<double> aerodynamic_wrench(const std::vector<double>& slots, const FlightSignals& signals) const;

  ImportedParts parts_;
  BodyMass<double> mass_;
  Vec3<double> centre_of_mass_;  // m from the moment reference
  Stage control_, aerodynamics_, propulsion_;
  bool body_axes_ = true;     // force coefficients along the body's axes, else lift and drag
  Port force_[3], moment_[3];  // coefficients; without body axes: drag, side force, lift
  Port area_, span_, chord_;
  Port thrust_[3], thrust_moment_[3];
};

}  // namespace volary::airframe
