"""The programs that people run, against a real node: the README's example, `tapete play`, `watch` and `bots`."""

from __future__ import annotations

import asyncio
import fcntl
import os
import pty
import struct
import sys
import termios
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from tapete_client import connect
from tapete_protocol.limits import RECENT_RESULTS_MAX
from tests.integration.cluster import audited, house
from tests.integration.play import FAST

ROOT = Path(__file__).parents[2]
PROGRAM_S_MAX = 40


async def run_program(*command: str, typed: str = "", state: Path) -> tuple[int, str]:
    """Exit status and output of a program with its own state directory."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, *command, env={**os.environ, "XDG_STATE_HOME": str(state)},
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    try:
        out, _ = await asyncio.wait_for(process.communicate(typed.encode()), PROGRAM_S_MAX)
    except TimeoutError:
        process.kill()
        await process.wait()
        raise
    assert process.returncode is not None
    return process.returncode, out.decode()


def of_the_readme() -> str:
    """The program in the README of the Python client, which names a table of the house."""
    text = (ROOT / "clients/python/README.md").read_text()
    return text.split("```python\n")[1].split("```")[0].replace('"blackjack"', "__import__('sys').argv[1]")


@pytest.mark.parametrize(
    ("text", "player"), [((ROOT / "clients/python/example_bot.py").read_text(), "Ejemplo"), (of_the_readme(), "Ana")],
    ids=["example bot", "README"],
)  # fmt: skip
async def test_a_program_of_the_documents_plays(text: str, player: str, tmp_path: Path) -> None:
    async with house() as running:
        node = await running.node()
        program = tmp_path / "program.py"
        assert "ws://127.0.0.1:8080/ws" in text
        assert "sys" in text
        program.write_text(text.replace("ws://127.0.0.1:8080/ws", node.url))
        async with connect(node.url, name="Opener") as session:
            table = await session.watch(await session.open_table("Example", {"game": "double_exposure", "times": FAST}))
            process = await asyncio.create_subprocess_exec(sys.executable, str(program), table.id)
            try:
                async with asyncio.timeout(PROGRAM_S_MAX):
                    await table.until(lambda view: view.round >= 5)
            finally:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
            assert any(one.name == player for one in table.view.players)


async def test_a_person_plays_a_round_by_typing(tmp_path: Path) -> None:
    async with house() as running:
        node = await running.node()
        typed = "bet 10\nready\nall\nleave\nquit\n"
        status, said = await run_program(
            "-m", "tapete_server", "play", "blackjack", "--url", node.url, "--name", "Eva", "--lang", "en",
            typed=typed, state=tmp_path,
        )  # fmt: skip
        assert status == 0, said
        for sentence in (
            "Eva takes box 1.",
            "Eva has 10.00 on the main bet in box 1.",
            "Dealer:",
            "Eva leaves the table.",
        ):
            assert sentence in said
        status, told = await audited(running.data)
        assert status == 0, told


async def test_the_spanish_words_work_too(tmp_path: Path) -> None:
    async with house() as running:
        node = await running.node()
        typed = "apostar banca 5\nlisto\nsalir\n"
        status, said = await run_program(
            "-m", "tapete_server", "play", "punto-banco", "--url", node.url, "--name", "Íñigo", "--lang", "es",
            typed=typed, state=tmp_path,
        )  # fmt: skip
        assert status == 0, said
        assert "Íñigo" in said
        assert "5,00" in said


async def test_bots_play_their_rounds_and_a_watcher_is_told(tmp_path: Path) -> None:
    async with house() as running:
        node = await running.node()
        async with connect(node.url, name="Opener") as session:
            table = await session.watch(await session.open_table("Bots", {"game": "punto_banco", "times": FAST}))
            watching = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "tapete_server", "watch", table.id, "--url", node.url, "--lang", "es",
                stdout=asyncio.subprocess.PIPE,
            )  # fmt: skip
            assert watching.stdout is not None
            assert await watching.stdout.readline()
            status, said = await run_program(
                "-m", "tapete_server", "bots", table.id, "--url", node.url, "--count", "2", "--rounds", "3", "--no-pauses",
                state=tmp_path,
            )  # fmt: skip
            assert status == 0, said
            assert said.count("rounds at") == 2
            await table.until(lambda view: not view.players)
            await session.close_table(table.id)
            told = (await asyncio.wait_for(watching.stdout.read(), PROGRAM_S_MAX)).decode()
            assert await watching.wait() == 0
            for word in ("No va más.", "Punto:", "Banca:", "Termina la ronda"):
                assert word in told


async def test_a_watcher_with_a_terminal_sees_the_roads_of_the_whole_shoe(tmp_path: Path) -> None:
    """More coups than a view remembers: the rest comes from the records, then one more is played in sight."""
    bots = ("-m", "tapete_server", "bots", "--count", "1", "--no-pauses")
    async with house() as running:
        node = await running.node()
        async with connect(node.url, name="Opener") as session:
            table = await session.watch(await session.open_table("Roads", {"game": "punto_banco", "times": FAST}))
            played = (*bots, table.id, "--url", node.url, "--rounds")
            assert (await run_program(*played, str(RECENT_RESULTS_MAX + 4), state=tmp_path))[0] == 0
            async with asyncio.timeout(PROGRAM_S_MAX):
                await table.until(lambda view: view.felt.shoe.coup >= RECENT_RESULTS_MAX + 4)
            before = table.view.felt.shoe.coup
            assert before > RECENT_RESULTS_MAX
            async with on_terminal("watch", table.id, "--url", node.url, "--lang", "en") as shown:
                assert f"{before} coups: banca " in await shown("naturals ")
                assert (await run_program(*played, "1", state=tmp_path))[0] == 0
                said = await shown(f"{before + 1} coups: banca ")
                assert "Cockroach Road" in said
                assert "Only the coups from" not in said


@asynccontextmanager
async def on_terminal(*words: str) -> AsyncIterator[Callable[[str], Awaitable[str]]]:
    """A word of `tapete` on a terminal of 100 by 40; what it is given returns all that was shown once it is in sight."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR")}
    command = (sys.executable, "-m", "tapete_server", *words)
    process = await asyncio.create_subprocess_exec(
        *command, stdin=theirs, stdout=theirs, stderr=theirs, env={**environment, "TERM": "xterm"}
    )
    os.close(theirs)
    screen = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(screen), os.fdopen(ours, "rb", 0))

    async def shown(wanted: str) -> str:
        async with asyncio.timeout(PROGRAM_S_MAX):
            return (await screen.readuntil(wanted.encode())).decode(errors="replace")

    try:
        yield shown
    finally:
        process.kill()
        await process.wait()
        transport.close()


async def test_bots_come_back_to_their_tables_after_a_kill() -> None:
    """The node with the bots is killed and started again while its store goes on; a second node has none of its own."""
    async with house() as running:
        first = await running.node("--bots")
        second = await running.node("--bots")
        async with connect(second.url, name="Onlooker") as session:
            table = await session.watch("practica-punto-banco")
            async with asyncio.timeout(PROGRAM_S_MAX):
                await table.until(lambda view: len(view.players) == 2)
                first.kill()  # the second node notices, and has company from then on
                seen = {player.player for player in table.view.players}
                await table.until(lambda view: any(one.player not in seen and not one.away for one in view.players))
