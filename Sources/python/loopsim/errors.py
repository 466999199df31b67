"""What can go wrong, each with its place where it has one."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Problem:
    """What is wrong with a scenario, and where.

    Of an override the file is ``"message"``, and the place that in the message, which nobody has
    written who gives ``overrides``: it is left out of the text.
    """

    file: str
    line: int
    column: int
    severity: str
    text: str

    def __str__(self) -> str:
        is_override = self.file == "message"
        place = "overrides" if is_override else f"{self.file}:{self.line}:{self.column}"
        return f"{place}: {self.severity}: {self.text}"


class LoopsimError(Exception):
    """Something went wrong in loopsim or in the talk with it."""


class ScenarioError(LoopsimError):
    """A scenario cannot be run.

    Attributes
    ----------
    problems
        Everything that was found, warnings included, in the order of the file.
    """

    def __init__(self, text: str, problems: list[Problem]) -> None:
        super().__init__(text)
        self.problems = problems

    def __str__(self) -> str:
        errors = [str(problem) for problem in self.problems if problem.severity == "error"]
        return "\n".join(errors) or super().__str__()


class ScenarioWarning(UserWarning):
    """What ``loopsim run`` would warn of, such as a key that has no effect."""


class RequestError(LoopsimError):
    """A request cannot be followed; nothing has changed.

    Attributes
    ----------
    path
        The place in the message, such as ``$.tempBasal.rate``; empty where it has none.
    """

    def __init__(self, text: str, code: int, path: str) -> None:
        super().__init__(f"{path}: {text}" if path else text)
        self.code = code
        self.path = path


class ProgramError(LoopsimError):
    """A controller failed, or the program ``loopsim`` itself cannot be talked with."""


def problem(value: dict[str, Any]) -> Problem:
    """The problem that a message holds."""
    return Problem(
        value["file"], value["line"], value["column"], value["severity"], value["text"]
    )


def warn(message: dict[str, Any]) -> None:
    """Warns of what an answer has in spite of a problem."""
    if message["type"] in ("begin", "batch", "prediction", "written"):
        for one in message.get("problems", []):
            if one["severity"] == "warning":
                warnings.warn(str(problem(one)), ScenarioWarning, stacklevel=5)


#: What a message says of who answers and of which run, and the arguments that say it here.
_ARGUMENTS = [
    ('answer for it with "answers":["body"]', "pass it as patient="),
    ('answer its questions with "answers":["decision"]', "pass it as controller="),
    (
        'answer for them with "answers":["decision","bolus"]',
        "override recommend_bolus() of the controller",
    ),
    (
        'Say which with "of"; "check" lists them.',
        "Say which with which=; loopsim.runs() lists them.",
    ),
]


def error(message: dict[str, Any]) -> LoopsimError:
    """The error that an answer of the program is."""
    text, path = message["text"], message.get("path", "")
    if message.get("problems"):
        return ScenarioError(text, [problem(one) for one in message["problems"]])
    if path in ("$.answers", "$.of"):
        # Nobody wrote that message: who answers and which run follow from the arguments.
        path = ""
        for words, argument in _ARGUMENTS:
            text = text.replace(words, argument)
    return RequestError(text, message.get("code", 70), path)
