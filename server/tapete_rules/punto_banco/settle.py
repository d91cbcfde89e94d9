"""What comes back of a bet."""

from __future__ import annotations

from tapete_rules.events import CoupDecided, Outcome
from tapete_rules.punto_banco.settings import PuntoBancoSettings
from tapete_rules.settings import win


def settle(settings: PuntoBancoSettings, spot: str, stake: int, coup: CoupDecided) -> tuple[Outcome, int]:
    """Outcome and return of one bet. On a tie, bets on punto and on banca come back."""
    if coup.winner == "tie" and spot in ("punto", "banca"):
        return "push", stake
    odds = winning_odds(settings, coup).get(spot)
    return ("win", win(stake, odds)) if odds else ("lose", 0)


def winning_odds(settings: PuntoBancoSettings, coup: CoupDecided) -> dict[str, tuple[int, int]]:
    """The spots that win in this coup, and what each is paid."""
    main: dict[str, tuple[int, int]] = {
        "punto": settings.punto_odds,
        "banca": settings.banca_odds(coup.banca),
        "tie": settings.tie_odds,
    }
    odds: dict[str, tuple[int, int]] = {coup.winner: main[coup.winner]}
    if coup.punto_pair:
        odds["punto_pair"] = settings.pair_odds
    if coup.banca_pair:
        odds["banca_pair"] = settings.pair_odds
    return odds
