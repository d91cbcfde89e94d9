"""Every setting of a node, documented once: one name serves as flag, environment variable and key of a TOML file.

`--tables-max` is `TAPETE_TABLES_MAX` is `tables_max = ..`; flags win over the environment, that over the file.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import re
import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

ENVIRONMENT_PREFIX = "TAPETE_"
PORT_MAX = 65_535
WORKERS_MAX = 64
METRICS_DEFAULT = "127.0.0.1:9464"


class ConfigError(ValueError):
    """A setting that cannot be, and where it was given."""


def setting(
    doc: str, default: Any = "", *, low: int | None = None, high: int | None = None, choices: Sequence[str] = ()
) -> Any:
    return field(default=default, metadata={"doc": doc, "low": low, "high": high, "choices": tuple(choices)})


def data_home() -> Path:
    """Where a user's data lives: XDG_DATA_HOME, or ~/.local/share."""
    home = os.environ.get("XDG_DATA_HOME")
    return (Path(home) if home else Path.home() / ".local" / "share") / "tapete"


@dataclass(frozen=True, slots=True)
class Place:
    """`crew` is common to all workers of one port; they are numbered from 1."""

    crew: str
    number: int


@dataclass(frozen=True, slots=True)
class Config:
    host: str = setting("address to listen on; 0.0.0.0 lets others in the local network play", "127.0.0.1")
    port: int = setting("port for the page and the WebSocket; 0 takes a free one", 8080, low=0, high=PORT_MAX)
    workers: int = setting(
        "processes that share the port, one for each core that the house may use (Linux)", 1, low=1, high=WORKERS_MAX
    )
    worker: str = setting("CREW:NUMBER, which `--workers` gives to each of them; nothing that you need to set")
    store: str = setting("redis://, rediss:// or unix:// address of your own Redis or Valkey; empty: the embedded one")
    data: str = setting("directory of the embedded store and the cluster key; empty: the user's data directory")
    fsync: Literal["everysec", "always"] = setting(
        "how the embedded store writes: a power cut loses a second, or nothing",
        "everysec",
        choices=("everysec", "always"),
    )
    key_file: str = setting("file with the cluster key (64 hex digits); empty: made in the data directory")
    node: str = setting("name of this node in logs and health; empty: the host's name and the process's number")
    origins: str = setting("web origins that may connect besides our own, comma-separated")
    proxies: str = setting("addresses of your reverse proxies, comma-separated: their X-Forwarded-For is believed")
    bots: bool = setting("open practice tables on which bots play", default=True)
    tables: bool = setting("open one table of each game when the store has none", default=True)
    opening_balance: int = setting("play money of a new guest, in minor units", 100_000, low=0, high=10**12)
    top_up: int = setting("play money that a player with too little to bet may ask for", 100_000, low=1, high=10**12)
    top_up_below: int = setting("who has less than this, chips at tables included, may top up", 100, low=1, high=10**12)
    guest_days: int = setting(
        "days until a guest without chips at a table, who was not seen, expires", 30, low=1, high=3650
    )
    tables_per_player_max: int = setting("tables that one player may have opened", 20, low=0, high=1_000_000)
    tables_max: int = setting("tables that may be open in the store", 1_000, low=1, high=1_000_000)
    refuse_player_edge: bool = setting("refuse to open tables on which a bet favours the player", default=False)
    odds_per_hour_max: int = setting(
        "times an hour that this node works out the odds of a table's rules, behind everything else (needs numpy); 0: never",
        30,
        low=0,
        high=100_000,
    )
    odds_s_max: int = setting("seconds that working out odds may take", 600, low=10, high=86_400)
    shards: int = setting("shards of the store's keys; fixed when a store is first used", 64, low=1, high=1024)
    connections_max: int = setting("connections that this node takes", 20_000, low=1, high=1_000_000)
    commands_per_s: int = setting(
        "commands that one connection may send in a second, on average", 15, low=1, high=100_000
    )
    accounts_per_address_hour_max: int = setting("new guests from one address in an hour", 1_000, low=1, high=1_000_000)
    metrics: str = setting(
        "address of /metrics for Prometheus, HOST:PORT; where the default port is taken, the next free one; empty: none",
        METRICS_DEFAULT,
    )
    log_level: str = setting("least severe messages to log", "info", choices=("debug", "info", "warning", "error"))
    log_format: Literal["text", "json"] = setting(
        "how a log line looks: for people, or one JSON object a line", "text", choices=("text", "json")
    )

    def each(self, name: str) -> list[str]:
        """The entries of a setting that is a list with commas."""
        return [entry.strip() for entry in getattr(self, name).split(",") if entry.strip()]

    @property
    def data_directory(self) -> Path:
        return Path(self.data).expanduser() if self.data else data_home()

    @property
    def place(self) -> Place | None:
        """Among the workers of one port; None for a node by itself. Raises `ConfigError`."""
        if not self.worker:
            return None
        found = re.fullmatch(r"([0-9a-f]{4,16}):([1-9][0-9]?)", self.worker)
        if found is None:
            raise ConfigError(f"worker: {self.worker!r} is no CREW:NUMBER, like 5f3a:1")
        return Place(found[1], int(found[2]))

    @property
    def metrics_address(self) -> tuple[str, int] | None:
        """Host and port of /metrics. Raises `ConfigError`."""
        if not self.metrics:
            return None
        host, _, port = self.metrics.rpartition(":")
        if not host or not port.isascii() or not port.isdigit() or int(port) > PORT_MAX:
            raise ConfigError(f"metrics: {self.metrics!r} is no HOST:PORT, like {METRICS_DEFAULT}")
        return host.removeprefix("[").removesuffix("]"), int(port)


def read(value: object, option: dataclasses.Field[Any], where: str) -> Any:
    """A value of the option's own kind, or `ConfigError`."""
    match option.default:
        case bool():
            return _flag(value, option, where)
        case int():
            return _number(value, option, where)
        case _:
            return _text(value, option, where)


def _flag(value: object, option: dataclasses.Field[Any], where: str) -> bool:
    flags = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
    found = flags.get(str(value).lower())
    if found is None:
        raise ConfigError(f"{where}: {option.name} is true or false, not {value!r}")
    return found


def _number(value: object, option: dataclasses.Field[Any], where: str) -> int:
    low, high = option.metadata["low"], option.metadata["high"]
    try:
        number = int(str(value))
    except ValueError:
        raise ConfigError(f"{where}: {option.name} is a whole number, not {value!r}") from None
    if (low is not None and number < low) or (high is not None and number > high):
        raise ConfigError(f"{where}: {option.name} is from {low} to {high}, not {number}")
    return number


def _text(value: object, option: dataclasses.Field[Any], where: str) -> str:
    choices = option.metadata["choices"]
    if not isinstance(value, str):
        raise ConfigError(f"{where}: {option.name} is text, not {value!r}")
    if choices and value not in choices:
        raise ConfigError(f"{where}: {option.name} is one of {', '.join(choices)}, not {value!r}")
    return value


def as_environment(config: Config) -> dict[str, str]:
    """What gives another process these very settings."""
    values = {option.name: getattr(config, option.name) for option in dataclasses.fields(Config)}
    return {
        ENVIRONMENT_PREFIX + name.upper(): str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in values.items()
    }


def add_flags(parser: argparse.ArgumentParser, names: Collection[str] = ()) -> None:
    """One flag for each setting (or only for those named), with its documentation and default."""
    parser.add_argument("--config", metavar="FILE", help="TOML file with any of these settings")
    for option in dataclasses.fields(Config):
        if names and option.name not in names:
            continue
        flag, doc = "--" + option.name.replace("_", "-"), option.metadata["doc"]
        if isinstance(option.default, bool):
            parser.add_argument(flag, action=argparse.BooleanOptionalAction, default=None, help=doc)
        else:
            shown = f" (default: {option.default})" if option.default != "" else ""
            parser.add_argument(flag, default=None, metavar=type(option.default).__name__.upper(), help=doc + shown)


def load(flags: Mapping[str, Any], environment: Mapping[str, str]) -> Config:
    """Flags over environment over file over defaults. Raises `ConfigError`."""
    options = {option.name: option for option in dataclasses.fields(Config)}
    path = flags.get("config") or environment.get(ENVIRONMENT_PREFIX + "CONFIG")
    values = _of_file(path, options) if path else {}
    for name, option in options.items():
        variable = ENVIRONMENT_PREFIX + name.upper()
        if variable in environment:
            values[name] = read(environment[variable], option, variable)
        if flags.get(name) is not None:
            values[name] = read(flags[name], option, "--" + name.replace("_", "-"))
    return Config(**values)


def _of_file(path: str, options: Mapping[str, dataclasses.Field[Any]]) -> dict[str, Any]:
    try:
        document = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as wrong:
        raise ConfigError(f"{path}: {wrong}") from wrong
    if unknown := [name for name in document if name not in options]:
        raise ConfigError(f"{path}: there is no setting {unknown[0]!r}")
    return {name: read(value, options[name], path) for name, value in document.items()}
