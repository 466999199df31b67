// The tests of StructuredText open with its first commit; this file leaves then.
