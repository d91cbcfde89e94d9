"""A hand survives anything: real nodes, a real store, and everything that can happen to them. `python -m tests.chaos`."""
