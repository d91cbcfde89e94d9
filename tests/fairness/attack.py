"""What a house gains that lies about missing reveals, and how often a player sees it lie.

The house knows its own secret. When all reveals are in, it can deal the coup in its head once for each set of them that it calls
missing, and take the one that costs it least: a choice among at most 2^k deals. Here it does so with the real core, for 1 to 4
honest players at Punto Banco, and the same rounds are dealt honestly beside it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from random import Random

from msgspec.structs import replace

from tapete_client.part import Part
from tapete_protocol import commands as c
from tapete_protocol import events as e
from tapete_server.core.commands import DeadlinePassed, Decision, Dice
from tapete_server.core.decide import decide
from tapete_server.core.state import Table
from tapete_server.core.view import view_of
from tests.fairness.evening import PLAYERS, Evening

SETTINGS = '{"game":"punto_banco","reveals":true,"times":{"pause_ms":0,"card_ms":0}}'
STAKE = 1_000


@dataclass
class Gain:
    """Of `rounds` rounds with `players` players: what came back of each unit staked, honestly and not; in how many rounds the
    house had to lie, and how many reveals it denied, each of which its player noticed."""

    players: int
    rounds: int = 0
    staked: int = 0
    honest: int = 0
    lying: int = 0
    lied: int = 0
    denied: int = 0
    noticed: int = 0

    def told(self) -> str:
        fair, less = self.honest / self.staked, self.lying / self.staked
        return (
            f"{self.players} players, {2**self.players:2} deals to choose: {fair:7.1%} comes back honestly, {less:7.1%} to a "
            f"liar, who gains {fair - less:6.1%} of all stakes; lies in {self.lied / self.rounds:4.0%} of the rounds, "
            f"{self.denied} reveals denied, {self.noticed} of them noticed by their players"
        )


def closed_with_all(evening: Evening, players: tuple[str, ...], parts: dict[str, Part]) -> Table:
    """A round in which everybody bets on punto, commits and reveals, up to the moment of the deal."""
    for player in players:
        commitment = parts[player].commitment(view_of(evening.table))
        evening.play(player, c.PlaceBets, bets=(c.Bet(_box(player), "punto", STAKE),), commitment=commitment)
    for player in players:
        evening.play(player, c.Ready)
    for player in players:
        given = parts[player].given[evening.table.round]
        given.sent_at = evening.now
        evening.secrets[player, evening.table.round] = given.entropy
        evening.reveal(player)
    assert all(one.entropy for one in evening.table.contributions)
    return evening.table


def _box(player: str) -> int:
    return PLAYERS.index(player) + 1


def choices(table: Table) -> Iterator[Table]:
    """The table as the house may say that it was: each set of reveals never came. The first one is the truth."""
    for said in product((True, False), repeat=len(table.contributions)):
        kept = zip(table.contributions, said, strict=True)
        yield replace(table, contributions=tuple(one if true else replace(one, entropy=b"") for one, true in kept))


def dealt(table: Table, evening: Evening) -> tuple[e.Event, ...]:
    at = table.deadline("deal")
    answer = decide(table, DeadlinePassed("deal", at), max(at, evening.now), Dice(evening.key, bytes(32)))
    assert isinstance(answer, Decision)
    return answer.events


def returned(events: tuple[e.Event, ...]) -> int:
    return sum(event.returned for event in events if isinstance(event, e.BoxSettled))


def attack(players: int, rounds: int, seed: int, told: Callable[[int, int], None]) -> Gain:
    rng, gain = Random(seed), Gain(players)
    evening, names = Evening(rng, SETTINGS), PLAYERS[:players]
    parts = {name: Part(evening.table.id, name, rng.randbytes) for name in names}
    for name in names:
        evening.play(name, c.TakeBox, box=_box(name))
        evening.buy_in(name, 10**9)
    for number in range(1, rounds + 1):
        if evening.table.phase == "settled":
            evening.fire()
        table = closed_with_all(evening, names, parts)
        deals = [dealt(one, evening) for one in choices(table)]
        worst = min(deals, key=returned)
        gain.rounds, gain.staked = number, gain.staked + players * STAKE
        gain.honest, gain.lying = gain.honest + returned(deals[0]), gain.lying + returned(worst)
        gain.lied += worst is not deals[0]
        (closing,) = [event for event in worst if isinstance(event, e.EntropyClosed)]
        gain.denied += len(closing.missing)
        gain.noticed += sum(part.missed(closing) is not None for part in parts.values())
        evening.fire()
        evening.records.clear()
        told(number, rounds)
    return gain


def main(rounds: int, seed: int, told: Callable[[int, int], None]) -> int:
    for players in range(1, len(PLAYERS) + 1):
        sys.stdout.write(attack(players, rounds, seed, told).told() + "\n")
        sys.stdout.flush()
    return 0
