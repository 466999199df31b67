"""Many runs of one scenario for Stable-Baselines3 (needs that, Gymnasium and NumPy)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy
from stable_baselines3.common.vec_env import (  # type: ignore[import-not-found, unused-ignore]
    VecEnv,
)

from . import Scenario
from .gym import ScenarioVectorEnv
from .patients import PatientVectorEnv


class BatchVecEnv(VecEnv):  # type: ignore[misc, unused-ignore]
    """Many runs as the ``VecEnv`` of Stable-Baselines3: those of a
    :class:`loopsim.patients.PatientVectorEnv` with ``environment="patient"``, else those of a
    :class:`loopsim.gym.ScenarioVectorEnv`.

    An episode that is over begins anew within the step, as Stable-Baselines3 wants it; its last
    observation is ``info["terminal_observation"]``, and ``info["TimeLimit.truncated"]`` says whether
    the scenario had ended. The other parameters are those of these environments.

        model = PPO("MlpPolicy", BatchVecEnv("day.json5", 64, environment="patient"))
        model.learn(1_000_000)
    """

    def __init__(
        self, scenario: Scenario | None = None, num_envs: int = 1, *,
        environment: str = "scenario", **parameters: Any,
    ) -> None:
        if environment not in ("scenario", "patient"):
            raise ValueError("environment is 'scenario' or 'patient'")
        if "autoreset_mode" in parameters:
            raise ValueError(
                "an episode that is over begins anew within the step, as Stable-Baselines3 wants "
                "it: leave autoreset_mode out"
            )
        self.runs: ScenarioVectorEnv | PatientVectorEnv
        if environment == "patient":
            self.runs = PatientVectorEnv(scenario, num_envs, **parameters)
        elif scenario is None:
            raise ValueError("an environment of a scenario needs one")
        else:
            self.runs = ScenarioVectorEnv(scenario, num_envs, **parameters)
        self.render_mode = None
        super().__init__(
            num_envs, self.runs.single_observation_space, self.runs.single_action_space
        )
        self._actions: Any = None
        self._seed: int | None = None

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """The seed of the next reset: it decides every episode from then on."""
        self._seed = seed
        return [seed] * self.num_envs

    def reset(self) -> Any:
        """Begins an episode in every member."""
        observations, _ = self.runs.reset(seed=self._seed)
        self._seed = None
        return observations

    def step_async(self, actions: Any) -> None:
        """Takes the actions of the next step."""
        self._actions = actions

    def step_wait(self) -> Any:
        """Acts once in every member, and begins anew where that was the end."""
        last, rewards, terminated, truncated, told = self.runs.step(self._actions)
        dones = terminated | truncated
        infos: list[dict[str, Any]] = [
            {name: values[i] for name, values in told.items() if not name.startswith("_")}
            for i in range(self.num_envs)
        ]
        observations = last
        if dones.any():
            for i in numpy.flatnonzero(dones):
                infos[i]["terminal_observation"] = last[i].copy()
                infos[i]["TimeLimit.truncated"] = bool(truncated[i] and not terminated[i])
            observations = self.runs.renew()
        return observations, rewards.astype(numpy.float32), dones, infos

    def close(self) -> None:
        """Ends the process, with its runs."""
        self.runs.close()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """The value of an attribute, the same for each of the members."""
        return [getattr(self.runs, attr_name, None) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Nothing of a member can be set by itself."""
        raise AttributeError("the members of a batch have no attributes of their own")

    def env_method(
        self, method_name: str, *arguments: Any, indices: Any = None, **named: Any
    ) -> list[Any]:
        """No method can be called on a member by itself."""
        raise AttributeError("the members of a batch have no methods of their own")

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """No member is wrapped."""
        return [False for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[Any]:
        """There are no pictures."""
        return []


__all__ = ["BatchVecEnv"]
