// The tests of Arguments open with its first commit; this file leaves then.
