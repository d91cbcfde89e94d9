"""What everyone may see of a table. There is no secret in it, and nothing that only nodes need."""

from __future__ import annotations

import msgspec

from tapete_protocol.view import BetView, ContributionView, Felt, PlayerView, TableView
from tapete_server.core.games import game_for
from tapete_server.core.state import Table


def view_of(table: Table) -> TableView:
    players = tuple(
        PlayerView(
            player.id, player.name, player.stack, player.away, player.held_until_at, player.ready, player.leaving
        )
        for player in table.players
    )
    return TableView(
        name=table.name, game=table.game, settings=table.settings, public=table.public, opener=table.opener,
        phase=table.phase, round=table.round, commitment=table.commitment, boxes=table.boxes, players=players,
        bets=tuple(BetView(bet.box, bet.spot, bet.amount) for bet in table.bets),
        clocks=table.deadlines,
        felt=msgspec.convert(game_for(table.settings).view(table.play), Felt),
        recent=table.recent, frozen=table.frozen or None,
        contributions=tuple(
            ContributionView(one.player, one.commitment, one.entropy or None, one.missing)
            for one in table.contributions
        ),
    )  # fmt: skip
