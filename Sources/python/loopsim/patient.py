"""Programs that are the body."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from ._program import Message, moment, number, serve


@dataclass
class Lived:
    """What a body says of itself at the end of a stretch of its life.

    Parameters
    ----------
    glucose
        Glucose in plasma in mg/dL, from 0 to 2,000.
    sensed
        Glucose where a sensor sits; that in plasma where it is left out.
    iob
        The insulin given that has not acted yet, in U.
    unknown
        The conditions of the stretch that the body does not know, such as ``"exercise"``.
    """

    glucose: float
    sensed: float | None = None
    iob: float | None = None
    unknown: list[str] = field(default_factory=list)

    def message(self) -> Message:
        """The answer as a message has it."""
        message: Message = {"glucose": number("glucose", self.glucose)}
        if self.sensed is not None:
            message["sensed"] = number("sensed", self.sensed)
        if self.iob is not None:
            message["iob"] = number("iob", self.iob)
        if self.unknown:
            message["unknown"] = self.unknown
        return message


class Live:
    """A stretch of life, with what enters the body in it."""

    def __init__(self, message: Message) -> None:
        self.message = message
        #: Pulses and injections (``units``, ``kind``; below 0 what the pump ``continuous`` does not
        #: give of a bolus that came whole), and rates of a continuous inflow (``rate``).
        self.insulin: list[Message] = message["insulin"]
        #: Food: ``grams``, ``over`` (seconds of eating), ``absorption`` (seconds, or ``None``).
        self.carbs: list[Message] = message["carbs"]
        #: Anything else: ``kind`` and ``value``.
        self.conditions: list[Message] = message["conditions"]

    @property
    def start(self) -> datetime:
        """The end of the stretch before; that of the first stretch is its own end."""
        return moment(self.message["from"])

    @property
    def end(self) -> datetime:
        """The instant of the answer."""
        return moment(self.message["to"])

    @property
    def minutes(self) -> float:
        """How long the stretch is."""
        return float(self.message["seconds"]) / 60

    def pieces(self) -> Iterator[tuple[float, list[Message]]]:
        """The stretch in pieces within which nothing enters, each with what enters at its end.

        Yields
        ------
        The minutes of a piece, and the rows of insulin, carbohydrate and conditions at its end.
        """
        start = self.start
        rows = [(moment(row["at"]), row) for row in self.insulin + self.carbs + self.conditions]
        for at in sorted({at for at, _ in rows}):
            yield (at - start).total_seconds() / 60, [row for when, row in rows if when == at]
            start = at
        yield (self.end - start).total_seconds() / 60, []


class Patient:
    """A program that is the body; override :meth:`live`, and :meth:`reset` to begin anew.

    >>> class Stone(Patient):
    ...     def live(self, now):
    ...         return Lived(100, unknown=[row["kind"] for row in now.conditions])
    """

    #: What the program calls itself.
    name = ""
    version = ""
    #: Whether :meth:`reset` forgets all of the run before, so that one process may live through
    #: many runs: Python and its libraries are then loaded once for each run at a time.
    reusable = False

    def reset(self, begin: Message) -> None:
        """A run begins; ``begin["parameters"]`` are the scenario's.

        ``begin["initialGlucose"]`` is the glucose in mg/dL that the scenario wants at
        ``begin["beginning"]``, or ``None`` where it leaves that to the body.
        """

    def live(self, now: Live) -> Lived:
        """Lives from ``now.start`` to ``now.end``, and says how the body is then."""
        raise NotImplementedError

    def lived(self, message: Message) -> Message:
        """The answer of :meth:`live` to a question, as a message has it."""
        lived: Any = self.live(Live(message))
        if not isinstance(lived, Lived):
            raise TypeError(f"live() gave {lived!r}; it must give a Lived")
        return {"type": "lived", **lived.message()}

    def serve(self) -> None:
        """Speaks on standard input and output, as ``patient.command`` starts programs.

        What a library prints goes to standard error, so that it cannot break the talk.
        """
        hello = {
            "name": self.name or type(self).__name__, "version": self.version, "role": "body",
            "can": ["reuse"] if self.reusable else [],
        }
        serve(hello, self.reset, {"live": self.lived})
