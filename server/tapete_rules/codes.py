"""Why a command is refused: every code that the rules of either game return, with what a player can do about it."""

from __future__ import annotations

REFUSALS: dict[str, str] = {
    # bets, both games
    "unknown_spot": "There is no such spot at this table. Bet on one of the spots that the table names.",
    "bad_amount": "An amount is a whole number of minor units, 0 or more. Send 0 to take a bet back.",
    "bet_below_minimum": "The bet is below the spot's minimum. Raise it, or take it back.",
    "bet_above_maximum": "The bet is above the spot's maximum. Lower it.",
    "bet_not_in_chips": "The bet cannot be laid in this table's chips. Bet a multiple of the lowest chip.",
    # Double Exposure
    "bonus_without_main": "A bonus bet needs a main bet in the same box. Bet on main as well.",
    "not_your_turn": "Another hand decides now. Wait until it is this hand's turn.",
    "round_over": "No hand has anything to decide now. Wait for the next round.",
    "illegal_action": "This hand may not do that now. Choose one of the legal actions.",
    "not_enough_chips": "A double or a split needs chips that match the bet. Buy in, or choose another action.",
}
