"""How far a run has come."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from datetime import timezone

from ._program import moment

#: What is called with the part that is over, from 0 to 1.
Progress = Callable[[float], None]


def told(progress: bool | Progress) -> Progress:
    """What is called: the caller's own, a line on standard error, or nothing."""
    if callable(progress):
        return progress
    return _line if progress else _nothing


def _nothing(part: float) -> None:
    pass


def _line(part: float) -> None:
    end = "\n" if part >= 1 else ""
    print(f"\r{round(100 * part):3} %", end=end, file=sys.stderr, flush=True)


class Part:
    """The part of a run that is over, told a hundred times at most."""

    steps = 100

    def __init__(self, tell: Progress, start: str, end: str) -> None:
        self._tell, self._end_text = tell, end
        self._start, self._end = moment(start), moment(end)
        self._last = 0

    def stops(self) -> Iterator[str]:
        """The instants at which a run that asks nothing stops, the end being the last."""
        if self._tell is not _nothing:
            for step in range(1, self.steps):
                instant = self._start + (self._end - self._start) * step / self.steps
                yield instant.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        yield self._end_text

    def reached(self, now: str) -> None:
        """The run has come to an instant."""
        if self._tell is _nothing:
            return
        part = (moment(now) - self._start) / (self._end - self._start)
        step = min(self.steps, int(self.steps * part + 1e-9))
        if step > self._last:
            self._last = step
            self._tell(step / self.steps)

    def finish(self) -> None:
        """The run is over, perhaps before its end."""
        if self._last < self.steps and self._tell is not _nothing:
            self._last = self.steps
            self._tell(1.0)
