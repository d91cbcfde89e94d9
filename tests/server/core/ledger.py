"""An outside ledger: wallets, and a second reading of where every chip lies, kept from the events alone."""

from __future__ import annotations

from collections import defaultdict

from tapete_protocol import events as e
from tapete_server.core.state import Table


class Ledger:
    """`stacks` and `felt` (box and spot before the close, box after it) are what the table should hold."""

    def __init__(self, minted: dict[str, int]) -> None:
        self.minted = sum(minted.values())
        self.wallets = dict(minted)
        self.stacks: defaultdict[str, int] = defaultdict(int)
        self.bets: dict[tuple[int, str], tuple[str, int]] = {}
        self.staked: dict[int, tuple[str, int]] = {}
        self.on_the_way: dict[str, tuple[str, int]] = {}
        self.chips_in = 0
        self.chips_out = 0
        self.house = 0
        self.closed_boxes = 0
        self.finished_boxes = 0

    def note(self, event: e.Event) -> None:
        match event:
            case e.ChipsIn() | e.ChipsOut() | e.ChipsArrived() | e.PlayerLeft():
                self._moved(event)
            case e.BetPlaced(box, player, spot, amount):
                _, before = self.bets.pop((box, spot), (player, 0))
                self.stacks[player] += before - amount
                if amount:
                    self.bets[box, spot] = (player, amount)
            case e.BettingClosed(_, bets):
                laid = {(b.box, s.spot): (b.player, s.amount) for b in bets for s in b.stakes}
                assert laid == self.bets, "every bet is closed, with its owner"
                self.staked = {b.box: (b.player, sum(s.amount for s in b.stakes)) for b in bets}
                self.bets = {}
                self.closed_boxes += len(self.staked)
            case e.StakeAdded(box, _, owner, amount):
                holder, staked = self.staked[box]
                assert holder == owner
                self.stacks[owner] -= amount
                self.staked[box] = (owner, staked + amount)
            case e.BoxSettled(box, owner, staked, returned):
                assert self.staked.pop(box) == (owner, staked), "a box is settled once, for all that lies on it"
                self.stacks[owner] += returned
                self.house += staked - returned
                self.finished_boxes += 1
            case e.RoundVoided():
                self.finished_boxes += len(self.staked)
                for owner, amount in (*self.bets.values(), *self.staked.values()):
                    self.stacks[owner] += amount
                self.bets, self.staked = {}, {}
            case e.RoundSettled():
                assert not self.staked, "a round is over when every box is settled"
            case _:
                pass

    def _moved(self, event: e.ChipsIn | e.ChipsOut | e.ChipsArrived | e.PlayerLeft) -> None:
        match event:
            case e.ChipsIn(player, amount):
                self.stacks[player] += amount
                self.chips_in += amount
            case e.ChipsOut(player, amount, transfer):
                assert transfer not in self.on_the_way, "a transfer has an id of its own"
                self.stacks[player] -= amount
                self.on_the_way[transfer] = (player, amount)
            case e.ChipsArrived(transfer):
                player, amount = self.on_the_way.pop(transfer)
                self.wallets[player] += amount
                self.chips_out += amount
            case e.PlayerLeft(player):
                assert self.stacks.pop(player, 0) == 0, "who is gone has left no chip behind"

    def check(self, table: Table) -> None:
        """The table holds what the ledger says, and nothing was made or lost."""
        assert {player.id: player.stack for player in table.players if player.stack} == {
            player: stack for player, stack in self.stacks.items() if stack
        }
        bets = {(bet.box, bet.spot): (table.boxes[bet.box - 1], bet.amount) for bet in table.bets}
        assert bets == self.bets
        assert {stake.box: (stake.owner, stake.amount) for stake in table.staked} == self.staked
        assert {out.transfer: (out.player, out.amount) for out in table.outgoing} == self.on_the_way
        assert (table.chips_in, table.chips_out, table.bank) == (self.chips_in, self.chips_out, self.house)
        assert self.closed_boxes == self.finished_boxes + len(self.staked)
        chips = sum(self.stacks.values()) + sum(amount for _, amount in (*self.bets.values(), *self.staked.values()))
        under_way = sum(amount for _, amount in self.on_the_way.values())
        assert sum(self.wallets.values()) + chips + under_way + self.house == self.minted
