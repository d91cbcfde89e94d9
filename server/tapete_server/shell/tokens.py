"""Session tokens: a player's id under the cluster key. Any node can check one, and nobody else can make one."""

from __future__ import annotations

import hmac

from tapete_protocol.base import PlayerId

MAC_BYTES = 16


def sign(key: bytes, player: PlayerId) -> str:
    return f"{player}.{_mac(key, player)}"


def verify(key: bytes, token: str) -> PlayerId | None:
    """The player of a token; None for anything that this cluster has not signed."""
    player, _, mac = token.rpartition(".")
    if not hmac.compare_digest(mac.encode(), _mac(key, player).encode()):
        return None
    return PlayerId(player)


def _mac(key: bytes, player: str) -> str:
    return hmac.digest(key, b"tapete/1/session\0" + player.encode(), "sha256")[:MAC_BYTES].hex()
