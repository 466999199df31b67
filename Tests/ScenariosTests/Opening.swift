// The tests of Scenarios open with its first commit; this file leaves then.
