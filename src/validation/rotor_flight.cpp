// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "validation/rotor_flight.hpp"

#include <algorithm>

#include "math/functions.hpp"
#include "vehicles/multirotor_derive.hpp"

namespace volary::validation {

namespace {

using math::Vec3;
using Craft4 = vehicles::Variant<4, vehicles::Features::Full>;

// Filters in the Crazyflie's firmware (sensors_bmi088_bmp388.c): two poles for either sensor
constexpr double kAccelerometerCutoff = 30, kGyroscopeCutoff = 80;  // Hz

// Attitude and velocity are not recorded. Both are integrated, and drift is taken out slowly by what the accelerometer sees along x and y:
// it feels no gravity there, only the rotors' drag, which tells the velocity. Nothing that is scored is used.
constexpr double kObserver = 0.5;  // rad/s: two poles there

struct Rotor {
  std::array<double, 4> speed{}, rate{};  // rad/s, rad/s2
  double current = 0;                     // of all motors, in parts of a stalled motor's
  double charge = 0;                      // s of full command of one motor
};

double steady_speed(double command, const RotorModel& m) {
  const double a = m.common[kDrive], b = m.common[kLoad], w = m.own[kNoLoadSpeed];
  return (math::sqrt(a * a + 4 * a * b * w * command) - a) / (2 * b);
}

// J domega/dt = Kt i - Q: the current follows the voltage (its own lag is below 0.1 ms), and a diode keeps it from turning round, so
// that a rotor is driven but never braked; Q is the air's.
void turn_motors(const std::array<double, 4>& command, const RotorModel& m, Rotor& r) {
  const double drive = m.common[kDrive], no_load = m.own[kNoLoadSpeed];
  const double supply = 1 - m.common[kDrain] * r.charge - m.common[kSag] * r.current;
  double current = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const double pull = std::max(drive * (no_load * command[i] * supply - r.speed[i]), 0.0);
    r.rate[i] = pull - m.common[kLoad] * r.speed[i] * r.speed[i];
    r.speed[i] = std::max(r.speed[i] + r.rate[i] * kLogStep, 0.0);
    current += command[i] * pull / (drive * no_load);
    r.charge += command[i] * kLogStep;
  }
  r.current = current;
}

vehicles::MultirotorParams<double, 4> with(const RotorVehicle& v, const RotorModel& m) {
  vehicles::MultirotorParams<double, 4> p = v.params;
  p.inertia.x = m.common[kInertiaX], p.inertia.y = m.common[kInertiaY];
  p.inv_inertia.x = 1 / p.inertia.x, p.inv_inertia.y = 1 / p.inertia.y;
  p.rotor.torque2 = m.common[kTorqueRatio] * p.rotor.thrust2;
  p.rotor.torque1 = p.rotor.torque0 = 0;
  p.rotor.inertia = m.common[kRotorInertia];
  p.rotor.drag = m.common[kRotorDrag];
  p.rotor.inv_stall_speed = m.common[kStall];
  for (Vec3<double>& hub : p.rotor.position_B) hub = {hub.x - m.own[kCentreX], hub.y - m.own[kCentreY], m.common[kHubHeight]};
  return p;
}

class Flyer {
 public:
  Flyer(const RotorLog& log, const RotorVehicle& vehicle, const RotorModel& model)
      : log_(log), vehicle_(vehicle), model_(model), params_(with(vehicle, model)) {
    delay_rows_ = static_cast<std::size_t>(math::floor(model.common[kDelay] / kLogStep));
    delay_part_ = model.common[kDelay] / kLogStep - static_cast<double>(delay_rows_);
  }

  AxisSamples run() {
    AxisSamples out;
    for (Samples& s : out) s.assign(log_.size(), 0.0);
    std::size_t next = 0;
    if (!log_.flown.empty() && log_.flown[0].lift_off <= log_.start)  // it was flying before
      for (std::size_t i = 0; i < 4; ++i) rotor_.speed[i] = steady_speed(log_.command[0][vehicle_.motor[i]], model_);
    for (std::size_t k = 0; k < log_.size() && next < log_.flown.size(); ++k) {
      turn_motors(command_at(k), model_, rotor_);
      const double t = log_.time(k);
      if (t < log_.flown[next].lift_off) continue;
      if (!flying_) flying_ = true, motion_ = {{0, 0, 0}, {0, 0, 0}, {1, 0, 0, 0}, {0, 0, 0}};
      step(k, out);
      if (t > log_.flown[next].airborne.to) flying_ = false, ++next;
    }
    out[0] = smooth(low_pass(out[0], kAccelerometerCutoff, kLogStep), kCompareCutoff, kLogStep);
    for (std::size_t a = 1; a < kAxesCompared; ++a) out[a] = smooth(low_pass(out[a], kGyroscopeCutoff, kLogStep), kCompareCutoff, kLogStep);
    return out;
  }

 private:
  // in the order of the rotors, delayed by a part of a row too
  std::array<double, 4> command_at(std::size_t k) const {
    const std::array<double, 4>&near = log_.command[k - std::min(k, delay_rows_)], &far = log_.command[k - std::min(k, delay_rows_ + 1)];
    std::array<double, 4> u;
    for (std::size_t i = 0; i < 4; ++i) {
      const std::size_t m = vehicle_.motor[i];
      u[i] = near[m] + delay_part_ * (far[m] - near[m]);
    }
    return u;
  }

  void step(std::size_t k, AxisSamples& out) {
    vehicles::Rotors<double, 4> speed, rate;
    for (int i = 0; i < 4; ++i) speed.speed[i] = rotor_.speed[static_cast<std::size_t>(i)], rate.speed[i] = rotor_.rate[static_cast<std::size_t>(i)];
    motion_.omega_B = log_.rate[k];
    const vehicles::RotorLoads<double, 4> loads = vehicles::rotor_loads<Craft4>(speed, rate, params_.rotor);
    const vehicles::Surroundings<double> around{{0, 0, 0}, {0, 0, -kGravity}, {0, 0, model_.own[kYawTrim]}};
    const vehicles::Motion<double> d = vehicles::derivative_full<Craft4>(motion_, loads, around, params_);

    const math::Mat3<double> R_WB = math::rotation_matrix(motion_.q_WB);
    const Vec3<double> force = math::transpose_times(R_WB, d.velocity_W + Vec3<double>{0, 0, kGravity});
    const Vec3<double> sensor{model_.common[kSensorX], model_.common[kSensorY], model_.common[kSensorZ]};
    const Vec3<double>& w = motion_.omega_B;
    const Vec3<double> felt = force + math::cross(d.omega_B, sensor) + math::cross(w, math::cross(w, sensor));
    out[0][k] = felt.z + model_.common[kBiasZ];
    out[1][k] = d.omega_B.x, out[2][k] = d.omega_B.y, out[3][k] = d.omega_B.z;
    advance(k, d, force, R_WB);
  }

  // the recorded rates turn it, our forces move it, and the observer takes drift out
  void advance(std::size_t k, const vehicles::Motion<double>& d, const Vec3<double>& force, const math::Mat3<double>& R_WB) {
    double turning = 0;
    for (const double s : rotor_.speed) turning += s;
    const double drag = params_.rotor.drag * turning * params_.inv_mass;  // 1/s
    Vec3<double> more_velocity_B{0, 0, 0}, more_rate{0, 0, 0};
    if (drag > kLeastDrag) {
      const double ex = log_.specific_force[k].x - model_.common[kBiasX] - force.x, ey = log_.specific_force[k].y - model_.common[kBiasY] - force.y;
      const double per_velocity = std::max(2 * kObserver - drag, 0.0) / drag, per_tilt = kObserver * kObserver / (kGravity * drag);
      more_velocity_B = {-per_velocity * ex, -per_velocity * ey, 0};
      more_rate = {per_tilt * ey, -per_tilt * ex, 0};
    }
    const math::Quat<double> q = math::quat_rate(motion_.q_WB, motion_.omega_B + more_rate);
    motion_.velocity_W = motion_.velocity_W + kLogStep * (d.velocity_W + R_WB * more_velocity_B);
    motion_.q_WB = math::normalize(math::Quat<double>{motion_.q_WB.w + kLogStep * q.w, motion_.q_WB.x + kLogStep * q.x, motion_.q_WB.y + kLogStep * q.y,
                                                      motion_.q_WB.z + kLogStep * q.z});
  }

  static constexpr double kLeastDrag = 0.05;  // 1/s: below, the rotors hardly turn and drag tells nothing

  const RotorLog& log_;
  const RotorVehicle& vehicle_;
  const RotorModel& model_;
  vehicles::MultirotorParams<double, 4> params_;
  std::size_t delay_rows_ = 0;
  double delay_part_ = 0;
  Rotor rotor_;
  vehicles::Motion<double> motion_{};
  bool flying_ = false;
};

}  // namespace

const std::array<ParameterInfo, kCommonCount> kCommonInfo = {{{"motor drive", "1/s", 0.2, 10},
                                                              {"air load on a rotor", "1/rad", 5e-5, 2e-3},
                                                              {"delay", "s", 2e-4, 5e-3},
                                                              {"inertia x", "kg m2", 2e-7, 5e-6},
                                                              {"inertia y", "kg m2", 2e-7, 5e-6},
                                                              {"torque over thrust", "m", 1e-4, 3e-3},
                                                              {"rotor inertia", "kg m2", 5e-10, 3e-8},
                                                              {"rotor drag", "kg", 2e-8, 1e-6},
                                                              {"hub height", "m", 5e-4, 0.02},
                                                              {"thrust lost per axial speed", "s/m", 1e-3, 0.03},
                                                              {"supply sag", "-", 2e-3, 0.1},
                                                              {"supply drain", "1/s", 1e-5, 1e-3},
                                                              {"accelerometer x", "m", 2e-4, 0.01},
                                                              {"accelerometer y", "m", 2e-4, 0.01},
                                                              {"accelerometer z", "m", 2e-4, 0.01},
                                                              {"accelerometer bias x", "m/s2", 5e-3, 0.3},
                                                              {"accelerometer bias y", "m/s2", 5e-3, 0.3},
                                                              {"accelerometer bias z", "m/s2", 5e-3, 0.3}}};
const std::array<ParameterInfo, kOwnCount> kOwnInfo = {{{"no-load speed", "rad/s", 10, 1000},
                                                        {"centre of mass x", "m", 2e-5, 2e-3},
                                                        {"centre of mass y", "m", 2e-5, 2e-3},
                                                        {"yaw trim", "N m", 2e-7, 1e-4}}};

core::Result<RotorVehicle> make_rotor_vehicle(const airframe::MultirotorDef& def) {
  RotorVehicle v;
  v.def = def;
  core::Error error;
  error.file = def.name;
  error.message = "has no four rotors in a cross, as the recorded vehicle has";
  if (def.rotors.size() != 4) return error;
  std::array<bool, 4> driven{};
  for (std::size_t i = 0; i < 4; ++i) {
    const bool front = def.rotors[i].position[0] > 0, left = def.rotors[i].position[1] > 0;
    v.motor[i] = front ? (left ? 3u : 0u) : (left ? 2u : 1u);
    driven[v.motor[i]] = true;
  }
  if (!std::all_of(driven.begin(), driven.end(), [](bool b) { return b; })) return error;
  const core::Result<vehicles::MultirotorParams<double, 4>> params = airframe::derive<4>(def, EnvironmentDef{}, ControllerDef{}, kLogStep);
  if (!params) return params.error();
  v.params = params.value();
  return v;
}

RotorModel first_guess(const RotorVehicle& vehicle) {
  const airframe::MotorDef& motor = vehicle.def.motor;
  RotorModel m;
  // half of the lag of a motor at hover comes from its own back voltage, half from the air
  const double lag = (motor.time_constant_up + motor.time_constant_down) / 2, hover = airframe::figures(vehicle.def, kGravity).hover_speed;
  m.common[kDrive] = 0.5 / lag, m.common[kLoad] = 0.25 / (lag * hover), m.common[kDelay] = 0.005;
  m.common[kInertiaX] = vehicle.def.inertia[0], m.common[kInertiaY] = vehicle.def.inertia[1];
  m.common[kTorqueRatio] = airframe::figures(vehicle.def, kGravity).torque_ratio;
  m.common[kRotorInertia] = motor.inertia, m.common[kRotorDrag] = motor.drag;
  m.common[kHubHeight] = 0.01, m.common[kStall] = 0.01;
  const double command = 0.6;  // that hovers
  m.own[kNoLoadSpeed] = (hover + m.common[kLoad] * hover * hover / m.common[kDrive]) / command;
  return m;
}

AxisSamples fly(const RotorLog& log, const RotorVehicle& vehicle, const RotorModel& model) { return Flyer(log, vehicle, model).run(); }

}  // namespace volary::validation
