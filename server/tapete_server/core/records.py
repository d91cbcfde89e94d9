"""A round's record: all that anyone needs to check it, without asking this house again. `protocol/README.md` has its form."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import msgpack

from tapete_protocol.chain import next_head
from tapete_rules.punto_banco.state import PuntoBancoState
from tapete_server.core.state import Table

RECORD_SCHEMA = 2
"""1, in the first release, had neither `start` nor `head`."""


def pack_record(before: Table, batches: Sequence[bytes]) -> bytes:
    """`before`: the table when the last of these batches was decided. The first one opened the round."""
    record = {
        "schema": RECORD_SCHEMA,
        "table": before.id,
        "round": before.round,
        "settings": before.settings,
        "settings_hash": hashlib.sha256(before.settings.encode()).digest(),
        "start": _start(before, batches[:-1]),
        "batches": list(batches),
        "head": next_head(before.head, batches[-1]),
    }
    packed: bytes = msgpack.packb(record)
    return packed


def _start(table: Table, batches: Sequence[bytes]) -> dict[str, Any]:
    """The table as it was opened: everything since then, undone. No card leaves the shoe of Punto Banco but in the batch that
    ends the round, so that the shoe before it is that of the opening."""
    boxes, chips = list[str | None](table.boxes), _chips(table)
    for event in reversed(_since_opening(table.round, batches)):
        match event:
            case {"t": "BoxTaken", "box": box}:
                boxes[box - 1] = None
            case {"t": "BoxFreed", "box": box, "player": player}:
                boxes[box - 1] = player
            case {"t": "ChipsIn", "player": player, "amount": amount}:
                chips[player] = chips.get(player, 0) - amount
            case {"t": "ChipsOut", "player": player, "amount": amount}:
                chips[player] = chips.get(player, 0) + amount
            case _:
                pass
    players = dict.fromkeys(player for player in boxes if player)
    start: dict[str, Any] = {"boxes": boxes, "stacks": [[player, chips.get(player, 0)] for player in players]}
    return start | _shoe(table)


def _chips(table: Table) -> dict[str, int]:
    """Each player's stack with all that is staked: what only a settlement, a buy-in and a cash-out change."""
    chips = {str(player.id): player.stack for player in table.players}
    for bet in table.bets:
        chips[table.boxes[bet.box - 1] or ""] += bet.amount
    for stake in table.staked:
        chips[stake.owner] += stake.amount
    return chips


def _since_opening(number: int, batches: Sequence[bytes]) -> list[dict[str, Any]]:
    events = [event for batch in batches for event in msgpack.unpackb(batch)["events"]]
    opened = next(at for at, event in enumerate(events) if event["t"] == "RoundOpened" and event["round"] == number)
    return events[opened + 1 :]


def _shoe(table: Table) -> dict[str, Any]:
    """The cards that are left, where a shoe goes on over many rounds."""
    play = table.play
    if not isinstance(play, PuntoBancoState):
        return {}
    last_coup = {} if play.last_coup is None else {"last_coup": play.last_coup}
    return {"left": bytes(play.shoe.counts), "coup": play.coup, **last_coup}
