"""The same answers through every door: the C library, `loopsim serve`, and a program of its own.

Law 1 of the bridge: scenario, seed and answers decide every byte of a run, and nothing else does.
"""

import ctypes
import json
import platform
import random
import subprocess
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path

import loopsim
from loopsim._engine import Engine
from test_loopsim import NEEDS

LIBRARY = Path(loopsim._engine.program()).parent / "libloopsimc.so"

#: A controller with chance of its own, which the seed of the run decides.
CHANCY = textwrap.dedent(
    """
    import random
    import loopsim

    class Chancy(loopsim.Controller):
        reusable = True

        def reset(self, begin):
            self.chance = random.Random(begin["seed"])

        def decide(self, now):
            what, act = self.chance.random(), loopsim.Act()
            if what < 0.5:
                act.basal = self.chance.uniform(-0.2, 4)
            elif what < 0.6:
                act.basal = "cancel"
            if what > 0.9:
                act.bolus = self.chance.uniform(0, 2)
            act.suspend, act.resume = what < 0.02, 0.02 <= what < 0.3
            act.note = f"{what:.3f}"
            return act

        def recommend_bolus(self, now):
            return self.chance.uniform(0, 3)

    if __name__ == "__main__":
        Chancy().serve()
    """
)


def scenario(number: int) -> dict:
    """A scenario of some hours that chance makes."""
    chance = random.Random(number)
    patient = chance.choice([
        {"model": "tidepool-simple", "initialGlucose": chance.randint(80, 250), "needs": NEEDS},
        {"model": "uva-padova-s2008", "name": f"adult#{chance.randint(1, 10):03}",
         "needs": "table"},
        {"model": "bergman", "needs": NEEDS},
    ])
    events: list = [
        {"at": f"+{chance.randint(10, 200)}m", "meal": {"grams": chance.randint(5, 80)}}
        for _ in range(chance.randint(0, 2))
    ]
    events += [
        {"at": f"+{chance.randint(10, 200)}m", "bolus": {"take": "recommended"}}
        for _ in range(chance.randint(0, 2))
    ]
    faults = [
        {"during": [f"+{chance.randint(0, 150)}m", "30m"], **chance.choice([
            {"cgm": {"dropout": {}}}, {"cgm": {"unreliable": {}}}, {"pump": {"commLoss": {}}},
            {"pump": {"uncertainDelivery": {}}}, {"app": {"doubleRun": {}}},
            {"phone": {"bluetoothOff": {}}}, {"app": {"clockJump": "7m"}},
        ])} for _ in range(chance.randint(0, 2))
    ]
    return {
        "format": "loopsim/1", "id": f"random-{number}", "random": {"seed": number},
        "clock": {"duration": f"{chance.randint(4, 7)}h"}, "patient": patient,
        "cgm": {"model": chance.choice(["ar1", "dexcomG6", "ideal"])},
        "app": {"closedLoop": chance.random() < 0.9}, "events": events, "faults": faults,
    }


def chancy() -> loopsim.Controller:
    names: dict = {"__name__": "chancy"}
    exec(CHANCY, names)
    return names["Chancy"]()


class Library(Engine):
    """The engine in this process, through the interface for C."""

    def __init__(self) -> None:
        self._unwanted = []
        self._c = ctypes.CDLL(str(LIBRARY))
        handle, size = ctypes.c_int64, ctypes.c_size_t
        self._c.loopsim_exchange.argtypes = [
            handle, ctypes.c_char_p, size, ctypes.POINTER(handle)]
        self._c.loopsim_bytes.argtypes = [
            handle, ctypes.POINTER(ctypes.c_char_p), ctypes.POINTER(size)]
        self._c.loopsim_close.argtypes = [handle]
        self._c.loopsim_open_handles.restype = handle
        self._session = handle()
        assert self._c.loopsim_open(ctypes.byref(self._session)) == 0

    def exchange(self, line: bytes) -> bytes:
        """The answer to a line."""
        text, data, count = ctypes.c_int64(), ctypes.c_char_p(), ctypes.c_size_t()
        code = self._c.loopsim_exchange(self._session, line, len(line), ctypes.byref(text))
        assert code == 0, code
        assert self._c.loopsim_bytes(text, ctypes.byref(data), ctypes.byref(count)) == 0
        answer = ctypes.string_at(data, count.value)
        assert self._c.loopsim_close(text) == 0
        return answer

    def requests(self, messages):
        answers = []
        for message in messages:
            lines = self.exchange(json.dumps(message, allow_nan=False).encode()).splitlines()
            answers.append([json.loads(line) for line in lines])
            if answers[-1][0]["type"] == "error":
                raise loopsim.errors.error(answers[-1][0])
        return answers

    def close(self) -> None:
        self._c.loopsim_close(self._session)


class Arithmetic:
    """The environment of floating point of this thread, as a host may have set it."""

    def __init__(self) -> None:
        self._c = ctypes.CDLL("libm.so.6")
        self.upward, self.flush, self.place = {
            "x86_64": (0x800, 0x8040, 28), "aarch64": (0x400000, 1 << 24, 0),
        }[platform.machine()]
        self._usual = (ctypes.c_uint8 * 64)()
        self._c.fegetenv(self._usual)

    def set(self, upward: bool, flush: bool) -> None:
        if flush:
            changed = (ctypes.c_uint8 * 64).from_buffer_copy(self._usual)
            word = ctypes.c_uint32.from_buffer(changed, self.place)
            word.value |= self.flush
            self._c.fesetenv(changed)
        if upward:
            self._c.fesetround(self.upward)

    def state(self) -> tuple[bool, bool]:
        now = (ctypes.c_uint8 * 64)()
        self._c.fegetenv(now)
        word = ctypes.c_uint32.from_buffer(now, self.place).value
        return self._c.fegetround() == self.upward, word & self.flush == self.flush

    def restore(self) -> None:
        self._c.fesetenv(self._usual)


class Strange(Library):
    """The library in a host with arithmetic of its own."""

    def __init__(self, upward: bool, flush: bool) -> None:
        super().__init__()
        self.arithmetic, self.wanted = Arithmetic(), (upward, flush)

    def exchange(self, line: bytes) -> bytes:
        self.arithmetic.set(*self.wanted)
        answer = super().exchange(line)
        left = self.arithmetic.state()
        self.arithmetic.restore()
        assert left == self.wanted, f"the host's arithmetic became {left}"
        return answer


class Doors(unittest.TestCase):
    count = 20

    @unittest.skipUnless(LIBRARY.exists(), "there is no libloopsimc.so beside the program")
    def test_every_door_gives_the_same_run(self) -> None:
        served = [loopsim.run(scenario(n), controller=chancy()) for n in range(self.count)]
        library = Library()
        linked = [
            loopsim.run(scenario(n), controller=chancy(), engine=library)
            for n in range(self.count)
        ]
        self.assertEqual([one.digest for one in linked], [one.digest for one in served])
        self.assertEqual(len({one.digest for one in served}), self.count)
        # Chance does something, and the guards too.
        self.assertGreater(len({name for one in served for name in one.summary["guards"]}), 4)
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "chancy.py").write_text(CHANCY)
            files = [f"{n}.json5" for n in range(self.count)]
            for n, name in enumerate(files):
                Path(folder, name).write_text(json.dumps(scenario(n)))
            subprocess.run(
                [loopsim._engine.program(), "run", *files, "--out", "out", "--quiet", "--jobs",
                 "2", "--controller", f"'{sys.executable}' chancy.py"],
                cwd=folder, check=True, timeout=300, stdout=subprocess.DEVNULL,
            )
            for n, one in enumerate(served):
                out = Path(folder, "out", f"random-{n}")
                summary = json.loads(Path(out, "summary.json").read_text())
                self.assertEqual(summary["digest"], one.digest)
                one.save(Path(folder, "saved"))
                lines = [
                    Path(at, "decisions.ndjson").read_text().splitlines()[1:-1]
                    for at in (out, Path(folder, "saved"))
                ]
                self.assertGreater(len(lines[0]), 30)
                self.assertEqual(lines[0], lines[1])

    @unittest.skipUnless(LIBRARY.exists(), "there is no libloopsimc.so beside the program")
    @unittest.skipUnless(platform.machine() in ("x86_64", "aarch64"), "another processor")
    def test_the_arithmetic_of_the_host_changes_nothing(self) -> None:
        for number in (1, 2, 5):
            usual = loopsim.run(scenario(number), controller=chancy()).digest
            for upward, flush in [(True, False), (False, True), (True, True)]:
                engine = Strange(upward, flush)
                one = loopsim.run(scenario(number), controller=chancy(), engine=engine)
                self.assertEqual(one.digest, usual)


class Lines(unittest.TestCase):
    """What `serve` makes of lines that are no messages."""

    def test_a_line_that_is_too_long_is_an_answer_and_the_session_goes_on(self) -> None:
        hello = b'{"type":"hello","protocol":1,"id":1}\n'
        lines = hello + b" " * (17 << 20) + b"\n" + b'{"a":"\xc3"}\n' + b"[" * 10_000 + b"\n"
        lines += b'{"type":"hello","protocol":1,"version":NaN}\n' + hello
        done = subprocess.run(
            [loopsim._engine.program(), "serve", "--stdio"], input=lines, capture_output=True,
            timeout=120, check=True,
        )
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(
            [answer["type"] for answer in answers],
            ["hello", "error", "error", "error", "error", "hello"],
        )
        self.assertIn("16777216", answers[1]["text"])
        self.assertIn("allow_nan=False", answers[4]["text"])
        self.assertEqual(done.stderr, b"")

    def test_a_client_that_does_not_listen_is_an_error_of_output(self) -> None:
        process = subprocess.Popen(
            [loopsim._engine.program(), "serve", "--stdio"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        process.stdout.close()
        _, error = process.communicate(b'{"type":"hello","protocol":1}\n' * 3, timeout=60)
        self.assertEqual(process.returncode, 74)
        self.assertTrue(error)


if __name__ == "__main__":
    unittest.main()
