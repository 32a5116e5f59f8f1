"""One small program per side of a benchmark, for a process of its own."""
