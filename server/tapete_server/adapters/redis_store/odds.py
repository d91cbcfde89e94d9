"""Odds that the house has worked out, and which of its nodes works some out now."""

from __future__ import annotations

from tapete_server.adapters.redis_store.part import Part


class Odds(Part):
    async def kept_odds(self, name: str) -> bytes | None:
        (reply,) = await self._lane.calls([("GETEX", self._keys.odds(name), "EX", self._limits.odds_s)])
        return bytes(reply) if reply is not None else None

    async def keep_odds(self, name: str, odds: bytes) -> None:
        await self._lane.calls([("SET", self._keys.odds(name), odds, "EX", self._limits.odds_s)])

    async def claim_odds(self, by: str) -> bool:
        """No script: two that claim in one moment work out the same twice at worst."""
        key, kept_s = self._keys.node("kb"), self._limits.odds_claim_s
        _, holder = await self._lane.calls([("SET", key, by, "NX", "EX", kept_s), ("GET", key)])
        if holder != by.encode():
            return False
        await self._lane.calls([("EXPIRE", key, kept_s)])
        return True

    async def leave_odds(self, by: str) -> None:
        if await self.claim_odds(by):
            await self._lane.calls([("DEL", self._keys.node("kb"))])
