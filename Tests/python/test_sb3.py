"""Scenarios as environments of Stable-Baselines3, where that is installed."""

import unittest

try:
    import numpy
    from stable_baselines3 import PPO
    from stable_baselines3.common.env_checker import check_env
except ImportError:
    PPO = None

import loopsim


def scenario(hours):
    """Some hours of a body in closed loop."""
    return {
        "format": "loopsim/1", "id": "hours", "clock": {"duration": f"{hours}h"},
        "patient": {"model": "uva-padova-s2008", "name": "adult#001", "needs": "table"},
    }


@unittest.skipIf(PPO is None, "Stable-Baselines3 is not installed")
class StableBaselines(unittest.TestCase):
    def setUp(self):
        import loopsim.gym
        from loopsim.sb3 import BatchVecEnv

        self.single = loopsim.gym.ScenarioEnv
        self.many = BatchVecEnv

    def test_the_environment_passes_its_check(self):
        env = self.single(scenario(2))
        self.addCleanup(env.close)
        check_env(env)

    def test_the_environment_without_an_app_passes_it_too(self):
        from loopsim.patients import PatientEnv

        env = PatientEnv(scenario(2))
        self.addCleanup(env.close)
        check_env(env)

    def test_environments_may_live_in_processes_of_their_own(self):
        from stable_baselines3.common.env_util import make_vec_env
        from stable_baselines3.common.vec_env import SubprocVecEnv

        sensed = {**scenario(1), "cgm": {"model": "dexcomG6"}}
        for name, parameters in [
            ("loopsim.gym:loopsim/Scenario-v1", {"scenario": sensed}),
            ("loopsim.gym:loopsim/Patient-v1", {"patient": "adult#001"}),
        ]:
            env = make_vec_env(
                name, n_envs=2, seed=4, env_kwargs=parameters, vec_env_cls=SubprocVecEnv)
            seen = env.reset()
            for _ in range(3):
                seen, rewards, dones, infos = env.step(numpy.zeros((2, 1), dtype=numpy.float32))
            self.assertTrue(numpy.isfinite(seen).all())
            # Another seed is another sensor.
            self.assertFalse(numpy.array_equal(seen[0], seen[1]))
            env.close()

    def test_an_episode_begins_anew_in_the_step_that_ends_one(self):
        env = self.many(scenario(1), 2)
        self.addCleanup(env.close)
        env.seed(3)
        first = env.reset()
        ends = 0
        for _ in range(39):
            seen, rewards, dones, infos = env.step(numpy.zeros((2, 1), dtype=numpy.float32))
            self.assertEqual((seen.shape, rewards.shape), (first.shape, (2,)))
            for i in numpy.flatnonzero(dones):
                ends += 1
                self.assertTrue(infos[i]["TimeLimit.truncated"])
                self.assertEqual(infos[i]["terminal_observation"].shape, first[i].shape)
                self.assertFalse(numpy.array_equal(infos[i]["terminal_observation"], seen[i]))
        self.assertGreater(ends, 3)

    def test_nobody_else_says_when_an_episode_begins_anew(self):
        with self.assertRaisesRegex(ValueError, "leave autoreset_mode out"):
            self.many(scenario(2), 2, autoreset_mode="SameStep")

    def test_a_seed_decides_every_episode(self):
        def lived():
            env = self.many(scenario(1), 2)
            env.seed(5)
            seen = [env.reset()]
            for _ in range(20):
                seen.append(env.step(numpy.full((2, 1), 0.3, dtype=numpy.float32))[0])
            env.close()
            return numpy.stack(seen)

        self.assertTrue(numpy.array_equal(lived(), lived()))

    def test_ppo_learns_for_an_episode(self):
        for environment in ("scenario", "patient"):
            env = self.many(scenario(2), 2, environment=environment)
            self.addCleanup(env.close)
            model = PPO("MlpPolicy", env, n_steps=24, batch_size=24, seed=1)
            model.learn(96)
            self.assertEqual(model.num_timesteps, 96)


if __name__ == "__main__":
    unittest.main()
