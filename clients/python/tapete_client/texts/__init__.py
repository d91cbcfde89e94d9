"""What a table says, in Spanish and English."""

from tapete_client.texts.say import say, tell
from tapete_client.texts.scene import LANGUAGES, card_name, money, system_language, words_of

__all__ = ["LANGUAGES", "card_name", "money", "say", "system_language", "tell", "words_of"]
