"""The name of every key. What stands between braces decides the slot: no script touches two of them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import groupby
from typing import TypeVar
from zlib import crc32

SHARDS = "tapete:shards"
"""How many shards this store has: settled once."""
ECHO = "tapete:echo"
"""With a name of each node's own: written, read, and said."""
PROBE = "tapete:probe"
"""Written to see that the store takes writes."""

NODES = "{s0}"
"""All that is about nodes lives in one slot."""
ERA = f"era:{NODES}"
"""Beside the nodes: whether any was at work decides whether a new run of the store begins a new era."""
NODES_UNWALKED = f"hu:{NODES}"
WITNESSES = f"ew:{NODES}"
"""Of a new era: who has not come yet."""

PERMANENT = {
    "tapete:shards": "the number of shards",
    "t": "a table; goes when it is closed",
    "e": "its batches; bounded; go when it is closed",
    "r": "its records; bounded; go when it is closed",
    "d": "earliest deadlines; a table's goes with it",
    "i": "index of tables; a table's entry goes with it",
    "a": "an account; goes when it expires",
    "l": "its ledger; bounded; goes when it expires",
    "s": "accounts by when they were last seen; an account's entry goes with it",
    "j": "journal of buy-ins; an entry goes when it is finished",
    "o": "journal of cash-outs; an entry goes when the table has taken note",
    "m": "totals",
    "hb": "heartbeats; trimmed by every beat",
    "hu": "incarnations whose tables nobody has walked yet; go by `forget`",
    "era": "the store's era",
    "ew": "its witnesses; go when they have come, or were waited for long enough",
    "p": "tables that an incarnation served; goes by `forget`",
}
"""Kinds of keys without a TTL, and what bounds them. Of the others only `x` may lack one: while its buy-in is open."""

TAGS_REMEMBERED_MAX = 8_192
"""A commit names five keys of one table, and asks for its slot each time."""


Name = TypeVar("Name", bound=str)


def _shard(name: str, shards: int) -> int:
    """Stable over versions and machines: CRC-32 of the id."""
    return crc32(name.encode()) % shards


@lru_cache(maxsize=TAGS_REMEMBERED_MAX)
def _tag(name: str, shards: int) -> str:
    return f"{{s{_shard(name, shards)}}}"


class Keys:
    """Keys of one store. `shards` is what the store says, once it was asked."""

    def __init__(self, shards: int) -> None:
        self.shards = shards

    def shard(self, name: str) -> int:
        return _shard(name, self.shards)

    def together(self, names: Iterable[Name], most: int) -> list[list[Name]]:
        """What one command may name: of one shard, and not too many."""
        shards = [list(shard) for _, shard in groupby(sorted(names, key=self.shard), self.shard)]
        return [shard[at : at + most] for shard in shards for at in range(0, len(shard), most)]

    def tag(self, name: str) -> str:
        return _tag(name, self.shards)

    def each(self, kind: str) -> list[str]:
        """The key of every shard of a kind that has one for each."""
        return [f"{kind}:{{s{shard}}}" for shard in range(self.shards)]

    def of(self, kind: str, owner: str, *more: str) -> str:
        """A key in the shard of a table or player."""
        return ":".join((kind, self.tag(owner), *more))

    def table(self, table: str) -> str:
        return self.of("t", table, table)

    def stream(self, table: str) -> str:
        return self.of("e", table, table)

    def records(self, table: str) -> str:
        return self.of("r", table, table)

    def channel(self, table: str) -> str:
        return self.of("ev", table, table)

    def deadlines(self, table: str) -> str:
        return self.of("d", table)

    def index(self, table: str) -> str:
        return self.of("i", table)

    def closed(self, table: str) -> str:
        return self.of("z", table, table)

    def mark(self, table: str, transfer: str) -> str:
        """In the table's shard: what became of a buy-in there."""
        return self.of("x", table, transfer)

    def totals(self, owner: str) -> str:
        return self.of("m", owner)

    def account(self, player: str) -> str:
        return self.of("a", player, player)

    def ledger(self, player: str) -> str:
        return self.of("l", player, player)

    def seen(self, player: str) -> str:
        return self.of("s", player)

    def journal(self, player: str) -> str:
        return self.of("j", player)

    def finished(self, player: str, transfer: str) -> str:
        return self.of("jd", player, transfer)

    def outgoing(self, player: str) -> str:
        return self.of("o", player)

    def paid(self, player: str, transfer: str) -> str:
        return self.of("po", player, transfer)

    def topped(self, player: str, command: str) -> str:
        return self.of("u", player, player, command)

    def remembered(self, player: str, command: str) -> str:
        return self.of("c", player, player, command)

    def quota(self, address: str, hour: int) -> str:
        return self.of("q", address, str(hour), address)

    def odds(self, name: str) -> str:
        return self.of("k", name, name)

    def node(self, kind: str, *more: str) -> str:
        return ":".join((kind, NODES, *more))
