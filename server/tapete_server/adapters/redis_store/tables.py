"""Tables in the store: compare-and-set, the window of batches, round records, deadlines, the index."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from tapete_protocol.base import TableId
from tapete_server.adapters.redis_store import scripts
from tapete_server.adapters.redis_store.connection import Command, ScriptError
from tapete_server.adapters.redis_store.part import Part
from tapete_server.ports import (
    Commit,
    Committed,
    Conflict,
    Done,
    Duplicate,
    Listed,
    NoTable,
    Stored,
    TooEarly,
    TooLate,
)


def time_ms(reply: Sequence[Any]) -> int:
    """The reply to TIME: seconds and microseconds."""
    return int(reply[0]) * 1000 + int(reply[1]) // 1000


def committed(reply: list[Any]) -> Committed:
    """What a script that changes a table says."""
    match reply:
        case [b"OK", version, time]:
            return Done(int(version), time)
        case [b"CONFLICT", version, head, blob, time]:
            return Conflict(Stored(int(version), head, blob, time))
        case [b"TOO_EARLY", time]:
            return TooEarly(time)
        case [b"TOO_LATE", time]:
            return TooLate(time)
        case [b"GONE", time]:
            return NoTable(time)
        case [b"DUPLICATE", mark, time]:
            return Duplicate(mark.decode(), time)
        case [b"FAULT", why]:
            raise ScriptError(why.decode())
        case _:
            raise ScriptError(f"not an answer to a commit: {reply!r:.200}")


class Tables(Part):
    async def now_ms(self) -> int:
        return time_ms(await self._lane.call("TIME"))

    def _own(self, table: TableId) -> list[str]:
        """KEYS 1 to 4 of every script that changes a table."""
        keys = self._keys
        return [keys.table(table), keys.stream(table), keys.deadlines(table), keys.records(table)]

    async def commit(self, commit: Commit) -> Committed:
        """A conflict with our own new head is our own commit, whose reply was lost: done."""
        table, keys = commit.table, self._keys
        names = self._own(table)
        if commit.transfer is not None:
            names.append(keys.mark(table, commit.transfer))
        settled, record = commit.record or (0, b"")
        reply = await self._lane.run(
            scripts.COMMIT, names, table, keys.channel(table), commit.version, commit.head, commit.version + 1,
            commit.new_head, commit.blob, commit.batch, commit.not_before_ms, commit.not_after_ms, commit.deadline_ms,
            commit.trim_before, self._limits.stream_batches_max, settled, record, self._limits.records_max, self._era.began,
        )  # fmt: skip
        outcome = committed(reply)
        if isinstance(outcome, Conflict):
            stored = outcome.stored
            if (stored.version, stored.head) == (commit.version + 1, commit.new_head):
                return Done(stored.version, stored.time_ms)
        return outcome

    async def create(  # noqa: PLR0917 - as the port has it
        self,
        table: TableId,
        head: bytes,
        blob: bytes,
        batch: bytes,
        public: bool,  # noqa: FBT001 - as the port has it
        deadline_ms: int,
    ) -> bool:
        keys = self._keys
        names = [*self._own(table), keys.index(table)]
        channel = keys.channel(table)
        reply = await self._lane.run(
            scripts.CREATE, names, table, channel, head, blob, batch, deadline_ms, int(public), self._era.began
        )
        return bool(reply[0]) or (reply[1], reply[2]) == (b"1", head)

    async def remove(self, table: TableId, version: int, head: bytes, batch: bytes, bank: int) -> Committed:
        keys = self._keys
        names = [*self._own(table), keys.index(table), keys.totals(table), keys.closed(table)]
        reply = await self._lane.run(
            scripts.REMOVE,
            names,
            table,
            keys.channel(table),
            version,
            head,
            version + 1,
            batch,
            bank,
            self._limits.closed_s,
        )
        return committed(reply)

    async def read(self, table: TableId) -> Stored | None:
        (version, head, blob, era), time = await self._lane.calls(
            [("HMGET", self._keys.table(table), "v", "h", "b", "g"), ("TIME",)]
        )
        if version is None:
            return None
        return Stored(int(version), head, blob, time_ms(time), int(era or 0) < self._era.doubted)

    @property
    def doubted(self) -> int:
        return self._era.doubted

    async def heads(self, tables: Sequence[TableId]) -> dict[TableId, tuple[int, bytes]]:
        groups = self._keys.together(tables, self._limits.heads_tables_max)
        replies = await asyncio.gather(
            *(self._lane.run(scripts.HEADS, [self._keys.table(one) for one in group]) for group in groups)
        )
        return {
            table: (int(version), head)
            for group, reply in zip(groups, replies, strict=True)
            for table, (version, head) in zip(group, reply, strict=True)
            if version is not None
        }

    async def batches(self, table: TableId, after: int, until: int = 0) -> list[tuple[int, bytes]]:
        stream, most = self._keys.stream(table), self._limits.read_batches_max
        found: list[tuple[int, bytes]] = []
        last = f"{until}-0" if until else "+"
        while True:
            entries = await self._lane.call("XRANGE", stream, f"{after + 1}-0", last, "COUNT", most)
            found += [numbered(entry) for entry in entries]
            if len(entries) < most:
                return found
            after = found[-1][0]

    async def record(self, table: TableId, round: int) -> bytes | None:  # noqa: A002 - as the port has it
        entries = await self._lane.call("XRANGE", self._keys.records(table), f"{round}-0", f"{round}-0")
        return numbered(entries[0])[1] if entries else None

    async def records(self, table: TableId, last: int) -> list[tuple[int, bytes]]:
        """The last so many, oldest first."""
        if last <= 0:
            return []
        entries = await self._lane.call("XREVRANGE", self._keys.records(table), "+", "-", "COUNT", last)
        return [numbered(entry) for entry in reversed(entries)]

    async def listed(self) -> list[Listed]:
        replies = await self._lane.calls([("HGETALL", key) for key in self._keys.each("i")])
        found = [
            Listed(TableId(reply[at].decode()), reply[at + 1] == b"1")
            for reply in replies
            for at in range(0, len(reply), 2)
        ]
        return sorted(found, key=lambda one: one.table)

    async def due(self, until_ms: int) -> list[tuple[TableId, int]]:
        """The most overdue first."""
        most = self._limits.due_tables_max
        look: list[Command] = [
            ("ZRANGEBYSCORE", key, "-inf", until_ms, "WITHSCORES", "LIMIT", 0, most) for key in self._keys.each("d")
        ]
        replies = await self._lane.calls(look)
        found = [
            (TableId(reply[at].decode()), int(reply[at + 1])) for reply in replies for at in range(0, len(reply), 2)
        ]
        return sorted(found, key=lambda one: one[1])[:most]


def numbered(entry: Sequence[Any]) -> tuple[int, bytes]:
    """A stream entry of ours: its number stands in its id, its bytes in its only field."""
    return int(entry[0].partition(b"-")[0]), entry[1][1]
