"""Bets within the table's limits. A check returns a refusal or nothing."""

from __future__ import annotations

from tapete_rules.game import Refusal, Stakes
from tapete_rules.punto_banco.settings import PuntoBancoSettings
from tapete_rules.settings import is_whole

SPOTS = ("punto", "banca", "tie", "punto_pair", "banca_pair")


def check_stakes(settings: PuntoBancoSettings, stakes: Stakes) -> Refusal | None:
    """Each spot has limits of its own; any spots may be bet on together, opposing ones too."""
    for spot, amount in stakes.items():
        if spot not in SPOTS:
            return Refusal("unknown_spot", {"spot": spot, "spots": list(SPOTS)})
        if not is_whole(amount) or amount < 0:
            return Refusal("bad_amount", {"spot": spot})
    refusals = (_check_bet(settings, spot, stakes[spot]) for spot in SPOTS if stakes.get(spot, 0))
    return next((refusal for refusal in refusals if refusal), None)


def _check_bet(settings: PuntoBancoSettings, spot: str, amount: int) -> Refusal | None:
    chip = settings.chips[0]
    low, high = settings.limits(spot)
    if amount > high:
        return Refusal("bet_above_maximum", {"spot": spot, "amount": amount, "maximum": high})
    if amount < low:
        return Refusal("bet_below_minimum", {"spot": spot, "amount": amount, "minimum": low})
    if amount % chip:
        return Refusal("bet_not_in_chips", {"spot": spot, "amount": amount, "chip": chip})
    return None
