// The tests of Determinism open with its first commit; this file leaves then.
