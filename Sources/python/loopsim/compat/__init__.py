"""Controllers of other simulators, unchanged."""
