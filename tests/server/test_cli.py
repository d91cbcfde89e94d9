"""The command line, as processes: what it prints, where, and with which exit status."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

WORDS = ("serve", "audit", "settings", "play", "watch", "bots", "rules", "replay", "roads", "verify")
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("TAPETE_")}


@pytest.fixture
def data() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="tapete-") as directory:
        yield Path(directory)


def tapete(*words: str, said: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tapete_server", *words]
    return subprocess.run(command, input=said, capture_output=True, text=True, timeout=60, env=ENVIRONMENT, check=False)


@pytest.mark.parametrize("word", WORDS)
def test_every_word_explains_itself(word: str) -> None:
    told = tapete(word, "--help")
    assert told.returncode == 0
    assert len(told.stdout) > 150
    assert not told.stderr


def test_no_word_and_a_wrong_one() -> None:
    for words in ((), ("dance",)):
        told = tapete(*words)
        assert told.returncode == 2
        assert "usage: tapete" in told.stderr


def test_rules() -> None:
    for game in ("punto_banco", "double_exposure"):
        for language in ("es", "en"):
            told = tapete("rules", game, "--lang", language)
            assert told.returncode == 0
            assert len(told.stdout) > 500
    wrong = tapete("rules", "punto_banco", "--decks", "99")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "decks" in wrong.stderr


def test_replay_serves_good_lines_and_says_what_is_wrong_with_others() -> None:
    good = '{"game": "punto_banco", "bets": {"banca": 1000}, "cards": ["3S", "7H", "2D", "TC", "6C"]}'
    told = tapete("replay", said=f'{good}\nnot json\n[]\n{{"game": "chess"}}\n{good}\n')
    answers = [json.loads(line) for line in told.stdout.splitlines()]
    assert ["error" in answer for answer in answers] == [False, True, True, True, False]
    assert answers[0] == answers[-1]


def test_audit_where_there_is_no_house_is_no_all_clear(data: Path) -> None:
    told = tapete("audit", "--data", str(data / "elsewhere"))
    assert (told.returncode, told.stdout) == (2, "")
    assert told.stderr.startswith("tapete: there is no house in ")
    assert not (data / "elsewhere").exists()


def test_bots_come_in_some_number() -> None:
    for count in ("0", "-3", "two"):
        told = tapete("bots", "--count", count)
        assert told.returncode == 2
        assert "--count" in told.stderr


@pytest.mark.parametrize("word", ["audit", "serve"])
def test_a_store_that_is_not_there(word: str, data: Path) -> None:
    for url in ("unix:///nowhere/at/all", "gopher://x"):
        told = tapete(word, "--store", url, "--data", str(data))
        assert (told.returncode, told.stdout) == (2, "")
        assert "Traceback" not in told.stderr
        assert told.stderr.splitlines()[-1].startswith("tapete: the store at")


@pytest.mark.parametrize("url", ["redis://ana:s3cret@127.0.0.1:1/0", "redis://127.0.0.1:1?password=s3cret"])
def test_a_password_of_the_store_is_never_shown(url: str, data: Path) -> None:
    told = tapete("serve", "--store", url, "--data", str(data))
    assert told.returncode == 2
    assert "the store at redis://127.0.0.1:1" in told.stderr
    assert "s3cret" not in told.stdout + told.stderr


def test_serve_with_a_wrong_setting_names_it(data: Path) -> None:
    told = tapete("serve", "--data", str(data), "--port", "http")
    assert (told.returncode, told.stdout) == (2, "")
    assert told.stderr == "tapete: --port: port is a whole number, not 'http'\n"


def test_serve_on_a_port_that_is_taken_leaves_no_store_behind(data: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        told = tapete("serve", "--no-bots", "--data", str(data), "--port", str(port))
    assert (told.returncode, told.stdout) == (2, "")
    assert told.stderr.splitlines()[-1].startswith(f"tapete: cannot listen on 127.0.0.1:{port}: ")
    assert "Traceback" not in told.stderr
    assert not (data / "valkey.pid").exists()


def test_a_house_opens_is_changed_is_audited_and_closes(data: Path) -> None:
    flags = ["--no-bots", "--data", str(data), "--port", "0"]
    command = [sys.executable, "-m", "tapete_server", "serve", *flags]
    document = data / "settings.json"
    document.write_text('{"game": "punto_banco", "decks": 6}')
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT
    ) as serving:
        assert serving.stdout is not None
        assert serving.stderr is not None
        try:
            assert "tapete is open on http://127.0.0.1:" in serving.stdout.readline()
            assert "__main__" not in serving.stdout.readline(), "what it says to play is a command"
            changed = tapete("settings", "punto-banco", str(document), "--data", str(data))
            assert (changed.returncode, changed.stdout) == (0, "queued for the next round of punto-banco\n")
            refused = tapete("settings", "nowhere", str(document), "--data", str(data))
            assert refused.returncode == 1
            assert "no such table" in refused.stderr
            document.write_text('{"game": "punto_banco", "decks": 99}')
            assert tapete("settings", "punto-banco", str(document), "--data", str(data)).returncode == 1
            assert tapete("audit", "--data", str(data)).returncode == 0
        finally:
            serving.send_signal(signal.SIGTERM)
        errors = serving.stderr.read()
        assert serving.wait(30) == 0, errors
    assert "fsync_ms=" in errors
    assert "Traceback" not in errors
    assert not (data / "valkey.pid").exists()


def test_settings_need_the_key_of_the_house(data: Path) -> None:
    document = data / "settings.json"
    document.write_text("{}")
    told = tapete("settings", "punto-banco", str(document), "--data", str(data))
    assert told.returncode == 2
    assert "cluster key" in told.stderr
    assert not (data / "cluster.key").exists()


class TestRoads:
    def test_as_text_and_as_json(self) -> None:
        told = tapete("roads", "BBPPPBPBB", "--lang", "en")
        assert (told.returncode, told.stderr) == (0, "")
        assert told.stdout.startswith("Bead Plate   Big Road    Big Eye Boy")
        marks = json.loads(tapete("roads", "BBPPPBPBB", "--json").stdout)
        assert marks == {
            "big_road": [["B", "B"], ["P", "P", "P"], ["B"], ["P"], ["B", "B"]],
            "big_eye_boy": "RBBBRB",
            "small_road": "BBB",
            "cockroach_road": "BR",
            "ask": {"banca": ["R", "R", "R"], "punto": ["B", "B", "B"]},
        }

    def test_from_a_pipe_a_shoe_a_line(self) -> None:
        long = "B" * 150_000
        told = tapete("roads", "--json", "--lang", "en", said=f"TBnTP\n\nBXP\n{long}\nBPP")
        assert told.returncode == 2
        marks = [json.loads(line) for line in told.stdout.splitlines()]
        assert [one["big_road"] for one in marks] == [[["BnTT"], ["P"]], [], [["B"], ["P", "P"]]]
        assert marks[-1]["ask"] == {"banca": ["B", None, None], "punto": ["R", None, None]}
        assert [line[: len("tapete: line 3: “X”")] for line in told.stderr.splitlines()] == [
            "tapete: line 3: “X”",
            "tapete: line 4: The",
        ]

    @pytest.mark.parametrize("lang", ["es", "en"])
    def test_what_is_no_coup_is_told(self, lang: str) -> None:
        for coups, said in (("BXP", "X"), ("nB", "n"), ("Bnn", "n"), ("B" * 10_001, "10000")):
            told = tapete("roads", coups, "--lang", lang)
            assert (told.returncode, told.stdout) == (2, "")
            assert told.stderr.startswith("tapete: ")
            assert said in told.stderr
            assert "Traceback" not in told.stderr
