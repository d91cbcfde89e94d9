"""All that a store holds, as a document: every key with its kind, its content and how long it has to live.

No dump of a server's own format: what one server wrote, another of another version has to take.
"""

from __future__ import annotations

from typing import Any

Document = dict[str, dict[str, Any]]


async def dumped(client: Any) -> Document:
    """`client`: a `redis.asyncio.Redis` that gives bytes."""
    keys = sorted([key async for key in client.scan_iter()])
    return {key.decode(): await _dumped(client, key) for key in keys}


async def _dumped(client: Any, key: bytes) -> dict[str, Any]:
    kind = (await client.type(key)).decode()
    match kind:
        case "string":
            content: Any = (await client.get(key)).hex()
        case "hash":
            content = {name.hex(): value.hex() for name, value in sorted((await client.hgetall(key)).items())}
        case "zset":
            content = {name.hex(): int(score) for name, score in await client.zrange(key, 0, -1, withscores=True)}
        case "stream":
            entries = await client.xrange(key)
            content = [
                [number.decode(), {name.hex(): value.hex() for name, value in fields.items()}]
                for number, fields in entries
            ]
        case "set":
            content = sorted(name.hex() for name in await client.smembers(key))
        case _:
            raise AssertionError(f"{key!r} is a {kind}: teach this file to keep it")
    ttl_ms = await client.pttl(key)
    return {"kind": kind, "ttl_ms": max(0, ttl_ms), "content": content}


async def restore(client: Any, document: Document) -> None:
    """Into an empty store."""
    for name, kept in document.items():
        await _restore(client, name, kept["kind"], kept["content"])
        if kept["ttl_ms"]:
            await client.pexpire(name, kept["ttl_ms"])


async def _restore(client: Any, name: str, kind: str, content: Any) -> None:
    match kind:
        case "string":
            await client.set(name, bytes.fromhex(content))
        case "hash":
            await client.hset(name, mapping=_bytes(content))
        case "zset":
            await client.zadd(name, {bytes.fromhex(one): score for one, score in content.items()})
        case "stream":
            for number, fields in content:
                await client.xadd(name, _bytes(fields), id=number)
        case "set":
            await client.sadd(name, *(bytes.fromhex(one) for one in content))
        case _:
            raise AssertionError(kind)


def _bytes(content: dict[str, str]) -> dict[bytes, bytes]:
    return {bytes.fromhex(name): bytes.fromhex(value) for name, value in content.items()}
