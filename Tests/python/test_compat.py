"""Controllers of simglucose and ReplayBG, as their packages have them, where these are installed.

Only the controllers are taken: simglucose's own package imports ``gym``, which cannot be installed
beside Gymnasium any more, and ReplayBG's model needs much that a controller does not.
"""

import importlib.util
import math
import sys
import types
import unittest
from pathlib import Path

import loopsim


def package(name: str) -> bool:
    """Makes the modules of a package importable without what the package itself imports."""
    if name in sys.modules:
        return True
    for folder in sys.path:
        path = Path(folder, name)
        if path.is_dir() and any(path.iterdir()):
            module = types.ModuleType(name)
            module.__path__, module.__file__ = [str(path)], str(path / "__init__.py")
            module.__spec__ = importlib.util.spec_from_loader(name, loader=None, is_package=True)
            sys.modules[name] = module
            return True
    return False


def day(*events: dict) -> dict:
    """The day of the guide, on an adult of simglucose."""
    return {
        "format": "loopsim/1", "clock": {"duration": "1d"}, "random": {"seed": 1},
        "patient": {"model": "uva-padova-s2008", "name": "adult#001"},
        "therapy": {"basal": [["00:00", 1.25]], "sensitivity": [["00:00", 40]],
                    "carbRatio": [["00:00", 10]]},
        "cgm": {"model": "dexcomG6"}, "events": list(events),
    }


BREAKFAST = {"at": "07:00", "meal": {"grams": 45}}


@unittest.skipUnless(
    all(importlib.util.find_spec(name) for name in ("numpy", "pandas", "polars")),
    "NumPy, pandas or Polars is not installed")
class Tables(unittest.TestCase):
    def test_a_table_is_a_frame_of_pandas_and_of_polars(self) -> None:
        import numpy

        table = loopsim.run(day(BREAKFAST)).timeline
        frame, other = table.pandas(), table.polars()
        self.assertEqual(len(frame), table.rows)
        self.assertEqual(other.shape, (table.rows, len(table)))
        self.assertEqual(str(frame.index.tz), "UTC")
        self.assertEqual((frame.index[1] - frame.index[0]).total_seconds(), 300)
        glucose = table["glucose_true_mgdL"]
        self.assertIsInstance(glucose, numpy.ndarray)
        self.assertFalse(glucose.flags.writeable)
        numpy.testing.assert_array_equal(frame["glucose_true_mgdL"].to_numpy(), glucose)
        numpy.testing.assert_array_equal(other["glucose_true_mgdL"].to_numpy(), glucose)
        self.assertEqual(list(other["mode"]), list(table["mode"]))


class Stub:
    """What the adapters ask of controllers of both packages, without a package."""

    enable_hypotreatments = enable_forcing_ip = enable_forcing_ra = False
    enable_correction_boluses = False

    def __init__(self) -> None:
        self.grams: list[float] = []

    def reset(self) -> None:
        pass

    def policy(self, observation, reward, done, **info):
        self.grams.append(info["meal"] * info["sample_time"])
        return types.SimpleNamespace(basal=0.02, bolus=0.0)

    def basal_handler(self, glucose, meals, *given):
        self.grams = list(meals)
        return 0.02, self


@unittest.skipUnless(importlib.util.find_spec("numpy"), "NumPy is not installed")
class MealsBeforeReadings(unittest.TestCase):
    def test_an_adapted_controller_gets_them_with_the_first_reading(self) -> None:
        from loopsim.compat import replaybg, simglucose

        scenario = day(
            {"at": "00:02", "entry": {"grams": 10}}, {"at": "01:00", "entry": {"grams": 20}},
            {"at": "03:00", "entry": {"grams": 45}})
        scenario["clock"] = {"duration": "4h"}
        # A sensor that was put in at the start is silent for two hours.
        scenario["cgm"] = {"model": "dexcomG6", "warmUp": "2h", "startedAt": "00:00"}
        asked, seen = Stub(), Stub()
        loopsim.run(scenario, controller=simglucose.adapt(asked, "adult#001"))
        self.assertEqual([round(grams, 9) for grams in asked.grams if grams > 0], [30, 45])
        adapted = replaybg.adapt(seen, bolus_source="data")
        loopsim.run(scenario, controller=adapted)
        meals = {minute: grams for minute, grams in enumerate(seen.grams) if grams > 0}
        self.assertEqual(list(meals.values()), [30, 45])
        self.assertEqual(list(meals)[1], 3 * 60)

    def test_an_adapted_controller_doses_for_no_meal_of_before_the_run(self) -> None:
        from loopsim.compat import replaybg, simglucose

        scenario = day(
            {"at": "-1h", "meal": {"grams": 60}}, {"at": "01:00", "entry": {"grams": 20}})
        scenario["clock"] = {"duration": "2h", "preRoll": "3h"}
        asked, seen = Stub(), Stub()
        loopsim.run(scenario, controller=simglucose.adapt(asked, "adult#001"))
        self.assertEqual([round(grams, 9) for grams in asked.grams if grams > 0], [20])
        loopsim.run(scenario, controller=replaybg.adapt(seen, bolus_source="data"))
        self.assertEqual([grams for grams in seen.grams if grams > 0], [20])

    def test_nor_for_one_that_a_wrong_clock_puts_into_it(self) -> None:
        from loopsim.compat import replaybg, simglucose

        # By the phone's clock, an hour ahead for most of an hour, the meal was eaten at 00:30.
        scenario = day(
            {"at": "-30m", "meal": {"grams": 60}}, {"at": "01:00", "entry": {"grams": 20}})
        scenario["clock"] = {"duration": "2h", "preRoll": "3h"}
        scenario["faults"] = [{"during": ["-1h", "50m"], "app": {"clockJump": "1h"}}]
        asked, seen = Stub(), Stub()
        loopsim.run(scenario, controller=simglucose.adapt(asked, "adult#001"))
        self.assertEqual([round(grams, 9) for grams in asked.grams if grams > 0], [20])
        loopsim.run(scenario, controller=replaybg.adapt(seen, bolus_source="data"))
        self.assertEqual([grams for grams in seen.grams if grams > 0], [20])


@unittest.skipUnless(package("simglucose"), "simglucose is not installed")
class Simglucose(unittest.TestCase):
    def test_its_controllers_live_through_a_day(self) -> None:
        from simglucose.controller.basal_bolus_ctrller import BBController
        from simglucose.controller.pid_ctrller import PIDController

        from loopsim.compat.simglucose import adapt, frame

        result = loopsim.run(day(BREAKFAST), controller=adapt(BBController(), "adult#001"))
        glucose = list(result.timeline["glucose_true_mgdL"])
        self.assertGreater(sum(70 <= value <= 180 for value in glucose) / len(glucose), 0.9)
        # 45 g by the carbohydrate ratio of its own table, and a correction.
        bolus = sum(result.timeline["bolus_delivered_U"])
        self.assertTrue(2 < bolus < 8, bolus)
        pid = PIDController(P=0.001, I=0.00001, D=0.001, target=140)
        other = loopsim.run(day(BREAKFAST), controller=adapt(pid, "adult#001"))
        self.assertNotEqual(other.digest, result.digest)
        # What runs once runs again.
        again = loopsim.run(day(BREAKFAST), controller=adapt(BBController(), "adult#001"))
        self.assertEqual(again.digest, result.digest)

        table = frame(result)
        self.assertEqual(
            list(table), ["BG", "CGM", "CHO", "insulin", "LBGI", "HBGI", "Risk"])
        self.assertAlmostEqual(table["CHO"].sum() * 5, 45)
        low, high = table["BG"].idxmin(), table["BG"].idxmax()
        self.assertGreaterEqual(table["LBGI"][low], table["LBGI"][high])
        self.assertGreater(table["HBGI"][high], 1)
        scaled = 1.509 * (math.log(table["BG"][high]) ** 1.084 - 5.381)
        self.assertAlmostEqual(table["Risk"][high], 10 * scaled**2)


@unittest.skipUnless(package("py_replay_bg"), "py_replay_bg is not installed")
class ReplayBG(unittest.TestCase):
    def test_its_default_handlers_live_through_a_day(self) -> None:
        from py_replay_bg.dss import DSS

        from loopsim.compat.replaybg import adapt

        dss = DSS(
            bw=70, bolus_calculator_handler_params={"cr": 10, "cf": 40, "gt": 120},
            enable_correction_boluses=True,
        )
        result = loopsim.run(day(BREAKFAST), controller=adapt(dss))
        # Its basal is 0.01 U/min, and none below 70 mg/dL.
        rates = set(result.timeline["programmed_rate_U_per_h"])
        self.assertIn(0.6, rates)
        # 45 g / 10 and what the glucose is from the target of 120, less what is on board.
        boluses = [units for units in result.timeline["bolus_delivered_U"] if units > 0]
        self.assertTrue(boluses)
        row = next(
            row for row in range(288) if result.timeline["carbs_entered_g"][row] > 0)
        expected = 4.5 + (result.timeline["glucose_cgm_mgdL"][row] - 120) / 40
        given = sum(result.timeline["bolus_delivered_U"][row:row + 3])
        self.assertAlmostEqual(given, expected, delta=0.4)

    def test_sources_and_what_a_controller_cannot_do(self) -> None:
        from py_replay_bg.dss import DSS

        from loopsim.compat.replaybg import adapt

        own = {"at": "07:00", "bolus": {"units": 4}}
        adapted = adapt(DSS(bw=70), bolus_source="data")
        result = loopsim.run(day(BREAKFAST, own), controller=adapted)
        self.assertAlmostEqual(sum(result.timeline["bolus_delivered_U"]), 4)
        with self.assertRaisesRegex(ValueError, "rescue"):
            adapt(DSS(bw=70, enable_hypotreatments=True))
        with self.assertRaisesRegex(ValueError, "'data' or 'dss'"):
            adapt(DSS(bw=70), basal_source="table")

    def test_a_handler_sees_the_past_by_the_minute(self) -> None:
        from py_replay_bg.dss import DSS

        from loopsim.compat.replaybg import adapt

        seen = []

        def basal(*given):
            seen.append(given)
            return 0.02, given[-1]

        loopsim.run(day(BREAKFAST), controller=adapt(DSS(bw=70, basal_handler=basal)))
        glucose, meals, kinds, treatments, bolus, rates, hours, place, _ = seen[100]
        self.assertEqual(place, 500)
        for array in (glucose, meals, kinds, treatments, bolus, rates, hours):
            self.assertEqual(len(array), 501)
        self.assertAlmostEqual(meals.sum(), 45)
        self.assertEqual(int(meals.argmax()), 7 * 60)
        self.assertGreater(bolus.sum(), 0)
        self.assertAlmostEqual(hours[-1], 500 / 60)
        # 0.02 U/min is 1.2 U/h, as soon as the pump has told of it.
        self.assertAlmostEqual(rates[-1], 0.02)
        self.assertTrue((glucose[-4:] == glucose[-1]).all())


if __name__ == "__main__":
    unittest.main()
