"""Lets PPO of Stable-Baselines3 learn basal rates, and judges what it learnt in whole scenarios.

    python Tests/python/programs/learn.py [STEPS]

A million steps unless told otherwise. It is a proof that an agent can learn here, and no result
about insulin: one adult, three meals of the same size at the same time every day, no boluses.
"""

import sys
import time

import numpy
from stable_baselines3 import PPO

from loopsim.gym import ScenarioEnv
from loopsim.patients import PatientEnv, day_of
from loopsim.sb3 import BatchVecEnv

PATIENT = "adult#001"


def judge(name, environment, policy):
    """Prints the return of a day and the share of readings from 70 to 180 mg/dL, over five days."""
    env = environment(day_of(PATIENT))
    total, within, count = 0.0, 0, 0
    for seed in range(1000, 1005):
        seen, _ = env.reset(seed=seed)
        over = False
        while not over:
            seen, reward, terminated, truncated, _ = env.step(policy(seen))
            over = terminated or truncated
            total += reward
            within += 70 <= seen[0] <= 180
            count += 1
    env.close()
    print(f"{name:24} return {total / 5:7.2f}   in range {100 * within / count:5.1f} %", flush=True)


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    env = BatchVecEnv(patient=PATIENT, num_envs=64, environment="patient")
    model = PPO("MlpPolicy", env, n_steps=256, batch_size=2048, n_epochs=5, seed=1)
    judge("the schedule", ScenarioEnv, lambda _: numpy.zeros(1, dtype=numpy.float32))
    start = time.monotonic()
    model.learn(steps)
    lasted = time.monotonic() - start
    print(f"{model.num_timesteps} steps in {lasted:.0f} s", flush=True)
    env.close()

    def learnt(seen):
        return model.predict(seen, deterministic=True)[0]

    judge("learnt, in Patient-v1", PatientEnv, learnt)
    judge("learnt, in Scenario-v1", ScenarioEnv, learnt)


if __name__ == "__main__":
    main()
