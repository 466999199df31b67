"""The package for Python, with nothing but the standard library."""

import doctest
import gc
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest
import warnings
from datetime import timedelta
from pathlib import Path

import loopsim
from loopsim.compat.simglucose import adapt

NEEDS = {
    "basal": [["00:00", 1]], "sensitivity": [["00:00", 45]], "carbRatio": [["00:00", 10]],
}
EVENING = {
    "format": "loopsim/1", "id": "evening", "clock": {"duration": "4h"}, "random": {"seed": 3},
    "patient": {"model": "tidepool-simple", "initialGlucose": 170, "needs": NEEDS},
    "cgm": {"model": "dexcomG6"}, "events": [{"at": "+1h", "meal": {"grams": 30}}],
}

PROPORTIONAL = textwrap.dedent(
    """
    import loopsim

    class Proportional(loopsim.Controller):
        def decide(self, now):
            print("a library that prints breaks nothing")
            glucose = now.glucose.last
            if glucose is None:
                return loopsim.Act()
            return loopsim.Act(basal=max(0.0, now.scheduled_rate + 0.01 * (glucose - 110)))

    if __name__ == "__main__":
        Proportional().serve()
    """
)


class Steady(loopsim.Controller):
    def decide(self, now: loopsim.Decide) -> loopsim.Act:
        return loopsim.Act(basal=1.1, note="steady")


class Runs(unittest.TestCase):
    def test_a_run_is_that_of_the_command_line(self) -> None:
        result = loopsim.run(EVENING)
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "evening.json5").write_text(json.dumps(EVENING))
            subprocess.run(
                [loopsim._engine.program(), "run", "evening.json5", "--out", "out", "--quiet"],
                cwd=folder, check=True, timeout=120,
            )
            out = Path(folder, "out", "evening")
            summary = json.loads(Path(out, "summary.json").read_text())
            self.assertEqual(result.digest, summary["digest"])
            result.save(Path(folder, "saved"))
            for name in ["timeline.csv", "happenings.csv", "basal-segments.csv"]:
                self.assertEqual(
                    Path(folder, "saved", name).read_bytes(), Path(out, name).read_bytes())
            header, *rows = Path(out, "timeline.csv").read_text().splitlines()
            self.assertEqual(list(result.timeline), header.split(","))
            self.assertEqual(result.timeline.rows, len(rows))
            place = header.split(",").index("glucose_true_mgdL")
            values = [float(row.split(",")[place]) for row in rows]
            self.assertEqual(list(result.timeline["glucose_true_mgdL"]), values)

    def test_seeds_and_overrides_make_other_runs(self) -> None:
        plain = loopsim.run(EVENING)
        self.assertEqual(loopsim.run(EVENING).digest, plain.digest)
        self.assertNotEqual(loopsim.run(EVENING, seed=4).digest, plain.digest)
        larger = loopsim.run(EVENING, overrides={"events[0].meal.grams": 60})
        self.assertGreater(
            max(larger.timeline["glucose_true_mgdL"]), max(plain.timeline["glucose_true_mgdL"]))

    def test_a_wrong_scenario_has_places(self) -> None:
        text = "{ format: 'loopsim/1',\n  patient: { model: 'tidepool-simpel' } }"
        with self.assertRaises(loopsim.ScenarioError) as caught:
            loopsim.run(text)
        problem = caught.exception.problems[0]
        self.assertEqual((problem.line, problem.column), (2, 21))
        self.assertIn(":2:21:", str(caught.exception))
        self.assertTrue(loopsim.check(text))
        self.assertEqual(loopsim.run(EVENING).passed, True)

    def test_what_json_has_no_word_for_is_refused_before_it_is_sent(self) -> None:
        with self.assertRaises(ValueError):
            loopsim.run(EVENING, overrides={"events[0].meal.grams": math.nan})
        self.assertTrue(loopsim.run(EVENING).passed)

    def test_a_study_has_every_run_in_order(self) -> None:
        results = loopsim.study({**EVENING, "random": {"seed": 3, "replicates": 3}})
        self.assertEqual(len({result.digest for result in results}), 3)

    def test_what_several_runs_come_to_is_judged_of_all(self) -> None:
        own = {"id": "own", "metric": "tir(70,180)", "min": 0}
        plan = {
            **EVENING, "random": {"seed": 3, "replicates": 3},
            "expect": [own, {**own, "id": "joint", "across": "mean"}],
        }
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", loopsim.ScenarioWarning)
            results = loopsim.study(plan)
            apart = loopsim.study(plan, jobs=2)
        each = [result.summary["expectations"] for result in results]
        self.assertEqual([[one["id"] for one in some] for some in each], [["own"]] * 3)
        [joint] = loopsim.judge(results)
        self.assertEqual((joint["id"], joint["run"]), ("joint", "evening"))
        self.assertEqual(joint["outcome"], "passed")
        self.assertAlmostEqual(joint["value"], sum(one[0]["value"] for one in each) / 3, places=5)
        with self.assertRaisesRegex(loopsim.RequestError, "3 runs, of which 2 are named"):
            loopsim.judge(results[:2])
        with self.assertRaisesRegex(ValueError, "engines"):
            loopsim.judge([results[0], apart[1]])

    def test_a_study_of_a_scenario_that_cannot_be_read_is_no_empty_list(self) -> None:
        for scenario in ("/nowhere/day.json5", "{ format:", {**EVENING, "sweep": 3}):
            for call in (loopsim.runs, loopsim.study):
                with self.assertRaises(loopsim.ScenarioError) as caught:
                    call(scenario)
                self.assertTrue(str(caught.exception).strip())

    def test_all_runs_are_named_however_few_are_checked(self) -> None:
        many = {**EVENING, "random": {"seed": 3, "replicates": 2001}}
        self.assertEqual(len(loopsim.runs(many)), 2001)

    def test_runs_of_a_study_may_live_at_once(self) -> None:
        plan = {**EVENING, "random": {"seed": 3, "replicates": 5}}
        parts: list = []
        one = loopsim.study(plan, controller=Steady())
        two = loopsim.study(plan, controller=Steady, jobs=3, progress=parts.append)
        self.assertEqual([result.digest for result in two], [result.digest for result in one])
        self.assertEqual(parts, [0.2, 0.4, 0.6, 0.8, 1])
        larger = loopsim.study(plan, overrides={"events[0].meal.grams": 60})
        self.assertEqual(larger[0].timeline.rows, one[0].timeline.rows)
        with self.assertRaisesRegex(ValueError, "the class in place of the object"):
            loopsim.study(plan, controller=Steady(), jobs=2)

    def test_progress_is_told_and_changes_nothing(self) -> None:
        for controller in (None, Steady()):
            plain = loopsim.run(EVENING, controller=controller)
            parts: list = []
            result = loopsim.run(EVENING, controller=controller, progress=parts.append)
            self.assertEqual(result.digest, plain.digest)
            self.assertEqual(parts, sorted(set(parts)))
            self.assertEqual(parts[-1], 1)
            self.assertTrue(20 < len(parts) <= 100)

    def test_what_the_progress_raises_is_no_failure_of_a_program(self) -> None:
        def stop(_: float) -> None:
            raise ZeroDivisionError("no bar")

        with loopsim.Engine() as engine:
            for controller in (None, Steady()):
                with self.assertRaisesRegex(ZeroDivisionError, "no bar"):
                    loopsim.run(EVENING, controller=controller, progress=stop, engine=engine)
            self.assert_closed(engine, "r1", "r2")

    def test_a_run_that_is_broken_off_is_closed(self) -> None:
        class Interrupted(loopsim.Controller):
            def decide(self, now: loopsim.Decide) -> loopsim.Act:
                raise KeyboardInterrupt

        class Odd(loopsim.Controller):
            def decide(self, now: loopsim.Decide) -> loopsim.Act:
                return loopsim.Act(note={1, 2})

        with loopsim.Engine() as engine:
            with self.assertRaises(KeyboardInterrupt):
                loopsim.run(EVENING, controller=Interrupted(), engine=engine)
            with self.assertRaisesRegex(loopsim.ProgramError, "The controller failed at 20"):
                loopsim.run(EVENING, controller=Odd(), engine=engine)
            self.assert_closed(engine, "r1", "r2")

    def assert_closed(self, engine: loopsim.Engine, *runs: str) -> None:
        for run in runs:
            with self.assertRaisesRegex(loopsim.RequestError, f'There is no run "{run}"'):
                engine.request({"type": "close", "run": run})

    def test_the_examples_of_the_documentation_hold(self) -> None:
        folder = os.getcwd()
        self.addCleanup(os.chdir, folder)
        os.chdir(Path(__file__).resolve().parents[2])
        count = 0
        for module in (loopsim, loopsim.controller, loopsim.patient):
            failed, tried = doctest.testmod(module)
            self.assertEqual(failed, 0)
            count += tried
        self.assertGreater(count, 2)

    def test_every_column_is_that_of_the_command_line(self) -> None:
        result = loopsim.run(EVENING)
        with tempfile.TemporaryDirectory() as folder:
            result.save(folder)
            header, *lines = Path(folder, "timeline.csv").read_text().splitlines()
        rows = [line.split(",") for line in lines]
        for place, name in enumerate(header.split(",")):
            values = result.timeline[name]
            for row, value in zip(rows, values):
                if isinstance(value, str):
                    self.assertEqual(value, row[place])
                elif math.isnan(value):
                    self.assertEqual(row[place], "")
                else:
                    self.assertEqual(value, float(row[place]))
        # What was taken out of a table stays when the result is gone.
        column = result.timeline["glucose_true_mgdL"]
        with self.assertRaisesRegex(KeyError, "no column 'glucose', but time, seconds, glucose_tr"):
            result.timeline["glucose"]
        self.assertIsNone(result.timeline.get("glucose"))
        total = sum(column)
        del result
        gc.collect()
        self.assertEqual(sum(column), total)

    def test_which_run_is_meant_is_said_by_the_argument(self) -> None:
        both = {**EVENING, "variants": {"one": {}, "two": {"therapy": {"maxBasal": 2}}}}
        with self.assertRaises(loopsim.RequestError) as caught:
            loopsim.run(both)
        self.assertEqual(
            str(caught.exception),
            "The scenario has 2 runs. Say which with which=; loopsim.runs() lists them.")
        self.assertEqual(loopsim.runs(both), ["evening/one", "evening/two"])
        self.assertTrue(loopsim.run(both, which="evening/two").digest)
        with self.assertRaises(loopsim.RequestError) as caught:
            loopsim.run(both, which="evening/three")
        self.assertEqual(str(caught.exception), 'The scenario has no run "evening/three".')

    def test_who_is_to_answer_is_said_by_the_arguments(self) -> None:
        class Stone(loopsim.Patient):
            def live(self, now: loopsim.Live) -> loopsim.Lived:
                return loopsim.Lived(100)

        body = {**EVENING, "patient": {"model": "external", "needs": NEEDS}}
        decided = {**EVENING, "controller": {"command": ["python3"]}}
        for scenario, given, sentence in [
            (body, {}, "The body of this scenario is a program; pass it as patient=."),
            (body, {"controller": Steady()}, "a program; pass it as patient=."),
            (decided, {}, "The scenario is decided by a program; pass it as controller=."),
            (EVENING, {"patient": Stone()}, "write patient: { model: 'external' }."),
        ]:
            with self.assertRaises(loopsim.RequestError) as caught:
                loopsim.run(scenario, **given)
            self.assertIn(sentence, str(caught.exception))
            self.assertNotIn("answers", str(caught.exception))
            with self.assertRaises(loopsim.RequestError):
                loopsim.study(scenario, **given)

    def test_a_wrong_override_is_found_by_its_path(self) -> None:
        with self.assertRaises(loopsim.ScenarioError) as caught:
            loopsim.run(EVENING, overrides={"therapy.maxBolus": -5})
        self.assertEqual(
            str(caught.exception),
            'overrides: error: "therapy.maxBolus" must be a number from 0 to 50 (U), not -5.',
        )
        with self.assertWarnsRegex(loopsim.ScenarioWarning, "^overrides: warning: application"):
            loopsim.run(EVENING, overrides={"app.applicationFactor": 0.3})

    def test_the_algorithm_predicts(self) -> None:
        with self.assertRaises(loopsim.RequestError):
            loopsim.predict({"glucoseHistory": []})

    def test_what_has_no_effect_is_warned_of(self) -> None:
        begin = {"startDate": "2024-06-01T06:00:00Z", "endDate": "2024-06-02T06:00:00Z"}
        with self.assertWarnsRegex(loopsim.ScenarioWarning, 'Did you mean "maxBolus"?'):
            loopsim.predict({
                "predictionStart": "2024-06-01T12:02:30Z", "doses": [], "carbEntries": [],
                "glucoseHistory": [{"date": "2024-06-01T12:00:00Z", "value": 155}],
                "basal": [{**begin, "value": 1}], "sensitivity": [{**begin, "value": 50}],
                "carbRatio": [{**begin, "value": 10}], "maxBolus": 5, "maxBasalRate": 4,
                "target": [{**begin, "lowerBound": 100, "upperBound": 110}],
                "suspendThreshold": 75, "maxBolusUnits": 3,
            })
        odd = {**EVENING, "cgm": {"model": "ideal", "trace": [["+0m", 100]]}}
        with self.assertWarnsRegex(loopsim.ScenarioWarning, "trace has no effect") as caught:
            loopsim.run(odd)
        self.assertEqual(caught.filename, __file__)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            loopsim.run(EVENING)

    def test_an_engine_that_has_ended_says_so(self) -> None:
        with loopsim.Engine() as engine:
            self.assertTrue(loopsim.run(EVENING, engine=engine).passed)
        with self.assertRaises(loopsim.ProgramError):
            loopsim.run(EVENING, engine=engine)

    def test_results_that_nobody_holds_are_closed(self) -> None:
        with loopsim.Engine() as engine:
            for _ in range(5):
                loopsim.run(EVENING, engine=engine)
            answers = engine.request({"type": "hello", "protocol": 1})
            self.assertEqual(answers[0]["type"], "hello")
            self.assertEqual(len(engine._unwanted), 0)


class Controllers(unittest.TestCase):
    def test_in_this_process_and_as_a_program_the_run_is_the_same(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "proportional.py").write_text(PROPORTIONAL)
            Path(folder, "evening.json5").write_text(json.dumps(EVENING))
            names: dict = {"__name__": "proportional"}
            exec(PROPORTIONAL.replace("print(", "str("), names)
            result = loopsim.run(EVENING, controller=names["Proportional"]())
            subprocess.run(
                [loopsim._engine.program(), "run", "evening.json5", "--out", "out", "--quiet",
                 "--controller", f"'{sys.executable}' proportional.py"],
                cwd=folder, check=True, timeout=120,
            )
            summary = json.loads(Path(folder, "out/evening/summary.json").read_text())
            self.assertEqual(result.digest, summary["digest"])

    def test_what_a_controller_notes_is_in_the_timeline(self) -> None:
        result = loopsim.run(EVENING, controller=Steady())
        self.assertIn("steady", result.timeline["recommendation"])
        self.assertFalse(result.summary.get("privileged", False))

    def test_a_controller_keeps_a_dose_that_an_entry_of_the_schedule_cuts_in_two(self) -> None:
        class Once(loopsim.Controller):
            def decide(self, now: loopsim.Decide) -> loopsim.Act:
                self.temps = [row for row in now.doses if row["kind"] == "tempBasal"]
                self.rates = {**getattr(self, "rates", {}), now.local: now.scheduled_rate}
                return loopsim.Act(basal=2.0) if now.message["n"] == 8 else loopsim.Act()

        # From 00:40 to 01:10, and 0.8 U/h are scheduled from 01:00 on.
        once = Once()
        loopsim.run(
            EVENING, controller=once,
            overrides={"patient.needs.basal": [["00:00", 1], ["01:00", 0.8]]},
        )
        self.assertEqual([row["id"].split(" ")[1] for row in once.temps], ["1/2", "2/2"])
        self.assertAlmostEqual(sum(row["units"] for row in once.temps), 1.0)
        self.assertEqual((once.rates["00:55"], once.rates["01:00"]), (1, 0.8))

    def test_schedules_go_by_the_clock_of_the_pump(self) -> None:
        class Looking(loopsim.Controller):
            def decide(self, now: loopsim.Decide) -> loopsim.Act:
                if now.message["at"] == "2026-10-25T01:30:00Z":
                    self.seen = (now.local, now.scheduled_rate, now.pump["rate"])
                return loopsim.Act()

        # Summer time ends, and the clock of the pump is left.
        looking = Looking()
        loopsim.run(
            EVENING, controller=looking,
            overrides={
                "patient.needs.basal": [["00:00", 1], ["03:00", 0.8]],
                "clock.start": "2026-10-25T00:00:00", "clock.timeZone": "Europe/Berlin",
            },
        )
        self.assertEqual(looking.seen, ("02:30", 0.8, 0.8))

    def test_a_controller_recommends_the_boluses_that_people_take(self) -> None:
        source = textwrap.dedent(
            """
            import loopsim

            class Adviser(loopsim.Controller):
                def decide(self, now):
                    return loopsim.Act()

                def recommend_bolus(self, now):
                    return sum(row["grams"] for row in now.carbs) / now.setting("carbRatio")

            if __name__ == "__main__":
                Adviser().serve()
            """
        )
        events = [
            {"at": "+1h", "meal": {"grams": 30}}, {"at": "+1h", "bolus": {"take": "recommended"}}
        ]
        evening = {**EVENING, "events": events}
        names: dict = {"__name__": "adviser"}
        exec(source, names)
        result = loopsim.run(evening, controller=names["Adviser"]())
        self.assertAlmostEqual(sum(result.timeline["bolus_delivered_U"]), 3)
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "adviser.py").write_text(source)
            Path(folder, "evening.json5").write_text(json.dumps(evening))
            subprocess.run(
                [loopsim._engine.program(), "run", "evening.json5", "--out", "out", "--quiet",
                 "--controller", f"'{sys.executable}' adviser.py"],
                cwd=folder, check=True, timeout=120,
            )
            summary = json.loads(Path(folder, "out/evening/summary.json").read_text())
            self.assertEqual(result.digest, summary["digest"])

    def test_an_exception_is_chained(self) -> None:
        class Broken(loopsim.Controller):
            def decide(self, now: loopsim.Decide) -> loopsim.Act:
                raise ZeroDivisionError("no model")

        with self.assertRaises(loopsim.ProgramError) as caught:
            loopsim.run(EVENING, controller=Broken())
        self.assertIsInstance(caught.exception.__cause__, ZeroDivisionError)
        self.assertTrue(loopsim.run(EVENING).passed)

    def test_an_answer_that_is_none_is_said_by_its_name(self) -> None:
        for answer, words in [
            (None, "Act() to change nothing"), (1.2, "decide() gave 1.2"),
            (loopsim.Act(basal=math.nan), "basal is nan"), (loopsim.Act(bolus="3 U"), "'3 U'"),
            (loopsim.Act(bolus=True), "bolus is True"), (loopsim.Act(basal="1"), "basal is '1'"),
            (loopsim.Act(prediction=[100, None]), "prediction is None"),
            (loopsim.Act(suspend="no"), "suspend is 'no', and must be True or False"),
        ]:
            class Wrong(loopsim.Controller):
                def decide(self, now: loopsim.Decide) -> loopsim.Act:
                    return answer

            with self.subTest(words), self.assertRaises(loopsim.ProgramError) as caught:
                loopsim.run(EVENING, controller=Wrong())
            self.assertIn(words, str(caught.exception))
            self.assertIn("The controller failed at 2026", str(caught.exception))

    def test_what_is_no_controller_is_said(self) -> None:
        class Idle(loopsim.Controller):
            def decide(self, now: loopsim.Decide) -> loopsim.Act:
                return loopsim.Act()

        for given, words in [
            (Idle, "controller is the class Idle, and must be an object of it: Idle()"),
            (max, f"controller is {max!r}, and must be a loopsim.Controller"),
        ]:
            with self.subTest(words), self.assertRaises(TypeError) as caught:
                loopsim.run(EVENING, controller=given)
            self.assertEqual(str(caught.exception), words)
        with self.assertRaisesRegex(TypeError, "patient is 5, and must be a loopsim.Patient"):
            loopsim.run(EVENING, patient=5)

    def test_what_cannot_be_done_is_the_controllers_failure(self) -> None:
        class Odd(loopsim.Controller):
            def __init__(self, act: loopsim.Act) -> None:
                self.wanted = act

            def decide(self, now: loopsim.Decide) -> loopsim.Act:
                return self.wanted

        for act, words in [
            (loopsim.Act(note="x" * 501), '"note" has more than 500 bytes.'),
            (loopsim.Act(suspend=True, resume=True), '"suspend" and "resume" are both true'),
            (loopsim.Act(basal=1, duration=1800), "duration is 1800, and must be a timedelta"),
        ]:
            with self.subTest(words), self.assertRaises(loopsim.ProgramError) as caught:
                loopsim.run(EVENING, controller=Odd(act))
            self.assertIn("The controller failed at 2026-01-05T00:00:00Z: ", str(caught.exception))
            self.assertIn(words, str(caught.exception))

        class Numbers(list):
            """As an array of NumPy, which has no truth of its own."""

            def __bool__(self) -> bool:
                raise ValueError("The truth value of an array is ambiguous.")

        loopsim.run(EVENING, controller=Odd(loopsim.Act(prediction=Numbers([120.0, -5.0]))))

    def test_only_a_privileged_controller_knows_the_truth(self) -> None:
        seen = []

        class Looking(loopsim.Controller):
            def decide(self, now: loopsim.Decide) -> loopsim.Act:
                seen.append(now.truth)
                return loopsim.Act()

        loopsim.run(EVENING, controller=Looking())
        self.assertEqual(set(map(type, seen)), {type(None)})
        result = loopsim.run(EVENING, controller=Looking(), privileged=True)
        self.assertIsNotNone(seen[-1])
        self.assertTrue(result.summary["privileged"])

    def test_a_controller_of_simglucose_runs_unchanged(self) -> None:
        class Action:
            basal, bolus = 1.2 / 60, 0.0

        class Basal:
            asked: list = []

            def policy(self, observation, reward, done, **info):
                self.asked.append((observation.CGM, info))
                return Action

            def reset(self) -> None:
                self.asked.clear()

        controller = Basal()
        result = loopsim.run(EVENING, controller=adapt(controller, "adult#001"))
        self.assertEqual(controller.asked[0][1]["sample_time"], 5)
        self.assertEqual(controller.asked[0][1]["patient_name"], "adult#001")
        meals = sum(info["meal"] * info["sample_time"] for _, info in controller.asked)
        self.assertAlmostEqual(meals, 30)
        self.assertTrue(any("1.20" in words for words in result.timeline["recommendation"]))

    def test_a_controller_of_simglucose_hears_of_food_before_the_first_reading(self) -> None:
        class Action:
            basal, bolus = 0.0, 0.0

        class Listening:
            meals: list = []

            def policy(self, observation, reward, done, **info):
                self.meals.append(info["meal"] * info["sample_time"])
                return Action

            def reset(self) -> None:
                pass

        controller = Listening()
        adapted = adapt(controller, "adult#001")
        adapted.reset({"cycle": 300})
        now = loopsim.Decide()
        meal = {"id": "a", "at": "2026-01-15T08:00:00Z", "grams": 50}
        adapted.decide(now.take({"carbs": [meal]}))
        self.assertEqual(controller.meals, [])
        for minute in ("05", "10"):
            reading = {"at": f"2026-01-15T08:{minute}:00Z", "mgdL": 110}
            adapted.decide(now.take({"glucose": [reading]}))
        self.assertEqual(controller.meals, [50, 0])

    def test_readings_that_come_late_stand_where_they_belong(self) -> None:
        now = loopsim.Decide()
        now.take({"glucose": [{"at": "2026-01-15T08:10:00Z", "mgdL": 110}]})
        late = [
            {"at": "2026-01-15T08:00:00Z", "mgdL": 100},
            {"at": "2026-01-15T08:05:00.500Z", "mgdL": 105},
        ]
        now.take({"glucose": late})
        self.assertEqual(now.glucose.mgdl, [100, 105, 110])
        self.assertEqual(now.glucose.times, sorted(now.glucose.times))
        self.assertEqual(now.glucose.last, 110)

    def test_nothing_is_dosed_on_a_calibration(self) -> None:
        now = loopsim.Decide()
        now.take({"at": "2026-01-15T08:10:00Z", "glucose": [
            {"at": "2026-01-15T08:00:00Z", "mgdL": 100},
            {"at": "2026-01-15T08:05:00Z", "mgdL": 300, "displayOnly": True},
        ]})
        self.assertEqual((now.glucose.last, now.glucose.mgdl), (100, [100, 300]))
        self.assertEqual(now.glucose_age, timedelta(minutes=10))
        # What comes behind it stands where it belongs, and is the newest to be dosed on.
        now.take({"at": "2026-01-15T08:10:00Z", "glucose": [
            {"at": "2026-01-15T08:03:00Z", "mgdL": 103},
        ]})
        self.assertEqual((now.glucose.last, now.glucose.mgdl), (103, [100, 103, 300]))
        now.take({"glucose": [{"at": "2026-01-15T08:03:00Z", "removed": True}]})
        self.assertEqual((now.glucose.last, now.glucose.mgdl), (100, [100, 300]))


PROGRAMS = Path(__file__).resolve().parent / "programs"


def minimal_model() -> loopsim.Patient:
    """The worked example of a body."""
    names: dict = {"__name__": "minimal_model"}
    exec(Path(PROGRAMS, "minimal_model.py").read_text(), names)
    return names["MinimalModel"]()


class Stone(loopsim.Patient):
    def live(self, now: loopsim.Live) -> loopsim.Lived:
        return loopsim.Lived(140, iob=0.5, unknown=[row["kind"] for row in now.conditions])


class Patients(unittest.TestCase):
    outside = {
        **EVENING, "clock": {"duration": "6h"},
        "patient": {
            "model": "external", "initialGlucose": 170, "needs": NEEDS,
            "command": [sys.executable, "minimal_model.py"],
        },
        "events": [
            {"at": "+1h", "meal": {"grams": 30}},
            {"at": "+2h", "meal": {"grams": 20, "absorption": "2h"}},
            {"at": "+3h", "insulinResistance": {"scale": 1.25, "duration": "1h"}},
        ],
    }

    def test_in_this_process_and_as_a_program_the_run_is_the_same(self) -> None:
        result = loopsim.run(self.outside, patient=minimal_model())
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(Path(PROGRAMS, "minimal_model.py"), folder)
            Path(folder, "evening.json5").write_text(json.dumps(self.outside))
            words = [loopsim._engine.program(), "run", "evening.json5", "--out", "out", "--quiet"]
            refused = subprocess.run(words, cwd=folder, capture_output=True, timeout=120)
            self.assertEqual(refused.returncode, 65)
            subprocess.run(words + ["--allow-programs"], cwd=folder, check=True, timeout=120)
            out = Path(folder, "out", "evening")
            summary = json.loads(Path(out, "summary.json").read_text())
            self.assertEqual(result.digest, summary["digest"])
            result.save(Path(folder, "saved"))
            for name in ["timeline.csv", "happenings.csv"]:
                self.assertEqual(
                    Path(folder, "saved", name).read_text(), Path(out, name).read_text())
            records = [Path(at, "lived.ndjson").read_text() for at in (out, Path(folder, "saved"))]
            one, other = ([json.loads(line) for line in text.splitlines()] for text in records)
            self.assertEqual(one[1:-1], other[1:-1])

    def test_the_minimal_model_lives_as_the_built_in_one(self) -> None:
        # The built-in body solves the same equations with shorter steps while it eats.
        plan = {**self.outside, "app": {"closedLoop": False}, "cgm": {"model": "ideal"}}
        inside = {**plan, "patient": {
            "model": "bergman", "initialGlucose": 170, "needs": NEEDS}}
        ours = loopsim.run(inside).timeline["glucose_true_mgdL"]
        theirs = loopsim.run(plan, patient=minimal_model()).timeline["glucose_true_mgdL"]
        self.assertEqual(len(ours), len(theirs))
        self.assertGreater(max(theirs) - min(theirs), 20)
        for one, other in zip(ours, theirs):
            self.assertLess(abs(one - other), 0.05)

    def test_a_body_and_a_controller_may_both_be_python(self) -> None:
        result = loopsim.run(self.outside, patient=Stone(), controller=Steady())
        self.assertIn("steady", result.timeline["recommendation"])
        self.assertEqual(set(result.timeline["glucose_true_mgdL"]), {140})
        # What the body does not know is said once.
        sentences = result.happenings["text"]
        unknown = [one for one in sentences if "does not know insulinSensitivity" in one]
        self.assertEqual(len(unknown), 1)

    def test_an_exception_is_chained(self) -> None:
        class Broken(loopsim.Patient):
            def live(self, now: loopsim.Live) -> loopsim.Lived:
                raise ZeroDivisionError("no glucose")

        with self.assertRaises(loopsim.ProgramError) as caught:
            loopsim.run(self.outside, patient=Broken())
        self.assertIsInstance(caught.exception.__cause__, ZeroDivisionError)
        self.assertIn("The patient failed at 2026-01-05T00:00:00Z", str(caught.exception))

    def test_what_no_body_can_be_is_refused(self) -> None:
        class Boiling(loopsim.Patient):
            def live(self, now: loopsim.Live) -> loopsim.Lived:
                return loopsim.Lived(2_500)

        with self.assertRaises(loopsim.LoopsimError) as caught:
            loopsim.run(self.outside, patient=Boiling())
        self.assertIn("from 0 to 2000", str(caught.exception))
        with self.assertRaises(loopsim.LoopsimError) as caught:
            loopsim.run(self.outside)
        self.assertIn("pass it as patient=", str(caught.exception))
        with self.assertRaises(loopsim.LoopsimError) as caught:
            loopsim.run(EVENING, patient=Stone())
        self.assertIn("model: 'external'", str(caught.exception))

    def test_a_stretch_has_its_pieces_in_order(self) -> None:
        at = "2026-01-05T00:0{}:00Z"
        stretch = loopsim.Live({
            "from": at.format(0), "to": at.format(5), "seconds": 300,
            "insulin": [{"at": at.format(1), "units": 0.1}, {"at": at.format(3), "units": 0.2}],
            "carbs": [{"at": at.format(3), "grams": 9}], "conditions": [],
        })
        pieces = list(stretch.pieces())
        self.assertEqual([minutes for minutes, _ in pieces], [1, 2, 2])
        self.assertEqual([len(rows) for _, rows in pieces], [1, 2, 0])
        self.assertEqual(stretch.minutes, 5)


if __name__ == "__main__":
    unittest.main()
