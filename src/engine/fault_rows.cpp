// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The rows of actuators with faults. A flock has them from its first fault on.
#include <algorithm>

#include "engine/columns.hpp"
#include "engine/faults.hpp"
#include "sensors/sensor.hpp"
#include "vehicles/actuator_faults.hpp"

namespace volary::engine {

namespace {

using vehicles::kActuatorRows;
using vehicles::kMostFaultDelay;
constexpr int kSurfaces = 3;

int rotors_of(const Flock& f) {
  const ColumnInfo* c = f.find_column("rotor_speed");
  return c == nullptr ? 0 : c->rows;
}
int actuators_of(const Flock& f) {
  if (f.find_column("steer") != nullptr) return 2;
  return rotors_of(f) + (f.find_column("servo") != nullptr ? kSurfaces : 0);
}
double parameter_of(const Flock& f, std::size_t slot, const char* name, int component) {
  const ColumnInfo* c = f.find_param(name);
  return c == nullptr || component >= c->rows ? 0 : f.parameter(slot, c->row + component);
}

std::byte* term(Flock& f, std::size_t slot, int actuator, int row) {
  return f.fault_rows.data() + element_offset(slot, f.n_fault_rows(), actuator * kActuatorRows + row, f.bytes);
}

// rotors that turn now go on at that command, so that a delay does not begin with a stop
void begin_terms(Flock& f, std::size_t slot) {
  for (int a = 0; a < actuators_of(f); ++a) {
    write_terms(f, slot, a, ActuatorTerms{});
    const double now = a < rotors_of(f) ? f.value(slot, f.find_column("rotor_speed")->row + a) : 0;
    for (int k = 0; k < kMostFaultDelay; ++k) write_scalar(term(f, slot, a, 3 + k), f.bytes, now);
  }
}

}  // namespace

int Flock::n_fault_rows() const { return actuators_of(*this) * kActuatorRows; }

int actuator_of(const Flock& f, Component c) {
  const bool is_car = f.find_column("steer") != nullptr;
  const auto index = static_cast<int>(c.index);
  switch (c.part) {
    // a rotor that the airframe does not have is padding, and cannot turn
    case Unit::Rotor: return index < rotors_of(f) && parameter_of(f, 0, "rotor.speed_max", index) > 0 ? index : -1;
    case Unit::Surface: return f.find_column("servo") != nullptr && index < kSurfaces ? rotors_of(f) + index : -1;
    case Unit::Steering: return is_car ? 0 : -1;
    case Unit::Drive: return is_car ? 1 : -1;
    default: return -1;
  }
}

double rotor_speed_of(const Flock& f, std::size_t slot, std::size_t rotor) {
  const ColumnInfo* c = f.find_column("rotor_speed");
  return c == nullptr || static_cast<int>(rotor) >= c->rows ? 0 : f.value(slot, c->row + static_cast<int>(rotor));
}

double command_of_rotor(const Flock& f, std::size_t slot, int rotor) {
  return f.fault_rows.size() == 0 ? 0 : read_scalar(term(const_cast<Flock&>(f), slot, rotor, 3), f.bytes);
}

double held_by(const Flock& f, std::size_t slot, Component c) {
  const auto share = [](double now, double full) { return full > 0 ? std::clamp(now / full, -1.0, 1.0) : 0.0; };
  const auto index = static_cast<int>(c.index);
  if (c.part == Unit::Rotor) return share(rotor_speed_of(f, slot, c.index), parameter_of(f, slot, "rotor.speed_max", index));
  if (c.part == Unit::Surface) return share(f.value(slot, f.find_column("servo")->row + index), parameter_of(f, slot, "surface.most", index));
  if (c.part == Unit::Steering) return share(f.value(slot, f.find_column("steer")->row), parameter_of(f, slot, "max_steer", 0));
  // what the drive did last is the newest of its past commands
  const int drive = actuator_of(f, c);
  return drive < 0 || f.fault_rows.size() == 0 ? 0 : read_scalar(term(const_cast<Flock&>(f), slot, drive, 3), f.bytes);
}

void write_terms(Flock& f, std::size_t slot, int actuator, const ActuatorTerms& t) {
  write_scalar(term(f, slot, actuator, 0), f.bytes, t.scale);
  write_scalar(term(f, slot, actuator, 1), f.bytes, t.offset);
  write_scalar(term(f, slot, actuator, 2), f.bytes, std::min(t.delay, static_cast<double>(kMostFaultDelay)));
}

void neutral_terms(Flock& f, std::size_t slot) {
  if (f.fault_rows.size() == 0) return;
  for (int a = 0; a < actuators_of(f); ++a) write_terms(f, slot, a, ActuatorTerms{});
}

int sense_fault_of(Component c) {
  if (c.part == Unit::Estimator) return sensors::kEstimatorFault;
  return static_cast<int>(c.part) - static_cast<int>(Unit::Gyro);
}
static_assert(static_cast<int>(Unit::Odometry) - static_cast<int>(Unit::Gyro) + 1 == sensors::kEstimatorFault);

void write_terms(Flock& f, std::size_t slot, int which, const SensorTerms& t) {
  const double values[sensors::kFaultTerms] = {t.scale, t.sigma, t.drop, t.hold, t.offset[0], t.offset[1], t.offset[2], t.delay};
  for (int k = 0; k < sensors::kFaultTerms; ++k)
    write_scalar(f.sense_faults.data() + element_offset(slot, sensors::kFaultRows, which * sensors::kFaultTerms + k, f.bytes), f.bytes, values[k]);
}

void neutral_sense_terms(Flock& f, std::size_t slot) {
  if (f.sense_faults.size() == 0) return;
  for (int which = 0; which <= sensors::kEstimatorFault; ++which) write_terms(f, slot, which, SensorTerms{});
}

void make_sense_fault_rows(Flock& f) {
  const std::size_t per_slot = static_cast<std::size_t>(sensors::kFaultRows) * static_cast<std::size_t>(f.bytes), have = f.sense_faults.size() / per_slot;
  if (have >= f.capacity) return;
  f.sense_faults.grow(f.capacity * per_slot);
  for (std::size_t slot = have; slot < f.capacity; ++slot) neutral_sense_terms(f, slot);
}

void make_fault_rows(Flock& f) {
  const std::size_t per_slot = static_cast<std::size_t>(f.n_fault_rows()) * static_cast<std::size_t>(f.bytes);
  const std::size_t have = per_slot == 0 ? f.capacity : f.fault_rows.size() / per_slot;
  if (have >= f.capacity) return;
  f.fault_rows.grow(f.capacity * per_slot);
  for (std::size_t slot = have; slot < f.capacity; ++slot) begin_terms(f, slot);
}

std::vector<std::byte> fault_rows_of(const Flock& f) { return {f.fault_rows.data(), f.fault_rows.data() + f.fault_rows.size()}; }

void use_fault_rows(Flock& f, std::span<const std::byte> rows) {
  f.sense_faults = f.make_column(0);  // written anew at the next tick
  f.fault_rows = f.make_column(0);
  if (rows.empty()) return;
  f.fault_rows.grow(rows.size());
  std::copy(rows.begin(), rows.end(), f.fault_rows.data());
  make_fault_rows(f);
}

bool fault_rows_fit(const Flock& f, std::size_t bytes, std::size_t slots) {
  if (bytes == 0) return true;
  const std::size_t block = static_cast<std::size_t>(f.n_fault_rows()) * kBlock * static_cast<std::size_t>(f.bytes);
  return block > 0 && bytes % block == 0 && bytes / block * kBlock >= slots;
}

}  // namespace volary::engine
