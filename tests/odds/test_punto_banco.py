"""Punto Banco: what others have published, and the shape of the document."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tapete_odds.document import punto_banco
from tapete_rules.punto_banco import PuntoBancoSettings
from tapete_rules.punto_banco.tableaux import TABLEAUX

PUBLISHED = {
    # Edward O. Thorp, "The Mathematics of Gambling" (1984), as many tables of odds repeat it; the counts are those of the
    # Wizard of Odds (wizardofodds.com/games/baccarat), for eight and for six decks.
    8: {
        "banca": (2_292_252_566_437_888, 0.458597, 0.010579),
        "punto": (2_230_518_282_592_256, 0.446247, 0.012351),
        "tie": (475_627_426_473_216, 0.095156, 0.143596),
    },
    6: {
        "banca": (403_095_751_234_560, 0.458653, 0.010558),
        "punto": (392_220_492_728_832, 0.446279, 0.012374),
        "tie": (83_552_962_932_288, 0.095069, 0.144382),
    },
}


@pytest.mark.parametrize("decks", PUBLISHED)
def test_the_published_counts_chances_and_edges(decks: int) -> None:
    odds = punto_banco(PuntoBancoSettings(decks=decks))
    for spot, (count, chance, edge) in PUBLISHED[decks].items():
        assert odds["counts"][spot] == count
        assert odds["frequency"][spot] == pytest.approx(chance, abs=5e-7)
        assert odds["edges"][spot]["edge"] == pytest.approx(edge, abs=5e-7)


@pytest.mark.parametrize("tableau", TABLEAUX)
def test_exact_and_float_say_the_same(tableau: str) -> None:
    odds = punto_banco(PuntoBancoSettings(tableau=tableau, commission=False))
    assert set(odds["edges"]) == {"punto", "banca", "tie", "punto_pair", "banca_pair"}
    for bet in odds["edges"].values():
        assert float(Fraction(bet["exact"])) == bet["edge"]
    assert sum(odds["counts"][side] for side in ("punto", "banca", "tie")) == odds["counts"]["deals"]


def test_the_houses_own_tableaux_favour_the_punto_as_the_rules_say() -> None:
    """Rules, section 2: with eight decks by 1.76 %."""
    for tableau in ("europacasino", "casinoonnet"):
        edge = punto_banco(PuntoBancoSettings(tableau=tableau))["edges"]["punto"]["edge"]
        assert edge == pytest.approx(-0.0176, abs=5e-5)


def test_the_variance_of_a_bet_by_hand() -> None:
    odds = punto_banco(PuntoBancoSettings())
    tie = Fraction(odds["counts"]["tie"], odds["counts"]["deals"])
    mean = 8 * tie - (1 - tie)
    assert odds["edges"]["tie"]["variance"] == pytest.approx(float(64 * tie + (1 - tie) - mean * mean), rel=1e-12)
