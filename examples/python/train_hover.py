# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
"""Trains a Crazyflie to hover with PPO of Stable-Baselines3: 256 worlds in one process, thrust and body rates as actions.

    pip install "volary[gym]" stable-baselines3
    python train_hover.py [STEPS]           STEPS: of all worlds together; default 3000000

This is an example that the tests do not run, because it needs PyTorch. It is written for Stable-Baselines3 2.x.
"""

import sys

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from stable_baselines3 import PPO
from stable_baselines3.common.vec_env import VecEnv

import volary.envs  # registers the environments


class Worlds(VecEnv):
    """A VectorEnv of Gymnasium as a VecEnv of Stable-Baselines3. Both reset a world in the step in which its episode ends, so the mode is SAME_STEP."""

    def __init__(self, envs: gymnasium.vector.VectorEnv) -> None:
        if envs.metadata["autoreset_mode"] != AutoresetMode.SAME_STEP:
            raise ValueError("Worlds: make the environment with autoreset_mode='SAME_STEP'")
        self.envs, self._actions = envs, None
        super().__init__(envs.num_envs, envs.single_observation_space, envs.single_action_space)

    def reset(self):
        # one seed for the whole batch: each world draws by its number
        observations, _ = self.envs.reset(seed=self._seeds[0])
        self._reset_seeds()
        return observations

    def step_async(self, actions):
        self._actions = actions

    def step_wait(self):
        observations, rewards, terminated, truncated, infos = self.envs.step(self._actions)
        done = terminated | truncated
        given = [{} for _ in range(self.num_envs)]
        for k in np.flatnonzero(done):
            # the value of the last observation counts where only the time limit ended the episode
            given[k] = {"terminal_observation": infos["final_obs"][k], "TimeLimit.truncated": bool(truncated[k] and not terminated[k]),
                        "episode": {"r": float(infos["episode"]["r"][k]), "l": int(infos["episode"]["l"][k])}}
        return observations, rewards, done, given

    def close(self):
        self.envs.close()

    # the worlds are one object, so an attribute or a method of it is that of every world
    def get_attr(self, attr_name, indices=None):
        return [getattr(self.envs, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name, value, indices=None):
        setattr(self.envs, attr_name, value)

    def env_method(self, method_name, *arguments, indices=None, **keywords):
        result = getattr(self.envs, method_name)(*arguments, **keywords)
        return [result for _ in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class, indices=None):
        return [False for _ in self._get_indices(indices)]


def make(worlds: int) -> Worlds:
    return Worlds(gymnasium.make_vec("volary/Hover-v0", num_envs=worlds, vectorization_mode="vector_entry_point", autoreset_mode="SAME_STEP"))


def evaluate(model: PPO, worlds: int = 100) -> tuple[float, float]:
    """Mean return, and the share of episodes that last to the time limit, over the first episode of each world of a seed that the training has not seen."""
    envs = make(worlds)
    envs.seed(1000)
    observations, over = envs.reset(), np.zeros(worlds, bool)
    returns, lasted = np.zeros(worlds), np.zeros(worlds, bool)
    while not over.all():
        actions, _ = model.predict(observations, deterministic=True)
        observations, rewards, done, infos = envs.step(actions)
        returns += np.where(over, 0, rewards)
        for k in np.flatnonzero(done & ~over):
            lasted[k] = infos[k]["TimeLimit.truncated"]
        over |= done
    return float(returns.mean()), float(lasted.mean())


if __name__ == "__main__":
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 3_000_000
    # 256 worlds and 64 steps: 16384 samples for each update
    model = PPO("MlpPolicy", make(256), n_steps=64, batch_size=4096, n_epochs=5, gamma=0.99, learning_rate=1e-3, seed=1, device="cpu", verbose=1,
                policy_kwargs={"net_arch": [64, 64], "log_std_init": -1.0})
    print("before: mean return {:.1f}, {:.0%} of the episodes last to the time limit".format(*evaluate(model)))
    model.learn(steps)
    print("after: mean return {:.1f}, {:.0%} of the episodes last to the time limit".format(*evaluate(model)))
    model.save("hover.zip")
