"""No client has a silent gap: what it is sent joins what it has; and in the end all see the very same table."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from tapete_protocol.chain import next_head
from tapete_protocol.commands import Command, Unwatch, Watch
from tapete_protocol.frames import Ack, Batch, Refused, Snapshot
from tapete_server.core.view import view_of
from tests.simulation.checkers.checker import Checker
from tests.simulation.checkers.durability import TABLE_COMMANDS
from tests.simulation.network import Pipe


@dataclass(slots=True)
class Stand:
    """How far a connection has been told a table. `since`: nothing arrived yet, and the client says that it has this."""

    version: int
    head: bytes


class NobodyHasAGap(Checker):
    """Watches what nodes send, connection by connection, and not what clients make of it; clients are looked at in the end."""

    def watch(self) -> None:
        self._stands: dict[tuple[Pipe, str], Stand] = {}
        self._anew: Counter[tuple[Pipe, str]] = Counter()
        """Questions under way in which a connection says that it has nothing: what it had before does not count any more."""
        self.world.on_command.append(self._asked)
        self.world.network.on_sent.append(self._sent)
        self.world.on_answer.append(self._answered)

    def _sent(self, pipe: Pipe, payload: bytes) -> None:
        if (frame := self.world.decoded(payload)) is None:
            return
        if isinstance(frame, Snapshot):
            self._snapshot(pipe, frame)
        elif isinstance(frame, Batch):
            self._batch(pipe, frame, payload)

    def _asked(self, pipe: Pipe, _: str, command: Command) -> None:
        if isinstance(command, Watch) and command.since is None:
            self._anew[pipe, command.table] += 1

    def _answered(self, pipe: Pipe, _: str, command: Command, answer: Ack | Refused) -> None:
        """An Ack comes after the batch that its command made. Whoever stops watching begins anew next time."""
        if isinstance(command, TABLE_COMMANDS) and isinstance(answer, Ack) and not self.world.rewound_lately():
            stand = self._stands.get((pipe, command.table))
            claimed = [since.version for since in self.world.asked.get((pipe, command.table), ())]
            if max(stand.version if stand else 0, *claimed, 0) < (answer.version or 0):
                self.broken(f"{pipe.client.name} has the Ack of v{answer.version} at v{stand and stand.version}")
        if isinstance(command, Watch) and command.since is None:
            self._anew[pipe, command.table] -= 1
        if isinstance(command, Unwatch) and isinstance(answer, Ack):
            self._stands.pop((pipe, command.table), None)

    def _snapshot(self, pipe: Pipe, frame: Snapshot) -> None:
        stand = self._stands.get((pipe, frame.table))
        step = self.world.chronicle.at(frame.table, frame.v, frame.head)
        if step is None:
            self.broken(f"a snapshot of {frame.table} v{frame.v} that never was")
        elif frame.view != view_of(step.after):
            self.broken(f"a snapshot of {frame.table} v{frame.v} shows another table")
        anew = self._anew[pipe, frame.table] > 0
        if stand is not None and frame.v < stand.version and not (frame.rewound or anew):
            self.broken(f"{frame.table} falls from v{stand.version} to v{frame.v}, and nothing is said")
        self._stands[pipe, frame.table] = Stand(frame.v, frame.head)

    def _batch(self, pipe: Pipe, frame: Batch, payload: bytes) -> None:
        place = (pipe, frame.table)
        stand = self._stands.get(place)
        if stand is None or (frame.v, frame.prev) != (stand.version + 1, stand.head):
            asked = self.world.asked.get(place, [])
            since = next((one for one in asked if (frame.v, frame.prev) == (one.version + 1, one.head)), None)
            if since is not None:
                asked.remove(since)
            else:
                what = f"after v{stand.version}" if stand else "to somebody who has nothing"
                self.broken(
                    f"{what} of {frame.table} {pipe.node.name} sends {pipe.client.name} v{frame.v}, which does not join"
                )
        self._stands[place] = Stand(frame.v, next_head(frame.prev, payload))

    def at_rest(self) -> None:
        for person in self.world.people:
            table = person.table
            if table is None or table.ended or person.shut_out:
                continue
            state = self.world.chronicle.lines[self.world.table_id(table.id)].state
            if (table.version, table.head) != (state.version, state.head):
                self.broken(f"{person.name} is at v{table.version} of {table.id}, which is at v{state.version}")
            elif table.view != view_of(state):
                self.broken(f"{person.name} sees another {table.id} than there is")
        for machine in self.world.machines:
            for table_id, live in machine.floor.registry.tables.items() if machine.floor else ():
                state = self.world.chronicle.lines[table_id].state
                if live.loaded and live.state != state:
                    self.broken(
                        f"{machine.name} holds {table_id} at v{live.state.version}, and it is at v{state.version}"
                    )
