"""Scenarios as environments for learning (needs Gymnasium and NumPy).

``loopsim/Scenario-v1`` is everything of a scenario file: body, devices, app with its guards, faults
and records. The agent decides about basal insulin, or about basal insulin and boluses, at every
cycle of the loop.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import gymnasium
import numpy
from gymnasium import spaces
from gymnasium.vector import AutoresetMode

from . import Scenario, source
from ._autoreset import Members
from ._engine import Engine
from ._result import Result
from ._program import moment
from .controller import Decide

#: What an observation may hold, with its bounds.
OBSERVATIONS: dict[str, tuple[float, float]] = {
    "cgm": (0, 600), "cgm_age": (0, 1e5), "cgm_trend": (-50, 50), "iob": (-100, 100),
    "basal_rate": (0, 100), "scheduled_rate": (0, 100), "bolus": (0, 100),
    "carbs_entered": (0, 2000), "day_sin": (-1, 1), "day_cos": (-1, 1),
}

#: A temp basal of the right rate is left alone while it has longer to go than this, as Loop does.
CONTINUATION = timedelta(minutes=11)


def risk(glucose: float) -> float:
    """Kovatchev's risk of a glucose value in mg/dL (Diabetes Care 20:1655, 1997)."""
    scaled = 1.509 * (math.log(max(glucose, 1.0)) ** 1.084 - 5.381)
    return float(10 * scaled**2)


def _range(glucose: float) -> float:
    return 1.0 if 70 <= glucose <= 180 else 0.0


class _Episode:
    """One run under way, and what the agent sees of it."""

    def __init__(self, observe: Sequence[str], action: str, rewards: str) -> None:
        self.observe, self.action, self.rewards = list(observe), action, rewards
        self.now = Decide()
        self.run = ""
        self.begin: dict[str, Any] = {}
        self.bolus = 0.0
        self.observation = numpy.zeros(len(self.observe), dtype=numpy.float32)
        self.before: float | None = None
        self.end: dict[str, Any] | None = None

    def take(self, begin: Mapping[str, Any], question: Mapping[str, Any]) -> None:
        """Begins with the first question of a run."""
        self.begin, self.run = dict(begin), begin["run"]
        self.now, self.bolus, self.end = Decide(), 0.0, None
        self.now.settings = begin["settings"]
        self.now.take(dict(question))
        self.before = self.glucose
        self.look()

    @property
    def glucose(self) -> float | None:
        """The glucose of the reward: the true one, or the newest reading."""
        if self.rewards == "truth" and self.now.truth is not None:
            return float(self.now.truth["glucose"])
        return self.now.glucose.last

    def look(self) -> None:
        """What the agent sees now; a missing reading holds the last value, and its age grows."""
        now = self.now
        newest, age = now.glucose.newest, now.glucose_age
        hours = int(now.local[:2]) + int(now.local[3:]) / 60
        angle = 2 * math.pi * hours / 24
        values = {
            "cgm": 0.0 if newest is None else newest["mgdL"],
            "cgm_age": 1e5 if age is None else age.total_seconds() / 60,
            "cgm_trend": (newest or {}).get("trend") or 0.0,
            "iob": now.iob or 0.0,
            "basal_rate": now.pump["rate"] or 0.0,
            "scheduled_rate": now.scheduled_rate,
            "bolus": self.bolus,
            "carbs_entered": sum(row["grams"] for row in now.new_carbs),
            "day_sin": math.sin(angle), "day_cos": math.cos(angle),
        }
        for place, name in enumerate(self.observe):
            low, high = OBSERVATIONS[name]
            self.observation[place] = min(max(values[name], low), high)

    def act(self, action: Any) -> dict[str, Any]:
        """The message of an action, by the rule by which Loop commands a temp basal."""
        now = self.now
        most = float(now.settings["maxBasal"])
        first = float(action[0])
        if self.action == "normalised":
            scheduled = now.scheduled_rate
            rate = scheduled + first * ((most - scheduled) if first > 0 else scheduled)
        else:
            rate = first
        message: dict[str, Any] = {
            "type": "act", "run": self.run, "n": now.message["n"]
        }
        step = self.begin["pump"]["basalStep"]
        given = math.floor(min(max(rate, 0.0), most) / step + 1e-6) * step
        pump = now.pump
        runs_on = (
            pump["program"] == "tempBasal" and abs(pump["rate"] - given) < 1e-9
            and moment(pump["until"]) - now.at > CONTINUATION
        )
        if not runs_on:
            message["tempBasal"] = {"rate": given, "duration": 1800}
        if self.action == "basal+bolus" and float(action[1]) > 0:
            message["bolus"] = float(action[1])
        return message

    def live(self, message: Mapping[str, Any]) -> None:
        """Takes in what came of an action."""
        if message["type"] == "end":
            self.end = dict(message)
            return
        self.now.take(dict(message))
        given = [one["given"] for one in self.now.last if one["command"] == "bolus"]
        self.bolus = float(given[0]) if given and given[0] else 0.0
        self.look()


Reward = Callable[[float, float], float]

REWARDS: dict[str, Reward] = {
    "risk": lambda before, after: -risk(after) / 100,
    "risk-change": lambda before, after: risk(before) - risk(after),
    "range": lambda before, after: _range(after),
}


def _spaces(observe: Sequence[str], action: str) -> tuple[spaces.Box, spaces.Box]:
    unknown = [name for name in observe if name not in OBSERVATIONS]
    if unknown:
        raise ValueError(f"unknown observations {unknown}; there are {list(OBSERVATIONS)}")
    low, high = zip(*(OBSERVATIONS[name] for name in observe))
    seen = _box(low, high)
    boxes = {
        "normalised": ([-1.0], [1.0]), "basal": ([0.0], [35.0]),
        "basal+bolus": ([0.0, 0.0], [35.0, 30.0]),
    }
    if action not in boxes:
        raise ValueError(f"unknown action {action!r}; there are {list(boxes)}")
    return seen, _box(*boxes[action])


def _box(low: Sequence[float], high: Sequence[float]) -> spaces.Box:
    return spaces.Box(
        numpy.array(low, dtype=numpy.float32), numpy.array(high, dtype=numpy.float32),
        dtype=numpy.float32,
    )


class _Settings:
    """What single and vectorised environments have in common."""

    def __init__(
        self, scenario: Scenario, which: str | None, overrides: Mapping[str, Any] | None,
        observe: Sequence[str] | None, action: str, reward: str | Reward, reward_from: str,
        limits: tuple[float, float], privileged: bool, engine: Engine | None,
    ) -> None:
        if reward_from not in ("truth", "cgm"):
            raise ValueError("reward_from is 'truth' or 'cgm'")
        self.observe = list(observe or OBSERVATIONS)
        self.spaces = _spaces(self.observe, action)
        self.action, self.reward_from, self.limits = action, reward_from, limits
        self.reward = REWARDS[reward] if isinstance(reward, str) else reward
        self.privileged = privileged
        self.request: dict[str, Any] = {
            "type": "reset", **source(scenario), "privileged": reward_from == "truth" or privileged,
        }
        if which is not None:
            self.request["of"] = which
        self.overrides = dict(overrides or {})
        self.engine = engine or Engine()

    def episode(self) -> _Episode:
        return _Episode(self.observe, self.action, self.reward_from)

    def reset(self, seed: int, options: Mapping[str, Any] | None) -> dict[str, Any]:
        overrides = {**self.overrides, **((options or {}).get("overrides") or {})}
        message = {**self.request, "seed": str(seed)}
        if overrides:
            message["overrides"] = overrides
        return message

    def outcome(self, episode: _Episode) -> tuple[float, bool, bool, dict[str, Any]]:
        """Reward, terminated, truncated and info of the step that an episode has made."""
        info: dict[str, Any] = {}
        if episode.end is not None:
            lethal = episode.end["reason"] == "lethal"
            return 0.0, lethal, not lethal, {"digest": episode.end["summary"]["digest"]}
        after, before = episode.glucose, episode.before
        reward = 0.0
        if after is not None:
            reward = self.reward(after if before is None else before, after)
        episode.before = after
        info["commands"] = episode.now.last
        info["guards"] = [name for one in episode.now.last for name in one["guards"]]
        truth = episode.now.truth
        if self.privileged:
            info["truth"] = truth
        terminated = False
        if after is not None and not self.limits[0] <= after <= self.limits[1]:
            terminated = True
            # Dying early never pays: what is left of the run is counted as the worst.
            left = moment(episode.begin["end"]) - episode.now.at
            reward -= left.total_seconds() / float(episode.begin["cycle"])
        return reward, terminated, False, info


class ScenarioEnv(gymnasium.Env[Any, Any]):
    """A scenario as an environment.

    Parameters
    ----------
    scenario
        A path, the text of a scenario, or a dictionary.
    observe
        The names of what is seen, of :data:`OBSERVATIONS`; all of them unless given.
    action
        ``"normalised"``: -1 is no basal insulin, 0 the schedule, 1 the maximum basal rate;
        ``"basal"`` in U/h; ``"basal+bolus"`` in U/h and U.
    reward
        ``"risk"`` (minus Kovatchev's risk / 100), ``"risk-change"``, ``"range"``, or a function of
        the glucose before and after.
    reward_from
        ``"truth"``: the reward knows the body's glucose, and results say that the run was
        privileged; the observation never holds it. ``"cgm"``: the newest reading.
    limits
        Glucose outside them ends the episode.
    privileged
        Whether ``info`` has the truth.
    """

    metadata = {"render_modes": ["ansi"]}

    def __init__(
        self, scenario: Scenario, *, which: str | None = None,
        overrides: Mapping[str, Any] | None = None, observe: Sequence[str] | None = None,
        action: str = "normalised", reward: str | Reward = "risk", reward_from: str = "truth",
        limits: tuple[float, float] = (10, 600), privileged: bool = False,
        render_mode: str | None = None, engine: Engine | None = None,
    ) -> None:
        self._settings = _Settings(
            scenario, which, overrides, observe, action, reward, reward_from, limits, privileged,
            engine,
        )
        self.observation_space, self.action_space = self._settings.spaces
        #: The names of the numbers of an observation.
        self.observation_names = self._settings.observe
        self.render_mode = render_mode
        self._episode = self._settings.episode()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begins an episode; the seed decides everything of it."""
        super().reset(seed=seed)
        drawn = int(self.np_random.integers(0, 2**63 - 1))
        self._forget()
        begin, question = self._settings.engine.request(self._settings.reset(drawn, options))
        self._episode.take(begin, question)
        return self._episode.observation.copy(), {"seed": drawn}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Acts once and lives to the next cycle."""
        episode = self._episode
        episode.live(self._settings.engine.request(episode.act(action))[0])
        reward, terminated, truncated, info = self._settings.outcome(episode)
        return episode.observation.copy(), reward, terminated, truncated, info

    def result(self) -> Result:
        """What came of the episode, once its run is over."""
        if self._episode.end is None:
            raise ValueError("the run of this episode is not over")
        run, self._episode.run = self._episode.run, ""
        return Result(self._settings.engine, run, self._episode.end)

    def save(self, folder: str | Path) -> None:
        """Writes the files of the run, ``decisions.ndjson`` among them, once it is over."""
        self._settings.engine.request({
            "type": "write", "run": self._episode.run, "folder": str(Path(folder).resolve())
        })

    def render(self) -> str:
        """The state in one line."""
        names = zip(self.observation_names, self._episode.observation)
        return "  ".join(f"{name} {value:.2f}" for name, value in names)

    def close(self) -> None:
        """Forgets the run."""
        self._forget()

    def _forget(self) -> None:
        if self._episode.run:
            self._settings.engine.request({"type": "close", "run": self._episode.run})
            self._episode.run = ""


class ScenarioVectorEnv(Members):
    """Many runs of one scenario at once, in one process of the program.

    Member ``i`` of ``reset(seed=s)`` lives the same episode whatever the number of members is.
    """

    def __init__(
        self, scenario: Scenario, num_envs: int = 1, *, which: str | None = None,
        overrides: Mapping[str, Any] | None = None, observe: Sequence[str] | None = None,
        action: str = "normalised", reward: str | Reward = "risk", reward_from: str = "truth",
        limits: tuple[float, float] = (10, 600), privileged: bool = False,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        engine: Engine | None = None,
    ) -> None:
        self._settings = _Settings(
            scenario, which, overrides, observe, action, reward, reward_from, limits, privileged,
            engine,
        )
        self._prepare(num_envs, autoreset_mode)
        self.single_observation_space, self.single_action_space = self._settings.spaces
        self.observation_space = gymnasium.vector.utils.batch_space(
            self.single_observation_space, num_envs
        )
        self.action_space = gymnasium.vector.utils.batch_space(
            self.single_action_space, num_envs
        )
        self._episodes = [self._settings.episode() for _ in range(num_envs)]

    def _begin(self, members: Sequence[int], options: Mapping[str, Any] | None = None) -> None:
        engine = self._settings.engine
        engine.requests(
            {"type": "close", "run": self._episodes[i].run}
            for i in members if self._episodes[i].run
        )
        answers = engine.requests(
            self._settings.reset(one, options) for one in self._drawn(members)
        )
        for i, (begin, question) in zip(members, answers):
            self._episodes[i].take(begin, question)
            self._over[i] = False

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Acts once in every member whose episode is not over."""
        self._check_step()
        ended = [i for i in range(self.num_envs) if self._over[i]]
        living = [i for i in range(self.num_envs) if not self._over[i]]
        answers = self._settings.engine.requests(
            self._episodes[i].act(actions[i]) for i in living
        )
        rewards = numpy.zeros(self.num_envs, dtype=numpy.float64)
        terminated = numpy.zeros(self.num_envs, dtype=bool)
        truncated = numpy.zeros(self.num_envs, dtype=bool)
        infos: dict[str, Any] = {}
        for i, answer in zip(living, answers):
            self._episodes[i].live(answer[0])
            rewards[i], terminated[i], truncated[i], info = self._settings.outcome(
                self._episodes[i]
            )
            infos = self._add_info(infos, info, i)
        seen, infos = self._finish(terminated | truncated, ended, infos)
        return seen, rewards, terminated, truncated, infos

    def _observations(self) -> Any:
        return numpy.stack([episode.observation for episode in self._episodes])

    def close_extras(self, **_: Any) -> None:
        """Ends the process, with its runs."""
        self._settings.engine.close()


gymnasium.register(
    id="loopsim/Scenario-v1", entry_point="loopsim.gym:ScenarioEnv",
    vector_entry_point="loopsim.gym:ScenarioVectorEnv",
)
gymnasium.register(
    id="loopsim/Patient-v1", entry_point="loopsim.patients:PatientEnv",
    vector_entry_point="loopsim.patients:PatientVectorEnv",
)
