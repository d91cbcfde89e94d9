"""The planted bugs, a table: what each breaks, and the few lines that it takes. All of it is production code."""

from __future__ import annotations

from dataclasses import dataclass

CORE = "server/tapete_server/core"
SHELL = "server/tapete_server/shell"
CLIENT = "clients/python/tapete_client"

PAY_OUT = """\
        account = await self._store.pay_out(out.transfer, out.player, live.id, out.amount)
        if account is None:
"""
ONCE_MORE = """\
        name = out.transfer if f".{live.state.version}." in out.transfer else f"{out.transfer}+"
"""
"""Another name for what is paid later than at once."""


@dataclass(frozen=True, slots=True)
class Edit:
    """In `file`, `old` (which is there exactly once) becomes `new`."""

    file: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Bug:
    """`breaks`: the promise, in a few words."""

    name: str
    breaks: str
    edits: tuple[Edit, ...]


def bug(name: str, breaks: str, *edits: tuple[str, str, str]) -> Bug:
    return Bug(name, breaks, tuple(Edit(*edit) for edit in edits))


BUGS: tuple[Bug, ...] = (
    # --- commits ---
    bug(
        "commit-on-any-head",
        "a commit stands on the state that it was decided on",
        (
            f"{SHELL}/committer.py",
            "        commit = await self._compose(live, state, plan)\n",
            """\
        commit = await self._compose(live, state, plan)
        known = (await self._store.heads([live.id])).get(live.id)
        if known is not None:
            commit = __import__("dataclasses").replace(commit, version=known[0], head=known[1])
""",
        ),
    ),
    bug(
        "lost-race-is-won",
        "an Ack is for what happened",
        (
            f"{SHELL}/committer.py",
            '                await live.refresh()\n                return Again("conflict")\n',
            "                await live.refresh()\n                return Accepted(plan.after.version)\n",
        ),
    ),
    bug(
        "told-before-committed",
        "nothing is told that was not committed",
        (
            f"{SHELL}/committer.py",
            "        match await self._store.commit(commit):\n",
            "        live.receive(plan.payload)\n        match await self._store.commit(commit):\n",
        ),
    ),
    bug(
        "ack-before-batch",
        "an Ack follows its batch",
        (f"{SHELL}/committer.py", "                live.receive(plan.payload)\n", ""),
        (
            f"{SHELL}/committer.py",
            "                if not live.has(plan.after.version, plan.after.head):\n                    await live.refresh()\n",
            "",
        ),
    ),
    bug(
        "refused-on-an-old-state",
        "a refusal is final on the newest state",
        (
            f"{SHELL}/committer.py",
            "        await live.refresh()\n        if not live.stands_at(state):\n",
            "        if False:\n",
        ),
    ),
    # --- sequence ---
    bug(
        "repeat-is-stale",
        "the last command repeated has its first answer",
        (f"{CORE}/decide.py", "if command.seq == player.seq and sender.digest == player.seq_digest:", "if False:"),
    ),
    bug(
        "no-sequence",
        "a command counts once",
        (f"{CORE}/decide.py", "if command.seq == player.seq and sender.digest == player.seq_digest:", "if False:"),
        (f"{CORE}/decide.py", "if command.stint != player.stint or command.seq <= player.seq:", "if False:"),
    ),
    bug(
        "any-stint",
        "a command belongs to one stay at the table",
        (
            f"{CORE}/decide.py",
            "if command.stint != player.stint or command.seq <= player.seq:",
            "if command.seq <= player.seq:",
        ),
    ),
    # --- clocks ---
    bug(
        "early-clock",
        "no clock runs out before its time",
        (f"{CORE}/clocks.py", "    if draft.now < at:\n        return Wait(at)\n    draft.not_before = at\n", ""),
    ),
    bug(
        "bets-after-the-close",
        "no bet is taken after the close",
        (
            f"{CORE}/betting.py",
            'if table.phase != "betting" or (closes and draft.now >= closes):',
            'if table.phase != "betting":',
        ),
        (f"{CORE}/betting.py", "    draft.not_after = closes\n", ""),
    ),
    bug(
        "acts-after-the-turn",
        "no decision is taken after its time",
        (f"{CORE}/decide.py", "    if until and draft.now >= until:\n", "    if not until:\n"),
        (f"{CORE}/decide.py", "    draft.not_after = until\n", ""),
    ),
    bug(
        "no-extension",
        "an outage is never the player's loss",
        (f"{CORE}/clocks.py", "LATE_MS = 2_000\n", "LATE_MS = 2_000_000_000\n"),
    ),
    bug(
        "no-net-under-the-clocks",
        "a clock fires when all who sat at the table's nodes are gone",
        (f"{SHELL}/timers.py", "            self._start(table)\n\n    def stop", "            pass\n\n    def stop"),
    ),
    # --- following ---
    bug(
        "gaps-stay",
        "a node that missed a batch looks for it",
        (
            f"{SHELL}/live_table.py",
            "        if self._filling is None or self._filling.done():\n",
            "        if False:\n",
        ),
    ),
    bug(
        "catch-up-by-number",
        "what is sent joins what the client has",
        (
            f"{SHELL}/live_table.py",
            "        if self.has(since.version, since.head):\n",
            "        if self.window.oldest <= since.version <= state.version:\n",
        ),
    ),
    bug(
        "rewind-is-old-news",
        "a store that went back takes its nodes along",
        (
            f"{SHELL}/live_table.py",
            "return version >= asked_at and self.has(version, head)",
            "return self.has(version, head)",
        ),
    ),
    bug(
        "rewound-not-said",
        "a version falls only when the store went back, and that is said",
        (
            f"{SHELL}/live_table.py",
            "snapshot(state, self._clock.now_ms(), rewound=rewound))\n        self._on_change",
            "snapshot(state, self._clock.now_ms()))\n        self._on_change",
        ),
    ),
    bug(
        "nobody-doubts",
        "a round whose secret is out is not dealt once more, though nobody lives who knows",
        (
            f"{SHELL}/live_table.py",
            "        if stored.doubted or (",
            "        if (",
        ),
    ),
    # --- money ---
    bug(
        "noted-before-paid",
        "a cash-out is noted when the wallet has it",
        (
            f"{SHELL}/transfers.py",
            PAY_OUT,
            f"        await self._committer.run(live, ConfirmOut(out.transfer))\n{PAY_OUT}",
        ),
    ),
    bug(
        "paid-twice",
        "a cash-out is paid once, also when the reply was lost",
        (
            f"{SHELL}/transfers.py",
            PAY_OUT,
            ONCE_MORE + PAY_OUT.replace("(out.transfer,", "(name,"),
        ),
    ),
    bug(
        "credit-without-a-mark",
        "a buy-in is credited once, whoever drives it on",
        (
            f"{SHELL}/committer.py",
            "plan.command.transfer if isinstance(plan.command, CreditBuyIn) else None",
            "None",
        ),
    ),
    bug(
        "refund-without-asking",
        "a buy-in is credited or refunded, never both",
        (
            f"{SHELL}/transfers.py",
            '            if decided == "credited":\n                outcome = Accepted(0)\n',
            '            assert decided != "nothing"\n',
        ),
    ),
    bug(
        "sittings-break",
        "what rests on an earlier step is not done when the store may have forgotten that",
        (
            "server/tapete_server/adapters/redis_store/sitting.py",
            "if only_on in {ANY, self.connection}:",
            "if only_on >= ANY:",
        ),
    ),
    bug(
        "the-house-keeps-it",
        "a void round gives all stakes back",
        (
            f"{CORE}/evolve.py",
            "        table = _stack(table, stake.owner, stake.amount)\n    play",
            "        table = replace(table, bank=table.bank + stake.amount)\n    play",
        ),
        (
            f"{CORE}/evolve.py",
            "        table = _stack(table, holder, bet.amount)\n",
            "        table = replace(table, bank=table.bank + bet.amount)\n",
        ),
    ),
    # --- presence ---
    bug(
        "away-whatever-the-connection",
        "who is here is not marked away for an older connection",
        (
            f"{CORE}/seating.py",
            "if player is None or player.away or player.via != command.via:",
            "if player is None or player.away:",
        ),
        (
            f"{SHELL}/presence.py",
            "            if live is not None and found is not None and found.via == via:\n",
            "            if live is not None and found is not None:\n",
        ),
    ),
    bug(
        "the-dead-stay",
        "players of a dead node are marked away",
        (
            f"{SHELL}/presence.py",
            "        for incarnation, tables in await self._store.lapsed():\n",
            "        for incarnation, tables in ():\n",
        ),
        (
            f"{SHELL}/presence.py",
            "                if incarnation != self.incarnation and last <= recent:\n",
            "                if not beats:\n",
        ),
    ),
    bug(
        "nobody-looks-for-strangers",
        "no seat is held by a node that the store forgot",
        (
            f"{SHELL}/presence.py",
            "                if incarnation != self.incarnation and last <= recent:\n",
            "                if not beats:\n",
        ),
    ),
    bug(
        "ended-connections-stay",
        "no seat is held by a connection that has ended",
        (
            f"{SHELL}/presence.py",
            "                if self._has_ended(live.id, player):\n",
            "                if not beats:\n",
        ),
    ),
    # --- rights and secrets ---
    bug(
        "any-token",
        "nobody signs in as another",
        (
            f"{SHELL}/tokens.py",
            "    if not hmac.compare_digest(mac.encode(), _mac(key, player).encode()):\n",
            "    if not player:\n",
        ),
    ),
    bug(
        "anybodys-box",
        "nobody bets on another's box",
        (
            f"{CORE}/betting.py",
            "        if bet.box not in mine:\n",
            "        if draft.table.boxes[bet.box - 1] is None:\n",
        ),
    ),
    bug(
        "anybodys-turn",
        "nobody decides for another's hand",
        (f"{CORE}/decide.py", "    if turn.owner != sender.player:\n", "    if not turn.owner:\n"),
    ),
    bug(
        "secret-for-commitment",
        "nobody knows the cards before they are dealt",
        (
            f"{CORE}/rounds.py",
            "draft.emit(e.RoundOpened(number, nonce, commitment_to(secret)))",
            "draft.emit(e.RoundOpened(number, nonce, secret))",
        ),
    ),
    # --- the client ---
    bug(
        "one-id-for-all",
        "an id names one buy-in",
        (f"{CLIENT}/session.py", 'return f"{self._rng.getrandbits(120):030x}"', 'return f"{1:030x}"'),
    ),
    bug(
        "resent-anew",
        "a command sent again is the same command",
        (f"{CLIENT}/table.py", "stint=stint, seq=seq))", "stint=stint, seq=seq + id_ % 2))"),
    ),
    bug(
        "since-is-a-guess",
        "a client comes back with what it has",
        (
            f"{CLIENT}/mirror.py",
            "Since(version=self.version, head=self.head)",
            "Since(version=max(1, self.version - 1), head=self.head)",
        ),
    ),
)
