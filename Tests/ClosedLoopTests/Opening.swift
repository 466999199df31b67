// The tests of ClosedLoop open with its first commit; this file leaves then.
