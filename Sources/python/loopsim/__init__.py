"""Closed-loop insulin dosing, simulated repeatably.

    result = loopsim.run("day.json5")
    result.timeline["glucose_true_mgdL"].mean()

loopsim is not a medical device.
"""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from os import PathLike
from pathlib import Path
from typing import Any

from ._engine import Engine, Message, shared
from ._progress import Part, Progress, told
from ._result import Result, Table, judge
from .controller import Act, Controller, Decide
from .errors import (
    LoopsimError, Problem, ProgramError, RequestError, ScenarioError, ScenarioWarning, problem,
)
from .patient import Live, Lived, Patient

__all__ = [
    "Act", "Controller", "Decide", "Engine", "Live", "Lived", "LoopsimError", "Patient",
    "Problem", "ProgramError", "RequestError", "Result", "ScenarioError", "ScenarioWarning",
    "Table", "check", "describe", "judge", "predict", "run", "study",
]

__version__ = "0.1.0"

#: A path, the text of a scenario, or the scenario as a dictionary.
Scenario = str | PathLike[str] | Mapping[str, Any]


def source(scenario: Scenario) -> dict[str, Any]:
    """The scenario as a request names it."""
    if isinstance(scenario, Mapping):
        return {"text": json.dumps(scenario, allow_nan=False)}
    if isinstance(scenario, str) and scenario.lstrip().startswith(("{", "//", "/*")):
        return {"text": scenario}
    return {"scenario": str(Path(scenario).resolve())}


def check(scenario: Scenario, *, engine: Engine | None = None) -> list[Problem]:
    """Everything that is wrong with a scenario, warnings included."""
    answer = (engine or shared()).request({"type": "check", **source(scenario)})[0]
    return [problem(one) for one in answer["problems"]]


def describe(path: str | None = None, *, engine: Engine | None = None) -> list[dict[str, Any]]:
    """The keys that a scenario may have, or one of them and what it holds.

    Each has ``path``, ``type``, ``required``, ``default``, ``meaning`` and ``supported``, and one
    that stands only beside another key has ``beside``: what ``loopsim schema`` prints.

    >>> describe("app.dosing")[0]["default"]
    "'tempBasal'"
    """
    request = {"type": "describe"} if path is None else {"type": "describe", "path": path}
    return list((engine or shared()).request(request)[0]["keys"])


def runs(scenario: Scenario, *, engine: Engine | None = None) -> list[str]:
    """The names of the runs of a scenario.

    Raises
    ------
    ScenarioError
        The scenario is so wrong that its runs cannot be told.
    """
    answer = (engine or shared()).request({"type": "check", **source(scenario)})[0]
    if not answer["runs"]:
        problems = [problem(one) for one in answer["problems"]]
        raise ScenarioError("The runs of the scenario cannot be told.", problems)
    return list(answer["runs"])


def run(
    scenario: Scenario, *, overrides: Mapping[str, Any] | None = None, seed: int | None = None,
    which: str | None = None, controller: Controller | None = None,
    patient: Patient | None = None, privileged: bool = False,
    progress: bool | Progress = False, engine: Engine | None = None,
) -> Result:
    """Carries out one run.

    >>> result = run("Scenarios/closed-loop/three-meals-closed-loop.json5", seed=7)
    >>> result.passed, result.timeline.rows
    (True, 289)

    Parameters
    ----------
    scenario
        A path, the text of a scenario, or a dictionary.
    overrides
        Values by paths, as a sweep sets them: ``{"therapy.maxBolus": 5}``.
    which
        The name of the run, where the scenario has several.
    controller
        Who decides in place of the app.
    patient
        The body, where the scenario's is ``{"model": "external"}``.
    privileged
        Whether the controller is told the truth about the body; every result says so.
    progress
        What is called with the part of the run that is over, from 0 to 1, a hundred times at most;
        ``True`` shows it on standard error.

    Raises
    ------
    ScenarioError
        The scenario is wrong; its problems have file, line and column.
    ProgramError
        The controller or the patient raised an exception, which is chained, or gave what cannot
        be done.
    """
    _check("controller", controller, Controller)
    _check("patient", patient, Patient)
    engine = engine or shared()
    request: dict[str, Any] = {"type": "reset", **source(scenario)}
    request["answers"] = [
        name for name, program in [("decision", controller), ("body", patient)]
        if program is not None
    ]
    if controller is not None and controller.recommends:
        request["answers"].append("bolus")
    if overrides:
        request["overrides"] = dict(overrides)
    if seed is not None:
        request["seed"] = str(seed)
    if which is not None:
        request["of"] = which
    if privileged:
        request["privileged"] = True
    answers = engine.request(request)
    name = answers[0]["run"]
    try:
        end = _lived(engine, answers, controller, patient, told(progress))
    except BaseException:
        # Whatever has broken in, the run would stay open, and a program has room for so many.
        engine.forget(name)
        raise
    return Result(engine, name, end)


def _lived(
    engine: Engine, answers: list[Message], controller: Controller | None,
    patient: Patient | None, tell: Progress,
) -> Message:
    """Lives through a run that has begun, and gives the message of its end."""
    begin = answers[0]
    part = Part(tell, begin["start"], begin["end"])
    if controller is None and patient is None:
        for through in part.stops():
            end = engine.request({"type": "advance", "run": begin["run"], "through": through})[0]
            part.reached(through)
        return end
    now = Decide()
    now.settings = begin["settings"]
    message = answers[1]
    if controller is not None:
        with _blaming("controller", message):
            controller.reset(begin)
    if patient is not None:
        with _blaming("patient", message):
            patient.reset(begin["body"])
    while message["type"] != "end":
        part.reached(message["at"] if "at" in message else message["to"])
        answer: Message
        if message["type"] in ("decide", "recommendBolus") and controller is not None:
            who = "controller"
            with _blaming(who, message):
                ask = controller.act if message["type"] == "decide" else controller.boluses
                answer = ask(now.take(message))
        else:
            assert patient is not None
            who = "patient"
            with _blaming(who, message):
                answer = patient.lived(message)
        try:
            message = engine.request({**answer, "run": begin["run"], "n": message["n"]})[0]
        except (RequestError, TypeError, ValueError) as failure:
            # What the answer may hold is known to the program alone.
            raise _blamed(who, message, failure) from failure
    part.finish()
    return message


@contextlib.contextmanager
def _blaming(who: str, message: Message) -> Iterator[None]:
    """Says of an exception within which program failed, and at which question."""
    try:
        yield
    except LoopsimError:
        raise
    except Exception as failure:
        raise _blamed(who, message, failure) from failure


def _blamed(who: str, message: Message, failure: Exception) -> ProgramError:
    when = message.get("at", message.get("to", "its start"))
    return ProgramError(f"The {who} failed at {when}: {failure}")


def _check(name: str, given: object, kind: type) -> None:
    """Says what an argument has to be where it is something else."""
    if given is None or isinstance(given, kind):
        return
    if isinstance(given, type) and issubclass(given, kind):
        raise TypeError(
            f"{name} is the class {given.__name__}, and must be an object of it: "
            f"{given.__name__}()"
        )
    raise TypeError(f"{name} is {given!r}, and must be a loopsim.{kind.__name__}")


def study(
    scenario: Scenario, *, overrides: Mapping[str, Any] | None = None,
    controller: Controller | Callable[[], Controller] | None = None,
    patient: Patient | Callable[[], Patient] | None = None, privileged: bool = False,
    jobs: int = 1, progress: bool | Progress = False, engine: Engine | None = None,
) -> list[Result]:
    """Carries out every run of a scenario, and gives them in the order of its plan.

    Parameters
    ----------
    controller, patient
        As in :func:`run`, or what makes one, such as the class: each run then has its own, and
        several may live at once.
    jobs
        How many runs live at once, each with a process of the program.
    progress
        What is called with the part of the runs that is over; ``True`` shows it.
    overrides, privileged
        As in :func:`run`.
    """
    shares = [one for one in (controller, patient) if isinstance(one, (Controller, Patient))]
    if jobs < 1 or (jobs > 1 and (shares or engine is not None)):
        raise ValueError(
            "runs that live at once have each a controller, a patient and an engine of their own: "
            "give the class in place of the object, or jobs=1"
        )
    names = runs(scenario, engine=engine)
    tell, lock = told(progress), threading.Lock()
    over = 0
    own = threading.local()

    def live(name: str) -> Result:
        nonlocal over
        if jobs > 1 and not hasattr(own, "engine"):
            own.engine = Engine()
        result = run(
            scenario, overrides=overrides, which=name, privileged=privileged,
            controller=controller if isinstance(controller, Controller) or controller is None
            else controller(),
            patient=patient if isinstance(patient, Patient) or patient is None else patient(),
            engine=own.engine if jobs > 1 else engine,
        )
        with lock:
            over += 1
            tell(over / len(names))
        return result

    if jobs == 1:
        return [live(name) for name in names]
    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(live, names))


def predict(input: Mapping[str, Any], *, engine: Engine | None = None) -> dict[str, Any]:
    """What the Loop algorithm makes of an input, as LoopAlgorithm's own runner prints it."""
    answer = (engine or shared()).request({"type": "predict", "input": dict(input)})[0]
    return dict(answer["output"])
