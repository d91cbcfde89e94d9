"""The thin shell around the core: it waits, commits, follows, fires clocks, and moves chips. Decisions are the core's."""
