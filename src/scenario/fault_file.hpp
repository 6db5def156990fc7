// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The section `faults` of a scenario, planned and random ones. They are written as they are in the WorldDef; sensor_fields.hpp has the section `failsafe` of a flock.
#pragma once

#include <type_traits>

#include "core/describe.hpp"
#include "core/result.hpp"
#include "vehicles/components.hpp"
#include "volary/def.hpp"

namespace volary {

template <class D, class T> concept DescribesFaults = std::is_same_v<std::remove_const_t<D>, T>;

template <class D, class V> requires DescribesFaults<D, FaultDef>
void describe(D& d, V& v) {
  auto& f = d.fault;
  v.field("time", d.time, {.unit = "s", .min = 0, .max = 1e9, .required = true, .doc = "simulated time at which the fault begins, within the duration"});
  v.field("flock", d.flock, {.doc = "name of the flock of the vehicle; absent: every flock"});
  v.field("vehicle", d.vehicle, {.min = -1, .max = 1e9, .doc = "number of the vehicle in the flock, from 0; -1: all vehicles of the flock"});
  v.field("component", f.component,
          {.required = true, .doc = "component that fails: rotor[i], surface[i], steering, drive, a sensor such as gnss or imu.gyro, link or estimator"});
  v.field("kind", f.kind, {.required = true, .doc = "kind of fault; none: the component works again"});
  v.field("amount", f.amount, {.min = -1e8, .max = 1e8, .doc = "bias, drift per second or noise, in the unit of the component; factor of scale; s of delay"});
  v.field("probability", f.probability, {.min = 0, .max = 1, .doc = "probability of losing a command, a reading or a message (drop_out)"});
  v.field("mean_on", f.mean_on, {.unit = "s", .min = 0, .max = 1e6, .doc = "mean length of the windows in which the fault acts; 0: all the time"});
  v.field("mean_off", f.mean_off, {.unit = "s", .min = 0, .max = 1e6, .doc = "mean length of the windows between them"});
  v.field("duration", f.duration, {.unit = "s", .min = 0, .max = 1e9, .doc = "time for which the fault lasts; 0: for good"});
}
template <class D, class V> requires DescribesFaults<D, RandomFaultsDef>
void describe(D& d, V& v) {
  v.field("per_vehicle", d.per_vehicle, {.min = 0, .max = 16, .doc = "mean number of faults of a vehicle in a run; 0: none"});
  v.field("flocks", d.flocks, {.min = 0, .max = 1000, .doc = "names of the flocks that have random faults; empty: every flock"});
  v.field("components", d.components, {.min = 0, .max = 64, .doc = "components to draw from; a vehicle draws from those that it has"});
  v.field("kinds", d.kinds, {.min = 0, .max = 16, .doc = "kinds of faults to draw from"});
  v.field("from", d.from, {.unit = "s", .min = 0, .max = 1e9, .doc = "earliest time of a fault"});
  v.field("until", d.until, {.unit = "s", .min = 0, .max = 1e9, .doc = "latest time of a fault; 0: the end of the run"});
  v.field("severity", d.severity, {.min = 0, .max = 1, .doc = "least and greatest severity of a fault, drawn uniformly; docs/faults.md has the amounts"});
  v.field("duration", d.duration, {.unit = "s", .min = 0, .max = 1e9, .doc = "mean time for which a fault lasts; 0: for good"});
}
template <class D, class V> requires DescribesFaults<D, FaultsDef>
void describe(D& d, V& v) {
  v.field("planned", d.planned, {.min = 0, .max = 1e5, .doc = "faults at known times"});
  v.field("random", d.random, {.doc = "faults that are drawn for each vehicle and seed"});
  v.field("sensor_delay", d.sensor_delay, {.unit = "s", .min = 0, .max = 10, .doc = "longest delay of a sensor that an input may ask for while the world runs"});
}

}  // namespace volary

namespace volary::scenario {

struct ScenarioFile;

// what is wrong with a planned fault, or with the random ones; the error names the field
core::Status check_planned_fault(const ScenarioFile& file, std::size_t index);
core::Status check_random_faults(const ScenarioFile& file);
core::Status check_failsafe(const FailsafeDef& failsafe, const std::string& field);

}  // namespace volary::scenario
