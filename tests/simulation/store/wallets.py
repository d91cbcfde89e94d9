"""Accounts in the vault, their ledgers, and the answers that are remembered: each sum with its total in one step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from tapete_protocol.base import PlayerId
from tapete_server.adapters.redis_store import StoreLimits
from tapete_server.adapters.redis_store.part import WHOLE_MAX
from tapete_server.ports import Account, Totals
from tests.simulation.store.fading import Fading
from tests.simulation.store.observer import Movement
from tests.simulation.store.shelves import Shelves

HOUR_MS = 3_600_000


class Wallet(NamedTuple):
    """An account as it is kept. `open`: buy-ins and cash-outs under way; `rows`: of the ledger, ever."""

    name: str
    balance: int
    open: int
    rows: int


class Row(NamedTuple):
    """Of a ledger."""

    kind: Movement
    amount: int
    balance: int
    reference: str


class Wallets(Shelves):
    def __init__(self, clock_ms: Callable[[], int], limits: StoreLimits) -> None:
        super().__init__(clock_ms, limits)
        self._wallets: dict[PlayerId, Wallet] = {}
        self._ledgers: dict[PlayerId, dict[int, Row]] = {}
        self._seen: dict[PlayerId, int] = {}
        self._topped: Fading[tuple[PlayerId, str], bool] = Fading(self._undo)
        self._answers: Fading[tuple[PlayerId, str], str] = Fading(self._undo)
        self._quotas: Fading[tuple[str, int], dict[PlayerId, None]] = Fading(self._undo)

    def _move(self, kind: Movement, player: PlayerId, amount: int, reference: str, opened: int = 0) -> Account:
        """One sum, into a wallet or out of it, with its row. `opened`: how many more transfers are under way."""
        name, balance, under_way, rows = self._wallets[player]
        balance += amount
        self._undo.put(self._wallets, player, Wallet(name, balance, under_way + opened, rows + 1))
        ledger = self._ledgers[player]
        self._undo.put(ledger, rows, Row(kind, amount, balance, reference))
        self._undo.drop(ledger, rows - self.limits.ledger_rows_max)
        for observer in self.observers:
            observer.moved_money(kind, player, amount, reference, self._undo.now_ms)
        return Account(player, name, balance)

    def _ended(self, player: PlayerId) -> None:
        """One transfer less is under way; its player's account may have gone."""
        wallet = self._wallets.get(player)
        if wallet is not None:
            self._undo.put(self._wallets, player, wallet._replace(open=wallet.open - 1))

    # --- accounts ---

    def hour(self) -> int:
        return self.now_ms() // HOUR_MS

    def quota(self, address: str, hour: int, player: PlayerId) -> bool:
        """Whether this player may have an account from this address in this hour."""
        self.now_ms()
        players = self._quotas.get((address, hour))
        if players is None:
            players = {}
        elif player in players:
            return True
        if len(players) >= self.limits.accounts_per_address_hour_max:
            return False
        self._undo.put(players, player, None)
        self._quotas.put((address, hour), players, 2 * HOUR_MS // 1_000)
        return True

    def open_account(self, player: PlayerId, name: str, opening: int) -> Account:
        now = self.now_ms()
        there = self.account(player)
        if there is not None:
            return there
        self._undo.put(self._wallets, player, Wallet(name, 0, 0, 0))
        self._undo.put(self._ledgers, player, {})
        self._count("minted", opening)
        self._undo.put(self._seen, player, now)
        return self._move("opening", player, opening, "")

    def account(self, player: PlayerId) -> Account | None:
        wallet = self._wallets.get(player)
        return None if wallet is None else Account(player, wallet.name, wallet.balance)

    def see(self, player: PlayerId) -> Account | None:
        now = self.now_ms()
        if player in self._wallets:
            self._undo.put(self._seen, player, now)
        return self.account(player)

    def top_up(self, player: PlayerId, command: str, amount: int, below: int) -> Account | Literal["enough", "absent"]:
        now = self.now_ms()
        account = self.account(player)
        if account is None:
            return "absent"
        if self._topped.get((player, command)):
            return account
        if account.balance >= below or account.balance + amount > WHOLE_MAX:
            return "enough"
        self._count("minted", amount)
        self._undo.put(self._seen, player, now)
        self._topped.put((player, command), True, self.limits.remembered_s)
        return self._move("top_up", player, amount, command)

    def expire_account(self, player: PlayerId, before_ms: int) -> bool:
        self.now_ms()
        wallet = self._wallets.get(player)
        if wallet is None:
            return True
        if wallet.open or (before_ms and self._seen.get(player, 0) >= before_ms):
            return False
        self._count("burned", wallet.balance)
        for shelf in (self._wallets, self._ledgers, self._seen):
            self._undo.drop(shelf, player)
        for observer in self.observers:
            observer.moved_money("burned", player, -wallet.balance, "", self._undo.now_ms)
        return True

    def stale_accounts(self, before_ms: int, most: int) -> list[PlayerId]:
        stale = [(seen_ms, player) for player, seen_ms in self._seen.items() if seen_ms < before_ms]
        return [player for _, player in sorted(stale)[:most]]

    def players(self) -> list[PlayerId]:
        return list(self._seen)

    def accounts(self, players: list[PlayerId]) -> list[Account]:
        return [account for account in map(self.account, players) if account is not None]

    def ledger(self, player: PlayerId) -> list[Row]:
        """As far as it is kept, oldest first."""
        return [row for _, row in sorted(self._ledgers.get(player, {}).items())]

    def totals(self) -> Totals:
        return Totals(**self._totals)

    # --- answers to commands without a table ---

    def remembered(self, player: PlayerId, command: str) -> str | None:
        self.now_ms()
        return self._answers.get((player, command))

    def remember(self, player: PlayerId, command: str, answer: str) -> str:
        before = self.remembered(player, command)
        if before is not None:
            return before
        self._answers.put((player, command), answer, self.limits.remembered_s)
        return answer
