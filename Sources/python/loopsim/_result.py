"""What came of a run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from ._engine import Engine, Message, shared


class Table(Mapping[str, Any]):
    """A table by its columns, named as in the files of ``loopsim run``.

    Numbers are floats with ``nan`` where a cell is empty; times and words are text. With NumPy
    installed a column of numbers is an array.
    """

    def __init__(self, name: str, columns: dict[str, list[Any]], types: dict[str, str]) -> None:
        self.name = name
        self._columns: dict[str, Any] = {}
        for key, values in columns.items():
            if types[key] == "number":
                values = [float("nan") if value is None else float(value) for value in values]
            self._columns[key] = _array(values) if types[key] == "number" else values

    def __getitem__(self, column: str) -> Any:
        if column not in self._columns:
            raise KeyError(f"{self.name} has no column {column!r}, but {', '.join(self._columns)}")
        return self._columns[column]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(next(iter(self._columns.values()), []))

    def dict(self) -> dict[str, Any]:
        """The columns as a dictionary."""
        return dict(self._columns)

    def pandas(self) -> Any:
        """The table as a ``pandas.DataFrame``, by time in UTC where it has one."""
        pandas = import_module("pandas")
        frame = pandas.DataFrame(self._columns)
        if "time" in self._columns:
            frame.index = pandas.to_datetime(frame.pop("time"), utc=True)
        return frame

    def polars(self) -> Any:
        """The table as a ``polars.DataFrame``."""
        return import_module("polars").DataFrame(self._columns)

    def __repr__(self) -> str:
        return f"<{self.name}: {self.rows} rows of {', '.join(self._columns)}>"


def _array(values: list[float]) -> Any:
    try:
        import numpy
    except ImportError:
        return values
    array = numpy.array(values, dtype=numpy.float64)
    array.flags.writeable = False
    return array


class Result:
    """What came of one run.

    Attributes
    ----------
    summary
        What ``summary.json`` has.
    """

    def __init__(self, engine: Engine, run: str, end: Message) -> None:
        self._engine = engine
        self._run = run
        self._tables: dict[str, Table] = {}
        self.summary: dict[str, Any] = end["summary"]

    def __del__(self) -> None:
        self._engine.forget(self._run)

    @property
    def id(self) -> str:
        """The name of the run."""
        return str(self.summary["id"])

    @property
    def digest(self) -> str:
        """The digest of everything the run came to."""
        return str(self.summary["digest"])

    @property
    def passed(self) -> bool:
        """Whether every expectation of this run by itself holds, also one that only warns."""
        return all(one["outcome"] == "passed" for one in self.summary.get("expectations", []))

    def table(self, name: str) -> Table:
        """A table by the name of its file, such as ``"basal-segments"``."""
        if name not in self._tables:
            columns: dict[str, list[Any]] = {}
            types: dict[str, str] = {}
            start: int | None = 0
            while start is not None:
                part = self._engine.request(
                    {"type": "records", "run": self._run, "table": name, "from": start}
                )[0]
                types = part["types"]
                for key, values in part["columns"].items():
                    columns.setdefault(key, []).extend(values)
                start = part["next"]
            self._tables[name] = Table(name, columns, types)
        return self._tables[name]

    @property
    def timeline(self) -> Table:
        """A row for each step of the output."""
        return self.table("timeline")

    @property
    def basal_segments(self) -> Table:
        """The basal samples of the health store."""
        return self.table("basal-segments")

    @property
    def event_history(self) -> Table:
        """What the pump reported."""
        return self.table("event-history")

    @property
    def insulin_delivery(self) -> Table:
        """The doses that count."""
        return self.table("insulin-delivery")

    @property
    def happenings(self) -> Table:
        """What happened, in sentences; guards among them."""
        return self.table("happenings")

    @property
    def pulses(self) -> Table:
        """Every pulse of the pump."""
        return self.table("pulses")

    def save(self, folder: str | Path) -> None:
        """Writes the files of ``loopsim run`` into a folder."""
        self._engine.request(
            {"type": "write", "run": self._run, "folder": str(Path(folder).resolve())}
        )

    def __repr__(self) -> str:
        return f"<Result {self.id}, digest {self.digest}>"


def judge(results: Sequence[Result]) -> list[dict[str, Any]]:
    """What came of the expectations that look at several runs of a scenario, such as means over
    replicates and comparisons of variants.

    Parameters
    ----------
    results
        All runs of one scenario, as ``study`` gives them, with the same overrides and seed; of
        one engine, which those of ``jobs=1`` share.

    Returns
    -------
    list
        For each its ``id``, ``run``, ``outcome`` and ``message``, and the rest of what ``joint`` in
        batch.json has.
    """
    engines = {id(result._engine): result._engine for result in results}
    if len(engines) > 1:
        raise ValueError(
            f"the runs live in {len(engines)} engines, and one engine judges what it lived "
            "through: study(..., jobs=1)"
        )
    engine = next(iter(engines.values()), None) or shared()
    answer = engine.request({"type": "judge", "runs": [result._run for result in results]})[0]
    return list(answer["expectations"])
