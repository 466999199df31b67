"""What the guides show, word for word."""

import io
import json
import os
import re
import subprocess
import tempfile
import types
import unittest
from contextlib import redirect_stdout
from pathlib import Path

import loopsim
from test_loopsim import NEEDS

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = loopsim._engine.program()


def blocks(path: str, language: str) -> list[str]:
    """The blocks of a guide in a language."""
    text = (ROOT / path).read_text()
    return re.findall(rf"^```{language}\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)


def has(*modules: str) -> bool:
    try:
        for module in modules:
            __import__(module)
    except ImportError:
        return False
    return True


class Guides(unittest.TestCase):
    def setUp(self) -> None:
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(ROOT)

    def test_the_controller_of_the_readme_lives_through_a_day(self) -> None:
        code, = blocks("README.md", "python")
        names: dict = {}
        with redirect_stdout(io.StringIO()) as printed:
            exec(code, names)
        self.assertRegex(printed.getvalue(), r"^[0-9a-f]{16} \d+")
        # It is ten lines, and the same class is a program.
        body = [line for line in code.splitlines() if line and not line.startswith("#")]
        self.assertLessEqual(len(body), 14)

    def test_the_eight_lines_of_shell_live_through_a_day(self) -> None:
        code = next(one for one in blocks("Scenarios/BRIDGE.md", "sh") if one.startswith("#!"))
        self.assertLessEqual(len(code.splitlines()), 9)
        command, = re.findall(
            r"^    (loopsim run \S+ --controller \./steady\.sh)$",
            (ROOT / "Scenarios" / "BRIDGE.md").read_text(), flags=re.MULTILINE)
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "steady.sh").write_text(code)
            Path(folder, "steady.sh").chmod(0o755)
            Path(folder, "Scenarios").symlink_to(ROOT / "Scenarios")
            words = command.split()[1:]
            done = subprocess.run(
                [PROGRAM, *words, "--out", "out", "--allow-outside"], cwd=folder, timeout=120,
                capture_output=True, text=True,
            )
            self.assertIn(done.returncode, (0, 1), done.stderr)
            record, = Path(folder, "out").rglob("decisions.ndjson")
            self.assertGreater(record.read_text().count('"rate":1.1'), 280)

    def test_those_who_come_from_simglucose_switch_as_shown(self) -> None:
        code = next(
            one for one in blocks("Scenarios/BRIDGE.md", "python") if "simglucose" in one)
        theirs, ours = code.split("# loopsim\n")
        self.assertIn("BBController()", theirs)
        self.assertLessEqual(len([line for line in ours.splitlines() if line]), 11)

        class BBController:
            def policy(self, observation, reward, done, **info):
                return types.SimpleNamespace(basal=0.02, bolus=info["meal"] / 10)

            def reset(self):
                pass

        names: dict = {"loopsim": loopsim, "BBController": BBController}
        exec(ours, names)
        bolus = sum(names["result"].timeline["bolus_delivered_U"])
        # 45 g by 10 g/U.
        self.assertAlmostEqual(bolus, 4.5, delta=0.051)

    def test_the_examples_of_the_package_run_in_their_order(self) -> None:
        names: dict = {}
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "leaky.json5").write_text(json.dumps({
                "format": "loopsim/1", "clock": {"duration": "2h"},
                "patient": {"model": "external", "needs": NEEDS},
            }))
            for code in blocks("Sources/python/README.md", "python"):
                if "gymnasium" in code and not has("gymnasium", "numpy"):
                    continue
                if "stable_baselines3" in code:
                    if not has("stable_baselines3"):
                        continue
                    code = code.replace("1_000_000", "1_000").replace("288", "20")
                if "save(" in code or "leaky" in code:
                    code = code.replace('"leaky.json5"', repr(f"{folder}/leaky.json5"))
                    code = code.replace('"episode"', repr(f"{folder}/episode"))
                with self.subTest(code.splitlines()[0]), redirect_stdout(io.StringIO()):
                    exec(code, names)
        self.assertIn("Leaky", names)

    def test_every_type_of_message_is_described(self) -> None:
        with loopsim.Engine() as engine:
            known = engine.request({"type": "hello", "protocol": 1})[0]["can"]
        text = (ROOT / "Scenarios" / "BRIDGE.md").read_text()
        table = text[text.index("## loopsim serve"):]
        for name in known:
            self.assertIn(f"`{name}`", table)
        answer = loopsim.check("{")
        self.assertTrue(answer)


if __name__ == "__main__":
    unittest.main()
