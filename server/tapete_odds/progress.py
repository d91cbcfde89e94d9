"""How far a long piece of work is: told to whoever asked for it."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int], None]
"""Told how many steps are done, and of how many."""


def nobody(done: int, of: int) -> None:
    """Nobody looks on."""
