// The tests of Interchange open with its first commit; this file leaves then.
