"""The store of a simulated cluster.

    node 1: SimStore ── Wire ──┐
    node 2: SimStore ── Wire ──┼── Vault ── observers
    node 3: SimStore ── Wire ──┘

`Vault` (shelves, felts, wallets, journal, nodes) is the side of the server: what each Lua script does, in one synchronous
step, on plain dicts, by a clock that is given; it can go back in time. `SimStore` (asked_*, lane, follower) is the side of
one node: the whole port, asked for in the same journeys as the real one makes, retried and given up by the same policy.
`Wire` lies between, and is all that a simulation has to write in order to lose, delay and break. Nothing here draws
chance or reads a clock of its own. Both stores pass one contract, and give the same answers to whatever they are asked.
"""
