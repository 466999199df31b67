// The tests of Dosing open with its first commit; this file leaves then.
