"""Double Exposure Blackjack as a `Game`: four boxes, a dealer whose cards are all seen, two bonus bets. (seed 004)"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, assert_never

from tapete_rules.cards import CardSource, Shoe
from tapete_rules.double_exposure.checks import SPOTS, check_act, check_stakes, legal_actions
from tapete_rules.double_exposure.croupier import Croupier
from tapete_rules.double_exposure.evolve import evolve
from tapete_rules.double_exposure.settings import NAME, DoubleExposureSettings
from tapete_rules.double_exposure.state import Bonus, BoxInPlay, DoubleExposureState, Hand
from tapete_rules.double_exposure.view import view
from tapete_rules.events import ActionsChanged, Event
from tapete_rules.game import Act, Command, Deal, FundsChanged, HousePlays, Refusal, StakedBox, Stakes, Turn
from tapete_rules.settings import Times


class DoubleExposure:
    """The game with a table's settings. Without state of its own; every method is a function of its arguments."""

    name: str = NAME
    spots: tuple[str, ...] = SPOTS
    boxes_per_player: int = 4
    """(D1; seed 004, feature 2)"""

    def __init__(self, settings: DoubleExposureSettings | None = None) -> None:
        self.settings = settings or DoubleExposureSettings()

    def document(self) -> dict[str, Any]:
        return self.settings.to_plain()

    @property
    def times(self) -> Times:
        return self.settings.times

    @property
    def reveals(self) -> bool:
        return self.settings.reveals

    def limits(self, spot: str) -> tuple[int, int]:
        if spot == "main":
            return self.settings.main_min, self.settings.main_max
        return min(self.settings.chips[0], self.settings.bonus_max), self.settings.bonus_max

    def favours_player(self) -> tuple[str, ...]:
        """None: an edge of the main bet is not known exactly here, and the published game is the house's."""
        return ()

    @property
    def state_type(self) -> type[DoubleExposureState]:
        return DoubleExposureState

    def initial(self) -> DoubleExposureState:
        return DoubleExposureState(Shoe.of(self.settings.decks))

    def check_stakes(self, stakes: Stakes) -> Refusal | None:
        return check_stakes(self.settings, stakes)

    def begin(self, state: DoubleExposureState, boxes: tuple[StakedBox, ...]) -> DoubleExposureState:
        seats = sorted(boxes, key=lambda staked: staked.box)
        return replace(self.clear(state), boxes=tuple(_seat(staked) for staked in seats))

    def clear(self, state: DoubleExposureState) -> DoubleExposureState:
        return DoubleExposureState(state.shoe, shoes=state.shoes)

    def decide(
        self, state: DoubleExposureState, command: Command, cards: CardSource, funds: Mapping[str, int]
    ) -> tuple[Event, ...] | Refusal:
        """A `Deal` when there is nothing to deal, and an act when nothing is to be decided, are `round_over`."""
        croupier = Croupier(self.settings, state, cards, funds)
        match command:
            case Deal():
                if state.dealer or not state.boxes:
                    return Refusal("round_over")
                croupier.deal()
            case Act():
                refusal = check_act(self.settings, state, command, funds)
                if refusal:
                    return refusal
                croupier.act(command.box, command.hand, command.action)
            case HousePlays():
                croupier.house_plays(command.owner)
            case FundsChanged():
                return self._actions_changed(state, funds)
            case _:
                assert_never(command)
        return tuple(croupier.events)

    def evolve(self, state: DoubleExposureState, event: Event) -> DoubleExposureState:
        return evolve(state, event)

    def legal(self, state: DoubleExposureState, funds: Mapping[str, int]) -> Turn | None:
        turn = state.turn
        if turn is None:
            return None
        box, hand = state.box(turn.box), state.hand(turn.box, turn.hand)
        return replace(turn, legal=legal_actions(self.settings, box, hand, funds.get(turn.owner, 0)))

    def over(self, state: DoubleExposureState) -> bool:
        return all(box.returned is not None for box in state.boxes)

    def view(self, state: DoubleExposureState) -> dict[str, Any]:
        return view(self.settings, state)

    def _actions_changed(self, state: DoubleExposureState, funds: Mapping[str, int]) -> tuple[Event, ...]:
        turn = self.legal(state, funds)
        if turn is None or turn == state.turn:
            return ()
        return (ActionsChanged(turn.box, turn.hand, turn.legal),)


def _seat(staked: StakedBox) -> BoxInPlay:
    bonuses = tuple(Bonus(spot, staked.stakes[spot]) for spot in SPOTS[1:] if staked.stakes.get(spot))
    main = staked.stakes["main"]
    return BoxInPlay(staked.box, staked.owner, (Hand((), main),), bonuses, main + sum(bonus.stake for bonus in bonuses))
