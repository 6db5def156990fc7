// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The simulator interface of PX4 (https://docs.px4.io/main/en/simulation/, MAVLink over TCP). HIL_SENSOR of sensor 0 drives PX4's clock; once PX4 is up, each is
// answered by one HIL_ACTUATOR_CONTROLS of the same time. Before that none comes.
#pragma once

#include "autopilot/lockstep/protocol.hpp"

namespace volary::autopilot {

// which fields of HIL_SENSOR are new; PX4 takes a sensor only when all its bits are set
struct SensorBits {
  static constexpr std::uint32_t kInertial = 0x003f, kMagnetic = 0x01c0, kDynamicPressure = 0x0400, kBarometer = 0x1a00;
};

class Px4Protocol final : public Protocol {
 public:
  void feed(const Measured& measured, std::uint64_t time_us) override;
  void received(std::span<const std::byte> bytes) override;
  void take_sends(mavlink::Bytes& out) override;
  bool has_answered() const override { return has_answered_; }
  bool is_booting() const override { return !is_up_; }
  Command command() const override { return command_; }
  std::string fault() const override { return fault_; }

 private:
  void answer(const mavlink::HilActuatorControls& message);

  mavlink::Parser parser_;
  mavlink::Writer writer_{1, 200};  // the simulator is component 200
  mavlink::Bytes sends_;
  std::uint64_t time_us_ = 0;
  bool is_up_ = false, has_answered_ = false;
  Command command_;
  std::string fault_;
};

mavlink::HilSensor sensor_message(const Measured& m, std::uint64_t time_us);
mavlink::HilGps gps_message(const Measured& m, std::uint64_t time_us);
mavlink::DistanceSensor distance_message(const Measured& m, std::uint64_t time_us);
Command command_of(const mavlink::HilActuatorControls& message);

}  // namespace volary::autopilot
