// The tests of Simulation open with its first commit; this file leaves then.
