"""The program ``loopsim serve``, as a child that answers lines."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import threading
from collections import deque
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from .errors import ProgramError, error, warn

Message = dict[str, Any]


def program() -> str:
    """The path of the program: ``$LOOPSIM``, else the one on the ``PATH``."""
    named = os.environ.get("LOOPSIM")
    found = named or shutil.which("loopsim")
    if not found:
        raise ProgramError(
            "There is no program loopsim on the PATH. Build it (swift build -c release) and say "
            "where it is: LOOPSIM=.build/release/loopsim."
        )
    return str(Path(found).resolve()) if os.sep in found else found


class Engine:
    """One process of ``loopsim serve`` and the runs that live in it.

    An engine may be used by several threads; a request waits for the one before. It ends with the
    ``with`` block, with :meth:`close`, or with this process.
    """

    def __init__(self) -> None:
        try:
            self._process = subprocess.Popen(
                [program(), "serve", "--stdio"],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True,
            )
        except OSError as failure:
            raise ProgramError(f"The program loopsim cannot be started: {failure}") from failure
        self._owner = os.getpid()
        self._lock = threading.Lock()
        self._unwanted: deque[str] = deque()
        # A fork copies the body of Python with the run.
        hello = self.request(
            {"type": "hello", "protocol": 1, "role": "client", "can": ["fork"]}
        )[0]
        #: The version of the program.
        self.version: str = hello["loopsim"]

    def __enter__(self) -> "Engine":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the process; its runs are gone."""
        process = self._process
        if process.poll() is None and process.stdin is not None:
            process.stdin.close()
            try:
                process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        if process.stdout is not None:
            process.stdout.close()

    def __del__(self) -> None:
        if hasattr(self, "_process"):
            with contextlib.suppress(OSError):
                self.close()

    @property
    def has_ended(self) -> bool:
        """Whether the process has ended; its runs are gone."""
        return self._process.poll() is not None

    def request(self, message: Mapping[str, Any]) -> list[Message]:
        """Sends a message and gives the answer, with the first question where a run begins."""
        return self.requests([message])[0]

    def requests(self, messages: Iterable[Mapping[str, Any]]) -> list[list[Message]]:
        """Sends several messages at once and gives their answers in the same order."""
        if self._owner != os.getpid():
            raise ProgramError(
                "An engine answers the process that started it, and this is a copy of that "
                "process: make an Engine, or an environment, here."
            )
        messages = list(messages)
        # What cannot be written as JSON is found before anything is sent.
        lines = [_line(message) for message in messages]
        answers: list[list[Message]] = []
        failure: Exception | None = None
        with self._lock:
            writer = self._process.stdin
            assert writer is not None
            try:
                self._forget()
                for message, line in zip(messages, lines):
                    writer.write(line)
                    writer.flush()
                    answer = [self._read()]
                    asks = message.get("answers", ["decision"]) != []
                    if answer[0]["type"] == "begin" and asks:
                        answer.append(self._read())
                    if answer[0]["type"] == "error":
                        failure = failure or error(answer[0])
                    answers.append(answer)
            except BaseException as failed:
                # Whatever has broken in, such as Ctrl-C or the alarm of a test: an answer that is
                # still due would be taken for that of the next request.
                self._process.kill()
                self._process.wait()
                if isinstance(failed, (BrokenPipeError, ValueError)):
                    raise ProgramError("The program loopsim has ended.") from failed
                raise
        if failure:
            raise failure
        for answer in answers:
            warn(answer[0])
        return answers

    def forget(self, run: str) -> None:
        """Closes a run with the next request.

        Whatever collects garbage may call this in the middle of a request, so nothing waits here.
        """
        self._unwanted.append(run)

    def _forget(self) -> None:
        """Closes the runs that nobody holds any more."""
        while self._unwanted:
            writer = self._process.stdin
            assert writer is not None
            writer.write(_line({"type": "close", "run": self._unwanted.popleft()}))
            writer.flush()
            self._read()

    def _read(self) -> Message:
        reader = self._process.stdout
        assert reader is not None
        line = reader.readline()
        if not line:
            raise ProgramError(
                f"The program loopsim ended with status {self._process.wait()}."
            )
        message: Message = json.loads(line)
        return message


def _line(message: Mapping[str, Any]) -> bytes:
    return json.dumps(message, allow_nan=False, separators=(",", ":")).encode() + b"\n"


_shared: Engine | None = None
_shared_lock = threading.Lock()


def shared() -> Engine:
    """The engine of this process: started when it is first needed, and anew when it has ended."""
    global _shared
    with _shared_lock:
        if _shared is None or _shared.has_ended:
            _shared = Engine()
        return _shared


def _leave() -> None:
    """Leaves the engine to the process that started it; a copy of that process starts its own."""
    global _shared, _shared_lock
    _shared, _shared_lock = None, threading.Lock()


os.register_at_fork(after_in_child=_leave)
