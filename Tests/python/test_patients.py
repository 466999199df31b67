"""Bodies with pump and sensor as environments, with Gymnasium."""

import pickle
import unittest
import warnings

import gymnasium
import numpy
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

import loopsim
import loopsim.gym
from loopsim.patients import PatientEnv, PatientVectorEnv, day_of


def lived(env, steps: int, seed: int) -> tuple[list, list, list]:
    """Observations, rewards and ends of some steps with actions that the seed decides."""
    actions = numpy.random.default_rng(seed)
    seen = [env.reset(seed=seed)[0]]
    rewards, ends = [], []
    for _ in range(steps):
        action = actions.uniform(-1, 1, size=env.action_space.shape).astype(numpy.float32)
        observation, reward, terminated, truncated, _ = env.step(action)
        seen.append(observation)
        rewards.append(reward)
        ends.append((terminated, truncated))
    return seen, rewards, ends


class Patients(unittest.TestCase):
    def vector(self, number: int, **parameters) -> PatientVectorEnv:
        env = PatientVectorEnv(num_envs=number, patient="adolescent#003", **parameters)
        self.addCleanup(env.close)
        return env

    def test_gymnasium_finds_nothing_wrong(self) -> None:
        env = gymnasium.make("loopsim/Patient-v1", patient="adult#001")
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            check_env(env.unwrapped)
        self.assertEqual([str(one.message) for one in told if "fps" in str(one.message)], [])
        env.close()

    def test_a_closed_environment_says_that_it_is_closed(self) -> None:
        for env in PatientEnv(patient="adult#002"), self.vector(2):
            env.reset(seed=1)
            env.close()
            with self.assertRaisesRegex(ValueError, "is closed; make another"):
                env.reset(seed=2)

    def test_a_day_has_as_many_steps_as_cycles(self) -> None:
        env = PatientEnv(patient="adult#002")
        self.addCleanup(env.close)
        one, two = (
            [env.reset(seed=4)[0], *(env.step([0.0])[0] for _ in range(288))] for _ in range(2)
        )
        numpy.testing.assert_array_equal(one, two)
        _, reward, terminated, truncated, _ = env.step([0.0])
        self.assertEqual((reward, terminated, truncated), (0.0, False, True))

    def both(self, scenario: dict, **parameters) -> list:
        """The environment of a scenario, and the one without app."""
        found = [kind(scenario, **parameters) for kind in (loopsim.gym.ScenarioEnv, PatientEnv)]
        for env in found:
            self.addCleanup(env.close)
        return found

    def test_what_is_over_takes_no_further_step(self) -> None:
        scenario = {**day_of("adult#002"), "clock": {"duration": "10m"}, "events": []}
        for limits in [(10, 600), (500, 600)]:
            for env in self.both(scenario, limits=limits):
                env.reset(seed=4)
                while not any(env.step([0.0])[2:4]):
                    pass
                for step in (env.step, pickle.loads(pickle.dumps(env)).step):
                    with self.assertRaisesRegex(ValueError, "no episode is under way"):
                        step([0.0])

    def test_an_action_in_single_precision_is_what_it_is_written_as(self) -> None:
        scenario = {**day_of("adult#002"), "clock": {"duration": "1h"}, "events": []}
        scenario["therapy"] = {"maxBasal": 30, "maxBolus": 25}
        for rate, bolus in [(3.35, 0.35), (20.05, 1.15), (29.85, 9.95)]:
            found = []
            for kind in (numpy.float32, numpy.float64):
                for env in self.both(scenario, action="basal+bolus"):
                    env.reset(seed=4)
                    seen = env.step(numpy.array([rate, bolus], dtype=kind))[0]
                    names = env.observation_names
                    found += [seen[names.index(name)] for name in ("basal_rate", "bolus")]
                    again = pickle.loads(pickle.dumps(env))
                    self.assertEqual(again.render(), env.render())
            numpy.testing.assert_array_equal(found, numpy.float32([rate, bolus] * 4))

    def test_who_falls_below_the_floor_is_worse_off_too(self) -> None:
        scenario = {**day_of("adult#001"), "events": []}
        scenario["patient"]["floor"] = {"glucose": 40}
        scenario["therapy"] = {"maxBasal": 30, "maxBolus": 25}
        totals = []
        for env in self.both(scenario, action="basal+bolus"):
            env.reset(seed=3)
            total, steps, is_over = 0.0, 0, False
            while not is_over:
                _, reward, terminated, truncated, _ = env.step([30, 25 if steps < 3 else 0])
                total, steps = total + reward, steps + 1
                is_over = terminated or truncated
            self.assertTrue(terminated)
            self.assertLess(total, -(288 - steps))
            totals.append((total, steps))
        self.assertEqual(*totals)

    def test_it_lives_as_the_whole_scenario_does(self) -> None:
        for action in ("normalised", "basal+bolus"):
            scenario = day_of("child#002")
            scenario["clock"] = {"duration": "10h", "preRoll": "2h"}
            scenario["events"] = scenario["events"][:1]
            whole = loopsim.gym.ScenarioVectorEnv(scenario, 3, action=action)
            bare = PatientVectorEnv(scenario, 3, action=action)
            self.addCleanup(whole.close)
            self.addCleanup(bare.close)
            first, second = lived(whole, 130, 7), lived(bare, 130, 7)
            iob = list(loopsim.gym.OBSERVATIONS).index("iob")
            for one, two in zip(first[0], second[0]):
                # The app knows of a pulse when the pump has told of it.
                self.assertLess(numpy.abs(one[:, iob] - two[:, iob]).max(), 0.5)
                one[:, iob] = two[:, iob] = 0
                numpy.testing.assert_array_equal(one, two)
            numpy.testing.assert_allclose(first[1], second[1], rtol=1e-9)
            numpy.testing.assert_array_equal(first[2], second[2])
            # Twelve hours later every member has begun another episode.
            self.assertTrue(numpy.array(first[2]).any())

    def test_a_calibration_is_no_reading_with_an_app_and_without(self) -> None:
        scenario = day_of("adult#001")
        scenario |= {"clock": {"duration": "1h"}, "cgm": {"model": "ideal"}, "events": [
            {"at": "00:31", "cgm": {"calibrate": 300}},
        ]}
        names = {"observe": ["cgm", "cgm_age"], "reward_from": "cgm", "reward": lambda _, now: now}
        for env in (loopsim.gym.ScenarioEnv(scenario, **names), PatientEnv(scenario, **names)):
            self.addCleanup(env.close)
            first = float(env.reset(seed=1)[0][0])
            self.assertLess(first, 200)
            for minute in range(5, 45, 5):
                seen, reward, *_ = env.step([0])
                # That of 00:35 is the calibration, and the one before it holds.
                aged = 5 if minute == 35 else 0
                self.assertEqual((minute, float(seen[1])), (minute, aged))
                self.assertEqual(float(seen[0]) > 200, minute > 35)
                self.assertEqual(reward, float(seen[0]))

    def test_a_member_is_the_same_whatever_the_number_of_members(self) -> None:
        envs = [self.vector(members) for members in (1, 7, 64)]
        seen = [env.reset(seed=11)[0] for env in envs]
        for _ in range(100):
            for more in seen[1:]:
                numpy.testing.assert_array_equal(seen[0][0], more[0])
            seen = [
                env.step(numpy.full((env.num_envs, 1), 0.4, dtype=numpy.float32))[0]
                for env in envs
            ]

    def test_members_begin_anew_in_every_mode_as_singles_do(self) -> None:
        scenario = day_of("adult#003")
        scenario["clock"] = {"duration": "1h"}
        scenario["events"] = []
        steps = 30
        actions = numpy.random.default_rng(2).uniform(-1, 1, size=(steps, 2, 1))

        def chances(i: int) -> numpy.random.Generator:
            return numpy.random.default_rng((5, i))

        for mode in AutoresetMode:
            many = PatientVectorEnv(scenario, 2, autoreset_mode=mode)
            self.addCleanup(many.close)
            self.assertEqual(many.metadata["autoreset_mode"], mode)
            for i in range(2):
                one = PatientVectorEnv(scenario, 1)
                self.addCleanup(one.close)
                drawn = chances(i)
                many.reset(seed=5)
                one.begin([0], [int(drawn.integers(0, 2**63 - 1))])
                is_over = False
                for step in range(steps):
                    if mode == AutoresetMode.DISABLED and is_over:
                        with self.assertRaisesRegex(ValueError, "are over"):
                            many.step(actions[step])
                        many.reset(options={"reset_mask": numpy.ones(2, dtype=bool)})
                        one.begin([0], [int(drawn.integers(0, 2**63 - 1))])
                        is_over = False
                    seen, rewards, terminated, truncated, infos = many.step(actions[step])
                    if mode == AutoresetMode.NEXT_STEP and is_over:
                        one.begin([0], [int(drawn.integers(0, 2**63 - 1))])
                        own, reward, is_over = one._observations(), [0.0], False
                    else:
                        own, reward, dead, ended, _ = one.step(actions[step][i : i + 1])
                        is_over = bool(dead[0] or ended[0])
                    self.assertEqual(bool(terminated[i] or truncated[i]), is_over)
                    if mode == AutoresetMode.SAME_STEP and is_over:
                        numpy.testing.assert_array_equal(infos["final_obs"][i], own[0])
                        one.begin([0], [int(drawn.integers(0, 2**63 - 1))])
                        own, is_over = one._observations(), False
                    numpy.testing.assert_array_equal(seen[i], own[0])
                    self.assertEqual(rewards[i], reward[0])

    def test_who_dies_early_is_worse_off(self) -> None:
        env = self.vector(2, action="basal+bolus", limits=(70, 600))
        env.reset(seed=1)
        total = numpy.zeros(2)
        for step in range(288):
            _, rewards, terminated, _, _ = env.step([[0, 6], [0, 0]])
            total += rewards
            if terminated[0]:
                break
        self.assertLess(step, 287)
        self.assertLess(total[0], -(288 - step) + 1)

    def test_seeds_and_actions_are_as_many_as_the_members(self) -> None:
        whole = loopsim.gym.ScenarioVectorEnv(day_of("adolescent#003"), 2)
        self.addCleanup(whole.close)
        for env in (self.vector(2), whole):
            with self.assertRaisesRegex(ValueError, "3 seeds for 2 members"):
                env.reset(seed=[1, 2, 3])
            one = env.reset(seed=5)[0]
            numpy.testing.assert_array_equal(one, env.reset(seed=numpy.int64(5))[0])
            for actions in (numpy.zeros((1, 1)), numpy.zeros((2, 2)), numpy.zeros((3, 1))):
                with self.assertRaisesRegex(ValueError, r"has the shape \(2, 1\)"):
                    env.step(actions)
            with self.assertRaisesRegex(ValueError, "finite"):
                env.step([[0.0], [numpy.nan]])
            with self.assertRaisesRegex(ValueError, "options"):
                env.reset(options={"override": {"therapy.maxBolus": 5}})

    def test_what_needs_an_app_is_refused_by_name(self) -> None:
        scenario = day_of("adult#001")
        scenario["events"].append({"at": "09:00", "bolus": {"units": 1}})
        with self.assertRaisesRegex(loopsim.LoopsimError, '"bolus-4" happens in the app'):
            PatientEnv(scenario)
        with self.assertRaises(ValueError):
            PatientEnv()


if __name__ == "__main__":
    unittest.main()
