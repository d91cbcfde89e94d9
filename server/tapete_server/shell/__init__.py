"""The thin shell around the core: it waits, commits, follows, fires clocks, moves chips. Decisions are the core's."""
