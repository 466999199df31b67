// Scenarios opens with its first commit; this file leaves then.
