"""Controllers of simglucose (github.com/jxx123/simglucose) in a run of loopsim."""

from __future__ import annotations

import math
from importlib import import_module
from typing import Any, NamedTuple

from .._result import Result
from ..controller import Act, Controller, Decide


class Observation(NamedTuple):
    """What simglucose's controllers see."""

    CGM: float


class Adapted(Controller):
    """A controller of simglucose; its rates and boluses are U/min there."""

    def __init__(self, controller: Any, patient_name: str) -> None:
        self._controller = controller
        self._patient_name = patient_name
        self.name = type(controller).__name__
        self._minutes = 5.0
        # The food that was entered and that the controller was not told of yet, in g.
        self._grams = 0.0

    def reset(self, begin: dict[str, Any]) -> None:
        self._minutes, self._grams = float(begin["cycle"]) / 60, 0.0
        self._controller.reset()

    def decide(self, now: Decide) -> Act:
        self._grams += now.entered
        glucose = now.glucose.last
        if glucose is None:
            return Act(note="no glucose yet")
        grams, self._grams = self._grams, 0.0
        action = self._controller.policy(
            Observation(CGM=glucose), 0, False, sample_time=self._minutes,
            patient_name=self._patient_name, meal=grams / self._minutes,
        )
        bolus = float(action.bolus) * self._minutes
        return Act(basal=float(action.basal) * 60, bolus=bolus if bolus > 0 else None)


def adapt(controller: Any, patient_name: str) -> Adapted:
    """The controller of simglucose as one of loopsim.

    Parameters
    ----------
    controller
        What has ``policy(observation, reward, done, **info)`` and ``reset()``, such as simglucose's
        ``BBController``.
    patient_name
        The patient whose table the controller looks up, such as ``"adult#001"``.
    """
    return Adapted(controller, patient_name)


def frame(result: Result) -> Any:
    """A run as simglucose's ``show_history`` gives one: a ``pandas.DataFrame`` by time.

    ``BG`` is glucose in plasma, where simglucose has that under the skin. ``CHO`` is g/min and
    ``insulin`` U/min of the row; the risks are those of the single value, as there.
    """
    pandas = import_module("pandas")
    table = result.timeline
    times = pandas.to_datetime(list(table["time"]), utc=True)
    minutes = (times[1] - times[0]).total_seconds() / 60 if len(times) > 1 else 5.0
    columns: dict[str, list[float]] = {
        "BG": list(table["glucose_true_mgdL"]), "CGM": list(table["glucose_cgm_mgdL"]),
        "CHO": [grams / minutes for grams in table["carbs_eaten_g"]],
        "insulin": [
            (basal + bolus) / minutes
            for basal, bolus in zip(table["basal_delivered_U"], table["bolus_delivered_U"])
        ],
        "LBGI": [], "HBGI": [], "Risk": [],
    }
    for glucose in columns["BG"]:
        scaled = 1.509 * (math.log(max(glucose, 1.0)) ** 1.084 - 5.381)
        columns["LBGI"].append(10 * min(scaled, 0.0) ** 2)
        columns["HBGI"].append(10 * max(scaled, 0.0) ** 2)
        columns["Risk"].append(10 * scaled**2)
    return pandas.DataFrame(columns, index=pandas.Index(times, name="Time"))
