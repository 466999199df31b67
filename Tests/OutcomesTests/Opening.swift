// The tests of Outcomes open with its first commit; this file leaves then.
