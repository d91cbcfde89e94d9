"""A whole cluster in one place: the store, the machines, the people, and who looks on."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable
from random import Random
from typing import Self

import msgspec

from tapete_protocol.base import TableId
from tapete_protocol.codec import BadCommand, UnknownEvent, UnknownFrame, WireError, decode_command, decode_frame
from tapete_protocol.commands import Command, Since, Watch
from tapete_protocol.frames import Ack, Frame, Refused, Welcome
from tapete_server.core.state import Table
from tests.simulation.checkers import ALL, Checker
from tests.simulation.chronicle import Chronicle, Step
from tests.simulation.liar import Liar
from tests.simulation.loop import SimLoop
from tests.simulation.machine import Machine
from tests.simulation.network import Network, Pipe
from tests.simulation.outages import Outages
from tests.simulation.people import Person
from tests.simulation.store.vault import Vault
from tests.simulation.storewire import StoreProcess
from tests.simulation.trace import Trace

DAWN_MS = 1_900_000_000_000
"""The store's time when the story begins."""
ON_ITS_WAY_MS = 3_000
"""Within which an answer that was given before a roll-back has arrived."""
KEY = bytes(range(32))
Answered = Callable[[Pipe, str, Command, Ack | Refused], None]
Heard = Callable[[Pipe, str, Command], None]


class Broken(AssertionError):
    """An invariant did not hold."""


class World:
    """Built from one source of chance. `fail` ends the story at the next step of the loop."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.loop = SimLoop()  # type: ignore[abstract]  # the rest of a loop is for sockets
        self.trace = Trace()
        self.key = KEY
        self.network = Network(self.loop, self.fork())
        self.vault = Vault(self.now_ms)
        self.process = StoreProcess()
        self.chronicle = Chronicle(now_ms=self.now_ms)
        self.vault.observers.append(self.chronicle)
        self.outages = Outages()
        self.machines: list[Machine] = []
        self.people: list[Person] = []
        self.liars: list[Liar] = []
        self.asked: dict[tuple[Pipe, str], list[Since]] = {}
        """What a connection said that it has, and was not answered for yet."""
        self.players: dict[Pipe, str] = {}
        self.on_command: list[Heard] = []
        self.on_answer: list[Answered] = []
        self.on_welcome: list[Callable[[Pipe, Welcome], None]] = []
        self.opened_ms = DAWN_MS
        """When the table was there: no roll-back goes further."""
        self.money_ms = 0
        """When a wallet was last changed."""
        self.hits = 0
        """Faults that befell a commit under way."""
        self._open: dict[tuple[Pipe, int], Command] = {}
        self.chronicle.on_step.append(self._trace_step)
        self.chronicle.on_money.append(self._note_money)
        self.network.on_said.append(self._said)
        self.network.on_sent.append(self._sent)
        self.checkers: list[Checker] = [checker(self) for checker in ALL]
        self._logs = [one for one in self.checkers if isinstance(one, logging.Handler)]

    def fork(self) -> Random:
        """A source of chance of somebody's own, so that one's draws do not change another's."""
        return Random(self.rng.getrandbits(64))

    def now_ms(self) -> int:
        return DAWN_MS + int(self.loop.now * 1000)

    def standing(self, table: TableId) -> Table | None:
        """The table as the store has it."""
        line = self.chronicle.lines.get(table)
        return line.state if line else None

    def table_id(self, table: str) -> TableId:
        return TableId(table)

    def say(self, who: str, what: str, more: str = "") -> None:
        self.trace.say(self.loop.now, who, what, more)

    def fail(self, checker: str, text: str) -> None:
        if self.loop.failure is None:
            self.say(checker, "BROKEN", text)
            self.loop.failure = Broken(f"{checker}: {text}")

    def rewound_lately(self) -> bool:
        """An answer from before a roll-back may still be on its way."""
        rewinds = self.chronicle.rewinds
        return bool(rewinds) and self.now_ms() - rewinds[-1][0] < ON_ITS_WAY_MS

    def after_this(self, act: Callable[[], None]) -> None:
        """When the change that is being made is complete."""
        self.loop.outside(act)

    def __enter__(self) -> Self:
        for handler in self._logs:
            logging.getLogger("tapete").addHandler(handler)
        return self

    def __exit__(self, *_: object) -> None:
        log = logging.getLogger("tapete")
        for handler in self._logs:
            log.removeHandler(handler)
        logging.disable(logging.CRITICAL)  # of what the dead say on their way out
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", RuntimeWarning)  # coroutines of the dead that never began
                self.loop.close()
        finally:
            logging.disable(logging.NOTSET)

    # --- what is said ---

    def decoded(self, payload: bytes) -> Frame | None:
        step = self.chronicle.payloads.get(payload)
        if step is not None:
            return step.batch
        try:
            return decode_frame(payload)
        except (UnknownFrame, UnknownEvent, WireError) as wrong:
            self.fail("Wire", f"a node sends what is no frame: {wrong}")
            return None

    def _said(self, pipe: Pipe, payload: bytes) -> None:
        try:
            command = decode_command(payload)
        except (WireError, BadCommand, msgspec.MsgspecError):
            return
        self._open[pipe, command.id] = command
        if isinstance(command, Watch) and command.since is not None:
            self.asked.setdefault((pipe, command.table), []).append(command.since)
        for heard in self.on_command:
            heard(pipe, self.players.get(pipe, ""), command)

    def _sent(self, pipe: Pipe, payload: bytes) -> None:
        if payload in self.chronicle.payloads:
            return
        frame = self.decoded(payload)
        if isinstance(frame, Welcome):
            self.players[pipe] = frame.player
            for welcomed in self.on_welcome:
                welcomed(pipe, frame)
        elif isinstance(frame, Ack | Refused):
            if isinstance(frame, Refused):
                self.trace.counts[f"refused {frame.code}"] += 1
            command = self._open.pop((pipe, frame.id), None)
            if command is not None:
                for answered in self.on_answer:
                    answered(pipe, self.players.get(pipe, ""), command, frame)

    def _note_money(self, *_: object) -> None:
        self.money_ms = self.now_ms()

    def _trace_step(self, step: Step) -> None:
        names = ",".join(type(event).__name__ for event in step.batch.events)
        self.say(step.table, "commit", f"v{step.version} {step.after.head.hex()[:8]} {names}")
        for event in step.batch.events:
            self.trace.counts[type(event).__name__] += 1
