"""Changes of one player of a view."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from tapete_protocol.view import PlayerView, TableView

Step = Callable[[TableView, Any], TableView]
"""What one kind of event does to a view."""


def in_player(view: TableView, player: str, change: Callable[[PlayerView], PlayerView]) -> TableView:
    return replace(view, players=tuple(change(one) if one.player == player else one for one in view.players))


def stack_changed(view: TableView, player: str, change: int) -> TableView:
    return in_player(view, player, lambda one: replace(one, stack=one.stack + change))
