// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The state rows of an agent, to the last bit, for tests that compare two of them, and an IMU that feels the rotors.
#pragma once

#include <cstdint>
#include <vector>

#include "math/rows.hpp"
#include "vehicles/model.hpp"

namespace volary::test {

struct Words {
  std::vector<std::uint64_t> all;
  void operator()(std::uint64_t& x) { all.push_back(x); }
  void operator()(double& x) { all.push_back(math::to_bits(x)); }
  void operator()(const math::Field&, auto& x) {
    using math::each_scalar;  // and those of rooms with types of their own
    each_scalar(x, *this);
  }
};
template <class Agent> std::vector<std::uint64_t> words_of(Agent a) {
  Words w;
  Agent::state(a, w);
  return w.all;
}

// noisy, away from the centre of mass, on a frame with a resonance
inline engine::FlockSetup shaken(bool by_truth) {
  engine::FlockSetup s;
  s.tick = 0.005, s.substeps = 4;
  s.imu = ImuDef{};
  s.imu->gyro = {.noise = 1e-3, .instability = 1e-4, .walk = 1e-4};
  s.imu->accelerometer = {.noise = 1e-2, .instability = 1e-3, .walk = 1e-3};
  s.imu->position_B = {0.1, 0.02, -0.03};
  s.imu->vibration.reference_speed = 600, s.imu->vibration.resonance = 120;
  s.imu->vibration.broadband_accelerometer_B = {0.1, 0.1, 0.1};
  s.imu->vibration.harmonics = {{1, {0.01, 0, 0}, {0.5, 0.4, 0.3}}, {2, {}, {0, 0, 0.2}}};
  s.control_on_truth = by_truth;
  return s;
}
// identity rows of a vehicle that is alone in its block
inline const std::vector<std::uint64_t> kAnyone(static_cast<std::size_t>(4 * math::kBlock), 11);

}  // namespace volary::test
