"""Bodies with pump and sensor as environments: fast (needs Gymnasium and NumPy).

``loopsim/Patient-v1`` is the body, the pump with its pulses, the sensor and the meals of a
scenario, without app, phone and records. The same actions give the same pulses and the same glucose
as in ``loopsim/Scenario-v1``, so that what was learnt here can be judged there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import gymnasium
import numpy
from gymnasium.vector import AutoresetMode

from . import Scenario, source
from ._autoreset import Members
from ._engine import Engine
from ._episode import (
    BOLUS_DECIMALS, CONTINUATION, OBSERVATIONS, REWARDS, SHORTFALL, CarbsOnBoard, Reward, boxes,
    limits_of_glucose, shaped,
)


def day_of(patient: str) -> dict[str, Any]:
    """A day of a patient of the UVa/Padova simulator of 2008 with three meals and a sensor."""
    return {
        "format": "loopsim/1", "id": "patient", "clock": {"duration": "1d", "preRoll": "6h"},
        "patient": {"model": "uva-padova-s2008", "name": patient, "needs": "table"},
        "cgm": {"model": "dexcomG6"},
        "events": [
            {"at": "07:00", "meal": {"grams": 45}}, {"at": "12:00", "meal": {"grams": 70}},
            {"at": "18:00", "meal": {"grams": 80}},
        ],
    }


class PatientVectorEnv(Members):
    """Many bodies with pump and sensor at once, in one process of the program.

    Member ``i`` of ``reset(seed=s)`` lives the same episode whatever the number of members is.

    Parameters
    ----------
    scenario
        A path, the text of a scenario, or a dictionary. What it asks of an app is refused.
    patient
        The name of a patient in place of a scenario, as in ``"adult#001"``: see :func:`day_of`.
    observe, action, reward, reward_from, limits, privileged
        As in :class:`loopsim.gym.ScenarioEnv`. The insulin on board is that of the pulses.
    """

    def __init__(
        self, scenario: Scenario | None = None, num_envs: int = 1, *, patient: str | None = None,
        which: str | None = None, overrides: Mapping[str, Any] | None = None,
        observe: Sequence[str] | None = None, action: str = "normalised",
        reward: str | Reward = "risk", reward_from: str = "truth",
        limits: tuple[float, float] = (10, 600), privileged: bool = False,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        engine: Engine | None = None,
    ) -> None:
        if patient is not None and scenario is None:
            scenario = day_of(patient)
        elif patient is not None or scenario is None:
            raise ValueError("give either a scenario or the name of a patient")
        if reward_from not in ("truth", "cgm"):
            raise ValueError("reward_from is 'truth' or 'cgm'")
        self.observe = list(OBSERVATIONS if observe is None else observe)
        self._prepare(num_envs, autoreset_mode)
        self.single_observation_space, self.single_action_space = boxes(self.observe, action)
        self.observation_space = gymnasium.vector.utils.batch_space(
            self.single_observation_space, num_envs
        )
        self.action_space = gymnasium.vector.utils.batch_space(
            self.single_action_space, num_envs
        )
        self._action, self._reward_from = action, reward_from
        if isinstance(reward, str) and reward not in REWARDS:
            raise ValueError(f"unknown reward {reward!r}; there are {list(REWARDS)}")
        self._reward = REWARDS[reward] if isinstance(reward, str) else reward
        self._limits, self._privileged = limits_of_glucose(limits), privileged
        self._engine = engine or Engine()
        request: dict[str, Any] = {
            "type": "batch", **source(scenario), "environment": "patient", "members": num_envs,
            "privileged": reward_from == "truth" or privileged,
        }
        if which is not None:
            request["of"] = which
        if overrides:
            request["overrides"] = dict(overrides)
        begin = self._engine.request(request)[0]
        self._batch: str = begin["batch"]
        self._column = {name: place for place, name in enumerate(begin["observation"])}
        self._truths: list[str] = begin["truth"]
        self._horizon: int = begin["horizon"]
        self._most = float(begin["settings"]["maxBasal"])
        self._step = float(begin["pump"]["basalStep"])
        self._seen: Any = numpy.zeros((num_envs, len(self._column)))
        self._truth: Any = numpy.zeros((num_envs, len(self._truths)))
        self._ends: Any = numpy.zeros(num_envs, dtype=int)
        self._before: Any = numpy.zeros(num_envs)
        self._steps = numpy.zeros(num_envs, dtype=int)
        self._carbs = CarbsOnBoard(num_envs, float(begin["cycle"]))
        self._cob: Any = numpy.zeros(num_envs)
        # What was commanded since the oldest episode began, and where that of each member begins.
        self._lived: list[Any] = []
        self._since = numpy.zeros(num_envs, dtype=int)
        self._lives = numpy.zeros(num_envs, dtype=int)
        self._seeds: list[int | None] = [None] * num_envs
        self._request = {
            key: value for key, value in request.items()
            if key not in ("type", "environment", "members")
        }

    def _begin(self, members: Sequence[int], options: Mapping[str, Any] | None = None) -> None:
        if options:
            raise ValueError("an environment of patients takes no options; give overrides once")
        self.begin(members, self._drawn(members))

    def begin(self, members: Sequence[int], seeds: Sequence[int]) -> None:
        """Begins the episodes of some members with seeds."""
        if self.closed:
            raise ValueError("the environment is closed; make another")
        self._take({
            "type": "batchReset", "batch": self._batch, "members": list(members),
            "seeds": [str(seed) for seed in seeds],
        })
        places = numpy.array(members, dtype=int)
        self._over[places] = False
        self._steps[places] = 0
        self._before[places] = self._glucose()[places]
        entered = self._seen[places, self._column["carbsEntered"]]
        self._carbs.begin(places, entered)
        self._cob[places] = entered
        for i, seed in zip(members, seeds):
            self._seeds[i] = seed
        self._since[places], self._lives[places] = len(self._lived), 0
        first = int(self._since.min())
        del self._lived[:first]
        self._since -= first

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Acts once in every member whose episode is not over."""
        self._check_step()
        ended = [int(i) for i in numpy.flatnonzero(self._over)]
        living = ~self._over
        actions = shaped(actions, self.action_space.shape)
        commands = self._commands(actions.astype(numpy.float64))
        self._take({
            "type": "batchStep", "batch": self._batch, "actions": commands.ravel().tolist(),
        })
        self._lived.append(commands)
        self._lives[living] += 1
        self._steps += 1
        left = self._carbs.take(self._seen[:, self._column["carbsEntered"]])
        self._cob = numpy.where(living & (self._ends == 0), left, self._cob)
        rewards, terminated, truncated = self._outcome(living)
        info: dict[str, Any] = {}
        if self._privileged:
            for place, name in enumerate(self._truths):
                info[name] = self._truth[:, place].copy()
                info[f"_{name}"] = living
        seen, info = self._finish(terminated | truncated, ended, info)
        return seen, rewards, terminated, truncated, info

    def save(self, folder: str | Path, member: int = 0) -> None:
        """Writes the episode of a member as a scenario, with the files of its run.

        The same commands are given in the whole scenario, with app, guards and records: the pulses
        and the glucose are those of the episode. ``loopsim run`` of ``scenario.json5`` gives the
        same run again. An episode that ended before its scenario is lived to the end of that
        without further commands.
        """
        if self._seeds[member] is None:
            raise ValueError("there is no episode to save; begin one with reset()")
        since, lives = int(self._since[member]), int(self._lives[member])
        lived = [commands[member] for commands in self._lived[since:since + lives]]
        begin, message = self._engine.request({
            "type": "reset", **self._request, "seed": str(self._seeds[member]),
        })
        run = begin["run"]
        try:
            while message["type"] != "end":
                number = message["n"]
                answer = {"type": "act", "run": run, "n": number}
                rate, bolus = lived[number] if number < len(lived) else (-1, 0)
                if rate >= 0:
                    answer["tempBasal"] = {"rate": float(rate), "duration": 1800}
                if bolus > 0:
                    answer["bolus"] = float(bolus)
                message = self._engine.request(answer)[0]
            self._engine.request({
                "type": "write", "run": run, "folder": str(Path(folder).resolve()),
                "scenario": True,
            })
        finally:
            self._engine.request({"type": "close", "run": run})

    def close_extras(self, **_: Any) -> None:
        """Ends the process, with its bodies."""
        self._engine.close()

    # What goes out and comes in.

    def _take(self, request: dict[str, Any]) -> None:
        answer = self._engine.request(request)[0]
        self._seen = numpy.array(answer["observations"]).reshape(self.num_envs, -1)
        self._ends = numpy.array(answer["ends"])
        if self._truths:
            self._truth = numpy.array(answer["truth"]).reshape(self.num_envs, -1)

    def _commands(self, actions: Any) -> Any:
        """The commands of actions, by the rule by which Loop commands a temp basal."""
        scheduled, first = self._seen[:, self._column["scheduledRate"]], actions[:, 0]
        if self._action == "normalised":
            rates = scheduled + first * numpy.where(first > 0, self._most - scheduled, scheduled)
        else:
            rates = first
        given = numpy.floor(numpy.clip(rates, 0, self._most) / self._step + SHORTFALL) * self._step
        left = self._seen[:, self._column["tempBasalLeft"]]
        runs_on = (left * 60 > CONTINUATION.total_seconds()) & (
            numpy.abs(self._seen[:, self._column["rate"]] - given) < 1e-9
        )
        commands = numpy.zeros((self.num_envs, 2))
        commands[:, 0] = numpy.where(runs_on, -1, given)
        if self._action == "basal+bolus":
            commands[:, 1] = numpy.round(numpy.maximum(actions[:, 1], 0), BOLUS_DECIMALS)
        return commands

    def _glucose(self) -> Any:
        """The glucose of the reward: the true one, or the newest reading; NaN before the first."""
        if self._reward_from == "truth":
            return self._truth[:, 0]
        readings = self._seen[:, self._column["glucose"]]
        return numpy.where(readings > 0, readings, numpy.nan)

    def _outcome(self, living: Any) -> tuple[Any, Any, Any]:
        after = self._glucose()
        before = numpy.where(numpy.isnan(self._before), after, self._before)
        known = living & (self._ends == 0) & ~numpy.isnan(after)
        rewards = numpy.zeros(self.num_envs)
        for i in numpy.flatnonzero(known):
            rewards[i] = self._reward(float(before[i]), float(after[i]))
        self._before = numpy.where(known, after, self._before)
        outside = known & ((after < self._limits[0]) | (after > self._limits[1]))
        # Dying early never pays: what is left of the run is counted as the worst.
        rewards[outside] -= self._horizon - self._steps[outside]
        # Dying within a step pays as little, and nobody asks at its end: it counts as well.
        died = living & (self._ends == 1)
        rewards[died] -= self._horizon + 1 - self._steps[died]
        terminated = living & (outside | died)
        return rewards, terminated, living & (self._ends == 2)

    def _observations(self) -> Any:
        def column(name: str) -> Any:
            return self._seen[:, self._column[name]]

        angle = 2 * numpy.pi * numpy.floor(column("minuteOfDay")) / 1440
        has_reading = column("glucose") > 0
        values = {
            "cgm": column("glucose"), "cgm_age": numpy.where(has_reading, column("age"), 1e5),
            "cgm_trend": column("trend"), "iob": column("iob"), "cob": self._cob,
            "basal_rate": column("rate"), "scheduled_rate": column("scheduledRate"),
            "bolus": column("bolus"), "carbs_entered": column("carbsEntered"),
            "day_sin": numpy.sin(angle), "day_cos": numpy.cos(angle),
        }
        return numpy.stack(
            [numpy.clip(values[name], *OBSERVATIONS[name]) for name in self.observe], axis=1
        ).astype(numpy.float32)


class PatientEnv(gymnasium.Env[Any, Any]):
    """A body with pump and sensor as an environment; the parameters are those of
    :class:`PatientVectorEnv`."""

    # A line of numbers has no speed, but Gymnasium asks every environment that draws for one.
    metadata = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self, scenario: Scenario | None = None, *, render_mode: str | None = None, **parameters: Any
    ) -> None:
        self._parameters = {"scenario": scenario, "render_mode": render_mode, **parameters}
        self._one = PatientVectorEnv(scenario, 1, **parameters)
        self.observation_space = self._one.single_observation_space
        self.action_space = self._one.single_action_space
        #: The names of the numbers of an observation.
        self.observation_names = self._one.observe
        self.render_mode = render_mode
        self._observation: Any = numpy.zeros(len(self.observation_names), dtype=numpy.float32)
        self._begun: int | None = None
        self._actions: list[Any] = []
        self._is_over = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begins an episode; the seed decides everything of it."""
        super().reset(seed=seed)
        if options:
            raise ValueError("an environment of patients takes no options; give overrides once")
        drawn = int(self.np_random.integers(0, 2**63 - 1))
        self._begin(drawn)
        return self._observation.copy(), {"seed": drawn}

    def _begin(self, drawn: int) -> None:
        self._begun, self._actions, self._is_over = drawn, [], False
        self._one.begin([0], [drawn])
        self._observation = self._one._observations()[0]

    def __reduce__(self) -> Any:
        # A pickle has the seed and the actions, and the episode is lived again.
        return _revived, (self._parameters, self._np_random, self._begun, self._actions)

    def save(self, folder: str | Path) -> None:
        """Writes the episode as a scenario; see :meth:`PatientVectorEnv.save`."""
        self._one.save(folder)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Acts once and lives to the next cycle."""
        if self._begun is None or self._is_over or self._one.closed:
            raise ValueError("no episode is under way; begin one with reset()")
        action = shaped(action, self.action_space.shape).astype(numpy.float64)
        seen, rewards, terminated, truncated, info = self._one.step(action[None, :])
        self._actions.append(action)
        self._is_over = bool(terminated[0] or truncated[0])
        self._observation = seen[0]
        told = {name: float(info[name][0]) for name in self._one._truths if name in info}
        return (
            seen[0].copy(), float(rewards[0]), bool(terminated[0]), bool(truncated[0]), told
        )

    def render(self) -> str:
        """The state in one line."""
        names = zip(self.observation_names, self._observation)
        return "  ".join(f"{name} {value:.2f}" for name, value in names)

    def close(self) -> None:
        """Ends the process."""
        self._one.close()


def _revived(
    parameters: dict[str, Any], chance: Any, begun: int | None, actions: list[Any]
) -> PatientEnv:
    """The environment of a pickle, which has lived the same episode so far."""
    env = PatientEnv(**parameters)
    env._np_random = chance
    if begun is not None:
        env._begin(begun)
        for action in actions:
            env.step(action)
    return env
