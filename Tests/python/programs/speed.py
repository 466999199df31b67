"""What a step costs through each door, on this machine and now, as a table of Markdown.

    python Tests/python/programs/speed.py

simglucose is measured in the same run where it is installed (pip install --no-deps simglucose, and
scipy, pandas, matplotlib and setuptools<81); its package alone is not imported, as it needs an old gym. With
--limits the process ends with 1 where a figure is beyond ten times what Scenarios/BRIDGE.md states: that
finds what grew by an order, on any machine.
"""

import argparse
import glob
import sys
import time
from datetime import datetime, timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy

import loopsim
from loopsim.gym import ScenarioEnv, ScenarioVectorEnv
from loopsim.patients import PatientEnv, PatientVectorEnv, day_of
from test_compat import package

DAY = day_of("adult#001")
STEPS = 289


class Steady(loopsim.Controller):
    def decide(self, now: loopsim.Decide) -> loopsim.Act:
        return loopsim.Act(basal=1.1)


def best(live, steps: int, times: int = 3) -> float:
    """The shortest of some times, in µs for each step."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        live()
        found.append(time.perf_counter() - start)
    return min(found) / steps * 1e6


def inside(engine, live, steps: int, times: int = 3) -> float:
    """The processor time of the program loopsim, in µs for each step."""

    def spent() -> int:
        tasks = glob.glob(f"/proc/{engine._process.pid}/task/*/schedstat")
        return sum(int(Path(task).read_text().split()[0]) for task in tasks)

    found = []
    for _ in range(times):
        start = spent()
        live()
        found.append(spent() - start)
    return min(found) / steps / 1e3


def episode(env) -> None:
    env.reset(seed=1)
    over, action = False, numpy.zeros(env.action_space.shape, dtype=numpy.float32)
    while not numpy.all(over):
        _, _, terminated, truncated, _ = env.step(action)
        over = numpy.logical_or(terminated, truncated)


def simglucose() -> float | None:
    """A step of 3 minutes of simglucose's own simulator with its own controller."""
    if not package("simglucose"):
        return None
    try:
        from simglucose.actuator.pump import InsulinPump
        from simglucose.controller.basal_bolus_ctrller import BBController
        from simglucose.patient.t1dpatient import T1DPatient
        from simglucose.sensor.cgm import CGMSensor
        from simglucose.simulation.env import T1DSimEnv
        from simglucose.simulation.scenario import CustomScenario
    except ImportError:
        return None

    meals = CustomScenario(
        start_time=datetime(2026, 1, 5), scenario=[(7, 45), (12, 70), (18, 80)])
    env = T1DSimEnv(
        T1DPatient.withName("adult#001"), CGMSensor.withName("Dexcom", seed=1),
        InsulinPump.withName("Insulet"), meals)
    steps = int(timedelta(days=1) / timedelta(minutes=env.sample_time))

    def live() -> None:
        controller = BBController()
        seen, reward, done, info = env.reset()
        for _ in range(steps):
            action = controller.policy(seen, reward, done, **info)
            seen, reward, done, info = env.step(action)

    return best(live, steps, times=1)


def rows() -> list[tuple[str, float, float]]:
    """What is measured, its figure in µs for each step, and the most it may be."""
    found = []

    def add(name: str, figure: float | None, limit: float) -> None:
        if figure is not None:
            found.append((name, figure, limit))
            print(f"| {name} | {figure:,.1f} |", flush=True)

    print("| A step of 5 minutes | µs |\n|---|---|")
    engine = loopsim.Engine()
    plain = {**DAY, "app": {"closedLoop": False}}
    add(
        "of a run that asks nobody, open loop (`loopsim.run`, results included)",
        best(lambda: loopsim.run(plain, engine=engine), STEPS), 300)
    add("the same in closed loop", best(lambda: loopsim.run(DAY, engine=engine), STEPS), 1500)
    add(
        "with a controller of Python (`loopsim.run`)",
        best(lambda: loopsim.run(DAY, controller=Steady(), engine=engine), STEPS), 3000)
    env = ScenarioEnv(DAY, engine=engine)
    add("`loopsim/Scenario-v1`", best(lambda: episode(env), STEPS), 3000)
    add(
        "… of which loopsim's processor time, app and devices included",
        inside(engine, lambda: episode(env), STEPS), 1500)
    many = ScenarioVectorEnv(DAY, 16)
    add(
        "`ScenarioVectorEnv` of 16, each member",
        best(lambda: episode(many), STEPS * 16, times=1), 3000)
    bare = PatientEnv(DAY)
    add("`loopsim/Patient-v1`", best(lambda: episode(bare), STEPS), 2000)
    for members in (64, 1024):
        bodies = PatientVectorEnv(DAY, members)
        add(
            f"`PatientVectorEnv` of {members:,}, each member",
            best(lambda: episode(bodies), STEPS * members, times=1), 250)
        bodies.close()
    add("simglucose 0.2.11, a step of 3 minutes", simglucose(), 1e9)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--limits", action="store_true", help="end with 1 beyond a limit")
    wanted = parser.parse_args()
    slow = [name for name, figure, limit in rows() if figure > limit]
    for name in slow if wanted.limits else []:
        print(f"Error: too slow by an order: {name}", file=sys.stderr)
    return 1 if slow and wanted.limits else 0


if __name__ == "__main__":
    sys.exit(main())
