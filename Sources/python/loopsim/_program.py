"""What every program does that loopsim starts: a message in, a message out."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Callable
from datetime import datetime
from typing import Any

Message = dict[str, Any]


def moment(text: str) -> datetime:
    """The time that a message has, with its zone."""
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def number(name: str, value: Any) -> float:
    """A number of an answer, as a float; what is none is said by its name."""
    # True is 1.0 to float(), and "1" is too: neither is an amount of insulin.
    is_number = type(value).__name__ not in ("bool", "bool_", "str", "str_", "bytes")
    try:
        found = float(value) if is_number else math.nan
    except (TypeError, ValueError):
        found = math.nan
    if not math.isfinite(found):
        raise ValueError(f"{name} is {value!r}, and must be a finite number")
    return found


def flag(name: str, value: Any) -> bool:
    """A truth value of an answer; what is none is said by its name, as "no" is true to Python."""
    if value is None or type(value).__name__ in ("bool", "bool_"):
        return bool(value)
    raise ValueError(f"{name} is {value!r}, and must be True or False")


def serve(
    hello: Message, begin: Callable[[Message], None],
    answers: dict[str, Callable[[Message], Message]],
) -> None:
    """Speaks on standard input and output, as loopsim starts programs.

    What a library prints goes to standard error, so that it cannot break the talk.

    Parameters
    ----------
    hello
        What the program says of itself.
    begin
        What it does when a run begins.
    answers
        What it answers to each type of question.
    """
    output = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    for line in sys.stdin:
        message = json.loads(line)
        answer: Message
        if message["type"] == "hello":
            answer = {"type": "hello", "protocol": 1, **hello}
        elif message["type"] == "begin":
            begin(message)
            answer = {"type": "ready"}
        elif message["type"] in answers:
            answer = answers[message["type"]](message)
            answer["n"] = message["n"]
        elif message["type"] == "end" and "reuse" in hello.get("can", []):
            continue
        else:
            return
        output.write(json.dumps(answer, allow_nan=False, separators=(",", ":")) + "\n")
        output.flush()
