"""Which pages may open a WebSocket here: those of this very address, and those on the list."""

from __future__ import annotations

from collections.abc import Collection
from http import HTTPStatus
from urllib.parse import urlsplit

from websockets.http11 import Request

from tapete_server.gateway.http import NoPage, host_of, only

_PORTS = {"http": 80, "https": 443}


def check_origin(request: Request, allowed: Collection[str]) -> None:
    """Browsers always send an Origin; other programs send none and are let in. Raises `NoPage`."""
    host, origin = host_of(request), only(request.headers, "Origin")
    if origin is not None and origin.lower() not in allowed and not _same(origin.lower(), host):
        raise NoPage(HTTPStatus.FORBIDDEN, "Pages of that origin may not connect here.")


def _same(origin: str, host: str) -> bool:
    """A proxy may have taken the TLS off, so the scheme only says which port is meant when none is named."""
    try:
        page, here = urlsplit(origin), urlsplit(f"//{host}")
        ports = page.port, here.port
    except ValueError:
        return False
    usual = _PORTS.get(page.scheme)
    return usual is not None and (page.hostname, ports[0] or usual) == (here.hostname, ports[1] or usual)


def client_address(request: Request, peer: str, proxies: Collection[str]) -> str:
    """Where a connection comes from. A proxy of ours is believed, and nobody else: it adds its peer at the end."""
    if peer in proxies:
        told = [part.strip() for value in request.headers.get_all("X-Forwarded-For") for part in value.split(",")]
        for address in reversed(told):
            if address not in proxies:
                return address[:64]
    return peer
