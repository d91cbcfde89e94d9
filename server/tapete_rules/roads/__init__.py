"""The five roads of a shoe of Punto Banco: what players write down of its coups, and read.

The Bead Plate is the coups themselves; `roads_of` makes the four others. `place` draws any of them in six rows.
"""

from tapete_rules.roads.big_road import Cell, Column
from tapete_rules.roads.coups import COUPS_MAX, Coup, WrongCoup, read_coups, write_coup
from tapete_rules.roads.derived import Mark
from tapete_rules.roads.drawing import ROWS, place, streaks
from tapete_rules.roads.shoe import Ask, Roads, roads_of

__all__ = [
    "COUPS_MAX",
    "ROWS",
    "Ask",
    "Cell",
    "Column",
    "Coup",
    "Mark",
    "Roads",
    "WrongCoup",
    "place",
    "read_coups",
    "roads_of",
    "streaks",
    "write_coup",
]
