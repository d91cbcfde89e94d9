"""The long runs, for a short while; and that they see what they are there to see."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from tapete_client import verify
from tapete_protocol.base import PlayerId
from tapete_server.core import rounds
from tapete_server.core.draft import Draft
from tapete_server.core.state import Contribution, Table
from tapete_server.core.stream import round_secret
from tests.fairness import attack, evening, secrecy, soak
from tests.fairness.evening import KEY, Evening


def silent(_done: int, _all: int) -> None:
    """Nobody looks on."""


def test_soak(capsys: pytest.CaptureFixture[str]) -> None:
    assert soak.soak(80, 11, silent) == 0
    assert "80 rounds proven" in capsys.readouterr().out


def test_soak_says_what_is_not_proven_and_how_to_see_it_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(verify.Felt, "pay", lambda *_: None)
    assert soak.soak(400, 11, silent) == 1
    told = capsys.readouterr().out
    assert "NOT PROVEN: round" in told
    assert "--seed 11 --only" in told


def test_secrecy() -> None:
    played, frames = secrecy.watch(60, 5, silent)
    assert played == 60
    assert frames > 1_000


def test_a_secret_in_the_store_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def leaking(table: Table) -> bytes:
        return round_secret(KEY, table.id, table.round, table.nonce)

    monkeypatch.setattr(secrecy, "pack_table", leaking)
    with pytest.raises(secrecy.Leak, match=r"stands in a store"):
        secrecy.watch(1, 5, silent)


def test_bytes_that_were_not_revealed_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the commitment were the bytes themselves."""
    monkeypatch.setattr(evening, "entropy_commitment", lambda _table, _round, _player, entropy: entropy)
    with pytest.raises(secrecy.Leak, match="has not revealed"):
        secrecy.watch(40, 5, silent)


def test_a_card_in_the_batch_of_the_close_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def hasty(draft: Draft) -> None:
        close(draft)
        rounds.deal(draft)

    close = rounds.close_betting
    monkeypatch.setattr(rounds, "close_betting", hasty)
    with pytest.raises(secrecy.Leak, match="close"):
        secrecy.watch(40, 5, silent)


@pytest.mark.parametrize("players", [1, 3])
def test_a_house_that_lies_gains_and_is_seen_each_time(players: int) -> None:
    gain = attack.attack(players, 40, 3, silent)
    assert gain.lying < gain.honest
    assert 0 < gain.denied == gain.noticed


def test_the_truth_is_among_the_choices_and_there_are_no_more_than_2_to_the_k() -> None:
    contributions = tuple(
        Contribution(PlayerId(player), bytes(32), b"\x01" * 32, box=box)
        for box, player in enumerate(("ana", "ben", "carla"), 1)
    )
    table = replace(Evening(Random(1), attack.SETTINGS).table, contributions=contributions)
    found = list(attack.choices(table))
    assert found[0] == table
    assert len({one.contributions for one in found}) == 8
