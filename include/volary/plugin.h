/* SPDX-FileCopyrightText: 2026 Volary contributors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The C interface of a behaviour in a shared library: b = {extraction, trigger, logic, weight}. SI units, world frame east north up, angles in rad.
 * docs/scripts.md describes how to build and run a plugin; examples/plugins/circle.cpp is a complete one.
 *
 * The library exports volary_plugin(). Its functions are called for many agents, from several threads at once. They must depend on their
 * arguments alone: no globals, no clocks, no files. The memory of an agent is `memory_bytes` of plain numbers, all zero at the start. Volary
 * snapshots and hashes it, so it must not contain pointers. The C math library gives different bits on different systems: use sense->math
 * instead (`volary plugin build` refuses a library that uses the C math library).
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

/* version of this interface; a library of another version is refused */
#define VOLARY_PLUGIN_VERSION 4u
#define VOLARY_MESSAGE_VALUES 12

/* three numbers: east, north, up */
typedef struct volary_vec {
  double x, y, z;
} volary_vec;

/* the state of a neighbour, from its last state message that was received */
typedef struct volary_known {
  uint64_t id, tick;                     /* tick: when the message was sent */
  volary_vec position, velocity, intent; /* m, m/s, m/s; intent: the velocity that it wanted */
  double role;
} volary_known;

/* a message that was received */
typedef struct volary_message {
  uint64_t from, to, tick; /* ids of sender and addressee (0: all vehicles); tick at which it was sent */
  uint32_t topic, count; /* topic: volary_topic("name") */
  double values[VOLARY_MESSAGE_VALUES];
} volary_message;

/* a vehicle that is detected */
typedef struct volary_detection {
  uint64_t id;
  uint32_t kind;                 /* volary_topic("name of its airframe") */
  volary_vec position, velocity; /* m, m/s */
} volary_detection;

/* the nearest terrain or obstacle within the distance node.obstacle_range; near is 0 when there is none */
typedef struct volary_obstacle {
  volary_vec offset; /* m, from the vehicle to the terrain or obstacle */
  double distance; /* m, negative inside */
  uint32_t near;
} volary_obstacle;

/* a reading of a sensor of the vehicle, or a quantity that its estimator knows; docs/sensors.md lists the names */
typedef struct volary_reading {
  const char* name;     /* "gnss.position", "estimate.position_std" */
  const double* values; /* null: this vehicle does not carry the sensor */
  size_t count;
} volary_reading;

/* elementary functions with the same bits on every machine */
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

/* flight modes */
typedef enum volary_mode {
  VOLARY_DISARMED,
  VOLARY_ARMED,
  VOLARY_TAKING_OFF,
  VOLARY_HOLDING,
  VOLARY_MISSION,
  VOLARY_LANDING,
  VOLARY_EMERGENCY_STOP
} volary_mode;

/* all information that a behaviour gets */
typedef struct volary_sense volary_sense;
struct volary_sense {
  uint64_t id, tick;             /* id of the vehicle; tick of the world */
  double time, interval;         /* s of simulated time; s between decisions */
  volary_vec position, velocity; /* m, m/s: the vehicle's own estimate, not the true state */
  double yaw;                    /* rad, from east towards north */
  uint32_t mode;                 /* volary_mode */
  volary_vec home;               /* m, start position */
  double ground;                 /* m, height of the ground straight below the vehicle */
  double ground_ahead;           /* m, highest ground below the vehicle, close to it and on its way of the next second */
  double max_speed, radius;      /* m/s, m: speed that the vehicle can fly; radius of its body */
  const volary_known* others;    /* neighbour states, the lowest id first */
  const volary_message* messages; /* in the order of reception */
  const volary_detection* detections;
  size_t other_count, message_count, detection_count;
  double light, plume, sound;    /* perceived stimuli: lx, kg/m3, W/m2 */
  volary_obstacle obstacle;      /* nearest terrain or obstacle */
  const volary_reading* readings; /* of the sensors and the estimator of the flock; volary_find_reading() finds one by its name */
  size_t reading_count;
  const double* params; /* values in the order of volary_plugin_info::params */
  const volary_math* math;
  double (*uniform)(const volary_sense*, uint32_t draw); /* random draw number `draw` (0 to 255) of this decision, in [0, 1); equal in every run */
  const void* host;                                      /* for Volary only */
};

/* kinds of actions */
typedef enum volary_action_kind { VOLARY_NONE, VOLARY_VELOCITY, VOLARY_POSITION, VOLARY_TAKE_OFF, VOLARY_HOLD, VOLARY_LAND, VOLARY_DISARM } volary_action_kind;

/* the action that act() fills in; on entry its kind is VOLARY_NONE and its reward 1 */
typedef struct volary_action {
  uint32_t kind;                 /* volary_action_kind */
  uint32_t turns;                /* 1: the vehicle turns to `yaw`; 0: `yaw` is ignored */
  volary_vec velocity, position; /* m/s, m */
  double yaw, reward, role;      /* yaw in rad, from east towards north */
} volary_action;

/* the sender of an anonymous message, for say_as */
#define VOLARY_NO_ID UINT64_MAX

/* the way to send messages, and to tell people who debug the plugin what it does */
typedef struct volary_outbox volary_outbox;
struct volary_outbox {
  /* sends a message of at most 12 values to the vehicle with the id `to`; 0: to all vehicles */
  void (*say)(volary_outbox*, uint32_t topic, uint64_t to, const double* values, uint32_t count);
  /* the same under another id, or without one: from = VOLARY_NO_ID; a receiver reads 0 then */
  void (*say_as)(volary_outbox*, uint64_t from, uint32_t topic, uint64_t to, const double* values, uint32_t count);
  /* adds a line to the events of the run. A line has at most 200 bytes of UTF-8; 8 lines per decision and 20 per second and vehicle are kept. Neither the state nor its hash changes */
  void (*log)(volary_outbox*, const char* text);
  /* sets a named number of this vehicle for plots and exports: at most 32 letters, digits and _; the value must be finite */
  void (*plot)(volary_outbox*, const char* name, double value);
};

/* a parameter of the behaviour */
typedef struct volary_param {
  const char* name;
  double value; /* default, used when the scenario does not set the parameter */
  const char* doc;
} volary_param;

/* the description of a plugin */
typedef struct volary_plugin_info {
  uint32_t version;      /* VOLARY_PLUGIN_VERSION; always the first member, in all versions */
  uint32_t memory_bytes; /* bytes of memory per agent, at most 65536 */
  const char* name;
  const char* doc;
  const volary_param* params;
  size_t param_count;
  double (*trigger)(const volary_sense*, const void* memory); /* null: always 1 */
  void (*act)(const volary_sense*, void* memory, volary_action*, volary_outbox*);
} volary_plugin_info;

#define VOLARY_PLUGIN_EXPORT __attribute__((visibility("default")))
/* the function that every plugin exports */
VOLARY_PLUGIN_EXPORT const volary_plugin_info* volary_plugin(void);

/* the values of a reading of a list; null: it is not in the list, or this vehicle does not carry the sensor */
static inline const double* volary_find_in(const volary_reading* readings, size_t count, const char* name) {
  for (size_t i = 0; i < count; ++i) {
    const char *a = readings[i].name, *b = name;
    while (*a != 0 && *a == *b) ++a, ++b;
    if (*a == *b) return readings[i].values;
  }
  return 0;
}
/* the values of a reading; null: the flock or this vehicle does not have it */
static inline const double* volary_find_reading(const volary_sense* sense, const char* name) {
  return volary_find_in(sense->readings, sense->reading_count, name);
}

/* converts the name of a topic or kind to a number: FNV-1a, folded to 32 bits */
static inline uint32_t volary_topic(const char* name) {
  uint64_t h = 0xcbf29ce484222325ull;
  for (; *name != 0; ++name) h = (h ^ (unsigned char)*name) * 0x100000001b3ull;
  return (uint32_t)(h ^ (h >> 32));
}

#ifdef __cplusplus
}
#endif

#endif
