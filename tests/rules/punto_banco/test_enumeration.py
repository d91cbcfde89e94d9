"""Exact counts and edges: the published figures, and a brute force of one deck written for the test alone."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations, product
from math import comb
from typing import Any

import pytest

from tapete_rules.cards import CARDS
from tapete_rules.punto_banco import PuntoBanco, PuntoBancoSettings
from tapete_rules.punto_banco.enumeration import count, edges
from tests.rules.punto_banco.seeds import PUNTO_DRAWS, banca_draws

NAMES = ("reglamento", "europacasino", "casinoonnet")


def _edges(**settings: Any) -> dict[str, Fraction]:
    return edges(PuntoBancoSettings(**settings))


def _hundredths(edge: Fraction) -> int:
    """Per cent with two decimals, as a whole number."""
    return round(edge * 10000)


def _brute_force(tableau: str) -> Counter[str]:
    """Every ordered choice of six cards of one deck by value, each coup played from the tables of the seeds."""
    seen: Counter[str] = Counter()
    for p1, b1, p2, b2 in product(range(10), repeat=4):
        left = [16, *[4] * 9]
        ways = 1
        for card in (p1, b1, p2, b2):
            ways *= left[card]
            left[card] -= 1
        if not ways:
            continue
        punto, banca = (p1 + p2) % 10, (b1 + b2) % 10
        if punto > 7 or banca > 7:
            _note(seen, punto, banca, ways * 48 * 47)
            continue
        for third in range(10) if punto in PUNTO_DRAWS else [None]:
            ways3 = ways if third is None else ways * left[third]
            hand = (p1, p2) if third is None else (p1, p2, third)
            if not banca_draws(tableau, banca, hand):
                _note(seen, sum(hand) % 10, banca, ways3 * (48 * 47 if third is None else 47))
                continue
            for last in range(10):
                ways4 = ways3 * (left[last] - (last == third))
                _note(seen, sum(hand) % 10, (banca + last) % 10, ways4 * (47 if third is None else 1))
    return seen


def _note(seen: Counter[str], punto: int, banca: int, ways: int) -> None:
    winner = "tie" if punto == banca else "punto" if punto > banca else "banca"
    seen[winner] += ways
    seen["six"] += ways * (winner == "banca" and banca == 6)


class TestReglamento:
    def test_eight_decks_give_the_published_counts(self) -> None:
        counts = count(8, "reglamento")
        assert counts.banca == 2_292_252_566_437_888
        assert counts.punto == 2_230_518_282_592_256
        assert counts.tie == 475_627_426_473_216
        assert counts.deals == 4_998_398_275_503_360

    @pytest.mark.parametrize(
        ("decks", "banca", "punto", "tie"), [(8, 106, 124, 1436), (6, 106, 124, 1444), (1, 101, 129, 1575)]
    )
    def test_the_edges_are_the_published_ones(self, decks: int, banca: int, punto: int, tie: int) -> None:
        found = _edges(decks=decks)
        assert [_hundredths(found[spot]) for spot in ("banca", "punto", "tie")] == [banca, punto, tie]

    def test_without_commission_banca_costs_a_little_more(self) -> None:
        assert _hundredths(_edges(commission=False)["banca"]) == 146
        assert _edges(commission=False)["punto"] == _edges()["punto"]

    def test_no_bet_favours_the_bettor(self) -> None:
        assert PuntoBanco().favours_player() == ()


class TestOtherTableaux:
    @pytest.mark.parametrize("name", ["europacasino", "casinoonnet"])
    def test_the_punto_bet_favours_the_bettor_by_1_76_per_cent(self, name: str) -> None:
        assert _hundredths(_edges(tableau=name)["punto"]) == -176
        assert PuntoBanco(PuntoBancoSettings(tableau=name)).favours_player() == ("punto",)

    def test_as_read_here_they_cost_the_same(self) -> None:
        assert count(8, "europacasino") == count(8, "casinoonnet")


class TestAllCounts:
    @pytest.mark.parametrize("name", NAMES)
    def test_a_brute_force_of_one_deck_agrees(self, name: str) -> None:
        counts = count(1, name)
        assert _brute_force(name) == {
            "punto": counts.punto,
            "banca": counts.banca,
            "tie": counts.tie,
            "six": counts.banca_six,
        }

    @pytest.mark.parametrize(("decks", "name"), list(product((1, 8), NAMES)))
    def test_every_deal_is_counted_once(self, decks: int, name: str) -> None:
        counts = count(decks, name)
        assert counts.punto + counts.banca + counts.tie == counts.deals == comb(52 * decks, 6) * 720

    def test_pairs_are_counted_card_by_card(self) -> None:
        pairs = sum(first[0] == second[0] for first, second in permutations(CARDS, 2))
        counts = count(1, "reglamento")
        assert Fraction(counts.pair, counts.deals) == Fraction(pairs, 52 * 51)
        assert Fraction(count(8, "reglamento").pair, count(8, "reglamento").deals) == Fraction(31, 415)
        assert _edges()["punto_pair"] == _edges()["banca_pair"] == 1 - 12 * Fraction(31, 415)


class TestOdds:
    def test_payouts_of_the_table_go_into_the_edge(self) -> None:
        assert _edges(tie_odds=(9, 1))["tie"] < _edges()["tie"]
        generous = PuntoBanco(PuntoBancoSettings(tie_odds=(10, 1), pair_odds=(13, 1), commission_rate=(1, 1000)))
        assert generous.favours_player() == ("banca", "tie", "punto_pair", "banca_pair")

    def test_a_spot_that_takes_no_bets_favours_nobody(self) -> None:
        assert PuntoBanco(PuntoBancoSettings(tie_odds=(10, 1), tie_max=0)).favours_player() == ()
