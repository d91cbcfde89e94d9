"""The door: WebSocket and plain HTTP on one port, one session for each connection, and the fan-out to all of them."""

from __future__ import annotations

from tapete_server.gateway.counters import Counters
from tapete_server.gateway.limits import GatewayLimits
from tapete_server.gateway.pages import Page, Pages
from tapete_server.gateway.server import Gateway

__all__ = ["Counters", "Gateway", "GatewayLimits", "Page", "Pages"]
