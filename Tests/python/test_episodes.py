"""Episodes that are saved, forked, pickled, and lived by other programs' bodies, with Gymnasium."""

import json
import pickle
import subprocess
import tempfile
import unittest
from pathlib import Path

import numpy

import loopsim
import loopsim.gym
from loopsim.gym import ScenarioEnv, ScenarioVectorEnv
from loopsim.patients import PatientEnv, PatientVectorEnv, day_of
from test_loopsim import EVENING, NEEDS, minimal_model

OUTSIDE = {**EVENING, "patient": {"model": "external", "initialGlucose": 150, "needs": NEEDS}}


def hours(number: int) -> dict:
    """Some hours of an adolescent, with a meal."""
    return {
        **day_of("adolescent#003"), "clock": {"duration": f"{number}h"},
        "events": [{"at": "+1h", "meal": {"grams": 40}}],
    }


def live(env, steps: int = 10_000, seed: int = 3) -> list:
    """Observations and rewards of steps with actions that the seed decides."""
    actions = numpy.random.default_rng(seed)
    lived = []
    for _ in range(steps):
        action = actions.uniform(-1, 1, size=env.action_space.shape)
        seen, reward, terminated, truncated, info = env.step(action)
        lived.append((seen, reward, terminated, truncated, info))
        if terminated or truncated:
            break
    return lived


class Episodes(unittest.TestCase):
    def repeated(self, folder: str) -> dict:
        """The summary of what the command line makes of a saved episode."""
        subprocess.run(
            [loopsim._engine.program(), "run", "episode/scenario.json5", "--out", "again",
             "--quiet"],
            cwd=folder, check=True, timeout=120,
        )
        summary, = Path(folder, "again").rglob("summary.json")
        for name in ["timeline.csv", "decisions.ndjson"]:
            one, other = Path(folder, "episode", name), summary.parent / name
            lines = [path.read_text().splitlines() for path in (one, other)]
            # The head of a record names the run.
            self.assertEqual(lines[0][1:], lines[1][1:])
        saved = json.loads(Path(folder, "episode", "summary.json").read_text())
        again = json.loads(summary.read_text())
        self.assertEqual(saved["digest"], again["digest"])
        return again

    def test_an_episode_is_a_scenario_that_the_command_line_repeats(self) -> None:
        env = ScenarioEnv(EVENING, action="basal+bolus", overrides={"cgm.model": "dexcomG7"})
        env.reset(seed=5)
        lived = live(env)
        with tempfile.TemporaryDirectory() as folder:
            env.save(Path(folder, "episode"))
            summary = self.repeated(folder)
        self.assertEqual(summary["digest"], lived[-1][4]["digest"])
        self.assertTrue(summary["privileged"])
        self.assertEqual(env.result().digest, summary["digest"])

    def test_an_episode_that_ended_early_is_lived_to_the_end_when_it_is_saved(self) -> None:
        env = ScenarioEnv(EVENING, limits=(165, 300), reward_from="cgm")
        with self.assertRaises(ValueError):
            env.save("nowhere")
        env.reset(seed=5)
        lived = live(env)
        self.assertTrue(lived[-1][2])
        with tempfile.TemporaryDirectory() as folder:
            env.save(Path(folder, "episode"))
            self.assertNotIn("privileged", self.repeated(folder))

    def test_an_episode_without_an_app_is_saved_as_a_whole_scenario(self) -> None:
        env = PatientEnv(hours(4), action="basal+bolus", privileged=True)
        self.addCleanup(env.close)
        with self.assertRaises(ValueError):
            env.save("nowhere")
        env.reset(seed=8)
        lived = live(env)
        with tempfile.TemporaryDirectory() as folder:
            env.save(Path(folder, "episode"))
            self.repeated(folder)
            header, *rows = Path(folder, "episode", "timeline.csv").read_text().splitlines()
        place = header.split(",").index("glucose_true_mgdL")
        whole = [float(row.split(",")[place]) for row in rows]
        # The first row is that of the reset, and the last step is the end of the last row.
        self.assertEqual(len(whole), len(lived))
        for one, step in zip(whole[1:], lived):
            # The table has a decimal.
            self.assertAlmostEqual(one, step[4]["glucose"], delta=0.0501)

    def test_each_member_is_saved_by_itself(self) -> None:
        env = PatientVectorEnv(hours(1), 2)
        self.addCleanup(env.close)
        env.reset(seed=8)
        # Both members begin another episode after an hour.
        for _ in range(20):
            env.step([[0.5], [-0.5]])
        with tempfile.TemporaryDirectory() as folder:
            env.save(Path(folder, "episode"), member=1)
            self.repeated(folder)
            acts = [
                json.loads(line) for line in
                Path(folder, "episode", "decisions.ndjson").read_text().splitlines()[1:-1]
            ]
        rates = [act["answer"]["tempBasal"]["rate"] for act in acts if act["answer"]]
        self.assertTrue(rates)
        self.assertTrue(all(rate < 1 for rate in rates))

    def test_a_fork_goes_on_by_itself(self) -> None:
        for parameters in ({}, {"patient": minimal_model()}):
            env = ScenarioEnv(OUTSIDE if parameters else EVENING, **parameters)
            env.reset(seed=2)
            live(env, 10)
            twin, other = env.fork(), env.fork()
            live(other, 5, seed=99)
            one, two = live(env), live(twin)
            numpy.testing.assert_array_equal([step[0] for step in one], [step[0] for step in two])
            self.assertEqual(one[-1][4]["digest"], two[-1][4]["digest"])
            self.assertNotEqual(live(other)[-1][4]["digest"], one[-1][4]["digest"])
        with self.assertRaisesRegex(loopsim.LoopsimError, "privileged"):
            env = ScenarioEnv(EVENING, reward_from="cgm")
            env.reset(seed=2)
            env.fork()

    def test_a_pickle_lives_on(self) -> None:
        for env in (ScenarioEnv(EVENING), PatientEnv(hours(3))):
            self.addCleanup(env.close)
            env.reset(seed=2)
            live(env, 10)
            twin = pickle.loads(pickle.dumps(env))
            self.addCleanup(twin.close)
            one, two = live(env), live(twin)
            numpy.testing.assert_array_equal([step[0] for step in one], [step[0] for step in two])
            # The next episode has the same chance as well.
            numpy.testing.assert_array_equal(env.reset()[0], twin.reset()[0])

    def test_what_lived_in_a_program_that_ended_can_be_closed(self) -> None:
        for env in (ScenarioEnv(EVENING), PatientEnv(hours(1))):
            env.reset(seed=1)
            own = env._settings if isinstance(env, ScenarioEnv) else env._one
            engine = getattr(own, "engine", None) or own._engine
            engine._process.kill()
            engine._process.wait()
            with self.assertRaisesRegex(loopsim.ProgramError, "has ended"):
                env.step([0.0])
            env.close()
            env.close()
            with self.assertRaises((loopsim.ProgramError, ValueError)):
                env.step([0.0])

    def test_the_body_may_be_another_programs(self) -> None:
        env = ScenarioEnv(OUTSIDE, patient=minimal_model())
        many = ScenarioVectorEnv(OUTSIDE, 2, patient=lambda member: minimal_model())
        seen, _ = env.reset(seed=4)
        self.assertEqual(seen.shape, many.reset(seed=4)[0][0].shape)
        lived = live(env)
        self.assertEqual(len(lived), 49)
        with tempfile.TemporaryDirectory() as folder:
            env.save(Path(folder, "episode"))
            # Neither the agent nor the body is needed any more.
            self.repeated(folder)
        for _ in range(60):
            seen, rewards, terminated, truncated, _ = many.step(numpy.zeros((2, 1)))
            self.assertTrue(numpy.isfinite(seen).all())
        many.close()


class Observations(unittest.TestCase):
    def test_carbohydrate_on_board_is_what_was_entered_and_passes_in_three_hours(self) -> None:
        envs = [ScenarioEnv(hours(6), observe=["cob", "carbs_entered"]),
                PatientEnv(hours(6), observe=["cob", "carbs_entered"])]
        seen = []
        for env in envs:
            self.addCleanup(env.close)
            env.reset(seed=1)
            seen.append(numpy.array([step[0] for step in live(env)]))
        numpy.testing.assert_array_equal(seen[0], seen[1])
        cob, entered = seen[0].T
        at = int(numpy.flatnonzero(entered)[0])
        self.assertEqual(entered[at], 40)
        self.assertEqual(cob[at], 40)
        self.assertAlmostEqual(cob[at + 18], 20, places=5)
        self.assertEqual(cob[at + 36], 0)

    def test_carbohydrate_from_before_the_run_is_not_just_entered(self) -> None:
        scenario = {
            **hours(1), "clock": {"duration": "1h", "preRoll": "3h"},
            "events": [{"at": "-2h", "meal": {"grams": 30}}, {"at": "-20m", "meal": {"grams": 20}},
                       {"at": "+0m", "meal": {"grams": 10}}],
        }
        for env in [ScenarioEnv(scenario, observe=["cob", "carbs_entered"]),
                    PatientEnv(scenario, observe=["cob", "carbs_entered"])]:
            self.addCleanup(env.close)
            seen, _ = env.reset(seed=1)
            self.assertEqual(seen.tolist(), [10, 10])

    def test_food_of_before_the_run_is_no_news_by_any_clock_of_the_phone(self) -> None:
        for since, lasting, by in [
            ("-3h", "210m", "1h"), ("-3h", "210m", "-1h"), ("-3h", "175m", "1h"),
            ("-3h", "175m", "-1h"), ("-10m", "40m", "-3h"), ("-10m", "40m", "3h"),
            ("+7m", "3h", "-1h"),
        ]:
            scenario = {
                **hours(1), "clock": {"duration": "30m", "preRoll": "3h"},
                "faults": [{"during": [since, lasting], "app": {"clockJump": by}}],
                "events": [{"at": "-70m", "meal": {"grams": 30}},
                           {"at": "-20m", "meal": {"grams": 20}},
                           {"at": "+0m", "meal": {"grams": 10}},
                           {"at": "+7m", "meal": {"grams": 5}}],
            }
            env = ScenarioEnv(scenario, observe=["carbs_entered"])
            self.addCleanup(env.close)
            seen = [float(env.reset(seed=1)[0][0])]
            seen += [float(env.step([0.0])[0][0]) for _ in range(3)]
            self.assertEqual((since, by, seen), (since, by, [10, 0, 5, 0]))

    def test_magnis_risk_is_the_same_at_70_and_280(self) -> None:
        self.assertAlmostEqual(loopsim.gym.magni(70), 25, delta=0.1)
        self.assertAlmostEqual(loopsim.gym.magni(280), 25, delta=0.1)
        self.assertAlmostEqual(loopsim.gym.magni(138.9), 0, delta=1e-3)
        self.assertLess(loopsim.gym.REWARDS["magni"](100, 50), loopsim.gym.REWARDS["magni"](0, 60))


if __name__ == "__main__":
    unittest.main()
