"""Who comes in: guests get an account and a token, and whoever has a token gets in with it anywhere."""

from __future__ import annotations

from tapete_protocol.base import PlayerId
from tapete_protocol.commands import Hello
from tapete_protocol.names import player_name
from tapete_server.core.commands import Refusal
from tapete_server.ports import Account, Entropy, MoneyStore
from tapete_server.shell import tokens
from tapete_server.shell.house import House


class Reception:
    def __init__(self, store: MoneyStore, entropy: Entropy, key: bytes, house: House) -> None:
        self._store, self._entropy, self._key, self._house = store, entropy, key, house

    def token(self, player: PlayerId) -> str:
        return tokens.sign(self._key, player)

    async def sign_in(self, hello: Hello, address: str) -> Account | Refusal:
        if hello.token is None:
            return await self._new_guest(hello.name, address)
        player = tokens.verify(self._key, hello.token)
        account = await self._store.see(player) if player else None
        return account or Refusal("bad_token")

    async def _new_guest(self, wanted: str | None, address: str) -> Account | Refusal:
        player = PlayerId("g" + self._entropy.token_bytes(8).hex())
        name = f"Guest {player[-4:]}" if wanted is None else player_name(wanted)
        if name is None:
            return Refusal("bad_name", {"name": wanted})
        opened = await self._store.open_account(player, name, self._house.opening_balance, address)
        return Refusal("too_many_accounts") if opened == "too_many" else opened
