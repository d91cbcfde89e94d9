"""Every key has a TTL, or is named as permanent; a buy-in's mark may lack one only while its journal entry is open."""

from __future__ import annotations

from typing import Any

from tapete_server.adapters.redis_store.keys import PERMANENT


async def leaks(client: Any) -> list[str]:
    keys = [key.decode() async for key in client.scan_iter()]
    underway = {transfer.decode() for key in keys if key.startswith("j:") for transfer in await client.hkeys(key)}
    found = []
    for key in keys:
        kind, _, rest = key.partition(":")
        if await client.ttl(key) != -1 or key in PERMANENT or (kind in PERMANENT and rest.startswith("{s")):
            continue
        if kind == "x" and rest.partition(":")[2] in underway:
            continue
        found.append(key)
    return found
