// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Flies a circle about the place where it started, looking ahead, and counts the turns: a whole behaviour as a plugin.
//
//   volary plugin build examples/plugins/circle.cpp
#include <volary/plugin.h>

namespace {

const volary_param kParams[] = {{"radius", 10, "m"}, {"speed", 3, "m/s"}, {"height", 10, "m above the ground"}};
enum { kRadius, kSpeed, kHeight };

struct Memory {
  double angle;  // rad, of the last decision
  double turns;  // flown so far
  double begun;  // 0 at the first decision
};

constexpr double kPi = 3.141592653589793;

// on the ground it has nothing to say
double trigger(const volary_sense* s, const void*) { return s->mode == VOLARY_DISARMED ? 0 : 1; }

void act(const volary_sense* s, void* memory, volary_action* a, volary_outbox* out) {
  Memory& m = *static_cast<Memory*>(memory);
  const double x = s->position.x - s->home.x, y = s->position.y - s->home.y;
  const double angle = s->math->atan2(y, x);

  // anticlockwise; one turn is over where the angle jumps from pi to -pi
  if (m.begun != 0 && m.angle > kPi / 2 && angle < -kPi / 2) {
    m.turns += 1;
    out->say(out, volary_topic("turns"), 0, &m.turns, 1);
  }
  m.begun = 1;
  m.angle = angle;

  // along the circle, and back to it where it has left it
  const double radius = s->params[kRadius], speed = s->params[kSpeed];
  const double c = s->math->cos(angle), n = s->math->sin(angle);
  const double inwards = 0.5 * (c * x + n * y - radius);
  a->kind = VOLARY_VELOCITY;
  a->velocity.x = -n * speed - c * inwards;
  a->velocity.y = c * speed - n * inwards;
  a->velocity.z = s->ground + s->params[kHeight] - s->position.z;
  a->yaw = s->math->atan2(a->velocity.y, a->velocity.x);
  a->turns = 1;
}

const volary_plugin_info kInfo = {VOLARY_PLUGIN_VERSION, sizeof(Memory), "circle", "a circle about home", kParams, 3, trigger, act};

}  // namespace

const volary_plugin_info* volary_plugin(void) { return &kInfo; }
