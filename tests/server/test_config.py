"""Settings: flags over environment over file over defaults; what is wrong is named, with where it stands."""

from __future__ import annotations

import argparse
import dataclasses
from pathlib import Path

import pytest

from tapete_server.config import Config, ConfigError, Place, add_flags, as_environment, load


def test_each_source_overrules_the_one_below(tmp_path: Path) -> None:
    file = tmp_path / "tapete.toml"
    file.write_text('port = 1\ntables_max = 1\nnode = "file"\nbots = false\n')
    found = load(
        {"port": "3", "config": str(file)},
        {"TAPETE_PORT": "2", "TAPETE_TABLES_MAX": "2", "UNRELATED": "x"},
    )
    assert (found.port, found.tables_max, found.node, found.bots) == (3, 2, "file", False)
    assert found.shards == Config().shards
    assert load({}, {"TAPETE_CONFIG": str(file)}).node == "file"


@pytest.mark.parametrize("option", dataclasses.fields(Config), ids=lambda option: option.name)
def test_every_setting_is_documented_and_has_a_flag(option: dataclasses.Field[object]) -> None:
    parser = argparse.ArgumentParser()
    add_flags(parser)
    flag = "--" + option.name.replace("_", "-")
    assert len(option.metadata["doc"]) > 10
    assert flag in parser.format_help()
    assert getattr(parser.parse_args([]), option.name) is None


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("port = 70000", "port"),
        ("port = -1", "port"),
        ("port = 80.5", "port"),
        ("port = true", "port"),
        ('bots = "perhaps"', "bots"),
        ('fsync = "never"', "fsync"),
        ("node = 5", "node"),
        ('origins = ["https://a.example"]', "origins"),
        ("prot = 1", "'prot'"),
        ("port = ", "Invalid value"),
    ],
)
def test_what_is_wrong_in_a_file_names_itself_and_the_file(tmp_path: Path, text: str, names: str) -> None:
    file = tmp_path / "tapete.toml"
    file.write_text(text)
    with pytest.raises(ConfigError, match=names) as wrong:
        load({"config": str(file)}, {})
    assert str(file) in str(wrong.value)


def test_what_is_wrong_elsewhere_names_its_place(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="TAPETE_TOP_UP: top_up"):
        load({}, {"TAPETE_TOP_UP": "much"})
    with pytest.raises(ConfigError, match="--log-level: log_level is one of"):
        load({"log_level": "loud"}, {})
    with pytest.raises(ConfigError, match=r"absent\.toml"):
        load({"config": str(tmp_path / "absent.toml")}, {})


def test_where_data_lives(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/somewhere")
    assert Config().data_directory == Path("/somewhere/tapete")
    monkeypatch.delenv("XDG_DATA_HOME")
    assert Config().data_directory == Path.home() / ".local/share/tapete"
    assert Config(data="~/chips").data_directory == Path.home() / "chips"


def test_another_process_gets_the_very_settings() -> None:
    config = Config(port=9_000, bots=False, node="green", worker="5f3a:2", metrics="")
    assert load({}, as_environment(config)) == config


def test_a_worker_has_its_place() -> None:
    assert Config().place is None
    assert Config(worker="5f3a:2").place == Place("5f3a", 2)
    for wrong in ("2", "5f3a:0", "5f.3a:1", "5F3A:1", "5f3a:1:1"):
        with pytest.raises(ConfigError, match="CREW:NUMBER"):
            assert Config(worker=wrong).place


def test_a_list_has_commas() -> None:
    assert Config(proxies="10.0.0.1, 10.0.0.2,").each("proxies") == ["10.0.0.1", "10.0.0.2"]
    assert Config().each("origins") == []
