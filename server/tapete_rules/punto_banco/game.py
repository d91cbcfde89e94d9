"""Punto Banco as a `Game`: five spots, one box for each player, and a shoe for many coups. (seeds 000, 001, 002)"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, assert_never

from tapete_rules.cards import CardSource, Shoe
from tapete_rules.events import Event
from tapete_rules.game import Act, Command, Deal, FundsChanged, HousePlays, Refusal, StakedBox, Stakes, Turn
from tapete_rules.punto_banco.checks import SPOTS, check_stakes
from tapete_rules.punto_banco.croupier import Croupier
from tapete_rules.punto_banco.enumeration import edges
from tapete_rules.punto_banco.evolve import evolve
from tapete_rules.punto_banco.settings import NAME, PuntoBancoSettings
from tapete_rules.punto_banco.state import Bet, BoxInPlay, PuntoBancoState
from tapete_rules.punto_banco.view import view
from tapete_rules.settings import Times


class PuntoBanco:
    """The game with a table's settings. Without state of its own; every method is a function of its arguments."""

    name: str = NAME
    spots: tuple[str, ...] = SPOTS
    boxes_per_player: int = 1

    def __init__(self, settings: PuntoBancoSettings | None = None) -> None:
        self.settings = settings or PuntoBancoSettings()

    def document(self) -> dict[str, Any]:
        return self.settings.to_plain()

    @property
    def times(self) -> Times:
        return self.settings.times

    @property
    def reveals(self) -> bool:
        return self.settings.reveals

    def limits(self, spot: str) -> tuple[int, int]:
        return self.settings.limits(spot)

    def favours_player(self) -> tuple[str, ...]:
        """By exact count of every coup of a full shoe; a spot on which no bet is taken favours nobody."""
        costs = edges(self.settings)
        return tuple(spot for spot in SPOTS if costs[spot] < 0 and self.limits(spot) != (0, 0))

    @property
    def state_type(self) -> type[PuntoBancoState]:
        return PuntoBancoState

    def initial(self) -> PuntoBancoState:
        return PuntoBancoState(Shoe.of(self.settings.decks))

    def check_stakes(self, stakes: Stakes) -> Refusal | None:
        return check_stakes(self.settings, stakes)

    def begin(self, state: PuntoBancoState, boxes: tuple[StakedBox, ...]) -> PuntoBancoState:
        seats = sorted(boxes, key=lambda staked: staked.box)
        return replace(self.clear(state), boxes=tuple(_seat(staked) for staked in seats))

    def clear(self, state: PuntoBancoState) -> PuntoBancoState:
        return PuntoBancoState(state.shoe, state.burnt, state.coup, state.last_coup, shoes=state.shoes)

    def decide(
        self,
        state: PuntoBancoState,
        command: Command,
        cards: CardSource,
        funds: Mapping[str, int],  # noqa: ARG002 - a bet is never raised here
    ) -> tuple[Event, ...] | Refusal:
        """A `Deal` is the whole coup with its settlements. Nobody decides anything, so every act is `round_over`."""
        match command:
            case Deal():
                if state.coup_begun or not state.boxes:
                    return Refusal("round_over")
                croupier = Croupier(self.settings, state, cards)
                croupier.deal()
                return tuple(croupier.events)
            case Act():
                return Refusal("round_over")
            case HousePlays() | FundsChanged():
                return ()
            case _:
                assert_never(command)

    def evolve(self, state: PuntoBancoState, event: Event) -> PuntoBancoState:
        return evolve(state, event)

    def legal(self, state: PuntoBancoState, funds: Mapping[str, int]) -> Turn | None:  # noqa: ARG002 - nobody decides
        return None

    def over(self, state: PuntoBancoState) -> bool:
        return all(box.returned is not None for box in state.boxes)

    def view(self, state: PuntoBancoState) -> dict[str, Any]:
        return view(self.settings, state)


def _seat(staked: StakedBox) -> BoxInPlay:
    bets = tuple(Bet(spot, staked.stakes[spot]) for spot in SPOTS if staked.stakes.get(spot))
    return BoxInPlay(staked.box, staked.owner, bets, sum(bet.stake for bet in bets))
