"""Each module registers a handful of families."""
