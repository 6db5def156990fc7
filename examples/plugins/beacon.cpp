// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A sensor and an estimator in one library: a radio that measures the distance to a beacon, and an estimator that corrects the estimate of the IMU towards GNSS.
//   volary plugin build examples/plugins/beacon.cpp
//   volary run examples/plugins/beacon.yaml
#include <volary/sensor_plugin.h>

namespace {

// ---------------------------------------------------------------- the sensor

struct RadioMemory {
  uint64_t readings;
};
const volary_param kRadioParams[] = {{"x", 0, "m, place of the beacon to the east"},
                                     {"y", 0, "m, to the north"},
                                     {"z", 0, "m, up"},
                                     {"noise", 0.1, "m, greatest error of a distance"},
                                     {"every", 10, "ticks between two readings"}};

double square_root(double x) {
  double root = x > 1 ? x : 1;
  for (int k = 0; k < 60; ++k) root = 0.5 * (root + x / root);
  return root;
}

uint32_t measure(const volary_measuring* m, void* memory, double* values) {
  const double* const p = m->params;
  const uint64_t every = p[4] >= 1 ? static_cast<uint64_t>(p[4]) : 1;
  if (m->tick % every != 0) return 0;
  RadioMemory& r = *static_cast<RadioMemory*>(memory);
  const double x = m->truth.position.x - p[0], y = m->truth.position.y - p[1], z = m->truth.position.z - p[2];
  values[0] = square_root(x * x + y * y + z * z) + p[3] * (2 * m->uniform(m, 0) - 1);
  values[1] = static_cast<double>(++r.readings);
  return 1;
}

// ---------------------------------------------------------------- the estimator

struct FilterMemory {
  uint64_t seen;  // tick of the last fix that was used, and one
};
const volary_param kFilterParams[] = {{"position_gain", 0.3, "share of the difference to a fix by which the position is corrected"},
                                      {"velocity_gain", 0.1, "the same for the velocity, in 1/s"}};

void correct(volary_vec& v, const double* seen, const volary_vec& believed, double gain) {
  v.x += gain * (seen[0] - believed.x), v.y += gain * (seen[1] - believed.y), v.z += gain * (seen[2] - believed.z);
}

void estimate(const volary_estimating* e, void* memory, volary_estimate* out) {
  FilterMemory& f = *static_cast<FilterMemory*>(memory);
  const double* const fix = volary_find_in(e->readings, e->reading_count, "gnss.position");
  const double* const valid = volary_find_in(e->readings, e->reading_count, "gnss.valid");
  const double* const tick = volary_find_in(e->readings, e->reading_count, "gnss.tick");
  if (fix == nullptr || *valid == 0 || f.seen == static_cast<uint64_t>(*tick) + 1) return;
  f.seen = static_cast<uint64_t>(*tick) + 1;
  correct(out->motion.position, fix, e->carried.position, e->params[0]);
  correct(out->motion.velocity, fix, e->carried.position, e->params[1]);
  out->position_std = 1;
}

const volary_sensor_info kRadio = {VOLARY_SENSOR_PLUGIN_VERSION, sizeof(RadioMemory), "beacon", "distance to a beacon, and the number of readings so far",
                                   kRadioParams, 5, 2, measure};
const volary_estimator_info kFilter = {VOLARY_SENSOR_PLUGIN_VERSION, sizeof(FilterMemory), "fixed gains", "GNSS corrects the IMU with fixed gains",
                                       kFilterParams, 2, estimate};

}  // namespace

const volary_sensor_info* volary_sensor(void) { return &kRadio; }
const volary_estimator_info* volary_estimator(void) { return &kFilter; }
