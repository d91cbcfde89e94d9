"""Punto Banco: two sides, no decisions, and three published rules for banca's third card. (seeds 000, 001, 002)"""

from tapete_rules.punto_banco.game import PuntoBanco
from tapete_rules.punto_banco.settings import PuntoBancoSettings
from tapete_rules.punto_banco.state import PuntoBancoState

__all__ = ["PuntoBanco", "PuntoBancoSettings", "PuntoBancoState"]
