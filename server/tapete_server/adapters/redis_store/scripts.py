"""The Lua scripts, one file each, as values: what a script takes and answers stands at the head of its file."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib.resources import files

SHEBANG = "#!lua\n"
"""Redis 7's declaration: a store that would refuse a write (memory full, read-only) refuses the whole script."""


@dataclass(frozen=True, slots=True)
class Script:
    name: str
    body: bytes
    sha: str


def load(name: str) -> Script:
    folder = files(__package__) / "lua"
    prelude, own = ((folder / f"{part}.lua").read_text(encoding="utf-8") for part in ("prelude", name))
    body = (SHEBANG + prelude + own).encode()
    return Script(name, body, hashlib.sha1(body, usedforsecurity=False).hexdigest())


COMMIT = load("commit")
CREATE = load("create")
REMOVE = load("remove")
HEADS = load("heads")

QUOTA = load("quota")
OPEN_ACCOUNT = load("open_account")
SEE_ACCOUNT = load("see_account")
TOP_UP = load("top_up")
START_TRANSFER = load("start_transfer")
FINISH_TRANSFER = load("finish_transfer")
FORGET_TRANSFER = load("forget_transfer")
PAY_OUT = load("pay_out")
SETTLE_PAY_OUT = load("settle_pay_out")
EXPIRE_ACCOUNT = load("expire_account")

BEAT = load("beat")
RETIRE = load("retire")
ALIVE = load("alive")
LAPSED = load("lapsed")
SERVE_TABLE = load("serve_table")
CROWD = load("crowd")
ERA = load("era")

ALL = tuple(value for value in list(globals().values()) if isinstance(value, Script))
