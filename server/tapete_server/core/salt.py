"""What the cards of a closed round depend on besides the house's secret: the log, and the players' part."""

from __future__ import annotations

from tapete_protocol.fair import Reveal, plain_salt, reveals_salt
from tapete_server.core.games import game_for
from tapete_server.core.state import Table


def salt_of(table: Table) -> bytes:
    """At a table without reveals as the first release had it."""
    if not game_for(table.settings).reveals:
        return plain_salt(table.close_head, table.settings)
    parts = [Reveal(one.box, one.commitment, one.entropy) for one in table.contributions]
    return reveals_salt(table.close_head, table.settings, parts)
