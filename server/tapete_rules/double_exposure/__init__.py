"""Double Exposure Blackjack: the dealer's cards are both seen, and ties lose. (seed 004)"""

from tapete_rules.double_exposure.game import DoubleExposure
from tapete_rules.double_exposure.settings import DoubleExposureSettings
from tapete_rules.double_exposure.state import DoubleExposureState

__all__ = ["DoubleExposure", "DoubleExposureSettings", "DoubleExposureState"]
