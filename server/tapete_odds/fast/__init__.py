"""Both games played for thousands of rounds in one operation, with numpy. `tapete_odds.simulation` holds them to the rules."""
