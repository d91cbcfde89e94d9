"""What every bet of the house is worth, and what every decision costs: exact odds, advice, simulation.

What needs numpy, the distribution's extra `odds`, is in `tapete_odds.solver` and `tapete_odds.fast`; all else, and so whatever
a node, a bot or a terminal asks for during play, is the standard library.
"""
