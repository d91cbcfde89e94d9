"""The solver against plain counting: card by card, in the order of the game, with nothing shared."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import comb

import pytest

from tapete_odds.hands import Cards, cards_of, full_shoe
from tapete_odds.solver.dealer import Dealer
from tapete_odds.solver.game import Game
from tapete_odds.solver.outcomes import NET_MAX
from tapete_odds.solver.splits import ending_chances
from tapete_rules.double_exposure import DoubleExposureSettings

ACE, SIX, SEVEN, EIGHT, NINE, TEN = 0, 5, 6, 7, 8, 9


@cache
def game(settings: DoubleExposureSettings) -> Game:
    return Game(settings)


def total(cards: tuple[int, ...]) -> int:
    hard = sum(place + 1 for place in cards)
    return hard + 10 if ACE in cards and hard <= 11 else hard


def draws(shoe: Cards) -> Iterator[tuple[int, float, Cards]]:
    left = sum(shoe)
    for place, many in enumerate(shoe):
        if many:
            yield place, many / left, (*shoe[:place], many - 1, *shoe[place + 1 :])


def beaten(mine: int, dealer: tuple[int, ...], shoe: Cards, *, hits_soft_17: bool = False) -> float:
    """The chance that a standing total wins."""
    points = total(dealer)
    soft_17 = points == 17 and sum(place + 1 for place in dealer) == 7
    if points >= 17 and not (soft_17 and hits_soft_17):
        return float(points > 21 or mine > points)
    return sum(
        chance * beaten(mine, (*dealer, card), left, hits_soft_17=hits_soft_17) for card, chance, left in draws(shoe)
    )


def stand(hand: tuple[int, ...], dealer: tuple[int, ...], shoe: Cards) -> float:
    return 2 * beaten(total(hand), dealer, shoe) - 1


def best(hand: tuple[int, ...], dealer: tuple[int, ...], shoe: Cards) -> float:
    """Hit or stand, whichever is worth more."""
    if total(hand) > 21:
        return -1.0
    standing = stand(hand, dealer, shoe)
    return standing if total(hand) == 21 else max(standing, hit(hand, dealer, shoe))


def hit(hand: tuple[int, ...], dealer: tuple[int, ...], shoe: Cards) -> float:
    return sum(chance * best((*hand, card), dealer, left) for card, chance, left in draws(shoe))


def without(decks: int, *places: int) -> Cards:
    return tuple(many - gone for many, gone in zip(full_shoe(decks), cards_of(*places), strict=True))


@pytest.mark.parametrize(
    ("hand", "dealer"), [((SIX, TEN), (SIX, TEN)), ((NINE, TEN), (NINE, TEN)), ((SEVEN, EIGHT), (ACE, SEVEN))]
)
def test_hitting_and_standing_card_by_card(hand: tuple[int, int], dealer: tuple[int, int]) -> None:
    solved = Dealer(game(DoubleExposureSettings()), dealer)
    worth = solved.actions(hand, solved.play())
    shoe = without(6, *hand, *dealer)
    assert worth["stand"] == pytest.approx(stand(hand, dealer, shoe), abs=1e-12)
    assert worth["hit"] == pytest.approx(hit(hand, dealer, shoe), abs=1e-12)


def test_a_double_card_by_card() -> None:
    hand, dealer = (1, 8), (SIX, TEN)
    solved = Dealer(game(DoubleExposureSettings()), dealer)
    shoe = without(6, *hand, *dealer)
    once = sum(chance * stand((*hand, card), dealer, left) for card, chance, left in draws(shoe))
    assert solved.actions(hand, solved.play())["double"] == pytest.approx(2 * once, abs=1e-12)


def test_a_dealer_who_draws_to_a_soft_17() -> None:
    settings = DoubleExposureSettings(dealer_hits_soft_17=True, max_hands=1)
    hand, dealer = (EIGHT, TEN), (ACE, SIX)
    solved = Dealer(game(settings), dealer)
    wins = beaten(18, dealer, without(6, *hand, *dealer), hits_soft_17=True)
    assert solved.actions(hand, solved.play())["stand"] == pytest.approx(2 * wins - 1, abs=1e-12)


def split_aces(dealer: tuple[int, int], max_hands: int, decks: int) -> float:
    """Every order of second cards, as they come hand by hand; then the dealer plays against all hands. (D10, D11)"""

    def deal(waiting: int, hands: tuple[int, ...], shoe: Cards) -> float:
        if not waiting:
            return sum(2 * beaten(mine, dealer, shoe) - 1 for mine in hands)
        worth = 0.0
        for card, chance, left in draws(shoe):
            room = len(hands) + waiting < max_hands
            if card == ACE and room:
                worth += chance * deal(waiting + 1, hands, left)
            else:
                worth += chance * deal(waiting - 1, (*hands, total((ACE, card))), left)
        return worth

    return deal(2, (), without(decks, ACE, ACE, *dealer))


@pytest.mark.parametrize("max_hands", [2, 3])
def test_split_aces_in_the_order_of_the_game(max_hands: int) -> None:
    """A dealer who stands keeps the count short; that the cards of different hands may change places is what is tested."""
    settings = DoubleExposureSettings(decks=2, max_hands=max_hands)
    solved = Dealer(game(settings), (EIGHT, TEN))
    values = solved.play()
    assert solved.split_worth(ACE, values)[max_hands] == pytest.approx(
        split_aces((EIGHT, TEN), max_hands, 2), abs=1e-12
    )


def test_split_aces_against_a_dealer_who_draws() -> None:
    settings = DoubleExposureSettings(decks=2, max_hands=3)
    solved = Dealer(game(settings), (SIX, TEN))
    worth = solved.split_worth(ACE, solved.play())[3]
    assert worth == pytest.approx(split_aces((SIX, TEN), 3, 2), abs=1e-12)


@pytest.mark.parametrize("max_hands", [2, 3, 4])
def test_a_split_ends_in_one_way_or_another(max_hands: int) -> None:
    chances = [(22 - out) / (308 - out) for out in range(6)]
    reached = ending_chances(max_hands, chances)
    assert sum(chance for _, chance in reached) == pytest.approx(1, abs=1e-14)
    assert all(end.closed + end.free <= max_hands for end, _ in reached)


def test_nets_have_the_exact_mean() -> None:
    solved = Dealer(game(DoubleExposureSettings()), (SIX, TEN))
    values = solved.play()
    nets = solved.nets(values.decisions)
    for two, split_to in (((7, 7), 4), ((1, 8), 0), ((ACE, ACE), 4)):
        worth = solved.actions(two, values)
        mean = solved.split_worth(two[0], values)[split_to] if split_to else max(worth.values())
        found = nets.split(two[0], split_to, mean) if split_to else nets.whole(two)
        assert found.sum() == pytest.approx(1, abs=1e-12)
        assert sum(net * chance for net, chance in enumerate(found, -NET_MAX)) == pytest.approx(mean, abs=1e-12)


def test_boxes_and_dealers_are_all_deals() -> None:
    from tapete_odds.hands import PAIRS
    from tapete_odds.solver.solve import boxes

    assert sum(chance for dealer in PAIRS for _, chance in boxes(full_shoe(6), dealer)) == pytest.approx(1, abs=1e-12)
    assert comb(312, 2) * comb(310, 2) == sum(
        round(chance * comb(312, 2) * comb(310, 2)) for dealer in PAIRS for _, chance in boxes(full_shoe(6), dealer)
    )
