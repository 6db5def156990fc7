/* SPDX-FileCopyrightText: 2026 Volary contributors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The C interface of a sensor and of an estimator in a shared library. SI units, world frame east north up, body frame forward left up.
 * docs/sensors.md describes how to use one; examples/plugins/beacon.cpp is a complete one.
 *
 * The library exports volary_sensor(), volary_estimator() or both. Their functions are called for every vehicle after each tick, from several threads at
 * once. The rules of volary/plugin.h hold: the functions depend on their arguments alone; the memory of a vehicle is plain bytes, all zero at the start of
 * an episode, which Volary snapshots and hashes; elementary functions are those of `math`. A result that is not finite is refused and counted.
 */
#ifndef VOLARY_SENSOR_PLUGIN_H
#define VOLARY_SENSOR_PLUGIN_H

#include "volary/plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

/* version of this interface; a library of another version is refused */
#define VOLARY_SENSOR_PLUGIN_VERSION 1u
#define VOLARY_READING_VALUES 16
#define VOLARY_SENSOR_MEMORY 4096

/* the motion of a vehicle */
typedef struct volary_motion {
  volary_vec position, velocity; /* m, m/s */
  double attitude[4];            /* unit quaternion w x y z, body to world */
  volary_vec rate;               /* rad/s, body frame */
} volary_motion;

/* all information that a sensor gets */
typedef struct volary_measuring volary_measuring;
struct volary_measuring {
  uint64_t id, tick;       /* id of the vehicle; tick of the world of the state that is measured */
  double time, interval;   /* s of simulated time; s between two calls: a tick */
  volary_motion truth;     /* the true state */
  volary_vec wind;         /* m/s, at the vehicle */
  double air_density;      /* kg/m3 */
  const double* params;    /* values in the order of volary_sensor_info::params */
  const volary_math* math;
  double (*uniform)(const volary_measuring*, uint32_t draw); /* random draw number `draw` (0 to 63) of this tick, in [0, 1); equal in every run */
  const void* host;        /* for Volary only */
};

/* the description of a sensor */
typedef struct volary_sensor_info {
  uint32_t version;      /* VOLARY_SENSOR_PLUGIN_VERSION; always the first member, in all versions */
  uint32_t memory_bytes; /* bytes of memory per vehicle, at most VOLARY_SENSOR_MEMORY */
  const char* name;
  const char* doc;
  const volary_param* params;
  size_t param_count;
  uint32_t size; /* numbers of a reading, 1 to VOLARY_READING_VALUES */
  /* fills in the numbers of a new reading and returns 1, or returns 0: there is no new one in this tick */
  uint32_t (*measure)(const volary_measuring*, void* memory, double* values);
} volary_sensor_info;

/* all information that an estimator gets: nothing of the true state */
typedef struct volary_estimating {
  uint64_t id, tick;              /* id of the vehicle; tick of the world of the state that is estimated */
  double time, interval;          /* s of simulated time; s between two calls: a tick */
  volary_motion carried;          /* the last estimate, carried on by the IMU to this tick */
  const volary_reading* readings; /* readings that have arrived; volary_find_in() finds one by its name */
  size_t reading_count;
  const double* params;           /* values in the order of volary_estimator_info::params */
  const volary_math* math;
} volary_estimating;

/* the result of an estimator; on entry it is the carried estimate and the last standard deviation */
typedef struct volary_estimate {
  volary_motion motion;
  double position_std; /* m, on each axis */
} volary_estimate;

/* the description of an estimator */
typedef struct volary_estimator_info {
  uint32_t version;      /* VOLARY_SENSOR_PLUGIN_VERSION; always the first member, in all versions */
  uint32_t memory_bytes; /* bytes of memory per vehicle, at most VOLARY_SENSOR_MEMORY */
  const char* name;
  const char* doc;
  const volary_param* params;
  size_t param_count;
  void (*estimate)(const volary_estimating*, void* memory, volary_estimate*);
} volary_estimator_info;

/* the functions that a library of a sensor or an estimator exports */
VOLARY_PLUGIN_EXPORT const volary_sensor_info* volary_sensor(void);
VOLARY_PLUGIN_EXPORT const volary_estimator_info* volary_estimator(void);

#ifdef __cplusplus
}
#endif

#endif
