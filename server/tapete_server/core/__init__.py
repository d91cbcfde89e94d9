"""A table as a value: `decide(state, command) -> events | refusal`, `evolve(state, event) -> state`. Nothing awaits."""
