"""Controllers of simglucose (github.com/jxx123/simglucose) in a run of loopsim."""

from __future__ import annotations

from typing import Any, NamedTuple

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

    def reset(self, begin: dict[str, Any]) -> None:
        self._minutes = float(begin["cycle"]) / 60
        self._controller.reset()

    def decide(self, now: Decide) -> Act:
        glucose = now.glucose.last
        if glucose is None:
            return Act(note="no glucose yet")
        grams = sum(float(row["grams"]) for row in now.new_carbs)
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
