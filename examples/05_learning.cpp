// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Episodes of a task for agents that learn: a thousand worlds, and a simple rule in place of a policy. docs/learning.md describes the arrays.
#include <algorithm>
#include <cstdio>

#include "volary/learning.hpp"
#include "volary/scenario.hpp"

int main() {
  const auto def = volary::load_scenario(volary::home_folder() + "/scenarios/learn_hover.yaml", {}, {"worlds=1000"});
  if (!def) return std::puts(def.error.c_str()), 1;
  std::string error;
  const std::shared_ptr<volary::World> world = volary::World::create(*def.value, {.threads = 2}, &error);
  if (world == nullptr) return std::puts(error.c_str()), 1;
  const auto episodes = volary::Episodes::create(world, *def.value->learning, volary::Autoreset::NextStep, &error);
  if (episodes == nullptr) return std::puts(error.c_str()), 1;

  double sum = 0;
  int finished = 0;
  for (int step = 0; step < 1000; ++step) {
    for (std::size_t w = 0; w < episodes->worlds(); ++w) {
      const float* seen = episodes->observations().data() + w * episodes->observation_size();
      float* action = episodes->actions().data() + w * episodes->action_size();
      // tilt towards the goal and against the velocity; seen are to_goal, rotation, velocity, angular velocity
      const float pitch = 0.3f * seen[0] - 0.3f * seen[12], roll = -0.3f * seen[1] + 0.3f * seen[13];
      action[0] = 0.4f * seen[2] - 0.3f * seen[14];
      action[1] = 0.5f * (roll - seen[10]) - 0.05f * seen[15];
      action[2] = 0.5f * (pitch - seen[5]) - 0.05f * seen[16];
      action[3] = -0.1f * seen[17];
    }
    episodes->step();
    for (const float r : episodes->rewards()) sum += r;
    for (const std::uint8_t f : episodes->finished()) finished += f;
  }
  std::printf("%d episodes, mean reward of a step %.3f\n", finished, sum / 1e6);
  return sum > 0 ? 0 : 1;
}
