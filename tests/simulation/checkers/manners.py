"""The client of production keeps to the protocol: what has an answer it does not ask again, and it finishes what it began."""

from __future__ import annotations

from dataclasses import dataclass

from tapete_client.policy import RESENDS_MAX
from tapete_protocol import commands as c
from tapete_protocol.frames import Ack, Refused
from tapete_server.shell.floor import digest_of
from tests.simulation.checkers.checker import Checker
from tests.simulation.checkers.durability import TABLE_COMMANDS
from tests.simulation.loop import Host
from tests.simulation.network import Pipe
from tests.simulation.stammerer import Stammerer


@dataclass(slots=True)
class Begun:
    """The last numbered command of somebody, at a table."""

    digest: bytes
    sent: int = 1
    answered: bool = False


class AClientFinishesWhatItBegan(Checker):
    """Of people with a device that neither lies nor stammers."""

    def watch(self) -> None:
        self._begun: dict[tuple[Host, str], Begun] = {}
        self._done: set[tuple[Pipe, str]] = set()
        self._tokens: dict[Host, str] = {}
        self.world.on_command.append(self._heard)
        self.world.on_answer.append(self._answered)

    def _is_proper(self, host: Host) -> bool:
        who = next((one for one in self.world.people if one.host is host), None)
        return who is not None and not isinstance(who, Stammerer) and not who.going_home

    def _heard(self, pipe: Pipe, _: str, command: c.Command) -> None:
        if not self._is_proper(pipe.client):
            return
        if isinstance(command, c.BuyIn | c.TopUp | c.OpenTable) and (pipe, command.command) in self._done:
            self.broken(f"{pipe.client.name} has its answer, and asks once more: {command}")
        if isinstance(command, c.Watch) and command.since is not None:
            self._claims(pipe.client, command.table, command.since)
        if isinstance(command, c.Hello):
            self._enters(pipe.client, command.token)
        if isinstance(command, TABLE_COMMANDS):
            self._number(pipe.client, command)

    def _enters(self, host: Host, token: str | None) -> None:
        """A guest whom the store forgot is somebody else now, and a second device enters as whoever the first one is."""
        if token is None:
            self._begun.clear()
        elif self._tokens.get(host, token) != token:
            self._begun = {key: begun for key, begun in self._begun.items() if key[0] is not host}
        if token is not None:
            self._tokens[host] = token

    def _claims(self, host: Host, table: str, since: c.Since) -> None:
        if self.world.chronicle.at(table, since.version, since.head) is None:
            self.broken(f"{host.name} says that it has v{since.version} of {table} with a head that never was")

    def _number(self, host: Host, command: c.TableCommand) -> None:
        digest, before = digest_of(command), self._begun.get((host, command.table))
        if before is not None and before.digest == digest:
            before.sent += 1
            return
        if before is not None and not before.answered and before.sent <= RESENDS_MAX:
            self.broken(f"{host.name} has no answer yet, and goes on with {command}")
        self._begun[host, command.table] = Begun(digest)

    def _answered(self, pipe: Pipe, _: str, command: c.Command, answer: Ack | Refused) -> None:
        if isinstance(command, c.BuyIn | c.TopUp | c.OpenTable) and isinstance(answer, Ack):
            self._done.add((pipe, command.command))
        if isinstance(command, TABLE_COMMANDS):
            begun = self._begun.get((pipe.client, command.table))
            if begun is not None and begun.digest == digest_of(command):
                begun.answered = True
