// The tests of HealthStoreSQLite open with its first commit; this file leaves then.
