"""The benchmark: what the real server costs, beside others that do the same work, in one run."""
