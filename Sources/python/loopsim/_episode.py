"""What the environments have in common: observations, rewards, and a run under way."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any

import numpy
from gymnasium import spaces

from ._program import moment
from .controller import Decide
from .patient import Patient

#: What an observation may hold, with its bounds.
OBSERVATIONS: dict[str, tuple[float, float]] = {
    "cgm": (0, 600), "cgm_age": (0, 1e5), "cgm_trend": (-50, 50), "iob": (-100, 100),
    "cob": (0, 2000), "basal_rate": (0, 100), "scheduled_rate": (0, 100), "bolus": (0, 100),
    "carbs_entered": (0, 2000), "day_sin": (-1, 1), "day_cos": (-1, 1),
}

#: By how much of a step a rate may fall short of it: in the single precision of the action space
#: 3.35 U/h is a little less, and is meant as 3.35 U/h.
SHORTFALL = 1e-4

#: The decimals of a bolus: 0.35 U in single precision is a little less, and is meant as 0.35 U.
BOLUS_DECIMALS = 5

#: A temp basal of the right rate is left alone while it has longer to go than this, as Loop does.
CONTINUATION = timedelta(minutes=11)


def risk(glucose: float) -> float:
    """Kovatchev's risk of a glucose value in mg/dL (Diabetes Care 20:1655, 1997)."""
    scaled = 1.509 * (math.log(max(glucose, 1.0)) ** 1.084 - 5.381)
    return float(10 * scaled**2)


def magni(glucose: float) -> float:
    """Magni's risk of a glucose value in mg/dL (J. Diabetes Sci. Technol. 1:804, 2007).

    It is 0 at 139 mg/dL, and 25 at 70 and at 280.
    """
    scaled = 3.5506 * (math.log(max(glucose, 1.0)) ** 0.8353 - 3.7932)
    return float(10 * scaled**2)


def _range(glucose: float) -> float:
    return 1.0 if 70 <= glucose <= 180 else 0.0


class CarbsOnBoard:
    """What is left of the carbohydrate that was entered, for some members.

    Every gram is taken to be absorbed at an even pace over three hours: an agent that sees only the
    present learns from it that a meal is under way. It knows nothing of the body.
    """

    hours = 3.0

    def __init__(self, members: int, cycle: float) -> None:
        self._depth = max(1, math.ceil(self.hours * 3600 / cycle))
        self._entered: Any = numpy.zeros((members, self._depth))
        self._now = 0

    def take(self, grams: Any) -> Any:
        """Takes what was entered since the cycle before, and gives what is left, member by member."""
        self._now = (self._now + 1) % self._depth
        self._entered[:, self._now] = grams
        ages = (self._now - numpy.arange(self._depth)) % self._depth
        return self._entered @ (1 - ages / self._depth)

    def begin(self, members: Any, grams: Any) -> None:
        """Begins anew for some members, with what they have entered at first."""
        self._entered[members] = 0
        self._entered[members, self._now] = grams


class Episode:
    """One run under way, and what the agent sees of it."""

    def __init__(
        self, observe: Sequence[str], action: str, rewards: str, patient: Patient | None = None,
    ) -> None:
        self.observe, self.action, self.rewards = list(observe), action, rewards
        self.patient = patient
        self.now = Decide()
        self.run = ""
        self.begin: dict[str, Any] = {}
        self.bolus = 0.0
        self.observation = numpy.zeros(len(self.observe), dtype=numpy.float32)
        self.before: float | None = None
        self.end: dict[str, Any] | None = None
        self.carbs = CarbsOnBoard(1, 300.0)
        self.cob = 0.0
        self.horizon, self.acted = 0, 0

    def take(self, begin: Mapping[str, Any], question: Mapping[str, Any]) -> None:
        """Begins with the first question of a run.

        Where nobody is asked in a run, as while the phone is off, nothing is seen of it, and it is
        over with the first step.
        """
        self.begin, self.run = dict(begin), begin["run"]
        self.carbs = CarbsOnBoard(1, float(begin["cycle"]))
        lasting = moment(begin["end"]) - moment(begin["start"])
        self.horizon, self.acted = int(lasting.total_seconds() // float(begin["cycle"])), 0
        self.now, self.bolus, self.end = Decide(), 0.0, None
        self.now.settings = begin["settings"]
        if question["type"] == "end":
            self.end, self.before, self.cob = dict(question), None, 0.0
            self.observation[:] = 0
            return
        self.now.take(dict(question))
        self.before = self.glucose
        self.cob = float(self.carbs.take(self.now.entered)[0])
        self.look()

    @property
    def glucose(self) -> float | None:
        """The glucose of the reward: the true one, or the newest reading."""
        if self.rewards == "truth" and self.now.truth is not None:
            return float(self.now.truth["glucose"])
        return self.now.glucose.last

    @property
    def left(self) -> int:
        """How many cycles are left of the run from the last question on, where none is left out.

        They are counted: the phone's clock, which a question tells, may be hours ahead.
        """
        return max(0, self.horizon - self.acted)

    @property
    def rate(self) -> float:
        """The pump's rate in U/h, as far as the app knows it."""
        now = self.now
        pump, until = now.pump, now.pump["until"]
        if pump["rate"] is None:
            return 0.0 if pump["alarm"] else now.scheduled_rate
        # Of a pump that is not heard from the app knows the schedule, and when its temp basal was
        # to end.
        read = moment(pump["read"])
        if pump["program"] == "scheduled" and read < now.at:
            return now.scheduled_rate
        if until and read < moment(until) <= now.at:
            return now.scheduled_rate
        return float(pump["rate"])

    def look(self) -> None:
        """What the agent sees now; a missing reading holds the last value, and its age grows."""
        now = self.now
        newest, age = now.glucose.newest, now.glucose_age
        hours = int(now.local[:2]) + int(now.local[3:]) / 60
        angle = 2 * math.pi * hours / 24
        values = {
            "cgm": 0.0 if newest is None else newest["mgdL"],
            "cgm_age": 1e5 if age is None else age.total_seconds() / 60,
            "cgm_trend": (newest or {}).get("trend") or 0.0,
            "iob": now.iob or 0.0,
            "cob": self.cob,
            "basal_rate": self.rate,
            "scheduled_rate": now.scheduled_rate,
            "bolus": self.bolus,
            "carbs_entered": self.now.entered,
            "day_sin": math.sin(angle), "day_cos": math.cos(angle),
        }
        for place, name in enumerate(self.observe):
            low, high = OBSERVATIONS[name]
            self.observation[place] = min(max(values[name], low), high)

    def act(self, action: Any) -> dict[str, Any]:
        """The message of an action, by the rule by which Loop commands a temp basal."""
        now = self.now
        most = float(now.settings["maxBasal"])
        first = float(action[0])
        if self.action == "normalised":
            scheduled = now.scheduled_rate
            rate = scheduled + first * ((most - scheduled) if first > 0 else scheduled)
        else:
            rate = first
        message: dict[str, Any] = {
            "type": "act", "run": self.run, "n": now.message["n"]
        }
        step = self.begin["pump"]["basalStep"]
        given = math.floor(min(max(rate, 0.0), most) / step + SHORTFALL) * step
        pump = now.pump
        runs_on = (
            pump["program"] == "tempBasal" and abs(pump["rate"] - given) < 1e-9
            and moment(pump["until"]) - now.at > CONTINUATION
        )
        if not runs_on:
            message["tempBasal"] = {"rate": given, "duration": 1800}
        if self.action == "basal+bolus":
            bolus = float(numpy.round(float(action[1]), BOLUS_DECIMALS))
            if bolus > 0:
                message["bolus"] = bolus
        return message

    def live(self, message: Mapping[str, Any]) -> None:
        """Takes in what came of an action."""
        if message["type"] == "end":
            self.end = dict(message)
            return
        self.acted += 1
        self.now.take(dict(message))
        self.bolus = sum(
            float(one["given"]) for one in self.now.last
            if one["command"] == "bolus" and one["result"] == "ok"
        )
        self.cob = float(self.carbs.take(self.now.entered)[0])
        self.look()


Reward = Callable[[float, float], float]

REWARDS: dict[str, Reward] = {
    "risk": lambda before, after: -risk(after) / 100,
    "magni": lambda before, after: -magni(after) / 100,
    "risk-change": lambda before, after: risk(before) - risk(after),
    "range": lambda before, after: _range(after),
}


def shaped(actions: Any, shape: tuple[int, ...] | None) -> Any:
    """Actions as an array, where they have the shape of their space."""
    array = numpy.asarray(actions)
    if array.shape != shape:
        raise ValueError(f"an action here has the shape {shape}, and this one {array.shape}")
    if not numpy.isfinite(array).all():
        raise ValueError(f"an action has finite numbers, and this one is {array.tolist()}")
    return array


def boxes(observe: Sequence[str], action: str) -> tuple[spaces.Box, spaces.Box]:
    """The spaces of observations and of actions."""
    unknown = [name for name in observe if name not in OBSERVATIONS]
    if unknown:
        raise ValueError(f"unknown observations {unknown}; there are {list(OBSERVATIONS)}")
    if not observe:
        raise ValueError(f"observe names nothing; there are {list(OBSERVATIONS)}")
    low, high = zip(*(OBSERVATIONS[name] for name in observe))
    seen = _box(low, high)
    actions = {
        "normalised": ([-1.0], [1.0]), "basal": ([0.0], [35.0]),
        "basal+bolus": ([0.0, 0.0], [35.0, 30.0]),
    }
    if action not in actions:
        raise ValueError(f"unknown action {action!r}; there are {list(actions)}")
    return seen, _box(*actions[action])


def limits_of_glucose(limits: tuple[float, float]) -> tuple[float, float]:
    """The glucose between which an episode goes on, the lower first."""
    low, high = limits
    if not low < high:
        raise ValueError(f"limits are a lower and a higher glucose, not {low!r} and {high!r}")
    return low, high


def _box(low: Sequence[float], high: Sequence[float]) -> spaces.Box:
    return spaces.Box(
        numpy.array(low, dtype=numpy.float32), numpy.array(high, dtype=numpy.float32),
        dtype=numpy.float32,
    )
