"""The decision support of py_replay_bg (github.com/gcappon/py_replay_bg) in a run of loopsim."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any

import numpy

from .._program import Message, moment
from ..controller import Act, Controller, Decide


class Adapted(Controller):
    """The handlers of a ``DSS`` of ReplayBG; their rates are U/min and their arrays go by the minute.

    They are asked once a cycle, as an app asks, and not every minute. Glucose is that of the CGM.
    """

    def __init__(self, dss: Any, bolus_source: str, basal_source: str) -> None:
        for source in (bolus_source, basal_source):
            if source not in ("data", "dss"):
                raise ValueError("a source is 'data' or 'dss', as in ReplayBG")
        if dss.enable_hypotreatments:
            raise ValueError(
                "hypotreatments are eaten, and a controller does not eat: write "
                "behaviour: { rescue: { below: 70, grams: 15 } } in the scenario"
            )
        if dss.enable_forcing_ip or dss.enable_forcing_ra:
            raise ValueError("what is forced upon the body cannot be forced by a controller")
        self._dss, self._memory = dss, dss
        self._asks_bolus, self._asks_basal = bolus_source == "dss", basal_source == "dss"
        self.name = "ReplayBG"
        self._begin = datetime.max.replace(tzinfo=timezone.utc)
        self._start: datetime | None = None
        self._glucose: list[float] = []
        self._basal: list[float] = []
        self._meals: list[float] = []
        self._hours: list[float] = []
        self._waiting = 0.0

    def reset(self, begin: Message) -> None:
        self._memory = self._dss
        # What is entered before the first question is a meal of the run too.
        self._begin = moment(begin["start"])
        self._start = None
        self._waiting = 0.0
        self._glucose, self._basal, self._meals, self._hours = [], [], [], []

    def decide(self, now: Decide) -> Act:
        start = self._start = self._start or min(self._begin, now.at)
        # What is entered before the first reading is a meal of the first minute with glucose.
        self._waiting += now.entered
        glucose = now.glucose.last
        if glucose is None:
            return Act(note="no glucose yet")
        place = round((now.at - start).total_seconds() / 60)
        hour = int(now.local[:2]) + int(now.local[3:]) / 60
        while len(self._glucose) <= place:
            ago = (place - len(self._glucose)) / 60
            self._glucose.append(float(glucose))
            self._basal.append(float(now.pump["rate"] or 0) / 60)
            self._meals.append(0.0)
            self._hours.append((hour - ago) % 24)
        self._meals[place] += self._waiting
        self._waiting = 0.0
        arrays = [numpy.array(one) for one in (self._glucose, self._meals)]
        types = numpy.where(arrays[1] > 0, "M", "")
        given: Any = (
            *arrays, types, numpy.zeros(place + 1), self._boluses(now, start, place),
            numpy.array(self._basal), numpy.array(self._hours), place,
        )
        act, bolus = Act(), 0.0
        if self._asks_basal:
            rate, self._memory = self._memory.basal_handler(*given, self._memory)
            act.basal = float(rate) * 60
        if self._asks_bolus:
            units, self._memory = self._memory.bolus_calculator_handler(*given, self._memory)
            bolus += float(units)
        if self._memory.enable_correction_boluses:
            units, self._memory = self._memory.correction_boluses_handler(*given, self._memory)
            bolus += float(units)
        if bolus > 0:
            act.bolus = bolus
        return act

    @staticmethod
    def _boluses(now: Decide, start: datetime, place: int) -> Any:
        """The boluses that the app knows of, in U, each in its minute."""
        found = numpy.zeros(place + 1)
        for row in now.doses:
            minute = round((moment(row["start"]) - start).total_seconds() / 60)
            if row["kind"] == "bolus" and 0 <= minute <= place:
                found[minute] += float(row["units"])
        return found


def adapt(dss: Any, bolus_source: str = "dss", basal_source: str = "dss") -> Adapted:
    """The decision support of ReplayBG as a controller of loopsim.

    Parameters
    ----------
    dss
        A ``py_replay_bg.dss.DSS``, with the handlers that it has by default or with yours.
    bolus_source, basal_source
        ``"dss"`` where its handler is asked, ``"data"`` where the scenario says it itself.
    """
    return Adapted(dss, bolus_source, basal_source)
