"""The sheet of Double Exposure: its settings and its paytable."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tapete_rules.describe.sheet import columns, odds, section, settings_table, times_table
from tapete_rules.describe.words import Words
from tapete_rules.double_exposure.settings import NAME, DoubleExposureSettings


def describe(document: Mapping[str, Any], words: Words) -> str:
    plain = DoubleExposureSettings.from_plain(document).to_plain()
    pays = [(words.label(name), odds(value)) for name, value in plain.items() if name.endswith("_odds")]
    parts = (
        words.label(NAME),
        settings_table(plain, words),
        section(words.paytable, columns(pays, right=(1,))),
        times_table(plain, words),
    )
    return "\n\n".join(parts)
