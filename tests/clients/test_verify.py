"""`verify`: one file, copied anywhere, that reads what a node gives and says what is proven, in two languages."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import msgpack
import pytest

from tapete_client import verify
from tapete_protocol.vectors import FOLDER

VECTORS: dict[str, Any] = json.loads((FOLDER / "records.json").read_text(encoding="utf-8"))
GOOD = {one["why"]: one["records"] for one in VECTORS["good"]}
SERIES = GOOD["punto banco, three coups from the shoe's first one"]
MISSING = GOOD["double exposure, one missing"][0]


def run(
    *words: str, stdin: bytes = b"", script: str = verify.__file__, **variables: str
) -> subprocess.CompletedProcess[bytes]:
    """As a stranger runs it: an empty environment, isolated from every installed package."""
    command = [sys.executable, "-I", "-S", script, *words]
    return subprocess.run(command, input=stdin, capture_output=True, timeout=60, env=variables, check=False)


def test_the_file_runs_alone(tmp_path: Path) -> None:
    shutil.copy(verify.__file__, tmp_path / "verify.py")
    told = run("-", stdin=json.dumps(SERIES).encode(), script=str(tmp_path / "verify.py"))
    assert told.stderr == b""
    assert told.returncode == 0
    lines = told.stdout.decode().splitlines()
    assert sum("proven" in line for line in lines) >= 3
    assert "What this does not prove:" in lines


@pytest.mark.parametrize("lang", ["en", "es"])
def test_it_says_what_failed_and_where(lang: str) -> None:
    bad = VECTORS["bad"][0]
    told = run("-", "--lang", lang, stdin=json.dumps(bad["record"]).encode())
    assert told.returncode == 1
    assert bad["field"] in told.stdout.decode()


def test_json_for_programs() -> None:
    told = run("-", "--json", stdin=json.dumps(MISSING).encode())
    (proof,) = [json.loads(line) for line in told.stdout.splitlines()]
    assert proof["proven"] is True
    assert len(proof["missing"]) == 1


def test_whoever_gave_bytes_finds_them() -> None:
    entropy = next(
        event["entropy"]
        for batch in MISSING["batches"]
        for event in msgpack.unpackb(bytes.fromhex(batch))["events"]
        if event["t"] == "EntropyRevealed"
    )
    source = json.dumps(MISSING).encode()
    assert b"Your bytes are in these cards." in run("-", "--mine", entropy.hex(), stdin=source).stdout
    assert b"not in these cards" in run("-", "--mine", "00" * 32, stdin=source).stdout


def test_records_as_the_store_has_them(tmp_path: Path) -> None:
    (record,) = verify.records_of(json.dumps(MISSING).encode())
    packed = tmp_path / "round"
    packed.write_bytes(msgpack.packb(record))
    assert run(str(packed)).returncode == 0


def test_several_files_are_taken_in_the_order_of_rounds(tmp_path: Path) -> None:
    files = []
    for record in reversed(SERIES):
        files.append(tmp_path / f"{record['round']}.json")
        files[-1].write_text(json.dumps({"round": record["round"], "record": record}))
    told = run(*map(str, files))
    assert told.returncode == 0
    assert [line.split()[1] for line in told.stdout.decode().splitlines()[:3]] == [str(one["round"]) for one in SERIES]


@pytest.mark.parametrize("given", [b"", b"{", b"[]", b"{}", b"\xc1", b'{"batches": 5}', b"[1]", b"\x81\xa7batches\x05"])
def test_what_is_no_record_is_told_without_a_stumble(given: bytes) -> None:
    told = run("-", stdin=given)
    assert told.returncode in (1, 2)
    assert b"Traceback" not in told.stderr


def test_a_file_that_is_not_there() -> None:
    told = run("nowhere.json")
    assert told.returncode == 2
    assert b"nowhere.json" in told.stderr


class OneRecord(BaseHTTPRequestHandler):
    """A node that keeps the first coup of the series."""

    def do_GET(self) -> None:
        kept = self.path == "/api/rounds/mesa/1"
        self.send_response(200 if kept else 404)
        self.end_headers()
        self.wfile.write(json.dumps(SERIES[0]).encode() if kept else b"There is no record of that round.")

    def log_message(self, *_: object) -> None:
        """Nobody looks on."""


@pytest.fixture
def node() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), OneRecord) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("path", ["/api/rounds/mesa/1", "/t/mesa/1", "/t/mesa/1/check"])
def test_a_round_by_its_address_or_by_the_link_of_the_page(node: str, path: str) -> None:
    told = run(node + path, http_proxy="http://127.0.0.1:9", HTTP_PROXY="http://127.0.0.1:9")
    assert told.stderr == b""
    assert told.stdout.startswith(b"round 1 of mesa: proven.")


@pytest.mark.parametrize(("lang", "words"), [("en", "the node has no record"), ("es", "el nodo no tiene registro")])
def test_a_round_that_the_node_does_not_have(node: str, lang: str, words: str) -> None:
    told = run(f"{node}/t/mesa/9", "--lang", lang)
    assert told.returncode == 2
    assert f"{node}/t/mesa/9: {words}" in told.stderr.decode()


class TestReader:
    """The verifier's own MessagePack, beside the library's."""

    @pytest.mark.parametrize(
        "value",
        [
            None, True, False, 0, 127, 128, 255, 256, 65_535, 65_536, 2**32, 2**53, -1, -32, -33, -128, -129, -32_769,
            -(2**31) - 1,
            "", "ñ", "x" * 31, "x" * 32, "x" * 300, "x" * 70_000, b"", b"x" * 300, b"x" * 70_000, [], [1] * 15, [1] * 16, {},
            {"a": {"b": [b"c", None]}}, {str(number): number for number in range(20)},
        ],
    )  # fmt: skip
    def test_reads_what_the_library_writes(self, value: Any) -> None:
        assert verify.unpack(msgpack.packb(value)) == value

    @pytest.mark.parametrize(
        "packed",
        [b"", b"\xc1", b"\xca\x00\x00\x00\x00", b"\xd4\x01\x00", b"\x81\x01\x02", b"\x82\xa1a\x01\xa1a\x02", b"\xa1\xff",
         b"\x01\x01", b"\x92\x01", b"\xdd\xff\xff\xff\xff", b"\xc6\xff\xff\xff\xff", b"\x91" * 100],
    )  # fmt: skip
    def test_refuses_what_the_wire_does_not_have(self, packed: bytes) -> None:
        with pytest.raises(verify.Unreadable):
            verify.unpack(packed)
