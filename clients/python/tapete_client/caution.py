"""The terminal's second question before a very bad decision. (D19; seed 004, rule 11)"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from tapete_client.errors import Refused
from tapete_client.keepsake import Keepsake
from tapete_client.table import Action, Table
from tapete_client.texts import money, words_of
from tapete_client.texts.prompts import prompts_of
from tapete_protocol.frames import Advice

MILLION = 1_000_000


class Caution:
    """Asks the node what a decision is worth before it is sent. A decision that is typed twice is meant."""

    def __init__(self, table: Table, keepsake: Keepsake | None, lang: str, out: Callable[[str], None]) -> None:
        """Without a keepsake nobody is warned: a script means what it says."""
        self._table, self._keepsake, self._lang, self._out = table, keepsake, lang, out
        self._prompts = prompts_of(lang)
        self._asked: tuple[int, str] | None = None

    async def means(self, action: Action) -> bool:
        """Whether to send it; if not, the player has been told why and how to insist."""
        if self._keepsake is None or not self._keepsake.warnings or self._table.my_turn is None:
            return True
        if self._asked == (self._table.version, action):
            return True
        try:
            advice = await self._table.advice()
        except Refused:
            return True
        if action not in advice.very_bad:
            return True
        self._asked = (advice.v, action)
        self._out(self._warning(action, advice))
        return False

    async def tell(self) -> None:
        """All values, for who asks. May raise `Refused`."""
        advice = await self._table.advice(exact=True)
        self._out(self._prompts.advised_exactly if advice.exact else self._prompts.advised)
        for worth in sorted(advice.worth, key=lambda each: -each.millionths):
            self._out(f"  {self._name(worth.action)}: {self._chips(worth.millionths, advice)}")

    def switch(self) -> None:
        """Warnings off, or on again; remembered."""
        if self._keepsake is None:
            return
        wanted = not self._keepsake.warnings
        with suppress(OSError):
            self._keepsake.warnings = wanted
        self._out(self._prompts.warnings_on if wanted else self._prompts.warnings_off)

    def _warning(self, action: str, advice: Advice) -> str:
        values = {worth.action: worth.millionths for worth in advice.worth}
        best = max(values, key=lambda each: values[each])
        return self._prompts.very_bad.format(
            action=self._name(action),
            cost=self._chips(values[best] - values[action], advice),
            best=self._name(best),
        )

    def _name(self, action: str) -> str:
        return words_of(self._lang).actions.get(action, action)

    def _chips(self, millionths: int, advice: Advice) -> str:
        return money(round(millionths * advice.stake / MILLION), self._lang)
