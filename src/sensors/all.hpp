// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The list of sensors. The IMU is not in it: it is sampled inside the programs of vehicles (imu.hpp). A new sensor is a header, a test, a preset and a word
// here.
#pragma once

#include <concepts>

#include "core/type_list.hpp"
#include "sensors/airspeed.hpp"
#include "sensors/barometer.hpp"
#include "sensors/gnss.hpp"
#include "sensors/imu.hpp"
#include "sensors/magnetometer.hpp"
#include "sensors/motion_capture.hpp"
#include "sensors/odometry.hpp"
#include "sensors/optical_flow.hpp"
#include "sensors/range_finder.hpp"
#include "sensors/uwb_anchors.hpp"
#include "sensors/uwb_peers.hpp"

namespace volary::inline VOLARY_ISA::sensors {

using AllSensors = core::TypeList<Gnss, Barometer, Magnetometer, Airspeed, RangeFinder, OpticalFlow, UwbAnchors, UwbPeers, MotionCapture, Odometry>;

// the contract of sensor.hpp
template <class X, class T>
concept Sensor = requires(const SensorsDef& def, const EnvironmentDef& environment, const Truth<T>& truth, const Site<Scalar<T>>& site, const Draws<T>& draws,
                          const FaultTerms<T>& fault, const typename X::template Params<T>& p, typename X::template Memory<T>& memory,
                          const typename X::template Scene<T>& scene, const typename X::template Reading<T>& last) {
  { X::name } -> std::convertible_to<const char*>;
  { X::doc } -> std::convertible_to<const char*>;
  { X::kPurpose } -> std::convertible_to<Purpose>;
  { X::of(def) } -> std::same_as<const std::optional<typename X::Def>&>;
  { X::derive(*X::of(def), environment, 0.01) } -> std::same_as<typename X::template Params<double>>;
  { X::template clear<T>() } -> std::same_as<typename X::template Scene<T>>;
  { X::begin(p, draws) } -> std::same_as<typename X::template Memory<T>>;
  { X::measure(truth, site, scene, memory, last, p, fault, draws) } -> std::same_as<typename X::template Reading<T>>;
  { last.valid } -> std::convertible_to<Bits<T>>;
  { last.tick } -> std::convertible_to<Bits<T>>;
  requires sizeof(typename X::template Params<T>) % sizeof(T) == 0;
};
template <class... X> constexpr bool all_are_sensors(core::TypeList<X...>) { return (Sensor<X, float> && ...) && (Sensor<X, double> && ...); }
static_assert(all_are_sensors(AllSensors{}));

}  // namespace volary::inline VOLARY_ISA::sensors
