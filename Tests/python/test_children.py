"""Programs that behave badly, and very many of them: nothing is left behind."""

import hashlib
import json
import os
import signal
import subprocess
import tempfile
import time
import unittest
import xml.etree.ElementTree
from pathlib import Path

import loopsim
from test_loopsim import NEEDS

HELLO = """echo '{"type":"hello","protocol":1,"name":"child"}'"""
READY = """echo '{"type":"ready"}'"""
ACT = """echo '{"type":"act","tempBasal":{"rate":1.1}}'"""

#: What a program does at a question, and the words of the sentence about it; one that answers has
#: none. `remember` notes a process that must be gone in the end.
BAD = {
    "dies": ("echo 'no model' >&2; exit 3", "ended with exit status 3"),
    "crashes": ("kill -SEGV $$", "was ended by signal 11"),
    "never-answers": ("exec sleep 1000", "gave no answer in time"),
    # What awk prints waits in a buffer while its output is a pipe.
    "does-not-flush": ("awk -v act=\"$(%s)\" '{ print act }'" % ACT, "flush standard output"),
    "floods-output": ("exec yes | tr -d '\\n'", "wrote a line of more than 1048576 bytes"),
    "floods-errors": ("head -c 3000000 /dev/zero | tr '\\0' x >&2; %s" % ACT, ""),
    "closes-input": ("exec 0<&-; exec sleep 1000", "gave no answer in time"),
    "leaves-a-child": ("sleep 1000 & remember $!; exit 4", "ended with exit status 4"),
    "lies": ("echo '{\"type\":\"act\",\"bolus\":\"much\"}'", '"bolus" must be a number'),
    "prints": ("echo thinking", "printed text where a message was due"),
    "good": (ACT, ""),
}


def program(act: str, more: str = "") -> str:
    """A program that greets, and does something at each question."""
    return f"""#!/bin/sh
remember() {{ echo "$1" >>pids; }}
remember $$
{more}
while read -r line; do
  case $line in
    '{{"type":"hello"'*) {HELLO} ;;
    '{{"type":"begin"'*) {READY} ;;
    '{{"type":"decide"'*) {act} ;;
    '{{"type":"end"'*) : ;;
  esac
done
"""


def evening(**more) -> dict:
    return {
        "format": "loopsim/1", "id": "evening", "clock": {"duration": "1h"},
        "patient": {"model": "tidepool-simple", "initialGlucose": 170, "needs": NEEDS},
        "cgm": {"model": "ar1"}, **more,
    }


class Children(unittest.TestCase):
    def setUp(self) -> None:
        # Every summary is synced, which takes most of the time of a thousand runs on a disk.
        memory = Path("/dev/shm")
        fits = os.access(memory, os.W_OK) and not os.statvfs(memory).f_flag & os.ST_NOEXEC
        folder = tempfile.TemporaryDirectory(dir=memory if fits else None)
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name: str, text: str, mode: int = 0o755) -> None:
        path = self.folder / name
        path.write_text(text)
        path.chmod(mode)

    def words(self, *more: str) -> list[str]:
        return [
            loopsim._engine.program(), "run", "evening.json5", "--allow-programs", "--quiet",
            "--out", "out", *more,
        ]

    def alive(self) -> list[int]:
        """The processes that were noted and still live."""
        found = []
        for pid in map(int, (self.folder / "pids").read_text().split()):
            try:
                state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
            except (FileNotFoundError, ProcessLookupError):
                continue
            if state not in "ZX":
                found.append(pid)
        return found

    def gone(self) -> None:
        """Nothing that was noted lives; the kernel ends processes in its own time."""
        deadline = time.monotonic() + 10
        while self.alive() and time.monotonic() < deadline:
            time.sleep(0.01)
        self.assertEqual(self.alive(), [])

    def test_each_costs_its_own_run_and_a_sentence_and_leaves_nothing(self) -> None:
        variants: dict = {
            "not-found": {"controller": {"command": ["./nobody"]}},
            "not-executable": {"controller": {"command": ["./plain"]}},
        }
        sentences = {name: words for name, (_, words) in BAD.items()} | {
            "not-found": "No such file or directory", "not-executable": "Permission denied",
        }
        self.write("plain", "#!/bin/sh\n", 0o644)
        for name, (act, words) in BAD.items():
            self.write(name, program(act))
            # A busy machine takes its time; only who never answers is waited for in vain.
            waits = "in time" in words or "flush" in words
            variants[name] = {
                "controller": {"command": [f"./{name}"], "timeout": "1s" if waits else "30s"}
            }
        self.write("evening.json5", json.dumps(evening(variants=variants)))
        start = time.monotonic()
        done = subprocess.run(
            self.words("--jobs", "4", "--junit", "all.xml"), cwd=self.folder,
            capture_output=True, text=True, timeout=300,
        )
        # Who sleeps for 1,000 s is given a second, and is gone with the second.
        self.assertLess(time.monotonic() - start, 60)
        self.assertEqual(done.returncode, 69, done.stdout + done.stderr)
        self.gone()
        cases = {
            case.get("classname", "").rsplit("/", 1)[-1] + "/" + case.get("name", ""): case
            for case in xml.etree.ElementTree.parse(self.folder / "all.xml").iter("testcase")
        }
        for name, words in sentences.items():
            with self.subTest(name):
                errors = [
                    error.get("message", "") + (error.text or "")
                    for key, case in cases.items() if name in key for error in case.iter("error")
                ]
                out = self.folder / "out" / "evening" / name / "summary.json"
                if words:
                    self.assertEqual(len(errors), 1)
                    self.assertIn(words, errors[0])
                    self.assertFalse(out.exists())
                else:
                    self.assertEqual(errors, [])
                    self.assertTrue(out.exists())

    def test_ctrl_c_ends_the_programs_too(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            self.write("pids", "", 0o644)
            self.write("hangs", program("sleep 1000 & remember $!; wait"))
            self.write(
                "evening.json5", json.dumps(evening(controller={"command": ["./hangs"]})))
            process = subprocess.Popen(
                self.words(), cwd=self.folder, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL, start_new_session=True,
            )
            deadline = time.monotonic() + 60
            while len(self.alive()) < 2 and time.monotonic() < deadline:
                time.sleep(0.01)
            self.assertEqual(len(self.alive()), 2)
            process.send_signal(number)
            # It ends by the signal, which a shell shows as 130, 143 or 129.
            self.assertEqual(process.wait(timeout=60), -number)
            self.gone()
            self.assertFalse((self.folder / "out" / "evening" / "summary.json").exists())

    def results(self, folder: str) -> dict[str, str]:
        """The files of runs, each by a digest."""
        found = {}
        for path in sorted((self.folder / folder).rglob("*")):
            if path.is_file() and path.name not in ("batch.json",):
                name = str(path.relative_to(self.folder / folder))
                found[name] = hashlib.sha256(path.read_bytes()).hexdigest()
        return found

    def test_a_thousand_runs_have_at_most_eight_children_and_leak_nothing(self) -> None:
        count = 1000
        note = "echo + >>log; trap 'echo - >>log' EXIT"
        reusable = program(ACT, note).replace('"name":"child"', '"name":"child","can":["reuse"]')
        self.write("child", reusable)
        self.write("evening.json5", json.dumps(evening(
            clock={"duration": "30m"}, random={"seed": 1, "replicates": count},
            output={"save": ["timeline"]}, controller={"command": ["./child"]},
        )))
        lived = {}
        for name, jobs, more, starts in [
            ("one", 1, [], range(1, 2)), ("eight", 8, [], range(1, 9)),
            ("fresh", 8, ["--fresh-programs"], range(count, count + 1)),
        ]:
            self.write("log", "", 0o644)
            words = self.words("--jobs", str(jobs), *more)
            words[words.index("out")] = name
            # 64 descriptors are few for eight programs, and none is left for a run that leaks one.
            done = subprocess.run(
                ["sh", "-c", 'ulimit -n 64; exec "$@"', "sh", *words], cwd=self.folder,
                capture_output=True, text=True, timeout=500,
            )
            self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr[-2000:])
            living = most = 0
            lines = (self.folder / "log").read_text().split()
            for line in lines:
                living += 1 if line == "+" else -1
                most = max(most, living)
            self.assertEqual(living, 0)
            self.assertLessEqual(most, jobs)
            self.assertIn(lines.count("+"), starts)
            self.gone()
            lived[name] = self.results(name)
        self.assertGreater(len(lived["one"]), 2 * count)
        self.assertEqual(lived["one"], lived["eight"])
        self.assertEqual(lived["one"], lived["fresh"])


if __name__ == "__main__":
    unittest.main()
