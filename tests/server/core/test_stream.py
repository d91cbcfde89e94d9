"""The cards' stream: HKDF as RFC 5869 has it, unbiased draws, and the same cards wherever it is taken up again."""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapete_protocol.fair import plain_salt
from tapete_protocol.vectors import FOLDER
from tapete_rules.cards import CARDS, OutOfCards, Shoe
from tapete_server.core.stream import BLOCKS_MAX, Stream, commitment_to, round_secret

FAIR: dict[str, Any] = json.loads((FOLDER / "fair.json").read_text(encoding="utf-8"))
SECRET = bytes(range(32))
SALT = hashlib.sha256(b"salt").digest()
WORDS_MAX = 255 * 8
OKM_OF_A2 = (
    "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09"
    "da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87"
)


def hkdf(ikm: bytes, salt: bytes, info: bytes, size: int) -> bytes:
    """RFC 5869, section 2, written once more."""
    key = hmac.new(salt or bytes(32), ikm, hashlib.sha256).digest()
    made, block, counter = b"", b"", 1
    while len(made) < size:
        block = hmac.new(key, block + info + bytes([counter]), hashlib.sha256).digest()
        made, counter = made + block, counter + 1
    return made[:size]


def words_of(stream: Stream, count: int) -> bytes:
    return b"".join(stream._word().to_bytes(4, "big") for _ in range(count))


class TestExpansion:
    """The stream is HKDF-SHA256 of the round's secret, and the second writing of HKDF here is the RFC's."""

    @pytest.mark.parametrize(
        ("ikm", "salt", "info", "size", "okm"),
        [
            (
                "0b" * 22,
                "000102030405060708090a0b0c",
                "f0f1f2f3f4f5f6f7f8f9",
                42,
                "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865",
            ),
            (
                bytes(range(0x50)).hex(),
                bytes(range(0x60, 0xB0)).hex(),
                bytes(range(0xB0, 0x100)).hex(),
                82,
                OKM_OF_A2,
            ),
            (
                "0b" * 22,
                "",
                "",
                42,
                "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8",
            ),
        ],
    )
    def test_the_vectors_of_rfc_5869(self, ikm: str, salt: str, info: str, size: int, okm: str) -> None:
        assert hkdf(bytes.fromhex(ikm), bytes.fromhex(salt), bytes.fromhex(info), size).hex() == okm

    def test_the_stream_is_that_function_of_secret_and_salt(self) -> None:
        assert words_of(Stream(SECRET, SALT), WORDS_MAX) == hkdf(SECRET, SALT, b"tapete/1/cards", WORDS_MAX * 4)

    def test_one_expansion_has_255_blocks_and_no_more(self) -> None:
        stream = Stream(SECRET, SALT, WORDS_MAX - 1)
        stream._word()
        assert BLOCKS_MAX == 255
        with pytest.raises(OutOfCards):
            stream._word()

    def test_tags_and_lengths_keep_the_inputs_apart(self) -> None:
        assert round_secret(b"k", "ab", 1, b"n") != round_secret(b"k", "a", 1, b"bn")
        assert len({round_secret(b"k", table, number, b"n") for table in ("a", "b") for number in (1, 2)}) == 4
        assert plain_salt(SALT, "{}") != plain_salt(SALT, "{ }")
        assert commitment_to(SECRET) == hashlib.sha256(SECRET).digest()


class TestDraw:
    """Each card is an unbiased index into the cards that are left."""

    def test_a_word_past_the_last_whole_multiple_is_passed_over(self, monkeypatch: pytest.MonkeyPatch) -> None:
        left = Shoe.of(6)
        fair = (1 << 32) // 312 * 312
        words = iter((fair, (1 << 32) - 1, fair - 1))
        monkeypatch.setattr(Stream, "_word", lambda _: next(words))
        assert Stream(SECRET, SALT).draw(left) == left.at(311)

    def test_every_card_comes_about_equally_often(self) -> None:
        """Chi-squared over 52 cards: below 100 with a chance of all but one in 20,000, and always for these secrets."""
        seen = dict.fromkeys(CARDS, 0)
        for number in range(10):
            stream = Stream(hashlib.sha256(bytes([number])).digest(), SALT)
            for _ in range(2000):
                seen[stream.draw(Shoe.of(1))] += 1
        expected = 20_000 / 52
        assert sum((count - expected) ** 2 / expected for count in seen.values()) < 100

    def test_a_whole_shoe_comes_out_card_by_card_and_then_there_is_none(self) -> None:
        stream, shoe, dealt = Stream(SECRET, SALT), Shoe.of(8), []
        while len(shoe):
            card = stream.draw(shoe)
            shoe = shoe.without(card)  # raises when the shoe has none
            dealt.append(card)
        assert all(dealt.count(card) == 8 for card in CARDS)
        with pytest.raises(OutOfCards):
            stream.draw(shoe)

    @settings(derandomize=True, deadline=None, max_examples=60)
    @given(
        secret=st.binary(min_size=32, max_size=32),
        counts=st.lists(st.integers(0, 8), min_size=52, max_size=52).filter(any),
        stop=st.integers(0, 20),
    )
    def test_taken_up_at_its_words_it_goes_on_alike(self, secret: bytes, counts: list[int], stop: int) -> None:
        shoe = Shoe(tuple(counts))
        one, two = Stream(secret, SALT), Stream(secret, SALT)
        for step in range(min(len(shoe), 40)):
            if step == stop:
                two = Stream(secret, SALT, one.words)
            card = one.draw(shoe)
            assert two.draw(shoe) == card
            assert two.words == one.words
            shoe = shoe.without(card)


class TestPublished:
    """The server deals what the published vectors say."""

    @pytest.mark.parametrize("vector", FAIR["draws"], ids=lambda vector: f"{vector['decks']} decks")
    def test_whole_shoes(self, vector: dict[str, Any]) -> None:
        stream, shoe = Stream(bytes.fromhex(vector["secret"]), bytes.fromhex(vector["salt"])), Shoe.of(vector["decks"])
        dealt, passed_over = [], []
        for place in range(len(shoe)):
            words = stream.words
            card = stream.draw(shoe)
            shoe = shoe.without(card)
            dealt.append(card)
            passed_over += [place] * (stream.words - words - 1)
        assert (" ".join(dealt), passed_over, stream.words) == (
            vector["cards"],
            vector["passed_over"],
            vector["words"],
        )

    @pytest.mark.parametrize("vector", FAIR["house"])
    def test_secrets(self, vector: dict[str, Any]) -> None:
        key, nonce = bytes.fromhex(vector["cluster_key"]), bytes.fromhex(vector["nonce"])
        assert round_secret(key, vector["table"], vector["round"], nonce).hex() == vector["secret"]
