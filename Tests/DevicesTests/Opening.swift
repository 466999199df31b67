// The tests of Devices open with its first commit; this file leaves then.
