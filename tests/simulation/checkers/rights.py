"""Nobody gets what is not theirs: no seat in somebody's name without the token, no Ack for somebody's box, no chip of theirs."""

from __future__ import annotations

from tapete_protocol import commands as c
from tapete_protocol import events as e
from tapete_protocol.frames import Ack, Refused, Welcome
from tapete_server.core.state import Table
from tests.simulation.checkers.checker import Checker
from tests.simulation.chronicle import Step
from tests.simulation.network import Pipe


class NobodyTakesAnothersPlace(Checker):
    def watch(self) -> None:
        self._tokens: dict[str, str] = {}
        """Whose each token is: whoever got it first."""
        self._hellos: dict[tuple[Pipe, int], c.Hello] = {}
        self.world.on_command.append(self._heard)
        self.world.on_welcome.append(self._welcomed)
        self.world.on_answer.append(self._answered)
        self.world.chronicle.on_step.append(self._step)

    # --- who is who ---

    def _heard(self, pipe: Pipe, _: str, command: c.Command) -> None:
        if isinstance(command, c.Hello):
            self._hellos[pipe, command.id] = command

    def _welcomed(self, pipe: Pipe, welcome: Welcome) -> None:
        hello = self._hellos.pop((pipe, welcome.id), None)
        if hello is None:
            self.broken(f"{pipe.client.name} is let in as {welcome.player} without a Hello")
        elif hello.token is not None and self._tokens.get(hello.token) != welcome.player:
            self.broken(f"{pipe.client.name} is let in as {welcome.player} with a token that is not theirs")
        elif hello.token is None and welcome.player in self._tokens.values():
            self.broken(f"{pipe.client.name} came without a token, and is let in as {welcome.player}")
        self._tokens.setdefault(welcome.token, welcome.player)

    # --- what each may do ---

    def _answered(self, pipe: Pipe, player: str, command: c.Command, answer: Ack | Refused) -> None:
        if not isinstance(answer, Ack):
            return
        if not player:
            self.broken(f"{pipe.client.name} has not signed in, and has an Ack for {command}")
        if answer.version is not None and isinstance(command, c.TakeBox | c.FreeBox | c.Act | c.PlaceBets):
            self._box(player, command, answer.version)

    def _box(self, player: str, command: c.TakeBox | c.FreeBox | c.Act | c.PlaceBets, version: int) -> None:
        """At the version of the Ack, or just before, the boxes that the command names are the player's."""
        line = self.world.chronicle.lines.get(self.world.table_id(command.table))
        if line is None or version > len(line.steps) or self.world.rewound_lately():
            return
        step = line.steps[version - 1]
        mine = set(step.after.boxes_of(player)) | set(step.before.boxes_of(player) if step.before else ())
        named = {bet.box for bet in command.bets} if isinstance(command, c.PlaceBets) else {command.box}
        if not named <= mine:
            self.broken(f"{player} has {sorted(mine)}, and an Ack for {command}")

    def _step(self, step: Step) -> None:
        """What one player commands leaves the chips and boxes of the others where they were; cards may have done the rest."""
        by, before, after = step.batch.by, step.before, step.after
        if by is None or before is None:
            return
        played = any(isinstance(event, e.BoxSettled | e.RoundSettled | e.RoundVoided) for event in step.batch.events)
        for other in before.players:
            if other.id == by.player or played:
                continue
            if held_by(before, other.id) != held_by(after, other.id):
                self.broken(f"{step.table} v{step.version}: {by.player} moves chips or boxes of {other.id}")


def held_by(table: Table, player: str) -> tuple[int, list[int]]:
    """All chips of a player at the table, and the boxes."""
    boxes = table.boxes_of(player)
    found = table.player(player)
    chips = (found.stack if found else 0) + sum(bet.amount for bet in table.bets if bet.box in boxes)
    chips += sum(stake.amount for stake in table.staked if stake.owner == player)
    return chips + sum(out.amount for out in table.outgoing if out.player == player), boxes
