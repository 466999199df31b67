"""When the members of a vector environment begin anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy
from gymnasium.vector import AutoresetMode, VectorEnv


class Members(VectorEnv[Any, Any, Any]):
    """What the vector environments here have in common: seeds, ends and new episodes.

    Member ``i`` of ``reset(seed=s)`` has the chance of ``(s, i)``, so that it lives the same
    episodes whatever the number of members is. The modes are those of Gymnasium: ``NEXT_STEP``, in
    which the step after an end begins another episode and ignores the action; ``SAME_STEP``, in
    which the step that ends an episode begins another and tells the last observation as
    ``final_obs``; and ``DISABLED``, in which ``reset(options={"reset_mask": …})`` begins those that
    are over.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def _prepare(self, num_envs: int, mode: AutoresetMode | str) -> None:
        self.num_envs = num_envs
        self.autoreset_mode = AutoresetMode(mode)
        self.metadata = {**type(self).metadata, "autoreset_mode": self.autoreset_mode}
        self._chances = [numpy.random.default_rng(i) for i in range(num_envs)]
        self._over = numpy.zeros(num_envs, dtype=bool)

    def _drawn(self, members: Sequence[int]) -> list[int]:
        """The seeds of the next episodes of some members."""
        return [int(self._chances[i].integers(0, 2**63 - 1)) for i in members]

    def _begin(self, members: Sequence[int], options: Mapping[str, Any] | None = None) -> None:
        """Begins an episode in some members."""
        raise NotImplementedError

    def _observations(self) -> Any:
        """What all members see."""
        raise NotImplementedError

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Any, dict[str, Any]]:
        """Begins an episode in every member, or in those of ``options["reset_mask"]``."""
        options = dict(options or {})
        mask = options.pop("reset_mask", numpy.ones(self.num_envs, dtype=bool))
        if not isinstance(mask, numpy.ndarray) or mask.dtype != bool or len(mask) != self.num_envs:
            raise ValueError("reset_mask is an array with a truth value for each member")
        if seed is not None:
            if isinstance(seed, (int, numpy.integer)):
                seeds: Sequence[Any] = [(int(seed), i) for i in range(self.num_envs)]
            else:
                seeds = seed
            if len(seeds) != self.num_envs:
                raise ValueError(f"there are {len(seeds)} seeds for {self.num_envs} members")
            for i in numpy.flatnonzero(mask):
                self._chances[i] = numpy.random.default_rng(seeds[int(i)])
        self._begin([int(i) for i in numpy.flatnonzero(mask)], options)
        return self._observations(), {}

    def _check_step(self) -> None:
        if self.autoreset_mode == AutoresetMode.DISABLED and self._over.any():
            raise ValueError(
                f"the episodes of members {numpy.flatnonzero(self._over).tolist()} are over; begin "
                'them with reset(options={"reset_mask": …})'
            )

    def _finish(
        self, over: Any, ended: Sequence[int], infos: dict[str, Any]
    ) -> tuple[Any, dict[str, Any]]:
        """Begins what is due after a step, and gives the observations and infos of that step.

        Parameters
        ----------
        over
            Whose episode the step has ended.
        ended
            Whose episode was over before the step.
        infos
            What the step tells.
        """
        if self.autoreset_mode == AutoresetMode.SAME_STEP and over.any():
            last = self._observations()
            final = numpy.full(self.num_envs, None, dtype=object)
            for i in numpy.flatnonzero(over):
                final[i] = last[i]
            told = {name: value for name, value in infos.items()}
            infos.update(final_obs=final, _final_obs=over, final_info=told, _final_info=over)
            self._begin([int(i) for i in numpy.flatnonzero(over)])
        elif ended:
            self._begin(list(ended))
        self._over = over & (self.autoreset_mode != AutoresetMode.SAME_STEP)
        return self._observations(), infos

    def renew(self) -> Any:
        """Begins an episode at once in every member whose own is over, and gives what all see."""
        self._begin([int(i) for i in numpy.flatnonzero(self._over)])
        return self._observations()
