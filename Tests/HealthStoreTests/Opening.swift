// The tests of HealthStore open with its first commit; this file leaves then.
