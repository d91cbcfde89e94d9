"""The draw of a card: without bias over all words, and without a pattern over all positions; what would be wrong is seen."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

from tapete_protocol.fair import Reveal, reveals_salt
from tapete_rules.cards import CARDS, INDEX, Card, Shoe
from tapete_server.core import stream
from tapete_server.core.stream import Stream

SHOES = 3_000
TAKEN_OVER_AFTER = 5
CELLS_OK = 2_800
"""Of a statistic with 51 by 51 = 2,601 degrees of freedom and a standard deviation of 72: less than three of them above. The
shoes are always the same, so that this says the same in every run."""

Deal = Callable[[bytes], list[str]]


class TestAllWords:
    """A model with words of eight bits, all of which can be tried. It shows that no remainder is favoured, and no more."""

    @pytest.mark.parametrize("left", range(1, 209))
    def test_every_place_has_as_many_words(self, left: int, monkeypatch: pytest.MonkeyPatch) -> None:
        seen: list[int] = []
        words = iter(range(256))
        monkeypatch.setattr(stream, "WORD_BYTES", 1)
        monkeypatch.setattr(Stream, "_word", lambda _: next(words))
        monkeypatch.setattr(Shoe, "at", lambda _, place: seen.append(place))
        counts = (left // 52 + 1,) * (left % 52) + (left // 52,) * (52 - left % 52)
        assert sum(counts) == left
        source = Stream(bytes(32), bytes(32))
        with suppress(StopIteration):
            while True:
                source.draw(Shoe(counts))
        assert {place: seen.count(place) for place in range(left)} == dict.fromkeys(range(left), 256 // left)
        assert len(seen) == 256 // left * left


def secrets() -> Iterator[bytes]:
    return (hashlib.sha256(number.to_bytes(4, "big")).digest() for number in range(SHOES))


def as_it_is(secret: bytes) -> list[str]:
    """One deck, through the very code of the table; the hand is taken over by another node in the middle."""
    source, shoe, dealt = Stream(secret, bytes(32)), Shoe.of(1), []
    for place in range(52):
        if place == TAKEN_OVER_AFTER:
            source = Stream(secret, bytes(32), source.words)
        card = source.draw(shoe)
        shoe = shoe.without(card)
        dealt.append(card)
    return [str(card) for card in dealt]


def swapped_with_any(secret: bytes) -> list[str]:
    """Each place is swapped with any place, not only with those that follow: the usual mistake."""
    source, deck = Stream(secret, bytes(32)), list(CARDS)
    for place in range(52):
        other = INDEX[source.draw(Shoe.of(1))]
        deck[place], deck[other] = deck[other], deck[place]
    return [str(card) for card in deck]


def off_by_one(secret: bytes) -> list[str]:
    """The last of the cards that are left is never drawn while there is another."""
    source, left, dealt = Stream(secret, bytes(32)), list(CARDS), []
    while left:
        dealt.append(left.pop(source._word() % max(1, len(left) - 1)))
    return [str(card) for card in dealt]


def counts_not_reduced(secret: bytes) -> list[str]:
    source = Stream(secret, bytes(32))
    return [str(source.draw(Shoe.of(1))) for _ in range(52)]


def stream_restarted(secret: bytes) -> list[str]:
    """Whoever takes over begins with the first word again."""
    source, shoe, dealt = Stream(secret, bytes(32)), Shoe.of(1), list[Card]()
    for place in range(52):
        if place == TAKEN_OVER_AFTER:
            source = Stream(secret, bytes(32))
        dealt.append(source.draw(shoe))
        shoe = shoe.without(dealt[-1])
    return [str(card) for card in dealt]


def chi_squared(pairs: list[tuple[int, int]]) -> float:
    """Of a full matrix of 52 by 52 cells against an even one."""
    cells = [0] * (52 * 52)
    for row, column in pairs:
        cells[52 * row + column] += 1
    expected = len(pairs) / len(cells)
    return sum((count - expected) ** 2 for count in cells) / expected


def positions(deal: Deal) -> float:
    """Card by position."""
    return chi_squared([(place, INDEX[Card(card)]) for secret in secrets() for place, card in enumerate(deal(secret))])


def untouched(secret: bytes) -> list[str]:
    """By one node, without a take-over."""
    source, shoe, dealt = Stream(secret, bytes(32)), Shoe.of(1), list[Card]()
    while len(shoe):
        dealt.append(source.draw(shoe))
        shoe = shoe.without(dealt[-1])
    return [str(card) for card in dealt]


def is_untouched(deal: Deal) -> bool:
    return all(deal(secret) == untouched(secret) for secret in list(secrets())[:20])


def is_a_deck(deal: Deal) -> bool:
    return all(sorted(deal(secret)) == sorted(map(str, CARDS)) for secret in list(secrets())[:100])


class TestMatrix:
    """Every card at every position of a shoe equally often; each planted mistake shows in one of the three looks."""

    def test_as_it_is(self) -> None:
        assert is_a_deck(as_it_is)
        assert positions(as_it_is) < CELLS_OK
        assert is_untouched(as_it_is)

    @pytest.mark.parametrize("deal", [swapped_with_any, off_by_one])
    def test_these_favour_a_card_at_a_position(self, deal: Deal) -> None:
        assert is_a_deck(deal)
        assert positions(deal) > CELLS_OK

    def test_counts_that_are_not_reduced_are_no_deck(self) -> None:
        assert not is_a_deck(counts_not_reduced)

    def test_a_stream_that_is_restarted_is_another_deal(self) -> None:
        """Remainders of one word by two numbers have nothing to do with each other, so that no matrix shows it; what shows it
        is that nobody who takes over may change a card."""
        assert is_a_deck(stream_restarted)
        assert positions(stream_restarted) < CELLS_OK
        assert not is_untouched(stream_restarted)

    def test_reveals_that_are_not_put_in_order_deal_by_who_was_quicker(self) -> None:
        reveals = [Reveal(box, bytes([box]) * 32, bytes([box + 8]) * 32) for box in (1, 2, 3)]
        backwards = list(reversed(reveals))
        assert reveals_salt(bytes(32), "{}", reveals) == reveals_salt(bytes(32), "{}", backwards)

        def unsorted_salt(given: list[Reveal]) -> bytes:
            return hashlib.sha256(b"".join(one.part() for one in given)).digest()

        assert as_it_is(unsorted_salt(reveals)) != as_it_is(unsorted_salt(backwards))
