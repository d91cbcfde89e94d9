"""Whether the simulation bites: bugs that somebody might make one day, planted one at a time into a copy of the house.

    python -m tests.simulation.teeth [--only NAME]

`planted` says what they are, `copies` makes the copies, `bite` plays stories on one until a checker speaks.
"""
