/* SPDX-FileCopyrightText: 2026 Volary contributors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A behaviour as a shared library: b = {extraction, trigger, logic, weight} behind a plain C interface, in SI units, east north up.
 * docs/scripts.md has the way from a file to a flight, examples/plugins/circle.cpp is a whole plugin.
 *
 * The library exports volary_plugin(). Its functions are called for many agents, from several threads at once, so they must depend on
 * their arguments alone: no globals, no clocks, no files. What an agent remembers is `memory_bytes` of plain numbers, all zero at the
 * start, which Volary snapshots and hashes; it must hold no pointers. The C math library gives other bits on other systems: take
 * sense->math instead (`volary plugin build` looks for it).
 */
#ifndef VOLARY_PLUGIN_H
#define VOLARY_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __FAST_MATH__
#error "a plugin built with -ffast-math would give other bits than Volary: build it with `volary plugin build`"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* changes with any change below; a library of another version is refused */
#define VOLARY_PLUGIN_VERSION 3u
#define VOLARY_MESSAGE_VALUES 12

typedef struct volary_vec {
  double x, y, z;
} volary_vec;

/* another agent, from the last state message that was heard of it */
typedef struct volary_known {
  uint64_t id, tick;
  volary_vec position, velocity, intent;
  double role;
} volary_known;

typedef struct volary_message {
  uint64_t from, to, tick;
  uint32_t topic, count; /* topic: volary_topic("name") */
  double values[VOLARY_MESSAGE_VALUES];
} volary_message;

typedef struct volary_detection {
  uint64_t id;
  uint32_t kind; /* volary_topic("airframe") */
  volary_vec position, velocity;
} volary_detection;

/* the nearest solid thing that its feelers reach (node.feeler); near is 0 when they touch nothing */
typedef struct volary_feel {
  volary_vec way;  /* m, from the vehicle to it */
  double distance; /* m, negative inside */
  uint32_t near;
} volary_feel;

/* elementary functions with the same bits everywhere */
typedef struct volary_math {
  double (*sin)(double);
  double (*cos)(double);
  double (*tan)(double);
  double (*asin)(double);
  double (*acos)(double);
  double (*atan2)(double y, double x);
  double (*exp)(double);
  double (*log)(double);
  double (*pow)(double x, double y);
} volary_math;

typedef enum volary_mode {
  VOLARY_DISARMED,
  VOLARY_ARMED,
  VOLARY_TAKING_OFF,
  VOLARY_HOLDING,
  VOLARY_MISSION,
  VOLARY_LANDING,
  VOLARY_EMERGENCY_STOP
} volary_mode;

/* all that a behaviour may know */
typedef struct volary_sense volary_sense;
struct volary_sense {
  uint64_t id, tick;
  double time, interval;         /* s; between decisions */
  volary_vec position, velocity; /* own estimate, never the truth itself */
  double yaw;                    /* rad */
  uint32_t mode;                 /* volary_mode */
  volary_vec home;
  double ground;                 /* m, height of the ground straight below */
  double ground_ahead;           /* m, highest ground below, close by and on the way of the next second */
  double max_speed, radius;      /* m/s, m */
  const volary_known* others;    /* the lowest id first */
  const volary_message* messages; /* in the order of hearing */
  const volary_detection* detections;
  size_t other_count, message_count, detection_count;
  double light, plume, sound;    /* what it perceives of each stimulus: lx, kg/m3, W/m2 */
  volary_feel solid;
  const double* params; /* in the order of volary_plugin_info::params */
  const volary_math* math;
  double (*uniform)(const volary_sense*, uint32_t draw); /* in [0, 1), keyed; draw: 0 to 255 */
  const void* host;                                      /* Volary's own */
};

typedef enum volary_action_kind { VOLARY_NONE, VOLARY_VELOCITY, VOLARY_POSITION, VOLARY_TAKE_OFF, VOLARY_HOLD, VOLARY_LAND, VOLARY_DISARM } volary_action_kind;

/* what act() answers; it comes in as "none", with reward 1 */
typedef struct volary_action {
  uint32_t kind;                 /* volary_action_kind */
  uint32_t turns;                /* whether yaw matters */
  volary_vec velocity, position; /* m/s, m */
  double yaw, reward, role;
} volary_action;

#define VOLARY_NO_ID UINT64_MAX

typedef struct volary_outbox volary_outbox;
struct volary_outbox {
  /* to = 0: to everybody; at most 12 values */
  void (*say)(volary_outbox*, uint32_t topic, uint64_t to, const double* values, uint32_t count);
  /* the same under another id, or without one: from = VOLARY_NO_ID; a receiver reads 0 then */
  void (*say_as)(volary_outbox*, uint64_t from, uint32_t topic, uint64_t to, const double* values, uint32_t count);
};

typedef struct volary_param {
  const char* name;
  double value; /* when the scenario says nothing */
  const char* doc;
} volary_param;

typedef struct volary_plugin_info {
  uint32_t version; /* VOLARY_PLUGIN_VERSION: first, for ever */
  uint32_t memory_bytes;
  const char* name;
  const char* doc;
  const volary_param* params;
  size_t param_count;
  double (*trigger)(const volary_sense*, const void* memory); /* null: always 1 */
  void (*act)(const volary_sense*, void* memory, volary_action*, volary_outbox*);
} volary_plugin_info;

#define VOLARY_PLUGIN_EXPORT __attribute__((visibility("default")))
VOLARY_PLUGIN_EXPORT const volary_plugin_info* volary_plugin(void);

/* names of topics and kinds as numbers: FNV-1a, folded to 32 bits */
static inline uint32_t volary_topic(const char* name) {
  uint64_t h = 0xcbf29ce484222325ull;
  for (; *name != 0; ++name) h = (h ^ (unsigned char)*name) * 0x100000001b3ull;
  return (uint32_t)(h ^ (h >> 32));
}

#ifdef __cplusplus
}
#endif

#endif
