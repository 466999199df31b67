// The tests of Reports open with its first commit; this file leaves then.
