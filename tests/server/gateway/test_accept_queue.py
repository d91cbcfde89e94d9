"""Everybody at once: connections wait in the kernel while the node is busy, and none is thrown away."""

from __future__ import annotations

import socket
from contextlib import ExitStack

from tests.server.gateway.door import running

AT_ONCE = 400
CONNECT_S_MAX = 2.0


async def test_hundreds_may_come_while_the_loop_is_busy() -> None:
    async with running() as door:
        with ExitStack() as stack:
            for _ in range(AT_ONCE):  # no `await` in here: the node accepts nobody meanwhile
                stack.enter_context(socket.create_connection(("127.0.0.1", door.gateway.port), timeout=CONNECT_S_MAX))
