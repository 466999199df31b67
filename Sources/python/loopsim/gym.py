"""Scenarios as environments for learning (needs Gymnasium and NumPy).

``loopsim/Scenario-v1`` is everything of a scenario file: body, devices, app with its guards, faults
and records. The agent decides about basal insulin, or about basal insulin and boluses, at every
cycle of the loop.
"""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import gymnasium
import numpy
from gymnasium.vector import AutoresetMode

from . import Scenario, source
from ._autoreset import Members
from ._engine import Engine
from ._episode import (
    OBSERVATIONS, REWARDS, Episode, Reward, boxes, limits_of_glucose, magni, risk, shaped,
)
from ._result import Result
from .errors import ProgramError
from .patient import Patient

__all__ = [
    "OBSERVATIONS", "REWARDS", "Reward", "ScenarioEnv", "ScenarioVectorEnv", "magni", "risk",
]

class _Settings:
    """What single and vectorised environments have in common."""

    def __init__(
        self, scenario: Scenario, which: str | None, overrides: Mapping[str, Any] | None,
        observe: Sequence[str] | None, action: str, reward: str | Reward, reward_from: str,
        limits: tuple[float, float], privileged: bool, engine: Engine | None,
        is_body: bool = False,
    ) -> None:
        if reward_from not in ("truth", "cgm"):
            raise ValueError("reward_from is 'truth' or 'cgm'")
        self.observe = list(OBSERVATIONS if observe is None else observe)
        self.spaces = boxes(self.observe, action)
        self.action, self.reward_from = action, reward_from
        self.limits = limits_of_glucose(limits)
        if isinstance(reward, str) and reward not in REWARDS:
            raise ValueError(f"unknown reward {reward!r}; there are {list(REWARDS)}")
        self.reward = REWARDS[reward] if isinstance(reward, str) else reward
        self.privileged = privileged
        self.request: dict[str, Any] = {
            "type": "reset", **source(scenario), "privileged": reward_from == "truth" or privileged,
        }
        if is_body:
            self.request["answers"] = ["decision", "body"]
        if which is not None:
            self.request["of"] = which
        # An observation is of the present: to tell a day of the past with each would take most of a
        # step.
        self.overrides = {"controller.history": "1h", **(overrides or {})}
        self.engine = engine or Engine()

    def episode(self, patient: Patient | None = None) -> Episode:
        return Episode(self.observe, self.action, self.reward_from, patient)

    def settle(self, message: dict[str, Any], patient: Patient | None, run: str) -> dict[str, Any]:
        """Answers for the body until somebody has to decide."""
        while message["type"] == "live" and patient is not None:
            answer = {**patient.lived(message), "run": run, "n": message["n"]}
            message = self.engine.request(answer)[0]
        return message

    def begin(
        self, episode: Episode, begin: dict[str, Any], message: dict[str, Any]
    ) -> None:
        """Begins an episode with what a reset has answered."""
        if episode.patient is not None:
            episode.patient.reset(begin["body"])
        episode.take(begin, self.settle(message, episode.patient, begin["run"]))

    def reset(self, seed: int, options: Mapping[str, Any] | None) -> dict[str, Any]:
        unknown = [name for name in options or {} if name != "overrides"]
        if unknown:
            raise ValueError(f"unknown options {unknown}; there are ['overrides']")
        overrides = {**self.overrides, **((options or {}).get("overrides") or {})}
        message = {**self.request, "seed": str(seed)}
        if overrides:
            message["overrides"] = overrides
        return message

    def outcome(self, episode: Episode) -> tuple[float, bool, bool, dict[str, Any]]:
        """Reward, terminated, truncated and info of the step that an episode has made."""
        info: dict[str, Any] = {}
        if episode.end is not None:
            lethal = episode.end["reason"] == "lethal"
            # Dying within a step pays as little, and nobody asks at its end: it counts as well.
            worst = -episode.left if lethal else 0.0
            return worst, lethal, not lethal, {"digest": episode.end["summary"]["digest"]}
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
            reward -= episode.left
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
        ``"risk"`` (minus Kovatchev's risk / 100), ``"magni"`` (minus Magni's / 100),
        ``"risk-change"``, ``"range"``, or a function of the glucose before and after.
    reward_from
        ``"truth"``: the reward knows the body's glucose, and results say that the run was
        privileged; the observation never holds it. ``"cgm"``: the newest reading.
    limits
        Glucose outside them ends the episode.
    privileged
        Whether ``info`` has the truth.
    patient
        Who lives for the body, where the scenario's is ``{"model": "external"}``.
    """

    # A line of numbers has no speed, but Gymnasium asks every environment that draws for one.
    metadata = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self, scenario: Scenario, *, which: str | None = None,
        overrides: Mapping[str, Any] | None = None, observe: Sequence[str] | None = None,
        action: str = "normalised", reward: str | Reward = "risk", reward_from: str = "truth",
        limits: tuple[float, float] = (10, 600), privileged: bool = False,
        patient: Patient | None = None, render_mode: str | None = None,
        engine: Engine | None = None,
    ) -> None:
        self._parameters: dict[str, Any] = {
            "scenario": scenario, "which": which, "overrides": overrides, "observe": observe,
            "action": action, "reward": reward, "reward_from": reward_from, "limits": limits,
            "privileged": privileged, "patient": patient, "render_mode": render_mode,
        }
        self._settings = _Settings(
            scenario, which, overrides, observe, action, reward, reward_from, limits, privileged,
            engine, patient is not None,
        )
        self.observation_space, self.action_space = self._settings.spaces
        #: The names of the numbers of an observation.
        self.observation_names = self._settings.observe
        self.render_mode = render_mode
        self._episode = self._settings.episode(patient)
        self._begun: tuple[int, dict[str, Any] | None] | None = None
        self._actions: list[Any] = []
        self._is_over = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begins an episode; the seed decides everything of it."""
        super().reset(seed=seed)
        drawn = int(self.np_random.integers(0, 2**63 - 1))
        self._begin(drawn, options)
        return self._episode.observation.copy(), {"seed": drawn}

    def _begin(self, drawn: int, options: dict[str, Any] | None) -> None:
        # What cannot be asked for is found while the episode before can still go on.
        request = self._settings.reset(drawn, options)
        self._forget()
        self._begun, self._actions, self._is_over = None, [], False
        begin, message = self._settings.engine.request(request)
        self._begun = drawn, options
        self._settings.begin(self._episode, begin, message)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Acts once and lives to the next cycle."""
        episode = self._episode
        if not episode.run or self._is_over:
            raise ValueError("no episode is under way; begin one with reset()")
        action = shaped(action, self.action_space.shape).astype(numpy.float64)
        answer = None
        if episode.end is None:
            answer = self._settings.engine.request(episode.act(action))[0]
        self._actions.append(action)
        if answer is not None:
            episode.live(self._settings.settle(answer, episode.patient, episode.run))
        reward, terminated, truncated, info = self._settings.outcome(episode)
        self._is_over = terminated or truncated
        return episode.observation.copy(), reward, terminated, truncated, info

    def fork(self) -> "ScenarioEnv":
        """An environment that goes on from here by itself, for agents that plan.

        The run is a copy that shows its future, so it must be privileged: a reward from the truth
        makes it so. A body of Python is copied with :func:`copy.deepcopy`.
        """
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._episode = copy.deepcopy(self._episode)
        twin._actions = list(self._actions)
        if self.np_random is not None:
            twin._np_random = copy.deepcopy(self.np_random)
        request = {"type": "fork", "run": self._episode.run}
        twin._episode.run = self._settings.engine.request(request)[0]["run"]
        return twin

    def __reduce__(self) -> Any:
        # A pickle has the seed and the actions, and the episode is lived again.
        return _revived, (self._parameters, self._np_random, self._begun, self._actions)

    def result(self) -> Result:
        """What came of the episode, once its run is over."""
        if self._episode.end is None:
            raise ValueError("the run of this episode is not over")
        run, self._episode.run = self._episode.run, ""
        return Result(self._settings.engine, run, self._episode.end)

    def save(self, folder: str | Path) -> None:
        """Writes the episode as a scenario, with the files of its run.

        ``scenario.json5`` takes the answers from ``decisions.ndjson``: ``loopsim run`` of it gives
        the same run, ``loopsim report`` its page. An episode that ended before its scenario is
        lived to the end of that without further commands, and is over then.
        """
        episode = self._episode
        if not episode.run:
            raise ValueError("there is no episode to save; begin one with reset()")
        while episode.end is None:
            answer = {"type": "act", "run": episode.run, "n": episode.now.message["n"]}
            message = self._settings.engine.request(answer)[0]
            episode.live(self._settings.settle(message, episode.patient, episode.run))
        self._settings.engine.request({
            "type": "write", "run": episode.run, "folder": str(Path(folder).resolve()),
            "scenario": True,
        })

    def render(self) -> str:
        """The state in one line."""
        names = zip(self.observation_names, self._episode.observation)
        return "  ".join(f"{name} {value:.2f}" for name, value in names)

    def close(self) -> None:
        """Forgets the run."""
        # Where the program has ended, the run has too.
        with contextlib.suppress(ProgramError):
            self._forget()

    def _forget(self) -> None:
        run, self._episode.run = self._episode.run, ""
        if run:
            self._settings.engine.request({"type": "close", "run": run})


def _revived(
    parameters: dict[str, Any], chance: Any, begun: tuple[int, dict[str, Any] | None] | None,
    actions: list[Any],
) -> ScenarioEnv:
    """The environment of a pickle, which has lived the same episode so far."""
    env = ScenarioEnv(**parameters)
    env._np_random = chance
    if begun is not None:
        env._begin(*begun)
        for action in actions:
            env.step(action)
    return env


class ScenarioVectorEnv(Members):
    """Many runs of one scenario at once, in one process of the program.

    Member ``i`` of ``reset(seed=s)`` lives the same episode whatever the number of members is.
    Where the body is another program's, ``patient`` makes that of a member from its number.
    """

    def __init__(
        self, scenario: Scenario, num_envs: int = 1, *, which: str | None = None,
        overrides: Mapping[str, Any] | None = None, observe: Sequence[str] | None = None,
        action: str = "normalised", reward: str | Reward = "risk", reward_from: str = "truth",
        limits: tuple[float, float] = (10, 600), privileged: bool = False,
        patient: Callable[[int], Patient] | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        engine: Engine | None = None,
    ) -> None:
        self._settings = _Settings(
            scenario, which, overrides, observe, action, reward, reward_from, limits, privileged,
            engine, patient is not None,
        )
        self._prepare(num_envs, autoreset_mode)
        self.single_observation_space, self.single_action_space = self._settings.spaces
        self.observation_space = gymnasium.vector.utils.batch_space(
            self.single_observation_space, num_envs
        )
        self.action_space = gymnasium.vector.utils.batch_space(
            self.single_action_space, num_envs
        )
        self._episodes = [
            self._settings.episode(None if patient is None else patient(i))
            for i in range(num_envs)
        ]

    def _begin(self, members: Sequence[int], options: Mapping[str, Any] | None = None) -> None:
        engine = self._settings.engine
        # What cannot be asked for is found while the episodes before can still go on.
        requests = [self._settings.reset(one, options) for one in self._drawn(members)]
        former = [self._episodes[i].run for i in members if self._episodes[i].run]
        for i in members:
            self._episodes[i].run = ""
        engine.requests({"type": "close", "run": run} for run in former)
        answers = engine.requests(requests)
        for i, (begin, message) in zip(members, answers):
            self._settings.begin(self._episodes[i], begin, message)
            self._over[i] = False

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Acts once in every member whose episode is not over."""
        self._check_step()
        if not all(episode.run for episode in self._episodes):
            raise ValueError("no episode is under way; begin one with reset()")
        actions = shaped(actions, self.action_space.shape).astype(numpy.float64)
        ended = [i for i in range(self.num_envs) if self._over[i]]
        living = [i for i in range(self.num_envs) if not self._over[i]]
        asked = [i for i in living if self._episodes[i].end is None]
        answers = self._settings.engine.requests(
            self._episodes[i].act(actions[i]) for i in asked
        )
        rewards = numpy.zeros(self.num_envs, dtype=numpy.float64)
        terminated = numpy.zeros(self.num_envs, dtype=bool)
        truncated = numpy.zeros(self.num_envs, dtype=bool)
        infos: dict[str, Any] = {}
        for i, answer in zip(asked, answers):
            episode = self._episodes[i]
            episode.live(self._settings.settle(answer[0], episode.patient, episode.run))
        for i in living:
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
