"""Engines that were interrupted, have ended, or belong to another process."""

import multiprocessing
import os
import signal
import unittest

import loopsim
from loopsim._engine import shared
from test_loopsim import EVENING


def digest(seed: int) -> str:
    """What a run comes to."""
    return loopsim.run(EVENING, seed=seed).digest


class Engines(unittest.TestCase):
    def test_after_an_interruption_nobody_gets_the_answer_of_another(self) -> None:
        kept = signal.getsignal(signal.SIGALRM)
        self.addCleanup(signal.signal, signal.SIGALRM, kept)
        self.addCleanup(signal.setitimer, signal.ITIMER_REAL, 0)
        expected = digest(1)
        for failure in (TimeoutError, ValueError, KeyboardInterrupt):
            def ring(*_: object) -> None:
                raise failure("too long")

            signal.signal(signal.SIGALRM, ring)
            signal.setitimer(signal.ITIMER_REAL, 0.02)
            with self.assertRaises((failure, loopsim.ProgramError)):
                while True:
                    loopsim.run(EVENING, seed=2, overrides={"clock.duration": "30d"})
            self.assertEqual(digest(1), expected)

    def test_the_shared_engine_begins_anew_where_it_has_ended(self) -> None:
        expected = digest(1)
        result = loopsim.run(EVENING, seed=2)
        # Asked again, it would begin anew as soon as this one has died.
        process = shared()._process
        process.kill()
        process.wait()
        self.assertEqual(digest(1), expected)
        with self.assertRaisesRegex(loopsim.ProgramError, "has ended"):
            result.table("timeline")

    def test_a_copy_of_the_process_has_an_engine_of_its_own(self) -> None:
        seeds = range(6)
        expected = [digest(seed) for seed in seeds]
        with multiprocessing.get_context("fork").Pool(3) as pool:
            self.assertEqual(pool.map_async(digest, seeds).get(60), expected)
        self.assertEqual(digest(0), expected[0])

    def test_an_engine_does_not_answer_a_copy_of_its_process(self) -> None:
        with loopsim.Engine() as engine:
            reader, writer = os.pipe()
            child = os.fork()
            if child == 0:
                try:
                    loopsim.run(EVENING, engine=engine)
                except loopsim.ProgramError as error:
                    os.write(writer, str(error).encode())
                os._exit(0)
            os.close(writer)
            with open(reader) as told:
                self.assertIn("answers the process that started it", told.read())
            os.waitpid(child, 0)
            self.assertTrue(loopsim.run(EVENING, engine=engine).passed)


if __name__ == "__main__":
    unittest.main()
