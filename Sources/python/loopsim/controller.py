"""Programs that decide in place of the app."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from ._program import Message, flag, moment, number, serve


@dataclass
class Act:
    """What a controller wants done; what is left out changes nothing.

    Parameters
    ----------
    basal
        A temp basal in U/h, for ``duration``; ``"cancel"`` ends the one that runs.
    duration
        How long the temp basal is set for.
    bolus
        A bolus in U.
    cancel_bolus, suspend, resume
        Whether the bolus that runs ends, and whether delivery stops or goes on.
    cob
        The carbohydrates on board that the controller believes in, in g, from 0 to 10,000.
    prediction
        The glucose that it predicts, in mg/dL, 5 minutes apart; at most 1,000 values.
    note
        Words for the timeline, at most 500 bytes.
    """

    basal: float | str | None = None
    duration: timedelta = timedelta(minutes=30)
    bolus: float | None = None
    cancel_bolus: bool = False
    suspend: bool = False
    resume: bool = False
    cob: float | None = None
    prediction: Sequence[float] = field(default_factory=list)
    note: str = ""

    def message(self) -> Message:
        """The answer as a message has it."""
        message: Message = {}
        if self.basal == "cancel":
            message["tempBasal"] = "cancel"
        elif self.basal is not None:
            if not isinstance(self.duration, timedelta):
                raise ValueError(
                    f"duration is {self.duration!r}, and must be a timedelta, such as "
                    "timedelta(minutes=30)"
                )
            message["tempBasal"] = {
                "rate": number("basal", self.basal), "duration": self.duration.total_seconds()
            }
        if self.bolus is not None:
            message["bolus"] = number("bolus", self.bolus)
        for key, name in [
            ("cancelBolus", "cancel_bolus"), ("suspend", "suspend"), ("resume", "resume")
        ]:
            if flag(name, getattr(self, name)):
                message[key] = True
        if self.cob is not None:
            message["cob"] = number("cob", self.cob)
        # An array has no truth of its own.
        if len(self.prediction) > 0:
            message["prediction"] = [number("prediction", value) for value in self.prediction]
        if self.note:
            message["note"] = self.note
        return message


class Rows:
    """A table of the question, kept from the changes that messages tell."""

    def __init__(self) -> None:
        self._rows: dict[str, Message] = {}

    def take(self, changes: list[Message]) -> list[Message]:
        """Takes in changes and gives the rows that are new."""
        new = []
        for row in changes:
            name = str(row.get("id", row.get("at")))
            if row.get("removed"):
                self._rows.pop(name, None)
                continue
            if name not in self._rows:
                new.append(row)
            self._rows[name] = row
        return new

    def __iter__(self) -> Any:
        return iter(self._rows.values())

    def __len__(self) -> int:
        return len(self._rows)


class Glucose(Rows):
    """Glucose values of the app, oldest first.

    The newest is the newest to be dosed on: a calibration (``displayOnly``) is a row and no more.
    """

    def __init__(self) -> None:
        super().__init__()
        self._newest: Message | None = None
        self._newest_at: datetime | None = None
        # When the latest of all rows is of.
        self._latest: datetime | None = None

    def take(self, changes: list[Message]) -> list[Message]:
        """Takes in changes and gives the rows that are new."""
        new = super().take(changes)
        # A question tells one row or two, and a day has hundreds: only what is new is looked at.
        rows = changes
        if any(row.get("removed") for row in changes):
            self._newest = self._newest_at = self._latest = None
            rows = list(self)
        is_late = False
        for row in rows:
            at = moment(row["at"])
            if self._latest is None or at >= self._latest:
                self._latest = at
            else:
                is_late = True
            if not row.get("displayOnly") and (self._newest_at is None or at >= self._newest_at):
                self._newest, self._newest_at = row, at
        if is_late:
            # What a sensor makes good after a gap belongs between what was told before.
            self._rows = dict(sorted(self._rows.items(), key=lambda one: moment(one[1]["at"])))
        return new

    @property
    def times(self) -> list[datetime]:
        """When each was measured, by the phone's clock."""
        return [moment(row["at"]) for row in self]

    @property
    def mgdl(self) -> list[float]:
        """The values in mg/dL."""
        return [row["mgdL"] for row in self]

    @property
    def newest(self) -> Message | None:
        """The newest row to be dosed on; ``None`` before the first."""
        return self._newest

    @property
    def newest_at(self) -> datetime | None:
        """When that value was measured; ``None`` before the first."""
        return self._newest_at

    @property
    def last(self) -> float | None:
        """The newest value to be dosed on in mg/dL; ``None`` before the first."""
        return None if self._newest is None else float(self._newest["mgdL"])


class Decide:
    """A question of one cycle, with what the messages before it told."""

    def __init__(self) -> None:
        self.glucose = Glucose()
        self.pump_events = Rows()
        self.doses = Rows()
        self.carbs = Rows()
        self.settings: Message = {}
        self.message: Message = {}
        #: The carbohydrate entries that this question is the first to tell.
        self.new_carbs: list[Message] = []

    def take(self, message: Message) -> "Decide":
        """Takes in the next question."""
        self.message = message
        self.glucose.take(message.get("glucose", []))
        self.pump_events.take(message.get("pumpEvents", []))
        self.doses.take(message.get("doses", []))
        self.new_carbs = self.carbs.take(message.get("carbs", []))
        self.settings = message.get("settings", self.settings)
        return self

    @property
    def at(self) -> datetime:
        """The phone's time."""
        return moment(self.message["at"])

    @property
    def local(self) -> str:
        """The time of day that the phone shows, as ``HH:MM``."""
        return str(self.message["local"])

    @property
    def pump(self) -> Message:
        """What the pump last said of itself."""
        pump: Message = self.message["pump"]
        return pump

    @property
    def iob(self) -> float | None:
        """Net insulin on board that the app computes, in U."""
        return self.message.get("iob")

    @property
    def last(self) -> list[Message]:
        """What became of the commands of the answer before."""
        return list(self.message.get("last", []))

    @property
    def truth(self) -> Message | None:
        """What is true of the body, where the controller is privileged."""
        return self.message.get("truth")

    @property
    def glucose_age(self) -> timedelta | None:
        """How old the newest value is."""
        newest = self.glucose.newest_at
        return None if newest is None else self.at - newest

    @property
    def entered(self) -> float:
        """The carbohydrate of :attr:`new_carbs`, in g, without what was entered before the run."""
        return float(sum(row["grams"] for row in self.new_carbs if not row.get("before")))

    @property
    def scheduled_rate(self) -> float:
        """The scheduled basal rate now, in U/h."""
        return float(self.setting("basal"))

    def setting(self, name: str) -> Any:
        """The value of a schedule of the settings now.

        Schedules go by the clock to which the pump's was set, which is not that of the phone after
        a change to or from summer time, or on a trip.
        """
        schedule = self.settings[name]
        time = self.message["scheduleTime"]
        value = schedule[-1][1]
        for start, entry in schedule:
            if start <= time:
                value = entry
        return value


class Controller:
    """A program that decides; override :meth:`decide`, and :meth:`reset` where it keeps anything.

    >>> class Scheduled(Controller):
    ...     def decide(self, now):
    ...         return Act(note="the schedule")
    """

    #: What the program calls itself.
    name = ""
    version = ""
    #: Whether :meth:`reset` forgets all of the run before, so that one process may live through
    #: many runs: Python and its libraries are then loaded once for each run at a time.
    reusable = False

    def reset(self, begin: Message) -> None:
        """A run begins; ``begin["parameters"]`` are the scenario's."""

    def decide(self, now: Decide) -> Act:
        """What to do in this cycle."""
        raise NotImplementedError

    def recommend_bolus(self, now: Decide) -> float:
        """The bolus, in U, that a person takes as recommended (``take: 'recommended'``).

        An entry of the meal stands among ``now.carbs`` already. Where this is not overridden, the
        app's own algorithm recommends.
        """
        raise NotImplementedError

    @property
    def recommends(self) -> bool:
        """Whether it recommends boluses to people."""
        return type(self).recommend_bolus is not Controller.recommend_bolus

    def act(self, now: Decide) -> Message:
        """The answer of :meth:`decide` as a message has it."""
        act: Any = self.decide(now)
        if not isinstance(act, Act):
            raise TypeError(f"decide() gave {act!r}; it must give an Act, Act() to change nothing")
        return {"type": "act", **act.message()}

    def boluses(self, now: Decide) -> Message:
        """The answer of :meth:`recommend_bolus` as a message has it."""
        return {"type": "boluses", "units": number("recommend_bolus()", self.recommend_bolus(now))}

    def serve(self) -> None:
        """Speaks on standard input and output, as ``controller.command`` starts programs.

        What a library prints goes to standard error, so that it cannot break the talk.
        """
        now = Decide()

        def begin(message: Message) -> None:
            nonlocal now
            now = Decide()
            now.settings = message["settings"]
            self.reset(message)

        hello = {
            "name": self.name or type(self).__name__, "version": self.version,
            "role": "controller", "seat": "controller",
            "can": [
                word for word, can in [("bolus", self.recommends), ("reuse", self.reusable)] if can
            ],
        }
        serve(hello, begin, {
            "decide": lambda message: self.act(now.take(message)),
            "recommendBolus": lambda message: self.boluses(now.take(message)),
        })
