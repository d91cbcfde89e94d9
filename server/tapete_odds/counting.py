"""Counts every shoe by every tableau of Punto Banco, and writes the file that the package has."""

from __future__ import annotations

import json
from dataclasses import asdict

from tapete_odds.document import COUNTED
from tapete_rules.punto_banco.enumeration import count
from tapete_rules.punto_banco.settings import DECKS_MAX
from tapete_rules.punto_banco.tableaux import TABLEAUX


def main() -> None:
    counted = {f"{name} {decks}": asdict(count(decks, name)) for name in TABLEAUX for decks in range(1, DECKS_MAX + 1)}
    COUNTED.write_text(json.dumps(counted, indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
