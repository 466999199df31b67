"""The environments, with Gymnasium."""

import pickle
import subprocess
import sys
import unittest
import warnings
from pathlib import Path

import gymnasium
import numpy
from gymnasium.utils.env_checker import check_env

import loopsim
import loopsim.gym
from test_loopsim import EVENING


def episode(env: gymnasium.Env, seed: int) -> tuple[list, list]:
    """The observations and rewards of one episode with actions that the seed decides."""
    actions = numpy.random.default_rng(seed)
    seen, info = env.reset(seed=seed)
    observations, rewards = [seen], []
    over = False
    while not over:
        action = actions.uniform(-1, 1, size=env.action_space.shape).astype(numpy.float32)
        seen, reward, terminated, truncated, info = env.step(action)
        observations.append(seen)
        rewards.append(reward)
        over = terminated or truncated
    return observations, rewards


class Environments(unittest.TestCase):
    def test_gymnasium_finds_nothing_wrong(self) -> None:
        env = gymnasium.make("loopsim/Scenario-v1", scenario=EVENING)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            check_env(env.unwrapped, skip_render_check=True)
        env.close()

    def test_the_seed_decides_everything(self) -> None:
        env = loopsim.gym.ScenarioEnv(EVENING)
        one, two = episode(env, 5), episode(env, 5)
        numpy.testing.assert_array_equal(one[0], two[0])
        self.assertEqual(one[1], two[1])
        self.assertEqual(len(one[1]), 49)
        self.assertFalse(numpy.isnan(numpy.array(one[0])).any())
        other = episode(env, 6)
        self.assertTrue((numpy.array(one[0]) != numpy.array(other[0])).any())
        code = (
            "import test_gym as t, loopsim.gym, numpy; "
            "print(repr(t.episode(loopsim.gym.ScenarioEnv(t.EVENING), 5)[1]))"
        )
        printed = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=True,
            cwd=Path(__file__).parent,
        ).stdout
        self.assertEqual(printed.strip(), repr(one[1]))

    def test_a_reset_that_is_refused_leaves_an_environment_that_can_begin(self) -> None:
        wrong = {"overrides": {"nowhere.at.all": 1}}
        env = loopsim.gym.ScenarioEnv(EVENING)
        first, _ = env.reset(seed=4)
        with self.assertRaisesRegex(ValueError, "unknown options"):
            env.reset(options={"oops": 1})
        env.step(numpy.zeros(1, dtype=numpy.float32))
        with self.assertRaises(loopsim.LoopsimError):
            env.reset(options=wrong)
        with self.assertRaisesRegex(ValueError, "no episode is under way"):
            pickle.loads(pickle.dumps(env)).step(numpy.zeros(1, dtype=numpy.float32))
        numpy.testing.assert_array_equal(env.reset(seed=4)[0], first)
        env.close()
        many = loopsim.gym.ScenarioVectorEnv(EVENING, 2)
        first, _ = many.reset(seed=4)
        with self.assertRaisesRegex(ValueError, "unknown options"):
            many.reset(options={"oops": 1})
        many.step(numpy.zeros((2, 1), dtype=numpy.float32))
        with self.assertRaises(loopsim.LoopsimError):
            many.reset(options=wrong)
        with self.assertRaisesRegex(ValueError, "no episode is under way"):
            many.step(numpy.zeros((2, 1), dtype=numpy.float32))
        numpy.testing.assert_array_equal(many.reset(seed=4)[0], first)
        many.close()

    def test_a_member_is_the_same_whatever_the_number_of_members(self) -> None:
        def live(members: int) -> tuple:
            env = loopsim.gym.ScenarioVectorEnv(EVENING, members)
            seen, _ = env.reset(seed=9)
            observations, rewards = [seen[0].copy()], []
            for _ in range(60):
                actions = numpy.full((members, 1), 0.1, dtype=numpy.float32)
                seen, reward, *_ = env.step(actions)
                observations.append(seen[0].copy())
                rewards.append(float(reward[0]))
            env.close()
            return numpy.array(observations), rewards

        one = live(1)
        for members in (7, 64):
            more = live(members)
            numpy.testing.assert_array_equal(one[0], more[0])
            self.assertEqual(one[1], more[1])

    def test_a_bolus_that_the_pump_does_not_take_is_not_seen_as_given(self) -> None:
        fault = {"during": ["00:00", "+30m"], "pump": {"reject": {"what": "tempBasal"}}}
        env = loopsim.gym.ScenarioEnv(
            {**EVENING, "faults": [fault]}, action="basal+bolus", observe=["bolus", "basal_rate"],
        )
        env.reset(seed=1)
        seen = [env.step([1.5, 0.5])[0].tolist() for _ in range(7)]
        self.assertEqual(seen[:6], [[0, 1]] * 6)
        self.assertEqual(seen[6], [0.5, 1.5])

    def test_the_rate_is_that_of_the_schedule_where_the_pump_is_not_heard_from(self) -> None:
        fault = {"during": ["00:07", "+90m"], "pump": {"commLoss": {}}}
        env = loopsim.gym.ScenarioEnv(
            {**EVENING, "faults": [fault]}, action="basal", observe=["basal_rate"],
        )
        env.reset(seed=1)
        seen = [float(env.step([2.0])[0][0]) for _ in range(9)]
        # The temp basal of 00:00 was to end at 00:30; those of later do not come through.
        self.assertEqual(seen, [2.0] * 5 + [1.0] * 4)

    def test_what_is_left_is_counted_without_the_clock_of_the_phone(self) -> None:
        # 100 g from 01:00 on take the glucose above 122 mg/dL at 01:10, with 10 of 24 cycles to go.
        for by in ["2h", "-2h"]:
            env = loopsim.gym.ScenarioEnv({
                "format": "loopsim/1", "clock": {"duration": "2h"},
                "patient": {"model": "bergman", "initialGlucose": 120},
                "therapy": {"basal": [["00:00", 1]], "sensitivity": [["00:00", 50]],
                            "carbRatio": [["00:00", 10]]},
                "events": [{"at": "01:00", "meal": {"grams": 100}, "entry": False}],
                "faults": [{"at": "00:30", "app": {"clockJump": {"by": by}}}],
            }, limits=(10, 122), action="basal", reward="range")
            env.reset(seed=1)
            over, rewards = False, []
            while not over:
                _, reward, over, _, _ = env.step(numpy.ones(1, dtype=numpy.float32))
                rewards.append(reward)
            self.assertEqual(rewards, [1.0] * 13 + [1.0 - 10])

    def test_an_episode_in_which_nobody_is_asked_is_over_with_the_first_step(self) -> None:
        scenario = {
            "format": "loopsim/1", "clock": {"duration": "30m"}, "patient": {"model": "bergman"},
            "therapy": {"basal": [["00:00", 1]], "sensitivity": [["00:00", 50]],
                        "carbRatio": [["00:00", 10]]},
            "faults": [{"during": ["+0m", "31m"], "phone": {"off": {}}}],
        }
        env = loopsim.gym.ScenarioEnv(scenario)
        many = loopsim.gym.ScenarioVectorEnv(scenario, 2)
        for runs in [env, many]:
            seen, _ = runs.reset(seed=1)
            self.assertFalse(seen.any())
            _, reward, terminated, truncated, _ = runs.step(
                numpy.zeros(runs.action_space.shape, dtype=numpy.float32))
            self.assertFalse(numpy.any(reward) or numpy.any(terminated))
            self.assertTrue(numpy.all(truncated))
        self.assertEqual(pickle.loads(pickle.dumps(env)).result().digest, env.result().digest)
        many.close()

    def test_wrong_words_are_refused(self) -> None:
        with self.assertRaises(ValueError):
            loopsim.gym.ScenarioEnv(EVENING, observe=["cmg"])
        with self.assertRaises(ValueError):
            loopsim.gym.ScenarioEnv(EVENING, action="bolus")
        for make in (
            lambda **words: loopsim.gym.ScenarioEnv(EVENING, **words),
            lambda **words: loopsim.gym.ScenarioVectorEnv(EVENING, 2, **words),
            lambda **words: gymnasium.make_vec(
                "loopsim/Patient-v1", num_envs=2, vectorization_mode="vector_entry_point",
                patient="adult#001", **words),
        ):
            with self.assertRaisesRegex(ValueError, "observe names nothing; there are"):
                make(observe=[])
            for limits in ((600, 10), (100, 100), (float("nan"), 600)):
                with self.assertRaisesRegex(ValueError, "limits are a lower and a higher glucose"):
                    make(limits=limits)
        with self.assertRaisesRegex(ValueError, "magni"):
            loopsim.gym.ScenarioEnv(EVENING, reward="magna")
        with self.assertRaisesRegex(ValueError, "reset()"):
            loopsim.gym.ScenarioEnv(EVENING).step([0.0])


if __name__ == "__main__":
    unittest.main()
