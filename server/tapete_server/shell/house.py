"""What the operator decides for the whole house: play money, and which tables may be opened."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class House:
    """Amounts in minor units. `top_up_below`: who has less than this gets `top_up` on asking."""

    opening_balance: int = 100_000
    top_up: int = 100_000
    top_up_below: int = 100
    tables_max: int = 1_000
    tables_per_player_max: int = 20
    refuse_player_edge: bool = False
    guest_days: int = 30
    """Without chips at a table, and not seen for so long, an account expires."""
