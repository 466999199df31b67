// The tests of Quantities open with their first commit; this file leaves then.
