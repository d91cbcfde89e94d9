"""Every setting of a node, documented once: the same name serves as flag, environment variable and key of a TOML file.

`--betting-tables` is `TAPETE_BETTING_TABLES` is `betting_tables = ..`; flags win over the environment, that over the file.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

ENVIRONMENT_PREFIX = "TAPETE_"


class ConfigError(ValueError):
    """A setting that cannot be, and where it was given."""


def setting(
    default: Any, doc: str, *, low: int | None = None, high: int | None = None, choices: Sequence[str] = ()
) -> Any:
    return field(default=default, metadata={"doc": doc, "low": low, "high": high, "choices": tuple(choices)})


def data_home() -> str:
    """Where a user's data lives: XDG_DATA_HOME, or ~/.local/share."""
    home = os.environ.get("XDG_DATA_HOME") or os.path.join(os.path.expanduser("~"), ".local", "share")
    return os.path.join(home, "tapete")


@dataclass(frozen=True, slots=True)
class Config:
    host: str = setting("127.0.0.1", "address to listen on; 0.0.0.0 lets others in the local network play")
    port: int = setting(8080, "port for the page and the WebSocket; 0 takes a free one", low=0, high=65535)
    store: str = setting(
        "", "redis://, rediss:// or unix:// address of your own Redis or Valkey; empty: the embedded one"
    )
    data: str = setting("", "directory of the embedded store and the cluster key; empty: the user's data directory")
    fsync: Literal["everysec", "always"] = setting("everysec", "how the embedded store writes: a power cut loses a second, or nothing", choices=("everysec", "always"))  # fmt: skip
    key_file: str = setting(
        "", "file with the cluster key (32 bytes as 64 hex digits); empty: made in the data directory"
    )
    node: str = setting("", "name of this node in logs and health; empty: the host's name and the port")
    origins: str = setting("", "web origins that may connect besides our own, comma-separated")
    bots: bool = setting(True, "open practice tables on which bots play")
    tables: bool = setting(True, "open one table of each game when the store has none")
    opening_balance: int = setting(100_000, "play money of a new guest, in minor units", low=0, high=10**12)
    top_up: int = setting(100_000, "play money that a player without any may ask for", low=1, high=10**12)
    top_up_below: int = setting(100, "who has less than this may top up", low=1, high=10**12)
    tables_max: int = setting(1_000, "tables that may be open in the store", low=1, high=1_000_000)
    refuse_player_edge: bool = setting(False, "refuse to open tables on which a bet favours the player")
    shards: int = setting(64, "shards of the store's keys; fixed when a store is first used", low=1, high=1024)
    connections_max: int = setting(20_000, "connections that this node takes", low=1, high=1_000_000)
    commands_per_s: int = setting(
        15, "commands that one connection may send in a second, on average", low=1, high=100_000
    )
    accounts_per_address_hour_max: int = setting(1_000, "new guests from one address in an hour", low=1, high=1_000_000)
    metrics_host: str = setting("127.0.0.1", "address of /metrics")
    metrics_port: int = setting(0, "port of /metrics; 0: none", low=0, high=65535)
    log_level: str = setting("info", "least severe messages to log", choices=("debug", "info", "warning", "error"))

    @property
    def data_directory(self) -> Path:
        return Path(self.data or data_home()).expanduser()


def read(value: object, option: dataclasses.Field[Any], where: str) -> Any:
    """A value of the option's own kind, or `ConfigError`."""
    meta, default = option.metadata, option.default
    if isinstance(default, bool):
        flags = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
        value = value if isinstance(value, bool) else flags.get(str(value).lower())
        if value is None:
            raise ConfigError(f"{where}: {option.name} is true or false")
        return value
    if isinstance(default, int):
        try:
            number = int(str(value))
        except ValueError:
            raise ConfigError(f"{where}: {option.name} is a whole number") from None
        low, high = meta["low"], meta["high"]
        if (low is not None and number < low) or (high is not None and number > high):
            raise ConfigError(f"{where}: {option.name} is from {low} to {high}, not {number}")
        return number
    if meta["choices"] and value not in meta["choices"]:
        raise ConfigError(f"{where}: {option.name} is one of {', '.join(meta['choices'])}")
    return str(value)


def add_flags(parser: argparse.ArgumentParser) -> None:
    """One flag for each setting, with its documentation and default."""
    parser.add_argument("--config", metavar="FILE", help="TOML file with any of these settings")
    for option in dataclasses.fields(Config):
        flag, doc = "--" + option.name.replace("_", "-"), option.metadata["doc"]
        if isinstance(option.default, bool):
            parser.add_argument(flag, action=argparse.BooleanOptionalAction, default=None, help=doc)
        else:
            shown = f" (default: {option.default})" if option.default != "" else ""
            parser.add_argument(flag, default=None, metavar=type(option.default).__name__.upper(), help=doc + shown)


def load(flags: Mapping[str, Any], environment: Mapping[str, str]) -> Config:
    """Flags over environment over file over defaults. Raises `ConfigError`."""
    options = {option.name: option for option in dataclasses.fields(Config)}
    values: dict[str, Any] = {}
    path = flags.get("config") or environment.get(ENVIRONMENT_PREFIX + "CONFIG")
    if path:
        try:
            document = tomllib.loads(Path(path).read_text())
        except (OSError, ValueError) as wrong:
            raise ConfigError(f"{path}: {wrong}") from wrong
        for name, value in document.items():
            if name not in options:
                raise ConfigError(f"{path}: there is no setting {name!r}")
            values[name] = read(value, options[name], path)
    for name, option in options.items():
        variable = ENVIRONMENT_PREFIX + name.upper()
        if variable in environment:
            values[name] = read(environment[variable], option, variable)
        if flags.get(name) is not None:
            values[name] = read(flags[name], option, "--" + name.replace("_", "-"))
    return Config(**values)
