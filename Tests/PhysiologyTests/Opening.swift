// The tests of Physiology open with its first commit; this file leaves then.
