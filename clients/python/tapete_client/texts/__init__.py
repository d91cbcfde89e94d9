"""What a table says, in Spanish and English."""

from tapete_client.texts.say import say, tell
from tapete_client.texts.scene import LANGUAGES, card_name, money, words_of

__all__ = ["LANGUAGES", "card_name", "money", "say", "tell", "words_of"]
